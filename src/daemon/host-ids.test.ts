import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { isIPv4 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { IDS_PER_CELL, idsOf, namesAddressOf } from "./host-ids.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-ids-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const WHOLE = "         0          0 4294967295\n";
const SMALL = "         0     100000      65536\n";
const fresh = (): string => mkdtempSync(join(ROOT, "x"));

test("two cells never share a user id, and each keeps its own [I1] [KA2]", () => {
  const directory = fresh();
  const one = idsOf("one", "/one", directory, WHOLE);
  const two = idsOf("two", "/two", directory, WHOLE);
  assert.equal(one.last - one.first + 1, IDS_PER_CELL);
  assert.ok(two.first > one.last || two.last < one.first);
  assert.deepEqual(idsOf("one", "/elsewhere", directory, WHOLE), one);
});

test("where few ids are mapped a cell gets some of those, and when all are given a gone cell's", () => {
  const directory = fresh();
  const kept = join(directory, "kept");
  mkdirSync(kept);
  const ranges = Array.from({ length: 5 }, (_, i) => idsOf(`c${i}`, i === 3 ? join(directory, "gone") : kept, directory, SMALL));
  for (const { first, last } of ranges) assert.ok(first >= 45_056 && last < 65_536);
  assert.equal(new Set(ranges.map(({ first }) => first)).size, 5);
  assert.deepEqual(idsOf("c9", kept, directory, SMALL), ranges[3]);
  assert.throws(() => idsOf("c10", kept, directory, SMALL), /Cannot give the cell user ids/);
});

test("every cell of a host has an address of its own for names, on loopback, also where few ids are mapped [N2]", () => {
  const ranges = (least: number, most: number): { first: number; last: number }[] =>
    Array.from({ length: Math.floor((most - least + 1) / IDS_PER_CELL) }, (_, i) => {
      const first = least + i * IDS_PER_CELL;
      return { first, last: first + IDS_PER_CELL - 1 };
    });
  const all = [...ranges(1_900_000_000, 1_999_999_999), ...ranges(45_056, 65_535)].map(namesAddressOf);
  assert.equal(new Set(all).size, all.length);
  for (const address of all) assert.ok(isIPv4(address) && /^127\.[0-9]+\.[0-9]+\.53$/.test(address), address);
  assert.deepEqual([all[0], all.at(-1)], ["127.16.1.53", "127.240.5.53"]);
});
