/**
 * What a spec takes: its bytes, and from version 6 on something for each entry of its lists. A variable of seven bytes is a hundred in memory, and every copy of the cell has it; by
 * bytes alone a user could make a master of 1.5 GiB take eight.
 */
import { encode } from "../wire/codec.ts";
import {
  type AllocSetSpec,
  AllocSetSpecSchema,
  type Constraint,
  FrameworkSpecSchema,
  type JobSpec,
  JobSpecSchema,
  type TaskSpec,
} from "../wire/gen/borg/v1/spec_pb.ts";
import type { Job } from "./state.ts";
import { MEASURED_BOUNDS } from "./version.ts";

/** Of an entry beside its own bytes: an object, its strings and its place in a list. */
const ENTRY_BYTES = 128;
/** An override is an object with a limit and three lists. */
const OVERRIDE_ENTRIES = 4;

interface Versioned {
  readonly version: number;
}

export function specBytesOf({ version }: Versioned, spec: Job["spec"]): number {
  if (spec.kind === "framework") return encode(FrameworkSpecSchema, spec.framework).length;
  const bytes = spec.kind === "job" ? encode(JobSpecSchema, spec.job).length : encode(AllocSetSpecSchema, spec.allocSet).length;
  if (version < MEASURED_BOUNDS) return bytes;
  return bytes + ENTRY_BYTES * (spec.kind === "job" ? entriesOfJob(spec.job) : entriesOfSet(spec.allocSet));
}

/** Of a job's lists alone. */
export const entryBytesOf = (spec: JobSpec): number => ENTRY_BYTES * entriesOfJob(spec);

function entriesOfJob({ task, overrides, constraints, labels, beside, restart }: JobSpec): number {
  let entries = labels.length + beside.length + entriesOfConstraints(constraints) + (task === undefined ? 0 : entriesOfTask(task));
  if (restart !== undefined) entries += restart.fatalExits.length + restart.okExits.length;
  for (const { arguments: given, environment, labels: own } of overrides)
    entries += OVERRIDE_ENTRIES + given.length + environment.length + own.length;
  return entries;
}

function entriesOfTask({ command, environment, ports, packages, files, secrets, volumes, health, ready, limit }: TaskSpec): number {
  const lists = [command, environment, ports, packages, files, secrets, volumes, health?.command, ready?.command, limit?.extras];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

const entriesOfSet = ({ constraints, labels, tenants }: AllocSetSpec): number =>
  entriesOfConstraints(constraints) + labels.length + tenants.length;

const entriesOfConstraints = (constraints: readonly Constraint[]): number =>
  constraints.reduce((sum, { values }) => sum + 1 + values.length, 0);
