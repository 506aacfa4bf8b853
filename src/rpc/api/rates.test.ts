import assert from "node:assert/strict";
import { test } from "node:test";
import { Rates } from "./rates.ts";

test("a burst goes through, then so many calls a second; one user's do not count for another [KB1] [P11]", () => {
  const rates = new Rates(10, 3);
  assert.deepEqual(
    [0, 0, 0, 0, 50, 100, 100].map((nowMs) => rates.take("ann", nowMs)),
    [0, 0, 0, 100, 50, 0, 100],
  );
  assert.equal(rates.take("bob", 100), 0);
  assert.deepEqual(
    [100_000, 100_000, 100_000, 100_000].map((nowMs) => rates.take("ann", nowMs)),
    [0, 0, 0, 100],
  );
});
