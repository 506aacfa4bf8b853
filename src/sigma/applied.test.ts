/** A suggestion that is applied changes what it names, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { appliedSpec } from "./app/applied.ts";

test("A suggestion becomes a spec in which only that is changed; words alone become none [N5] [N7]", () => {
  const ssd = { attribute: "disk", operator: "OPERATOR_EQUAL", values: ["ssd"] };
  const spec = {
    user: "ann",
    priority: 100,
    task: { command: ["x"], limit: { cpuMilli: 1, ramBytes: 9 } },
    constraints: [ssd, { attribute: "os" }],
  };
  assert.deepEqual(appliedSpec(spec, { change: "", limit: { ramBytes: 4 } }), {
    ...spec,
    task: { command: ["x"], limit: { cpuMilli: 1, ramBytes: 4 } },
  });
  assert.deepEqual(appliedSpec(spec, { change: "", priority: 120 }), { ...spec, priority: 120 });
  assert.deepEqual(appliedSpec(spec, { change: "", without: { ...ssd } }), { ...spec, constraints: [{ attribute: "os" }] });
  assert.deepEqual(appliedSpec({ beside: [{ job: "a/b" }, { job: "c/d" }] }, { change: "", beside: "a/b" }), { beside: [{ job: "c/d" }] });
  assert.deepEqual(appliedSpec(spec, { change: "", spread: "SPREAD_SOFT" }), { ...spec, spread: "SPREAD_SOFT" });
  assert.equal(appliedSpec(spec, { change: "only words" }), undefined);
  assert.equal(appliedSpec(spec, { change: "", without: { attribute: "gone" } }), undefined, "it is not there any more");
});
