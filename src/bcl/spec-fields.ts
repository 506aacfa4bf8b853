/** What a cell holds, in the words of a file: all of it, and what somebody must have set because it is not the default. */
import { ok } from "../base/result.ts";
import type { AllocSetSpec, JobSpec, TaskSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import { evaluateFile } from "./evaluation.ts";
import { type PlainTuple, plainJson, plainText } from "./evaluator/plain.ts";
import { allocSetFields, jobFields, taskFields } from "./schema/from-spec.ts";

export const specFields = (spec: JobSpec | AllocSetSpec): PlainTuple =>
  spec.$typeName === "borg.v1.JobSpec" ? jobFields(spec) : allocSetFields(spec);

/** Fields of which the defaults of others depend: a service is restarted always, and so on. */
const DECIDING = ["command", "image", "name", "user", "priority", "per_machine"];

/** The fields that are not as they would be if the file said nothing of them. */
export function setFields(spec: JobSpec | AllocSetSpec): PlainTuple {
  const all = specFields(spec);
  const defaults = defaultsFor(spec, all);
  return new Map([...all].filter(([name, value]) => DECIDING.includes(name) || !isSame(value, defaults.get(name))));
}

/** The same, each field with its value as it stands in a file. */
export const setLines = (spec: JobSpec | AllocSetSpec): readonly SetLine[] =>
  [...setFields(spec)].map(([name, value]) => ({ name, text: plainText(value) }));

export interface SetLine {
  readonly name: string;
  readonly text: string;
}

const isSame = (a: Parameters<typeof plainText>[0], b: Parameters<typeof plainText>[0] | undefined): boolean =>
  b !== undefined && plainText(a) === plainText(b);

function defaultsFor(spec: JobSpec | AllocSetSpec, all: PlainTuple): PlainTuple {
  const bare = new Map([...all].filter(([name]) => DECIDING.includes(name)));
  const role = spec.$typeName === "borg.v1.JobSpec" ? "job" : "alloc_set";
  const text = JSON.stringify({ [role]: { [spec.name]: plainJson(bare) } });
  const { result } = evaluateFile("spec.json", { read: () => ok(text) }, { user: spec.user });
  const found = role === "job" ? result?.jobs[0] : result?.allocSets[0];
  return found === undefined ? new Map() : specFields(found);
}

/** The file that asks for just this, as JSON: what `eval --json` prints of it. */
export const specJson = (spec: JobSpec | AllocSetSpec): Readonly<Record<string, unknown>> =>
  plainJson(specFields(spec)) as Readonly<Record<string, unknown>>;

export const taskJson = (spec: TaskSpec): Readonly<Record<string, unknown>> =>
  plainJson(taskFields(spec)) as Readonly<Record<string, unknown>>;
