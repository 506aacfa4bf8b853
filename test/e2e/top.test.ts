/** `borg top` on a terminal of 80 columns: what runs is there, keys choose, a filter is typed, and at the end the terminal is what it was. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn as spawnOnTerminal } from "@lydell/node-pty";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { HANG_MS, RealCell } from "./real-cell.ts";

let cell: RealCell;

before(async () => {
  cell = await RealCell.start(1);
  const task = { command: ["/bin/sh", "-c", "exec sleep 100000"], limit: { cpuMilli: 10, ramBytes: 64 * 2 ** 20 } };
  await cell.client.submitJob({ requestId: "web", spec: { user: "tester", name: "web", count: 2, priority: 100, task } });
  await cell.running("tester/web", 2);
});

after(() => cell.close());

test("top shows tasks and machines on a terminal, filters, and leaves the terminal as it was [N9]", { timeout: 2 * HANG_MS }, async () => {
  const env = cell.env as Record<string, string>;
  const terminal = spawnOnTerminal(process.execPath, [...entryPoint(), "top"], { name: "xterm", rows: 12, cols: 80, env });
  let screen = "";
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  terminal.onData((text) => {
    screen += text;
  });
  /** In what is drawn from now on. */
  const draws = async (what: RegExp): Promise<void> => {
    const from = screen.length;
    for (const end = Date.now() + HANG_MS; !what.test(screen.slice(from)); await sleep(50))
      assert.ok(Date.now() < end, `Waited in vain for ${what} on ${JSON.stringify(screen.slice(-3000))}`);
  };
  await draws(/tester\/web\/1[\s\S]*q: end/);
  const machine = draws(/MACHINE[\s\S]*m1 +.*up/);
  terminal.write("\t");
  await machine;
  const filtered = draws(/web\/1\S* +[\s\S]*\/web\/1_ {2}1 of 2/);
  terminal.write("\t/web/1");
  await filtered;
  const ends = draws(/\[\?25h.\[\?1049l/);
  terminal.write("\rq");
  assert.equal(await ended, 0);
  await ends;
  assert.ok(screen.includes("\x1b[?1049h"));
});

test("top without a terminal is a table, once, and an object for programs [N9]", async () => {
  const { code, out } = await cell.borg("top", "--sort", "name");
  assert.equal(code, 0);
  assert.match(out, /^\S+: 2 tasks on 1 machine, cpu [\s\S]*\nTASK [\s\S]*\ntester\/web\/0 [\s\S]*\ntester\/web\/1 [^\n]*\n$/);
  const found = JSON.parse((await cell.borg("top", "--json")).out) as { tasks: unknown[]; machines: unknown[]; more: boolean };
  assert.deepEqual([found.tasks.length, found.machines.length, found.more], [2, 1, false]);
});
