/**
 * A framework written for Mesos, through the gateway, on a cell with three masters: the leader dies, the framework subscribes again under its id as such clients do, and
 * another master goes on with it. Its task runs on, and it launches more.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { MesosFramework } from "./mesos-framework.ts";
import { HANG_MS, instancePids } from "./real-cell.ts";
import { ReplicatedCell } from "./replicated-cell.ts";

const AGAIN_MS = 200;
const skip = etcdVersion() === undefined ? "no etcd here: Debian's etcd-server is not installed" : false;

describe("a framework of Mesos on three replicas", { skip }, () => {
  let cell: ReplicatedCell;
  let gateway: Gateway;

  before(async () => {
    cell = await ReplicatedCell.start();
    await cell.whole();
    const at = { kind: "unix", path: cell.data.socket("api") } as const;
    gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid!() });
  });
  after(async () => {
    await gateway?.close();
    await cell?.close();
  });

  /** As a client does whose stream ended: again and again, until somebody leads. */
  async function subscribed(framework: MesosFramework): Promise<void> {
    const from = framework.events.length;
    for (const endMs = Date.now() + HANG_MS; ; await sleep(AGAIN_MS)) {
      try {
        await framework.subscribe();
        break;
      } catch (error) {
        if (Date.now() > endMs) throw error;
      }
    }
    await framework.until("SUBSCRIBED", (event) => event.subscribed !== undefined, from);
  }

  test("lives through the death of the leader: same id, its task runs on, and it launches more [Z1] [Z12] [M3] [KT5]", async () => {
    const framework = new MesosFramework(gateway.port);
    await subscribed(framework);
    assert.equal(await framework.launch("stays", "sleep 600"), 202);
    await framework.state("stays", "TASK_RUNNING");
    await cell.until("its process", () => instancePids(cell.name).size === 1);
    const [before, pids, leader] = [framework.id, instancePids(cell.name), await cell.leader()];

    cell.signal(`master-${leader}`, "SIGKILL");
    await framework.ended;
    await subscribed(framework);
    assert.equal(framework.id, before);
    assert.notEqual(await cell.leader(), leader);
    assert.equal(await framework.launch("again", "sleep 600"), 202);
    await framework.state("again", "TASK_RUNNING");
    const now = instancePids(cell.name);
    for (const [instance, pid] of pids) assert.equal(now.get(instance), pid, "its task was not touched");

    assert.equal(await framework.say("TEARDOWN"), 202);
    await cell.until("all of its tasks to end", () => instancePids(cell.name).size === 0);
  });
});
