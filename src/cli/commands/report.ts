/** `borg report`: what became of tasks and resources, in sums. */
import type { ReclaimRow, ReportReclaimResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import type { EvictionCounts, EvictionDay } from "../../wire/gen/borg/v1/record_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { choiceOf, countOf } from "../input.ts";
import { plainName } from "../names.ts";
import { type Bar, barsText } from "../text/bars.ts";
import { type HtmlColumn, reportPage } from "../text/report-page.ts";
import { sizeOf, sizeText } from "../text/resources.ts";
import { type Column, tableText } from "../text/table.ts";
import { plural } from "../text/units.ts";
import { resourcesPlain } from "../text/views.ts";
import { RECLAMATION_WORDS, wordOf } from "../text/words.ts";
import { writePage } from "./report-file.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS_MAX = 30;

/** Borg's five, in the order of Figure 3, and revocation, by their names in words. */
const CAUSES = [
  ["preemption", "preemption"],
  ["out-of-resources", "outOfResources"],
  ["machine-failure", "machineFailure"],
  ["machine-shutdown", "machineShutdown"],
  ["other", "other"],
  ["revocation", "revocation"],
] as const;

type Side = "prod" | "nonProd";
const SIDES: readonly (readonly [Side, string])[] = [
  ["prod", "prod"],
  ["nonProd", "non-prod"],
];

export interface EvictionsOptions {
  readonly days?: string;
  readonly html?: string;
}

export async function reportEvictions(context: Context, options: EvictionsOptions): Promise<number> {
  const days = options.days === undefined ? 0 : countOf("--days", options.days, DAYS_MAX);
  const answer = await context.ask((client) => client.reportEvictions({ days }));
  const sums = { prod: sumOf(answer.days, "prod"), nonProd: sumOf(answer.days, "nonProd") };
  const [first, last] = [answer.days.at(0), answer.days.at(-1)];
  const span = first === undefined || last === undefined ? "no days" : `${dateText(first.day)} to ${dateText(last.day)}`;
  if (options.html !== undefined)
    writePage(context, options.html, reportPage({ title: "Evictions", barsTitle: "Per task-week", ...evictionsReport(sums, span) }));
  else if (context.json) {
    context.printJson({
      firstDay: first === undefined ? null : dateText(first.day),
      lastDay: last === undefined ? null : dateText(last.day),
      prod: sidePlain(sums.prod),
      nonProd: sidePlain(sums.nonProd),
      days: answer.days.map((each) => ({
        day: dateText(each.day),
        prod: sidePlain(sumOf([each], "prod")),
        nonProd: sidePlain(sumOf([each], "nonProd")),
      })),
    });
  } else if (first === undefined || last === undefined) context.terminal.complain("No task has run and none was evicted in these days\n");
  else context.terminal.print(evictionsText(context, evictionsReport(sums, span)));
  return EXIT.done;
}

interface Sums {
  readonly counts: readonly number[];
  readonly taskWeeks: number;
}

function sumOf(days: readonly EvictionDay[], side: Side): Sums {
  const of = (field: keyof Omit<EvictionCounts, "$typeName" | "$unknown">): number =>
    days.reduce((sum, day) => sum + ((day[side]?.[field] as number | undefined) ?? 0), 0);
  return { counts: CAUSES.map(([, field]) => of(field)), taskWeeks: of("runMs") / WEEK_MS };
}

const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Without any time there is no rate. */
const rateOf = (count: number, { taskWeeks }: Sums): number | null => (taskWeeks > 0 ? count / taskWeeks : null);

const sidePlain = (sums: Sums): object => ({
  taskWeeks: sums.taskWeeks,
  evictions: Object.fromEntries(CAUSES.map(([word], i) => [word, sums.counts[i]!])),
  perTaskWeek: Object.fromEntries(CAUSES.map(([word], i) => [word, rateOf(sums.counts[i]!, sums)])),
});

interface CauseRow {
  readonly word: string;
  readonly of: (side: Side) => number;
}

interface EvictionsReport {
  readonly head: string;
  readonly columns: readonly (Column<CauseRow> & HtmlColumn<CauseRow>)[];
  readonly rows: readonly CauseRow[];
  readonly bars: readonly Bar[];
}

function evictionsReport(sums: Readonly<Record<Side, Sums>>, days: string): EvictionsReport {
  const rows: readonly CauseRow[] = [
    ...CAUSES.map(([word], i) => ({ word: word as string, of: (side: Side) => sums[side].counts[i]! })),
    { word: "all", of: (side: Side) => sums[side].counts.reduce((a, b) => a + b, 0) },
  ];
  const columns: EvictionsReport["columns"] = [
    { title: "CAUSE", value: ({ word }) => word },
    ...SIDES.flatMap(([side, name]): EvictionsReport["columns"] => [
      { title: name.toUpperCase(), value: ({ of }) => String(of(side)), side: "right" },
      { title: "PER TASK-WEEK", value: ({ of }) => rateText(rateOf(of(side), sums[side])), side: "right" },
    ]),
  ];
  const bars = SIDES.flatMap(([side, name]) =>
    CAUSES.map(([word], i) => {
      const rate = rateOf(sums[side].counts[i]!, sums[side]);
      return {
        name: `${name.padEnd(8)} ${word}`,
        value: rate ?? 0,
        words: rateText(rate),
        paint: side === "prod" ? ("good" as const) : ("wait" as const),
      };
    }),
  );
  const ran = SIDES.map(([side, name]) => `${name} ${rateText(sums[side].taskWeeks)}`).join(", ");
  return { head: `Evictions of ${days} (UTC); task-weeks that ran: ${ran}`, columns, rows, bars };
}

const evictionsText = ({ terminal }: Context, { head, columns, rows, bars }: EvictionsReport): string =>
  `${head}\n\n${tableText(columns, rows, terminal)}\nPer task-week:\n${barsText(bars, terminal)}`;

/** Two digits after the point, or what is left of a small number. */
const rateText = (rate: number | null): string => (rate === null ? "-" : rate !== 0 && rate < 0.01 ? rate.toPrecision(2) : rate.toFixed(2));

export interface ReclaimOptions {
  readonly by?: string;
  readonly user?: string;
}

const BY = { cell: 1, user: 2, job: 3 } as const;

export async function reportReclaim(context: Context, options: ReclaimOptions): Promise<number> {
  const by = choiceOf("--by", options.by ?? "cell", Object.keys(BY) as (keyof typeof BY)[]);
  const user = options.user === undefined ? "" : plainName(options.user, "a user");
  const { rows, last } = await allRows(context, BY[by], user);
  if (context.json)
    context.printJson({
      reclamation: wordOf(RECLAMATION_WORDS, last.reclamation),
      capacity: resourcesPlain(last.capacity),
      rows: rows.map(rowPlain),
    });
  else if (rows.length === 0) context.terminal.complain("Nothing is on any machine\n");
  else {
    context.terminal.print(`Reclamation is ${wordOf(RECLAMATION_WORDS, last.reclamation)}\n\n`);
    context.terminal.print(tableText(reclaimColumns(by, last.capacity), rows, context.terminal));
  }
  return EXIT.done;
}

async function allRows(
  context: Context,
  by: 1 | 2 | 3,
  user: string,
): Promise<{ rows: readonly ReclaimRow[]; last: ReportReclaimResponse }> {
  const rows: ReclaimRow[] = [];
  for (;;) {
    const last = await context.ask((client) => client.reportReclaim({ by, user, after: rows.at(-1)?.name ?? "" }));
    rows.push(...last.rows);
    if (!last.more) return { rows, last };
  }
}

const rowPlain = (row: ReclaimRow): object => ({
  name: row.name,
  taskCount: row.tasks,
  limit: resourcesPlain(row.limit),
  prodLimit: resourcesPlain(row.prodLimit),
  reservation: resourcesPlain(row.reservation),
  usage: resourcesPlain(row.usage),
  reclaimed: resourcesPlain(row.reclaimed),
  reclaimedTaskCount: row.tasksInReclaimed,
  reclaimedTaskLimit: resourcesPlain(row.limitInReclaimed),
  reclaimedPart: row.partInReclaimed,
});

function reclaimColumns(by: string, capacity: Resources | undefined): readonly Column<ReclaimRow>[] {
  const shown = (dimension: "cpu" | "ram"): Column<ReclaimRow>[] => {
    const title = dimension.toUpperCase();
    const amount = (of: (row: ReclaimRow) => Resources | undefined) => (row: ReclaimRow) => {
      const part =
        by === "cell" && sizeOf(capacity, dimension) > 0
          ? ` (${Math.round((100 * sizeOf(of(row), dimension)) / sizeOf(capacity, dimension))} %)`
          : "";
      return `${sizeText(dimension, sizeOf(of(row), dimension))}${part}`;
    };
    return [
      { title: `${title} LIMIT`, value: amount((row) => row.limit), side: "right" },
      { title: "RESERVED", value: amount((row) => row.reservation), side: "right" },
      { title: "USED", value: amount((row) => row.usage), side: "right" },
    ];
  };
  return [
    { title: by.toUpperCase(), value: (row) => row.name, whole: true },
    { title: "TASKS", value: (row) => String(row.tasks), side: "right" },
    ...shown("cpu"),
    ...shown("ram"),
    { title: "IN RECLAIMED", value: workText, side: "right" },
  ];
}

/** Of the work, by limits: that much would not be there without reclamation. */
const workText = ({ tasks, tasksInReclaimed, partInReclaimed }: ReclaimRow): string =>
  tasks === 0 ? "-" : `${Math.round(100 * partInReclaimed)} % (${plural(tasksInReclaimed, "task")})`;
