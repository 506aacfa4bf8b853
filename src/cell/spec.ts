/** What a spec asks for: the limits of each task, in the cell's own amounts, and what is wrong with a spec as a whole. */
import { jobId } from "../base/id.ts";
import { plus, times, type Vector, ZERO } from "../base/vector.ts";
import { make } from "../wire/codec.ts";
import { firstDifference } from "../wire/difference.ts";
import type { Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import {
  type AllocSetSpec,
  AllocSetSpecSchema,
  AppClass,
  CheckKind,
  type Constraint,
  FrameworkSpecSchema,
  type HealthCheck,
  type JobSpec,
  JobSpecSchema,
  type Label,
  SchedulingMode,
  Spread,
  type TaskSpec,
  TaskSpecSchema,
} from "../wire/gen/borg/v1/spec_pb.ts";
import { exitsProblem } from "../wire/restart-exits.ts";
import { amounts } from "./amounts.ts";
import { besideSpecProblem } from "./beside.ts";
import { constraintProblem } from "./constraint.ts";
import { domainOf, domainProblem, withDomain } from "./domain.ts";
import { hasImage } from "./package.ts";
import type { Face, Job } from "./state.ts";
import { volumesProblem, withVolumes, writesVolumes } from "./volume.ts";

/** Jobs and alloc sets in one face. An alloc's resources remain assigned whether or not they are used (Borg §2.4). */
export function wantsOf(spec: Job["spec"]): JobSpec {
  if (spec.kind === "job") return withDomain(withVolumes(spec.job));
  if (spec.kind === "framework") {
    const { user, name, priority } = spec.framework;
    return make(JobSpecSchema, { user, name, priority });
  }
  const { user, name, priority, count, constraints, labels, spread, mode, scheduler, downMax, drainEveryMs, update } = spec.allocSet;
  const wants = make(JobSpecSchema, {
    ...{ user, name, priority, count, constraints, labels, spread, mode, scheduler, drainEveryMs, disableReclamation: true },
    ...(downMax === undefined ? {} : { downMax }),
    ...(update === undefined ? {} : { update }),
  });
  return withDomain(wants);
}

/** Gives a job what is read from its spec. */
export function setSpec(job: Job, spec: Job["spec"]): void {
  Object.assign(job, newFace(spec));
}

export function newFace(spec: Job["spec"]): Face {
  const wants = wantsOf(spec);
  return { spec, wants, priority: wants.priority, limit: baseLimit(spec) };
}

/** Whose, and how it is called. */
export function nameOf(spec: Job["spec"]): { readonly user: string; readonly name: string } {
  if (spec.kind === "job") return spec.job;
  return spec.kind === "alloc-set" ? spec.allocSet : spec.framework;
}

const KINDS = { job: "a job", "alloc-set": "an alloc set", framework: "a framework" } as const;

/** `a job`, for sentences. */
export const kindText = ({ kind }: Job["spec"]): string => KINDS[kind];

/** The first field in which two specs differ; undefined: in none. */
export function specDifference(a: Job["spec"], b: Job["spec"]): string | undefined {
  if (a.kind === "job" && b.kind === "job") return firstDifference(JobSpecSchema, a.job, b.job);
  if (a.kind === "alloc-set" && b.kind === "alloc-set") return firstDifference(AllocSetSpecSchema, a.allocSet, b.allocSet);
  if (a.kind === "framework" && b.kind === "framework") return firstDifference(FrameworkSpecSchema, a.framework, b.framework);
  return "kind";
}

export const isAllocSet = ({ spec }: Pick<Job, "spec">): boolean => spec.kind === "alloc-set";

/** As people call it, in front of its name; and what it consists of. */
export const called = (job: Pick<Job, "id" | "spec">): string => `${WORDS[job.spec.kind][0]} "${job.id}"`;
/** The same within a sentence. */
export const calledWithin = (job: Pick<Job, "id" | "spec">): string => `${WORDS[job.spec.kind][1]} "${job.id}"`;
const WORDS = { job: ["Job", "job"], "alloc-set": ["Alloc set", "alloc set"], framework: ["Framework", "framework"] } as const;
export const partOf = (job: Pick<Job, "spec">): "task" | "alloc" => (isAllocSet(job) ? "alloc" : "task");

/** The limit of one task or alloc: the last override that covers its index, else the job's. */
export function limitOf({ wants, limit }: Pick<Face, "wants" | "limit">, index: number): Vector {
  return overriddenLimit(wants, index) ?? limit;
}

function overriddenLimit(spec: JobSpec, index: number): Vector | undefined {
  const override = spec.overrides.findLast((o) => o.limit !== undefined && o.first <= index && index <= o.last);
  return override === undefined ? undefined : amounts(override.limit, spec.task?.ports.length ?? 0, "up");
}

/** The job's task with what is different for this index: what a machine is told to run. */
export function taskSpecOf(spec: JobSpec | undefined, index: number): TaskSpec {
  const task = spec?.task ?? make(TaskSpecSchema, { command: ["true"] });
  let out = task;
  for (const override of spec?.overrides ?? []) {
    if (index < override.first || index > override.last) continue;
    const replaced = new Set(override.environment.map((variable) => variable.key));
    out = {
      ...out,
      command: override.arguments.length === 0 ? out.command : [...out.command.slice(0, 1), ...override.arguments],
      environment: [...out.environment.filter((variable) => !replaced.has(variable.key)), ...override.environment],
      ...(override.limit === undefined ? {} : { limit: override.limit }),
    };
  }
  return out;
}

/** The limit of a task without override. */
export function baseLimit(spec: Job["spec"]): Vector {
  if (spec.kind === "alloc-set") return amounts(spec.allocSet.limit, spec.allocSet.ports, "up");
  if (spec.kind === "framework") return ZERO;
  return amounts(spec.job.task?.limit, spec.job.task?.ports.length ?? 0, "up");
}

/** The sum of the limits of `count` tasks: what quota is charged for (Borg §5.5: on limits). Tasks inside an alloc set are paid for by it. A framework's are charged one by one. */
export function chargeOf(spec: Job["spec"], count: number): Vector {
  if (spec.kind === "framework") return ZERO;
  if (spec.kind === "alloc-set") return times(baseLimit(spec), count);
  if (spec.job.allocSet !== "") return ZERO;
  const special = new Set<number>();
  for (const o of spec.job.overrides) {
    if (o.limit !== undefined) for (let i = o.first; i <= Math.min(o.last, count - 1); i++) special.add(i);
  }
  let sum = times(baseLimit(spec), count - special.size);
  for (const index of special) sum = plus(sum, overriddenLimit(spec.job, index) ?? ZERO);
  return sum;
}

/** No two tasks of the job on one machine; those that share no rack share no machine either. */
export const isHardSpread = ({ wants }: Pick<Face, "wants">): boolean =>
  wants.spread === Spread.HARD || writesVolumes({ wants }) || domainOf({ wants }) !== undefined;

export const isGang = ({ wants }: Pick<Face, "wants">): boolean => wants.mode === SchedulingMode.GANG;

/** All tasks of a gang go into one transaction, which holds no more claims. */
export const GANG_TASKS_MAX = 1_000;

/** A gang that could never be placed is refused when it is submitted or resized, not left waiting. */
export function gangProblem(together: boolean, count: number): string | undefined {
  if (!together || count <= GANG_TASKS_MAX) return undefined;
  return `A gang has at most ${GANG_TASKS_MAX} tasks, not ${count}: make several jobs of it, or let its tasks start one by one`;
}

/** What is wrong with a job's spec beyond what single fields can show. */
export function jobSpecProblem(spec: JobSpec): string | undefined {
  if (spec.perMachine && spec.count !== 0) return "A job with one task per machine has no count: leave it out";
  if (!spec.perMachine && spec.count === 0) return "A job needs at least one task: set its count";
  if (spec.perMachine && spec.allocSet !== "") return "A job with one task per machine cannot run in an alloc set: leave one of them out";
  if (spec.perMachine && spec.overrides.length > 0)
    return "A job with one task per machine cannot have overrides: its indexes are not yours to choose; leave them out";
  if (spec.afterFailure !== 0 && spec.startAfter === "")
    return "after_failure says what happens when the job of start_after does not end well: name that job, or leave after_failure out";
  if (spec.startAfter === jobId(spec.user, spec.name)) return "A job cannot wait for its own end: name another one in start_after";
  if (spec.task !== undefined && spec.task.command.length === 0 && !hasImage(spec.task))
    return "A task needs a command: a program and its arguments, or an image that names one";
  const ports = spec.task?.ports ?? [];
  const twice = firstTwice(ports);
  if (twice !== undefined) return `Port "${twice}" is named twice: give each a name of its own`;
  const cores = coresProblem(spec);
  if (cores !== undefined) return cores;
  const checked = checkProblem("Health", spec.task?.health, ports) ?? checkProblem("Readiness", spec.task?.ready, ports);
  if (checked !== undefined) return checked;
  return (
    labelsProblem(spec.labels) ??
    gangProblem(spec.mode === SchedulingMode.GANG, spec.count) ??
    domainProblem(spec.spread, spec.count, spec.perMachine) ??
    besideSpecProblem(spec) ??
    (spec.restart === undefined ? undefined : exitsProblem(spec.restart)) ??
    overridesProblem(spec) ??
    firstProblem(spec.constraints) ??
    volumesProblem(spec) ??
    extrasProblem(spec.task?.limit)
  );
}

/** Processors of one's own are for those who serve somebody, and are whole. */
function coresProblem({ task, appClass, overrides }: JobSpec): string | undefined {
  if (task?.wholeCores !== true) return undefined;
  if (appClass !== AppClass.LATENCY_SENSITIVE)
    return "Only latency-sensitive tasks can have whole cores: set app_class, or leave whole_cores out";
  const limits = [task.limit?.cpuMilli ?? 0, ...overrides.flatMap(({ limit }) => (limit === undefined ? [] : [limit.cpuMilli]))];
  const wrong = limits.find((cpuMilli) => cpuMilli === 0 || cpuMilli % 1000 !== 0);
  return wrong === undefined ? undefined : `A task with whole cores asks for 1, 2 or more of them, not for ${wrong / 1000}: round its cpu`;
}

function checkProblem(what: string, check: HealthCheck | undefined, ports: readonly string[]): string | undefined {
  if (check === undefined) return undefined;
  const { kind, port, path, command } = check;
  if (what === "Readiness" && check.graceMs !== undefined)
    return "Readiness check has no grace: until its first good answer a task is not ready, and nothing happens to it; leave grace out";
  if (kind === CheckKind.COMMAND) {
    if (command.length === 0) return `${what} check has no command to run: name one, or another kind of check`;
    return port === "" && path === "" ? undefined : `${what} check runs a command: it has neither port nor path; leave them out`;
  }
  if (command.length > 0) return `${what} check of a port has no command: leave it out, or set kind to command`;
  if (kind === CheckKind.TCP && path !== "") return `${what} check by TCP has no path: it only connects; leave the path out`;
  return ports.includes(port)
    ? undefined
    : `${what} check wants port "${port}", which is not one of the task's ports: name one of those, or add it`;
}

export function allocSetSpecProblem(spec: AllocSetSpec): string | undefined {
  if (spec.count === 0) return "An alloc set needs at least one alloc: set its count";
  return (
    gangProblem(spec.mode === SchedulingMode.GANG, spec.count) ??
    domainProblem(spec.spread, spec.count, false) ??
    firstProblem(spec.constraints) ??
    extrasProblem(spec.limit)
  );
}

function overridesProblem(spec: JobSpec): string | undefined {
  for (const o of spec.overrides) {
    if (o.first > o.last || o.last >= spec.count)
      return `Override for tasks ${o.first} to ${o.last} does not fit a job of ${spec.count} tasks: name indexes below ${spec.count}, the lower one first`;
    const problem = extrasProblem(o.limit) ?? labelsProblem(o.labels);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function firstProblem(constraints: readonly Constraint[]): string | undefined {
  for (const constraint of constraints) {
    const problem = constraintProblem(constraint);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function extrasProblem(resources: Resources | undefined): string | undefined {
  const twice = firstTwice(resources?.extras.map((e) => e.name) ?? []);
  return twice === undefined ? undefined : `Resource "${twice}" is given twice: keep one of them`;
}

export function labelsProblem(labels: readonly Label[]): string | undefined {
  const twice = firstTwice(labels.map(({ key }) => key));
  return twice === undefined ? undefined : `Label "${twice}" is given twice: keep one of them`;
}

function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, i) => names.indexOf(name) < i);
}
