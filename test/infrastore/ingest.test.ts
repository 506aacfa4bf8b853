/** The history tells every event of the journal once, wherever the process that writes it is cut off: exhaustively over its own steps, and by kill -9. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { Ingest } from "../../src/infrastore/ingest.ts";
import { readManifest } from "../../src/infrastore/manifest.ts";
import { growing, madeCell, toldUpTo } from "./made-cell.ts";
import { toldBy } from "./told.ts";

const LAST = 36;
const KILLS = Number(process.env["INGEST_KILLS"] ?? 2);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e9));
const directories: string[] = [];
const database = await Database.open();

after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "borg-history-"));
  directories.push(directory);
  return directory;
}

/** From where it stands to the end of the journal, in batches of some ten rows, and one merge for every step. */
async function follow(directory: string, ringFrom: number, last = LAST, logFrom = 0): Promise<void> {
  const history = new History(directory, database, () => 0);
  // A master that starts again has a journal at least as long as what was told of it.
  ringFrom = Math.max(ringFrom, ringFrom === 0 ? 0 : history.position);
  const ingest = new Ingest({
    source: madeCell({ last: growing(ringFrom, last), ringFrom, logFrom }),
    history,
    now: () => 0,
    waitMs: 0,
    rowsMax: 10,
  });
  while (ingest.position < last) {
    await ingest.step();
    await history.merge();
  }
  await ingest.write();
  history.clear();
}

const STEPS = "openSync writeSync fsyncSync closeSync renameSync mkdirSync rmSync".split(" ");

/** Runs `work`, which dies at its step `at`: that one does not happen (or does, and nothing after it). Answers how many steps there were. */
async function dying(at: number, happens: boolean, work: () => Promise<void>): Promise<number> {
  const module = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = STEPS.map((name) => [name, module[name]!] as const);
  let steps = 0;
  for (const [name, step] of real)
    module[name] = (...args) => {
      steps += 1;
      if (steps > at || (steps === at && !happens)) throw new Error("cut off");
      return step(...args);
    };
  syncBuiltinESMExports();
  try {
    await work().catch((error: unknown) => assert.match(String(error), /cut off/));
  } finally {
    for (const [name, step] of real) module[name] = step;
    syncBuiltinESMExports();
  }
  return steps;
}

test("A history that is cut off at any of its steps tells every event once, up to its position [N8] [infrastore.H1] [infrastore.H3]", async () => {
  const all = await dying(Number.POSITIVE_INFINITY, true, () => follow(newDirectory(), 0));
  assert.ok(all > 60, `it has ${all} steps`);
  const random = new Random(SEED);
  // All of them in a soak, one in sixteen here.
  const stride = KILLS > 20 ? 1 : 16;
  for (let at = 1 + random.int(0, stride); at <= all; at += stride) {
    const directory = newDirectory();
    const happens = random.int(0, 2) === 0;
    await dying(at, happens, () => follow(directory, 0));
    const where = `step ${at} of ${all}, ${happens ? "after" : "before"}, seed ${SEED}`;
    assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(readManifest(directory).position).sort(), where);
    await follow(directory, random.int(0, 2) === 0 ? 0 : LAST);
    assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(LAST).sort(), `${where}, then to the end`);
    rmSync(directory, { recursive: true });
  }
});

test("kill -9 at a step of the process: nothing is lost or doubled [N8] [infrastore.H1]", { timeout: 3_600_000 }, async () => {
  const random = new Random(SEED);
  for (let round = 0; round < KILLS; round++) {
    const directory = newDirectory();
    const start = (failpoint: string, ringFrom: number) =>
      spawnSync(
        process.execPath,
        [
          "--import",
          join(import.meta.dirname, "../borglet/failpoints.ts"),
          join(import.meta.dirname, "ingest-child.ts"),
          directory,
          String(LAST),
          String(ringFrom),
        ],
        { env: { ...process.env, FAILPOINT: failpoint }, timeout: 120_000, encoding: "utf8" },
      );
    const step = `${random.int(0, 2) === 0 ? "before" : "after"} ${1 + random.int(0, 40)}`;
    const killed = start(step, 0);
    const where = `round ${round}, ${step}, seed ${SEED}: ${killed.stderr}`;
    assert.equal(killed.signal, "SIGKILL", where);
    assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(readManifest(directory).position).sort(), where);
    await follow(directory, random.int(0, LAST));
    assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(LAST).sort(), where);
    rmSync(directory, { recursive: true });
  }
});

test("After a master that started again the events between are read from its log of them [N8] [infrastore.H1]", async () => {
  const directory = newDirectory();
  await follow(directory, 0, 20);
  await follow(directory, 30, LAST);
  assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(LAST).sort());
  assert.deepEqual(await toldBy(directory, "gaps", "*"), []);
});

test("What cannot be had any more is a gap, and everything around it is told [infrastore.H2]", async () => {
  const directory = newDirectory();
  await follow(directory, 0, 20);
  await follow(directory, 30, LAST, 28);
  const known = toldUpTo(LAST).filter((each) => Number.parseInt(each, 10) <= 20 || Number.parseInt(each, 10) > 28);
  assert.deepEqual((await toldBy(directory)).sort(), known.sort());
  assert.deepEqual((await toldBy(directory, "gaps", "after_position")).map(Number), [20]);
});

test("Small files are merged, and stay until no question can read them [infrastore.H4]", async () => {
  const directory = newDirectory();
  let now = 0;
  const history = new History(directory, database, () => now);
  const row = (position: number) => ({ table: "gaps" as const, owner: "_cell", timeMs: 0, row: [position, position, 0] });
  for (let i = 1; i <= 9; i++) await history.add([row(i)], i);
  const files = (): number =>
    readdirSync(join(directory, "tables"), { recursive: true }).filter((path) => String(path).endsWith(".parquet")).length;
  assert.equal(await history.merge(), true);
  assert.equal(await history.merge(), false);
  history.clear();
  assert.deepEqual([history.files.length, files()], [1, 10]);
  now = 10 * 60_000;
  history.clear();
  assert.equal(files(), 1);
  assert.deepEqual((await toldBy(directory, "gaps", "after_position")).map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  now = 400 * 86_400_000;
  assert.equal(history.forget(90 * 86_400_000), 1);
  assert.deepEqual([history.files.length, history.position], [0, 9]);
});
