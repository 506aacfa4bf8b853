/** What an update does with each task (Borg §2.3), and what it does next. Only looks: apply does it, and people are shown it before. */
import { equal, minus, plus, shortfall } from "../base/vector.ts";
import { isProd } from "../wire/band.ts";
import { make } from "../wire/codec.ts";
import { firstDifference } from "../wire/difference.ts";
import { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import { JobSpecSchema, RestartPolicySchema, type TaskSpec, TaskSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { UPDATE_DEFAULTS } from "../wire/spec-defaults.ts";
import { besideProblem, companyOn, hasLimits } from "./beside.ts";
import { unmet } from "./constraint.ts";
import { devicesFor, keepsDevices, NO_DEVICES } from "./device.ts";
import { domainOf, tasksInDomain } from "./domain.ts";
import { DownBudget } from "./down.ts";
import { isTold, toldBy } from "./face.ts";
import { gate } from "./gate.ts";
import { specOf } from "./generation.ts";
import { counts, freePorts, tasksOfJob } from "./place.ts";
import { isGang, isHardSpread, limitOf, taskSpecOf, wantsOf } from "./spec.ts";
import type { Face, Instance, Job, Place, Range, Task, Update } from "./state.ts";
import { isDead, isPlaced } from "./task.ts";
import { ADJUSTMENTS, STAYS, TREATED_LIVE } from "./version.ts";

/** `free`: it does not run, and starts with the new spec. `in-place`: nothing that it was started with changes. `move`: its machine is no longer for it. */
export type Change = "free" | "in-place" | "restart" | "move";

export interface Planned {
  readonly task: Task;
  readonly change: Change | "skip";
}

/** What an update does next. Undefined, where one is asked for: nothing. */
export type Step =
  | { readonly kind: "turn" | "return"; readonly tasks: readonly Planned[] }
  | { readonly kind: "undo"; readonly reason: string }
  | { readonly kind: "grow" | "rolled" | "undone" };

/** Three classes of change: some always restart, some only if they no longer fit, some never do. */
export function changeOf(task: Task, to: Face, version: number): Change {
  const { instance } = task;
  if (instance === undefined || !isPlaced(task.state)) return "free";
  if (!(version >= STAYS && standsAlike(instance, to)) && !isWelcome(task, instance, to)) return "move";
  if (instance.inside !== undefined) return isResizable(instance, to) ? "in-place" : "move";
  const isLive = version >= ADJUSTMENTS;
  if (runsAlike(instance, to, isLive) && (version >= TREATED_LIVE || isTreatedAlike(instance, to)))
    return !isLive || hasRoom(instance, to) ? "in-place" : "move";
  return fitsAgain(instance, to) ? "restart" : "move";
}

/** Nothing is said anew about where it may stand. What has come to its machine since, or has changed there, moves nobody whom the update would leave alone. */
function standsAlike(instance: Instance, { wants }: Face): boolean {
  const before = wantsOf(specOf(instance));
  const [was, is] = [before, wants].map(({ constraints, beside, spread }) => make(JobSpecSchema, { constraints, beside, spread }));
  return firstDifference(JobSpecSchema, was!, is!) === undefined;
}

/** Constraints, limits and spread: asked of the machine that it is on. */
function isWelcome({ job }: Task, instance: Instance, to: Face): boolean {
  const { machine } = instance.place;
  if (unmet(to.wants.constraints, machine.attributes) !== undefined) return false;
  const others = new Set([instance]);
  if (hasLimits(to) && besideProblem({ job, face: to }, false, companyOn(machine, others)) !== undefined) return false;
  const domain = domainOf(to);
  if (domain !== undefined) return tasksInDomain(job, domain, machine, others) === 0;
  return !isHardSpread(to) || tasksOfJob(machine, job.id, others) === 0;
}

/** An alloc has no processes of its own: it changes where its machine has room for it, and it for what is inside. Its ports and devices were given out by number. */
function isResizable(alloc: Instance, to: Face): boolean {
  const limit = limitOf(to, alloc.task.index);
  if (limit.ports !== alloc.ports.length || !keepsDevices(alloc, limit) || !hasRoom(alloc, to)) return false;
  const { reserved, prodLimit } = alloc.inside as Place;
  return shortfall(reserved, limit) === undefined && shortfall(prodLimit, limit) === undefined;
}

/** Whether it can stay with its new limit while it runs. */
export const canStay = (instance: Instance, to: Face): boolean =>
  instance.inside === undefined ? hasRoom(instance, to) : isResizable(instance, to);

function hasRoom(instance: Instance, to: Face): boolean {
  return equal(limitOf(to, instance.task.index), instance.limit) || fitsAgain(instance, to);
}

/** Whether its processes would be started just so again: program, arguments, environment, files, ports, limits. Live: but for what a running process can be held to anew. */
function runsAlike(instance: Instance, { wants }: Face, isLive: boolean): boolean {
  const before = wantsOf(specOf(instance));
  const { index } = instance.task;
  const [was, is] = [taskSpecOf(before, index), taskSpecOf(wants, index)];
  return firstDifference(TaskSpecSchema, isLive ? held(was) : was, isLive ? held(is) : is) === undefined;
}

/** Beside others, and when it fails. */
function isTreatedAlike(instance: Instance, { wants }: Face): boolean {
  const before = wantsOf(specOf(instance));
  if (before.appClass !== wants.appClass || before.disableReclamation !== wants.disableReclamation) return false;
  if ((before.restart === undefined) !== (wants.restart === undefined)) return false;
  return !before.restart || !wants.restart || firstDifference(RestartPolicySchema, before.restart, wants.restart) === undefined;
}

/** Without what the kernel can change under a process: its share of the processors, memory and the disk's bandwidth. Disk space and devices it is started with. */
function held(task: TaskSpec): TaskSpec {
  const { diskBytes = 0, extras = [] } = task.limit ?? {};
  return { ...task, slackRam: false, holdCpu: false, limit: make(ResourcesSchema, { diskBytes, extras }) };
}

/** Whether its machine has room for it with its new limit, once it has gone. */
function fitsAgain(instance: Instance, to: Face): boolean {
  const { place, task } = instance;
  const { reachable, draining } = place.machine;
  const limit = limitOf(to, task.index);
  if (!reachable || draining || limit.ports > freePorts(place) + instance.ports.length) return false;
  const meanwhile = { gone: (other: Instance) => other === instance, taken: NO_DEVICES };
  if (typeof devicesFor(place, limit, meanwhile) === "string") return false;
  const own = counts(instance);
  const reserved = own ? minus(place.reserved, instance.reservation) : place.reserved;
  if (shortfall(plus(reserved, limit), place.capacity) !== undefined) return false;
  const prodLimit = own && isProd(instance.priority) ? minus(place.prodLimit, instance.limit) : place.prodLimit;
  return !isProd(to.priority) || shortfall(plus(prodLimit, limit), place.capacity) === undefined;
}

/** What would be done with each task, in order. What would be one disruption too many is skipped. */
export function planOf(job: Job, to: Face, ranges: readonly Range[], version: number): readonly Planned[] {
  let left = disruptionsLeft(job, to);
  return job.tasks
    .filter((task) => isMeant(task, to, ranges))
    .map((task): Planned => {
      const change = changeOf(task, to, version);
      if (change !== "move") return { task, change };
      left -= 1;
      return { task, change: left < 0 ? "skip" : change };
    });
}

/** How many tasks, of the job or of others, an update may still make leave their machine. */
export function disruptionsLeft(job: Job, { wants }: Face): number {
  const max = wants.update?.disruptionsMax;
  if (max === undefined) return Number.POSITIVE_INFINITY;
  // Of an update that is only thought of nobody was told anything.
  if (wants !== job.update?.wants) return max;
  return max - job.tasks.filter((task) => toldBy(task)?.kind === "move").length - job.update.preempted;
}

export const isIn = (ranges: readonly Range[], index: number): boolean =>
  ranges.length === 0 || ranges.some(({ first, last }) => first <= index && index <= last);

/** How many tasks there are to be. One task per machine: as many as there are. */
export const countOf = (job: Job, { wants }: Face): number => (wants.perMachine ? job.count : wants.count);

/** Whether no task of the job is left out. */
export const isWhole = (job: Job, update: Update): boolean => !job.tasks.some((task) => isMeant(task, update, []));

const isMeant = (task: Task, to: Face, ranges: readonly Range[]): boolean =>
  !isDead(task.state) &&
  (to !== task.job.update || toldBy(task) === undefined) &&
  isIn(ranges, task.index) &&
  task.index < countOf(task.job, to);

export const policyOf = ({ wants }: Face): { readonly batch: number; readonly watchMs: number; readonly failuresMax: number } => {
  const { batch, watchMs, failuresMax } = wants.update ?? UPDATE_DEFAULTS;
  return { batch: isGang({ wants }) ? Number.POSITIVE_INFINITY : Math.max(1, batch), watchMs, failuresMax };
};

/** What the update of a job does next, if it does anything. */
export function nextStep(job: Job, nowMs: number, version: number): Step | undefined {
  const { update } = job;
  if (update === undefined || update.phase === "paused") return undefined;
  return update.phase === "undoing" ? stepBack(job, update, nowMs, version) : stepOn(job, update, nowMs, version);
}

function stepOn(job: Job, update: Update, nowMs: number, version: number): Step | undefined {
  const { failuresMax } = policyOf(update);
  if (job.count < countOf(job, update)) return { kind: "grow" };
  const { waiting, failed } = watched(job, update, nowMs, version);
  if (update.phase === "rolling" && failed.length > failuresMax)
    return { kind: "undo", reason: `${failed.length} of its tasks failed, and ${failuresMax} may: ${failed.slice(0, 10).join(", ")}` };
  if (waiting > 0) return undefined;
  const planned = planOf(job, update, update.ranges, version);
  const tasks = firstBatch(update, planned);
  if (tasks.length > 0) return { kind: "turn", tasks };
  return planned.length === 0 && update.phase === "rolling" ? { kind: "rolled" } : undefined;
}

/** Back to the spec before: in batches, and with as few down at a time; the limit on disruptions does not count. */
function stepBack(job: Job, update: Update, nowMs: number, version: number): Step | undefined {
  if (watched(job, update, nowMs, version).waiting > 0) return undefined;
  const turned = job.tasks.filter((task) => isTold(task) && task.index < update.countBefore);
  const planned = turned.map((task): Planned => ({ task, change: isDead(task.state) ? "free" : changeOf(task, job, version) }));
  const tasks = firstBatch(update, planned);
  if (tasks.length > 0) return { kind: "return", tasks };
  return planned.length === 0 ? { kind: "undone" } : undefined;
}

/** Those that have to show that they are well: how many have not yet, and the names of those that failed. */
export function watched(
  job: Job,
  update: Update,
  nowMs: number,
  version: number,
): { readonly waiting: number; readonly failed: readonly string[] } {
  const watch = { forMs: policyOf(update).watchMs, nowMs, version };
  const isBack = update.phase === "undoing";
  const failed: string[] = [];
  let waiting = 0;
  for (const task of job.tasks) {
    const told = toldBy(task);
    if (told === undefined || !isWatched(told.kind, isBack)) continue;
    const verdict = gate(task, told.timeMs, watch);
    if (verdict === "failed") failed.push(task.id);
    if (verdict === "waiting") waiting += 1;
  }
  return { waiting, failed };
}

const isWatched = (kind: string, isBack: boolean): boolean => (isBack ? kind === "back" : kind === "restart" || kind === "move");

/** In the order of their indexes, up to the first that has to wait for its turn. */
function firstBatch(update: Update, planned: readonly Planned[]): readonly Planned[] {
  let { batch } = policyOf(update);
  const down = new DownBudget();
  const below = planned.findIndex(({ task: { instance }, change }) => {
    if (change === "free" || change === "in-place" || change === "skip") return false;
    batch -= 1;
    return batch < 0 || (instance !== undefined && !down.takes(instance));
  });
  return below < 0 ? planned : planned.slice(0, below);
}
