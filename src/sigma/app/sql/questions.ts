/** The questions of docs/sql.md, to begin with. */
export interface Question {
  readonly name: string;
  readonly sql: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    name: "What runs now, and for whom?",
    sql: "select owner, band, count(*) as jobs, sum(task_count) as tasks from jobs where state = 'running' group by all order by tasks desc",
  },
  {
    name: "Which tasks are pending, and since when?",
    sql: "select job, task_index, since, cause from tasks where state = 'pending' order by since",
  },
  {
    name: "How long do tasks wait for a machine, by scheduler?",
    sql: "select scheduler, count(*) as placed, median(waited_seconds) as median, quantile_cont(waited_seconds, 0.99) as p99 from decisions group by scheduler",
  },
  {
    name: "Which job failed most in the last day?",
    sql: "select job, count(*) as failures from instance_events where cause = 'failed' and time > now()::timestamp - interval 1 day group by job order by failures desc limit 10",
  },
  {
    name: "Why was my task stopped?",
    sql: "select time, from_state, to_state, cause, machine, preemptor, detail from instance_events where kind = 'task.state' and to_state in ('stopping', 'pending', 'dead') order by position desc, number desc limit 10",
  },
  {
    name: "Who pushed my tasks off their machines?",
    sql: "select preemptor_job, count(*) as times, max(time) as last from preemptions group by preemptor_job order by times desc",
  },
  {
    name: "How many evictions of each cause on each day?",
    sql: "select day, cause, count(*) as evictions from instance_events where kind = 'task.state' and to_state = 'stopping' and cause in ('preemption', 'out-of-resources', 'machine-failure', 'machine-shutdown', 'other') group by all order by day, cause",
  },
  {
    name: "Which machines lost the most tasks?",
    sql: "select machine, count(*) as gone from instance_events where kind = 'task.state' and cause in ('machine-failure', 'machine-shutdown', 'out-of-resources', 'lost') group by machine order by gone desc limit 10",
  },
  {
    name: "Which machines come and go?",
    sql: "select machine, count(*) as changes, max(time) as last from machine_events group by machine order by changes desc limit 10",
  },
  {
    name: "What did each user use, in core hours and GiB hours?",
    sql: "select owner, sum(cpu * seconds) / 3600 as core_hours, sum(ram_bytes * seconds) / 3600 / 1024 ** 3 as gib_hours from usage group by owner order by core_hours desc",
  },
  {
    name: "What does that cost?",
    sql: "select owner, band, sum((cpu + ram_bytes / 4294967296) * seconds / 3600 * price) as credits from usage join prices using (band) group by all order by credits desc",
  },
  {
    name: "Which jobs ask for much more cpu than they use?",
    sql: "select job, avg(cpu_limit) as asked, sum(cpu * seconds) / sum(seconds) as used, max(cpu_max) as most from usage group by job having asked > 2 * used order by (asked - used) * count(distinct task_index) desc limit 10",
  },
  {
    name: "Which tasks came close to their memory limit?",
    sql: "select job, task_index, max(ram_bytes_max / ram_bytes_limit) as part from usage where ram_bytes_limit > 0 group by all having part > 0.9 order by part desc",
  },
  {
    name: "How busy was the cell in each hour?",
    sql: "select time_bucket(interval 1 hour, start) as hour, sum(cpu * seconds) / 3600 as cores from usage group by hour order by hour",
  },
  {
    name: "How many jobs were submitted on each day, and by how many people?",
    sql: "select submitted::date as day, count(*) as jobs, count(distinct owner) as users from jobs group by all order by day",
  },
  {
    name: "How long do batch jobs take?",
    sql: "select quantile_cont(epoch(ended - submitted), [0.5, 0.9, 0.99]) as seconds, count(*) as jobs from jobs where band = 'batch' and ended is not null",
  },
  {
    name: "What happened on a machine at a certain time?",
    sql: "select time, kind, subject, to_state, cause from events where machine = 'm1' and time between '2026-01-01' and now()::timestamp order by position, number limit 100",
  },
  {
    name: "Which tasks are restarted again and again?",
    sql: "select job, task_index, starts, failures, state from tasks where starts > 3 order by starts desc limit 20",
  },
  {
    name: "Who has how much quota, and how did it change?",
    sql: "select time, user_name, band, cpu, ram_bytes, unlimited from quota_changes order by position desc limit 20",
  },
  {
    name: "What did I change in the cell lately?",
    sql: "select time, kind, subject, detail from events where actor_kind = 'user' order by position desc, number desc limit 20",
  },
];
