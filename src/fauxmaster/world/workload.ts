/** What clients ask for, drawn from a seed: a few users with a few job names each, so that they get in each other's way. */
import type { Random } from "../../base/random.ts";
import { type Init, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { Band, ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import {
  type AfterFailure,
  CheckKind,
  JobSpecSchema,
  Operator,
  RestartWhen,
  SchedulingMode,
  Spread,
  type TaskSpecSchema,
} from "../../wire/gen/borg/v1/spec_pb.ts";
import { IMAGES_ABLE } from "../../wire/spec-defaults.ts";
import type { Asked, Heard } from "../judge/history.ts";
import { SHELF } from "./package-shelf.ts";
import { type Administered, batchQuota, manners, unusualAdministration } from "./workload-admin.ts";
import { type ClientCall, change, drain, grant, kill, resize, setQuota, submit, update, updateAllocs } from "./workload-changes.ts";
import { controlledCall } from "./workload-controllers.ts";
import { FrameworkWork } from "./workload-frameworks.ts";
import { drawRead } from "./workload-reads.ts";
import { drawSecret, namedSecrets } from "./workload-secrets.ts";
import { volumeCall } from "./workload-volumes.ts";

export const ADMIN = "admin";
/** Sometimes has the role of a user, sometimes none. */
export const GUEST = "eve";
const MI = 1024 ** 2;
const NAMES = ["web", "db", "mill", "logs", "index"];
/** The job of each user that is updated. */
const UPDATED = "svc";
const PRIORITIES = [10, 100, 110, 119, 120, 200, 360];
const PROGRAMS = ["serve", "serve", "serve", "stubborn", "hog", "work 5000", "work 40000", "crash 3000", "flaky 8000"];
/** Machines that are drained at a time. */
const DRAINED_MAX = 2;
/** Of the changes that a client asked for it remembers so many, and asks for one of them again now and then: the cell surely knows them still. */
const REMEMBERED = 8;

export interface WorkloadOptions {
  readonly users: readonly string[];
  readonly machines: readonly string[];
  readonly schedulers: readonly string[];
  /** What the administrator may change beside quota and drains. */
  readonly administered?: Administered;
  /** What all machines have together: production quota is a part of it. */
  readonly capacity: { readonly cpuMilli: number; readonly ramBytes: number; readonly diskBytes: number };
  /** Nothing but jobs with a count that run anywhere: for masters that know no more. */
  readonly plain?: boolean;
  /** Decides about packages, when the cell is old enough to have any; nothing else of a seed depends on it. */
  readonly packages?: () => Random | undefined;
  /** The same about secrets. */
  readonly secrets?: () => Random | undefined;
  /** Decides about volumes, likewise. */
  readonly volumes?: () => Random | undefined;
  /** Decides about controllers, likewise, and shows tokens of theirs. */
  readonly controllers?: () => { readonly random: Random; readonly tokens: readonly string[] } | undefined;
  /** Decides about frameworks, likewise. */
  readonly frameworks?: () => Random | undefined;
  /** While it says no, nothing new is begun. */
  readonly open: () => boolean;
  /** Request ids that anyone used lately, with who did: somebody else may take the same one. All clients share it. */
  readonly ids: { readonly user: string; readonly id: string }[];
  /** All of them, as "user id". */
  readonly used: Set<string>;
}

/** One client's. The first client is the administrator, who sets the cell up before anything else. */
export class Workload {
  readonly #random: Random;
  readonly #options: WorkloadOptions;
  readonly #setup: ClientCall[] = [];
  readonly #admin: boolean;
  readonly #user: string;
  readonly #drained: string[] = [];
  /** The last spec that it asked for of the job that is updated. */
  #service: Init<typeof JobSpecSchema> | undefined;
  #asked: Asked[] = [];
  /** Users whose batch quota may have ended. */
  readonly #ending: string[] = [];
  readonly #framework: FrameworkWork;

  constructor(random: Random, options: WorkloadOptions, index: number) {
    this.#random = random;
    this.#options = options;
    this.#admin = index === 0;
    this.#user = options.users[index % options.users.length] as string;
    this.#framework = new FrameworkWork(this.#user, options.machines);
    if (this.#admin) this.#setup.push(...setup(options));
    if (this.#admin && options.administered !== undefined) this.#ending.push(...options.users);
  }

  /** The next thing to ask under this request id. */
  next(id: string): Asked | undefined {
    const first = this.#setup.shift();
    if (first !== undefined) return this.#ask(ADMIN, id, first);
    if (!this.#options.open()) return this.#closing(id);
    const packages = this.#options.packages?.();
    if (packages?.chance(0.06) === true) return this.#ask(this.#user, id, this.#package(packages));
    const secrets = this.#options.secrets?.();
    if (secrets?.chance(0.05) === true) return this.#ask(this.#user, id, drawSecret(secrets, this.#user, this.#options.users));
    const volumes = this.#options.volumes?.();
    if (volumes?.chance(0.08) === true) return this.#ask(this.#user, id, volumeCall(volumes, this.#user, this.#options.users));
    const controllers = this.#options.controllers?.();
    if (controllers?.random.chance(0.08) === true) return this.#control(id, controllers);
    const frameworks = this.#options.frameworks?.();
    if (frameworks !== undefined && this.#framework.isNext(frameworks)) return this.#lead(frameworks, id);
    const again = this.#random.chance(0.04) ? this.#again() : undefined;
    if (again !== undefined) return again;
    const reused = this.#random.chance(0.04) ? this.#reused() : undefined;
    if (reused !== undefined) return reused;
    if (this.#random.chance(0.04)) return this.#foreign(id);
    return this.#admin && this.#random.chance(0.4) ? this.#ask(ADMIN, id, this.#administer()) : this.#use(id);
  }

  /** As the scheduler of its user's framework; the administrator also sets roles. */
  #lead(random: Random, id: string): Asked {
    if (this.#admin && random.chance(0.2)) return this.#ask(ADMIN, id, FrameworkWork.role(random, this.#options.users));
    const call = this.#framework.draw(random);
    if (call !== undefined) return this.#ask(this.#user, id, call);
    return { user: this.#user, ...this.#framework.read(), requestId: "", stale: random.chance(0.1), again: false };
  }

  /** What came of a call. */
  heard(asked: Asked, heard: Heard): void {
    this.#framework.heard(asked, heard);
  }

  /** A change, now and then under an id that another user has used: to the cell these are two. */
  #ask(user: string, id: string, { method, schema, init }: ClientCall): Asked {
    const { ids, used } = this.#options;
    const others = this.#random.chance(0.05) ? ids.filter((each) => each.user !== user) : [];
    const requestId = others.length === 0 ? id : this.#random.pick(others).id;
    const again = used.has(`${user} ${requestId}`);
    used.add(`${user} ${requestId}`);
    ids.push({ user, id: requestId });
    if (ids.length > REMEMBERED) ids.shift();
    const request = make(schema, { ...init, requestId } as Init<typeof api.SubmitJobRequestSchema>);
    const asked: Asked = { user, method, request, requestId, stale: false, again };
    this.#asked = [...this.#asked, asked].slice(-REMEMBERED);
    return asked;
  }

  /** Never under somebody else's id, nor again: what is known of a request is its user's, and a token ends. */
  #control(id: string, { random, tokens }: { readonly random: Random; readonly tokens: readonly string[] }): Asked {
    const { user, controller, call } = controlledCall(random, this.#user, this.#options.users, tokens);
    if (controller === undefined) return this.#ask(user, id, call);
    const request = make(call.schema, { ...call.init, requestId: id } as Init<typeof api.SubmitJobRequestSchema>);
    return { user, controller, method: call.method, request, requestId: id, stale: false, again: false };
  }

  /** What this client had asked for before, word for word. */
  #again(): Asked | undefined {
    return this.#asked.length === 0 ? undefined : { ...this.#random.pick(this.#asked), again: true };
  }

  /** Something else under an id that this client has used: the cell must not take it for the same. */
  #reused(): Asked | undefined {
    if (this.#asked.length === 0) return undefined;
    const { user, requestId } = this.#random.pick(this.#asked);
    if (user === ADMIN) return this.#ask(ADMIN, requestId, this.#administer());
    const job = `${user}/${this.#random.pick(NAMES)}`;
    const other = this.#random.chance(0.5) ? resize(job, this.#random.int(1, 9)) : submit(this.#spec(job));
    return this.#ask(user, requestId, other);
  }

  /** Something that the caller has no right to, or only sometimes. */
  #foreign(id: string): Asked {
    const random = this.#random;
    const { users, machines } = this.#options;
    const other = users.find((user) => user !== this.#user) ?? ADMIN;
    const what = random.pick([
      "kill",
      "submit",
      "resize",
      ...(this.#options.plain === true ? [] : (["update"] as const)),
      "drain",
      "quota",
      "grant",
      "guest",
    ] as const);
    const job = `${other}/${random.pick(NAMES)}`;
    if (what === "kill") return this.#ask(this.#user, id, kill(job));
    if (what === "submit") return this.#ask(this.#user, id, submit(this.#spec(job)));
    if (what === "update") return this.#ask(this.#user, id, this.#updating(`${other}/${UPDATED}`));
    if (what === "resize") return this.#ask(this.#user, id, resize(job, random.int(1, 9)));
    if (what === "drain") return this.#ask(this.#user, id, drain(random.pick(machines), random.chance(0.5)));
    if (what === "quota") return this.#ask(this.#user, id, setQuota(this.#user, Band.PRODUCTION, { limit: part(this.#options, 0.5) }));
    if (what === "grant") return this.#ask(this.#user, id, grant(this.#user, [Role.USER, Role.CELL_ADMIN]));
    return random.chance(0.3) ? this.#read(GUEST) : this.#ask(GUEST, id, submit(this.#spec(`${GUEST}/web`)));
  }

  /** Afterwards every machine takes work again, and every user has quota. */
  #closing(id: string): Asked | undefined {
    const machine = this.#drained.pop();
    if (machine !== undefined) return this.#ask(ADMIN, id, drain(machine, false));
    const user = this.#ending.pop();
    return user === undefined ? undefined : this.#ask(ADMIN, id, batchQuota(user, 0));
  }

  #administer(): ClientCall {
    const random = this.#random;
    if (random.chance(0.1)) return grant(GUEST, random.chance(0.5) ? [Role.USER] : []);
    const { administered } = this.#options;
    if (administered !== undefined && random.chance(0.35)) return unusualAdministration(random, administered);
    if (random.chance(0.5)) {
      const share = random.pick([0.1, 0.3, 0.45]);
      return setQuota(random.pick(this.#options.users), Band.PRODUCTION, { limit: part(this.#options, share) });
    }
    if (this.#drained.length < DRAINED_MAX && random.chance(0.5)) {
      const machine = random.pick(this.#options.machines);
      if (!this.#drained.includes(machine)) this.#drained.push(machine);
      return drain(machine, true);
    }
    return drain(this.#drained.shift() ?? random.pick(this.#options.machines), false);
  }

  #use(id: string): Asked {
    const random = this.#random;
    if (this.#options.plain !== true && random.chance(0.12)) return this.#ask(this.#user, id, this.#unusual());
    if (this.#options.plain !== true && random.chance(0.25)) return this.#ask(this.#user, id, this.#updating(`${this.#user}/${UPDATED}`));
    const job = `${this.#user}/${random.pick(NAMES)}`;
    const draw = random.int(0, 100);
    if (draw < 35) return this.#read(this.#user);
    if (draw < 70) return this.#ask(this.#user, id, submit(this.#spec(job)));
    if (draw < 84) return this.#ask(this.#user, id, kill(job));
    if (draw < 94) return this.#ask(this.#user, id, resize(job, random.int(1, 9)));
    return this.#ask(this.#user, id, change("restartJob", api.RestartJobRequestSchema, { job }));
  }

  /** Half of all reads are of a job; some are content with an old answer. */
  #read(user: string): Asked {
    const random = this.#random;
    const job = `${random.chance(0.9) ? user : random.pick(this.#options.users)}/${random.pick(NAMES)}`;
    const { method, request } = drawRead(random, { job, user, machine: random.pick(this.#options.machines) });
    return { user, method, request, requestId: "", stale: random.chance(0.1), again: false };
  }

  /** Alloc sets and jobs in them, jobs with a task on every machine, jobs that wait for another one's end. */
  #unusual(): ClientCall {
    const random = this.#random;
    const user = this.#user;
    const kind = random.pick(["set", "inner", "inner", "daemon", "after"] as const);
    if (random.chance(0.25)) return kill(`${user}/${kind}`);
    if (kind === "set") return this.#set(user, kind);
    const spec = this.#spec(`${user}/${kind}`);
    // A set of somebody else lets in whom it names; nobody counts for more than the set.
    const host = random.chance(0.3) ? random.pick(this.#options.users) : user;
    const inside = { allocSet: `${host}/set`, ...(random.chance(0.7) ? { priority: 10 } : {}), overrides: this.#tracks() };
    if (kind === "inner") return submit({ ...spec, ...inside });
    // No draw of its own, so that all others stay what they were.
    if (kind === "after")
      return submit({ ...spec, startAfter: `${user}/${random.pick(NAMES)}`, afterFailure: ((spec.count ?? 0) % 4) as AfterFailure });
    const task = { command: ["serve"], limit: { cpuMilli: 50, ramBytes: 16 * MI } };
    return submit({ user, name: kind, priority: 10, perMachine: true, task });
  }

  /** An alloc set, or its update: mostly of another size, so that some allocs grow where they are and others move with their tasks. */
  #set(user: string, name: string): ClientCall {
    const random = this.#random;
    const limit = { cpuMilli: random.pick([1000, 2000]), ramBytes: 2048 * MI };
    const tenants = random.chance(0.5) ? [...this.#options.users] : [];
    const spec = { user, name, priority: random.pick(PRIORITIES), count: random.int(1, 4), limit, ports: 2, tenants };
    if (random.chance(0.4)) return change("submitAllocSet", api.SubmitAllocSetRequestSchema, { spec });
    const job = `${user}/${name}`;
    const draw = random.int(0, 10);
    if (draw === 0) return change("pauseUpdate", api.PauseUpdateRequestSchema, { job, paused: random.chance(0.3) });
    if (draw < 3) return change("undoUpdate", api.UndoUpdateRequestSchema, { job });
    if (draw < 5) return change("commitUpdate", api.CommitUpdateRequestSchema, { job });
    const disruptions = random.chance(0.5) ? { disruptionsMax: random.int(0, 3) } : {};
    const policy = { batch: random.int(1, 3), watchMs: random.pick([0, 2000]), failuresMax: random.int(0, 3), ...disruptions };
    const size = { cpuMilli: random.pick([500, 1500, 3000]), ramBytes: random.pick([1024, 2048, 3072]) * MI };
    return updateAllocs({ ...spec, limit: size, ports: random.pick([2, 2, 3]), update: policy }, random.chance(0.1));
  }

  /** Labels of the first task alone. */
  #tracks(): { first: number; last: number; labels: { key: string; value: string }[] }[] {
    return this.#random.chance(0.3) ? [{ first: 0, last: 0, labels: [{ key: "track", value: "canary" }] }] : [];
  }

  /** One job of a user is mostly updated: started, held, undone, committed, and now and then killed in the middle. */
  #updating(job: string): ClientCall {
    const random = this.#random;
    const draw = random.int(0, 100);
    if (draw < 20) return submit(this.#served(job));
    if (draw < 65) {
      const some = random.chance(0.2) ? [{ first: 0, last: random.int(0, 3) }] : [];
      const before = this.#service;
      const isKnown = before !== undefined && `${before.user}/${before.name}` === job;
      const spec = isKnown && random.chance(0.35) ? this.#promoted(before) : this.#served(job);
      return update(spec, some, random.chance(0.1));
    }
    if (draw < 75) return change("pauseUpdate", api.PauseUpdateRequestSchema, { job, paused: random.chance(0.4) });
    if (draw < 85) return change("undoUpdate", api.UndoUpdateRequestSchema, { job });
    if (draw < 95) return change("commitUpdate", api.CommitUpdateRequestSchema, { job });
    return random.chance(0.5) ? kill(job) : resize(job, random.int(1, 9));
  }

  /** The same at another priority or with another limit, which restarts nobody while it fits. */
  #promoted(spec: Init<typeof JobSpecSchema>): Init<typeof JobSpecSchema> {
    const { task } = make(JobSpecSchema, spec);
    const limit = task?.limit ?? make(ResourcesSchema, {});
    const cpuMilli = Math.max(1, Math.round(limit.cpuMilli * this.#random.pick([0.5, 0.8, 1.2, 2])));
    const held = task !== undefined && this.#random.chance(0.5) ? { task: { ...task, limit: { ...limit, cpuMilli } } } : {};
    this.#service = { ...spec, ...held, priority: this.#random.pick([105, 110, 115, 119]) };
    return this.#service;
  }

  /** A service: what differs from one to the next is its program, its limit, its priority, how many there are and where they may be. */
  #served(job: string): Init<typeof JobSpecSchema> {
    const random = this.#random;
    const spec = this.#spec(job);
    const disruptions = random.chance(0.5) ? { disruptionsMax: random.int(0, 4) } : {};
    const policy = { batch: random.int(1, 4), watchMs: random.pick([0, 2000, 8000]), failuresMax: random.int(0, 3), ...disruptions };
    this.#service = {
      ...spec,
      count: random.pick([4, 5, 5, 5, 6]),
      mode: SchedulingMode.INCREMENTAL,
      priority: random.pick([110, 110, 110, 119, 120]),
      update: policy,
      ...(random.chance(0.4) ? { downMax: random.int(1, 3) } : {}),
      task: { ...spec.task, command: random.pick(["serve", "serve", "serve a", "serve b", "crash 3000"]).split(" ") },
    };
    return this.#service;
  }

  /** Pushed again, or removed: of one's own mostly, and of somebody who would not allow it. */
  #package(random: Random): ClientCall {
    const { name, digest, bytes } = random.pick(SHELF);
    const user = random.chance(0.95) ? this.#user : random.pick(this.#options.users);
    if (random.chance(0.3)) return change("removePackage", api.RemovePackageRequestSchema, { user, name, digest });
    const labels = digest.charCodeAt(0) % 2 === 0 ? { labels: { labels: [{ key: "by", value: this.#user }] } } : {};
    return change("addPackage", api.AddPackageRequestSchema, {
      user,
      name,
      digest,
      bytes: bytes.length,
      shared: name === "data",
      ...labels,
    });
  }

  /** Own ones, and shared ones of others. */
  #packagesOf(user: string): { readonly user: string; readonly name: string; readonly version: string }[] {
    const random = this.#options.packages?.();
    if (random?.chance(0.3) !== true) return [];
    const { name, digest: version } = random.pick(SHELF);
    return [{ user: random.chance(0.8) ? "" : random.pick(this.#options.users.filter((other) => other !== user)), name, version }];
  }

  #spec(job: string): Init<typeof JobSpecSchema> {
    const random = this.#random;
    const [user = "", name = ""] = job.split("/");
    const packages = this.#packagesOf(user);
    const limit = { cpuMilli: random.pick([100, 500, 1000, 2000, 3000]), ramBytes: random.pick([64, 256, 1024, 3072]) * MI };
    const rack = { attribute: "rack", operator: Operator.EQUAL, values: [random.pick(["r0", "r1", "r2", "r3"])] };
    const isPicky = random.chance(0.1) && this.#options.plain !== true;
    const isGang = random.chance(0.15) && this.#options.plain !== true;
    const priority = random.pick(PRIORITIES);
    const count = random.int(1, 11);
    // No draw of its own, so that all others stay what they were.
    const isImage = packages.length > 0 && count % 4 === 0;
    return {
      user,
      name,
      priority,
      count,
      constraints: [...(isPicky ? [rack] : []), ...(isImage ? [CAN_IMAGES] : [])],
      mode: isGang ? SchedulingMode.GANG : SchedulingMode.INCREMENTAL,
      spread: random.chance(0.2) ? spreadOf(count) : Spread.UNSPECIFIED,
      beside: besideOf(count, user, name, this.#options.users),
      ...(this.#options.plain === true ? {} : manners(random)),
      restart: {
        when: random.pick([RestartWhen.ON_FAILURE, RestartWhen.ALWAYS, RestartWhen.NEVER]),
        inPlaceMax: random.int(0, 3),
        backoffMaxMs: 20_000,
        ...(this.#options.plain === true ? {} : exitsOf(count)),
      },
      task: {
        command: random.pick(PROGRAMS).split(" "),
        limit: { ...limit, ...(this.#options.plain === true ? {} : gpusOf(count)) },
        noticeMs: random.pick([0, 500, 5000]),
        ports: random.chance(0.3) ? ["http"] : [],
        packages: packages.map((ref) => ({ ...ref, root: isImage })),
        secrets: namedSecrets(this.#options.secrets?.()),
        ...(this.#options.plain === true ? {} : checksOf(count)),
      },
    };
  }
}

/** What `crash` and `flaky` end with is final for some, and as good as 0 for others. No draw of its own, so that all others stay what they were. */
const exitsOf = (count: number): { fatalExits?: number[]; okExits?: number[] } =>
  ({ 3: { fatalExits: [1] }, 6: { okExits: [1] }, 9: { fatalExits: [1, 2], okExits: [3] } })[count] ?? {};

/** In thousandths. */
export const GPUS = "gpu-milli";
/** As much as the two smallest machines have that have any. */
const GPUS_SOLD = 6000;

/** Parts of a gpu, or whole ones. No draw of its own, so that all others stay what they were. */
function gpusOf(count: number): { extras?: { name: string; amount: number }[] } {
  const amount = { 2: 2000, 4: 500, 7: 300 }[count];
  return amount === undefined ? {} : { extras: [{ name: GPUS, amount }] };
}

/** Two power domains, four racks: as many as there are tasks, at most. No draw of its own, so that all others stay what they were. */
const spreadOf = (count: number): Spread => (count === 2 ? Spread.POWER : count < 5 ? Spread.RACK : Spread.HARD);

/** Some limit the next job of their user, or that of another user. No draw of its own either. */
function besideOf(count: number, user: string, name: string, users: readonly string[]): { job: string; max: number }[] {
  const next = NAMES[(NAMES.indexOf(name) + 1) % NAMES.length];
  if (count === 6 || count === 9) return [{ job: `${user}/${next}`, max: count === 6 ? 0 : 2 }];
  const other = users.find((each) => each !== user);
  return count === 8 && other !== undefined ? [{ job: `${other}/${next}`, max: 1 }] : [];
}

const CAN_IMAGES = { attribute: IMAGES_ABLE.attribute, operator: Operator.EQUAL, values: [IMAGES_ABLE.value] };

/** A third of all jobs has no check, the others one or two; half of them are lame ducks for a while. No draw of its own, so that all others stay what they were. */
function checksOf(count: number): Pick<Init<typeof TaskSpecSchema>, "health" | "ready" | "lameDuckMs"> {
  const check = { kind: CheckKind.COMMAND, command: ["well"], intervalMs: 2000, timeoutMs: 1000, failures: 2 };
  return {
    ...(count % 3 === 1 ? { health: { ...check, failures: 3, graceMs: 5000 } } : {}),
    ...(count % 3 > 0 ? { ready: check } : {}),
    lameDuckMs: [0, 1000, 0, 4000][count % 4] ?? 0,
  };
}

const part = ({ capacity }: WorkloadOptions, share: number) => ({
  cpuMilli: Math.floor(capacity.cpuMilli * share),
  ramBytes: Math.floor(capacity.ramBytes * share),
  diskBytes: Math.floor(capacity.diskBytes * share),
  extras: [{ name: GPUS, amount: Math.floor(GPUS_SOLD * share) }],
});

/** Users, schedulers and batch quota; the cell itself is made by its first master. */
function setup({ users, schedulers }: WorkloadOptions): ClientCall[] {
  const out = schedulers.map((name) => change("setScheduler", api.SetSchedulerRequestSchema, { name, limits: { priorityMax: 450 } }));
  for (const user of users) out.push(grant(user, [Role.USER]), setQuota(user, Band.BATCH, { unlimited: true }));
  return out;
}
