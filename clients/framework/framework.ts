/**
 * A framework's half of the Mesos v1 scheduler API, for Node without any package: it subscribes, keeps the stream alive across masters, acknowledges updates, and
 * hands offers and updates to the program as they come. The program answers with `launch`, `decline`, `kill`; it never sees HTTP.
 *
 *   const framework = new Framework({ address: "http://127.0.0.1:5051", name: "mine" }, {
 *     offers: (offers) => { for (const offer of offers) framework.launch(offer, [{ id: "t1", command: "date", cpus: 0.1, mem: 32 }]); },
 *     update: (update) => console.log(update.task, update.state),
 *   });
 *   await framework.run();
 */
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

export interface FrameworkOptions {
  /** Of `borg mesos-gateway` (http://127.0.0.1:5051), or the cell's own (https://...) with `token` and `ca`. */
  readonly address: string;
  readonly name: string;
  readonly token?: string;
  /** The cell's certificate (PEM), for https. */
  readonly ca?: string;
  readonly role?: string;
  readonly priority?: number;
  /** How long the cell keeps the framework and its tasks while nobody is subscribed. */
  readonly failoverSeconds?: number;
  /** Of a framework that is there: this program leads it from now on. */
  readonly id?: string;
  /** Machines whose room is of use; all, if not said. Asked for at the master, so that others are not offered in vain. */
  readonly machines?: readonly string[];
}

/** What is free on one machine. */
export interface Offer {
  readonly id: string;
  readonly machine: string;
  readonly cpus: number;
  /** In MB, as all of Mesos is. */
  readonly mem: number;
  readonly ports: readonly number[];
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Task {
  /** The framework's own name of it; free again once its last update was acknowledged. */
  readonly id: string;
  /** A line for /bin/sh, or a program and its arguments. A task of an executor has none. */
  readonly command?: string | readonly string[];
  /** The program that it is given to (executor.ts); it is started on the machine when it is not there. */
  readonly executor?: Executor;
  /** For its executor, at most some 60 KiB. */
  readonly data?: Uint8Array;
  readonly cpus: number;
  readonly mem: number;
  /** Numbers out of the offer. */
  readonly ports?: readonly number[];
  readonly environment?: Readonly<Record<string, string>>;
  /** It is ended after so long. */
  readonly maxSeconds?: number;
}

/** A program of the framework's that takes its tasks on one machine. Equal on a machine are those with one id: they have to say the same. */
export interface Executor {
  readonly id: string;
  readonly command: string | readonly string[];
  /** Of itself, beside what its tasks ask for. */
  readonly cpus: number;
  readonly mem: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Update {
  readonly task: string;
  /** TASK_RUNNING, TASK_FINISHED... */
  readonly state: string;
  readonly isOver: boolean;
  readonly machine: string | undefined;
  readonly reason: string | undefined;
  readonly message: string;
  /** What its executor sent along. */
  readonly data: Buffer;
}

/** What the program hears. All of it may come at any time; none is waited for. */
export interface Listener {
  offers(offers: readonly Offer[]): void;
  update(update: Update): void;
  /** An offer is no longer good: forget it. */
  rescinded?(offerId: string): void;
  /** A machine left the cell, or what was on it was given up; with an executor: that ended, and its tasks with it. */
  failed?(machine: string, executor?: string): void;
  /** From an executor. */
  message?(executor: string, machine: string, data: Buffer): void;
  /** A stream began (with the framework's id), or ended and is tried again. */
  connected?(id: string): void;
  disconnected?(reason: string): void;
}

const OVER: ReadonlySet<string> = new Set(
  ["FINISHED", "FAILED", "KILLED", "ERROR", "LOST", "GONE", "DROPPED", "GONE_BY_OPERATOR"].map((state) => `TASK_${state}`),
);

/** Between two tries to subscribe; it doubles from the first to the longest, less a part by chance: many frameworks lose the same master. */
const RETRY_FIRST_MS = 200;
const RETRY_MOST_MS = 2_000;
/** A cell sends a heartbeat every 5 s: a stream without one for so long is dead. */
const SILENT_MS = 15_000;
const RECORD_MAX = 16 * 2 ** 20;
const ERROR_LENGTH = 4_096;

/** The cell said that this framework cannot go on: torn down, led by another scheduler, or refused. */
export class FrameworkError extends Error {}

type Plain = Readonly<Record<string, unknown>>;

export class Framework {
  id: string | undefined;
  readonly #options: FrameworkOptions;
  readonly #listener: Listener;
  #streamId = "";
  #isOver = false;
  /** Calls in the order in which they were made, on one connection; the stream of events has its own. */
  #calls: Promise<void> = Promise.resolve();
  readonly #connection: Agent;
  #stream: IncomingMessage | undefined;

