/** The fast search against the slow way, on cells drawn from seeds. RUNS multiplies the counts, SEED repeats a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Random } from "../../src/base/random.ts";
import type { Instance, Job, Task } from "../../src/cell/state.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { placementOf } from "../../src/scheduler/placement.ts";
import { Candidates, type Choice } from "../../src/scheduler/search/candidates.ts";
import { Freed, hasSpace, type Need, needOf } from "../../src/scheduler/search/feasible.ts";
import { POLICIES } from "../../src/scheduler/search/policy.ts";
import { TERMS } from "../../src/scheduler/search/terms.ts";
import { settings } from "../cell/settings.ts";
import { feasible, leastHarm, type Worth } from "./brute.ts";
import { passOn, runningCell } from "./running-cell.ts";

/** Scores that differ by less were rounded differently. */
const SAME = 1e-9;

function expectBest(all: readonly Worth[], choice: Choice): void {
  const best = Math.max(...all.map(({ score }) => score));
  const chosen = all.find(({ place }) => place === choice.place);
  assert.ok(chosen !== undefined, `${choice.place.id} does not fit`);
  assert.ok(chosen.score >= best - SAME, `${choice.place.id} has ${chosen.score}, not ${best}`);
}

function expectVictims(mirror: Mirror, need: Need, choice: Choice): void {
  assert.deepEqual(feasible(mirror, need, "hybrid", mirror.totals), [], "victims, and yet it fits somewhere");
  const least = leastHarm(mirror, need);
  const highest = (victims: readonly Instance[]): number => Math.max(-1, ...victims.map((each) => (each.overRam ? -1 : each.priority)));
  assert.equal(highest(choice.victims), least?.highest);
  if (mirror.machines.size <= 8) assert.equal(choice.victims.length, least?.victims.length);
  for (const spared of choice.victims) {
    const freed = new Freed(mirror.name);
    for (const victim of choice.victims) if (victim !== spared) freed.take(victim);
    assert.ok(!hasSpace(mirror, need, choice.place, freed), `${spared.id} need not go`);
  }
}

test("blocks, bounds and caches give exactly the best score and the least harm of the slow way [scheduler.S4] [scheduler.S7] [scheduler.P4] [S3] [S4] [S9] [S10]", () => {
  const seen = { fits: 0, victims: 0, nowhere: 0 };
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(5, 8, 30, 90), fc.constantFrom(...POLICIES), (seed, machines, policy) => {
      const mirror = runningCell(seed, machines);
      const pass = passOn(mirror, policy);
      const { capacity, prodLimit, reserved } = mirror.totals;
      const totals = { capacity, prodLimit, reserved };
      const classes = new Map<Job, Candidates>();
      const waiting = [...mirror.waiting.keys()].flatMap(
        (id) => mirror.jobs.get(id)?.tasks.filter((task) => task.state === "pending") ?? [],
      );
      for (const task of new Random(seed, "order").shuffle<Task>(waiting).slice(0, 60)) {
        const need = needOf(task);
        const known = classes.get(task.job) ?? new Candidates(mirror, pass, need, mirror.tallyOf(task.job), undefined);
        classes.set(task.job, known);
        const choice = known.choose(task, 0);
        if (choice === undefined) {
          assert.deepEqual([feasible(mirror, need, policy, totals), leastHarm(mirror, need)], [[], undefined], `${task.id} could run`);
          seen.nowhere += 1;
          continue;
        }
        if (choice.victims.length === 0) expectBest(feasible(mirror, need, policy, totals), choice);
        else expectVictims(mirror, need, choice);
        seen[choice.victims.length === 0 ? "fits" : "victims"] += 1;
        mirror.plan("t", task, choice.place, need.limit, choice.victims);
      }
    }),
    settings(60),
  );
  console.log(`  brute: ${JSON.stringify(seen)}`);
  assert.ok(seen.fits > 300 && seen.victims > 30 && seen.nowhere > 30, JSON.stringify(seen));
});

test("why a task runs where it does: the parts of the score add up, and nobody who comes behind has more [scheduler.S13] [scheduler.X3] [G2]", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(5, 30), (seed, machines) => {
      const mirror = runningCell(seed, machines);
      for (const task of [...mirror.jobs.values()].flatMap((job) => job.tasks).slice(0, 40)) {
        const { instance } = task;
        const found = placementOf(mirror, task);
        if (found === undefined) continue;
        const { total, ...parts } = found.score;
        assert.deepEqual(Object.keys(parts), ["preference", ...Object.keys(TERMS), "packing", "mix", "spread"]);
        assert.ok(Math.abs(total - Object.values(parts).reduce((sum, part) => sum + part, 0)) < SAME);
        assert.equal(found.place, instance?.place.id);
        if (found.rank === 1) for (const other of found.runnersUp) assert.ok(other.score.total <= total);
      }
    }),
    settings(20),
  );
});
