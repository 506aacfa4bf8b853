/** What must hold of updates: who runs which spec, how much they disturb, and when they go on. In words of their own, like all invariants. [KP2] [KU1] [KU2] */
import { DIMENSIONS } from "../base/dimension.ts";
import { plus, type Vector, ZERO } from "../base/vector.ts";
import { firstDifference } from "../wire/difference.ts";
import type { Op } from "../wire/gen/borg/v1/op_pb.ts";
import { AllocSetSpecSchema, JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Done } from "./cell.ts";
import type { Findings } from "./invariants.ts";
import { downMaxOf, hasEnded, hasPlace, isOnePerMachine, isToldTo, limitAt, specNamed, wantsGang } from "./invariants-words.ts";
import type { CellState, Instance, Job, Task, Update } from "./state.ts";

/** Ten minutes after it was changed, who is not well has failed. */
const PATIENCE_MS = 600_000;

export function checkUpdate(findings: Findings, job: Job): void {
  const { update } = job;
  for (const task of job.tasks) checkRuns(findings, task);
  const max = update?.wants.update?.disruptionsMax;
  const moved = job.tasks.filter(({ told }) => told !== undefined && told.generation === update?.generation && told.kind === "move");
  findings.expect(
    max === undefined || moved.length <= max,
    "KP2",
    () => `The update of job "${job.id}" made ${moved.length} tasks leave their machines, and ${max} may`,
  );
  findings.expect(
    update === undefined || (update.generation > job.generation && job.state !== "dead"),
    "KU1",
    () => `Job "${job.id}" (${job.state}, generation ${job.generation}) is updated to generation ${update?.generation}`,
  );
}

/** Whoever has a place runs what it was told to: the update's spec or the one before. An update that is over, and was undone, left nobody behind. */
function checkRuns(findings: Findings, { job, told, instance, state, id }: Task): void {
  if (instance === undefined || !hasPlace(state)) return;
  const { update } = job;
  const isNew = update !== undefined && instance.generation === update.generation;
  findings.expect(
    isNew === isToldTo({ job, told }),
    "KU1",
    () => `"${instance.id}" runs generation ${instance.generation}, and its task was told ${told?.kind ?? "nothing"} (${told?.generation})`,
  );
  findings.expect(
    isNew || instance.generation <= job.generation,
    "KU1",
    () => `"${id}" runs generation ${instance.generation} of an update that was undone; its job has ${job.generation}`,
  );
}

/** What a job and its update hold in the band of each: of every task the larger of both limits where the bands are one. */
export function heldBoth(job: Job, update: Update, isOneBand: boolean): { readonly own: Vector; readonly beside: Vector } {
  if (update.wants.allocSet !== "") return { own: ZERO, beside: ZERO };
  const [before, after] = isOnePerMachine(job) ? [job.pins.size, job.pins.size] : [update.countBefore, update.wants.count];
  let [own, beside] = [ZERO, ZERO];
  for (let index = 0; index < Math.max(before, after); index++) {
    const old = index < before ? limitAt(job, index) : ZERO;
    const fresh = index < after ? limitAt(update, index) : ZERO;
    own = plus(own, isOneBand ? largest(old, fresh) : old);
    if (!isOneBand) beside = plus(beside, fresh);
  }
  return { own, beside };
}

function largest(a: Vector, b: Vector): Vector {
  let vector: Vector = a;
  for (const dimension of DIMENSIONS) if (b[dimension] > vector[dimension]) vector = { ...vector, [dimension]: b[dimension] };
  const names = [...new Set([...a.extras, ...b.extras].map(({ name }) => name))].sort();
  const of = ({ extras }: Vector, name: string): number => extras.find((each) => each.name === name)?.amount ?? 0;
  return { ...vector, extras: names.map((name) => ({ name, amount: of(a, name) > of(b, name) ? of(a, name) : of(b, name) })) };
}

/** What a step of an update did. */
export function checkStep(findings: Findings, state: CellState, { body }: Op, { events }: Done): void {
  if (body.case !== "updateStep") return;
  const job = state.jobs.get(body.value.job as Job["id"]);
  const update = job?.update;
  if (job === undefined || update === undefined) return;
  const stopped = job.tasks.filter(({ id }) =>
    events.some(({ kind, subject, to, cause }) => kind === "task.state" && subject === id && to === "stopping" && cause === "update"),
  );
  for (const task of stopped) checkReason(findings, state, job, task);
  checkInside(findings, state, job, events);
  if (stopped.length > 0) checkPace(findings, state, job, update, stopped);
  const failed = job.tasks.filter((task) => isChanged(task, update) && hasFailed(state, task, update));
  const max = update.wants.update?.failuresMax ?? 0;
  findings.expect(
    update.phase !== "rolling" || failed.length <= max,
    "KU2",
    () => `The update of job "${job.id}" goes on with ${failed.length} failed tasks, and ${max} may`,
  );
}

/** Nobody is stopped for what never needs it (Borg §2.3: "others, such as changing priority, can always be done without restarting"). */
function checkReason(findings: Findings, state: CellState, job: Job, { id, instance, told }: Task): void {
  const before = instance === undefined ? undefined : specNamed(job, instance.generation);
  const after = told?.kind === "back" ? job.spec : job.update?.spec;
  // An empty alloc is placed again in the same step, and names the new spec already.
  if (before?.kind === "alloc-set" && after?.kind === "alloc-set" && before !== after) {
    const { priority: changed, update } = after.allocSet;
    const alike = firstDifference(
      AllocSetSpecSchema,
      { ...before.allocSet, priority: changed, ...(update === undefined ? {} : { update }) },
      after.allocSet,
    );
    findings.expect(alike !== undefined, "KU2", () => `Alloc "${id}" was stopped by an update that changes its priority and nothing else`);
  }
  if (before?.kind !== "job" || after?.kind !== "job") return;
  // Below version 8 rules of place that had not changed were asked of its machine again, and others may have come there since.
  if (state.version < 8 && (after.job.beside.length > 0 || after.job.constraints.length > 0 || after.job.spread !== 0)) return;
  const { priority } = after.job;
  findings.expect(
    firstDifference(JobSpecSchema, { ...before.job, priority }, after.job) !== undefined,
    "KU2",
    () => `"${id}" was stopped by an update that changes its priority and nothing else`,
  );
}

