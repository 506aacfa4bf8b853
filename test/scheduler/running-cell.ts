/** Cells drawn from a seed, at work. */
import { build } from "../../bench/cells/plan.ts";
import { commit } from "../../bench/schedule.ts";
import { imageOf } from "../../src/cell/feed.ts";
import type { PlannedClaim } from "../../src/scheduler/message.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { Candidates, type PassState } from "../../src/scheduler/search/candidates.ts";
import { needOf } from "../../src/scheduler/search/feasible.ts";
import type { Policy } from "../../src/scheduler/search/policy.ts";
import { ALL_SHORTCUTS } from "../../src/scheduler/search/search.ts";
import { Shares } from "../../src/scheduler/search/shares.ts";
import { randomCell } from "./random-cell.ts";
import { mirrorOf } from "./support.ts";

/** A cell half of whose work was placed and runs, and the other half waits. */
export function runningCell(seed: number, machines: number): Mirror {
  const state = build(randomCell(seed, machines, 3 * machines));
  const mirror = mirrorOf(imageOf(state));
  const pass = passOn(mirror, "hybrid");
  const claims: PlannedClaim[] = [];
  for (const job of [...mirror.jobs.values()].slice(0, 2 * machines)) {
    for (const task of job.tasks) {
      const need = needOf(task);
      const choice = new Candidates(mirror, pass, need, mirror.tallyOf(job), undefined).choose(task, 0);
      if (choice === undefined || choice.victims.length > 0) continue;
      mirror.plan("before", task, choice.place, need.limit, []);
      claims.push({
        task: task.id,
        incarnation: task.incarnation,
        place: choice.place.id,
        victims: [],
        seen: choice.place.machine.sequence,
      });
    }
  }
  commit(state, { id: "before", claims, allOrNothing: false });
  return mirrorOf(imageOf(state));
}

export function passOn(mirror: Mirror, policy: Policy): PassState {
  mirror.demand.renew();
  const shares = new Shares(mirror.totals);
  return { policy, shortcuts: ALL_SHORTCUTS, shares, planned: [], transaction: "t", looks: Number.POSITIVE_INFINITY };
}
