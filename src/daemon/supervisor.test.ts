/** What a supervisor does for its cell beside starting what dies. Its processes are shells that sleep. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type CellFile, DataDirectory, newCellId } from "./data.ts";
import { RENEW_MS } from "./renewal.ts";
import { Supervisor } from "./supervisor.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-supervisor-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const HANG_MS = 20_000;
const CELL: CellFile = { cell: "cc", id: newCellId(), owner: "ann", host: "127.0.0.1", port: 1, linkPort: 2, machines: 1 };
const SHARE = { machine: "m1", cpuMilli: 1000, ramBytes: 2 ** 30, diskBytes: 2 ** 30, portFirst: 3, portLast: 4 };

test("a cell of one machine that runs for long has its certificates renewed: masters and machines start anew with them, its history goes on [M2] [KA2]", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const data = new DataDirectory(join(ROOT, "cell"));
  const said: string[] = [];
  let isOld = false;
  const supervisor = new Supervisor({
    ...{ data, cell: CELL, command: "/bin/sh", entry: ["-c", "exec sleep 1000", "sh"], shares: [SHARE], sockets: [], ids: undefined },
    log: (line) => said.push(line),
    onFinal: (name) => assert.fail(`${name} cannot be started`),
    renew: async () => isOld,
  });
  supervisor.start();
  t.after(() => supervisor.stop(false));
  const pid = (name: string): number | undefined => data.readRun()?.processes[name]?.pid;
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    for (const end = performance.now() + HANG_MS; !isTrue(); await new Promise((again) => setTimeout(again, 10)))
      assert.ok(performance.now() < end, `Waited in vain for ${what}: ${said.join("; ")}`);
  };
  const all = ["master", "m1", "infrastore"];
  await until("all processes", () => all.every((name) => pid(name) !== undefined));
  const first = all.map(pid);
  t.mock.timers.tick(RENEW_MS);
  await new Promise((turn) => setTimeout(turn, 50));
  assert.deepEqual([all.map(pid), said], [first, []], "nothing is half over");
  isOld = true;
  t.mock.timers.tick(RENEW_MS);
  await until("new ones", () => ["master", "m1"].every((name, i) => pid(name) !== undefined && pid(name) !== first[i]));
  assert.equal(said[0], "Certificates were renewed");
  assert.equal(pid("infrastore"), first[2]);
});
