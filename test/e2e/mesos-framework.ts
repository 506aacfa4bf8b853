/** A client of Mesos as a test needs one: plain HTTP without a token, in the dialect of the npm package mesos-framework 0.5.3. It acknowledges what it hears. */
import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RecordReader } from "../../src/rpc/mesos/record-io.ts";
import { HANG_MS } from "./real-cell.ts";

interface Id {
  readonly value: string;
}

interface Offer {
  readonly id: Id;
  readonly agent_id: Id;
  readonly resources: readonly { readonly name: string }[];
}

interface Event {
  readonly type: string;
  readonly subscribed?: { readonly framework_id: Id };
  readonly offers?: { readonly offers: readonly Offer[] };
  readonly rescind?: { readonly offer_id: Id };
  readonly update?: { readonly status: { readonly task_id: Id; readonly agent_id: Id; readonly state: string; readonly uuid?: string } };
}

/** As much of such a client as is needed to say every call. */
export class MesosFramework {
  readonly #port: number;
  readonly events: Event[] = [];
  /** Those that it has not taken, and nobody took back. */
  readonly #offers = new Map<string, Offer>();
  id: string | null = null;
  #streamId = "";
  ended: Promise<unknown> = Promise.resolve();

  constructor(port: number) {
    this.#port = port;
  }

  #post(body: object, headers: Readonly<Record<string, string>> = {}, path = "/api/v1/scheduler"): Promise<IncomingMessage> {
    const options = { host: "127.0.0.1", port: this.#port, path, method: "POST", agent: false as const };
    return new Promise((resolve, reject) => {
      const asked = request({ ...options, headers: { "content-type": "application/json", ...headers } }, resolve).on("error", reject);
      asked.write(JSON.stringify(body));
      asked.end();
    });
  }

  /** `said`: what it says of itself, beside what such a client says. */
  async subscribe(said: { readonly name?: string; readonly role?: string } = {}): Promise<void> {
    const id = this.id === null ? null : { value: this.id };
    const info = { user: "root", name: "e2e", id, failover_timeout: 604_800, role: null, capabilities: null, ...said };
    const response = await this.#post({ framework_id: id, type: "SUBSCRIBE", subscribe: { framework_info: info }, accept: null });
    if (response.statusCode === 307) {
      // Nobody leads yet: a client follows the address, which is the same.
      assert.equal(response.headers.location, `//127.0.0.1:${this.#port}/api/v1/scheduler`);
      response.resume();
      return this.subscribe(said);
    }
    assert.equal(response.statusCode, 200);
    this.#offers.clear();
    this.#streamId = String(response.headers["mesos-stream-id"]);
    const reader = new RecordReader(2 ** 24);
    response.on("data", (chunk: Buffer) => {
      for (const record of reader.push(chunk)) this.#hear(JSON.parse(record.toString("latin1")) as Event);
    });
    this.ended = new Promise((resolve) => response.once("end", () => resolve("end")).once("error", () => resolve("broken")));
  }

  #hear(event: Event): void {
    this.events.push(event);
    if (event.subscribed !== undefined) this.id = event.subscribed.framework_id.value;
    for (const offer of event.offers?.offers ?? []) this.#offers.set(offer.id.value, offer);
    if (event.rescind !== undefined) this.#offers.delete(event.rescind.offer_id.value);
    const status = event.update?.status;
    if (status?.uuid === undefined) return;
    const acknowledge = { agent_id: status.agent_id, task_id: status.task_id, uuid: status.uuid };
    // The leader may die at any moment; what was not acknowledged comes again.
    this.say("ACKNOWLEDGE", { acknowledge }).catch(() => {});
  }

  async say(type: string, more: object = {}): Promise<number> {
    const response = await this.#post({ framework_id: { value: this.id }, type, ...more }, { "mesos-stream-id": this.#streamId });
    response.resume();
    return response.statusCode ?? 0;
  }

  async look(type: string): Promise<string> {
    let text = "";
    for await (const chunk of await this.#post({ type }, {}, "/api/v1")) text += String(chunk);
    return text;
  }

  /** The first event from `from` on that is so. */
  async until(what: string, isIt: (event: Event) => boolean, from = 0): Promise<Event> {
    for (const endMs = Date.now() + HANG_MS; Date.now() < endMs; await sleep(30)) {
      const found = this.events.slice(from).find(isIt);
      if (found !== undefined) return found;
    }
    throw new Error(`No ${what} within ${HANG_MS} ms: ${JSON.stringify(this.events.slice(from)).slice(0, 2000)}`);
  }

  async launch(taskId: string, command: string, name = taskId): Promise<number> {
    await this.until("offer", () => this.#offers.size > 0);
    const [offer] = this.#offers.values();
    assert.ok(offer !== undefined);
    this.#offers.delete(offer.id.value);
    assert.deepEqual(offer.resources.map(({ name }) => name).sort(), ["cpus", "disk", "mem", "ports"]);
    const resources = [
      { name: "cpus", type: "SCALAR", scalar: { value: 0.1 }, ranges: null, role: null },
      { name: "mem", type: "SCALAR", scalar: { value: 64 }, ranges: null, role: null },
    ];
    const task = {
      name,
      task_id: { value: taskId },
      agent_id: offer.agent_id,
      resources,
      command: { shell: true, value: command, uris: null },
    };
    return this.say("ACCEPT", {
      accept: { offer_ids: [offer.id], operations: [{ type: "LAUNCH", launch: { task_infos: [task] } }], filters: null },
    });
  }

  state(taskId: string, state: string): Promise<Event> {
    return this.until(`${state} of ${taskId}`, ({ update }) => update?.status.task_id.value === taskId && update.status.state === state);
  }
}
