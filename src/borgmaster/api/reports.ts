/** Reads that add up: evictions by day, what reclamation gives, what quota is granted and used. Usage is what machines told last; nothing of it is in the journal. */
import { compareIds, userId } from "../../base/id.ts";
import { equal, plus, type Vector, ZERO } from "../../base/vector.ts";
import { amounts, quotaVector, resourcesOf } from "../../cell/amounts.ts";
import { dayRecord, daysNow } from "../../cell/eviction-days.ts";
import { expiryAt } from "../../cell/expiry.ts";
import { chargedTo, promised } from "../../cell/ops/quota.ts";
import { costOf } from "../../cell/prices.ts";
import { isSome, partInReclaimed, sharesOf } from "../../cell/reclaimed.ts";
import type { CellState, Instance, User } from "../../cell/state.ts";
import { BANDS, type BandName, bandOf, isProd } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Quota } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Copy } from "./copy.ts";
import { Meter } from "./price.ts";
import { pageSize } from "./reads.ts";
import type { UsageTable } from "./usage-table.ts";

export function reportEvictions(
  { state }: Copy,
  request: api.ReportEvictionsRequest,
  _user = "",
  meter = new Meter(),
): api.ReportEvictionsResponse {
  meter.lookedAt(state.taskCount);
  const first = request.days === 0 ? 0 : Math.floor(state.timeMs / 86_400_000) - request.days + 1;
  const days = daysNow(state).filter(({ day }) => day >= first);
  return make(api.ReportEvictionsResponseSchema, { timeMs: state.timeMs, days: days.map(dayRecord) });
}

interface Sums {
  tasks: number;
  tasksInReclaimed: number;
  limit: Vector;
  prodLimit: Vector;
  reservation: Vector;
  reclaimed: Vector;
  limitInReclaimed: Vector;
  usage: Vector;
}

const noSums = (): Sums => ({
  ...{ tasks: 0, tasksInReclaimed: 0 },
  ...{ limit: ZERO, prodLimit: ZERO, reservation: ZERO, reclaimed: ZERO, limitInReclaimed: ZERO, usage: ZERO },
});

export function reportReclaim(copy: Copy, request: api.ReportReclaimRequest, _user = "", meter = new Meter()): api.ReportReclaimResponse {
  const { state } = copy;
  meter.lookedAt(state.machines.size + 4 * state.taskCount);
  const sums = sumsBy(copy, request);
  const names = [...sums.keys()].filter((name) => name > request.after).sort(compareIds);
  const most = pageSize(request.limit);
  const rows = names.slice(0, most).map((name) => reclaimRow(name, sums.get(name) as Sums, state.capacity));
  meter.answered(rows.length);
  return make(api.ReportReclaimResponseSchema, {
    reclamation: state.config.reclamation,
    capacity: resourcesOf(state.capacity),
    rows,
    more: names.length > most,
  });
}

function sumsBy({ state, usage }: Copy, { by, user }: api.ReportReclaimRequest): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  if (by === api.ReportBy.CELL && user === "") sums.set(state.name, noSums());
  for (const machine of state.machines.values())
    for (const { instance, reclaimed } of sharesOf(machine)) {
      const { job } = instance.task;
      if (user !== "" && job.owner !== user) continue;
      const name = by === api.ReportBy.JOB ? job.id : by === api.ReportBy.USER || user !== "" ? job.owner : state.name;
      const row = sums.get(name) ?? noSums();
      if (row.tasks === 0) sums.set(name, row);
      addTo(row, instance, reclaimed, usageOf(usage, instance));
    }
  return sums;
}

function addTo(row: Sums, instance: Instance, reclaimed: Vector, used: Vector): void {
  row.tasks += 1;
  row.limit = plus(row.limit, instance.limit);
  row.reservation = plus(row.reservation, instance.reservation);
  row.usage = plus(row.usage, used);
  if (isProd(instance.priority)) row.prodLimit = plus(row.prodLimit, instance.limit);
  if (!isSome(reclaimed)) return;
  row.reclaimed = plus(row.reclaimed, reclaimed);
  row.limitInReclaimed = plus(row.limitInReclaimed, instance.limit);
  row.tasksInReclaimed += 1;
}

