/** What a task that only sleeps costs its machine beside itself. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isRoot } from "../nobody.ts";
import { MODES, Stage } from "./stage.ts";

/** Pages that nobody else has are looked at when several tasks run: what they share is not counted for one of them. */
const TASKS = 4;
const BYTES_MAX = 500_000;

for (const mode of MODES)
  test(`What waits beside a task that sleeps has less than 0.5 MB to itself (${mode.name}) [borglet.T14] [U7]`, {
    skip: isRoot || !mode.root ? mode.skip : "needs root",
  }, async (t) => {
    const stage = await Stage.open(mode);
    try {
      for (let i = 0; i < TASKS; i++) {
        await stage.run(`ann/sleep/${i}:1`, "echo up; exec sleep 1000");
        await stage.said(`ann/sleep/${i}:1`, "up");
      }
      const runs = join(stage.directory, "state", "runs");
      const shims = readdirSync(runs).filter((name) => name.endsWith(".shim"));
      assert.equal(shims.length, TASKS);
      for (const name of shims) {
        const parts = under(Number.parseInt(readFileSync(join(runs, name), "latin1"), 10)).filter(({ comm }) => comm !== "sleep");
        const bytes = parts.reduce((sum, { ownBytes }) => sum + ownBytes, 0);
        t.diagnostic(`${bytes} bytes: ${parts.map(({ comm, ownBytes }) => `${comm} ${ownBytes / 1024} KiB`).join(", ")}`);
        assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
      }
    } finally {
      await stage.close();
    }
  });

interface Part {
  readonly comm: string;
  readonly ownBytes: number;
}

/** A process and all that came of it. */
function under(pid: number): Part[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").filter(Boolean).map(Number);
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  const ownBytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0);
  return [{ comm: readFileSync(`/proc/${pid}/comm`, "latin1").trim(), ownBytes }, ...children.flatMap(under)];
}
