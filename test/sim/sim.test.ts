/** A slice of the simulation: every seed that ever failed, by name, then new seeds for SIM_SECONDS, and the same seed twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULT_KINDS } from "../../src/fauxmaster/options.ts";
import { failureReport } from "../../src/fauxmaster/report.ts";
import type { World } from "../../src/fauxmaster/world.ts";
import { REGRESSIONS } from "./regressions.ts";
import { runSeed, runSeeds } from "./runner.ts";
import { shrink } from "./shrink.ts";

const SECONDS = Number(process.env["SIM_SECONDS"] ?? "25");
/** Another range every day; printed, so that it can be run again. */
const FIRST = Number(process.env["FIRST"] ?? 1_000_000 + Math.floor(Date.now() / 86_400_000) * 10_000);

for (const { seed, story } of REGRESSIONS) {
  test(`seed ${seed}: ${story} [KD1] [KD3] [KT3] [KS3]`, () => {
    const { kernel, options } = runSeed(seed);
    assert.equal(kernel.violation, undefined, failureReport(kernel, options));
  });
}

function smallestReport(failed: World): string {
  const { kernel, options } = shrink(failed);
  return failureReport(kernel, options);
}

test(`new seeds for ${SECONDS} s, with the faults each of them draws [KD1] [KD2] [KD3] [KD4] [KL1] [KL2] [KT2] [KT3] [KP3] [KS3] [M1] [B2] [B3] [S1] [S7] [O9]`, () => {
  const ran = runSeeds({ first: FIRST, seeds: 10_000, secondsMax: SECONDS });
  const [failure] = ran.failures;
  // Never the world itself: an assertion shows what it was given, and that is gigabytes of text.
  assert.ok(failure === undefined, failure === undefined ? "" : smallestReport(failure.world));
  console.log(`  ${ran.seeds} seeds from ${FIRST} on, ${Math.round(ran.simulatedSeconds)} simulated seconds, ${ran.calls} calls`);
  assert.ok(ran.seeds > 0);
});

test("five masters on the etcd journal, cut off from each other and from their store, their clocks wrong: every election keeps what was acknowledged [M2] [M3] [KD1] [KL1]", () => {
  const { kernel, options } = runSeed(5, { cell: "replicated", store: "etcd", masters: 5 });
  assert.equal(kernel.violation, undefined, failureReport(kernel, options));
  assert.ok(kernel.probes.of("elected") >= 5 && kernel.probes.of("deposed") > 0, String(kernel.probes));
});

test("the same seed gives the same trace, message by message, with all faults on [KD4] [G4]", () => {
  for (const cell of ["embedded", "replicated"] as const) {
    const told = { cell, masters: cell === "embedded" ? 1 : 3, faults: new Set(FAULT_KINDS), deepTrace: true };
    const [one, two] = [runSeed(7, told), runSeed(7, told)];
    assert.equal(one.kernel.trace.hash, two.kernel.trace.hash);
    assert.equal(one.kernel.events, two.kernel.events);
  }
});
