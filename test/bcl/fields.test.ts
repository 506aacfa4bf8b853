/**
 * Every field of a job does something or is refused: a walk over the schema. Each field has a job without it and one with
 * it, and what the cell or a borglet makes of the two must differ. What a borglet then does with its order is shown by its own tests.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateText } from "../../src/bcl/fixture.test.ts";
import type { Fields } from "../../src/bcl/schema/field.ts";
import { JOB } from "../../src/bcl/schema/job.ts";
import { housekeeping } from "../../src/borgmaster/housekeeping.ts";
import { ordersFor } from "../../src/borgmaster/link/comparison.ts";
import { Desired } from "../../src/borgmaster/link/desired.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { selects, taskLabels } from "../../src/cell/labels.ts";
import { masterOp } from "../../src/cell/op.ts";
import { newFace } from "../../src/cell/spec.ts";
import { disruptionsLeft, policyOf } from "../../src/cell/update-plan.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { batchJobs, namedJobs, serviceJobs } from "../../src/scheduler/responsibility.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Capability, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { JobSpec } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { parseSelector } from "../../src/wire/selector.ts";
import { GI, World } from "../cell/world.ts";

const HASH = "ab".repeat(32);
const PACKAGE = `packages = [{ name = "a", version = "${HASH}" }]`;
const IMAGE = `image = { name = "a", version = "${HASH}" }`;
const COMMAND = 'command = ["node", "server.js"]';

function cell(): World {
  const attributes = [
    { key: "arch", value: "x64" },
    { key: "images", value: "yes" },
    { key: "kernel", value: "6.1" },
  ];
  const world = new World().init();
  for (let version = 2; version <= VERSION_MAX; version++) world.must(masterOp({ case: "cellVersion", value: { version } }));
  const shared = { digest: HASH, bytes: 5, shared: true };
  for (const user of ["ubar", "admin"]) world.must(world.user("admin", { case: "packageAdd", value: { user, name: "a", ...shared } }));
  world.must(world.user("admin", { case: "packageAdd", value: { user: "ubar", name: "b", ...shared } }));
  const capabilities = [Capability.SLACK_MEMORY];
  world.must(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER], capabilities } }));
  const sealed = { keyId: "k", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) };
  for (const name of ["db", "key"])
    world.must(world.user("ubar", { case: "secretSet", value: { user: "ubar", name, version: 1, sealed } }));
  return world
    .machine("m1", 4000, 8 * GI, {
      attributes,
      volumes: ["data", "music"].map((name) => ({ user: "ubar", name })),
      capacity: { cpuMilli: 4000, ramBytes: 8 * GI, extras: [{ name: "gpu", amount: 4 }], diskBandwidth: 1e9 },
    })
    .machine("m2");
}

/** The job that these fields make, by the name `x` unless they say otherwise. */
function specOf(fields: string): JobSpec {
  const text = `job x = {\n${/(^|\n)command =/.test(fields) ? "" : COMMAND}\n${fields}\n}`;
  const { result, problems } = evaluateText(text, { user: "ubar" });
  assert.ok(result?.jobs[0] !== undefined, `${text}\n${problems.map(({ message }) => message).join("\n")}`);
  return result.jobs[0];
}

interface Seen {
  readonly world: World;
  readonly spec: JobSpec;
  readonly said: string;
}

function submitted(fields: string, world = cell()): Seen {
  const spec = specOf(fields);
  return { world, spec, said: world.say(world.user("ubar", { case: "jobSubmit", value: { spec } })) };
}

const idOf = ({ user, name }: JobSpec): string => `${user}/${name}`;

/** How the cell judges it on a machine that has a task of `ubar/other` already. */
function crowded(fields: string): string {
  const world = cell();
  assert.equal(world.submit("other"), "ok");
  assert.equal(world.claim("ubar/other/0", "m1"), "ok");
  const { spec, said } = submitted(fields, world);
  return said === "ok" ? world.claim(`${idOf(spec)}/0`, "m1") : said;
}

/** What the cell knows of the job, and how it judges its first task on the first machine. */
function judged(fields: string): string {
  const { world, spec, said } = submitted(fields);
  const job = world.state.jobs.get(idOf(spec) as never);
  if (job === undefined) return said;
  const { id, owner, priority, count, held, charge, limit } = job;
  return JSON.stringify({
    said,
    id,
    owner,
    priority,
    count,
    held,
    charge,
    limit,
    claim: job.tasks.length === 0 ? "" : world.claim(`${id}/0`, "m1"),
  });
}

