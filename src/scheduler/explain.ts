/**
 * Why a task is pending, computed by the tests that decide: for each place the first one that fails, counted, and by how much; and the
 * smallest changes that would place it, each tried out (change.ts). Not part of a pass, and nothing of it is a promise.
 */
import { compareIds } from "../base/id.ts";
import { faceOf } from "../cell/face.ts";
import { isGang, limitOf } from "../cell/spec.ts";
import type { Task } from "../cell/state.ts";
import { machineOf } from "../cell/volume.ts";
import { victimsAt } from "./evict/preempt.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { TRANSACTION_CLAIMS_MAX } from "./pass.ts";
import { placesOf } from "./search/candidates.ts";
import { limitsProblem, machineProblem, needOf, type Shortfall, shortfallAt, spaceProblem, withinCap } from "./search/feasible.ts";
import { type Suggestion, suggestionsFor } from "./suggestion.ts";

export interface Reason {
  readonly reason: string;
  readonly places: number;
  /** Of a resource: what is missing where least is missing; nobody could be evicted for it. */
  readonly missing?: Shortfall;
}

export interface Explanation {
  /** What holds it up wherever it would go. */
  readonly problem: string | undefined;
  /** Places that would take it, with or without victims. */
  readonly feasible: number;
  /** The most frequent reason first. */
  readonly reasons: readonly Reason[];
  /** If there is no place for it: what would make one. The smallest of each kind, those that open most places first. */
  readonly changes: readonly Suggestion[];
}

export function explain(mirror: Mirror, task: Task, nowMs: number): Explanation {
  const need = needOf(task);
  const reasons = new Map<string, Reason>();
  let feasible = 0;
  for (const place of placesOf(mirror, need)) {
    const machine = machineProblem(need, place.machine);
    const reason = machine ?? spaceProblem(mirror, need, place);
    if (reason === undefined || (machine === undefined && victimsAt(mirror, need, place) !== undefined)) feasible += 1;
    else note(reasons, reason, machine === undefined ? shortfallAt(need, place) : undefined);
  }
  return {
    problem: taskProblem(mirror, task, nowMs),
    feasible,
    reasons: [...reasons.values()].sort((a, b) => b.places - a.places || compareIds(a.reason, b.reason)),
    changes: feasible > 0 || task.state !== "pending" ? [] : suggestionsFor(mirror, need),
  };
}

function note(reasons: Map<string, Reason>, reason: string, missing: Shortfall | undefined): void {
  const known = reasons.get(reason);
  const least = known?.missing === undefined || (missing !== undefined && missing.amount < known.missing.amount) ? missing : known.missing;
  reasons.set(reason, { reason, places: (known?.places ?? 0) + 1, ...(least === undefined ? {} : { missing: least }) });
}

/** Its volumes are on a machine that does not answer, or is no more. Nobody else can know whether what was written there may be left behind. */
function lostProblem(mirror: Mirror, task: Task): string | undefined {
  const pinned = machineOf(task);
  if (pinned === undefined || faceOf(task).wants.perMachine) return undefined;
  const machine = mirror.machines.get(pinned);
  if (machine?.reachable) return undefined;
  const { keptDirectory } = faceOf(task).wants;
  const how = machine === undefined ? "is no longer in the cell" : "does not answer";
  if (keptDirectory !== "") return `is pinned to machine ${pinned}, which has the directory of ${keptDirectory} and ${how}: wait for it`;
  return `is pinned to machine ${pinned}, which has its volumes and ${how}: wait for it, or borg unpin ${task.id} lets it start elsewhere without what it wrote`;
}

function taskProblem(mirror: Mirror, task: Task, nowMs: number): string | undefined {
  const { job } = task;
  const face = faceOf(task);
  if (job.held) return "waits for another job's end";
  if (task.state === "stopping") return "still has an instance that stops";
  if (task.state !== "pending") return "is not pending";
  const lost = lostProblem(mirror, task);
  if (lost !== undefined) return lost;
  if (task.notBeforeMs > nowMs) return `backs off, next try in ${Math.ceil((task.notBeforeMs - nowMs) / 1000)} s`;
  const limits = limitsProblem(mirror, { job, face });
  if (limits !== undefined) return limits;
  if (!withinCap(mirror, limitOf(face, task.index))) return `would take scheduler "${mirror.name}" above its cap`;
  const waiting = mirror.waiting.get(job.id)?.indexes.size ?? 0;
  if (isGang(face) && waiting > TRANSACTION_CLAIMS_MAX)
    return `is one of ${waiting} that start together, more than ${TRANSACTION_CLAIMS_MAX}`;
  if (isGang(face) && waiting > 1) return `starts only together with the ${waiting - 1} other pending tasks of its job`;
  return undefined;
}
