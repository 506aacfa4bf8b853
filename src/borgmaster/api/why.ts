/**
 * Why a task is not running, and what a submit would do: asked of the code that decides, on a copy of the cell. Costly in a large cell, so it is
 * asked of the follower, in its own thread. Nothing it finds is a promise: the cell goes on meanwhile.
 */
import { compareIds, type JobId } from "../../base/id.ts";
import { type Result, refused } from "../../base/result.ts";
import { boundProblem, outgrown } from "../../cell/bounds.ts";
import { apply } from "../../cell/cell.ts";
import { forkOf } from "../../cell/checkpoint/decode.ts";
import { faceOf } from "../../cell/face.ts";
import { userOp } from "../../cell/op.ts";
import { isGang, limitOf } from "../../cell/spec.ts";
import { specBytesOf } from "../../cell/spec-weight.ts";
import type { CellState, Job, Task, User } from "../../cell/state.ts";
import { explain } from "../../scheduler/explain.ts";
import { Mirror } from "../../scheduler/mirror/mirror.ts";
import { placementOf } from "../../scheduler/placement.ts";
import { SERVICE } from "../../scheduler/responsibility.ts";
import { type Init, make } from "../../wire/codec.ts";
import { type CheckJobResponse, CheckJobResponseSchema, type Explanation, ExplanationSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { imageAround, isOnMachines, previewOf } from "./preview.ts";
import { type ShownState, shownState } from "./shown.ts";
import { absentText, endText, launchedText, preemptionLines, readyLines, schedulerNamed, volumeLines, waitText } from "./why-state.ts";
import { backOffText, changeParts, changeText, reasonText, troubleText } from "./why-text.ts";
import { gangOf, helps } from "./why-trial.ts";

export function whyOf(state: CellState, name: string, nowMs = state.timeMs): Result<Explanation> {
  const task = explained(state, name);
  if (task === undefined && state.jobs.has(name as JobId)) return refused(`"${name}" has no tasks now: borg show ${name} says what it is`);
  if (task === undefined) return refused(`"${name}" is neither a job nor a task of this cell: borg ls shows what there is`);
  return { ok: true, value: explanationOf(state, task, nowMs) };
}

/** Of a job its first pending task, or else the first that backs off or is not ready, or its first. */
function explained(state: CellState, name: string): Task | undefined {
  const job = state.jobs.get(name as JobId);
  if (job !== undefined) {
    const first = (state: ShownState): Task | undefined => job.tasks.find((task) => shownState(task) === state);
    return first("pending") ?? first("backing-off") ?? job.tasks.find((task) => readyLines(task).length > 0) ?? job.tasks[0];
  }
  const slash = name.lastIndexOf("/");
  return state.jobs.get(name.slice(0, slash) as JobId)?.tasks[Number(name.slice(slash + 1))];
}

function explanationOf(state: CellState, task: Task, nowMs: number): Explanation {
  const shown = shownState(task);
  const said = { task: task.id, state: shown, inAlloc: task.job.wants.allocSet !== "" };
  if (shown === "backing-off") return make(ExplanationSchema, { ...said, problem: backOffText(task, nowMs) });
  if (shown === "dead" || shown === "ending") return make(ExplanationSchema, { ...said, problem: endText(task) });
  if (task.launched !== undefined)
    return make(ExplanationSchema, { ...said, problem: troubleText(task), summary: [...readyLines(task), launchedText(task)] });
  const mirror = new Mirror(schedulerOf(state, task.job));
  const problem = mirror.load(imageAround(state, task.job.id));
  const mirrored = mirror.jobs.get(task.job.id)?.tasks[task.index];
  if (problem !== undefined || mirrored === undefined)
    return make(ExplanationSchema, { ...said, problem: problem ?? "cannot be explained" });
  const waits = shown === "pending" || shown === "stopping";
  if (waits) return make(ExplanationSchema, { ...said, ...whyNot(state, mirror, mirrored, nowMs) });
  const here = whyHere(mirror, mirrored);
  return make(ExplanationSchema, { ...said, problem: troubleText(task), ...here, summary: [...readyLines(task), ...(here.summary ?? [])] });
}

function whyNot(state: CellState, mirror: Mirror, task: Task, nowMs: number): Init<typeof ExplanationSchema> {
  const found = explain(mirror, task, nowMs);
  const waiting = waitText(state, task, nowMs);
  const gang = waiting === undefined && isGang(faceOf(task)) && found.feasible > 0 ? gangOf(state, task.job, mirror.name) : undefined;
  const trials = waiting === undefined ? found.changes.filter((change) => helps(state, task.job, mirror.name, change)) : [];
  return {
    problem: waiting ?? gang?.problem ?? found.problem ?? absentText(task, found.feasible, nowMs) ?? "",
    feasible: found.feasible,
    reasons: found.reasons.map((reason) => ({ reason: reasonText(reason), machines: reason.places })),
    changes: [
      ...trials.map((change) => ({
        ...{ change: changeText(change, limitOf(faceOf(task), task.index)), machines: change.places },
        ...changeParts(change),
      })),
      ...(gang?.changes ?? []),
    ],
    summary: [...preemptionLines(state, task, nowMs), ...volumeLines(state, task), ...(found.feasible === 0 ? allocLines(task) : [])],
  };
}

/** Who runs in a set is helped by more of it, too. */
function allocLines({ job: { wants } }: Task): readonly string[] {
  const { allocSet } = wants;
  return allocSet === ""
    ? []
    : [
        `It can only be in an alloc of ${allocSet}: more of them (borg scale ${allocSet} COUNT) or larger ones (borg update FILE) make room.`,
      ];
}

function placesText(count: number, { job: { wants } }: Task): string {
  const one = wants.allocSet === "" ? "machine" : "alloc";
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** What its machine has that others have not, as the score sees it now. */
function whyHere(mirror: Mirror, task: Task): Init<typeof ExplanationSchema> {
  const found = placementOf(mirror, task);
  if (found === undefined) return {};
  const { place, rank, feasible, score, runnersUp } = found;
  const points = (value: number): string => value.toFixed(3);
  const first = rank === 1 ? `${place} is the best` : `${place} would be number ${rank} today`;
  return {
    feasible,
    summary: [
      `${first} of ${placesText(feasible, task)} that would take it as they are, with ${points(score.total)} points.`,
      ...(runnersUp.length === 0 ? [] : [`Next: ${runnersUp.map((other) => `${other.place} ${points(other.score.total)}`).join(", ")}.`]),
    ],
    score: Object.entries(score)
      .filter(([part]) => part !== "total")
      .map(([part, value]) => ({ part, value: points(value as number) })),
  };
}

/** The one that has the job; when nobody has it, the one that would explain it. */
function schedulerOf(state: CellState, job: Job): string {
  const wanted = schedulerNamed(job);
  if (state.schedulers.has(wanted)) return wanted;
  return state.schedulers.has(SERVICE) ? SERVICE : ([...state.schedulers.keys()].sort(compareIds)[0] ?? "");
}

/** Tries a submit in a copy of as much of the cell as decides about it: what is on machines, the user's own jobs, and those that the spec names. */
export function checkJob(state: CellState, user: string, spec: JobSpec): CheckJobResponse {
  const named: ReadonlySet<string> = new Set([`${spec.user}/${spec.name}`, spec.startAfter, spec.allocSet]);
  const fork = forkOf(state, (job) => named.has(job.id) || job.owner === spec.user || isOnMachines(job));
  if (!fork.ok) return make(CheckJobResponseSchema, { refusal: fork.reason });
  const id = `${spec.user}/${spec.name}` as JobId;
  const before = fork.value.jobs.get(id);
  const exists = before !== undefined && before.state !== "dead";
  const outcome = apply(fork.value, userOp(user, "", { case: "jobSubmit", value: { spec } }));
  const answer: Init<typeof CheckJobResponseSchema> = { exists };
  if (!outcome.ok) return make(CheckJobResponseSchema, { ...answer, refusal: outcome.reason });
  const already = outcome.answer.type === "submitted" && outcome.answer.already;
  const first = fork.value.jobs.get(id)?.tasks[0];
  if (first === undefined || already) return make(CheckJobResponseSchema, { ...answer, already });
  const full = fullProblem(state, first.job);
  if (full !== undefined) return make(CheckJobResponseSchema, { ...answer, refusal: full });
  const { placed, partial, victims } = previewOf(fork.value, id, schedulerOf(fork.value, first.job));
  return make(CheckJobResponseSchema, {
    ...answer,
    explanation: explanationOf(fork.value, first, fork.value.timeMs),
    placed,
    partial,
    victims: [...victims],
  });
}

/** Whether the whole cell has room for what was admitted into a part of it. */
function fullProblem(state: CellState, { id, owner, spec, wants, tasks }: Job): string | undefined {
  const user = state.users.get(owner) as User;
  const growth = { jobs: 1, tasks: wants.perMachine ? tasks.length : wants.count, specBytes: specBytesOf(state, spec) };
  return boundProblem(state, user, growth, outgrown(state, user, growth, state.jobs.get(id)));
}
