/** What every command prints with --json is what docs/json says, and the same thing is called the same everywhere. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { evaluateText } from "../bcl/fixture.test.ts";
import type { EventViewSchema, JobViewSchema, MachineViewSchema, TaskViewSchema } from "../wire/gen/borg/v1/api_pb.ts";
import { borg, notFound, type Script } from "./fixture.test.ts";
import { problemsOf, resolved, SCHEMA_NAMES, type Schema, schemaOf } from "./json-schema.test.ts";
import { ticketText } from "./ticket.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-json-"));
after(() => rmSync(ROOT, { recursive: true }));
const put = (name: string, text: string, mode = 0o644): void => writeFileSync(join(ROOT, name), text, { mode });
put("web.bcl", 'job web = { command = ["x"], count = 3 }\ntest "three" { assert web.count == 3 }\ntest "two" { assert web.count == 2 }\n');
put("many.bcl", 'quota bob = { band = batch, unlimited = true }\nalloc_set room = {}\njob a = { command = ["x"] }\n');
put("other.bcl", 'job web = { command = ["y"], ram = 64Mi }\n');
put("bad.bcl", "job a = { command = 5 }\n");

const RESOURCES = { cpuMilli: 500, ramBytes: 2 ** 27, diskBytes: 2 ** 30, diskBandwidth: 5, extras: [{ name: "gpu", amount: 1 }] };
const FRAMEWORK = {
  name: "ann/fw",
  id: "ann.fw.7",
  state: "connected",
  spec: { user: "ann", name: "fw", priority: 100, role: "analytics", failoverMs: 60_000, title: "fw" },
  used: RESOURCES,
  offers: 1,
  offered: RESOURCES,
  share: 5,
};
const EVENT: MessageInitShape<typeof EventViewSchema> = {
  event: {
    timeMs: 1000,
    position: 7,
    kind: 20,
    subject: "ann/web/0",
    instance: "ann/web/0:7",
    machine: "m1",
    from: "running",
    to: "dead",
    cause: 6,
  },
  text: "ann/web/0 is dead",
};
const TASK: MessageInitShape<typeof TaskViewSchema> = {
  diskTraffic: { readBytes: 5, writtenBytes: 6 },
  name: "ann/web/0",
  state: "running",
  cause: "started",
  sinceMs: 1000,
  machine: "m1",
  host: "127.0.0.1",
  ports: [{ name: "http", number: 20_001 }],
  instance: "ann/web/0:7",
  health: 2,
  limit: RESOURCES,
  usage: RESOURCES,
  exited: true,
  signal: 9,
};
const JOB: MessageInitShape<typeof JobViewSchema> = {
  name: "ann/web",
  state: "running",
  count: 3,
  band: 3,
  limit: RESOURCES,
  submittedMs: 1000,
};
const MACHINE: MessageInitShape<typeof MachineViewSchema> = {
  name: "m1",
  state: "up",
  portFirst: 1,
  portLast: 9,
  capacity: RESOURCES,
  attributes: [{ key: "arch", value: "x64" }],
};
const EXPLANATION = {
  task: "ann/web/2",
  state: "pending",
  reasons: [{ reason: "lacks ram", machines: 10 }],
  changes: [{ change: "ask for less", machines: 3 }],
  score: [{ part: "packing", value: "0.8" }],
  summary: ["a sentence"],
};
const NAMED = {
  name: "ann/web/0",
  state: "running",
  host: "127.0.0.1",
  ports: [{ name: "http", number: 20_001 }],
  machine: "m1",
  instance: "ann/web/0:7",
};
const spec = evaluateText('job web = { command = ["x"], count = 3 }', { user: "ann" }).result!.jobs[0]!;
const changed = () => ({ position: 9 });

const SCRIPT: Script = {
  listJobs: ({ selector }) =>
    selector === ""
      ? { jobs: [JOB, { ...JOB, name: "ann/room", allocSet: true, state: "dead" }] }
      : { jobs: [{ ...JOB, ...(selector === "service=ended" ? { name: "ann/done" } : {}), labels: [{ key: "service", value: "site" }] }] },
  listTasks: () => ({
    tasks: [
      TASK,
      { ...TASK, name: "ann/inner/0", inAlloc: "ann/room/0:9" },
      { name: "ann/room/0", state: "pending", alloc: true },
      { ...TASK, exitCode: 3, signal: 0, state: "dead" },
    ],
  }),
  listMachines: () => ({ machines: [MACHINE, { name: "m2", state: "draining" }] }),
  watchViews: () => ({
    changes: [
      { view: 0, cell: { name: "cc" } },
      { view: 1, machines: [MACHINE, { name: "m2", state: "draining" }], total: 2 },
      { view: 2, tasks: [TASK, { name: "ann/room/0", state: "pending", alloc: true }], total: 2 },
    ],
  }),
  listQuota: () => ({
    quotas: [
      { user: "ann", band: 3, quota: { limit: RESOURCES, ports: 5, untilMs: 1000 }, charged: RESOURCES },
      { user: "ann", band: 2, quota: { unlimited: true } },
    ],
  }),
  listUsers: () => ({ users: [{ name: "ann", roles: [2, 4], capabilities: [3] }] }),
  listTokens: () => ({ tokens: [{ user: "ann", id: "0123456789ab", label: "laptop", createdMs: 1000 }] }),
  readFile: ({ path }) => {
    const place = { instance: "ann/web/0:7", machine: "m1" };
    return path === ""
      ? { ...place, kind: 2, entries: [{ name: "out", kind: 1, bytes: 3, modifiedMs: 5 }] }
      : { ...place, kind: 1, bytes: 3, data: new TextEncoder().encode("abc") };
  },
  listPackages: () => ({ packages: [{ user: "ann", name: "tool", digest: "ab".repeat(32), bytes: 5, createdMs: 1000 }] }),
  uploadPackage: ({ bytes = 0 }) => ({ received: bytes, kept: true }),
  addPackage: changed,
  removePackage: changed,
  setSecret: changed,
  removeSecret: changed,
  rotateSecretKey: () => ({ keyId: "0123456789abcdef" }),
  listSecrets: () => ({
    secrets: [{ user: "ann", name: "db", version: 2, bytes: 7, createdMs: 1000, changedMs: 2000, jobs: ["ann/web"] }],
  }),
  listFrameworks: () => ({ frameworks: [FRAMEWORK] }),
  listRoles: () => ({
    roles: [{ role: { name: "analytics", weight: 3, guarantee: RESOURCES, users: ["ann"] }, frameworks: 1, used: RESOURCES, share: 5 }],
  }),
  setRole: changed,
  listSchedulers: () => ({ schedulers: [{ name: "service", limits: { priorityMax: 450 }, claimed: RESOURCES, upMs: 5, busyMs: 1 }] }),
  getCell: () => ({ name: "test", user: "ann", roles: [4], timeMs: 1000, capacity: RESOURCES }),
  getMaster: () => ({ role: "leading", term: 3, pid: 17 }),
  getJob: ({ job }) =>
    job === "ann/web"
      ? { job: { ...JOB, count: 5 }, spec, tasks: [TASK] }
      : job === "ann/done"
        ? { job: { ...JOB, name: job, state: "dead" }, spec, tasks: [] }
        : notFound(`job "${job}"`),
  getTask: ({ task }) =>
    task === "ann/room/0"
      ? { task: { ...TASK, name: task, alloc: true, instance: "ann/room/0:9" } }
      : { task: TASK, spec: spec.task!, history: [EVENT], avoids: ["m2"] },
  getMachine: () => ({ machine: MACHINE, tasks: [TASK], history: [EVENT] }),
  explain: () => EXPLANATION,
  checkJob: () => ({ explanation: EXPLANATION, placed: 1, victims: [{ instance: "bob/x/0:3", priority: 100, machine: "m1" }] }),
  readEvents: () => ({
    events: [EVENT, { event: { timeMs: 1000, kind: 10, subject: "ann/web", actor: { name: "ann" } }, text: "submitted" }],
  }),
  resolve: () => ({
    kind: "job",
    size: 3,
    ready: 1,
    version: "1",
    tasks: [
      { ...NAMED, ready: true, readyMs: 1000, health: 2, readiness: 2 },
      { name: "ann/web/1", state: "pending" },
    ],
  }),
  readLog: ({ stream, offset, fromEnd }) => {
    const data = new TextEncoder().encode(stream === 1 ? "out\n" : "err\n");
    return {
      instance: "ann/web/0:7",
      machine: "m1",
      offset: fromEnd ? data.length : offset,
      data: fromEnd ? new Uint8Array() : data.subarray(offset),
      nextOffset: data.length,
    };
  },
  submitJob: changed,
  submitAllocSet: changed,
  killJob: changed,
  restartJob: changed,
  resizeJob: changed,
  startUpdate: changed,
  pauseUpdate: changed,
  undoUpdate: changed,
  commitUpdate: changed,
  checkUpdate: () => ({ restarts: 2, skipped: 1, tasks: [{ task: "ann/web/0", change: "restart", state: "running" }] }),
  getUpdate: () => ({
    job: "ann/web",
    phase: "rolled",
    sinceMs: 1000,
    startedMs: 1000,
    passed: 1,
    tasks: [{ task: "ann/web/0", change: "restart", verdict: "passed", state: "running" }],
  }),
  drainMachine: changed,
  unpinTask: changed,
  forgetDirectory: changed,
  removeMachine: changed,
  approveMachine: changed,
  openUi: () => ({ url: "http://127.0.0.1:7878/#link=x", ttlMs: 120_000 }),
  endUi: () => ({ sessions: 2 }),
  denyMachine: () => ({ denied: 1 }),
  listJoins: () => ({
    requests: [{ machine: "far", key: "ab".repeat(32), capacity: RESOURCES, address: "127.0.0.1", sinceMs: 1000 }],
    invitations: [
      { machine: "near", approval: { capacity: RESOURCES, key: "cd".repeat(32) } },
      { machine: "new", approval: { capacity: RESOURCES }, untilMs: 1000 },
    ],
  }),
  setQuota: changed,
  setBounds: changed,
  setReclamation: changed,
  setOffers: changed,
  reportEvictions: () => ({
    timeMs: 1000,
    days: [{ day: 20_000, prod: { preemption: 1, runMs: 604_800_000 }, nonProd: { machineFailure: 3 } }],
  }),
  runQuery: ({ sql }) => queryAnswer(String(sql)),
  reportReclaim: () => ({ reclamation: 4, capacity: RESOURCES, rows: [{ name: "ann/web", tasks: 3, limit: RESOURCES, usage: RESOURCES }] }),
  reportShapes: () => ({ machines: 2, rows: [{ cpuMilli: 250, ramBytes: 1024, nonProd: { tasks: 3, machines: 2, ramBytesMost: 4096 } }] }),
  reportQuota: () => ({
    rows: [
      { user: "ann", band: 3, quota: { limit: RESOURCES, untilMs: 1000 }, ended: true, charged: RESOURCES, quotaCost: 2, chargedCost: 1.5 },
      { user: "ann", band: 2, quota: { unlimited: true } },
    ],
    capacity: RESOURCES,
    sold: RESOURCES,
  }),
  grantUser: changed,
  createToken: changed,
  revokeToken: changed,
};

/** Commands whose output a schema describes; `line` where each line is an object of its own. */
/** What each report asks for by name; a row of nothing for the rest. */
function queryAnswer(sql: string): { columns: { name: string; type: string }[]; rows: string[] } {
  const numbers = ["task_hours", "core_hours", "gib_hours", "price", "cost", "wanted", "running", "availability"];
  const columns = [
    ...["user", "job", "band"].map((name) => ({ name, type: "VARCHAR" })),
    ...numbers.map((name) => ({ name, type: "DOUBLE" })),
  ];
  return { columns, rows: sql === "" ? [] : [JSON.stringify(["ann", "ann/web", "production", ...numbers.map(() => 0.5)])] };
}

