/** Suggestions are tried before they are made: with the job's whole spec, its spread and its gang, by the passes that would place it. */
import { type JobId, splitTask, taskOf } from "../../base/id.ts";
import { ZERO } from "../../base/vector.ts";
import { sizesOf } from "../../cell/amounts.ts";
import { lowestOf } from "../../cell/ops/admission.ts";
import { quotaProblem } from "../../cell/ops/quota.ts";
import { isGang } from "../../cell/spec.ts";
import type { CellState, Job } from "../../cell/state.ts";
import type { Suggestion } from "../../scheduler/suggestion.ts";
import type { Init } from "../../wire/codec.ts";
import type { ExplainChangeSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { SchedulingMode, type Spread } from "../../wire/gen/borg/v1/spec_pb.ts";
import { previewOf } from "./preview.ts";

/** Whether a task would be placed then; of a gang all that wait. A band that the owner has no quota for is no help. */
export function helps(state: CellState, job: Job, scheduler: string, change: Suggestion): boolean {
  if (change.kind === "priority" && !mayUse(state, job, change.priority)) return false;
  const { placed, victims } = previewOf(state, job.id, scheduler, changed(job, change));
  // The job's own tasks would have the new priority too, and not go for each other.
  const isOwn = victims.some(({ instance }) => splitTask(taskOf(instance ?? "")).job === job.id);
  return !isOwn && placed >= (isGang(job) ? waiting(job) : 1);
}

const waiting = (job: Job): number => job.tasks.filter((task) => task.state === "pending").length;

function mayUse(state: CellState, job: Job, priority: number): boolean {
  const user = state.users.get(job.owner);
  const set = state.jobs.get(job.wants.allocSet as JobId);
  // Nothing inside an alloc is above the set.
  if (set !== undefined && priority > lowestOf(set)) return false;
  return user !== undefined && quotaProblem(state, user, priority, job.charge, ZERO) === undefined;
}

function changed({ spec }: Job, change: Suggestion): Job["spec"] {
  const common = (): Partial<{ priority: number; spread: Spread }> =>
    change.kind === "priority" ? { priority: change.priority } : change.kind === "spread" ? { spread: change.to } : {};
  const without = change.kind === "constraint" ? change.without : undefined;
  if (spec.kind === "alloc-set") {
    const { allocSet } = spec;
    const limit = change.kind === "less" ? limitOf(change, allocSet.limit) : allocSet.limit;
    const constraints = allocSet.constraints.filter((each) => !isSame(each, without));
    return { kind: "alloc-set", allocSet: { ...allocSet, ...common(), constraints, ...(limit === undefined ? {} : { limit }) } };
  }
  if (spec.kind === "framework") return spec;
  const { job } = spec;
  const limit = change.kind === "less" ? limitOf(change, job.task?.limit) : job.task?.limit;
  const task = job.task === undefined ? undefined : { ...job.task, ...(limit === undefined ? {} : { limit }) };
  const constraints = job.constraints.filter((each) => !isSame(each, without));
  const beside = job.beside.filter((each) => change.kind !== "beside" || each.job !== change.without);
  return { kind: "job", job: { ...job, ...common(), constraints, beside, ...(task === undefined ? {} : { task }) } };
}

type Constraint = Extract<Suggestion, { readonly kind: "constraint" }>["without"];

/** The change was made of a copy of the spec. */
const isSame = (a: Constraint, b: Constraint | undefined): boolean =>
  b !== undefined && a.attribute === b.attribute && a.operator === b.operator && a.values.join("\0") === b.values.join("\0");

type Limit = NonNullable<NonNullable<Extract<Job["spec"], { kind: "job" }>["job"]["task"]>["limit"]>;

function limitOf({ limit }: Extract<Suggestion, { readonly kind: "less" }>, before: Limit | undefined): Limit | undefined {
  if (before === undefined) return undefined;
  const extras = before.extras.map((extra) => ({ ...extra, amount: limit.extras.find(({ name }) => name === extra.name)?.amount ?? 0 }));
  return { ...before, ...sizesOf(limit), extras };
}

interface Gang {
  readonly problem: string;
  readonly changes: readonly Init<typeof ExplainChangeSchema>[];
}

/** A gang of which one task would fit, but not all: how many would, and what that suggests. */
export function gangOf(state: CellState, job: Job, scheduler: string): Gang | undefined {
  if (job.spec.kind !== "job" || previewOf(state, job.id, scheduler).placed > 0) return undefined;
  const all = waiting(job);
  const mode = SchedulingMode.INCREMENTAL;
  const { placed } = previewOf(state, job.id, scheduler, { kind: "job", job: { ...job.spec.job, mode } });
  return {
    problem: `starts only together with the ${all - 1} other pending tasks of its job, and there is room for ${placed} of ${all}`,
    changes:
      placed === 0
        ? []
        : [
            { change: 'let tasks start as they find room: mode = "incremental"', machines: 0 },
            { change: `ask for ${placed} tasks instead of ${all}`, machines: 0 },
          ],
  };
}
