/**
 * What a read must have shown, from the replayed state: computed here from the records themselves, by none of the code that answers users. A read is
 * described in words on both sides, and the words must be the same. Usage and history are not compared: the journal does not know them.
 */
import { equal, ZERO } from "../../base/vector.ts";
import type { CellState, Instance, Job, Machine, Task } from "../../cell/state.ts";
import { type BandName, wireBand } from "../../wire/band.ts";
import type * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Quota } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Asked } from "./history.ts";

/** What was shown and what there is, in words, where they differ; undefined when they agree. */
export function readProblem(state: CellState, asked: Asked, found: object | undefined): string | undefined {
  const [said, is] = words(state, asked, found);
  return said === is ? undefined : `was told "${said}"; it is "${is}"`;
}

const ABSENT = "absent";

function words(state: CellState, { method, request }: Asked, found: object | undefined): readonly [said: string, is: string] {
  const asked = request as never;
  switch (method) {
    case "getJob":
      return pair(state.jobs.get((asked as api.GetJobRequest).job as never), found as api.GetJobResponse, jobWords, (view) =>
        [jobViewWords(view.job!), ...view.tasks.map(taskViewWords)].join("; "),
      );
    case "getTask":
      return pair(taskNamed(state, (asked as api.GetTaskRequest).task), found as api.TaskDetail, taskWords, (view) =>
        taskViewWords(view.task!),
      );
    case "getMachine":
      return pair(state.machines.get((asked as api.GetMachineRequest).machine as never), found as api.MachineDetail, machineWords, (view) =>
        [machineViewWords(view.machine!), ...view.tasks.map(taskViewWords).sort()].join("; "),
      );
    case "getFramework":
      return pair(
        frameworkNamed(state, (asked as api.GetFrameworkRequest).framework),
        found as api.GetFrameworkResponse,
        frameworkWords,
        frameworkViewWords,
      );
    case "listTasks":
      return [(found as api.ListTasksResponse).tasks.map(taskViewWords).sort().join("; "), tasksWords(state, asked)];
    case "listJobs":
      return [(found as api.ListJobsResponse).jobs.map(jobViewWords).sort().join("; "), jobsWords(state, asked)];
    case "resolve":
      return [namedViewWords(found as api.ResolveResponse), namedWords(state, asked)];
    case "watchViews":
      return [viewWords(found as api.WatchViewsResponse), jobsWords(state, viewed(asked as api.WatchViewsRequest))];
    case "listMachines":
      return [
        (found as api.ListMachinesResponse).machines.map(machineViewWords).sort().join("; "),
        [...state.machines.values()].map(machineOnly).sort().join("; "),
      ];
    default:
      return cellWords(state, method, found);
  }
}

function cellWords(state: CellState, method: string, found: object | undefined): readonly [said: string, is: string] {
  switch (method) {
    case "listQuota":
      return [(found as api.ListQuotaResponse).quotas.map(quotaViewWords).sort().join("; "), quotaWords(state)];
    case "listUsers":
      return [(found as api.ListUsersResponse).users.map(userViewWords).sort().join("; "), usersWords(state)];
    case "listSchedulers":
      return [(found as api.ListSchedulersResponse).schedulers.map(schedulerViewWords).sort().join("; "), schedulersWords(state)];
    case "reportEvictions":
      return [evictionViewWords(found as api.ReportEvictionsResponse), evictionWords(state)];
    case "reportReclaim":
      return [(found as api.ReportReclaimResponse).rows.map(reclaimViewWords).sort().join("; "), reclaimWords(state)];
    case "reportQuota":
      return [(found as api.ReportQuotaResponse).rows.map(quotaRowWords).sort().join("; "), grantedWords(state)];
    case "getCell": {
      const { name, position, timeMs, machines, jobs } = found as api.CellView;
      const alive = [...state.jobs.values()].filter((job) => job.state !== "dead").length;
      return [
        `${name} ${position} ${timeMs} ${machines} ${jobs}`,
        `${state.name} ${state.position} ${state.timeMs} ${state.machines.size} ${alive}`,
      ];
    }
    default:
      return ["something", `nothing that the model of reads knows (${method})`];
  }
}

function pair<T, V>(
  record: T | undefined,
  view: V | undefined,
  is: (record: T) => string,
  said: (view: V) => string,
): readonly [string, string] {
  return [view === undefined ? ABSENT : said(view), record === undefined ? ABSENT : is(record)];
}

// Frameworks

function frameworkNamed(state: CellState, name: string): Job | undefined {
  const job = state.jobs.get(name as never);
  return job?.spec.kind === "framework" ? job : undefined;
}

