/** A search backwards through a log finds each line once, wherever pieces meet, and ends where it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../base/random.ts";
import { FOUND_MAX, type Looked, PIECE_BYTES, type ReadLogPiece, SEARCH_BYTES_MAX, searchBack } from "./app/log-search.ts";

/** A log of which what is before `kept` is gone; answers are sometimes shorter than what was asked for. */
function logOf(text: string, kept = 0, random = new Random(1)): { readonly read: ReadLogPiece; readonly bytes: number } {
  const all = new TextEncoder().encode(text);
  const read: ReadLogPiece = (asked, bytes) => {
    assert.ok(bytes > 0 && bytes <= PIECE_BYTES);
    const offset = Math.max(asked, kept);
    const data = all.slice(offset, Math.min(asked + bytes, offset + (random.chance(0.3) ? random.int(1, bytes) : bytes)));
    return Promise.resolve({ offset, data, nextOffset: offset + data.length });
  };
  return { read, bytes: all.length };
}

async function looked(log: ReturnType<typeof logOf>, find: string): Promise<readonly Looked[]> {
  const all: Looked[] = [];
  await searchBack(log.read, log.bytes, find, (each) => all.push(each));
  return all;
}

test("searchBack() finds each line that has it once and in order, also where pieces meet; a line that has no end yet is not its own [N5]", async () => {
  const random = new Random(3);
  for (let round = 0; round < 20; round++) {
    const lines = Array.from({ length: 6000 }, (_, i) => `${i} ${random.chance(0.05) ? "Nèedle" : "hay"} ${"ä".repeat(random.int(0, 90))}`);
    const found = await looked(logOf(`${lines.join("\n")}\nneedle without end`, 0, random), "NÈEDLE");
    assert.deepEqual(found.at(-1)?.lines, lines.filter((line) => line.includes("Nèedle")).slice(-FOUND_MAX));
    assert.equal(found.at(-1)?.end, "beginning");
  }
});

test("searchBack() goes back so far, to what is kept, or to as many lines as are shown, and says which [N5]", async () => {
  const line = `${"x".repeat(1023)}\n`;
  const far = await looked(logOf(`needle\n${line.repeat((2 * SEARCH_BYTES_MAX) / 1024)}`), "needle");
  assert.deepEqual([far.at(-1)?.lines, far.at(-1)?.end], [[], "far"]);
  assert.ok(far.at(-1)!.bytes >= SEARCH_BYTES_MAX && far.at(-1)!.bytes < SEARCH_BYTES_MAX + PIECE_BYTES);
  assert.ok(far.length <= SEARCH_BYTES_MAX / PIECE_BYTES + 1, "a bounded number of pieces");
  const text = `needle\n${line.repeat(1000)}needle 2\n`;
  const kept = await looked(logOf(text, 300_000), "needle");
  assert.deepEqual([kept.at(-1)?.lines, kept.at(-1)?.end, kept.at(-1)?.bytes], [["needle 2"], "beginning", text.length - 300_000]);
  const many = await looked(logOf("needle\n".repeat(5000)), "needle");
  assert.deepEqual([many.at(-1)?.lines.length, many.at(-1)?.end], [FOUND_MAX, "many"]);
});

test("searchBack() comes past a line longer than a piece, and shows of it what a line shows [N5]", async () => {
  const found = await looked(logOf(`first needle\n${"y".repeat(3 * PIECE_BYTES)}\u001b[2Jneedle\nlast needle\n`), "needle");
  assert.deepEqual(found.at(-1)?.lines, ["first needle", "last needle"]);
  assert.equal(found.at(-1)?.end, "beginning");
});
