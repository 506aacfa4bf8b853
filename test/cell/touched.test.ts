/**
 * Whatever an op changes in a record, the record is touched and in the feed; and there is no field that no op changed here, so that nobody
 * adds one that goes unseen.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import fc from "fast-check";
import { records } from "../../src/cell/checkpoint/checkpoint.ts";
import { feedItem } from "../../src/cell/feed.ts";
import { masterOp, type Op, schedulerOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { Touched } from "../../src/cell/touched.ts";
import { DRAIN_PACE, VERSION_MAX } from "../../src/cell/version.ts";
import { CellRecordSchema, UserRecordSchema } from "../../src/wire/gen/borg/v1/checkpoint_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause, FrameworkRoleSchema, OpSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import {
  InstanceRecordSchema,
  JobRecordSchema,
  MachineRecordSchema,
  SchedulerRecordSchema,
  TaskRecordSchema,
} from "../../src/wire/gen/borg/v1/record_pb.ts";
import { type Draw, draws, toOp } from "./random-op.ts";
import { settings } from "./settings.ts";
import { busyWorld, jobSpec, limit, type World } from "./world.ts";

type Fields = Readonly<Record<string, unknown>>;

const SCHEMAS: Readonly<Record<string, DescMessage>> = {
  cell: CellRecordSchema,
  user: UserRecordSchema,
  scheduler: SchedulerRecordSchema,
  machine: MachineRecordSchema,
  role: FrameworkRoleSchema,
  job: JobRecordSchema,
  task: TaskRecordSchema,
  instance: InstanceRecordSchema,
};

/** Names, and what says of itself that it never changes. */
const FIXED = new Set([
  "cell.format",
  "cell.name",
  "user.name",
  "scheduler.name",
  "machine.name",
  "role.name",
  "instance.alloc",
  "instance.incarnation",
]);
/** Of an instance, from its beginning to its end. */
const BORN = new Set(
  ["place", "ports", "devices", "scheduler", "placedMs", "reclaimable", "noticeMs", "lameDuckMs"].map((name) => `instance.${name}`),
);
/** Any entry may move these: no reader needs to be told, or may be. */
const MOVING = new Set(["cell.position", "cell.timeMs", "cell.incarnations", "cell.evictionDays", "user.requests"]);

/** The first op of a cell stands before every run; a barrier changes nothing, and a restore moves only what any entry may move. */
const CALM = new Set(["cellInit", "cellRestored", "barrier", "shellOpen"]);

/** Every record by "kind name", its fields as text. */
function fieldsOf(state: CellState): Map<string, Fields> {
  const found = new Map<string, Fields>();
  const add = (kind: string, name: string, value: object): void => void found.set(`${kind} ${name}`, textOf(kind, value as Fields));
  for (const { body } of records(state)) {
    if (body.case === "cell") add("cell", "", body.value);
    else if (body.case === "job") add("job", `${body.value.spec.value?.user}/${body.value.spec.value?.name}`, body.value);
    else if (body.case === "tasks") {
      for (const [i, task] of body.value.tasks.entries()) {
        const name = `${body.value.job}/${body.value.first + i}`;
        add("task", name, task);
        if (task.instance !== undefined) add("instance", name, task.instance);
      }
    } else if (body.case !== "end" && body.case !== undefined) add(body.case, body.value.name, body.value);
  }
  return found;
}

const textOf = (kind: string, value: Fields): Fields =>
  Object.fromEntries((SCHEMAS[kind] as DescMessage).members.map(({ localName }) => [localName, JSON.stringify(value[localName])]));

/** "kind field" of what differs between two moments, by record. */
function changesOf(before: ReadonlyMap<string, Fields>, after: ReadonlyMap<string, Fields>): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(key), after.get(key)];
    const kind = key.slice(0, key.indexOf(" "));
    const fields = Object.keys(one ?? other ?? {}).filter((field) => one?.[field] !== other?.[field]);
    const told = fields.map((field) => `${kind}.${field}`).filter((field) => !MOVING.has(field));
    if (told.length > 0) changed.set(key, told);
  }
  return changed;
}

/** The keys that an entry touched, in the words of `fieldsOf`. */
function keysOf(touched: Touched): Set<string> {
  return new Set([
    ...(touched.isCell ? ["cell "] : []),
    ...[...touched.users].map((id) => `user ${id}`),
    ...[...touched.schedulers].map((name) => `scheduler ${name}`),
    ...[...touched.roles].map((name) => `role ${name}`),
    ...[...touched.machines].map((id) => `machine ${id}`),
    ...[...touched.jobs].map((id) => `job ${id}`),
    ...[...touched.tasks].flatMap(([job, indexes]) =>
      [...indexes].flatMap((index) => [`task ${job}/${index}`, `instance ${job}/${index}`]),
    ),
  ]);
}