/** Who it is, and of every task that is not over and done with what waits to be acknowledged. */
function frameworkWords({ id, led, tasks }: Job): string {
  const open = tasks.filter(({ state, launched }) => state !== "dead" || (launched?.updates.length ?? 0) > 0);
  const words = open.map((task) => `${task.id} ${task.launched?.taskId} ${task.launched?.updates.map(({ number }) => number)[0] ?? 0}`);
  return [`${id.replace("/", ".")}.${led?.number} ${led?.disconnectedMs}`, ...words].join("; ");
}

const frameworkViewWords = ({ framework, tasks }: api.GetFrameworkResponse): string =>
  [
    `${framework?.id} ${framework?.disconnectedMs}`,
    ...tasks.map(({ task, taskId, update }) => `${task} ${taskId} ${update?.number ?? 0}`),
  ].join("; ");

// Tasks and jobs

function taskNamed(state: CellState, name: string): Task | undefined {
  const slash = name.lastIndexOf("/");
  return state.jobs.get(name.slice(0, slash) as never)?.tasks[Number(name.slice(slash + 1))];
}

/** Between two runs a task is said to back off, not to run. */
const stateWords = ({ state, instance }: Task): string =>
  (state === "running" || state === "starting") && (instance?.faring.backOffUntilMs ?? 0) > 0 ? "backing-off" : state;

function taskWords(task: Task): string {
  const { id, cause, sinceMs, instance } = task;
  const where = instance === undefined ? "-" : `${instance.place.machine.id} ${instance.id} run ${instance.run}`;
  return `${id} ${stateWords(task)} ${cause} ${sinceMs} ${where}`;
}

const taskViewWords = ({ name, state, cause, sinceMs, machine, instance, run }: api.TaskView): string =>
  `${name} ${state} ${cause} ${sinceMs} ${instance === "" ? "-" : `${machine} ${instance} run ${run}`}`;

const jobOnly = ({ id, state, count, priority, submittedMs, held, tasks }: Job): string =>
  `${id} ${state} ${count} ${priority} ${submittedMs} ${held} ${tasks.filter((task) => stateWords(task) === "running").length}`;

const jobViewWords = ({ name, state, count, priority, submittedMs, held, running }: api.JobView): string =>
  `${name} ${state} ${count} ${priority} ${submittedMs} ${held} ${running}`;

const jobWords = (job: Job): string => [jobOnly(job), ...job.tasks.map(taskWords)].join("; ");

/** The workload watches all jobs of a user. */
const viewWords = ({ changes }: api.WatchViewsResponse): string =>
  (changes[0]?.jobs ?? [])
    .map(({ job }) => jobViewWords(job!))
    .sort()
    .join("; ");

function viewed({ views }: api.WatchViewsRequest): Pick<api.ListJobsRequest, "user" | "dead"> {
  return { user: /user:(\S+)/.exec(views[0]?.query ?? "")?.[1] ?? "", dead: true };
}

function jobsWords(state: CellState, { user, dead }: Pick<api.ListJobsRequest, "user" | "dead">): string {
  const jobs = [...state.jobs.values()].filter((job) => (user === "" || job.owner === user) && (dead || job.state !== "dead"));
  return jobs.map(jobOnly).sort().join("; ");
}

/** The selectors that the workload asks with, each in words of its own. */
const SELECTED = new Map<string, (track: string | undefined) => boolean>([
  ["", () => true],
  ["track=canary", (track) => track === "canary"],
  ["!track", (track) => track === undefined],
  ["track in (canary, stable)", (track) => track === "canary" || track === "stable"],
]);

function trackOf({ job, index }: Task): string | undefined {
  const said = job.spec.kind === "job" ? job.spec.job.overrides.filter(({ first, last }) => first <= index && index <= last) : [];
  return said.flatMap(({ labels }) => labels).findLast(({ key }) => key === "track")?.value;
}

function tasksWords(state: CellState, { user, job, machine, selector }: api.ListTasksRequest): string {
  const all = [...state.jobs.values()].flatMap((each) => each.tasks);
  const wanted = all.filter(
    (task) =>
      task.state !== "dead" &&
      (user === "" || task.job.owner === user) &&
      (job === "" || task.job.id === job) &&
      (machine === "" || task.instance?.place.machine.id === machine) &&
      SELECTED.get(selector)?.(trackOf(task)),
  );
  return wanted.map(taskWords).sort().join("; ");
}

// Names

