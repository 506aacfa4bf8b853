/**
 * An executor's half of the Mesos v1 executor API, for Node without any package: it subscribes at its machine, outlives the agent there, says what nobody acknowledged again, and hands tasks to
 * the program. Where to and who it is stands in its environment.
 *
 *   const executor = new Executor({
 *     launch: (task) => { executor.update(task.id, "TASK_RUNNING"); executor.update(task.id, "TASK_FINISHED", { data: Buffer.from("42") }); },
 *     kill: (task) => executor.update(task, "TASK_KILLED"),
 *   });
 *   await executor.run();
 */
import { randomBytes } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface ExecutorTask {
  readonly id: string;
  readonly name: string;
  /** What the framework sent along. */
  readonly data: Buffer;
}

export interface ExecutorListener {
  launch(task: ExecutorTask): void;
  kill?(task: string): void;
  /** From the framework. */
  message?(data: Buffer): void;
  /** It has a few seconds left; without this it ends at once. */
  shutdown?(): void;
}

const RETRY_MS = 500;
/** A machine sends a heartbeat every 15 s. */
const SILENT_MS = 45_000;
const RECORD_MAX = 2 ** 24;
/** Its disk cannot be written, or it was called too often: the same may be said again. */
const BUSY = 503;

type Plain = Readonly<Record<string, unknown>>;

interface Value {
  readonly value: string;
}

interface RawTask {
  readonly task_id: Value;
  readonly name?: string;
  readonly data?: string;
}

export class Executor {
  readonly #listener: ExecutorListener;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  /** Tasks of which nothing that it said was acknowledged, and what it said: the agent is told again. */
  readonly #tasks = new Map<string, Plain>();
  readonly #updates = new Map<string, Plain>();
  #calls: Promise<void> = Promise.resolve();
  #isOver = false;
  #stream: IncomingMessage | undefined;

  constructor(listener: ExecutorListener, environment: Readonly<Record<string, string | undefined>> = process.env) {
    this.#listener = listener;
    this.#environment = environment;
  }

  /** Until `stop`, or until it is told to shut down. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#subscribe();
      } catch {
        // The agent is away, or comes back: what matters is said again.
      }
      if (!this.#isOver) await sleep(RETRY_MS);
    }
  }

  /** `data`: at most 4 KiB. */
  update(task: string, state: string, said: { readonly message?: string; readonly data?: Uint8Array } = {}): void {
    const uuid = randomBytes(16).toString("base64");
    const { message, data } = said;
    const status = {
      task_id: { value: task },
      state,
      source: "SOURCE_EXECUTOR",
      uuid,
      timestamp: Date.now() / 1000,
      ...(message === undefined ? {} : { message }),
      ...(data === undefined ? {} : { data: Buffer.from(data).toString("base64") }),
    };
    this.#updates.set(uuid, { status });
    this.#say(uuid);
  }

  /** As long as nobody acknowledged it; a machine that cannot take it now is asked again soon. */
  #say(uuid: string): void {
    const update = this.#updates.get(uuid);
    if (update === undefined) return;
    const answered = (status: number | undefined): void => {
      if (status === BUSY && !this.#isOver) setTimeout(() => this.#say(uuid), RETRY_MS).unref();
    };
    this.#call("UPDATE", { update }, answered);
  }

  /** To the framework; it may be lost. */
  send(data: Uint8Array): void {
    this.#call("MESSAGE", { message: { data: Buffer.from(data).toString("base64") } });
  }

  stop(): void {
    this.#isOver = true;
    this.#stream?.destroy();
  }

  async #subscribe(): Promise<void> {
    const lists = { unacknowledged_tasks: [...this.#tasks.values()], unacknowledged_updates: [...this.#updates.values()] };
    const response = await this.#post("SUBSCRIBE", { subscribe: lists });
    if (response.statusCode !== 200) throw new Error(`SUBSCRIBE was answered with ${response.statusCode}: ${await textOf(response)}`);
    this.#stream = response;
    response.setTimeout(SILENT_MS, () => response.destroy());
    for await (const event of records(response)) this.#hear(event);
  }

  #hear(event: Plain): void {
    const of = <T>(field: string): T => (event[field] ?? {}) as T;
    switch (event["type"]) {
      case "LAUNCH":
        return this.#launch(of<{ task: RawTask }>("launch").task);
      case "KILL":
        return this.#listener.kill?.(of<{ task_id: Value }>("kill").task_id.value);
      case "ACKNOWLEDGED": {
        const { task_id, uuid } = of<{ task_id: Value; uuid: string }>("acknowledged");
        this.#tasks.delete(task_id.value);
        this.#updates.delete(uuid);
        return undefined;
      }
      case "MESSAGE":
        return this.#listener.message?.(Buffer.from(of<{ data?: string }>("message").data ?? "", "base64"));
      case "SHUTDOWN":
        this.#isOver = true;
        if (this.#listener.shutdown === undefined) process.exit(0);
        return this.#listener.shutdown();
    }
  }

  #launch(task: RawTask): void {
    this.#tasks.set(task.task_id.value, task as unknown as Plain);
    this.#listener.launch({ id: task.task_id.value, name: task.name ?? "", data: Buffer.from(task.data ?? "", "base64") });
  }

  /** One after the other, in the order in which they were made. */
  #call(type: string, body: Plain, answered: (status: number | undefined) => void = () => {}): void {
    this.#calls = this.#calls.then(async () => {
      try {
        const response = await this.#post(type, body);
        await textOf(response);
        answered(response.statusCode);
      } catch {
        // Its stream ends too, and updates are said again with the next SUBSCRIBE.
      }
    });
  }

  #post(type: string, body: Plain): Promise<IncomingMessage> {
    const environment = this.#environment;
    const of = (name: string): string => environment[name] ?? "";
    const call = { type, executor_id: { value: of("MESOS_EXECUTOR_ID") }, framework_id: { value: of("MESOS_FRAMEWORK_ID") }, ...body };
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      authorization: `Bearer ${of("MESOS_EXECUTOR_AUTHENTICATION_TOKEN")}`,
    };
    return new Promise((resolve, reject) => {
      request(`http://${of("MESOS_AGENT_ENDPOINT")}/api/v1/executor`, { method: "POST", agent: false, headers }, resolve)
        .on("error", reject)
        .end(JSON.stringify(call));
    });
  }
}

/** RecordIO: the length in digits, a line feed, and so many bytes of JSON. As in framework.ts: an executor is handed to its machine as this one file. */
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
  for await (const chunk of response) if (text.length < 4096) text += chunk.toString("utf8");
  return text;
}