const COMMANDS: readonly (readonly [schema: string, words: string, form?: "lines" | "error"])[] = [
  ["ls-jobs", "ls jobs"],
  ["ls-tasks", "ls tasks --dead"],
  ["ls-allocs", "ls allocs"],
  ["ls-services", "ls services"],
  ["ls-machines", "ls machines"],
  ["ls-quota", "ls quota"],
  ["ls-quota", "quota ls --all"],
  ["ls-users", "ls users"],
  ["ls-users", "user ls"],
  ["ls-tokens", "ls tokens"],
  ["ls-tokens", "token ls"],
  ["ls-schedulers", "ls schedulers"],
  ["ls-frameworks", "ls frameworks --all"],
  ["role-ls", "role ls"],
  ["role-set", "role set analytics --weight 3 --cpu 1 --user ann"],
  ["files", "files web/0"],
  ["files-copy", "files web/0 out -o copied"],
  ["ls-packages", "ls packages"],
  ["ls-packages", "package ls --all"],
  ["package-push", "package push tool ."],
  ["package-rm", "package rm tool"],
  ["secret-set", "secret set db"],
  ["secret-ls", "secret ls"],
  ["secret-rm", "secret rm db"],
  ["secret-rm", "secret rm -l app=web --yes"],
  ["secret-rm", "secret rm -l app=web --dry-run"],
  ["package-rm", "package rm -l app=web --yes"],
  ["package-rm", "package rm -l app=web --dry-run"],
  ["scale", "scale -l app=web 3 --yes"],
  ["scale", "scale -l app=web 3 --dry-run"],
  ["why", "why -l app=web"],
  ["update-show", "update show -l app=web"],
  ["update-steer", "update undo -l app=web --yes"],
  ["secret-rotate-key", "secret rotate-key"],
  ["show-job", "show web"],
  ["show-jobs", "show -l app"],
  ["show-task", "show web/0"],
  ["show-task", "show room/0"],
  ["show-machine", "show m1"],
  ["why", "why web"],
  ["events", "events"],
  ["top", "top"],
  ["logs", "logs web/0", "lines"],
  ["logs", "logs web", "lines"],
  ["submit", "submit web.bcl"],
  ["submit", "submit many.bcl"],
  ["submit-dry-run", "submit web.bcl --dry-run"],
  ["run", "run hi -- sleep 60"],
  ["wait", "wait done"],
  ["wait", "wait --service ended"],
  ["apply", "apply web.bcl"],
  ["apply", "apply web.bcl --dry-run"],
  ["apply", "apply many.bcl"],
  ["apply", "apply many.bcl --dry-run"],
  ["kill", "kill web"],
  ["kill", "kill -l app --yes"],
  ["kill", "kill -l app --dry-run"],
  ["restart", "restart web"],
  ["restart", "restart web/0"],
  ["restart", "restart --service site --yes"],
  ["restart", "restart --service site --dry-run"],
  ["scale", "scale web 5"],
  ["unpin", "unpin web/0"],
  ["directory-ls", "directory ls"],
  ["directory-rm", "directory rm ann/room/0:9"],
  ["update", "update web.bcl"],
  ["update", "update web.bcl --dry-run"],
  ["update", "update web.bcl --wait --commit"],
  ["update-show", "update show web"],
  ["update-steer", "update pause web"],
  ["update-steer", "update undo web"],
  ["drain", "drain m1"],
  ["drain", "undrain m1"],
  ["drain", "drain state=draining"],
  ["ls-machines", "ls machines --where state=up"],
  ["ui", "ui"],
  ["ui", "ui --end"],
  ["machine-remove", "machine remove m1"],
  ["machine-invite", "machine invite far --cpu 4 --ram 8GiB --disk 50GiB"],
  ["machine-invite", "machine invite far --cpu 4 --ram 8GiB --disk 50GiB --out far.ticket"],
  ["machine-invite", "machine invite"],
  ["machine-approve", `machine approve far --fingerprint ${"ab".repeat(32)} --cpu 4 --ram 8GiB --disk 50GiB`],
  ["machine-approve", "machine approve far --cpu 4 --ram 8GiB --disk 50GiB"],
  ["machine-deny", "machine deny far"],
  ["machine-pending", "machine pending"],
  ["quota-set", "quota set ann production --cpu 4 --ram 8GiB --disk 20GiB --ports 7 --until 30d"],
  ["quota-set", "quota set ann batch --unlimited"],
  ["quota-bounds", "quota bounds ann --jobs 5000 --specs 16MiB"],
  ["quota-bounds", "quota bounds ann"],
  ["quota-bounds", "quota bounds ann --calls 200 --polls 100 --work 200"],
  ["quota-report", "quota report --all"],
  ["report-evictions", "report evictions --days 7"],
  ["report-reclaim", "report reclaim --by job"],
  ["report-shapes", "report shapes"],
  ["report-usage", "report usage --since 7d"],
  ["report-sla", "report sla --user ann"],
  ["sql", "sql from_jobs"],
  ["export-trace", "export trace trace"],
  ["cell-set", "cell set --reclamation aggressive"],
  ["cell-set", "cell set --offers lottery --short-machines 10"],
  ["user-grant", "user grant ann --role user --capability schedule"],
  ["token-create", "token create --user ann --ttl 30d"],
  ["token-create", "token create --user ann --out made.ticket"],
  ["token-revoke", "token revoke 0123456789ab"],
  ["login", "login team.ticket"],
  ["cell-ls", "cell ls"],
  ["cell-use", "cell use team"],
  ["cell-show", "cell show"],
  ["status", "status"],
  ["cell-rm", "cell rm team"],
  ["version", "version"],
  ["bcl-eval", "bcl eval web.bcl"],
  ["bcl-eval", "bcl eval many.bcl"],
  ["bcl-check", "bcl check web.bcl many.bcl", "lines"],
  ["bcl-test", "bcl test web.bcl"],
  ["bcl-explain", "bcl explain"],
  ["bcl-explain", "bcl explain ram"],
  ["bcl-diff", "bcl diff web.bcl other.bcl"],
  ["resolve", "resolve web --all"],
  ["resolve", "resolve --service site"],
  ["lb", "lb web --format nginx --out lb.conf --once"],
  ["error", "ls nothing", "error"],
  ["error", "submit bad.bcl", "error"],
  ["error", "bcl check bad.bcl", "error"],
  ["error", "bcl explain nothing", "error"],
  ["error", "show nothing/7/7", "error"],
];

