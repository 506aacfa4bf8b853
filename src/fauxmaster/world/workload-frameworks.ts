/**
 * A scheduler of a framework, as a client of the simulation: it subscribes, now and then as if it were another one, launches onto machines of which some are
 * full or not there, kills, acknowledges what it was told or forgets to, tears down, and begins anew. What it knows it was told by its calls.
 */
import type { Random } from "../../base/random.ts";
import { make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Asked, Heard } from "../judge/history.ts";
import { type ClientCall, change } from "./workload-changes.ts";

const MI = 1024 ** 2;
const NAME = "fw";
/** By user: one in batch, which has a quota, in the role that an admin gives to one user or all now and then; one in free. */
const KINDS = [
  { priority: 100, role: "eng" },
  { priority: 50, role: "*" },
] as const;
/** Of a client's calls: while it believes to lead it asks more, for else it would never see what became of what it launched. */
const CALLS = 0.15;
const CALLS_LEADING = 0.4;
const PROGRAMS = ["serve", "work 5000", "work 5000", "work 20000", "crash 3000", "stubborn", "hog"];
/** Names of tasks that it uses, so that it meets its own. */
const TASK_IDS = 12;
const SESSION_MAX = 2 ** 40;

interface Flight {
  readonly taskId: string;
  readonly uuid: Uint8Array;
}

export class FrameworkWork {
  readonly #user: string;
  readonly #machines: readonly string[];
  #id = "";
  #session = 0;
  #flights: readonly Flight[] = [];

  constructor(user: string, machines: readonly string[]) {
    this.#user = user;
    this.#machines = machines;
  }

  /** Whether the client's next call is its framework's. */
  isNext(random: Random): boolean {
    return random.chance(this.#session === 0 ? CALLS : CALLS_LEADING);
  }

  /** The next thing to ask: a change, or undefined for a look at what became of its tasks. */
  draw(random: Random): ClientCall | undefined {
    const framework = `${this.#user}/${NAME}`;
    const session = Math.max(1, this.#session);
    if (this.#session === 0 || random.chance(0.08)) return this.#subscribe(random);
    const draw = random.int(0, 100);
    if (draw < 40) return change("launchTasks", api.LaunchTasksRequestSchema, { framework, session, launches: this.#launches(random) });
    if (draw < 48) {
      const taskIds = [this.#taskId(random), this.#taskId(random)];
      return change("killTasks", api.KillTasksRequestSchema, { framework, session, taskIds });
    }
    if (draw < 68 && this.#flights.length > 0) return this.#acknowledge(random, framework, session);
    if (draw >= 97) return this.#teardown(random, framework, session);
    return undefined;
  }

  read(): Pick<Asked, "method" | "request"> {
    return { method: "getFramework", request: make(api.GetFrameworkRequestSchema, { framework: `${this.#user}/${NAME}` }) };
  }

  /** Roles as an admin sets them now and then. */
  static role(random: Random, users: readonly string[]): ClientCall {
    const guarantee = random.chance(0.5) ? { guarantee: { cpuMilli: random.pick([500, 2000, 400_000]) } } : {};
    const role = { name: "eng", weight: random.int(1, 5), users: random.chance(0.3) ? [random.pick(users)] : [], ...guarantee };
    return change("setRole", api.SetRoleRequestSchema, { role });
  }

  heard({ method, user, request }: Asked, heard: Heard): void {
    if (user !== this.#user) return;
    if (method === "subscribeFramework" && heard.type === "done" && heard.changed.frameworkId !== "") {
      this.#id = heard.changed.frameworkId;
      this.#session = (request as api.SubscribeFrameworkRequest).session;
    }
    // Another client of its user began it: from now on both say that they lead.
    if (heard.type === "refused") this.#id = /is there already: subscribe with its id (\S+),/.exec(heard.reason)?.[1] ?? this.#id;
    // Whatever it was, nobody knows it as this one any more.
    if (heard.type === "refused" && /torn down|does not exist|Another scheduler/.test(heard.reason)) this.#forget();
    if (method === "teardownFramework" && heard.type === "done") this.#forget();
    if (method !== "getFramework" || heard.type !== "read") return;
    const found = heard.found as api.GetFrameworkResponse | undefined;
    this.#id = found?.framework?.state === "connected" ? found.framework.id : this.#id;
    this.#flights = (found?.tasks ?? []).filter(({ waiting }) => waiting > 0).map(({ taskId, uuid }) => ({ taskId, uuid }));
  }

  #forget(): void {
    this.#id = "";
    this.#session = 0;
    this.#flights = [];
  }

  #subscribe(random: Random): ClientCall {
    const spec = {
      user: this.#user,
      name: NAME,
      ...(KINDS[this.#user.charCodeAt(0) % 2] ?? KINDS[0]),
      failoverMs: 60_000,
      partitionAware: random.chance(0.5),
      title: random.pick(["one", "two"]),
    };
    const id = random.chance(0.93) ? this.#id : "";
    return change("subscribeFramework", api.SubscribeFrameworkRequestSchema, { spec, id, session: random.int(1, SESSION_MAX) });
  }

  #taskId = (random: Random): string => `t${random.int(0, TASK_IDS)}`;

  #launches(random: Random): object[] {
    const group = random.chance(0.3) ? 1 : 0;
    return Array.from({ length: random.int(1, 4) }, () => {
      const ports = random.chance(0.25) ? ["http"] : [];
      const limit = { cpuMilli: random.pick([100, 500, 2000]), ramBytes: random.pick([64, 256, 4096]) * MI };
      return {
        taskId: this.#taskId(random),
        machine: random.chance(0.95) ? random.pick(this.#machines) : "nowhere",
        task: { command: random.pick(PROGRAMS).split(" "), limit, ports, noticeMs: random.pick([0, 500, 5000]) },
        ports: random.chance(0.5) ? ports.map(() => random.int(20_000, 20_020)) : [],
        durationMs: random.chance(0.1) ? 15_000 : 0,
        group,
      };
    });
  }

  #acknowledge(random: Random, framework: string, session: number): ClientCall {
    const some = this.#flights.filter(() => random.chance(0.7));
    const acknowledgements = (some.length > 0 ? some : this.#flights.slice(0, 1)).map(({ taskId, uuid }) => ({
      taskId,
      uuid: random.chance(0.1) ? uuid.map((byte) => byte ^ 1) : uuid,
    }));
    return change("acknowledgeUpdates", api.AcknowledgeUpdatesRequestSchema, { framework, session, acknowledgements });
  }

  #teardown(random: Random, framework: string, session: number): ClientCall {
    return change("teardownFramework", api.TeardownFrameworkRequestSchema, { framework, session: random.chance(0.5) ? 0 : session });
  }
}
