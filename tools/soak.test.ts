import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { firstSeed } from "./seed-range.ts";
import { next } from "./soak.ts";
import { soakParts } from "./soak-parts.ts";

const COMMIT = "ab8eef3000000000000000000000000000000000";
const PARTS = soakParts(COMMIT, 1);

test("a soak runs all parts, two at a time, never two that wait", () => {
  let [left, running] = [[...PARTS], [] as typeof PARTS];
  const order: string[] = [];
  for (let step = 0; step < 100 && left.length + running.length > 0; step++) {
    const part = running.length < 2 ? next(left, running) : undefined;
    if (part === undefined) running = running.slice(1);
    else {
      assert.ok(!(part.waits && running.some(({ waits }) => waits)), `${part.name} beside another that waits`);
      order.push(part.name);
      left = left.filter((other) => other !== part);
      running = [...running, part];
    }
  }
  assert.deepEqual([...order].sort(), PARTS.map(({ name }) => name).sort());
});

test("every part of a soak is a target of the Makefile, and the counts are those that were promised", () => {
  const makefile = readFileSync(new URL("../Makefile", import.meta.url), "utf8");
  for (const { target } of PARTS) assert.match(makefile, new RegExp(`^${target.replace(/\d$/, "(?:%|\\d)")}:`, "m"), target);
  const told = Object.assign({}, ...PARTS.map((part) => part.told)) as Record<string, number>;
  assert.deepEqual([told["FLIPS"], told["CRASHES"], told["SEEDS"]], [100_000, 10_000, 3000]);
  assert.equal(PARTS.find(({ name }) => name === "e2e")!.counts, "300 kill rounds, 20 cut cables, 20 rolling updates under load");
});

test("a commit's seeds begin where its hash says", () => {
  assert.equal(firstSeed(COMMIT), 10_000_000 + 0xab8eef3);
  assert.ok(firstSeed("f".repeat(40)) + 3000 < 2 ** 32);
});
