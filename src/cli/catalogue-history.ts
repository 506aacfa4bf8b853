/** Commands that ask what was: reports, SQL, exports. What they do is in commands/. */
import type { Command } from "commander";
import { does, examples, type Setting } from "./catalogue.ts";
import type { HistoryReportOptions } from "./commands/history-report.ts";
import type { EvictionsOptions, ReclaimOptions } from "./commands/report.ts";
import type { SqlOptions } from "./commands/sql.ts";

export function addHistoryCommands(program: Command, setting: Setting): void {
  addReports(program, setting);
  addSql(program, setting);
  addExport(program, setting);
}

function addReports(program: Command, setting: Setting): void {
  const load = () => import("./commands/report.ts");
  const report = program.command("report").helpCommand(false).description("what became of tasks and resources, in sums");
  examples(report, ["borg report evictions --days 7", "borg report reclaim --by user", "borg report usage --since 7d"]);
  const evictions = report
    .command("evictions")
    .description("how many tasks were evicted for what, prod and non-prod, and how many that is a week of a task's running")
    .option("--days <n>", "the last so many, today included (default: all that are kept, 30 at most)")
    .option("--html <file>", "as a page with a plot");
  examples(evictions, ["borg report evictions", "borg report evictions --days 7 --json", "borg report evictions --html evictions.html"]);
  does<EvictionsOptions>(setting, evictions, "reads", async (context, _, options) => (await load()).reportEvictions(context, options));
  const reclaim = report
    .command("reclaim")
    .description("limits, reservations and use, and how much work runs only because others use less than their limits")
    .option("--by <what>", "cell, user or job (default: cell)")
    .option("-u, --user <name>", "of this user alone");
  examples(reclaim, ["borg report reclaim", "borg report reclaim --by job --json"]);
  does<ReclaimOptions>(setting, reclaim, "reads", async (context, _, options) => (await load()).reportReclaim(context, options));
  const shapes = report.command("shapes").description("which tasks fit now: how many of each size, and the largest");
  examples(shapes, ["borg report shapes", "borg report shapes --json"]);
  does(setting, shapes, "reads", async (context) => (await import("./commands/shapes.ts")).reportShapes(context));
  addHistoryReports(report, setting);
}

/** What the history tells. */
function addHistoryReports(report: Command, setting: Setting): void {
  const load = () => import("./commands/history-report.ts");
  const common = (command: Command): Command =>
    command
      .option("-u, --user <name>", "of this user alone (default: of all that you may see)")
      .option("--since <time>", "a time ago (7d, 12h) or a moment (default: 30d)")
      .option("--html <file>", "as a page with a plot");
  const usage = common(report.command("usage").description("what was used, by user and band, and what that costs"));
  examples(usage, ["borg report usage", "borg report usage --since 7d --html usage.html", "borg report usage --user ann --json"]);
  does<HistoryReportOptions>(setting, usage, "reads", async (context, _, options) => (await load()).reportUsage(context, options));
  const sla = common(report.command("sla").description("availability of prod jobs: how much of the time that tasks were wanted they ran"));
  examples(sla, ["borg report sla", "borg report sla --since 24h --json"]);
  does<HistoryReportOptions>(setting, sla, "reads", async (context, _, options) => (await load()).reportSla(context, options));
}

function addSql(program: Command, setting: Setting): void {
  const sql = program
    .command("sql")
    .description("ask the history of the cell in SQL: jobs, tasks, events, decisions, preemptions, usage, quota (docs/sql.md)")
    .argument("[question...]", "one statement that only reads; without one, a prompt, or all of standard input")
    .option("--csv", "rows as CSV")
    .option("--parquet <file>", "all rows as a Parquet file");
  examples(sql, [
    'borg sql "select job, state, task_count from jobs order by submitted desc limit 10"',
    'borg sql "select * from preemptions" --json',
    'borg sql "from usage" --csv',
  ]);
  does<SqlOptions>(setting, sql, "reads", async (context, question, options) =>
    (await import("./commands/sql.ts")).sql(context, question, options),
  );
}

function addExport(program: Command, setting: Setting): void {
  const out = program.command("export").helpCommand(false).description("the history for others");
  examples(out, ["borg export trace ./trace"]);
  const trace = out
    .command("trace")
    .description("the history that you may see, as CSV in the layout of the public Google trace; names become digests")
    .argument("<directory>", "where the tables go; it is made");
  examples(trace, ["borg export trace ./trace", "borg export trace /tmp/trace --json"]);
  does(setting, trace, "reads", async (context, [directory]) =>
    (await import("./commands/trace-export.ts")).exportTrace(context, directory!),
  );
}
