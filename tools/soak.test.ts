import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { firstSeed } from "./seed-range.ts";
import { told as toldFiles } from "./slice.ts";
import { memory, next, remembered } from "./soak.ts";
import { soakParts } from "./soak-parts.ts";

const COMMIT = "ab8eef3000000000000000000000000000000000";
const PARTS = soakParts(COMMIT, 1);

test("a soak runs all parts, never three that wait, and no more that compute than there are cores", () => {
  const cores = 2;
  let [left, running] = [[...PARTS], [] as typeof PARTS];
  const order: string[] = [];
  for (let step = 0; step < 100 && left.length + running.length > 0; step++) {
    const part = next(left, running, cores);
    if (part === undefined) running = running.slice(1);
    else {
      const { after } = part;
      assert.ok(
        after === undefined || ![...left, ...running].some(({ name }) => name.startsWith(after)),
        `${part.name} before what it needs`,
      );
      assert.ok(!part.waits || running.filter(({ waits }) => waits).length < 2, `${part.name} beside two others that wait`);
      order.push(part.name);
      left = left.filter((other) => other !== part);
      running = [...running, part];
      assert.ok(running.filter(({ waits }) => !waits).length <= cores);
    }
  }
  assert.deepEqual([...order].sort(), PARTS.map(({ name }) => name).sort());
});

test("every part of a soak is a target of the Makefile, and the counts are those that were promised", () => {
  const makefile = readFileSync(new URL("../Makefile", import.meta.url), "utf8");
  for (const { target } of PARTS) assert.match(makefile, new RegExp(`^${target.replace(/-\d+$/, "-%")}:`, "m"), target);
  const told = Object.assign({}, ...PARTS.map((part) => part.told)) as Record<string, number>;
  assert.deepEqual([told["FLIPS"], told["CRASHES"], told["SEEDS"]], [100_000, 10_000, 3000]);
  const rounds = ["ROUNDS", "HISTORY_ROUNDS", "CUTS", "ROLLING", "FAILPOINTS", "HOSTILE"].map(
    (name) => PARTS.find((part) => name in part.told)!.told[name],
  );
  assert.deepEqual(rounds, [100, 200, 20, 20, 500, 600]);
});

test("a file that has a part of its own is in no other, and every file of its suite is in one", () => {
  for (const suite of ["e2e", "borglet", "attack"]) {
    const paths = globSync(`test/${suite}/*.test.ts`, { cwd: new URL("..", import.meta.url) }).sort();
    const parts = PARTS.filter(({ target }) => target === suite);
    assert.ok(parts.length > 1);
    assert.deepEqual(parts.flatMap((part) => toldFiles(paths, part.told as Record<string, string>)).sort(), paths);
  }
});

test("a part that was clean is not run again, unless the commit or a count is another", () => {
  const [part] = PARTS as [(typeof PARTS)[0]];
  const text = memory(part, "ab8eef3", 7);
  assert.deepEqual(remembered(part, "ab8eef3", text), { part, seconds: 7, ok: true, earlier: true });
  assert.equal(remembered(part, "ab8eef4", text), undefined);
  assert.equal(remembered({ ...part, told: { ...part.told, ROUNDS: 1 } }, "ab8eef3", text), undefined);
  assert.equal(remembered(part, "ab8eef3", ""), undefined);
});

test("the seeds of all parts are one range without a gap, and no planted bug is left out", () => {
  const ranges = PARTS.filter(({ name }) => name.startsWith("sim-part")).map(({ counts }) => counts.match(/\d+/g)!.map(Number));
  assert.equal(ranges[0]![0], firstSeed(COMMIT));
  const [one, judge] = ["sim-part-0", "sim-coverage"].map((wanted) => PARTS.find(({ name }) => name === wanted)!);
  assert.deepEqual([judge!.told, judge!.after], [one!.told, "sim-part-"]);
  for (const [i, [first]] of ranges.slice(1).entries()) assert.equal(first, ranges[i]![1]! + 1);
  const parts = PARTS.filter(({ name }) => name.startsWith("mutants-part"));
  assert.ok(parts.every(({ told }, k) => told["PARTS"] === parts.length && parts[k]!.name.endsWith(`-${k}`)));
});

test("a commit's seeds begin where its hash says", () => {
  assert.equal(firstSeed(COMMIT), 10_000_000 + 0xab8eef3);
  assert.ok(firstSeed("f".repeat(40)) + 3000 < 2 ** 32);
});
