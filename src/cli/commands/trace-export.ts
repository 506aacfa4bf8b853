/**
 * `borg export trace`: the history in the layout of the public Google cluster trace of 2011 (clusterdata-2011-2): four tables of CSV without heads. Times are microseconds from the
 * first event, amounts are parts of the largest machine, names of users, jobs and machines are digests: what is published names nobody.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { sqlPages } from "../sql-answer.ts";
import { csvLine } from "./sql.ts";

/** Identifiers that JSON does not round. */
const idWith =
  (salt: string) =>
  (column: string): string =>
    `(hash('${salt}' || ${column}) >> 12)::bigint`;
const digestWith =
  (salt: string) =>
  (column: string): string =>
    `md5('${salt}' || ${column})`;
type Named = (column: string) => string;
/** Six hundred seconds stand before the first event, as in the public trace. */
const MICROS = (column: string): string => `(epoch_ms(${column}) - (select epoch_ms(min(time)) from events) + 600000) * 1000`;
const LARGEST = "(select max(cpu) as cpu, max(ram_bytes) as ram, max(disk_bytes) as disk from machines) largest";
/** How a task left: EVICT, FAIL, FINISH, KILL, LOST. */
const LEFT = `case cause when 'failed' then 3 when 'finished' then 4 when 'killed' then 5 when 'lost' then 6 else 2 end`;
/** Scheduling class 0 to 3, by band. */
const CLASS = `case band when 'monitoring' then 3 when 'production' then 2 when 'batch' then 1 else 0 end`;
/** A job as it was last: what its tasks asked for. */
const JOBS = "(select * from jobs qualify row_number() over (partition by job order by submitted desc) = 1) j";

/** A job ends once, when its last task has: as it was told to, else as the worst of its tasks did. A name may be used again: `life` is the submission that an event belongs to. */
const JOB_ENDS = `told as (select *, max(position) filter (kind = 'job.submitted') over (partition by job order by position, number) as life from job_events),
    killed as (select distinct job, life from told where kind = 'job.killed'),
    died as (select d.job, d.position, bool_or(t.cause = 'failed') as failed, bool_or(t.cause = 'lost') as lost
      from told d join instance_events t on t.job = d.job and t.kind = 'task.state' and t.to_state = 'dead' and t.position between coalesce(d.life, 0) and d.position
      where d.kind = 'job.state' and d.to_state = 'dead' group by all)`;

/** What stands for a name: a number, and a digest. */
const tablesOf = (id: Named, digest: Named): Readonly<Record<string, string>> => ({
  job_events: `with ${JOB_ENDS}
    select ${MICROS("e.time")} as t, null, ${id("e.job")}, case when e.kind = 'job.submitted' then 0 when to_state = 'running' then 1
      when k.job is not null then 5 when died.failed then 3 when died.lost then 6 else 4 end, ${digest("e.owner")}, ${CLASS}, ${digest("e.job")}, ${digest("e.job")}
    from told e left join ${JOBS} on j.job = e.job left join killed k on k.job = e.job and k.life is not distinct from e.life
      left join died on died.job = e.job and died.position = e.position
    where e.kind = 'job.submitted' or (e.kind = 'job.state' and to_state in ('running', 'dead')) order by t, e.position, e.number`,
  task_events: `with steps as (
      select *, 0 as type from instance_events where kind = 'task.added' or (kind = 'task.state' and to_state = 'pending')
      union all select *, 1 from instance_events where kind = 'task.state' and to_state = 'starting'
      union all select *, ${LEFT} from instance_events where kind = 'task.state' and to_state in ('pending', 'dead'))
    select ${MICROS("e.time")} as t, null, ${id("e.job")}, task_index, case when e.machine is null then null else ${id("e.machine")} end, type, ${digest("e.owner")}, ${CLASS},
      priority, j.cpu / largest.cpu, j.ram_bytes / largest.ram, j.disk_bytes / largest.disk, 0
    from steps e left join ${JOBS} on j.job = e.job cross join ${LARGEST} order by t, e.position, e.number, type = 0`,
  machine_events: `select ${MICROS("e.time")} as t, ${id("e.machine")}, case kind when 'machine.joined' then 0 when 'machine.left' then 1 else 2 end, null,
      m.cpu / largest.cpu, m.ram_bytes / largest.ram
    from machine_events e left join machines m on m.machine = e.machine cross join ${LARGEST} order by t, e.position, e.number`,
  task_usage: `select ${MICROS("start")} as t, ${MICROS("start")} + (seconds * 1000000)::bigint, ${id("job")}, task_index, ${id("machine")},
      u.cpu / largest.cpu, u.ram_bytes / largest.ram, u.ram_bytes_limit / largest.ram, null, null, u.ram_bytes_max / largest.ram, null, null,
      u.cpu_max / largest.cpu, null, null, null, 1, 1, null
    from usage u cross join ${LARGEST} order by t, job, task_index`,
});

/** One question for each table. `salt`: what makes digests that nobody can find by trying names. */
export const traceTables = (salt: string): Readonly<Record<string, string>> => tablesOf(idWith(salt), digestWith(salt));

export async function exportTrace(context: Context, directory: string): Promise<number> {
  const counts: Record<string, number> = {};
  // Another one for each export.
  for (const [name, sql] of Object.entries(traceTables(randomUUID())))
    counts[name] = await exportTable(context, join(resolve(context.terminal.cwd, directory), name), sql);
  const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  context.tell(`Wrote ${directory}: rows of ${told.join(", ")}`, { directory, rowCounts: counts });
  return EXIT.done;
}

async function exportTable(context: Context, directory: string, sql: string): Promise<number> {
  const path = join(directory, "part-00000-of-00001.csv");
  let count = 0;
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, "", { flag: "wx" });
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === "EEXIST" ? "it is there already" : String((cause as Error).message);
    throw new Failure("usage", `Cannot write "${path}": ${reason}`, "choose a directory that is empty", { cause });
  }
  for await (const { rows } of sqlPages(context, sql)) {
    appendFileSync(path, rows.map((row) => csvLine(row).replace("\r\n", "\n")).join(""));
    count += rows.length;
  }
  return count;
}
