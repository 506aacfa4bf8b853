/**
 * What frameworks launch (Mesos §3.2): each task is judged as a claim of the scheduler `offers` against the state, in the order of the op; those of a group stand
 * or fall together. A launch that is refused leaves nothing behind. A task of a framework is a task of the cell: the lowest index that is free.
 */
import type { MachineId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { exact, plus, type Vector } from "../../base/vector.ts";
import { encode, make } from "../../wire/codec.ts";
import type { FrameworkLaunch, Launch } from "../../wire/gen/borg/v1/op_pb.ts";
import { type JobSpec, JobSpecSchema, RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import { boundProblem, outgrown, recount, weigh } from "../bounds.ts";
import { livingExecutor } from "../executor.ts";
import { holdSpec, isFree, OFFERS, releaseSpec } from "../framework.ts";
import { jobSpecProblem, newFace } from "../spec.ts";
import type { Job, Led, Scheduler, SharedSpec, Task, User } from "../state.ts";
import type { Turn } from "../turn.ts";
import { EXECUTORS } from "../version.ts";
import { capabilityProblem } from "./admission.ts";
import { type Accepted, Arbiter } from "./arbiter.ts";
import { carryOut } from "./claims.ts";
import { dropJob } from "./jobs.ts";
import { leading } from "./leading.ts";
import { packagesProblem } from "./packages.ts";
import { TASKS_PER_JOB_MAX } from "./per-machine.ts";
import { charge, quotaProblem } from "./quota.ts";
import { secretsProblem } from "./secrets.ts";
import { UNACKNOWLEDGED_MAX } from "./statuses.ts";
import { newTask } from "./tasks.ts";

/** `lost`: there was no room, or no machine, and elsewhere or later there may be. `error`: it would be refused again. */
export type LaunchAnswer =
  | { readonly ok: true; readonly taskId: string; readonly task: string; readonly instance: string }
  | { readonly ok: false; readonly taskId: string; readonly kind: "lost" | "error"; readonly reason: string };

interface No {
  readonly kind: "lost" | "error";
  readonly reason: string;
}

/** A launch that was accepted, before it is carried out. */
interface Plan {
  readonly asked: Launch;
  readonly spec: JobSpec;
  readonly accepted: Accepted;
}

const TASK_ID_BYTES = 255;

export function launch(turn: Turn, op: FrameworkLaunch): Result<readonly LaunchAnswer[]> {
  const found = leading(turn.state, op);
  if (!found.ok) return found;
  const { job, led } = found.value;
  const scheduler = turn.state.schedulers.get(OFFERS);
  if (scheduler === undefined) return refused(`Scheduler "${OFFERS}" is unknown: set its limits first`);
  const answers = new Map<Launch, LaunchAnswer>();
  for (const together of groupsOf(op.launches)) {
    const verdict = executorsProblem(turn, job, together, answers) ?? judge(turn, job, led, scheduler, together);
    const done = Array.isArray(verdict) ? carryOutAll(turn, job, led, verdict) : together.map((each) => told(each, verdict as Refusal));
    for (const [i, answer] of done.entries()) answers.set(together[i] as Launch, answer);
  }
  return ok(op.launches.map((each) => answers.get(each) as LaunchAnswer));
}

/** In the order of their first. */
function groupsOf(launches: readonly Launch[]): readonly (readonly Launch[])[] {
  const groups = new Map<number, Launch[]>();
  const out: Launch[][] = [];
  for (const each of launches) {
    const known = each.group === 0 ? undefined : groups.get(each.group);
    if (known !== undefined) {
      known.push(each);
      continue;
    }
    const begun = [each];
    out.push(begun);
    if (each.group !== 0) groups.set(each.group, begun);
  }
  return out;
}

/** The launch that could not be, and why: the others of its group are not launched either. */
interface Refusal extends No {
  readonly of: Launch;
}

function told({ taskId }: Launch, { of, kind, reason }: Refusal): LaunchAnswer {
  const words = of.taskId === taskId ? reason : `Task "${of.taskId}" of its group was refused: ${reason}`;
  return { ok: false, taskId, kind, reason: words };
}

/** A task goes to an executor that is on its machine and stays, or that came with this op; an executor comes where none of its name is. */
function executorsProblem(
  { state }: Turn,
  job: Job,
  together: readonly Launch[],
  answers: ReadonlyMap<Launch, LaunchAnswer>,
): Refusal | undefined {
  for (const of of together) {
    const { task, machine, inside } = of;
    const id = task?.executor?.id;
    if (id === undefined && !inside) continue;
    if (state.version < EXECUTORS)
      return { of, kind: "error", reason: `The cell has version ${state.version}: it has executors from version ${EXECUTORS} on` };
    if (id === undefined) return { of, kind: "error", reason: "A task inside an executor names it" };
    const living = livingExecutor(state.machines.get(machine as MachineId), job, id);
    if (!inside && living !== undefined)
      return { of, kind: "lost", reason: `Executor "${id}" is on machine "${machine}" already: launch tasks inside it` };
    if (inside && living === undefined) return { of, kind: "lost", reason: missingWords(id, machine, answers) };
  }
  return undefined;
}

function missingWords(id: string, machine: string, answers: ReadonlyMap<Launch, LaunchAnswer>): string {
  const own = [...answers].find(([asked]) => !asked.inside && asked.task?.executor?.id === id && asked.machine === machine)?.[1];
  return own === undefined || own.ok
    ? `Executor "${id}" is not on machine "${machine}", or ends: launch the task again, and another executor`
    : `Its executor was refused: ${own.reason}`;
}

/** Nothing is changed before all of a group are accepted. */
function judge(turn: Turn, job: Job, led: Led, scheduler: Scheduler, together: readonly Launch[]): Plan[] | Refusal {
  const arbiter = new Arbiter(turn.state, scheduler);
  const plans: Plan[] = [];
  const indexes = freeIndexes(job, led, together.length);
  let sum = job.charge;
  for (const [i, asked] of together.entries()) {
    const spec = specOf(turn, job, asked);
    const wrong = launchProblem(turn, led, asked, spec, together.slice(0, i));
    if (wrong !== undefined) return { of: asked, kind: "error", reason: wrong };
    const task = newTask(job, indexes[i] as number, turn.timeMs);
    // Shared with others only when it is accepted.
    task.launched = {
      ...NEW,
      taskId: asked.taskId,
      title: asked.title,
      group: 0,
      spec: { ...newFace({ kind: "job", job: spec }), ...UNSHARED },
    };
    sum = plus(sum, task.launched.spec.limit);
    const accepted = arbiter.launch(task, asked.machine, asked.ports);
    if (typeof accepted === "string") return { of: asked, kind: "lost", reason: accepted };
    plans.push({ asked, spec, accepted });
  }
  const problem = amountProblem(turn, job, plans, sum);
  return problem === undefined ? plans : { of: together[0] as Launch, kind: "error", reason: problem };
}

const NEW = { number: 0, updates: [], told: "staging" } as const;
const UNSHARED = { key: "", bytes: 0, tasks: 0 } as const;

/** As a job of one task would ask for it. The master never restarts it. */
function specOf({ state }: Turn, job: Job, { task, durationMs, labels, machine, inside }: Launch): JobSpec {
  const { owner, wants, priority } = job;
  const executor = task?.executor;
  const instance =
    executor === undefined || !inside ? "" : (livingExecutor(state.machines.get(machine as MachineId), job, executor.id)?.id ?? "");
  return make(JobSpecSchema, {
    ...{ user: owner, name: wants.name, priority, count: 1, deadlineMs: durationMs, labels },
    ...(task === undefined ? {} : { task: executor === undefined ? task : { ...task, executor: { ...executor, instance } } }),
    restart: { when: RestartWhen.NEVER },
  });
}

/** What would be wrong with it on any machine. */
function launchProblem(turn: Turn, led: Led, asked: Launch, spec: JobSpec, before: readonly Launch[]): string | undefined {
  const { taskId, ports } = asked;
  const { state, actor } = turn;
  if (utf8Length(taskId) > TASK_ID_BYTES) return `A task id has at most ${TASK_ID_BYTES} bytes: take a shorter one`;
  if (led.byId.has(taskId) || before.some((each) => each.taskId === taskId))
    return `Task id "${taskId}" is in use: a task has it until its last update is acknowledged; take another one`;
  const names = spec.task?.ports.length ?? 0;
  if (ports.length > 0 && ports.length !== names)
    return `${ports.length} ports are given for ${names} that are named: give each its number, or none`;
  if (new Set(ports).size < ports.length) return "A port is given twice: give each name a number of its own";
  if (led.unacknowledged >= UNACKNOWLEDGED_MAX)
    return `${led.unacknowledged} tasks of the framework are over and not acknowledged: acknowledge their last updates first`;
  return jobSpecProblem(spec) ?? capabilityProblem(state, actor, spec) ?? packagesProblem(state, spec) ?? secretsProblem(state, spec);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What all of them together would take: of the user's quota, and of what it may make the cell remember. */
function amountProblem(turn: Turn, job: Job, plans: readonly Plan[], sum: Vector): string | undefined {
  const { state } = turn;
  const user = state.users.get(job.owner) as User;
  if (!exact(sum)) return "The framework asks for more than can be counted: lower its tasks' limits";
  const added = plans.filter(({ accepted: { task } }) => task.index >= job.tasks.length).length;
  if (job.tasks.length + added > TASKS_PER_JOB_MAX) return `A framework has at most ${TASKS_PER_JOB_MAX} tasks: wait until some are over`;
  const bytes = plans.reduce((all, { spec, accepted: { task } }) => all + encode(JobSpecSchema, spec).length - bytesAt(job, task.index), 0);
  const growth = { jobs: 0, tasks: added, specBytes: bytes };
  return (
    quotaProblem(state, user, job.priority, sum, job.charge)?.reason ??
    boundProblem(state, user, growth, outgrown(state, user, growth, job))
  );
}

/** Of the task that had the index before. */
const bytesAt = (job: Job, index: number): number => job.tasks[index]?.launched?.spec.bytes ?? 0;

/** The lowest ones that no task has, in order. */
function freeIndexes(job: Job, led: Led, count: number): readonly number[] {
  const found: number[] = [];
  let index = led.freeFrom;
  for (; found.length < count; index++) {
    const task = job.tasks[index];
    if (task === undefined || isFree(task)) found.push(index);
  }
  led.freeFrom = found[0] as number;
  return found;
}

/** Those that name their ports first: the master gives the others what is left. */
function carryOutAll(turn: Turn, job: Job, led: Led, plans: readonly Plan[]): readonly LaunchAnswer[] {
  const user = turn.state.users.get(job.owner) as User;
  const growth = { jobs: 0, tasks: plans.length, specBytes: 0 };
  for (const each of outgrown(turn.state, user, growth, job)) dropJob(turn, each);
  let group = 0;
  for (const plan of plans) {
    const task = begin(turn, job, led, plan);
    if (plans.length > 1 && group === 0) group = task.incarnation;
    Object.assign(task.launched as object, { group });
  }
  job.count = job.tasks.length;
  turn.touch.job(job);
  recount(turn.state, job);
  weigh(turn.state, job);
  const order = [...plans].sort((a, b) => Number(b.asked.ports.length > 0) - Number(a.asked.ports.length > 0));
  for (const { accepted } of order) carryOut(turn, accepted, OFFERS);
  return plans.map(({ asked: { taskId }, accepted: { task } }) => ({
    ok: true,
    taskId,
    task: task.id,
    instance: `${task.id}:${task.incarnation}`,
  }));
}

/** Takes its index, its name and its quota. */
function begin(turn: Turn, job: Job, led: Led, { asked, spec, accepted: { task } }: Plan): Task {
  const before = job.tasks[task.index];
  task.incarnation = turn.nextIncarnation();
  const shared: SharedSpec = holdSpec(led, spec);
  if (task.launched !== undefined) task.launched.spec = shared;
  if (before?.launched !== undefined) releaseSpec(led, before.launched.spec);
  if (before !== undefined) job.dead -= 1;
  job.tasks[task.index] = task;
  led.byId.set(asked.taskId, task);
  charge(turn.state, job, plus(job.charge, shared.limit));
  turn.emit({ kind: "task.added", subject: task.id, detail: `as ${asked.taskId}` });
  turn.touch.task(task);
  return task;
}
