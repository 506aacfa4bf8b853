/**
 * Names (Borg §2.6): who serves under the name of a task, a job or a service, and where. Worked out from the copy of the cell when it is asked, so that no second
 * table can disagree with the first: what is stopped has left its name with the entry that stops it. The names room answers DNS from the same look.
 */
import { fnv1a } from "../../base/fnv.ts";
import { type JobId, splitTask } from "../../base/id.ts";
import { specOf } from "../../cell/generation.ts";
import { HEALTH } from "../../cell/health.ts";
import { jobLabels } from "../../cell/labels.ts";
import { isReady, readySinceMs } from "../../cell/ready.ts";
import { isAllocSet } from "../../cell/spec.ts";
import type { CellState, Instance, Job, Task } from "../../cell/state.ts";
import { type Init, make } from "../../wire/codec.ts";
import { type NamedTaskSchema, type ResolveRequest, ResolveResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { SERVICE_LABEL } from "../../wire/selector.ts";
import type { Copy } from "./copy.ts";
import type { Polled } from "./methods.ts";
import { Meter } from "./price.ts";
import { shownState } from "./shown.ts";

/** More of them are not told; `more` says so. */
const TASKS_MAX = 10_000;

export interface Meant {
  readonly kind: "task" | "job" | "service";
  /** How many tasks there should be. */
  readonly size: number;
  readonly tasks: readonly Task[];
}

/** Undefined: there is nothing of that name, or it has ended. */
export function meantBy(state: CellState, { name, user, service }: Pick<ResolveRequest, "name" | "user" | "service">): Meant | undefined {
  if (name === "") return serviceOf(state, user, service);
  const job = livingJob(state, name as JobId);
  if (job !== undefined) return { kind: "job", size: job.count, tasks: job.tasks };
  const { job: owner, index } = splitTask(name);
  const task = livingJob(state, owner)?.tasks[index];
  return task?.id !== name || task.state === "dead" ? undefined : { kind: "task", size: 1, tasks: [task] };
}

/** An alloc serves nothing; what is in it has a name of its own. */
const isNamed = (job: Job): boolean => job.state !== "dead" && !isAllocSet(job);

function livingJob({ jobs }: CellState, id: JobId): Job | undefined {
  const job = jobs.get(id);
  return job === undefined || !isNamed(job) ? undefined : job;
}

function serviceOf(state: CellState, user: string, service: string): Meant | undefined {
  const owner = state.users.get(user as never);
  if (owner === undefined || service === "") return undefined;
  const jobs = [...owner.jobs].filter((job) => isNamed(job) && jobLabels(job).get(SERVICE_LABEL) === service);
  jobs.sort((a, b) => (a.id < b.id ? -1 : 1));
  const size = jobs.reduce((sum, { count }) => sum + count, 0);
  return jobs.length === 0 ? undefined : { kind: "service", size, tasks: jobs.flatMap(({ tasks }) => tasks) };
}

/** With nothing new it says so, and leaves the tasks out. */
export function resolve({ state }: Copy, request: ResolveRequest, _user = "", meter = new Meter()): Polled {
  const meant = meantBy(state, request);
  const tasks = meant?.tasks ?? [];
  meter.lookedAt(tasks.length);
  const isShown = request.all ? (task: Task): boolean => task.state !== "dead" : serves;
  const shown = tasks.filter(isShown);
  const ready = tasks.filter(serves).length;
  const base = { kind: meant?.kind ?? "", size: meant?.size ?? 0, ready, version: versionOf(meant, shown) };
  const unchanged = base.version === request.version;
  if (!unchanged) meter.answered(shown.length);
  const told = unchanged ? [] : shown.slice(0, TASKS_MAX).map(namedTask);
  return {
    page: make(ResolveResponseSchema, { ...base, unchanged, tasks: told, more: shown.length > TASKS_MAX }),
    empty: unchanged,
  };
}

/** Whether it is under its name. */
export const serves = ({ instance }: Task): boolean => instance !== undefined && isReady(instance);

export function namedTask(task: Task): Init<typeof NamedTaskSchema> {
  const { instance } = task;
  return { name: task.id, state: shownState(task), ...(instance === undefined ? {} : placed(instance)) };
}

function placed(instance: Instance): Init<typeof NamedTaskSchema> {
  const { place, faring, id } = instance;
  return {
    host: place.machine.facts.host,
    ports: namedPorts(instance),
    ready: isReady(instance),
    readyMs: readySinceMs(instance),
    health: HEALTH[faring.health],
    readiness: HEALTH[faring.ready],
    machine: place.machine.id,
    instance: id,
  };
}

/** As its spec names them. */
export function namedPorts(instance: Instance): { readonly name: string; readonly number: number }[] {
  const spec = specOf(instance);
  const names = spec.kind === "job" ? (spec.job.task?.ports ?? []) : [];
  return instance.ports.map((number, i) => ({ name: names[i] ?? `p${i}`, number }));
}

/** Of everything that the answer tells. */
function versionOf(meant: Meant | undefined, shown: readonly Task[]): string {
  let [one, two] = [fnv1a(`${meant?.kind} ${meant?.size}`), 0];
  for (const task of shown) {
    const { instance } = task;
    const words =
      instance === undefined ? "" : `${instance.id} ${readySinceMs(instance)} ${instance.faring.health} ${instance.faring.ready}`;
    const hash = fnv1a(`${task.id} ${shownState(task)} ${words} ${instance?.place.machine.facts.host ?? ""}`);
    one = Math.imul(one ^ hash, 0x01000193) >>> 0;
    two = (Math.imul(two, 31) + hash) >>> 0;
  }
  return `${one.toString(16)}-${two.toString(16)}`;
}