/** The order that a borglet gets for its first task. */
function ordered(fields: string): string {
  const { world, spec, said } = submitted(fields);
  assert.equal(said, "ok", fields);
  assert.equal(world.claim(`${idOf(spec)}/0`, "m1"), "ok", fields);
  const desired = new Desired();
  desired.fill(imageOf(world.state).records);
  return JSON.stringify(
    ordersFor(desired, "m1", undefined, 10).map(({ body }) => body.value),
    (_, value) => (value instanceof Uint8Array ? [...value] : (value as unknown)),
  );
}

/** How an update to this job would go. */
function rolled(fields: string): string {
  const face = newFace({ kind: "job", job: specOf(fields) });
  return JSON.stringify([policyOf(face), String(disruptionsLeft({ tasks: [], update: undefined } as never, face))]);
}

/** Whether its first task is among those with these labels. */
function selected(fields: string): string {
  const { world, spec } = submitted(fields);
  const task = world.state.jobs.get(idOf(spec) as never)?.tasks[0];
  const selector = parseSelector("tier=web");
  return String(task !== undefined && selector.ok && selects(selector.value, taskLabels(task)));
}

const placedBy = (fields: string): string => {
  const { world, spec } = submitted(fields);
  const job = world.state.jobs.get(idOf(spec) as never)!;
  return [serviceJobs("service"), batchJobs("batch-0", 0, 1), namedJobs("other")].map((isMine) => String(isMine(job))).join(" ");
};

/** How long its task lives, and what it is then, when it fails again and again, or for ever. */
function lives(fields: string): string {
  const { world, spec } = submitted(fields);
  const task = (): ReturnType<World["task"]> => world.task(`${idOf(spec)}/0`);
  const told: string[] = [];
  for (let placed = 0; placed < 3 && task().state === "pending"; placed++) {
    world.timeMs = Math.max(world.timeMs, task().notBeforeMs);
    world.claim(task().id, "m1");
    const { restart } = spec;
    const runs = Math.min(
      (restart?.inPlaceMax ?? 3) + 1,
      restart?.failuresMax === undefined ? 1000 : restart.failuresMax - task().past.failedRuns,
    );
    world.report("m1", { instance: world.instance(task().id), phase: Phase.RUNNING, run: 1, upMs: 5 });
    world.timeMs += 1000;
    for (const op of housekeeping(world.state, world.timeMs)) world.must(op);
    if (task().instance !== undefined)
      world.report("m1", { instance: world.instance(task().id), phase: Phase.FAILED, run: runs, failures: runs, exitCode: 1 });
    told.push(`${task().state} ${task().cause} ${task().notBeforeMs - world.timeMs}`);
  }
  return told.join(", ");
}

/** The notice that a victim of it gets. */
function evicts(fields: string): string {
  const world = cell().prodQuota();
  world.submit("victim", { task: { limit: { cpuMilli: 4000, ramBytes: GI }, noticeMs: 60_000 } });
  world.claim("ubar/victim/0", "m1");
  const { spec } = submitted(`priority = production\ncpu = 4\n${fields}`, world);
  assert.equal(world.claim(`${idOf(spec)}/0`, "m1", [world.instance("ubar/victim/0")]), "ok");
  return String(world.task("ubar/victim/0").instance?.stop?.noticeMs);
}

/** How many of its tasks a drain takes down at once; and whether two may share a machine. */
function together(fields: string): string {
  const { world, spec } = submitted(`count = 2\n${fields}`);
  const claims = [0, 1].map((index) => world.claim(`${idOf(spec)}/${index}`, "m1"));
  for (const { instance } of world.state.jobs.get(idOf(spec) as never)?.tasks ?? [])
    if (instance !== undefined) world.report("m1", { instance: instance.id, phase: Phase.RUNNING, run: 1 });
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  const down = housekeeping(world.state, world.timeMs).flatMap(({ body }) => (body.case === "taskEvict" ? body.value.instances : []));
  return `${claims.join(", ")}; ${down.length} down`;
}

type Look = (fields: string) => string;
/** How a field shows: by what, without it, and with it. */
type Row = readonly [look: Look, without: string, withIt: string];

const CONSTRAINT = (test: string): Row => [judged, "", `constraints = [{ ${test} }]`];
const OVERRIDE = (look: Look, what: string): Row => [look, "", `overrides = [{ tasks = 0, ${what} }]`];
const HEALTH = 'ports = ["http", "other"]\nhealth = { port = "http" }';
const health = (what: string): Row => [ordered, HEALTH, HEALTH.replace(" }", `, ${what} }`)];
const READY = HEALTH.replace("health =", "ready =");
const ready = (what: string): Row => [ordered, READY, READY.replace(" }", `, ${what} }`)];
const otherwise = (name: string, what: string): Row => [
  ordered,
  `ports = ["http", "other"]\n${name} = { port = "http" }`,
  `ports = ["http", "other"]\n${name} = { ${what} }`,
];
const LIMITS = "restart = { in_place_max = 3 }";

