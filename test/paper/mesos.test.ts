/** What the Mesos paper measured, as far as the allocator decides it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { delayTrial } from "../../bench/delay-scheduling.ts";
import { TABLE2_INPUTS } from "../../bench/mesos/inputs.ts";
import { type MacroRun, macroRun } from "../../bench/mesos/macro.ts";
import { acquired, formulaOf, outcomeOf } from "../../bench/mesos/table2.ts";
import { type Name, TENANT_NAMES } from "../../bench/mesos/tenants.ts";

test("who waits a second for a machine with the data finds it nine times of ten, and is faster than on machines of its own (Mesos §6.3) [Z14]", () => {
  const [own, none, one] = [delayTrial(7, undefined), delayTrial(7, 0), delayTrial(7, 1_000)];
  assert.ok(own.local > 0.15 && own.local < 0.21, `${own.local} of the data is local on a static part of the machines`);
  assert.ok(none.local > own.local && one.local > 0.9, `${none.local} without a delay, ${one.local} with one second`);
  assert.ok(one.jobMs < none.jobMs && none.jobMs < own.jobMs);
});

test("large jobs that share by offers fill the gaps of others, nobody pays much for it, and the machines are used better than in quarters (Mesos §6.1) [Z15]", () => {
  const [fixed, shared] = [macroRun(1, false), macroRun(1, true)];
  const seconds = (done: readonly { readonly ms: number }[]): number => done.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const speedup = (name: Name): number => seconds(fixed.done[name]) / seconds(shared.done[name]);
  assert.deepEqual(
    TENANT_NAMES.map((name) => shared.done[name].length),
    [100, 10, 5, 8],
    "All jobs are done",
  );
  assert.ok(speedup("large") > 1.8, `Large jobs fill the gaps of the others: ${speedup("large")}`);
  assert.ok(speedup("facebook") > 1.05, `${speedup("facebook")}`);
  // One run of these two hangs on where the slow machines are and on who takes Spark's cores between two iterations.
  for (const name of ["spark", "torque"] as const) assert.ok(speedup(name) > 0.8, `${name}: ${speedup(name)}`);
  assert.ok(fixed.coldPart < 0.11 && shared.coldPart > fixed.coldPart, "Who gives its machines away reads its data again");
  const untilMs = 1_500_000;
  const used = ({ samples }: MacroRun): number =>
    samples.filter(({ timeMs }) => timeMs < untilMs).reduce((sum, { cpuUsed }) => sum + cpuUsed, 0);
  assert.ok(used(shared) > 1.1 * used(fixed));
  for (const { cores } of shared.samples) assert.ok(cores.reduce((sum, each) => sum + each, 0) <= 384, "Nobody has what another has");
});

test("ramp-up, completion and utilisation are what Table 2 says, for constant and exponential tasks (Mesos §4.2) [Z13]", () => {
  const k = TABLE2_INPUTS.entitled;
  for (const durations of ["constant", "exponential"] as const) {
    const runs = Array.from({ length: 20 }, (_, run) => acquired(durations, 100 + run));
    const mean = (of: (gotAt: readonly number[]) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
    for (const isElastic of [true, false]) {
      const formula = formulaOf(durations, k, 4, isElastic);
      // The paper's ln k is the mean of the largest of k drawn times without its constant, 0.58.
      const more = durations === "exponential" ? 0.58 : 0;
      const [ramp, completion] = [mean((run) => Math.max(...run)), mean((run) => outcomeOf(run, 4, isElastic).completion)];
      assert.ok(Math.abs(ramp - formula.ramp - more) < 0.5, `${durations}: ramp-up ${ramp}, formula ${formula.ramp}`);
      assert.ok(
        Math.abs(completion - formula.completion - (isElastic ? 0 : more)) < 0.5,
        `${durations}: ${completion}, not ${formula.completion}`,
      );
      const utilisation = mean((run) => outcomeOf(run, 4, isElastic).utilisation);
      assert.ok(Math.abs(utilisation - formula.utilisation) < 0.06, `${durations}: ${utilisation}, not ${formula.utilisation}`);
    }
  }
});
