/** Every figure that Prometheus may read: name, kind, what it says, and where it comes from. One row each; docs/metrics.md has the same rows, and a test compares them. */
import type { CellView, JobView, MachineView, MasterView, SchedulerView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { EvictionCounts, EvictionDay } from "../../wire/gen/borg/v1/record_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family<Look> {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  readonly samples: (look: Look) => readonly Sample[];
}

/** What is looked at for /metrics. */
export interface CellLook {
  readonly cell: CellView;
  /** How old the copy is that answered; NaN: nobody knows. */
  readonly ageMs: number;
  readonly master: MasterView;
  readonly schedulers: readonly SchedulerView[];
  readonly today: EvictionDay | undefined;
}

/** Lists are cut off somewhere, and say so. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

const SECOND = 1000;
const one = (value: number): readonly Sample[] => [{ value }];

function gauge<Look>(name: string, help: string, samples: (look: Look) => readonly Sample[]): Family<Look> {
  return { name, kind: "gauge", help, samples };
}

function counter<Look>(name: string, help: string, samples: (look: Look) => readonly Sample[]): Family<Look> {
  return { name, kind: "counter", help, samples };
}

type Amounts = { readonly [of in "capacity" | "limit" | "reservation" | "usage"]?: Resources | undefined };
const OF = ["capacity", "limit", "reservation", "usage"] as const;

const amounts = (
  found: Amounts,
  value: (resources: Resources | undefined) => number,
  labels: Readonly<Record<string, string>> = {},
): Sample[] => OF.map((of) => ({ labels: { ...labels, of }, value: value(found[of]) }));
const cores = (found: Resources | undefined): number => (found?.cpuMilli ?? 0) / 1000;
const ram = (found: Resources | undefined): number => found?.ramBytes ?? 0;
const disk = (found: Resources | undefined): number => found?.diskBytes ?? 0;

const CAUSES = ["preemption", "outOfResources", "machineFailure", "machineShutdown", "other"] as const;
const CAUSE_LABELS = {
  preemption: "preemption",
  outOfResources: "out-of-resources",
  machineFailure: "machine-failure",
  machineShutdown: "machine-shutdown",
  other: "other",
};

const evictions = (found: EvictionCounts | undefined, band: string): Sample[] =>
  CAUSES.map((cause) => ({ labels: { band, cause: CAUSE_LABELS[cause] }, value: found?.[cause] ?? 0 }));

const perScheduler =
  (value: (scheduler: SchedulerView) => number) =>
  ({ schedulers }: CellLook): readonly Sample[] =>
    schedulers.map((scheduler) => ({ labels: { scheduler: scheduler.name }, value: value(scheduler) }));

export const CELL_FAMILIES: readonly Family<CellLook>[] = [
  gauge("borg_cell_info", "Always 1; labels: the cell's name and the version of its rules", ({ cell }) => [
    { labels: { cell: cell.name, version: String(cell.version) }, value: 1 },
  ]),
  gauge(
    "borg_copy_age_seconds",
    "How long ago the copy that answered was surely current; in a quiet cell it grows although nothing is missing",
    ({ ageMs }) => one(ageMs / SECOND),
  ),
  counter("borg_journal_entries_total", "Entries of the cell's journal", ({ cell }) => one(cell.position)),
  gauge("borg_machines", "Machines of the cell", ({ cell }) => one(cell.machines)),
  gauge("borg_machines_unreachable", "Machines that do not answer", ({ cell }) => one(cell.machines - cell.machinesReachable)),
  gauge("borg_jobs", "Jobs and alloc sets that live", ({ cell }) => one(cell.jobs)),
  gauge("borg_tasks", "Tasks that live, by state: pending, running, or between the two (other)", ({ cell }) => [
    { labels: { state: "pending" }, value: cell.pending },
    { labels: { state: "running" }, value: cell.running },
    { labels: { state: "other" }, value: Math.max(0, cell.tasks - cell.pending - cell.running) },
  ]),
  gauge(
    "borg_cell_cpu_cores",
    "Cores of the cell: capacity, limits of what is placed, reservations, and usage as last measured",
    ({ cell }) => amounts(cell, cores),
  ),
  gauge("borg_cell_ram_bytes", "Memory of the cell, in the same four ways", ({ cell }) => amounts(cell, ram)),
  gauge("borg_cell_disk_bytes", "Disk of the cell, in the same four ways", ({ cell }) => amounts(cell, disk)),
  gauge("borg_evictions_today", "Tasks evicted since midnight UTC, by band (prod, non-prod) and cause", ({ today }) => [
    ...evictions(today?.prod, "prod"),
    ...evictions(today?.nonProd, "non-prod"),
  ]),
  gauge("borg_master_leading", "1 while this master leads its cell", ({ master }) => one(Number(master.role === "leading"))),
  gauge("borg_master_term", "The term of this master: it rises when another one takes over", ({ master }) => one(master.term)),
  gauge("borg_master_uptime_seconds", "How long this master process has lived", ({ master }) => one(master.upMs / SECOND)),
  counter("borg_master_cpu_seconds_total", "Processor time of the master process, all its threads", ({ master }) =>
    one(master.cpuMs / SECOND),
  ),
  gauge("borg_master_rss_bytes", "Memory of the master process", ({ master }) => one(master.rssBytes)),
  gauge("borg_master_heap_bytes", "Heap of the master's main thread", ({ master }) => one(master.heapBytes)),
  gauge("borg_master_loop_delay_p99_seconds", "How late the main thread was in 99 of 100 cases, since it was last asked", ({ master }) =>
    one(master.loopDelayP99Ms / SECOND),
  ),
  gauge("borg_master_longest_step_seconds", "The longest turn of the main thread, since it was last asked", ({ master }) =>
    one(master.longestStepMs / SECOND),
  ),
  gauge("borg_master_ops_waiting", "Changes that wait for their entry in the journal", ({ master }) => one(master.waiting)),
  gauge("borg_master_behind_bytes", "Bytes that threads of the master have not taken yet", ({ master }) => one(master.behindBytes)),
  gauge("borg_master_links", "Borglets that are connected", ({ master }) => one(master.links)),
  counter(
    "borg_scheduler_transactions_total",
    "Transactions that a scheduler sent, since this master began",
    perScheduler(({ transactions }) => transactions),
  ),
  counter(
    "borg_scheduler_placed_total",
    "Claims that were accepted: tasks placed",
    perScheduler(({ placed }) => placed),
  ),
  counter(
    "borg_scheduler_refused_total",
    "Claims that were refused: conflicts with others",
    perScheduler(({ refused }) => refused),
  ),
  counter(
    "borg_scheduler_victims_total",
    "Tasks evicted for what was placed",
    perScheduler(({ victims }) => victims),
  ),
  counter(
    "borg_scheduler_first_claims_total",
    "Jobs that got their first claim",
    perScheduler(({ firstClaims }) => firstClaims),
  ),
  counter(
    "borg_scheduler_first_wait_seconds_total",
    "From submit to first claim, of all these jobs together",
    perScheduler(({ firstWaitMs }) => firstWaitMs / SECOND),
  ),
  gauge(
    "borg_scheduler_first_wait_seconds_max",
    "The longest of these waits",
    perScheduler(({ firstWaitMsMax }) => firstWaitMsMax / SECOND),
  ),
  counter(
    "borg_scheduler_busy_seconds_total",
    "Time spent deciding; 0 of a scheduler that is a process of its own",
    perScheduler(({ busyMs }) => busyMs / SECOND),
  ),
];

const perItem =
  <T>(samples: (item: T) => readonly Sample[]) =>
  ({ items }: Listed<T>): readonly Sample[] =>
    items.flatMap(samples);

const ofMachine = (value: (machine: MachineView) => number) =>
  perItem<MachineView>((machine) => [{ labels: { machine: machine.name }, value: value(machine) }]);

export const MACHINE_FAMILIES: readonly Family<Listed<MachineView>>[] = [
  gauge(
    "borg_machine_up",
    "1 while the machine answers",
    ofMachine(({ state }) => Number(state !== "unreachable")),
  ),
  gauge(
    "borg_machine_draining",
    "1 while it is being drained, or is drained",
    ofMachine(({ state }) => Number(state === "draining" || state === "drained")),
  ),
  gauge(
    "borg_machine_tasks",
    "Tasks on it",
    ofMachine(({ tasks }) => tasks),
  ),
  gauge(
    "borg_machine_cpu_cores",
    "Its cores: capacity, limits of what is placed, reservations, and usage as last measured",
    perItem((machine) => amounts(machine, cores, { machine: machine.name })),
  ),
  gauge(
    "borg_machine_ram_bytes",
    "Its memory, in the same four ways",
    perItem((machine) => amounts(machine, ram, { machine: machine.name })),
  ),
  gauge(
    "borg_machine_heard_timestamp_seconds",
    "When its use was last heard of; 0: not since this master began",
    ofMachine(({ heardMs }) => heardMs / SECOND),
  ),
  gauge("borg_machines_left_out", "1 when there are more machines than are told", ({ more }) => one(Number(more))),
];

const JOB_STATES = ["pending", "starting", "running", "backingOff", "stopping", "dead"] as const;

export const JOB_FAMILIES: readonly Family<Listed<JobView>>[] = [
  gauge(
    "borg_job_size",
    "How many tasks the job should have",
    perItem(({ name, count }) => [{ labels: { name }, value: count }]),
  ),
  gauge(
    "borg_job_tasks",
    "Its tasks by state: pending, starting, running, backing-off, stopping, dead",
    perItem((job) =>
      JOB_STATES.map((state) => ({ labels: { name: job.name, state: state === "backingOff" ? "backing-off" : state }, value: job[state] })),
    ),
  ),
  gauge(
    "borg_job_failures",
    "Failures of its tasks since each last ran well",
    perItem(({ name, failures }) => [{ labels: { name }, value: failures }]),
  ),
  gauge("borg_jobs_left_out", "1 when there are more jobs than are told", ({ more }) => one(Number(more))),
];
