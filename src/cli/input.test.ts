import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "./exit.ts";
import { bytesOf, countOf, cpuMilliOf, durationMsOf, exitsOf, pairOf, priorityOf, whenMsOf } from "./input.ts";

const usage = (work: () => unknown, pattern = /./): void =>
  assert.throws(work, (error) => error instanceof Failure && error.exit === "usage" && pattern.test(`${error.message} ${error.hint}`));

test("sizes are read in BCL's units and in those that people write", () => {
  assert.equal(bytesOf("--ram", "512MiB"), 512 << 20);
  assert.equal(bytesOf("--ram", "512Mi"), 512 << 20);
  assert.equal(bytesOf("--ram", "1.5GiB"), 1.5 * 2 ** 30);
  assert.equal(bytesOf("--ram", "2GB"), 2e9);
  assert.equal(bytesOf("--ram", "4096"), 4096);
  for (const bad of ["", "x", "5s", "-1", "1e400", "500m", "1GiBB", "NaN"]) usage(() => bytesOf("--ram", bad), /--ram/);
  usage(() => bytesOf("--ram", "512MB5"), /--ram "512MB5"/);
});

test("cores are whole, fractions or thousandths", () => {
  assert.deepEqual(
    ["0.5", "500m", "2", "0"].map((text) => cpuMilliOf("--cpu", text)),
    [500, 500, 2000, 0],
  );
  for (const bad of ["2Gi", "-1", "", "1s", "two"]) usage(() => cpuMilliOf("--cpu", bad));
});

test("times have units, also several of them; m is minutes", () => {
  const found = ["30s", "5m", "1h30m", "250ms", "2d", "45", "5min"].map((text) => durationMsOf("--timeout", text));
  assert.deepEqual(found, [30_000, 300_000, 5_400_000, 250, 172_800_000, 45_000, 300_000]);
  for (const bad of ["", "m", "5x", "-5s", "5 s", "1h30", "64Mi"]) usage(() => durationMsOf("--timeout", bad));
});

test("counts, priorities, pairs and moments", () => {
  assert.equal(countOf("--count", "3"), 3);
  for (const bad of ["-1", "1.5", "100001", "", "0x10"]) usage(() => countOf("--count", bad));
  assert.deepEqual(
    ["batch", "production", "200"].map((text) => priorityOf("--priority", text)),
    [100, 120, 200],
  );
  assert.deepEqual(
    ["", "3", "64,78", "0,255"].map((text) => exitsOf("--ok-exits", text)),
    [[], [3], [64, 78], [0, 255]],
  );
  for (const bad of ["x", "-1", "256", "1,", "1, 2", "0x1", Array(17).fill("1").join(",")])
    usage(() => exitsOf("--ok-exits", bad), /--ok-exits .*64,78/s);
  usage(() => priorityOf("--priority", "prodution"), /did you mean "production"/);
  usage(() => priorityOf("--priority", "451"));
  assert.deepEqual(pairOf("--env", "A=b=c"), ["A", "b=c"]);
  usage(() => pairOf("--env", "=b"));
  assert.equal(whenMsOf("--until", "1970-01-02", 5), 86_400_000);
  assert.equal(whenMsOf("--until", "30d", 5), 30 * 86_400_000 + 5);
  usage(() => whenMsOf("--until", "2030-02-31", 0));
});
