/**
 * A process that has the pid of a cell's, after the cell's ended or after the machine was started again, is nobody's to end: `down`, `down --kill` and `up` signal
 * only what is proven to be the cell's own, by the moment it started and the boot that this counts from.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DataDirectory, newCellId, type ProcessId, processId } from "../../src/daemon/data.ts";
import { Keys } from "../../src/daemon/keys.ts";
import { freePort, isAlive } from "../e2e/real-cell.ts";
import { Typist } from "../e2e/typist.ts";

const typist = new Typist("pids");
const { borg, good } = typist;
const path = join(typist.home, "cell");
const data = new DataDirectory(path);
let sleeper: ChildProcess;
let forged: readonly ProcessId[];

before(async () => {
  sleeper = spawn("sleep", ["600"], { stdio: "ignore" });
  const id = processId(sleeper.pid!);
  forged = [
    { ...id, start: `${Number(id.start) - 1}` },
    { ...id, boot: "11111111-2222-3333-4444-555555555555" },
  ];
  const port = await freePort();
  data.writeCell({ cell: `pids-${port}`, id: newCellId(), owner: "tester", host: "127.0.0.1", port, linkPort: port + 1, machines: 1 });
  await new Keys(data, `pids-${port}`).prepare(["127.0.0.1"], ["m1"], Date.now());
});
after(async () => {
  await borg("down", "--kill", "--data", path);
  sleeper.kill("SIGKILL");
  typist.leave();
});

/** Written as if each process of the cell had had the sleeper's pid. */
function forge(id: ProcessId): void {
  data.writeRun({ supervisor: id, processes: { master: id, m1: id, infrastore: id, names: id } });
}

const lives = (what: string): void => assert.ok(isAlive(sleeper.pid!) && sleeper.signalCode === null, `${what} ended somebody's process`);

test("down, down --kill and up leave a process alone that only has the pid of one of the cell's [KA2] [KB2] [B5]", async () => {
  for (const id of forged) {
    forge(id);
    assert.match(await good("down", "--data", path), /is not up\n$/);
    lives("down");
  }
  for (const id of forged) {
    forge(id);
    assert.match(await good("down", "--kill", "--data", path), /is not up; 0 of its tasks have ended\n$/);
    lives("down --kill");
  }
  const [start, boot] = forged as readonly [ProcessId, ProcessId];
  data.writeRun({ supervisor: start, processes: { master: start, m1: boot, infrastore: boot, names: start } });
  assert.match(await good("up", "--detach", "--data", path), /is up/);
  lives("up");
  assert.match(await good("down", "--kill", "--data", path), /is down; its tasks have ended/);
  lives("down of a cell that is up");
});
