/** What `borg update` says of alloc sets, which have allocs and no tasks. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { borg, type Script } from "../fixture.test.ts";

const VIEW = { job: "ann/room", allocSet: true, generation: 1 };
const ROLLING = { ...VIEW, phase: "rolling", passed: 1, left: 1, tasks: [{ task: "ann/room/0", change: "in-place", state: "running" }] };
const said = async (words: string, script: Script): Promise<string> => {
  const { out, err } = await borg(words.split(" "), script);
  return `${out}${err}`;
};

test("who waits for a whole update is told how to end it, and who updated some tasks what comes next [D1] [D2]", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "borg-update-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "web.bcl");
  writeFileSync(file, 'job web = { command = ["true"], count = 2 }\n');
  const script: Script = {
    getJob: () => ({ job: { name: "ann/web", count: 2, state: "running" }, spec: { user: "ann", name: "web", count: 2 } }),
    checkUpdate: () => ({ restarts: 1, tasks: [{ task: "ann/web/0", change: "restart" }] }),
    startUpdate: () => ({ position: 9 }),
    getUpdate: () => ({ job: "ann/web", generation: 1, phase: "rolled", passed: 2 }),
  };
  assert.match(
    await said(`update ${file} --wait`, script),
    /Rolled out: borg update commit ann\/web ends it, borg update undo ann\/web takes it back/,
  );
  assert.match(await said(`update ${file} --tasks 0 --wait`, script), /borg update with all tasks takes the others too/);
});

test("an update of an alloc set is called that, from its plan to its end [A5] [D1]", async () => {
  const at = (view: object): Script => ({
    getUpdate: () => view,
    undoUpdate: ({ job }) => ({ position: 9, allocSet: job === "ann/room" }),
    pauseUpdate: () => ({ already: true, allocSet: true }),
  });
  assert.match(await said("update show room", at(ROLLING)), /^Update of alloc set ann\/room is rolling: 1 well/);
  assert.equal(await said("update show room", at(VIEW)), "Alloc set ann/room is not being updated\n");
  assert.equal(await said("update show web", at({ job: "ann/web" })), "Job ann/web is not being updated\n");
  assert.equal(await said("update undo room", at(ROLLING)), "Undoing the update of alloc set ann/room\n");
  assert.equal(await said("update pause room", at(ROLLING)), "The update of alloc set ann/room was paused already\n");
  assert.equal(await said("update undo web", at({ job: "ann/web" })), "Undoing the update of job ann/web\n");
  let looks = 0;
  const undone = { ...VIEW, reason: "2 of its tasks failed" };
  const follows: Script = { getUpdate: () => (looks++ === 0 ? ROLLING : undone) };
  assert.match(await said("update show room --follow", follows), /The update of alloc set ann\/room was undone: 2 of its tasks failed/);
});
