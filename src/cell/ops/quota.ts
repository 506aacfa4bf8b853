/**
 * Quota (Borg §2.5): a vector per user and band with an end, checked on limits when a job is admitted or grows, and never
 * afterwards: lowering it kills nothing. It is decided here, inside the serialised apply, because anywhere else it is a race.
 */

import { DIMENSIONS, type Dimension, MEASURES, unitOf } from "../../base/dimension.ts";
import { ok, type Refused, type Result, refused } from "../../base/result.ts";
import { utcText } from "../../base/utc.ts";
import { amountIn, exact, highest, minus, plus, shortfall, times, type Vector, ZERO } from "../../base/vector.ts";
import { type BandName, bandOf, bandOfWire } from "../../wire/band.ts";
import { make } from "../../wire/codec.ts";
import { type FrameworkRole, type QuotaSet, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { type Quota, QuotaSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import { amounts, quotaVector } from "../amounts.ts";
import { expiryAt } from "../expiry.ts";
import { chargeOf, extrasProblem, limitOf } from "../spec.ts";
import type { CellState, Face, Job, Update, User } from "../state.ts";
import type { Turn } from "../turn.ts";
import { OPEN_BATCH, OVERSELL } from "../version.ts";

/** Why `charge` more than now cannot be admitted; undefined when it can. */
export function quotaProblem(state: CellState, user: User, priority: number, charge: Vector, instead: Vector): Refused | undefined {
  const band = bandOf(priority);
  const before = chargedTo(user, band);
  const after = plus(minus(before, instead), charge);
  if (!exact(after)) return refused("More is asked for than can be counted: lower the limits or the count");
  if (band === "free") return undefined;
  const quota = user.quotas.get(band);
  const helps = helpText(user, band, quota === undefined ? after : highest(after, quotaVector(quota, after)));
  if (quota === undefined) return refused(`User "${user.id}" has no ${band} quota; ${helps}`);
  if (quota.untilMs !== 0 && quota.untilMs <= expiryAt(state, state.timeMs))
    return refused(`The ${band} quota of user "${user.id}" has ended; it was granted until ${utcText(quota.untilMs)}; ${helps}`);
  if (quota.unlimited) return undefined;
  const missing = shortfall(after, quotaVector(quota, after));
  if (missing === undefined) return undefined;
  const { dimension, amount } = missing;
  const [asked, beside, granted] = [charge, minus(before, instead), quotaVector(quota, after)].map((each) => amountIn(each, dimension));
  const until = quota.untilMs === 0 ? "" : ` until ${utcText(quota.untilMs)}`;
  const numbers = `it asks for ${asked}, ${beside} are admitted beside it, and ${granted} are granted${until}`;
  return refused(`User "${user.id}" lacks ${amount} ${unitOf(dimension)} of ${band} quota; ${numbers}; ${helps}`);
}

/** The command that would let this in, for whoever may set quota; below production there is a band that costs less. */
function helpText({ id }: User, band: BandName, wanted: Vector): string {
  const bound = DIMENSIONS.filter((dimension) => MEASURES[dimension].quota === undefined);
  const amount =
    band === "batch" ? "--unlimited" : bound.map((dimension) => `--${dimension} ${typed(dimension, wanted[dimension])}`).join(" ");
  const lower = band === "batch" ? "free" : "batch";
  return `submit at priority ${lower}, or let a quota admin say: borg quota set ${id} ${band} ${amount}`;
}

const typed = (dimension: Dimension, amount: number): string =>
  MEASURES[dimension].written === "cores" ? String(amount / 1000) : `${Math.ceil((amount * MEASURES[dimension].scale) / 2 ** 20)}MiB`;

/** Batch work needs no asking: whoever becomes a user may have as much as there is room for. What was set before stays. */
export function welcome(state: CellState, user: User): void {
  if (state.version >= OPEN_BATCH && user.roles.has(Role.USER) && !user.quotas.has("batch"))
    user.quotas.set("batch", make(QuotaSchema, { unlimited: true }));
}

export function chargedTo(user: User, band: BandName): Vector {
  return user.charged.get(band) ?? ZERO;
}

/** Sets what a job is charged; the caller has checked it, where it is the user's wish. */
export function charge(state: CellState, job: Job, amount: Vector): void {
  const user = state.users.get(job.owner);
  if (user === undefined) return;
  const band = bandOf(job.priority);
  user.charged.set(band, plus(minus(chargedTo(user, band), job.charge), amount));
  job.charge = amount;
}

/** A dead job is charged nothing. */
export const releaseQuota = (state: CellState, job: Job): void => charge(state, job, ZERO);

/** Charges again for the tasks a job now has. While it is updated, for both its specs; `count` is then for jobs with one task per machine. */
export function recharge(state: CellState, job: Job, count: number): void {
  const { update } = job;
  if (job.led !== undefined) {
    charge(state, job, launchedCharge(job));
    return;
  }
  const { own, beside } = update === undefined ? { own: chargeOf(job.spec, count), beside: ZERO } : chargesOf(job, update, count);
  charge(state, job, own);
  if (update !== undefined) chargeBeside(state, job, update, beside);
}

/** Of a framework: the limits of its tasks that are not over. */
const launchedCharge = ({ tasks }: Job): Vector =>
  tasks.reduce((sum, { state, launched }) => (launched === undefined || state === "dead" ? sum : plus(sum, launched.spec.limit)), ZERO);

/** What an update holds in a band of its own. */
export function chargeBeside(state: CellState, job: Job, update: Pick<Update, "priority" | "charge">, amount: Vector): void {
  const user = state.users.get(job.owner);
  if (user === undefined) return;
  const band = bandOf(update.priority);
  user.charged.set(band, plus(minus(chargedTo(user, band), update.charge), amount));
  update.charge = amount;
}

/**
 * What a job may hold while tasks of both specs stand beside each other: in one band of each task the larger limit, so that no mixture costs more; in two
 * bands each spec for itself.
 */
export function chargesOf(
  job: Face & Pick<Job, "count">,
  update: Face & Pick<Update, "countBefore">,
  count: number,
): { readonly own: Vector; readonly beside: Vector } {
  const { perMachine } = update.wants;
  const [before, after] = perMachine ? [count, count] : [update.countBefore, update.wants.count];
  if (bandOf(job.priority) !== bandOf(update.priority)) return { own: chargeOf(job.spec, before), beside: chargeOf(update.spec, after) };
  return { own: largerOf(job, before, update, after), beside: ZERO };
}

/** Tasks without override are counted together. */
function largerOf(a: Face, countA: number, b: Face, countB: number): Vector {
  if (a.wants.allocSet !== "") return ZERO;
  const both = Math.min(countA, countB);
  const covered = new Set([...overriddenIn(a, both), ...overriddenIn(b, both)]);
  let sum = times(highest(a.limit, b.limit), both - covered.size);
  for (const index of covered) sum = plus(sum, highest(limitOf(a, index), limitOf(b, index)));
  const [larger, count] = countA > countB ? [a, countA] : [b, countB];
  return plus(sum, minus(chargeOf(larger.spec, count), chargeOf(larger.spec, both)));
}

function overriddenIn({ wants }: Face, below: number): readonly number[] {
  const covered: number[] = [];
  for (const { first, last, limit } of wants.overrides)
    if (limit !== undefined) for (let index = first; index <= Math.min(last, below - 1); index++) covered.push(index);
  return covered;
}

export function setQuota(turn: Turn, op: QuotaSet): Result<undefined> {
  const { state } = turn;
  const user = state.users.get(op.user as User["id"]);
  const band = bandOfWire(op.band);
  const quota = op.quota;
  if (user === undefined) return refused(`User "${op.user}" is unknown: grant a role first`);
  if (band === undefined || band === "free" || quota === undefined)
    return refused("Everyone has unlimited free quota: name batch, production or monitoring");
  const problem = extrasProblem(quota.limit) ?? soldProblem(state, user, band, quota, op.oversell);
  if (problem !== undefined) return refused(problem);
  user.quotas.set(band, quota);
  turn.touch.user(user);
  turn.emit({ kind: "quota.changed", subject: user.id, detail: band });
  return ok(undefined);
}

/** Prod quota sold never exceeds the cell (§2.5), unless that is what is asked for; it may always be lowered. [P6] */
function soldProblem(state: CellState, user: User, band: BandName, quota: Quota, oversell: boolean): string | undefined {
  if (band === "batch") return undefined;
  if (quota.unlimited) return `Quota in the ${band} band cannot be unlimited, because it is a promise of machines: name amounts`;
  if (oversell && state.version >= OVERSELL) return undefined;
  // Guarantees of frameworks' roles are promises too.
  const before = plus(sold(state, user, band, user.quotas.get(band)), guaranteed(state));
  const after = plus(sold(state, user, band, quota), guaranteed(state));
  const missing = shortfall(after, highest(before, state.capacity));
  if (missing === undefined) return undefined;
  const { dimension, amount } = missing;
  const [asked, beside, has] = [promised(quota), minus(after, promised(quota)), state.capacity].map((each) => amountIn(each, dimension));
  const numbers = `${asked} are asked for, ${beside} granted already, and its machines have ${has}`;
  return `The cell lacks ${amount} ${unitOf(dimension)} for so much prod quota; ${numbers}; add machines, lower another user's, or say --oversell`;
}

export const guaranteeOf = ({ guarantee }: FrameworkRole): Vector => amounts(guarantee, 0, "up");

/** What all roles of frameworks are guaranteed. */
const guaranteed = ({ roles }: CellState): Vector => [...roles.values()].reduce((sum, role) => plus(sum, guaranteeOf(role)), ZERO);

/** What all prod quota promises. */
export function soldTo({ users }: CellState): Vector {
  let sum = ZERO;
  for (const { quotas } of users.values()) sum = plus(sum, plus(promised(quotas.get("production")), promised(quotas.get("monitoring"))));
  return sum;
}

function sold(state: CellState, user: User, band: BandName, quota: Quota | undefined): Vector {
  let sum = promised(quota);
  for (const other of state.users.values()) {
    for (const prod of ["production", "monitoring"] as const) {
      if (other !== user || prod !== band) sum = plus(sum, promised(other.quotas.get(prod)));
    }
  }
  return sum;
}

export const promised = (quota: Quota | undefined): Vector => (quota === undefined ? ZERO : quotaVector(quota, ZERO));