/** No more at a time than the job allows, and only when those before are well. */
function checkPace(findings: Findings, state: CellState, job: Job, update: Update, stopped: readonly Task[]): void {
  const batch = wantsGang(update) ? Number.POSITIVE_INFINITY : Math.max(1, update.wants.update?.batch ?? 1);
  findings.expect(
    stopped.length <= batch,
    "KP2",
    () => `The update of job "${job.id}" stopped ${stopped.length} tasks at once, and ${batch} may be changed at a time`,
  );
  const early = job.tasks.filter(
    (task) =>
      !stopped.includes(task) &&
      task.told?.timeMs !== state.timeMs &&
      isChanged(task, update) &&
      !isWell(state, task, update) &&
      !hasFailed(state, task, update),
  );
  findings.expect(early.length === 0, "KU2", () => `The update of job "${job.id}" went on before "${early[0]?.id}" was well`);
  const most = Math.min(downMaxOf(job) ?? Number.POSITIVE_INFINITY, downMaxOf(update) ?? Number.POSITIVE_INFINITY);
  const taken = stopped.filter(({ instance }) => instance !== undefined && wasUp(instance));
  const down = job.tasks.filter(
    ({ state: is, instance }) => !hasEnded(is) && !(is === "running" && instance !== undefined && wasUp(instance)),
  );
  findings.expect(
    taken.length === 0 || down.length <= most,
    "KP2",
    () => `The update of job "${job.id}" has ${down.length} tasks down, and ${most} may be`,
  );
}

/**
 * Allocs that move take along what is inside: of each job no more than may be down, but for one alloc that holds more of it than that. Where a job is down for
 * other reasons, too, nothing of it goes.
 */
function checkInside(findings: Findings, state: CellState, set: Job, events: Done["events"]): void {
  const taken = new Map<Job, number>();
  for (const { kind, subject, to, cause } of events) {
    if (kind !== "task.state" || to !== "stopping" || cause !== "update") continue;
    const inner = state.jobs.get(subject.slice(0, subject.lastIndexOf("/")) as Job["id"]);
    const instance = inner?.tasks[Number(subject.slice(subject.lastIndexOf("/") + 1))]?.instance;
    if (inner !== undefined && inner !== set && instance !== undefined && wasUp(instance)) taken.set(inner, (taken.get(inner) ?? 0) + 1);
  }
  for (const [inner, count] of taken) {
    const most = Math.min(
      ...[inner, ...(inner.update === undefined ? [] : [inner.update])].map((each) => downMaxOf(each) ?? Number.POSITIVE_INFINITY),
    );
    const down = inner.tasks.filter(
      ({ state: is, instance }) => !hasEnded(is) && !(is === "running" && instance !== undefined && wasUp(instance)),
    ).length;
    findings.expect(
      down <= most || down === count,
      "KP2",
      () => `The update of alloc set "${set.id}" took ${count} tasks of job "${inner.id}" down, so that ${down} are, and ${most} may be`,
    );
  }
}

/** Whether the update has changed what it runs, and it has to show that it is well. */
function isChanged({ told }: Task, { generation, phase }: Update): boolean {
  if (told?.generation !== generation) return false;
  return phase === "undoing" ? told.kind === "back" : told.kind === "restart" || told.kind === "move";
}

/** Runs, can be reached, and what its spec has asked of it is answered well. */
function wasUp({ task, generation, startedMs, faring, place, inside }: Instance): boolean {
  // An alloc runs nothing that could be asked: it is up where it stands.
  if (inside !== undefined) return place.machine.reachable;
  if (startedMs === 0 || faring.backOffUntilMs > 0 || !place.machine.reachable) return false;
  const spec = specNamed(task.job, generation);
  const asked = spec?.kind === "job" ? spec.job.task : undefined;
  return asked?.ready !== undefined ? faring.wellMs > 0 : asked?.health === undefined || faring.health === "good";
}

function isWell(state: CellState, task: Task, { wants }: Update): boolean {
  const { instance } = task;
  if (hasEnded(task.state)) return true;
  if (task.state !== "running" || instance === undefined || !wasUp(instance)) return false;
  const { inside, placedMs, startedMs } = instance;
  const { runMs } = instance.faring;
  const upMs = state.timeMs - (inside !== undefined ? placedMs : runMs > 0 ? runMs : startedMs);
  return upMs >= (wants.update === undefined ? 10_000 : wants.update.watchMs);
}

function hasFailed(state: CellState, task: Task, update: Update): boolean {
  if (hasEnded(task.state)) return task.cause === "failed" || task.cause === "lost";
  const { instance, told } = task;
  if (task.failures > 0 || (instance !== undefined && instance.stop === undefined && instance.faring.failures > 0)) return true;
  if (told === undefined || state.timeMs - told.timeMs < PATIENCE_MS) return false;
  // Since version 5 who is up late is given its time.
  return state.version < 5 ? !isWell(state, task, update) : !(task.state === "running" && instance !== undefined && wasUp(instance));
}
