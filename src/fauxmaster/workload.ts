/** What clients ask for, drawn from a seed: a few users with a few job names each, so that they get in each other's way. */
import type { Random } from "../base/random.ts";
import { type Op, userOp } from "../cell/op.ts";
import type { Init } from "../wire/codec.ts";
import { type OpSchema, Role } from "../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../wire/gen/borg/v1/resource_pb.ts";
import { type JobSpecSchema, Operator, RestartWhen, SchedulingMode, Spread } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Asked } from "./history.ts";

export const ADMIN = "admin";
const MI = 1024 ** 2;
const NAMES = ["web", "db", "mill", "logs", "index"];
const PRIORITIES = [10, 100, 110, 119, 120, 200, 360];
const PROGRAMS = ["serve", "serve", "serve", "stubborn", "hog", "work 5000", "work 40000", "crash 3000", "flaky 8000"];
/** Machines that are drained at a time. */
const DRAINED_MAX = 2;

type Body = NonNullable<Init<typeof OpSchema>["body"]>;

export interface WorkloadOptions {
  readonly users: readonly string[];
  readonly machines: readonly string[];
  readonly schedulers: readonly string[];
  /** What all machines have together: production quota is a part of it. */
  readonly capacity: { readonly cpuMilli: number; readonly ramBytes: number; readonly diskBytes: number };
  /** Nothing but jobs with a count that run anywhere: for masters that know no more. */
  readonly plain?: boolean;
  /** While it says no, nothing new is begun. */
  readonly open: () => boolean;
}

/** One client's. The first client is the administrator, who sets the cell up before anything else. */
export class Workload {
  readonly #random: Random;
  readonly #options: WorkloadOptions;
  readonly #setup: Body[] = [];
  readonly #admin: boolean;
  readonly #user: string;
  readonly #drained: string[] = [];

