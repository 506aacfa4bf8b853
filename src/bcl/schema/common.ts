/** Fields that jobs, alloc sets and quotas have in common. */

import { DEVICE_NAME_MAX, extraOfDevice } from "../../base/device-name.ts";
import { MEASURES, SIZED, type Sized } from "../../base/dimension.ts";
import { BANDS, PRIORITY_MAX } from "../../wire/band.ts";
import { make } from "../../wire/codec.ts";
import { Form } from "../../wire/gen/borg/v1/bound_pb.ts";
import { type Extra, type Resources, ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import { type Constraint, ConstraintSchema, Operator, SchedulingMode, Spread } from "../../wire/gen/borg/v1/spec_pb.ts";
import { LIMIT_DEFAULTS } from "../../wire/spec-defaults.ts";
import { quantityText } from "../quantity.ts";
import { type Field, field, type Read, readFields } from "./field.ts";
import {
  anyText,
  boolean,
  bytes,
  choice,
  cores,
  dictionary,
  duration,
  list,
  type TextBounds,
  type Type,
  text,
  thousandths,
  whole,
} from "./type.ts";

export const DAY_MS = 86_400_000;
const MEMORY_MAX = 2 ** 50;

export const NAME: TextBounds = { most: 63, form: Form.NAME, called: "a name" };
export const LINE: TextBounds = { most: 253, form: Form.LINE };
export const KEY: TextBounds = { most: 63, form: Form.KEY, called: "a key" };

/** A number from 0 to 450; the names of the bands are numbers, and JSON may give them as text. */
const NAMES: ReadonlyMap<string, number> = new Map(BANDS.map(({ name, lowest }) => [name, lowest]));
const number = whole(0, PRIORITY_MAX);

export const priority: Type<number> = {
  expected: `a priority from 0 to ${PRIORITY_MAX}, or one of ${[...NAMES.keys()].join(", ")}`,
  choices: [...NAMES.keys()],
  read: (reader, thunk, name) => {
    const value = reader.force(thunk);
    const band = value.kind === "text" ? NAMES.get(value.text) : undefined;
    if (band !== undefined) return band;
    if (value.kind !== "number") throw reader.mismatch(thunk, priority.expected, name, value);
    return number.read(reader, thunk, name);
  },
  show: (reader, thunk) => ({ amount: priority.read(reader, thunk, ""), dimension: "number" }),
};

export const identity = {
  name: field(
    text(NAME),
    "What it is called in the cell. Taken from the declaration: `job hello-web = ...` is called hello-web.",
    'name = "hello-web"',
    { default: "declared_name", shown: "the name of the declaration" },
  ),
  user: field(text(NAME), "Whose it is, and whose quota it needs. Whoever evaluates the file, unless given.", 'user = "ubar"', {
    default: "declared_user",
    shown: "whoever evaluates the file",
  }),
};

const bytesText = (amount: number): string => quantityText({ amount, dimension: "bytes" });

export const resources = {
  cpu: field(cores, "Cores of a normalised machine: the limit. Fractions and thousandths are fine.", "cpu = 0.5", {
    default: String(LIMIT_DEFAULTS.cpuMilli / 1000),
  }),
  ram: field(bytes(MEMORY_MAX), "Memory: the limit. A task that goes over it may be killed.", "ram = 512Mi", {
    default: bytesText(LIMIT_DEFAULTS.ramBytes),
  }),
  disk: field(
    bytes(MEMORY_MAX),
    "Disk: the limit of all files in the task's own directory and in its $TMPDIR. A task that goes over it is killed.",
    "disk = 2Gi",
    { default: bytesText(LIMIT_DEFAULTS.diskBytes) },
  ),
  disk_bandwidth: field(
    bytes(1e12),
    "Bytes read a second, and written: what it is placed by, and held to where the kernel can. Only machines that offer some (borg up --disk-bandwidth) take who asks. Unset: no claim, and no limit.",
    "disk_bandwidth = 50Mi",
  ),
  extras: field(
    dictionary(whole(0, 1e9), 16, { most: 63, form: Form.NAME, called: "a name" }, "a tuple of counts, such as { gpu = 1 }"),
    "Other things that machines have and that can be counted: gpu, fpga, licences.",
    "extras = { gpu = 1 }",
  ),
  devices: field(
    dictionary(
      thousandths(1e6),
      16,
      { most: DEVICE_NAME_MAX, form: Form.NAME, called: "a name" },
      "a tuple of devices, such as { gpu = 0.5 }",
    ),
    "Devices that machines have by number: whole ones, or a part of one, which others may have the rest of. The task finds the numbers in BORG_DEVICES_GPU. As an extra it is called gpu-milli, in thousandths.",
    "devices = { gpu = 0.5 }",
  ),
} satisfies Readonly<Record<(typeof MEASURES)[Sized]["word"] | "extras" | "devices", Field<unknown>>>;

/** The same fields where they mean something else. */
export const resourcesWith = (what: string): typeof resources =>
  Object.fromEntries(Object.entries(resources).map(([name, { type, example }]) => [name, field<unknown>(type, what, example)])) as never;

export type Bounds = Read<typeof resources>;

export function toResources(read: Bounds): Resources {
  return make(ResourcesSchema, {
    ...Object.fromEntries(SIZED.map((dimension) => [MEASURES[dimension].field, read[MEASURES[dimension].word] ?? 0])),
    extras: [
      ...(read.extras ?? []).map((e): Pick<Extra, "name" | "amount"> => ({ name: e.key, amount: e.value })),
      ...(read.devices ?? []).map((e) => ({ name: extraOfDevice(e.key), amount: e.value })),
    ],
  });
}

export const labels = field(
  dictionary(anyText(LINE), 64, KEY, 'a tuple of labels, such as { tier = "web" }'),
  "Keys and values that say what it is: listings and commands select by them (-l tier=web).",
  'labels = { tier = "web", canary = false }',
);

export const spread = field(
  choice(
    new Map([
      ["soft", Spread.SOFT],
      ["hard", Spread.HARD],
      ["rack", Spread.RACK],
      ["power", Spread.POWER],
    ]),
  ),
  'How tasks keep apart: "soft" prefers different machines, racks and power domains, "hard" never puts two tasks of the job on one machine, "rack" and "power" never two in one rack or power domain, and none on a machine that names no such.',
  'spread = "hard"',
  { default: '"soft"' },
);

export const mode = field(
  choice(
    new Map([
      ["incremental", SchedulingMode.INCREMENTAL],
      ["gang", SchedulingMode.GANG],
    ]),
  ),
  'Whether tasks start as they find room ("incremental"), or all together or not at all ("gang").',
  'mode = "gang"',
  { default: '"incremental"' },
);

export const scheduler = field(text(NAME), "The scheduler that places it. Unset: the cell chooses.", 'scheduler = "batch-0"');
export const downMax = field(
  whole(0, 100_000),
  "How many tasks voluntary disruptions (drains, updates of machines) may have down at a time. Unset: any number.",
  "down_max = 1",
);

export const drainEvery = field(
  duration(7 * DAY_MS),
  "How long it is at least between two of its tasks that drains take down. Unset: as `down_max` allows.",
  "drain_every = 5min",
);

/** The tests of a constraint, in the order the manual shows them. */
const one = text(LINE);
const several = list(one, 64, "a list of text");
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["is", Operator.EQUAL],
  ["is_not", Operator.NOT_EQUAL],
  ["one_of", Operator.IN],
  ["none_of", Operator.NOT_IN],
  ["at_least", Operator.AT_LEAST],
  ["at_most", Operator.AT_MOST],
  ["begins_with", Operator.PREFIX],
]);

