/** The fields of an alloc set, and the AllocSetSpec they make. */
import { LOWEST } from "../../wire/band.ts";
import { checker } from "../../wire/check.ts";
import { make } from "../../wire/codec.ts";
import { type AllocSetSpec, AllocSetSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { BAND_DEFAULT, COUNT_DEFAULT, UPDATE_DEFAULTS } from "../../wire/spec-defaults.ts";
import type { Tuple } from "../evaluator/tuple.ts";
import type { Span } from "../source.ts";
import {
  constraints,
  DAY_MS,
  downMax,
  drainEvery,
  identity,
  labels,
  mode,
  NAME,
  priority,
  resources,
  scheduler,
  spread,
  toResources,
} from "./common.ts";
import { field, readFields, record } from "./field.ts";
import type { Reader } from "./reader.ts";
import { duration, list, text, whole } from "./type.ts";
import { UPDATE, updatePolicy } from "./update-policy.ts";

export const ALLOC_SET = {
  ...identity,
  priority: field(priority, "Who goes first, and who may push out whom. Tasks inside have at most this one.", "priority = production", {
    default: String(LOWEST[BAND_DEFAULT]),
    shown: BAND_DEFAULT,
  }),
  count: field(whole(1, 100_000), "How many allocs: they are numbered from 0.", "count = 3", { default: String(COUNT_DEFAULT) }),
  ...resources,
  ports: field(whole(0, 1024), "How many ports the tasks inside share.", "ports = 4", { default: "0" }),
  tenants: field(
    list(text(NAME), 64, 'a list of users, such as ["ann"]'),
    "Other users whose jobs may run in it. What they run is paid for by the set, and goes when it goes.",
    'tenants = ["ann"]',
  ),
  keep_directory: field(
    duration(30 * DAY_MS),
    "How long the directory that tasks inside share stays on its machine after the alloc is gone. Unset: it goes with the alloc.",
    "keep_directory = 3d",
  ),
  constraints,
  spread,
  labels,
  mode,
  scheduler,
  down_max: downMax,
  drain_every: drainEvery,
  update: field(
    record(UPDATE, "an update policy"),
    "How `borg update` changes it, alloc by alloc.",
    "update = { batch = 2, disruptions_max = 4 }",
  ),
};

const check = checker(AllocSetSpecSchema);

export function toAllocSet(reader: Reader, tuple: Tuple, what: string, span: Span): AllocSetSpec | undefined {
  const before = reader.problemCount;
  const read = readFields(reader, tuple, ALLOC_SET, what, span);
  if (reader.problemCount > before) return undefined;
  const spec = make(AllocSetSpecSchema, {
    user: read.user ?? "",
    name: read.name ?? "",
    priority: read.priority ?? 0,
    count: read.count ?? COUNT_DEFAULT,
    limit: toResources(read),
    ports: read.ports ?? 0,
    constraints: [...(read.constraints ?? [])],
    labels: (read.labels ?? []).map(({ key, value }) => ({ key, value })),
    spread: read.spread ?? 0,
    mode: read.mode ?? 0,
    scheduler: read.scheduler ?? "",
    tenants: [...(read.tenants ?? [])],
    keepDirectoryMs: read.keep_directory ?? 0,
    drainEveryMs: read.drain_every ?? 0,
    ...(read.down_max === undefined ? {} : { downMax: read.down_max }),
    ...(read.update === undefined ? {} : { update: updatePolicy(read.update, UPDATE_DEFAULTS) }),
  });
  const problem = check(spec);
  if (problem === undefined) return spec;
  reader.report(span, `${what} cannot be sent to a cell: ${problem.replace(/^\./, "")}`);
  return undefined;
}
