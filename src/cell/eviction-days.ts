/**
 * Evictions by cause, prod and non-prod, day by day (Borg §4, Figure 3), and how long tasks ran: an eviction is told as a rate per task-week. Days are days of
 * cell time, and only the last of them are kept. Allocs are no tasks: what is inside them is counted.
 */
import { isProd } from "../wire/band.ts";
import type { Init } from "../wire/codec.ts";
import type { EvictionCountsSchema, EvictionDaySchema, EvictionDay as WireDay } from "../wire/gen/borg/v1/record_pb.ts";
import type { Cause, EvictionCause } from "./cause.ts";
import type { CellState, EvictionCounts, EvictionDay, Instance } from "./state.ts";
import { EVICTION_DAYS } from "./version.ts";

export const DAY_MS = 86_400_000;
export const EVICTION_DAYS_MAX = 30;

/** A task that is given up with its machine was evicted by the machine's failure. What its user or its own program did to it is no eviction. */
const COUNTED: Readonly<Partial<Record<Cause, EvictionCause>>> = {
  preemption: "preemption",
  "out-of-resources": "out-of-resources",
  "machine-failure": "machine-failure",
  "machine-shutdown": "machine-shutdown",
  other: "other",
  lost: "machine-failure",
  revocation: "revocation",
};

/** An instance that was meant to be where it is has to leave. */
export function countEviction({ version, timeMs, evictionDays }: CellState, { priority, inside }: Instance, cause: Cause): void {
  const counted = COUNTED[cause];
  if (version < EVICTION_DAYS || counted === undefined || inside !== undefined) return;
  countsOf(evictionDays, dayOf(timeMs), isProd(priority))[counted] += 1;
  dropOld(evictionDays, timeMs);
}

/** An instance has gone: the time that it ran belongs to the days on which it did. */
export function countRun({ version, timeMs, evictionDays }: CellState, instance: Instance): void {
  if (version < EVICTION_DAYS) return;
  addRun(evictionDays, instance, timeMs);
  dropOld(evictionDays, timeMs);
}

/** The days as they are now: what still runs is counted with the time that it ran so far. */
export function daysNow(state: CellState): readonly EvictionDay[] {
  const { version, timeMs } = state;
  const days = state.evictionDays.map(({ day, prod, nonProd }) => ({ day, prod: { ...prod }, nonProd: { ...nonProd } }));
  if (version >= EVICTION_DAYS)
    for (const job of state.jobs.values()) for (const { instance } of job.tasks) if (instance !== undefined) addRun(days, instance, timeMs);
  dropOld(days, timeMs);
  return days;
}

function addRun(days: EvictionDay[], { priority, startedMs, inside }: Instance, toMs: number): void {
  if (inside !== undefined || startedMs === 0) return;
  const today = dayOf(toMs);
  for (let day = Math.max(dayOf(startedMs), today - EVICTION_DAYS_MAX + 1); day <= today; day++) {
    const runMs = Math.min(toMs, (day + 1) * DAY_MS) - Math.max(startedMs, day * DAY_MS);
    if (runMs > 0) countsOf(days, day, isProd(priority)).runMs += runMs;
  }
}

const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);

/** Of that day, which is put in its place if it is not there. */
function countsOf(days: EvictionDay[], day: number, prod: boolean): EvictionCounts {
  const at = days.findLastIndex((each) => each.day <= day);
  if (days[at]?.day !== day) days.splice(at + 1, 0, { day, prod: noCounts(), nonProd: noCounts() });
  const found = days[days[at]?.day === day ? at : at + 1] as EvictionDay;
  return prod ? found.prod : found.nonProd;
}

function dropOld(days: EvictionDay[], timeMs: number): void {
  while (days.length > 0 && (days[0] as EvictionDay).day <= dayOf(timeMs) - EVICTION_DAYS_MAX) days.shift();
}

const noCounts = (): EvictionCounts => ({
  preemption: 0,
  "out-of-resources": 0,
  "machine-failure": 0,
  "machine-shutdown": 0,
  other: 0,
  revocation: 0,
  runMs: 0,
});

export const dayRecord = ({ day, prod, nonProd }: EvictionDay): Init<typeof EvictionDaySchema> => ({
  day,
  prod: countsRecord(prod),
  nonProd: countsRecord(nonProd),
});

const countsRecord = (counts: EvictionCounts): Init<typeof EvictionCountsSchema> => ({
  preemption: counts.preemption,
  outOfResources: counts["out-of-resources"],
  machineFailure: counts["machine-failure"],
  machineShutdown: counts["machine-shutdown"],
  other: counts.other,
  revocation: counts.revocation,
  runMs: counts.runMs,
});

export const readDay = ({ day, prod, nonProd }: WireDay): EvictionDay => ({ day, prod: readCounts(prod), nonProd: readCounts(nonProd) });

const readCounts = (wire: WireDay["prod"]): EvictionCounts =>
  wire === undefined
    ? noCounts()
    : {
        preemption: wire.preemption,
        "out-of-resources": wire.outOfResources,
        "machine-failure": wire.machineFailure,
        "machine-shutdown": wire.machineShutdown,
        other: wire.other,
        revocation: wire.revocation,
        runMs: wire.runMs,
      };