const reclaimRow = (name: string, row: Sums, cell: Vector): Init<typeof api.ReclaimRowSchema> => ({
  ...{ name, tasks: row.tasks, tasksInReclaimed: row.tasksInReclaimed },
  limit: resourcesOf(row.limit),
  prodLimit: resourcesOf(row.prodLimit),
  reservation: resourcesOf(row.reservation),
  reclaimed: resourcesOf(row.reclaimed),
  limitInReclaimed: resourcesOf(row.limitInReclaimed),
  partInReclaimed: partInReclaimed(row.limitInReclaimed, row.limit, cell),
  usage: resourcesOf(row.usage),
});

/** An alloc uses what the tasks in it use. */
function usageOf(usage: UsageTable, { id, place, inside }: Instance): Vector {
  if (inside === undefined) return amounts(usage.of(place.machine.id, id), 0, "up");
  return [...inside.occupants.values()].reduce((sum, inner) => plus(sum, usageOf(usage, inner)), ZERO);
}

export function reportQuota(copy: Copy, request: api.ReportQuotaRequest, _user = "", meter = new Meter()): api.ReportQuotaResponse {
  const { state } = copy;
  meter.lookedAt(state.users.size + state.machines.size + 2 * state.taskCount);
  const asked =
    request.user === "" ? [...state.users.values()] : [state.users.get(userId(request.user))].filter((each) => each !== undefined);
  const users = asked.filter(({ id }) => id > request.after).sort((a, b) => compareIds(a.id, b.id));
  const most = pageSize(request.limit);
  const running = runningBy(copy, request.user);
  const rows = users.slice(0, most).flatMap((user) => BANDS.flatMap(({ name, wire }) => quotaRows(state, user, name, wire, running)));
  meter.answered(rows.length);
  return make(api.ReportQuotaResponseSchema, {
    rows,
    more: users.length > most,
    capacity: resourcesOf(state.capacity),
    sold: resourcesOf(soldNow(state)),
  });
}

interface Running {
  limit: Vector;
  usage: Vector;
}

/** What is on machines, by user and band. */
function runningBy({ state, usage }: Copy, user: string): ReadonlyMap<string, Running> {
  const found = new Map<string, Running>();
  for (const { place } of state.machines.values())
    for (const instance of place.occupants.values()) {
      const { owner } = instance.task.job;
      if (user !== "" && owner !== user) continue;
      const key = `${owner} ${bandOf(instance.priority)}`;
      const row = found.get(key) ?? { limit: ZERO, usage: ZERO };
      found.set(key, { limit: plus(row.limit, instance.limit), usage: plus(row.usage, usageOf(usage, instance)) });
    }
  return found;
}

/** None for a band in which nothing was granted and nothing is. */
function quotaRows(
  state: CellState,
  user: User,
  name: BandName,
  band: api.QuotaReportRow["band"],
  running: ReadonlyMap<string, Running>,
): Init<typeof api.QuotaReportRowSchema>[] {
  const quota = user.quotas.get(name);
  const charged = chargedTo(user, name);
  const runs = running.get(`${user.id} ${name}`);
  if (quota === undefined && equal(charged, ZERO) && runs === undefined) return [];
  const ended = quota !== undefined && hasEnded(state, quota);
  return [
    {
      ...{ user: user.id, band, ended },
      quota: quota ?? { unlimited: name === "free" },
      charged: resourcesOf(charged),
      running: resourcesOf(runs?.limit ?? ZERO),
      usage: resourcesOf(runs?.usage ?? ZERO),
      quotaCost: quota === undefined || quota.unlimited || ended ? 0 : costOf(name, quotaVector(quota, ZERO)),
      chargedCost: costOf(name, charged),
    },
  ];
}

const hasEnded = (state: CellState, { untilMs }: Quota): boolean => untilMs !== 0 && untilMs <= expiryAt(state, state.timeMs);

function soldNow(state: CellState): Vector {
  let sum = ZERO;
  for (const { quotas } of state.users.values())
    for (const band of ["production", "monitoring"] as const) sum = plus(sum, promised(quotas.get(band)));
  return sum;
}