/** What serves: it runs, on a machine that answers, nobody stops it, it waits for no other run, and every check that its spec has is good. */
function serves({ state, instance }: Task): boolean {
  if (state !== "running" || instance === undefined || instance.stop !== undefined) return false;
  const { task, generation, faring, place } = instance;
  if (faring.backOffUntilMs > 0 || !place.machine.reachable) return false;
  const { job } = task;
  const kept = job.kept.find((each) => each.generation === generation)?.spec;
  const coming = job.update !== undefined && job.update.generation === generation ? job.update.spec : undefined;
  const spec = job.generation === generation ? job.spec : (coming ?? kept);
  const asked = spec?.kind === "job" ? spec.job.task : undefined;
  if (asked?.ready !== undefined) return faring.wellMs > 0;
  return asked?.health === undefined || faring.health === "good";
}

function namedWords(state: CellState, { name, all }: api.ResolveRequest): string {
  const job = state.jobs.get(name as never);
  if (job === undefined || job.state === "dead" || job.spec.kind === "alloc-set") return "0 of 0";
  const ready = job.tasks.filter(serves);
  const shown = all ? job.tasks.filter((task) => task.state !== "dead") : ready;
  const words = shown.map((task) => {
    const { instance } = task;
    return `${task.id} ${instance?.id ?? ""} ${instance?.place.machine.facts.host ?? ""} ${instance?.ports.join(" ") ?? ""} ${serves(task)}`;
  });
  return [`${ready.length} of ${job.count}`, ...words].join("; ");
}

const namedViewWords = ({ size, ready, tasks }: api.ResolveResponse): string =>
  [
    `${ready} of ${size}`,
    ...tasks.map((one) => `${one.name} ${one.instance} ${one.host} ${one.ports.map(({ number }) => number).join(" ")} ${one.ready}`),
  ].join("; ");

// Machines

/** Everything on a machine, in allocs too, found from the tasks' side. */
const machineOnly = (machine: Machine): string => {
  const direct = [...machine.place.occupants.values()];
  const leaves = direct.flatMap((each): Instance[] => (each.inside === undefined ? [each] : [...each.inside.occupants.values()]));
  const drained = direct.length === 0 ? "drained" : "draining";
  const state = !machine.reachable ? "unreachable" : machine.draining ? drained : "up";
  return `${machine.id} ${state} ${leaves.length} ${machine.place.capacity.cpu}`;
};

const machineViewWords = ({ name, state, tasks, capacity }: api.MachineView): string =>
  `${name} ${state} ${tasks} ${capacity?.cpuMilli ?? 0}`;

function machineWords(machine: Machine): string {
  const direct = [...machine.place.occupants.values()];
  const inside = direct.flatMap((each) => (each.inside === undefined ? [] : [...each.inside.occupants.values()]));
  return [machineOnly(machine), ...[...direct, ...inside].map(({ task }) => taskWords(task)).sort()].join("; ");
}

// Users, quota, schedulers

const amounts = (cpuMilli: number, ramBytes: number, diskBytes: number): string => `${cpuMilli}/${ramBytes}/${diskBytes}`;

const quotaText = (quota: Quota | undefined): string =>
  quota === undefined
    ? "none"
    : `${quota.unlimited} ${amounts(quota.limit?.cpuMilli ?? 0, quota.limit?.ramBytes ?? 0, quota.limit?.diskBytes ?? 0)}`;

const quotaViewWords = ({ user, band, quota, charged }: api.QuotaView): string =>
  `${user} ${band} ${quotaText(quota)} ${amounts(charged?.cpuMilli ?? 0, charged?.ramBytes ?? 0, charged?.diskBytes ?? 0)}`;

const KIB = 1024;
const BAND_NAMES: readonly BandName[] = ["free", "batch", "production", "monitoring"];

function quotaWords(state: CellState): string {
  const rows: string[] = [];
  for (const { id, quotas, charged } of state.users.values()) {
    for (const band of BAND_NAMES) {
      const [quota, used] = [quotas.get(band), charged.get(band)];
      const isCharged = used !== undefined && !equal(used, ZERO);
      if (quota === undefined && !isCharged) continue;
      const text = quota === undefined ? `${band === "free"} ${amounts(0, 0, 0)}` : quotaText(quota);
      rows.push(`${id} ${wireBand(band)} ${text} ${amounts(used?.cpu ?? 0, (used?.ram ?? 0) * KIB, (used?.disk ?? 0) * KIB)}`);
    }
  }
  return rows.sort().join("; ");
}

const byNumber = (values: Iterable<number>): string => [...values].sort((a, b) => a - b).join(",");

const userViewWords = ({ name, roles, capabilities, jobs }: api.UserView): string =>
  `${name} roles ${byNumber(roles)} capabilities ${byNumber(capabilities)} jobs ${jobs}`;

