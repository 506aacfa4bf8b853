/** A cell's directory that was moved goes on with its tasks; one that was copied touches nothing of the one it was made from. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { isAlive as processAlive } from "../../src/daemon/data.ts";
import { instancePids, isAlive } from "./real-cell.ts";
import { Typist } from "./typist.ts";

const typist = new Typist("moved");
const { home, borg, good } = typist;
const PORT = 9700 + Math.floor(Math.random() * 50) * 2;
const NAME = `moved-${PORT}`;
const at = (name: string): string => join(home, name);

after(async () => {
  for (const name of ["second", "third"]) await borg("down", "--kill", "--data", at(name));
  for (const pid of instancePids(NAME).values()) process.kill(pid, "SIGKILL");
  typist.leave();
});

test("a moved directory is taken up with its tasks; another cell's start in between takes nothing of it away [U9] [borglet.T9]", async () => {
  await good("up", "--detach", "--cell", NAME, "--data", at("first"), "--port", String(PORT));
  await good("run", "steady", "--restart", "always", "--wait", "--", "/bin/sh", "-c", "pwd; sleep 600");
  const [[instance, pid]] = [...instancePids(NAME)] as [[string, number]];
  await good("down", "--data", at("first"));
  renameSync(at("first"), at("second"));
  await good("up", "--detach", "--cell", "other", "--data", at("other"), "--port", String(PORT + 120));
  await good("down", "--kill", "--data", at("other"));
  await good("up", "--detach", "--data", at("second"));
  await good("wait", "steady", "--running", "--cell", NAME);
  assert.deepEqual([...instancePids(NAME)], [[instance, pid]], "the same process, and no second one");
  assert.ok(isAlive(pid));
  // It can still be ended, so its processes were found by what they carry.
  await good("restart", "steady", "--cell", NAME);
  await good("wait", "steady", "--running", "--cell", NAME, "--timeout", "60s");
  assert.ok(!isAlive(pid));
});

test("a copy neither starts nor stops what it was copied from, and says how it becomes a cell of its own [U9]", async () => {
  execFileSync("cp", ["-a", at("second"), at("copy")]);
  const [supervisor] = [JSON.parse(readFileSync(join(at("second"), "run.json"), "utf8")).supervisor];
  const pids = [...instancePids(NAME).values()];
  for (const args of [
    ["up", "--detach", "--data", at("copy")],
    ["down", "--kill", "--data", at("copy")],
    ["up", "--adopt", "--detach", "--data", at("copy")],
  ]) {
    const { code, err } = await borg(...args);
    assert.equal(code, 2, `${args.join(" ")}: ${err}`);
    assert.match(err, /is a copy of the cell in ".*second"[\s\S]*borg backup FILE --data/);
  }
  assert.ok(processAlive(supervisor) && pids.length > 0 && pids.every(isAlive));
  await good("down", "--kill", "--data", at("second"));
  await good("backup", at("file"), "--data", at("copy"));
  await good("restore", at("file"), "--data", at("third"));
});