/** About a cell on several machines: test/e2e/machines.test.ts. */
const MASTERS = [
  "init",
  "join",
  "replica-ls",
  "replica-invite",
  "replica-remove",
  "authority-show",
  "authority-renew",
  "authority-retire",
  "etcd-defragment",
];

/** They start and stop processes, or go on until they are ended: tests of their own look at what they print. */
const ELSEWHERE = ["machine-reset-term", "mesos-gateway", "up", "down", "backup", "restore", "install", ...MASTERS];

const TICKET = ticketText({ cell: "team", url: "https://127.0.0.1:1", authorities: ["PEM"], token: "secret" });
writeFileSync(join(ROOT, "team.ticket"), TICKET, { mode: 0o600 });

const here = {
  cwd: ROOT,
  env: {
    BORG_TICKET: TICKET,
    XDG_CONFIG_HOME: join(ROOT, "config"),
    XDG_STATE_HOME: join(ROOT, "state"),
  },
};

for (const [name, words, form] of COMMANDS) {
  test(`borg ${words} --json prints what docs/json/${name}.schema.json says [U9]`, async () => {
    const args = words.includes(" -- ") ? words.replace(" -- ", " --json -- ").split(" ") : [...words.split(" "), "--json"];
    const script = name === "error" ? { ...SCRIPT, getTask: () => notFound("task") } : SCRIPT;
    const { out, err } = await borg(args, script, here);
    const text = form === "error" ? err : out;
    assert.notEqual(text, "", err);
    const values = form === "lines" ? text.trimEnd().split("\n") : [text];
    for (const value of values) assert.deepEqual(problemsOf(schemaOf(name), JSON.parse(value)), [], value);
  });
}

