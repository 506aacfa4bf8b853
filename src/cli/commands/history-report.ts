/** `borg report usage` and `borg report sla`: what was used and what that costs, and how much of the time that it was wanted a prod job ran. Both ask the history. */
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { sinceMsOf } from "../input.ts";
import { plainName } from "../names.ts";
import { namedRows, sqlAnswer, sqlText } from "../sql-answer.ts";
import { type Bar, barsText } from "../text/bars.ts";
import { type HtmlColumn, reportPage } from "../text/report-page.ts";
import { type Column, tableText } from "../text/table.ts";
import { writePage } from "./report-file.ts";

export interface HistoryReportOptions {
  readonly user?: string;
  readonly since?: string;
  readonly html?: string;
}

const SINCE = "30d";
const MINUTE_MS = 60_000;

interface Asked {
  /** A condition on `owner`. */
  readonly whose: string;
  readonly sinceMs: number;
  readonly nowMs: number;
}

function asked(options: HistoryReportOptions): Asked {
  const nowMs = Date.now();
  const whose = options.user === undefined ? "true" : `owner = ${sqlText(plainName(options.user, "a user"))}`;
  return { whose, nowMs, sinceMs: sinceMsOf("--since", options.since ?? SINCE, nowMs) };
}

const moment = (ms: number): string => `make_timestamp(${Math.floor(ms)}000)`;

/** 4 GiB cost as much as a core (docs/cli.md). */
const usageSql = ({ whose, sinceMs }: Asked): string => `
  select owner as user, band, sum(seconds) / 3600 as task_hours, sum(cpu * seconds) / 3600 as core_hours,
    sum(ram_bytes * seconds) / 3600 / 1073741824 as gib_hours, any_value(price) as price,
    sum((cpu + ram_bytes / 4294967296) * seconds / 3600 * price) as cost
  from usage join prices using (band) where ${whose} and start >= ${moment(sinceMs)} and day >= ${moment(sinceMs)}::date
  group by owner, band order by cost desc, user, band`;

interface UsageRow {
  readonly user: string;
  readonly band: string;
  readonly taskHours: number;
  readonly coreHours: number;
  readonly gibHours: number;
  readonly price: number;
  readonly cost: number;
}

export async function reportUsage(context: Context, options: HistoryReportOptions): Promise<number> {
  const about = asked(options);
  const rows = namedRows(await sqlAnswer(context, usageSql(about))).map(
    (row): UsageRow => ({
      user: String(row["user"]),
      band: String(row["band"]),
      taskHours: Number(row["task_hours"]),
      coreHours: Number(row["core_hours"]),
      gibHours: Number(row["gib_hours"]),
      price: Number(row["price"]),
      cost: Number(row["cost"]),
    }),
  );
  const bars = rows.map(({ user, band, cost }) => ({ name: `${user} ${band}`, value: cost, words: short(cost) }));
  const head = `Use since ${dateText(about.sinceMs)}, in credits: an hour of one core or of 4 GiB costs the band's price`;
  return tell(context, options, {
    title: "What was used",
    head,
    columns: USAGE,
    rows,
    bars,
    barsTitle: "Credits",
    empty: "Nothing was used",
    since: about.sinceMs,
  });
}

const USAGE: readonly (HtmlColumn<UsageRow> & { readonly title: string })[] = [
  { title: "USER", value: ({ user }) => user },
  { title: "BAND", value: ({ band }) => band },
  { title: "TASK HOURS", value: ({ taskHours }) => short(taskHours), side: "right" },
  { title: "CORE HOURS", value: ({ coreHours }) => short(coreHours), side: "right" },
  { title: "GIB HOURS", value: ({ gibHours }) => short(gibHours), side: "right" },
  { title: "PRICE", value: ({ price }) => short(price), side: "right" },
  { title: "COST", value: ({ cost }) => short(cost), side: "right" },
];

