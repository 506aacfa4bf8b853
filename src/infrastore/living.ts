/**
 * What outlives the days that are forgotten: of everything that still lives the row that says how it is now. A task that has run quietly for longer than history is kept has no younger
 * row; without its old one it would be gone from `tasks`, and its job would seem to be pending. Of what ended or left nothing is carried on, so this stays as large as the cell.
 */
import { quoted } from "./database.ts";
import { columnsOf, type TableName } from "./tables.ts";
import { SQL_TYPES } from "./views.ts";

/** Files of one owner, as paths. */
export interface LivingFiles {
  /** Of the days that go. */
  readonly old: (table: TableName) => readonly string[];
  readonly kept: (table: TableName) => readonly string[];
}

function rowsOf(table: TableName, paths: readonly string[]): string {
  const columns = columnsOf(table);
  if (paths.length === 0) return `(select ${columns.map(([name, type]) => `null::${SQL_TYPES[type]} as ${name}`).join(", ")} where false)`;
  return `(select ${namesOf(table)} from read_parquet([${paths.map(quoted).join(", ")}], hive_partitioning = false))`;
}

const namesOf = (table: TableName): string =>
  columnsOf(table)
    .map(([name]) => name)
    .join(", ");

/** The newest row of each thing, if no day that is kept has a newer one. */
const newestOf = (keys: string, old: string, kept: string): string => `
  select o.* from (select * from ${old} qualify row_number() over (partition by ${keys} order by position desc${old.includes("number") ? ", number desc" : ""}) = 1) o
  anti join ${kept} k using (${keys})`;

/** A job's end is carried on, and its first row, while a younger row tells of the job: without them that row would say that the job waits. */
function eventsSql({ old, kept }: LivingFiles): string {
  const of = (paths: readonly string[], kinds: string): string => `(from ${rowsOf("events", paths)} where kind in (${kinds}))`;
  const newest = (kinds: string, keys: string): string => newestOf(keys, of(old("events"), kinds), of(kept("events"), kinds));
  return `
    select * from (${newest("'task.state', 'task.added', 'task.removed'", "job, task_index")}) where kind <> 'task.removed' and to_state is distinct from 'dead'
    union all
    select * from (${newest("'job.state'", "job")}) where to_state <> 'dead' or job in (select job from ${rowsOf("jobs", kept("jobs"))})`;
}

/** Of a job's last submission its first row as well: events from there on are of this one. */
const jobsSql = ({ old, kept }: LivingFiles): string => `
  with rows as (select *, false as stays from ${rowsOf("jobs", old("jobs"))} union all select *, true from ${rowsOf("jobs", kept("jobs"))}),
    last_ones as (select * from rows qualify submitted = max(submitted) over (partition by job)),
    ends as (select job, max(position) as at, arg_max(to_state, position * 1000000 + number) as state
      from ${rowsOf("events", [...old("events"), ...kept("events")])} where kind = 'job.state' group by job)
  select l.* exclude (stays) from
    (select * from last_ones qualify position in (min(position) over (partition by job), max(position) over (partition by job))) l
    anti join (select e.job from ends e join (select job, min(position) as first, bool_or(stays) as stays from last_ones group by job) using (job)
      where e.state = 'dead' and e.at >= first and not stays) using (job)
  where not l.stays`;

const machinesSql = ({ old, kept }: LivingFiles): string => `
  select m.* from (${newestOf("machine", rowsOf("machines", old("machines")), rowsOf("machines", kept("machines")))}) m
  where not exists (select 1 from ${rowsOf("events", [...old("events"), ...kept("events")])} e
    where e.kind = 'machine.left' and e.subject = m.machine and e.position >= m.position)`;

const quotaSql = ({ old, kept }: LivingFiles): string =>
  newestOf("user_name, band", rowsOf("quota", old("quota")), rowsOf("quota", kept("quota")));

const STATEMENTS: Readonly<Partial<Record<TableName, (files: LivingFiles) => string>>> = {
  events: eventsSql,
  jobs: jobsSql,
  machines: machinesSql,
  quota: quotaSql,
};

/** Rows of the days that go that are carried on; undefined: of this table there are none. */
export const livingSql = (table: TableName, files: LivingFiles): string | undefined => {
  const sql = STATEMENTS[table]?.(files);
  return sql === undefined ? undefined : `select ${namesOf(table)} from (${sql})`;
};
