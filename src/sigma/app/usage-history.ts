/**
 * What a task used before its page was opened, in the points of a plot: the last day as the cell's history has it (docs/sql.md), the last minutes as its machine
 * measured them. Pure: it knows no page.
 */
import type { Answer } from "./sql/answer.ts";

const GIB = 2 ** 30;
/** Rows of up to five minutes: the last day, and a gap or two. */
export const HISTORY_ROWS = 320;
/** With nothing told for so long it was not there. */
const GAP_S = 600;
/** Machines measure so often. */
const STEP_S = 1;

/** Times in seconds; then used, reserved and limit, of which the history knows no reservation. */
export type Points = readonly (readonly (number | null)[])[];
export const NO_POINTS: Points = [[], [], [], []];

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export function historyQuestion(task: string): string {
  const at = task.lastIndexOf("/");
  return (
    `select epoch(start) as at, seconds, cpu, cpu_limit, ram_bytes, ram_bytes_limit from usage where job = ${text(task.slice(0, at))} ` +
    `and task_index = ${Number(task.slice(at + 1))} and day >= current_date - 1 and start > now()::timestamp - interval 1 day ` +
    `order by start desc limit ${HISTORY_ROWS}`
  );
}

/** A row is as high as its mean from its beginning to its end. */
export function historyPoints({ rows }: Pick<Answer, "rows">): { readonly cpu: Points; readonly ram: Points } {
  const told = rows
    .map((row) => row.map(Number))
    .filter((row) => row.length >= 6 && row.every(Number.isFinite))
    .reverse();
  const points: (readonly [at: number, cpu: readonly (number | null)[], ram: readonly (number | null)[]])[] = [];
  for (const [at = 0, seconds = 0, cpu = 0, cpuLimit = 0, ram = 0, ramLimit = 0] of told) {
    const before = points.at(-1)?.[0];
    if (before !== undefined && at - before > GAP_S) points.push([at - 1, [null, null, null], [null, null, null]]);
    const levels = [
      [cpu, null, cpuLimit],
      [ram / GIB, null, ramLimit / GIB],
    ] as const;
    for (const time of [at, at + Math.max(1, seconds - 1)]) if (time > (points.at(-1)?.[0] ?? 0)) points.push([time, ...levels]);
  }
  const of = (which: 1 | 2): Points => [points.map(([at]) => at), ...[0, 1, 2].map((i) => points.map((point) => point[which][i] ?? null))];
  return { cpu: of(1), ram: of(2) };
}

export interface Moment {
  readonly timeMs?: number;
  readonly cpuMilli?: number;
  readonly ramBytes?: number;
}

/** What its machine measured second by second: each amount holds until the next. Reservation and limit are those that the page saw then. */
export function momentPoints(
  { timeMs = 0, moments = [] }: { readonly timeMs?: number; readonly moments?: readonly Moment[] },
  seen: { readonly cpu: Points; readonly ram: Points },
): { readonly cpu: Points; readonly ram: Points } {
  const points = moments.flatMap((moment, i): { readonly at: number; readonly moment: Moment }[] => {
    const at = (moment.timeMs ?? 0) / 1000;
    const until = (moments[i + 1]?.timeMs ?? timeMs) / 1000;
    return until - at > 2 * STEP_S ? [{ at, moment }, { at: until - STEP_S, moment }] : [{ at, moment }]; // biome-ignore format: as one reads it
  });
  const of = (which: "cpu" | "ram", used: (moment: Moment) => number): Points => {
    const levels = (at: number): readonly [number | null, number | null] => {
      const last = (seen[which][0] ?? []).findLastIndex((time) => (time ?? 0) <= at);
      return [seen[which][2]?.[last] ?? null, seen[which][3]?.[Math.max(last, 0)] ?? null];
    };
    const all = points.map(({ at }) => levels(at));
    return [
      points.map(({ at }) => at),
      points.map(({ moment }) => used(moment)),
      all.map(([reserved]) => reserved),
      all.map(([, limit]) => limit),
    ];
  };
  return { cpu: of("cpu", ({ cpuMilli = 0 }) => cpuMilli / 1000), ram: of("ram", ({ ramBytes = 0 }) => ramBytes / GIB) };
}

/** What the machine measured, and what the page saw after it. */
export function after(measured: Points, seen: Points): Points {
  const until = measured[0]?.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first = (seen[0] ?? []).findIndex((at) => (at ?? 0) > until);
  return measured.map((row, i) => [...row, ...(first < 0 ? [] : (seen[i] ?? []).slice(first))]);
}

/** What was before, as far as it is older than what the page has seen itself. */
export function joined(before: Points, seen: Points): Points {
  const from = seen[0]?.[0] ?? Number.POSITIVE_INFINITY;
  const older = (before[0] ?? []).filter((at) => (at ?? 0) < from).length;
  return seen.map((row, i) => [...(before[i] ?? []).slice(0, older), ...row]);
}
