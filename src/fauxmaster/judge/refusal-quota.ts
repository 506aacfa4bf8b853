/** Whether quota is lacking, as the judge works it out: sums of limits, counted anew from the specs, sharing no code with the cell. [KD3] [KR3] */
import type { Op } from "../../cell/op.ts";
import type { CellState, Job, User } from "../../cell/state.ts";
import type { Quota, Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { jobOf } from "./refusal-model.ts";

type Amounts = { readonly cpu: number; readonly ram: number; readonly disk: number; readonly gpus: number };

const NOTHING: Amounts = { cpu: 0, ram: 0, disk: 0, gpus: 0 };
/** The one extra that the workload asks for. */
const gpusIn = (extras: readonly { readonly name: string; readonly amount: number }[]): number =>
  extras.find(({ name }) => name === "gpu-milli")?.amount ?? 0;
const add = (a: Amounts, b: Amounts, times = 1): Amounts => ({
  cpu: a.cpu + times * b.cpu,
  ram: a.ram + times * b.ram,
  disk: a.disk + times * b.disk,
  gpus: a.gpus + times * b.gpus,
});
const kib = (bytes: number): number => Math.ceil(bytes / 1024);
const limitOf = (limit: Resources | undefined): Amounts =>
  limit === undefined ? NOTHING : { cpu: limit.cpuMilli, ram: kib(limit.ramBytes), disk: kib(limit.diskBytes), gpus: gpusIn(limit.extras) };
const floors = (limit: Resources | undefined): Amounts =>
  limit === undefined
    ? NOTHING
    : { cpu: limit.cpuMilli, ram: Math.floor(limit.ramBytes / 1024), disk: Math.floor(limit.diskBytes / 1024), gpus: gpusIn(limit.extras) };
const exceeds = (a: Amounts, b: Amounts): boolean => a.cpu > b.cpu || a.ram > b.ram || a.disk > b.disk || a.gpus > b.gpus;

type Band = "free" | "batch" | "production" | "monitoring";
const bandAt = (priority: number): Band =>
  priority < 100 ? "free" : priority < 120 ? "batch" : priority < 360 ? "production" : "monitoring";

interface Wish {
  readonly user: User | undefined;
  readonly priority: number;
  readonly amounts: Amounts;
  /** The job that it is instead of. */
  readonly job: Job | undefined;
}

function wishOf(state: CellState, op: Op): Wish | undefined {
  const { body } = op;
  const job = jobOf(state, op);
  if (body.case === "jobSubmit" && body.value.spec !== undefined) {
    const { user, priority, count, task, allocSet, perMachine } = body.value.spec;
    const tasks = perMachine ? state.machines.size : count;
    const amounts = allocSet === "" ? add(NOTHING, limitOf(task?.limit), tasks) : NOTHING;
    return { user: state.users.get(user as never), priority, amounts, job };
  }
  if (body.case === "allocSetSubmit" && body.value.spec !== undefined) {
    const { user, priority, count, limit } = body.value.spec;
    return { user: state.users.get(user as never), priority, amounts: add(NOTHING, limitOf(limit), count), job };
  }
  if (body.case === "frameworkSubscribe" && body.value.spec !== undefined)
    return { user: state.users.get(body.value.spec.user as never), priority: body.value.spec.priority, amounts: NOTHING, job };
  const fresh = freshOf(body);
  if (fresh !== undefined && job !== undefined) return updateWish(state, job, fresh);
  if (body.case !== "jobResize" || job === undefined) return undefined;
  return { user: state.users.get(job.owner), priority: job.priority, amounts: ownAmounts(job, body.value.count), job };
}

/** Both specs beside each other: the new one, and the one before, which is the last update's if that has come to its end. */
function updateWish(state: CellState, job: Job, fresh: Fresh): Wish {
  const before = job.update?.phase === "rolled" ? job.update : job;
  const { priority, count } = fresh;
  const isOneBand = bandAt(before.priority) === bandAt(priority);
  const amounts = isOneBand ? larger(before, job.count, fresh, count) : ownAmounts(fresh, count);
  return { user: state.users.get(job.owner), priority, amounts, job };
}

type Fresh = Has & { readonly priority: number; readonly count: number };

function freshOf(body: Op["body"]): Fresh | undefined {
  if (body.case !== "updateStart") return undefined;
  const { spec, allocSet } = body.value;
  if (spec !== undefined) return { spec: { kind: "job", job: spec }, priority: spec.priority, count: spec.count };
  return allocSet === undefined ? undefined : { spec: { kind: "alloc-set", allocSet }, priority: allocSet.priority, count: allocSet.count };
}

/** Of each task the larger limit. */
function larger(a: Has, countA: number, b: Has, countB: number): Amounts {
  const [one, other] = [ownAmounts(a, 1), ownAmounts(b, 1)];
  const most = {
    cpu: Math.max(one.cpu, other.cpu),
    ram: Math.max(one.ram, other.ram),
    disk: Math.max(one.disk, other.disk),
    gpus: Math.max(one.gpus, other.gpus),
  };
  const both = add(NOTHING, most, Math.min(countA, countB));
  return add(both, countA > countB ? one : other, Math.abs(countA - countB));
}

function heldIn(job: Job, band: Band): Amounts {
  const { update } = job;
  const isOwn = bandAt(job.priority) === band;
  if (job.spec.kind === "framework") return isOwn ? launchedBy(job) : NOTHING;
  if (update === undefined) return isOwn ? ownAmounts(job, job.count) : NOTHING;
  const isOther = bandAt(update.priority) === band;
  if (isOwn && isOther) return larger(job, update.countBefore, update, update.wants.count);
  return isOwn ? ownAmounts(job, update.countBefore) : isOther ? ownAmounts(update, update.wants.count) : NOTHING;
}

/** A framework holds what its tasks ask for, while they live. */
function launchedBy({ tasks }: Job): Amounts {
  let sum = NOTHING;
  for (const { launched, state } of tasks) {
    if (launched !== undefined && state !== "dead") sum = add(sum, ownAmounts(launched.spec, 1));
  }
  return sum;
}

type Has = Pick<Job, "spec">;

function ownAmounts({ spec }: Has, count: number): Amounts {
  if (spec.kind === "alloc-set") return add(NOTHING, limitOf(spec.allocSet.limit), count);
  if (spec.kind === "framework") return NOTHING;
  return spec.job.allocSet === "" ? add(NOTHING, limitOf(spec.job.task?.limit), count) : NOTHING;
}

export function lacksQuota(state: CellState, op: Op): boolean {
  const wish = wishOf(state, op);
  if (wish?.user === undefined) return false;
  const band = bandAt(wish.priority);
  if (band === "free") return false;
  const quota = wish.user.quotas.get(band);
  if (quota === undefined || (quota.untilMs !== 0 && quota.untilMs <= state.timeMs)) return true;
  if (quota.unlimited) return false;
  let sum = wish.amounts;
  for (const job of state.jobs.values()) {
    if (job.owner !== wish.user.id || job === wish.job || job.state === "dead") continue;
    sum = add(sum, heldIn(job, band));
  }
  // Below version 8 what the end of the update before gives back in this band was not there yet.
  if (state.version < 8 && wish.job?.update?.phase === "rolled" && bandAt(wish.job.update.priority) !== band)
    sum = add(sum, heldIn(wish.job, band));
  return exceeds(sum, floors(quota.limit));
}

export function isOversold(state: CellState, { body }: Op): boolean {
  if (body.case !== "quotaSet" || (body.value.oversell && state.version >= 4)) return false;
  let sum = floors(body.value.quota?.limit);
  for (const { guarantee } of state.roles.values()) sum = add(sum, limitOf(guarantee));
  const band = bandOfQuota(body.value.band);
  for (const user of state.users.values())
    for (const prod of ["production", "monitoring"] as const)
      if (user.id !== body.value.user || prod !== band) sum = add(sum, sold(user.quotas.get(prod)));
  return exceeds(sum, { ...state.capacity, gpus: gpusIn(state.capacity.extras) });
}

const sold = (quota: Quota | undefined): Amounts => floors(quota?.limit);
const bandOfQuota = (wire: number): Band | undefined => ([undefined, "free", "batch", "production", "monitoring"] as const)[wire];