  constructor(random: Random, options: WorkloadOptions, index: number) {
    this.#random = random;
    this.#options = options;
    this.#admin = index === 0;
    this.#user = options.users[index % options.users.length] as string;
    if (this.#admin) this.#setup.push(...setupOps(options));
  }

  /** The next thing to ask under this request id. */
  next(id: string): Asked | undefined {
    const body = this.#setup.shift();
    if (body !== undefined) return mutate(userOp(ADMIN, id, body));
    if (!this.#options.open()) return this.#closing(id);
    return this.#admin && this.#random.chance(0.4) ? mutate(this.#administer(id)) : this.#use(id);
  }

  /** Afterwards every machine takes work again. */
  #closing(id: string): Asked | undefined {
    const machine = this.#drained.pop();
    return machine === undefined ? undefined : mutate(drainOp(id, machine, false));
  }

  #administer(id: string): Op {
    const random = this.#random;
    if (random.chance(0.5)) {
      const share = random.pick([0.1, 0.3, 0.45]);
      const user = random.pick(this.#options.users);
      return userOp(ADMIN, id, { case: "quotaSet", value: { user, band: Band.PRODUCTION, quota: { limit: part(this.#options, share) } } });
    }
    if (this.#drained.length < DRAINED_MAX && random.chance(0.5)) {
      const machine = random.pick(this.#options.machines);
      if (!this.#drained.includes(machine)) this.#drained.push(machine);
      return drainOp(id, machine, true);
    }
    return drainOp(id, this.#drained.shift() ?? random.pick(this.#options.machines), false);
  }

  #use(id: string): Asked {
    const random = this.#random;
    if (this.#options.plain !== true && random.chance(0.12)) return mutate(userOp(this.#user, id, this.#unusual()));
    const job = `${this.#user}/${random.pick(NAMES)}`;
    const draw = random.int(0, 100);
    if (draw < 35) return { type: "read", job };
    if (draw < 70) return mutate(userOp(this.#user, id, { case: "jobSubmit", value: { spec: this.#spec(job) } }));
    if (draw < 84) return mutate(userOp(this.#user, id, { case: "jobKill", value: { job } }));
    if (draw < 94) return mutate(userOp(this.#user, id, { case: "jobResize", value: { job, count: random.int(1, 9) } }));
    return mutate(userOp(this.#user, id, { case: "jobRestart", value: { job } }));
  }

  /** Alloc sets and jobs in them, jobs with a task on every machine, jobs that wait for another one's end. */
  #unusual(): Body {
    const random = this.#random;
    const user = this.#user;
    const kind = random.pick(["set", "inner", "inner", "daemon", "after"] as const);
    if (random.chance(0.25)) return { case: "jobKill", value: { job: `${user}/${kind}` } };
    if (kind === "set") {
      const limit = { cpuMilli: random.pick([1000, 2000]), ramBytes: 2048 * MI };
      return {
        case: "allocSetSubmit",
        value: { spec: { user, name: kind, priority: random.pick(PRIORITIES), count: random.int(1, 4), limit, ports: 2 } },
      };
    }
    const spec = this.#spec(`${user}/${kind}`);
    if (kind === "inner") return { case: "jobSubmit", value: { spec: { ...spec, allocSet: `${user}/set` } } };
    if (kind === "after") return { case: "jobSubmit", value: { spec: { ...spec, startAfter: `${user}/${random.pick(NAMES)}` } } };
    const task = { command: ["serve"], limit: { cpuMilli: 50, ramBytes: 16 * MI } };
    return { case: "jobSubmit", value: { spec: { user, name: kind, priority: 10, perMachine: true, task } } };
  }

  #spec(job: string): Init<typeof JobSpecSchema> {
    const random = this.#random;
    const [user = "", name = ""] = job.split("/");
    const limit = { cpuMilli: random.pick([100, 500, 1000, 2000, 3000]), ramBytes: random.pick([64, 256, 1024, 3072]) * MI };
    const rack = { attribute: "rack", operator: Operator.EQUAL, values: [random.pick(["r0", "r1", "r2", "r3"])] };
    const isPicky = random.chance(0.1) && this.#options.plain !== true;
    const isGang = random.chance(0.15) && this.#options.plain !== true;
    return {
      user,
      name,
      priority: random.pick(PRIORITIES),
      count: random.int(1, 11),
      constraints: isPicky ? [rack] : [],
      mode: isGang ? SchedulingMode.GANG : SchedulingMode.INCREMENTAL,
      spread: random.chance(0.2) ? Spread.HARD : Spread.UNSPECIFIED,
      restart: {
        when: random.pick([RestartWhen.ON_FAILURE, RestartWhen.ALWAYS, RestartWhen.NEVER]),
        inPlaceMax: random.int(0, 3),
        backoffMaxMs: 20_000,
      },
      task: {
        command: random.pick(PROGRAMS).split(" "),
        limit,
        noticeMs: random.pick([0, 500, 5000]),
        ports: random.chance(0.3) ? ["http"] : [],
      },
    };
  }
}

const mutate = (op: Op): Asked => ({ type: "mutate", op });

const drainOp = (id: string, machine: string, draining: boolean): Op =>
  userOp(ADMIN, id, { case: "machineDrain", value: { machine, draining } });

const part = ({ capacity }: WorkloadOptions, share: number) => ({
  cpuMilli: Math.floor(capacity.cpuMilli * share),
  ramBytes: Math.floor(capacity.ramBytes * share),
  diskBytes: Math.floor(capacity.diskBytes * share),
});

/** Users, schedulers and batch quota; the cell itself is made by its first master. */
function setupOps({ users, schedulers }: WorkloadOptions): Body[] {
  const out: Body[] = schedulers.map((name) => ({ case: "schedulerSet" as const, value: { name, limits: { priorityMax: 450 } } }));
  for (const user of users) {
    out.push({ case: "userGrant", value: { user, roles: [Role.USER] } });
    out.push({ case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } });
  }
  return out;
}