  constructor(options: FrameworkOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.id = options.id;
    const kept = { keepAlive: true, maxSockets: 1 };
    this.#connection = options.address.startsWith("https:") ? new TlsAgent(kept) : new Agent(kept);
  }

  /** Until `teardown` or `stop`; throws a FrameworkError when the cell says that it cannot go on. Masters that die are outlived. */
  async run(): Promise<void> {
    for (let waitMs = RETRY_FIRST_MS; !this.#isOver; waitMs = Math.min(RETRY_MOST_MS, waitMs * 2)) {
      try {
        const begunMs = Date.now();
        await this.#subscribe();
        if (Date.now() - begunMs > RETRY_MOST_MS) waitMs = RETRY_FIRST_MS;
      } catch (error) {
        if (error instanceof FrameworkError) throw error;
        if (!this.#isOver) this.#listener.disconnected?.(String(error));
      }
      if (!this.#isOver) await sleep(waitMs * (1 - Math.random() / 2));
    }
  }

  launch(offer: Offer, tasks: readonly Task[], refuseSeconds = 1): void {
    const taskInfos = tasks.map((task) => taskInfo(task, offer));
    const operations = [{ type: "LAUNCH", launch: { task_infos: taskInfos } }];
    this.#call("ACCEPT", { accept: { offer_ids: [{ value: offer.id }], operations, filters: { refuse_seconds: refuseSeconds } } });
  }

  /** Not again for so long, unless there is more on that machine then. */
  decline(offers: readonly Offer[], refuseSeconds = 5): void {
    if (offers.length === 0) return;
    const ids = offers.map(({ id }) => ({ value: id }));
    this.#call("DECLINE", { decline: { offer_ids: ids, filters: { refuse_seconds: refuseSeconds } } });
  }

  kill(task: string): void {
    this.#call("KILL", { kill: { task_id: { value: task } } });
  }

  /** To an executor; it may be lost. */
  send(executor: string, machine: string, data: Uint8Array): void {
    const message = { executor_id: { value: executor }, agent_id: { value: machine }, data: Buffer.from(data).toString("base64") };
    this.#call("MESSAGE", { message });
  }

  /** An executor ends, with a few seconds of notice, and its tasks with it. */
  shutdown(executor: string, machine: string): void {
    this.#call("SHUTDOWN", { shutdown: { executor_id: { value: executor }, agent_id: { value: machine } } });
  }

  /** Wants no offers until it revives. */
  suppress(): void {
    this.#call("SUPPRESS", { suppress: {} });
  }

  /** Wants offers, also those that it declined. */
  revive(): void {
    this.#call("REVIVE", { revive: {} });
  }

  /** The cell tells again what became of these tasks, those too that it does not know (TASK_LOST); without any, of all that are not over. */
  reconcile(tasks: readonly string[] = []): void {
    this.#call("RECONCILE", { reconcile: { tasks: tasks.map((value) => ({ task_id: { value } })) } });
  }

  /** The framework ends, and all its tasks. */
  async teardown(): Promise<void> {
    this.#call("TEARDOWN", {});
    await this.#calls;
    this.stop();
  }

  /** Hangs up. Tasks go on; the framework is torn down when nobody subscribes in time. */
  stop(): void {
    this.#isOver = true;
    this.#stream?.destroy();
    this.#connection.destroy();
  }

  async #subscribe(): Promise<void> {
    const response = await this.#post({ type: "SUBSCRIBE", ...this.#frameworkId(), subscribe: this.#subscription() }, {}, false);
    if (response.statusCode !== 200) {
      const words = await textOf(response);
      // 307 and 503: nobody leads yet, or the cell is busy.
      if (response.statusCode === 307 || response.statusCode === 503) throw new Error(words);
      throw new FrameworkError(`SUBSCRIBE was answered with ${response.statusCode}: ${words}`);
    }
    this.#streamId = String(response.headers["mesos-stream-id"] ?? "");
    this.#stream = response;
    response.setTimeout(SILENT_MS, () => response.destroy(new Error("Nothing came on the stream")));
    for await (const event of records(response)) this.#hear(event);
    if (!this.#isOver) this.#listener.disconnected?.("The stream ended");
  }

  #frameworkId(): Plain {
    return this.id === undefined ? {} : { framework_id: { value: this.id } };
  }

  #subscription(): Plain {
    const { name, role = "*", priority, failoverSeconds = 3600, machines } = this.#options;
    const labels = priority === undefined ? {} : { labels: { labels: [{ key: "borg/priority", value: String(priority) }] } };
    const info = {
      user: "",
      name,
      failover_timeout: failoverSeconds,
      roles: [role],
      capabilities: [{ type: "MULTI_ROLE" }],
      ...labels,
      ...(this.id === undefined ? {} : { id: { value: this.id } }),
    };
    const constraints =
      machines === undefined
        ? {}
        : {
            offer_constraints: {
              role_constraints: { [role]: { groups: machines.map((machine) => ({ attribute_constraints: [named(machine)] })) } },
            },
          };
    return { framework_info: info, ...constraints };
  }

