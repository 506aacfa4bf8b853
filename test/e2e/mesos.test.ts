/**
 * A framework written for Mesos against a real cell, through the gateway: plain HTTP without a token, in the dialect of the npm package mesos-framework 0.5.3. It
 * subscribes, takes an offer, sees its task run and fail, lives through kill -9 of the master, and is torn down.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { type IncomingMessage, request } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { RecordReader } from "../../src/rpc/mesos/record-io.ts";
import { asNobody, isRoot } from "../nobody.ts";
import { HANG_MS, RealCell } from "./real-cell.ts";

const NOT_ROOT = "only root can start something as another user";

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
class Framework {
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

  async subscribe(): Promise<void> {
    const id = this.id === null ? null : { value: this.id };
    const info = { user: "root", name: "e2e", id, failover_timeout: 604_800, role: null, capabilities: null };
    const response = await this.#post({ framework_id: id, type: "SUBSCRIBE", subscribe: { framework_info: info }, accept: null });
    if (response.statusCode === 307) {
      // Nobody leads yet: a client follows the address, which is the same.
      assert.equal(response.headers.location, `//127.0.0.1:${this.#port}/api/v1/scheduler`);
      response.resume();
      return this.subscribe();
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

  async launch(taskId: string, command: string): Promise<number> {
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
      name: taskId,
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

let cell: RealCell;
let gateway: Gateway;

before(async () => {
  cell = await RealCell.start();
  const at = { kind: "unix", path: cell.data.socket("api") } as const;
  gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid!() });
});

after(async () => {
  await gateway?.close();
  await cell?.close();
});

test("a framework of Mesos runs on a real cell, lives through kill -9 of the master, and is torn down [Z1] [Z3] [Z11] [Z12]", async () => {
  const framework = new Framework(gateway.port);
  await framework.subscribe();
  assert.equal(await framework.launch("fails", "exit 3"), 202);
  await framework.state("fails", "TASK_FAILED");
  assert.equal(await framework.launch("stays", "sleep 600"), 202);
  await framework.state("stays", "TASK_RUNNING");
  await cell.running("tester/e2e", 1);

  assert.match(await framework.look("GET_TASKS"), /"task_id":\{"value":"stays"\}.*"state":"TASK_RUNNING"/);
  assert.match(await framework.look("GET_STATE"), /"get_frameworks":\{"frameworks":\[\{"framework_info":\{"user":"tester"/);

  await cell.kill("master");
  assert.equal(await framework.ended, "end");
  const before = framework.id;
  cell.startMaster();
  const from = framework.events.length;
  await framework.subscribe();
  await framework.until("SUBSCRIBED", ({ subscribed }) => subscribed !== undefined, from);
  assert.equal(framework.id, before);
  assert.equal(await framework.launch("again", "sleep 600"), 202);
  await framework.state("again", "TASK_RUNNING");
  assert.equal(await framework.say("RECONCILE", { reconcile: { tasks: [] } }), 202);

  assert.equal(await framework.say("TEARDOWN"), 202);
  assert.equal(await framework.ended, "end");
  await cell.until("all of its tasks to end", async () => (await cell.tasks("tester/e2e")).every(({ state }) => state === "dead"));
});

const SUBSCRIBE = '{"type":"SUBSCRIBE","subscribe":{"framework_info":{"user":"","name":"x"}}}';

/** What the gateway says first to a process of another user; bash needs nothing of the project. */
function asStranger(port: number): Promise<string> {
  const head = `POST /api/v1/scheduler HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Type: application/json\\r\\nContent-Length: ${SUBSCRIBE.length}`;
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${head}\\r\\n\\r\\n%s' '${SUBSCRIBE}' >&3; head -c 12 <&3`;
  const [program = "", ...words] = [...asNobody, "bash", "-c", script];
  return new Promise((resolve) => execFile(program, words, { timeout: HANG_MS }, (_, out) => resolve(out)));
}

test("the gateway serves its own user, and no process of another one [Z3]", { skip: isRoot ? false : NOT_ROOT }, async () => {
  assert.equal(await asStranger(gateway.port), "HTTP/1.1 403");
  const { frameworks } = await cell.client.listFrameworks({});
  assert.ok(!frameworks.some(({ name }) => name === "tester/x"));
});
