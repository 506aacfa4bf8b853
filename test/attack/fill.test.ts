/** Attacks on the master's memory: a user fills what a cell remembers, and everything is restarted. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CellClient } from "../../src/rpc/client.ts";
import { RealCell } from "../e2e/real-cell.ts";
import { patient, stranger } from "./stranger.ts";

const MIB = 2 ** 20;
/** The stated bound of a full cell: docs/security/bounds.md. */
const MASTER_BYTES_MAX = 1536 * MIB;

const spec = (user: string, name: string) => ({
  user,
  name,
  count: 1,
  task: { command: ["x"], files: [0, 1, 2].map((i) => ({ path: `/f${i}`, content: randomBytes(262_144) })), limit: { cpuMilli: 1 } },
});

/** Until it is refused; the words. */
async function flood(client: CellClient, user: string, killed: boolean, most: number): Promise<string> {
  for (let i = 0; i < most; i++) {
    try {
      await patient(() => client.submitJob({ requestId: `${user}-${killed}-${i}`, spec: spec(user, `j${i}`) }));
      if (killed) await patient(() => client.killJob({ requestId: `${user}-kill-${i}`, job: `${user}/j${i}` }));
    } catch (error) {
      return (error as Error).message;
    }
  }
  return "";
}

const bytesIn = (directory: string): number => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

const rssOf = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;

test("A cell that is filled to its bounds starts again, within its memory; who fills it harms nobody [KB1] [KB2] [P11]", async (t) => {
  const cell = await RealCell.start();
  const clients: CellClient[] = [];
  try {
    const [ann, bob] = [await stranger(cell, "ann"), await stranger(cell, "bob")];
    clients.push(ann, bob);
    assert.match(
      await flood(ann, "ann", false, 100),
      /The specs of user "ann" would take 2\.\d MiB, and 1\.\d MiB is the most: ship large files in packages/,
    );
    const journal = bytesIn(cell.data.journal);
    for (let i = 0; i < 50; i++)
      await assert.rejects(
        patient(() => ann.submitJob({ requestId: `again-${i}`, spec: spec("ann", "again") })),
        /The specs of user/,
      );
    assert.ok(bytesIn(cell.data.journal) - journal < MIB, "what is refused for its size leaves no record");
    assert.equal(await flood(bob, "bob", true, 60), "", "specs of dead jobs make room");
    assert.match(await flood(cell.client, "tester", false, 200), /The cell holds 3\d(\.\d)? MiB of job specs, of 32\.\d MiB at most/);
    const small = { user: "bob", name: "small", count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } };
    await assert.rejects(
      patient(() => bob.submitJob({ requestId: "small", spec: small })),
      /of job specs, of 30\.\d MiB at most/,
    );
    await patient(() => cell.client.submitJob({ requestId: "own", spec: { ...small, user: "tester" } }));
    const before = rssOf(cell.pid("master"));
    await cell.kill("master");
    await cell.kill("m1");
    cell.startMaster();
    cell.startBorglet("m1");
    const sinceMs = performance.now();
    await cell.until("the full cell to be ready again", async () => (await cell.client.getCell({})).machinesReachable === 1);
    // Below ten seconds also on a busy host of two cores; a busier one is no failure, only a cell that never comes back.
    t.diagnostic(`ready again after ${Math.round(performance.now() - sinceMs)} ms`);
    const after = rssOf(cell.pid("master"));
    assert.ok(Math.max(before, after) < MASTER_BYTES_MAX, `the master took ${Math.round(before / MIB)} and ${Math.round(after / MIB)} MiB`);
  } finally {
    for (const client of clients) client.close();
    await cell.close();
  }
});
