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
/** More than it ever takes. */
const ROUNDS_MAX = 1000;
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
  const steps = [() => ingest.step(), () => history.merge()];
  for (let round = 0; round < ROUNDS_MAX && ingest.position < last; round++) for (const step of steps) await step().catch(again);
  await ingest.write().catch(() => ingest.write());
  history.clear();
}

/** A process that was cut off is over; one whose disk failed goes on. */
function again(error: unknown): void {
  if (!String(error).includes("full")) throw error;
}

const STEPS = "openSync writeSync fsyncSync closeSync renameSync mkdirSync rmSync".split(" ");

/** Runs `work`, which dies at its step `at`: that one does not happen (or does, and nothing after it). Answers how many steps there were. */
function dying(at: number, happens: boolean, work: () => Promise<void>): Promise<number> {
  return patched(
    (steps, step) => {
      if (steps > at || (steps === at && !happens)) throw new Error("cut off");
      return step();
    },
    () => work().catch((error: unknown) => assert.match(String(error), /cut off/)),
  );
}

/** Runs `work` with `each` between it and every step that it does on the disk. */
async function patched(
  each: (steps: number, step: () => unknown, args: readonly unknown[]) => unknown,
  work: () => Promise<void>,
): Promise<number> {
  const module = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = STEPS.map((name) => [name, module[name]!] as const);
  let steps = 0;
  for (const [name, step] of real)
    module[name] = (...args) => {
      steps += 1;
      return each(steps, () => step(...args), args);
    };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const [name, step] of real) module[name] = step;
    syncBuiltinESMExports();
  }
  return steps;
}

/** Runs `work`, whose disk refuses step `at` and only that one. Answers how many steps there were. */
function failing(at: number, work: () => Promise<void>): Promise<number> {
  return patched((steps, step) => {
    if (steps === at) throw new Error("the disk is full");
    return step();
  }, work);
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

/** Fails as often as it is told to, as on a disk that is full. */
class FullDisk extends History {
  failures = 0;
  override add(...batch: Parameters<History["add"]>): Promise<void> {
    if (this.failures === 0) return super.add(...batch);
    this.failures -= 1;
    return Promise.reject(new Error("No space left on device"));
  }
}

test("After writes that failed the next one tells what they could not, once, and no more waits than a batch and a page [N8] [infrastore.H1]", async () => {
  const directory = newDirectory();
  const history = new FullDisk(directory, database, () => 0);
  const ingest = new Ingest({ source: madeCell({ last: growing(0, LAST), ringFrom: 0 }), history, now: () => 0, waitMs: 0, rowsMax: 10 });
  const usage = { table: "gaps" as const, owner: "_cell", timeMs: 0, row: [0, 0, 0] };
  history.failures = 20;
  let [failed, most] = [0, 0];
  for (let i = 0; i < ROUNDS_MAX && ingest.position < LAST; i++) {
    await ingest.step().catch(() => {
      failed += 1;
    });
    most = Math.max(most, ingest.waitingCount);
  }
  assert.equal(failed, 20);
  assert.ok(most < 10 + 7 * 3, `${most} rows waited`);
  history.failures = 1;
  assert.deepEqual([ingest.add([usage]), ingest.add(Array.from({ length: 100 }, () => usage)) > 60], [0, true]);
  await assert.rejects(ingest.write(), /No space left/);
  await ingest.write();
  assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(LAST).sort());
  assert.equal(readManifest(directory).position, LAST);
});

test("A step of the disk that fails once costs no event and doubles none: the history goes on in the same process [N8] [infrastore.H1]", async () => {
  const all = await failing(0, () => follow(newDirectory(), 0));
  const random = new Random(SEED);
  const stride = KILLS > 20 ? 1 : 12;
  // The first one makes the directory: without that nothing begins.
  for (let at = 2 + random.int(0, stride); at <= all; at += stride) {
    const directory = newDirectory();
    await failing(at, () => follow(directory, 0));
    const where = `step ${at} of ${all}, seed ${SEED}`;
    assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(LAST).sort(), where);
    rmSync(directory, { recursive: true });
  }
});

test("A manifest that is in its place counts, although the disk would not make that safe and the process ended then [N8] [infrastore.H3]", async () => {
  const directory = newDirectory();
  let wasRenamed = false;
  const disk = (_steps: number, step: () => unknown, [path, to]: readonly unknown[]): unknown => {
    // What it names may still be removed, and nothing else is done.
    if (wasRenamed && !String(path).endsWith(".parquet")) throw new Error("cut off");
    wasRenamed ||= String(to).endsWith("manifest.json");
    return step();
  };
  await assert.rejects(
    patched(disk, () => follow(directory, 0)),
    /cut off/,
  );
  const { position } = readManifest(directory);
  assert.ok(position > 0);
  assert.deepEqual((await toldBy(directory)).sort(), toldUpTo(position).sort());
});

test("A batch and a merge at once lose nothing of each other [N8] [infrastore.H1]", async () => {
  const directory = newDirectory();
  const history = new History(directory, database, () => 0);
  const row = (position: number) => ({ table: "gaps" as const, owner: "_cell", timeMs: 0, row: [position, position, 0] });
  for (let i = 1; i <= 8; i++) await history.add([row(i)], i);
  await Promise.all([history.merge(), history.add([row(9)], 9), history.merge(), history.add([row(10)], 10)]);
  assert.deepEqual((await toldBy(directory, "gaps", "after_position")).map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(readManifest(directory).position, 10);
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
  assert.equal(await history.forget(90 * 86_400_000), 1);
  assert.deepEqual([history.files.length, history.position], [0, 9]);
});