  #hear(event: Plain): void {
    const of = <T>(field: string): T => (event[field] ?? {}) as T;
    switch (event["type"]) {
      case "SUBSCRIBED":
        this.id = of<{ framework_id: Value }>("subscribed").framework_id.value;
        return this.#listener.connected?.(this.id);
      case "OFFERS":
        return this.#listener.offers((of<{ offers?: RawOffer[] }>("offers").offers ?? []).map(offerOf));
      case "RESCIND":
        return this.#listener.rescinded?.(of<{ offer_id: Value }>("rescind").offer_id.value);
      case "UPDATE":
        return this.#updated(of<{ status: RawStatus }>("update").status);
      case "FAILURE": {
        const { agent_id, executor_id } = of<{ agent_id?: Value; executor_id?: Value }>("failure");
        return this.#listener.failed?.(agent_id?.value ?? "", executor_id?.value);
      }
      case "MESSAGE": {
        const { agent_id, executor_id, data = "" } = of<{ agent_id: Value; executor_id: Value; data?: string }>("message");
        return this.#listener.message?.(executor_id.value, agent_id.value, Buffer.from(data, "base64"));
      }
      case "ERROR":
        throw new FrameworkError(of<{ message: string }>("error").message);
    }
  }

  /** Heard first, then acknowledged: a program that dies in between hears it again. */
  #updated(status: RawStatus): void {
    const { task_id, agent_id, state, uuid, reason, message = "", data = "" } = status;
    const rest = { machine: agent_id?.value, reason, message, data: Buffer.from(data, "base64") };
    this.#listener.update({ task: task_id.value, state, isOver: OVER.has(state), ...rest });
    if (uuid !== undefined) this.#call("ACKNOWLEDGE", { acknowledge: { task_id, agent_id: agent_id ?? { value: "" }, uuid } });
  }

  #call(type: string, body: Plain): void {
    const call = { type, ...this.#frameworkId(), ...body };
    const headers = { "mesos-stream-id": this.#streamId };
    this.#calls = this.#calls.then(async () => {
      try {
        const response = await this.#post(call, headers, this.#connection);
        const words = await textOf(response);
        if (response.statusCode !== 202 && !this.#isOver)
          this.#listener.disconnected?.(`${type} was answered with ${response.statusCode}: ${words}`);
      } catch (error) {
        // Its stream ends too, and whatever was lost is told anew.
        if (!this.#isOver) this.#listener.disconnected?.(`${type} was not sent: ${String(error)}`);
      }
    });
  }

  #post(body: Plain, headers: Readonly<Record<string, string>>, agent: Agent | false): Promise<IncomingMessage> {
    const { address, token, ca } = this.#options;
    const url = new URL("/api/v1/scheduler", address);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = {
      method: "POST",
      agent,
      headers: { "content-type": "application/json", accept: "application/json", ...authorization, ...headers },
      ...(ca === undefined ? {} : { ca }),
    };
    return new Promise((resolve, reject) => {
      send(url, options, resolve).on("error", reject).end(JSON.stringify(body));
    });
  }
}

