/** Where what the cell holds differs from what a file says, in the words and units of the file. */
import { type Difference, differenceText, fieldDifferences } from "../../bcl/difference.ts";
import { specFields } from "../../bcl/spec-fields.ts";
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";

export interface FieldDifference {
  /** `ram`, `env.LOG`, `command[1]`. */
  readonly field: string;
  /** `~ job ann/web: ram = 64Mi -> 128Mi`. */
  readonly line: string;
}

const VALUE_LENGTH_MAX = 120;

/** `count` is how many tasks the job has now: it may have been scaled since it was submitted. */
export function specDifferences(
  before: JobSpec | AllocSetSpec,
  after: JobSpec | AllocSetSpec,
  count = before.count,
): readonly FieldDifference[] {
  const held = new Map(specFields(before));
  if (held.has("count")) held.set("count", { amount: count, dimension: "number" });
  const what = `${before.$typeName === "borg.v1.JobSpec" ? "job" : "alloc_set"} ${before.user}/${before.name}`;
  return fieldDifferences(what, held, specFields(after)).map((change) => ({
    field: change.what.slice(what.length + 2),
    line: differenceText([shortened(change)]).trimEnd(),
  }));
}

/** A program or a file that is part of the spec would fill the screen. */
function shortened(change: Difference): Difference {
  const cut = (value: string | undefined): string | undefined =>
    value !== undefined && value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value;
  return { ...change, before: cut(change.before), after: cut(change.after) };
}
