/**
 * What people ask: tables by the names of docs/sql.md, as views on the files that whoever asks may see. A file that is not named here is not in the jail either;
 * the views are for convenience, the jail is the wall.
 */
import type { BandName } from "../wire/band.ts";
import { LOWEST } from "../wire/band.ts";
import { quoted } from "./database.ts";
import { type ColumnType, columnsOf, TABLE_NAMES, type TableName } from "./tables.ts";

export const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: "varchar",
  number: "double",
  count: "bigint",
  time: "timestamp",
  flag: "boolean",
};

/** The raw table behind a view of the same name. */
const raw = (table: TableName): string => `kept_${table}`;

/** Columns that came later are in no old file: what the table has, in the file or not, is said before. */
function rawView(table: TableName, paths: readonly string[]): string {
  const columns = columnsOf(table);
  const nothing = `select ${columns.map(([name, type]) => `null::${SQL_TYPES[type]} as ${name}`).join(", ")}, null::varchar as owner, null::date as day where false`;
  const files = `read_parquet([${paths.map(quoted).join(", ")}], union_by_name = true, hive_partitioning = true, hive_types = {'owner': varchar, 'day': date})`;
  const from =
    paths.length === 0
      ? nothing
      : `select ${columns.map(([name]) => name).join(", ")}, owner, day from (${nothing} union all by name select * from ${files})`;
  return `create temp view ${raw(table)} as ${from}`;
}

const BAND = `case when priority >= ${LOWEST.monitoring} then 'monitoring' when priority >= ${LOWEST.production} then 'production'
  when priority >= ${LOWEST.batch} then 'batch' else 'free' end`;

/** By the names that people use, in an order in which each needs only those before it. */
const VIEWS: readonly (readonly [name: string, sql: string])[] = [
  ["events", `select * from ${raw("events")}`],
  [
    "instance_events",
    `select time, kind, job, task_index, from_state, to_state, cause, machine, instance, actor, preemptor, detail, position, number, owner, day
     from ${raw("events")} where kind like 'task.%' or kind like 'instance.%'`,
  ],
  [
    "job_events",
    `select time, kind, job, from_state, to_state, actor, detail, position, number, owner, day from ${raw("events")} where kind like 'job.%'`,
  ],
  [
    "machine_events",
    `select time, kind, subject as machine, actor, detail, position, number, day from ${raw("events")} where kind like 'machine.%'`,
  ],
  [
    "jobs",
    // A name may be used again: events between two submissions are of the first.
    `with job_firsts as (select job, submitted, min(position) as first, lead(min(position)) over (partition by job order by min(position)) as after
         from ${raw("jobs")} group by job, submitted),
       job_versions as (select k.*, f.first, f.after from ${raw("jobs")} k join job_firsts f on f.job = k.job and f.submitted = k.submitted
         qualify row_number() over (partition by k.job, k.submitted order by k.position desc) = 1)
     select v.job, v.kind, case when s.state is not null then s.state when v.held then 'held' else 'pending' end as state, v.priority, ${BAND} as band, v.task_count,
       v.submitted, s.ended, v.generation, v.killed, v.cpu, v.ram_bytes, v.disk_bytes, v.scheduler, v.time as changed, v.owner
     from job_versions v left join (
       select v.job, v.submitted, arg_max(e.to_state, e.position * 1000000 + e.number) as state, max(e.time) filter (e.to_state = 'dead') as ended
       from job_versions v join ${raw("events")} e on e.job = v.job and e.kind = 'job.state' and e.position >= v.first and (v.after is null or e.position < v.after)
       group by all) s on s.job = v.job and s.submitted = v.submitted`,
  ],
  [
    "tasks",
    `select job, task_index, arg_max(to_state, moment) as state, arg_max(cause, moment) as cause, max(time) as since, arg_max(machine, moment) filter (machine is not null) as machine,
       count(*) filter (to_state = 'starting') as starts, count(*) filter (cause = 'failed') as failures,
       count(*) filter (cause in ('preemption', 'out-of-resources', 'machine-failure', 'machine-shutdown', 'other') and from_state in ('starting', 'running')) as evictions,
       min(time) as first_seen, owner
     from (select * replace (case kind when 'task.added' then 'pending' when 'task.removed' then 'dead' else to_state end as to_state), position * 1000000 + number as moment
       from ${raw("events")} where kind in ('task.state', 'task.added', 'task.removed')) group by job, task_index, owner`,
  ],
  [
    "decisions",
    `select time, job, task_index, machine, actor as scheduler, epoch_ms(time - before) / 1000.0 as waited_seconds, instance, position, owner, day from
       (select *, lag(time) over (partition by job, task_index order by position, number) as before
       from ${raw("events")} where kind in ('task.state', 'task.added'))
     where to_state = 'starting'`,
  ],
  [
    "preemptions",
    `select time, job as victim_job, task_index as victim_index, machine, instance as victim, preemptor,
       regexp_replace(preemptor, '/[^/]*$', '') as preemptor_job, position, owner, day
     from ${raw("events")} where cause = 'preemption' and preemptor is not null and kind = 'task.state' and from_state <> 'stopping'`,
  ],
  [
    "usage",
    `select start, seconds, job, task_index, machine, priority, ${BAND} as band, cpu, cpu_max, ram_bytes, ram_bytes_max, cpu_limit, ram_bytes_limit, disk_read_bytes, disk_written_bytes, owner, day from ${raw("usage")}`,
  ],
  ["quota_changes", `select * exclude (owner, day) from ${raw("quota")}`],
  [
    "quota",
    `select * exclude (owner, day) from ${raw("quota")} qualify row_number() over (partition by user_name, band order by position desc) = 1`,
  ],
  [
    "machines",
    `select * exclude (owner, day) from ${raw("machines")} qualify row_number() over (partition by machine order by position desc) = 1`,
  ],
  ["gaps", `select * exclude (owner) from ${raw("gaps")}`],
];

/** Only for admins: everything that a person or a program asked for, whoever it was about. */
const AUDIT = `select time, actor, kind, subject, detail, position, number, day from ${raw("events")} where actor_kind = 'user'`;

const NO_AUDIT = "select error('The audit is for admins of the cell') as refused";

export type Prices = Readonly<Record<BandName, number>>;

export interface ViewOptions {
  /** Where whoever asks finds the files of a table. */
  readonly paths: (table: TableName) => readonly string[];
  readonly audit: boolean;
  readonly prices: Prices;
}

/** The statements that make them. */
export function viewStatements({ paths, audit, prices }: ViewOptions): readonly string[] {
  const rows = Object.entries(prices).map(([band, price]) => `(${quoted(band)}, ${Number(price)}::double)`);
  return [
    ...TABLE_NAMES.map((table) => rawView(table, paths(table))),
    ...VIEWS.map(([name, sql]) => `create temp view ${name} as ${sql}`),
    `create temp view audit as ${audit ? AUDIT : NO_AUDIT}`,
    `create temp view prices as select * from (values ${rows.join(", ")}) p(band, price)`,
  ];
}

export const VIEW_NAMES: readonly string[] = [...VIEWS.map(([name]) => name), "prices", "audit"];