/** From when a task is there to when it ends it is wanted; it runs while its state says so. */
const slaSql = ({ whose, sinceMs, nowMs }: Asked): string => `
  with steps as (
    select job, owner, time, case kind when 'task.added' then 'pending' when 'task.removed' then 'dead' else to_state end as state,
      lead(time) over (partition by job, task_index order by position, number) as next
    from instance_events where kind in ('task.added', 'task.removed', 'task.state') and ${whose}),
  times as (
    select job, state, epoch_ms(least(coalesce(next, ${moment(nowMs)}), ${moment(nowMs)})) - epoch_ms(greatest(time, ${moment(sinceMs)})) as ms
    from steps where state not in ('dead', 'ending')),
  prod as (select job, max(priority) as priority, max_by(band, changed) as band from jobs where band in ('production', 'monitoring') group by job)
  select job, band, sum(ms) / 3600000 as wanted, sum(ms) filter (state = 'running') / 3600000 as running,
    coalesce(sum(ms) filter (state = 'running'), 0) / sum(ms) as availability
  from times join prod using (job) where ms > 0 group by job, band order by availability, job`;

interface SlaRow {
  readonly job: string;
  readonly band: string;
  readonly wantedHours: number;
  readonly runningHours: number;
  readonly availability: number;
}

export async function reportSla(context: Context, options: HistoryReportOptions): Promise<number> {
  const about = asked(options);
  const rows = namedRows(await sqlAnswer(context, slaSql(about))).map(
    (row): SlaRow => ({
      job: String(row["job"]),
      band: String(row["band"]),
      wantedHours: Number(row["wanted"]),
      runningHours: Number(row["running"]),
      availability: Number(row["availability"]),
    }),
  );
  const bars = rows.map(({ job, availability }) => ({ name: job, value: availability, words: percent(availability) }));
  const head = `Prod jobs since ${dateText(about.sinceMs)}: how much of the task hours that were wanted ran`;
  return tell(context, options, {
    title: "Availability",
    head,
    columns: SLA,
    rows,
    bars,
    barsTitle: "Available",
    empty: "No prod job was wanted",
    since: about.sinceMs,
  });
}

const SLA: readonly (HtmlColumn<SlaRow> & { readonly title: string })[] = [
  { title: "JOB", value: ({ job }) => job },
  { title: "BAND", value: ({ band }) => band },
  { title: "WANTED HOURS", value: ({ wantedHours }) => short(wantedHours), side: "right" },
  { title: "RUNNING HOURS", value: ({ runningHours }) => short(runningHours), side: "right" },
  { title: "AVAILABLE", value: ({ availability }) => percent(availability), side: "right" },
];

interface Report<Row> {
  readonly title: string;
  readonly head: string;
  readonly columns: readonly (HtmlColumn<Row> & { readonly title: string })[];
  readonly rows: readonly Row[];
  readonly bars: readonly Bar[];
  readonly barsTitle: string;
  readonly empty: string;
  readonly since: number;
}

function tell<Row extends object>(context: Context, { html }: HistoryReportOptions, report: Report<Row>): number {
  const { title, head, columns, rows, bars, barsTitle, empty, since } = report;
  if (html !== undefined) {
    writePage(context, html, reportPage({ title, head, columns, rows, bars, barsTitle }));
  } else if (context.json) context.printJson({ since: new Date(since).toISOString(), rows });
  else if (rows.length === 0) context.terminal.complain(`${empty} since ${dateText(since)}\n`);
  else {
    context.terminal.print(`${head}\n\n${tableText(columns as readonly Column<Row>[], rows, context.terminal)}\n`);
    context.terminal.print(`${barsTitle}:\n${barsText(bars, context.terminal)}`);
  }
  return EXIT.done;
}

const dateText = (ms: number): string =>
  `${new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const percent = (part: number): string => `${(100 * part).toFixed(3)} %`;
/** Two digits after the point, or what is left of a small number. */
const short = (number: number): string => (number !== 0 && Math.abs(number) < 0.01 ? number.toPrecision(2) : number.toFixed(2));
