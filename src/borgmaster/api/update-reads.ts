/** What people are told of updates: how far one has come, and what one would do. Only looks. */
import { type JobId, jobId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { toldBy } from "../../cell/face.ts";
import { gate } from "../../cell/gate.ts";
import { differsIn, foreseenProblem, sameKindProblem } from "../../cell/ops/updates.ts";
import { notOneOf } from "../../cell/ops/users.ts";
import { eitherSpec } from "../../cell/record/read.ts";
import { isAllocSet, nameOf, newFace } from "../../cell/spec.ts";
import type { CellState, Job, Spec, Task, Update } from "../../cell/state.ts";
import { isDead } from "../../cell/task.ts";
import { countOf, isIn, planOf, policyOf } from "../../cell/update-plan.ts";
import { make } from "../../wire/codec.ts";
import {
  type CheckUpdateRequest,
  type CheckUpdateResponse,
  CheckUpdateResponseSchema,
  type GetUpdateRequest,
  type UpdateView,
  UpdateViewSchema,
} from "../../wire/gen/borg/v1/api_pb.ts";
import { ActorKind, PrincipalSchema } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Copy } from "./copy.ts";
import { Meter } from "./price.ts";
import { shownState } from "./shown.ts";

const TASKS_MAX = 1000;

interface TaskLine {
  readonly task: string;
  readonly change: string;
  readonly verdict: string;
  readonly state: string;
}

export function getUpdate({ state }: Copy, { job: id }: GetUpdateRequest, _user: string, meter = new Meter()): Result<UpdateView> {
  const job = state.jobs.get(id as JobId);
  if (job === undefined) return noJob(id);
  meter.lookedAt(job.tasks.length);
  const { update, generation } = job;
  if (update === undefined) return ok(make(UpdateViewSchema, { job: id, generation, allocSet: isAllocSet(job) }));
  const lines = job.tasks.filter((task) => isMeant(task, update)).map((task) => lineOf(task, update, state));
  meter.answered(Math.min(lines.length, TASKS_MAX));
  const count = (is: (line: TaskLine) => boolean): number => lines.filter(is).length;
  const { phase, sinceMs, startedMs, reason, preempted } = update;
  return ok(
    make(UpdateViewSchema, {
      ...{ job: id, phase, sinceMs, startedMs, reason, generation, preempted, allocSet: isAllocSet(job) },
      passed: count(({ change, verdict }) => change !== "" && change !== "skip" && verdict !== "waiting" && verdict !== "failed"),
      waiting: count(({ verdict }) => verdict === "waiting"),
      failed: count(({ verdict }) => verdict === "failed"),
      skipped: count(({ change }) => change === "skip"),
      left: count(({ change }) => change === ""),
      disruptions: count(({ change }) => change === "move"),
      tasks: lines.slice(0, TASKS_MAX),
    }),
  );
}

const noJob = (id: string): Result<never> => refused(`Job "${id}" does not exist: borg ls shows those that do`);

const isMeant = (task: Task, { ranges }: Update): boolean => isIn(ranges, task.index) && (!isDead(task.state) || task.told !== undefined);

function lineOf(task: Task, update: Update, { timeMs: nowMs, version }: CellState): TaskLine {
  const told = toldBy(task);
  const isWatched = told !== undefined && ["restart", "move", "back"].includes(told.kind);
  const verdict = isWatched ? gate(task, told.timeMs, { forMs: policyOf(update).watchMs, nowMs, version }) : "";
  return { task: task.id, change: told?.kind ?? "", verdict, state: shownState(task) };
}

/** Whether the caller may update that job at all the update itself says. */
export function checkUpdate(
  { state }: Copy,
  request: CheckUpdateRequest,
  caller: string,
  meter = new Meter(),
): Result<CheckUpdateResponse> {
  const spec = eitherSpec(request);
  const { user, name } = spec === undefined ? { user: "", name: "" } : nameOf(spec);
  const id = jobId(user, name);
  const job = state.jobs.get(id);
  if (job === undefined || spec === undefined) return noJob(id);
  meter.lookedAt(job.tasks.length);
  const refusal = problemOf(job, spec) ?? foreseen(state, caller, job, request);
  if (refusal !== undefined) return ok(make(CheckUpdateResponseSchema, { refusal }));
  const face = newFace(spec);
  const planned = planOf(job, face, request.tasks, state.version);
  meter.answered(Math.min(planned.length, TASKS_MAX));
  const count = (change: string): number => planned.filter((each) => each.change === change).length;
  const more = countOf(job, face) - job.count;
  return ok(
    make(CheckUpdateResponseSchema, {
      already: differsIn(job, spec) === undefined,
      ...{ inPlace: count("in-place"), restarts: count("restart"), moves: count("move"), skipped: count("skip"), free: count("free") },
      added: Math.max(0, more),
      removed: Math.max(0, -more),
      tasks: planned.slice(0, TASKS_MAX).map(({ task, change }) => ({ task: task.id, change, state: shownState(task) })),
    }),
  );
}

/** For those alone who could begin it: it tells which secrets, packages and quota the owner has. */
function foreseen(state: CellState, caller: string, job: Job, request: CheckUpdateRequest): string | undefined {
  const spec = eitherSpec(request);
  const actor = make(PrincipalSchema, { kind: ActorKind.USER, name: caller });
  if (spec === undefined || notOneOf(state, actor, ["owner"], "updateStart", job.owner) !== undefined) return undefined;
  return foreseenProblem({ state, actor }, job, spec, request.tasks);
}

function problemOf(job: Job, spec: Spec): string | undefined {
  const kind = sameKindProblem(job, spec);
  if (kind !== undefined) return kind;
  if (job.update !== undefined && job.update.phase !== "rolled")
    return `Job "${job.id}" is being updated already: wait for its end, or undo it (borg update undo ${job.id})`;
  return undefined;
}