test("every schema describes a command that is tried, and docs/json.md names it", () => {
  const tried = new Set([...COMMANDS.map(([name]) => name), ...ELSEWHERE]);
  assert.deepEqual([...tried].sort(), [...SCHEMA_NAMES].sort());
  const page = readFileSync(new URL("../../docs/json.md", import.meta.url), "utf8");
  for (const name of SCHEMA_NAMES) assert.ok(page.includes(`(json/${name}.schema.json)`), name);
});

/** Words that have a set of values in each place where they stand. Every other word has one meaning. */
const SEVERAL_MEANINGS: ReadonlySet<string> = new Set([
  // Of jobs, tasks, events and changes; of jobs, tasks and machines.
  "kind",
  "state",
  // An amount, or that of a quota, which may be none.
  "limit",
  // Numbers by name, or how many a quota allows.
  "ports",
  // A state, or a count.
  "from",
  "to",
]);

/** Null stands for "none" wherever it may stand, and whole numbers are numbers. */
function meaningOf(property: Schema): string {
  const { type, enum: values, items } = resolved(property);
  const types = [type ?? []].flat().filter((one) => one !== "null");
  const thing = types.includes("object") ? property.$ref : undefined;
  return JSON.stringify([types.map((one) => (one === "integer" ? "number" : one)), values, items?.$ref ?? items?.type, thing]);
}

test("a word means the same in every output: one type, one set of values", () => {
  const meanings = new Map<string, Set<string>>();
  const walk = (given: Schema): void => {
    for (const [name, property] of Object.entries(given.properties ?? {})) {
      meanings.set(name, (meanings.get(name) ?? new Set()).add(meaningOf(property)));
      if (property.$ref === undefined) walk(property);
    }
    for (const inner of [...(given.anyOf ?? []), given.items, given.additionalProperties]) if (typeof inner === "object") walk(inner);
  };
  // What eval prints is a file, in the words of files.
  for (const name of SCHEMA_NAMES) if (name !== "bcl-eval") walk(schemaOf(name));
  for (const def of Object.values(schemaOf("things").$defs!)) walk(def);
  const several = [...meanings].filter(([name, found]) => found.size > 1 && !SEVERAL_MEANINGS.has(name));
  assert.deepEqual(
    several.map(([name, found]) => `${name}: ${[...found].join(" ")}`),
    [],
  );
});