const CONSTRAINT = {
  attribute: field(text(KEY), "The attribute of the machine.", 'attribute = "arch"', { required: true }),
  is: field(anyText(LINE), "It has this value.", 'is = "x64"'),
  is_not: field(anyText(LINE), "It has another value, or none.", 'is_not = "arm64"'),
  one_of: field(several, "It has one of these values.", 'one_of = ["r1", "r2"]'),
  none_of: field(several, "It has none of these values.", 'none_of = ["r3"]'),
  exists: field(boolean, "It is there (true) or not (false), whatever its value.", "exists = true"),
  at_least: field(anyText(LINE), "Its value is this or above: versions and numbers, part by part.", 'at_least = "5.10"'),
  at_most: field(anyText(LINE), "Its value is this or below.", 'at_most = "6.1"'),
  begins_with: field(anyText(LINE), "Its value begins with this.", 'begins_with = "xeon"'),
  prefer: field(whole(1, 1000), "Makes it a preference of this weight instead of a requirement.", "prefer = 10"),
};

const constraint: Type<Constraint> = {
  expected: "a tuple with the fields of a constraint",
  fields: CONSTRAINT,
  read: (reader, thunk, name) => {
    const value = reader.force(thunk);
    if (value.kind !== "tuple") throw reader.mismatch(thunk, 'a tuple such as { attribute = "arch", is = "x64" }', name, value);
    const read = readFields(reader, value, CONSTRAINT, `"${name}"`, thunk.span);
    const tests = [...OPERATORS.keys(), "exists"].filter((test) => read[test as keyof typeof read] !== undefined);
    if (tests.length !== 1) {
      const found = tests.length === 0 ? "none" : tests.join(" and ");
      throw reader.fault(thunk, `Expected one test for "${name}", found ${found}`, `one of ${[...OPERATORS.keys(), "exists"].join(", ")}`);
    }
    return toConstraint(read, tests[0]!);
  },
};

function toConstraint(read: ReturnType<typeof readFields<typeof CONSTRAINT>>, test: string): Constraint {
  const wanted = read[test as keyof typeof read];
  const soft = read.prefer !== undefined;
  const operator = OPERATORS.get(test) ?? (wanted === true ? Operator.EXISTS : Operator.NOT_EXISTS);
  const values = Array.isArray(wanted) ? (wanted as string[]) : typeof wanted === "string" ? [wanted] : [];
  return make(ConstraintSchema, { attribute: read.attribute ?? "", operator, values, soft, weight: read.prefer ?? 0 });
}

export const constraints = field(
  list(constraint, 64, "a list of constraints"),
  "What machines must have, or should have where `prefer` gives a weight.",
  'constraints = [{ attribute = "arch", is = "x64" }, { attribute = "rack", is_not = "r7", prefer = 10 }]',
);