interface Value {
  readonly value: string;
}

interface RawStatus {
  readonly task_id: Value;
  readonly agent_id?: Value;
  readonly state: string;
  readonly uuid?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly data?: string;
}

interface RawOffer {
  readonly id: Value;
  readonly agent_id: Value;
  readonly resources?: readonly {
    readonly name: string;
    readonly scalar?: { readonly value: number };
    readonly ranges?: { readonly range: readonly { readonly begin: number; readonly end: number }[] };
  }[];
  readonly attributes?: readonly { readonly name: string; readonly text?: Value }[];
}

function offerOf({ id, agent_id, resources = [], attributes = [] }: RawOffer): Offer {
  const amount = (name: string): number => resources.find((each) => each.name === name)?.scalar?.value ?? 0;
  const ranges = resources.find(({ name }) => name === "ports")?.ranges?.range ?? [];
  const ports = ranges.flatMap(({ begin, end }) => Array.from({ length: end - begin + 1 }, (_, i) => begin + i));
  const texts = attributes.map(({ name, text }) => [name, text?.value ?? ""] as const);
  return { id: id.value, machine: agent_id.value, cpus: amount("cpus"), mem: amount("mem"), ports, attributes: new Map(texts) };
}

const scalar = (name: string, value: number): Plain => ({ name, type: "SCALAR", scalar: { value } });

const named = (machine: string): Plain => ({
  selector: { pseudoattribute_type: "HOSTNAME" },
  predicate: { text_equals: { value: machine } },
});

function commandInfo(command: string | readonly string[], environment: Readonly<Record<string, string>> = {}): Plain {
  const variables = Object.entries(environment).map(([name, value]) => ({ name, value }));
  const said = typeof command === "string" ? { shell: true, value: command } : { shell: false, value: command[0], arguments: [...command] };
  return { ...said, environment: { variables } };
}

const executorInfo = ({ id, command, cpus, mem, environment }: Executor): Plain => ({
  type: "CUSTOM",
  executor_id: { value: id },
  command: commandInfo(command, environment),
  resources: [scalar("cpus", cpus), scalar("mem", mem)],
});

function taskInfo({ id, command, executor, data, cpus, mem, ports = [], environment, maxSeconds }: Task, offer: Offer): Plain {
  const range = ports.map((port) => ({ begin: port, end: port }));
  return {
    name: id,
    task_id: { value: id },
    agent_id: { value: offer.machine },
    ...(command === undefined ? {} : { command: commandInfo(command, environment) }),
    ...(executor === undefined ? {} : { executor: executorInfo(executor) }),
    ...(data === undefined ? {} : { data: Buffer.from(data).toString("base64") }),
    resources: [
      scalar("cpus", cpus),
      scalar("mem", mem),
      ...(range.length === 0 ? [] : [{ name: "ports", type: "RANGES", ranges: { range } }]),
    ],
    ...(maxSeconds === undefined ? {} : { max_completion_time: { nanoseconds: maxSeconds * 1e9 } }),
  };
}

/** RecordIO: the length in digits, a line feed, and so many bytes of JSON. */
async function* records(stream: AsyncIterable<Buffer>): AsyncGenerator<Plain> {
  let held = Buffer.alloc(0);
  for await (const chunk of stream) {
    held = Buffer.concat([held, chunk]);
    for (let at = held.indexOf(10); at >= 0; at = held.indexOf(10)) {
      const length = Number(held.subarray(0, at).toString("latin1"));
      if (!Number.isInteger(length) || length < 0 || length > RECORD_MAX) throw new Error("The stream is not in records");
      if (held.length < at + 1 + length) break;
      yield JSON.parse(held.subarray(at + 1, at + 1 + length).toString("utf8")) as Plain;
      held = held.subarray(at + 1 + length);
    }
    if (held.length > RECORD_MAX + 32) throw new Error("A record is too long");
  }
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of response) if (text.length < ERROR_LENGTH) text += chunk.toString("utf8");
  return text.slice(0, ERROR_LENGTH).trim();
}
