/** `borg quota report`: per user and band what is granted, admitted, on machines and used, and what it costs. */
import type { QuotaReportRow, ReportQuotaResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { type SelectionOptions, userOf, usersMeant } from "../selection.ts";
import { sizeOf, sizeText } from "../text/resources.ts";
import { type Column, tableText } from "../text/table.ts";
import { clockText, iso } from "../text/units.ts";
import { quotaLimitPlain, resourcesPlain } from "../text/views.ts";
import { BAND_WORDS, wordOf } from "../text/words.ts";

export type QuotaReportOptions = SelectionOptions;

export async function quotaReport(context: Context, options: QuotaReportOptions): Promise<number> {
  const meant = await usersMeant(context, options);
  const user = meant === undefined ? await userOf(context, options) : "";
  const { rows: found, last } = await allRows(context, user);
  const rows = found.filter((row) => meant === undefined || meant.has(row.user));
  if (context.json)
    context.printJson({ capacity: resourcesPlain(last.capacity), prodGranted: resourcesPlain(last.sold), rows: rows.map(rowPlain) });
  else if (rows.length === 0) context.terminal.complain(`No quota${user === "" ? "" : ` of ${user}; --all shows everyone's`}\n`);
  else context.terminal.print(`${tableText(COLUMNS, rows, context.terminal)}\n${soldText(last)}`);
  return EXIT.done;
}

async function allRows(context: Context, user: string): Promise<{ rows: readonly QuotaReportRow[]; last: ReportQuotaResponse }> {
  const rows: QuotaReportRow[] = [];
  for (;;) {
    const last = await context.ask((client) => client.reportQuota({ user, after: rows.at(-1)?.user ?? "" }));
    rows.push(...last.rows);
    if (!last.more || last.rows.length === 0) return { rows, last };
  }
}

const rowPlain = (row: QuotaReportRow): object => ({
  user: row.user,
  band: wordOf(BAND_WORDS, row.band),
  unlimited: row.quota?.unlimited ?? false,
  limit: row.quota?.unlimited ? null : quotaLimitPlain(row.quota ?? {}),
  until: iso(row.quota?.untilMs ?? 0),
  quotaEnded: row.ended,
  charged: resourcesPlain(row.charged),
  onMachines: resourcesPlain(row.running),
  usage: resourcesPlain(row.usage),
  quotaCost: row.quota?.unlimited ? null : row.quotaCost,
  chargedCost: row.chargedCost,
});

const both = (resources: Resources | undefined): string =>
  `${sizeText("cpu", sizeOf(resources, "cpu"))}, ${sizeText("ram", sizeOf(resources, "ram"))}`;

const cost = (credits: number): string => (credits === 0 ? "0" : credits < 0.01 ? "<0.01" : credits.toFixed(2));

const COLUMNS: readonly Column<QuotaReportRow>[] = [
  { title: "USER", value: (row) => row.user, whole: true },
  { title: "BAND", value: (row) => wordOf(BAND_WORDS, row.band) },
  { title: "GRANTED", value: (row) => (row.quota?.unlimited ? "no limit" : both(row.quota?.limit)), side: "right" },
  { title: "ADMITTED", value: (row) => both(row.charged), side: "right" },
  { title: "ON MACHINES", value: (row) => both(row.running), side: "right", drops: 1 },
  { title: "USED", value: (row) => both(row.usage), side: "right", drops: 2 },
  { title: "COST/H", value: (row) => (row.quota?.unlimited ? "" : cost(row.quotaCost)), side: "right" },
  { title: "OF ADMITTED", value: (row) => cost(row.chargedCost), side: "right", drops: 3 },
  {
    title: "UNTIL",
    value: (row) => ((row.quota?.untilMs ?? 0) === 0 ? "" : `${clockText(row.quota!.untilMs)}${row.ended ? " (ended)" : ""}`),
  },
];

function soldText({ capacity, sold }: ReportQuotaResponse): string {
  const part = (dimension: "cpu" | "ram"): string => {
    const has = sizeOf(capacity, dimension);
    return has === 0 ? "-" : `${Math.round((100 * sizeOf(sold, dimension)) / has)} %`;
  };
  return `Prod quota granted to all users: ${both(sold)}; the cell has ${both(capacity)} (${part("cpu")} and ${part("ram")} granted)\n`;
}