/** A job that is gone takes its tasks along. */
const isCovered = (key: string, keys: ReadonlySet<string>): boolean =>
  keys.has(key) || keys.has(key.replace(/^(task|instance) (.*)\/\d+$/, "job $2"));

/** What changed in all runs together. */
class Seen {
  readonly fields = new Set<string>();
  readonly ops = new Set<string>();
  readonly #looksAlways: boolean;

  /** Whether to look also after an op that touched nothing: it could have changed something all the same. */
  constructor(looksAlways: boolean) {
    this.#looksAlways = looksAlways;
  }

  /** Applies an op, and looks at every record before and after it. */
  watch(world: World, op: Op, before: ReadonlyMap<string, Fields>): ReadonlyMap<string, Fields> {
    const outcomes = world.entry(op);
    const keys = keysOf(outcomes[0]?.ok ? outcomes[0].touched : new Touched());
    if (keys.size === 0 && !this.#looksAlways) return before;
    const after = fieldsOf(world.state);
    for (const [key, fields] of changesOf(before, after)) {
      assert.ok(isCovered(key, keys), `${op.body.case} changed ${fields} of ${key}, and touched ${[...keys].join(", ") || "nothing"}`);
      if (before.has(key) && after.has(key)) for (const field of fields) this.fields.add(field);
      this.ops.add(op.body.case as string);
    }
    const { records: sent, removed } = feedItem(world.state, outcomes);
    assert.equal(sent.length + removed.length > 0, keys.size > 0);
    return after;
  }
}

/** An alloc with ports on m1, and a task that will take one of them: too rare among random ops. */
function withAlloc(world: World): Op {
  world.submitAllocs("pset", { ports: 3, limit: limit(1, 1) });
  world.submit("inset", { allocSet: "ubar/pset", task: { limit: limit(1, 1), ports: ["http"] } });
  world.claim("ubar/pset/0", "m1");
  const claims = [world.claimOf("ubar/inset/0", world.instance("ubar/pset/0"))];
  return schedulerOp("service", { case: "taskClaims", value: { claims } });
}

/** A job whose name is used again while an instance of it still stops. */
function withHeir(world: World): Op {
  world.submit("heir");
  world.claim("ubar/heir/0", "m1");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/heir" } }));
  return world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("heir", { count: 2 }) } });
}

/** A drain takes a task of a job that says how often one may. */
function withDrain(world: World): Op {
  world.submit("slow", { drainEveryMs: world.state.version >= DRAIN_PACE ? 1000 : 0, task: { limit: limit(1, 1) } });
  world.claim("ubar/slow/0", "m1");
  const instance = world.instance("ubar/slow/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  return masterOp({ case: "taskEvict", value: { instances: [instance], cause: Cause.MACHINE_SHUTDOWN } });
}

function play(seen: Seen, drawn: readonly Draw[]): void {
  const world = busyWorld();
  // Half of them know all that there is, the others learn it on the way.
  if (drawn.length % 2 === 1)
    for (let version = 2; version <= VERSION_MAX; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  const first = withAlloc(world);
  seen.watch(world, first, fieldsOf(world.state));
  const second = withHeir(world);
  seen.watch(world, second, fieldsOf(world.state));
  const third = withDrain(world);
  seen.watch(world, third, fieldsOf(world.state));
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: false } }));
  let known: ReadonlyMap<string, Fields> = fieldsOf(world.state);
  const past: Op[] = [];
  for (const draw of drawn) {
    const op = toOp(world.state, draw, past);
    if (op === undefined) continue;
    past.push(op);
    world.timeMs += 50;
    known = seen.watch(world, op, known);
  }
}

test("an op that changes any field of any record touches that record [cell.E8] [KD6]", () => {
  fc.assert(
    fc.property(draws(160), (drawn) => play(new Seen(true), drawn)),
    settings(40, 0.5),
  );
});

test("every op changes something here, and every field is changed by one: none can go unseen [cell.E8]", () => {
  const seen = new Seen(false);
  const all = Object.entries(SCHEMAS).flatMap(([kind, schema]) => schema.members.map(({ localName }) => `${kind}.${localName}`));
  const still = new Set([...FIXED, ...BORN, ...MOVING]);
  const ops = OpSchema.oneofs.flatMap(({ fields }) => fields.map(({ localName }) => localName));
  const unchanged = (): readonly string[] => all.filter((field) => !seen.fields.has(field) && !still.has(field));
  const idle = (): readonly string[] => ops.filter((name) => !seen.ops.has(name) && !CALM.has(name));
  // Always the same ones, until they have met everything: what they cover is no matter of luck.
  for (const drawn of fc.sample(draws(160), { numRuns: 480, seed: 24 })) {
    play(seen, drawn);
    if (unchanged().length + idle().length === 0) break;
  }
  assert.deepEqual(unchanged(), [], "fields that nothing changed here");
  assert.deepEqual(idle(), [], "ops that changed nothing here");
});
