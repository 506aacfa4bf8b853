/** What a page knows of a machine over time grows by what is new, in order, up to a bound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { grown, type MachineMoment, NO_MOMENTS } from "./app/machine-moments.ts";

const from = (first: number, count: number): readonly MachineMoment[] => Array.from({ length: count }, (_, i) => ({ timeMs: first + i }));

test("a machine's moments are those told before and those that are new, each once, and no more than 900 [N5]", () => {
  const first = grown(NO_MOMENTS, from(1, 60));
  assert.equal(grown(first, from(1, 60)), first, "nothing new is nothing to draw");
  assert.deepEqual(grown(first, from(31, 60)), from(1, 90));
  assert.deepEqual(grown(from(1, 900), from(850, 60)), from(10, 900));
});
