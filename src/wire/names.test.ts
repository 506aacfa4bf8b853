import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../base/random.ts";
import { Names } from "./names.ts";

const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a name that comes again is found, wherever it stands among other bytes", () => {
  const names = new Names();
  const bytes = bytesOf("..ubar/jfoo/50..");
  for (let round = 0; round < 3; round++) assert.equal(names.at(bytes, 2, 12), "ubar/jfoo/50");
  assert.equal(names.at(bytes, 2, 11), "ubar/jfoo/5");
  assert.equal(names.at(bytes, 0, 0), "");
});

test("names that share a place are never taken for each other", () => {
  const names = new Names();
  // "bB" and "c#" have the same hash: 31 more for the first letter, 31 less for the second.
  const [one, other] = ["bB/jfoo/7", "c#/jfoo/7"];
  for (let round = 0; round < 3; round++) for (const text of [one, other]) assert.equal(names.at(bytesOf(text), 0, text.length), text);
});

test(`many more names than places are each themselves, in any order (seed ${SEED})`, () => {
  const names = new Names();
  const random = new Random(SEED, "names");
  for (let i = 0; i < 200_000; i++) {
    const text = `u${random.int(0, 9)}/j${random.int(0, 100_000)}`;
    const bytes = bytesOf(text);
    if (names.at(bytes, 0, bytes.length) !== text) assert.equal(names.at(bytes, 0, bytes.length), text);
  }
});

test("what is not plain ASCII or long is left to the decoder", () => {
  const names = new Names();
  for (const text of ["Zürich", "💡", "\u0080", "x".repeat(65)]) {
    const bytes = bytesOf(text);
    assert.equal(names.at(bytes, 0, bytes.length), undefined);
  }
  const longest = "x".repeat(64);
  assert.equal(names.at(bytesOf(longest), 0, 64), longest);
});