function usersWords(state: CellState): string {
  const jobs = [...state.jobs.values()].filter((job) => job.state !== "dead");
  return [...state.users.values()]
    .map(
      ({ id, roles, capabilities }) =>
        `${id} roles ${byNumber(roles)} capabilities ${byNumber(capabilities)} jobs ${jobs.filter((job) => job.owner === id).length}`,
    )
    .sort()
    .join("; ");
}

const schedulerViewWords = ({ name, limits, claimed, jobs }: api.SchedulerView): string =>
  `${name} ${limits?.priorityMin} ${limits?.priorityMax} ${claimed?.cpuMilli ?? 0} ${jobs}`;

const schedulersWords = (state: CellState): string =>
  [...state.schedulers.values()]
    .map(
      ({ name, limits, claimed, claimedJobs }) => `${name} ${limits.priorityMin} ${limits.priorityMax} ${claimed.cpu} ${claimedJobs.size}`,
    )
    .sort()
    .join("; ");

// Reports

const CAUSES = ["preemption", "outOfResources", "machineFailure", "machineShutdown", "other", "revocation"] as const;

/** All days together: evictions by cause, and how long tasks ran. */
function evictionViewWords({ days }: api.ReportEvictionsResponse): string {
  const of = (side: "prod" | "nonProd"): string => {
    const counts = CAUSES.map((cause) => days.reduce((sum, day) => sum + (day[side]?.[cause] ?? 0), 0));
    return `${counts.join(" ")} in ${days.reduce((sum, day) => sum + (day[side]?.runMs ?? 0), 0)} ms`;
  };
  return `${of("prod")}; ${of("nonProd")}`;
}

function evictionWords(state: CellState): string {
  const { evictionDays, jobs, timeMs, version } = state;
  const running = [...jobs.values()].flatMap(({ tasks }) => tasks.map(({ instance }) => instance));
  const of = (side: "prod" | "nonProd"): string => {
    const counts = (["preemption", "out-of-resources", "machine-failure", "machine-shutdown", "other", "revocation"] as const).map(
      (cause) => evictionDays.reduce((sum, day) => sum + day[side][cause], 0),
    );
    let runMs = evictionDays.reduce((sum, day) => sum + day[side].runMs, 0);
    for (const instance of version < 4 ? [] : running)
      if (instance !== undefined && instance.inside === undefined && instance.startedMs > 0)
        if (instance.priority >= 120 === (side === "prod")) runMs += timeMs - instance.startedMs;
    return `${counts.join(" ")} in ${runMs} ms`;
  };
  return `${of("prod")}; ${of("nonProd")}`;
}

const reclaimViewWords = ({ name, tasks, limit, reservation, reclaimed }: api.ReclaimRow): string =>
  `${name} ${tasks} ${limit?.cpuMilli} ${reservation?.cpuMilli} ${reclaimed?.cpuMilli}`;

/** Of the whole cell: what is beyond each machine's capacity runs in reclaimed resources. */
function reclaimWords(state: CellState): string {
  let [tasks, limit, reserved, reclaimed] = [0, 0, 0, 0];
  for (const { place } of state.machines.values()) {
    let sum = 0;
    for (const { limit: one, reservation, stop } of place.occupants.values()) {
      if (stop?.preemptor !== undefined) continue;
      tasks += 1;
      sum += one.cpu;
      reserved += reservation.cpu;
    }
    limit += sum;
    reclaimed += Math.max(0, sum - place.capacity.cpu);
  }
  return `${state.name} ${tasks} ${limit} ${reserved} ${reclaimed}`;
}

const quotaRowWords = ({ user, band, quota, running }: api.QuotaReportRow): string =>
  `${user} ${band} ${quotaText(quota)} ${running?.cpuMilli}`;

function grantedWords(state: CellState): string {
  const running = new Map<string, number>();
  for (const { place } of state.machines.values())
    for (const { task, priority, limit } of place.occupants.values()) {
      const band = priority >= 360 ? "monitoring" : priority >= 120 ? "production" : priority >= 100 ? "batch" : "free";
      running.set(`${task.job.owner} ${band}`, (running.get(`${task.job.owner} ${band}`) ?? 0) + limit.cpu);
    }
  const rows: string[] = [];
  for (const { id, quotas, charged } of state.users.values())
    for (const band of BAND_NAMES) {
      const [quota, used, runs] = [quotas.get(band), charged.get(band), running.get(`${id} ${band}`)];
      if (quota === undefined && runs === undefined && (used === undefined || equal(used, ZERO))) continue;
      rows.push(
        `${id} ${wireBand(band)} ${quota === undefined ? `${band === "free"} ${amounts(0, 0, 0)}` : quotaText(quota)} ${runs ?? 0}`,
      );
    }
  return rows.sort().join("; ");
}
