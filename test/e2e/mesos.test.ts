/**
 * A framework written for Mesos against a real cell, through the gateway: plain HTTP without a token, in the dialect of the npm package mesos-framework 0.5.3. It
 * subscribes, takes an offer, sees its task run and fail, lives through kill -9 of the master, and is torn down.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { asNobody, isRoot } from "../nobody.ts";
import { MesosFramework } from "./mesos-framework.ts";
import { HANG_MS, RealCell } from "./real-cell.ts";

const NOT_ROOT = "only root can start something as another user";

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

/** What people and programs see of the running task of a framework, in the same places as of every other task. */
async function expectSeen(job: string): Promise<void> {
  const [task] = await cell.running(job, 1);
  const { name, machine } = task!;
  const shown = async (command: string): Promise<string> => (await cell.borg(command, name)).out;
  await cell.until("its log", async () => (await shown("logs")) === "words\n");
  assert.match(await shown("events"), /was added: as stays .*\n.* was placed on m1 .*\n.* runs on m1\n$/);
  assert.match(await shown("why"), new RegExp(`Framework ${job} chose ${machine} from an offer`));
  const { piece } = await cell.client.readFeed({});
  assert.ok(piece.some(({ body }) => body.case === "tasks" && body.value.job === job));
}

test("a framework of Mesos runs on a real cell, lives through kill -9 of the master, and is torn down [Z1] [Z3] [Z11] [Z12]", async () => {
  const framework = new MesosFramework(gateway.port);
  await framework.subscribe();
  assert.equal(await framework.launch("fails", "exit 3"), 202);
  await framework.state("fails", "TASK_FAILED");
  assert.equal(await framework.launch("stays", "echo words; sleep 600"), 202);
  await framework.state("stays", "TASK_RUNNING");
  await cell.running("tester/e2e", 1);

  assert.match(await framework.look("GET_TASKS"), /"task_id":\{"value":"stays"\}.*"state":"TASK_RUNNING"/);
  assert.match(await framework.look("GET_STATE"), /"get_frameworks":\{"frameworks":\[\{"framework_info":\{"user":"tester"/);
  await expectSeen("tester/e2e");

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
