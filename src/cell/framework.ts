/**
 * Frameworks (Mesos §3.2): what is kept beside a job's record for them, how they are called, and how their tasks share specs. A FrameworkID is the job's
 * name and a number that no other framework of the cell ever has, so that an id of a framework that was torn down is never taken for its successor's.
 */
import { Sha256 } from "../base/sha256.ts";
import { encode } from "../wire/codec.ts";
import { type JobSpec, JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { shrunk } from "./shrunk.ts";
import { newFace } from "./spec.ts";
import { entryBytesOf } from "./spec-weight.ts";
import type { Job, Launched, Led, SharedSpec, Task } from "./state.ts";

/** The scheduler that places tasks of frameworks; their instances name it. */
export const OFFERS = "offers";

export const newLed = (): Led => ({
  number: 0,
  session: 0,
  sessionMs: 0,
  disconnectedMs: 0,
  byId: new Map(),
  unacknowledged: 0,
  freeFrom: 0,
  specs: new Map(),
  specBytes: 0,
});

export const isFramework = ({ led }: Pick<Job, "led">): boolean => led !== undefined;

/** Names have no dots. */
export const frameworkId = ({ id, led }: Pick<Job, "id" | "led">): string => `${id.replace("/", ".")}.${led?.number ?? 0}`;

/** The job that an id names, whether it is there or not. */
export function jobOfFrameworkId(id: string): string {
  const [user = "", name = ""] = id.split(".");
  return `${user}/${name}`;
}

const UUID_BYTES = 16;

/** Of an update: the same on every master, and of no other update of any task. */
export function updateUuid(instance: string, number: number): Uint8Array {
  const hex = new Sha256().update(Uint8Array.from(`${instance}#${number}`, (letter) => letter.charCodeAt(0))).hex();
  return Uint8Array.from({ length: UUID_BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Of a task: its instance is there, or was the last one. */
export const uuidOf = (task: Task, number: number): Uint8Array => updateUuid(`${task.id}:${task.incarnation}`, number);

/** It is over, and the framework knows: its index may be given to another task. */
export const isFree = ({ state, launched }: Task): boolean => state === "dead" && (launched === undefined || launched.updates.length === 0);

/** The spec, as one object for all tasks of the framework that ask for the same. */
export function holdSpec(led: Led, spec: JobSpec): SharedSpec {
  const encoded = encode(JobSpecSchema, spec);
  const key = new Sha256().update(encoded).hex();
  const shared = led.specs.get(key) ?? {
    ...newFace({ kind: "job", job: spec }),
    key,
    bytes: encoded.length + entryBytesOf(spec),
    tasks: 0,
  };
  shared.tasks += 1;
  led.specs.set(key, shared);
  led.specBytes += shared.bytes;
  return shared;
}

export function releaseSpec(led: Led, shared: SharedSpec): void {
  shared.tasks -= 1;
  led.specBytes -= shared.bytes;
  if (shared.tasks === 0) led.specs.delete(shared.key);
}

/** Of a task that is over what its history needs. The caller weighs. */
export function forgetLaunch(led: Led, launched: Launched): void {
  const { spec } = launched;
  if (spec.spec.kind !== "job") return;
  releaseSpec(led, spec);
  launched.spec = holdSpec(led, shrunk(spec.spec.job));
}

/** What tasks of a framework that are not over go by. */
export function launchedSpecs({ led, tasks }: Job): readonly JobSpec[] {
  if (led === undefined) return [];
  return [...new Set(tasks.flatMap(({ state, launched }) => (state === "dead" || launched === undefined ? [] : [launched.spec.wants])))];
}

/** Takes note of a task that was read. */
export function indexTask(led: Led, task: Task): void {
  const { launched } = task;
  if (launched === undefined || isFree(task)) return;
  led.byId.set(launched.taskId, task);
  if (task.state === "dead") led.unacknowledged += 1;
}
