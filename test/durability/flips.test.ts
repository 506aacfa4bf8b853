import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { DamagedError } from "../../src/store/log/error.ts";
import { Log } from "../../src/store/log.ts";
import { checkContents, countOf, type Pristine, seedOf, type TrueRecord, writeLog } from "./pristine.ts";

const FLIPS = countOf("FLIPS", 2000);

/** How many flips ended how: a suite in which nothing is ever refused, or everything, would show nothing. */
interface Tally {
  refused: number;
  cut: number;
  unnoticed: number;
}

/** Flips one bit of one file and opens the log; every outcome is judged by the truth that was kept beside it. */
function flip(pristine: Pristine, file: string, bit: number, tally: Tally): void {
  const disk = pristine.disk.clone();
  disk.flip(file, bit);
  const hit = pristine.records.find((record) => record.file === file && record.start <= bit >> 3 && bit >> 3 < record.end);
  const covered = Math.max(...pristine.records.filter((record) => record !== hit).map(({ acknowledged }) => acknowledged));
  const log = openOrRefuse(pristine, disk, hit, covered, tally);
  if (log === undefined) return;
  assert.ok(!(hit?.kind === "entry" && hit.position <= covered), `Damage in acknowledged position ${hit?.position} was not noticed`);
  const wanted = hit?.kind === "entry" ? hit.position - 1 : pristine.payloads.length - 1;
  assert.equal(log.last, wanted, "only what was hit, and was never acknowledged, may be missing");
  assert.ok(log.last >= covered);
  checkContents(log, pristine);
  tally[log.cut === undefined ? "unnoticed" : "cut"] += 1;
}

function openOrRefuse(
  pristine: Pristine,
  disk: Pristine["disk"],
  hit: TrueRecord | undefined,
  covered: number,
  tally: Tally,
): Log | undefined {
  try {
    return Log.open(disk, pristine.options);
  } catch (error) {
    assert.ok(error instanceof DamagedError, String(error));
    assert.ok(hit !== undefined, "nothing that was ever written is damaged, and yet the log was refused");
    assert.equal(error.file, hit.file);
    assert.equal(error.offset, hit.start);
    if (hit.kind === "entry") assert.equal(error.position, hit.position);
    if (hit.kind === "entry") assert.ok(hit.position <= covered, "a torn tail was refused");
    tally.refused += 1;
    return undefined;
  }
}

function suite(name: string, segmentBytes: number, entries: number): void {
  test(`${name}: a flipped bit is refused or costs only what nobody vouches for, ${FLIPS} times [store.R1] [store.R3] [KD1] [KD5]`, () => {
    const seed = seedOf(`flips, ${name}`);
    const random = new Random(seed, name);
    const tally: Tally = { refused: 0, cut: 0, unnoticed: 0 };
    let pristine = writeLog(seed, segmentBytes, entries, 100);
    for (let count = 0; count < FLIPS; count++) {
      if (count % 500 === 499) pristine = writeLog(seed + count, segmentBytes, entries, 100);
      const record = random.pick(pristine.records);
      // Mostly into records, sometimes anywhere.
      const [file, from, below] = random.chance(0.9)
        ? [record.file, record.start, record.end]
        : [record.file, 0, pristine.disk.size(record.file)];
      flip(pristine, file, random.int(from * 8, below * 8), tally);
    }
    assert.ok(tally.refused > FLIPS / 4 && tally.cut > 0, JSON.stringify(tally));
  });
}

suite("one segment", 16 * 1024, 60);
suite("several segments", 2 * 1024, 60);