const ROWS: Readonly<Record<string, Row>> = {
  command: [ordered, "", 'command = ["sleep", "60"]'],
  name: [judged, "", 'name = "other"'],
  user: [judged, "", 'user = "bob"'],
  priority: [judged, "", "priority = free"],
  count: [judged, "", "count = 3"],
  per_machine: [judged, "", "per_machine = true"],
  cpu: [judged, "", "cpu = 5"],
  ram: [judged, "", "ram = 9Gi"],
  disk: [judged, "", "disk = 101Gi"],
  disk_bandwidth: [judged, "", "disk_bandwidth = 2Gi"],
  extras: [judged, "", "extras = { gpu = 5 }"],
  devices: [judged, "", "devices = { gpu = 0.75 }"],
  ports: [ordered, "", 'ports = ["http"]'],
  env: [ordered, "", 'env = { LOG = "debug" }'],
  packages: [ordered, "", PACKAGE],
  "packages.name": [ordered, PACKAGE, PACKAGE.replace('"a"', '"b"')],
  "packages.version": [judged, PACKAGE, PACKAGE.replace(HASH, "cd".repeat(32))],
  "packages.user": [ordered, PACKAGE, PACKAGE.replace(" }", ', user = "admin" }')],
  "packages.path": [ordered, PACKAGE, PACKAGE.replace(" }", ', path = "/app" }')],
  image: [ordered, "", IMAGE],
  "image.name": [ordered, IMAGE, IMAGE.replace('"a"', '"b"')],
  "image.version": [judged, IMAGE, IMAGE.replace(HASH, "cd".repeat(32))],
  "image.user": [ordered, IMAGE, IMAGE.replace(" }", ', user = "admin" }')],
  directory: [ordered, "", 'directory = "/usr"'],
  files: [ordered, "", 'files = { "/etc/a" = "x" }'],
  "files.content": [ordered, "", 'files = { "/etc/a" = { content = "y" } }'],
  "files.mode": [ordered, 'files = { "/etc/a" = { content = "y" } }', 'files = { "/etc/a" = { content = "y", mode = "0600" } }'],
  secrets: [ordered, 'secrets = { "/borg/secrets/db" = "db" }', 'secrets = { "/borg/secrets/db" = "key" }'],
  controller: [ordered, "", 'controller = { jobs = ["a-*"] }'],
  "controller.jobs": [ordered, 'controller = { jobs = ["a-*"] }', 'controller = { jobs = ["b"] }'],
  "controller.priority_max": [judged, 'controller = { jobs = ["a"] }', 'controller = { jobs = ["a"], priority_max = 450 }'],
  volumes: [judged, "", 'volumes = ["nowhere"]'],
  "volumes.name": [ordered, 'volumes = [{ name = "data" }]', 'volumes = [{ name = "music" }]'],
  "volumes.read_only": [ordered, 'volumes = ["data"]', 'volumes = [{ name = "data", read_only = true }]'],
  kept_directory: [judged, "", 'kept_directory = "ubar/room/0:9"'],
  health: [ordered, 'ports = ["http", "other"]', HEALTH],
  "health.port": [ordered, HEALTH, HEALTH.replace('port = "http"', 'port = "other"')],
  "health.path": health('path = "/healthz"'),
  "health.interval": health("interval = 1s"),
  "health.timeout": health("timeout = 1s"),
  "health.failures": health("failures = 9"),
  "health.grace": health("grace = 9s"),
  "health.tcp": otherwise("health", 'tcp = "http"'),
  "health.command": otherwise("health", 'command = ["true"]'),
  ready: [ordered, 'ports = ["http", "other"]', READY],
  "ready.port": otherwise("ready", 'port = "other"'),
  "ready.path": ready('path = "/healthz"'),
  "ready.tcp": otherwise("ready", 'tcp = "http"'),
  "ready.command": otherwise("ready", 'command = ["true"]'),
  "ready.interval": ready("interval = 1s"),
  "ready.timeout": ready("timeout = 1s"),
  "ready.failures": ready("failures = 9"),
  restart: [ordered, "", 'restart = { when = "never" }'],
  "restart.when": [lives, "", 'restart = { when = "never" }'],
  "restart.in_place_max": [ordered, "", "restart = { in_place_max = 7 }"],
  "restart.failures_max": [lives, LIMITS, "restart = { in_place_max = 3, failures_max = 5 }"],
  "restart.fatal_exits": [lives, "", "restart = { fatal_exits = [64, 1] }"],
  "restart.ok_exits": [ordered, "", "restart = { ok_exits = [3] }"],
  "restart.backoff_min": [lives, "", "restart = { backoff_min = 7s }"],
  "restart.backoff_max": [lives, "", "restart = { backoff_max = 1s }"],
  update: [rolled, "", "update = { batch = 2 }"],
  "update.batch": [rolled, "", "update = { batch = 2 }"],
  "update.disruptions_max": [rolled, "", "update = { disruptions_max = 2 }"],
  "update.watch": [rolled, "", "update = { watch = 2s }"],
  "update.failures_max": [rolled, "", "update = { failures_max = 2 }"],
  notice: [ordered, "", "notice = 7s"],
  lame_duck: [ordered, "", "lame_duck = 7s"],
  whole_cores: [ordered, 'cpu = 1\napp_class = "latency_sensitive"', 'cpu = 1\napp_class = "latency_sensitive"\nwhole_cores = true'],
  slack_cpu: [ordered, "", "slack_cpu = false"],
  slack_ram: [ordered, "", "slack_ram = true"],
  victim_notice: [evicts, "", "victim_notice = 5s"],
  deadline: [lives, "", "deadline = 1s"],
  overrides: OVERRIDE(ordered, 'args = ["--leader"]'),
  "overrides.tasks": [
    ordered,
    'count = 2\noverrides = [{ tasks = 1, args = ["a"] }]',
    'count = 2\noverrides = [{ tasks = [0, 1], args = ["a"] }]',
  ],
  "overrides.args": OVERRIDE(ordered, 'args = ["--leader"]'),
  "overrides.env": OVERRIDE(ordered, 'env = { A = "b" }'),
  "overrides.labels": OVERRIDE(selected, 'labels = { tier = "web" }'),
  "overrides.cpu": OVERRIDE(judged, "cpu = 5"),
  "overrides.ram": OVERRIDE(judged, "ram = 9Gi"),
  "overrides.disk": OVERRIDE(judged, "disk = 101Gi"),
  "overrides.disk_bandwidth": OVERRIDE(judged, "disk_bandwidth = 2Gi"),
  "overrides.extras": OVERRIDE(judged, "extras = { gpu = 5 }"),
  "overrides.devices": OVERRIDE(judged, "devices = { gpu = 0.75 }"),
  constraints: CONSTRAINT('attribute = "arch", is = "arm64"'),
  "constraints.attribute": CONSTRAINT('attribute = "none", is = "x64"'),
  "constraints.is": CONSTRAINT('attribute = "arch", is = "arm64"'),
  "constraints.is_not": CONSTRAINT('attribute = "arch", is_not = "x64"'),
  "constraints.one_of": CONSTRAINT('attribute = "arch", one_of = ["arm64"]'),
  "constraints.none_of": CONSTRAINT('attribute = "arch", none_of = ["x64"]'),
  "constraints.exists": CONSTRAINT('attribute = "arch", exists = false'),
  "constraints.at_least": CONSTRAINT('attribute = "kernel", at_least = "6.2"'),
  "constraints.at_most": CONSTRAINT('attribute = "kernel", at_most = "5.10"'),
  "constraints.begins_with": CONSTRAINT('attribute = "arch", begins_with = "arm"'),
  "constraints.prefer": [
    judged,
    'constraints = [{ attribute = "arch", is = "arm64" }]',
    'constraints = [{ attribute = "arch", is = "arm64", prefer = 5 }]',
  ],
  spread: [together, "", 'spread = "hard"'],
  labels: [selected, "", 'labels = { tier = "web" }'],
  app_class: [placedBy, "", 'app_class = "latency_sensitive"'],
  alloc_set: [judged, "", 'alloc_set = "ubar/none"'],
  start_after: [judged, "", 'start_after = "ubar/none"'],
  beside: [judged, "", 'beside = [{ job = "x", max = 1 }]'],
  "beside.job": [judged, 'beside = [{ job = "other", max = 1 }]', 'beside = [{ job = "x", max = 1 }]'],
  "beside.max": [crowded, 'beside = [{ job = "other", max = 1 }]', 'beside = [{ job = "other", max = 0 }]'],
  after_failure: [judged, "", 'after_failure = "fail"'],
  mode: [judged, "count = 1001", 'count = 1001\nmode = "gang"'],
  scheduler: [placedBy, "", 'scheduler = "other"'],
  reclaim: [judged, "", "reclaim = false"],
  down_max: [together, "", "down_max = 1"],
  drain_every: [together, "", "drain_every = 1h"],
};

const pathsOf = (fields: Fields, prefix = ""): readonly string[] =>
  Object.entries(fields).flatMap(([name, { type }]) => [`${prefix}${name}`, ...pathsOf(type.fields ?? {}, `${prefix}${name}.`)]);

test("every field of the schema is walked [U10]", () => {
  assert.deepEqual(Object.keys(ROWS).sort(), [...pathsOf(JOB)].sort());
});

for (const [path, [look, without, withIt]] of Object.entries(ROWS)) {
  test(`${path} has its effect or is refused [U10]`, () => {
    assert.notEqual(look(withIt), look(without));
  });
}
