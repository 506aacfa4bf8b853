/** One time axis for all of a page: as long as was asked for, never without length, and what is beyond it is at its end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axisOf, percentAt } from "./app/axis.ts";

const NOW = 1_800_000_000_000;
const minutes = (span: string, firstMs: number): number => {
  const { fromMs, toMs } = axisOf(span, firstMs, NOW);
  assert.equal(toMs, NOW);
  return (toMs - fromMs) / 60_000;
};

test("an axis ends now and is as long as the address says, or as what is told; without a word, or with a strange one, up to an hour [N5]", () => {
  assert.deepEqual(
    ["", "5m", "1d", "<b>"].map((span) => minutes(span, NOW - 600_000)),
    [10, 5, 1440, 10],
  );
  assert.equal(minutes("", NOW - 7_200_000), 60);
  assert.deepEqual([minutes("all", NOW - 600_000), minutes("all", NOW), minutes("all", NOW + 5000)], [10, 2, 2]);
});

test("times stand along the axis in percent, those beyond it at its ends [N5]", () => {
  const axis = { fromMs: 1000, toMs: 3000 };
  assert.deepEqual(
    [500, 1000, 1500, 3000, 9000].map((ms) => percentAt(axis, ms)),
    [0, 0, 25, 100, 100],
  );
});
