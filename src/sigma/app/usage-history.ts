/** What a task used before its page was opened, as the cell's history has it (docs/sql.md), in the points of a plot. Pure: it knows no page. */
import type { Answer } from "./sql/answer.ts";

const GIB = 2 ** 30;
/** Rows of up to five minutes: the last day, and a gap or two. */
export const HISTORY_ROWS = 320;
/** With nothing told for so long it was not there. */
const GAP_S = 600;

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

/** What was before, as far as it is older than what the page has seen itself. */
export function joined(before: Points, seen: Points): Points {
  const from = seen[0]?.[0] ?? Number.POSITIVE_INFINITY;
  const older = (before[0] ?? []).filter((at) => (at ?? 0) < from).length;
  return seen.map((row, i) => [...(before[i] ?? []).slice(0, older), ...row]);
}
