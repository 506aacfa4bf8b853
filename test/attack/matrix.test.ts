/**
 * Who may call what, and who sees which field of an answer, against the reviewed table matrix.txt. Every method and every field of every answer stands
 * there, or this fails. MATRIX=write writes what is found; read the difference before you commit it.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import type { CellMethod } from "../../src/borgmaster/api/access.ts";
import { checker } from "../../src/wire/check.ts";
import { make } from "../../src/wire/codec.ts";
import { CellService, ReportBy } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { ActorKind, OfferModule, Reclamation, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { AttackedCell, CALLERS, SECRET_VALUE, TAKING_AWAY } from "./desk.ts";
import { hashOf, LOG, SECRETS, SHELL, SPEC } from "./furniture.ts";

const FILE = new URL("matrix.txt", import.meta.url);
const FED_FROM = new AttackedCell().fedFrom;
const QUOTA = { cpuMilli: 1000, ramBytes: 3 * 2 ** 30, diskBytes: 1, diskBandwidth: 1, extras: [{ name: "gpu", amount: 1 }] };
/** What each method is asked, so that only who asks decides. Changes ask for what harms no later row. */
const REQUESTS: Readonly<Record<CellMethod, (caller: string) => object>> = {
  submitJob: () => ({ spec: { user: "ann", name: "new", count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } } }),
  submitAllocSet: () => ({ spec: { user: "ann", name: "set", count: 1, limit: { cpuMilli: 1 } } }),
  killJob: () => ({ job: "ann/none" }),
  restartJob: () => ({ job: "ann/none" }),
  openShell: () => ({ instance: "ann/none/0:1" }),
  useShell: () => ({ shell: SHELL, use: {} }),
  resizeJob: () => ({ job: "ann/none", count: 1 }),
  forgetJob: () => ({ job: "ann/none" }),
  forgetDirectory: () => ({ alloc: "ann/none/0:1" }),
  unpinTask: () => ({ task: "ann/none/0" }),
  startUpdate: () => ({ spec: { user: "ann", name: "none", count: 1, task: { command: ["x"] } } }),
  pauseUpdate: () => ({ job: "ann/none" }),
  undoUpdate: () => ({ job: "ann/none" }),
  commitUpdate: () => ({ job: "ann/none" }),
  configureCell: () => ({ config: { deadJobKeepMs: 3_600_000 } }),
  setReclamation: () => ({ reclamation: Reclamation.MEDIUM }),
  setOffers: () => ({ module: OfferModule.LOTTERY, shortPermille: 100, shortMs: 60_000 }),
  drainMachine: () => ({ machine: "m1" }),
  removeMachine: () => ({ machine: "m9" }),
  approveMachine: () => ({ machine: "near", approval: { capacity: { cpuMilli: 1000 }, key: "ab".repeat(32) } }),
  setQuota: () => ({ user: "ann", band: Band.PRODUCTION, quota: { limit: QUOTA, ports: 3, untilMs: 1e13 } }),
  setBounds: () => ({ user: "ann", bounds: { jobs: 1000 } }),
  grantUser: () => ({ user: "zed", roles: [1] }),
  createToken: (caller) => ({ user: "zed", hash: hashOf(caller) }),
  revokeToken: () => ({ user: "zed", id: "0" }),
  setScheduler: () => ({ name: "spare", limits: { priorityMax: 1 } }),
  addPackage: () => ({ user: "ann", name: "spare", digest: "cd".repeat(32), bytes: 7 }),
  removePackage: () => ({ user: "ann", name: "none", digest: "cd".repeat(32) }),
  uploadPackage: () => ({ digest: "cd".repeat(32), bytes: 7 }),
  listPackages: () => ({}),
  setSecret: () => ({ user: "ann", name: "spare", value: new Uint8Array([1, 2, 3]) }),
  removeSecret: () => ({ user: "ann", name: "none" }),
  rotateSecretKey: () => ({ goOn: true }),
  listSecrets: () => ({ user: "ann" }),
  subscribeFramework: () => ({ spec: { user: "ann", name: "none", role: "a b" }, session: 1 }),
  launchTasks: () => ({ framework: "ann/none", session: 1, launches: [{ taskId: "x", machine: "m1", task: { command: ["x"] } }] }),
  killTasks: () => ({ framework: "ann/none", session: 1, taskIds: ["x"] }),
  acknowledgeUpdates: () => ({ framework: "ann/none", session: 1, acknowledgements: [{ taskId: "x", uuid: new Uint8Array(16).fill(1) }] }),
  teardownFramework: () => ({ framework: "ann/none" }),
  setRole: () => ({ role: { name: "spare", weight: 1 } }),
  listFrameworks: () => ({}),
  getFramework: () => ({ framework: "ann/fw" }),
  listRoles: () => ({}),
  getCell: () => ({}),
  getMaster: () => ({}),
  listJobs: () => ({}),
  getJob: () => ({ job: "ann/web" }),
  getUpdate: () => ({ job: "ann/web" }),
  checkUpdate: () => ({ spec: { user: "ann", name: "web", count: 2, task: { command: ["x"] } } }),
  listTasks: () => ({}),
  getTask: () => ({ task: "ann/web/1" }),
  listMachines: () => ({}),
  getMachine: () => ({ machine: "m1" }),
  openUi: () => ({}),
  runQuery: () => ({ sql: "select 1" }),
  endUi: () => ({}),
  listJoins: () => ({}),
  denyMachine: () => ({ machine: "none" }),
  listQuota: () => ({}),
  listUsers: () => ({}),
  listTokens: () => ({ user: "ann" }),
  reportEvictions: () => ({}),
  reportReclaim: () => ({ by: ReportBy.JOB }),
  reportQuota: () => ({}),
  explain: () => ({ name: "ann/web" }),
  checkJob: () => ({ spec: { user: "ann", name: "wide", count: 1, priority: 120, task: { command: ["x"], limit: { cpuMilli: 10 } } } }),
  readEvents: () => ({ about: "ann/web/0" }),
  resolve: () => ({ name: "ann/web", all: true }),
  watchViews: (caller) => ({ watch: caller, views: [1, 2, 3, 4, 5, 6].map((kind) => ({ kind, query: kind === 6 ? "ann/web/0" : "" })) }),
  readLog: () => ({ task: "ann/web/0" }),
  readFile: () => ({ task: "ann/web/0" }),
  reportShapes: () => ({}),
  readUsage: () => ({ task: "ann/web/0" }),
  listSchedulers: () => ({}),
  // Items, and the whole cell besides.
  readFeed: () => ({ from: FED_FROM, more: "cell " }),
  claimTasks: () => ({ scheduler: "mine", claims: [{ task: "ann/none/0", place: "m1" }] }),
};

/** What else each read is asked for its fields: of a job of each kind, and of what runs. */
const ALSO: Readonly<Partial<Record<CellMethod, readonly object[]>>> = {
  getJob: ["older", "room", "inside", "rare", "after", "huge", "fw"].map((name) => ({ job: `ann/${name}` })),
  getUpdate: [{ job: "ann/room" }],
  checkUpdate: [{ spec: { ...SPEC, count: 3 } }, { spec: { ...SPEC, count: 1, constraints: [] } }],
  getTask: ["web/0", "older/0", "room/0", "inside/0", "huge/0", "fw/0", "fw/1", "fw/2"].map((name) => ({ task: `ann/${name}` })),
  explain: ["huge", "after", "older/0", "fw/0"].map((name) => ({ name: `ann/${name}` })),
  checkJob: [{ spec: SPEC }, { spec: { ...SPEC, name: "wide", task: { ...SPEC.task, limit: { cpuMilli: 500_000 } }, priority: 0 } }],
  readEvents: ["ann/web", "ann/older/0", "ann/fw/2", "ann", "m1"].map((about) => ({ about })),
  resolve: ["ann/older", "books.ann", "ann/fw"].map((name) => ({ name, all: true })),
  readLog: [{ task: "ann/fw/2" }],
};

/** Other questions to the same methods, which other people may ask. */
const MORE: readonly (readonly [CellMethod, string, object])[] = [
  ["getCell", "with the hash", { hash: true }],
  ["listTokens", "of all users", {}],
  ["listTokens", "of the admin", { user: "admin" }],
  ["listSecrets", "of oneself", {}],
  ["setSecret", "of the admin", { user: "admin", name: "spare", value: new Uint8Array([1]) }],
  ["claimTasks", "as the master's scheduler", { scheduler: "service", claims: [{ task: "ann/none/0", place: "m1" }] }],
  ["claimTasks", "as one that is not there", { scheduler: "absent", claims: [{ task: "ann/none/0", place: "m1" }] }],
];

/** Every path of a message type that ends in a value: `tasks[].name`. */
function fieldsOf(schema: DescMessage, prefix = ""): string[] {
  return schema.fields.flatMap((field) => {
    const path = `${prefix}${field.oneof === undefined ? "" : `${field.oneof.localName}.`}${field.localName}${field.fieldKind === "list" ? "[]" : ""}`;
    return field.message === undefined ? [path] : fieldsOf(field.message, `${path}.`);
  });
}

/** Those of them that an answer has something in. */
function filledIn(schema: DescMessage, value: Readonly<Record<string, unknown>>, prefix = ""): string[] {
  return schema.fields.flatMap((field) => {
    const oneof = field.oneof === undefined ? undefined : (value[field.oneof.localName] as { case?: string; value?: unknown });
    const held = oneof === undefined ? value[field.localName] : oneof.case === field.localName ? oneof.value : undefined;
    const path = `${prefix}${field.oneof === undefined ? "" : `${field.oneof.localName}.`}${field.localName}${field.fieldKind === "list" ? "[]" : ""}`;
    const each = Array.isArray(held) ? held : held === undefined ? [] : [held];
    if (field.message !== undefined) return each.flatMap((part) => filledIn(field.message!, part as Record<string, unknown>, `${path}.`));
    return each.some((part) => (part instanceof Uint8Array ? part.length > 0 : Boolean(part))) ? [path] : [];
  });
}

function ask(
  cell: AttackedCell,
  method: CellMethod,
  caller: string,
  request: object,
  controller?: string,
): ReturnType<AttackedCell["call"]> {
  const schema = CellService.method[method].input;
  const message = make(schema as never, request as never) as object;
  assert.equal(checker(schema)(message as never), undefined, `${method} is asked what its bounds forbid`);
  return cell.call(method, caller, message, false, controller);
}

const may = (answer: ReturnType<AttackedCell["call"]>): boolean => answer.type === "answered" || answer.code !== "not-permitted";

/** Callers, or all or none of them in a word. */
function who(callers: readonly string[]): string {
  if (callers.length === 0) return "-";
  const known = CALLERS.filter((caller) => caller !== "nobody");
  return known.every((caller) => callers.includes(caller))
    ? callers.includes("nobody")
      ? "everybody"
      : "whoever has a role"
    : callers.join(" ");
}

const rowsOf = (): readonly (readonly [CellMethod, string, (caller: string) => object])[] => [
  ...Object.keys(CellService.method).map((name) => [name as CellMethod, "", REQUESTS[name as CellMethod]] as const),
  ...MORE.map(([method, words, request]) => [method, ` ${words}`, () => request] as const),
];

function callLines(cell: AttackedCell): string[] {
  return rowsOf().map(([method, words, request]) => {
    assert.ok(request !== undefined, `Method "${method}" is not in REQUESTS`);
    return `${method}${words}: ${who(CALLERS.filter((caller) => may(ask(cell, method, caller, request(caller)))))}`;
  });
}

/** Who shows a token, and every call is then made as whom it stands for. */
function tokenLines(cell: AttackedCell): string[] {
  const tokens = { valid: "token of ann", ended: "ended", revoked: "revoked", guessed: "guessed", none: "" };
  const rows = rowsOf();
  return Object.entries(tokens).map(([name, token]) => {
    const good = rows.filter(([method, , request]) => {
      const user = cell.identify(token);
      return user !== undefined && may(ask(cell, method, user, request(user)));
    });
    return `${name}: ${good.map(([method, words]) => `${method}${words}`).join(", ") || "-"}`;
  });
}

/** What a controller of ann's may do with its jobs, ann's other jobs, and the same of a controller whose user is an admin. */
function controllerLines(): string[] {
  const methods = Object.keys(CellService.method) as CellMethod[];
  const good = (caller: string, jobs: readonly string[], roles: readonly number[] = []): string => {
    const cell = new AttackedCell();
    const token = cell.controller(...jobs);
    if (roles.length > 0) ask(cell, "grantUser", "admin", { user: "ann", roles });
    return methods.filter((method) => may(ask(cell, method, caller, REQUESTS[method](caller), token))).join(" ") || "-";
  };
  return [
    `jobs that were declared: ${good("ann", ["none", "new", "web", "wide"])}`,
    `other jobs: ${good("ann", ["else"])}`,
    `jobs that were declared, of an admin: ${good("ann", ["none", "new", "web", "wide"], [Role.CELL_ADMIN])}`,
  ];
}

/** Fields that nobody sees here are listed too, so that a new one is noticed. */
function fieldLines(cell: AttackedCell): string[] {
  return Object.keys(CellService.method).flatMap((name) => {
    const method = name as CellMethod;
    const schema = CellService.method[method].output as DescMessage;
    if (schema.typeName === "borg.v1.Changed") return [];
    const seen = new Map<string, string[]>();
    for (const caller of CALLERS) {
      const answers = [REQUESTS[method](caller), ...(ALSO[method] ?? [])].map((request) => ask(cell, method, caller, request));
      const filled = answers.flatMap((answer) =>
        answer.type === "answered" ? filledIn(schema, answer.response as Record<string, unknown>) : [],
      );
      for (const path of new Set(filled)) seen.set(path, [...(seen.get(path) ?? []), caller]);
    }
    return fieldsOf(schema).map((path) => `${method}.${path}: ${who(seen.get(path) ?? [])}`);
  });
}

test("Every method and every field of every answer is for those whom the reviewed table names [KA2] [P10] [P11]", () => {
  const cell = new AttackedCell();
  const text = [
    "# Who may call",
    ...callLines(cell),
    "",
    "# What may be called with a token of ann's, by what became of it",
    ...tokenLines(cell),
    "",
    "# What the token of a controller is good for",
    ...controllerLines(),
    "",
    "# Who sees a field of an answer (-: it is empty in this test)",
    ...fieldLines(cell),
    "",
  ].join("\n");
  if (process.env["MATRIX"] === "write") writeFileSync(FILE, text);
  assert.deepEqual(text.split("\n"), readFileSync(FILE, "utf8").split("\n"));
});

test("What is a job's own reaches nobody else, by whatever read [KA2] [P11]", () => {
  const cell = new AttackedCell();
  const reads = Object.keys(CellService.method).filter(
    (name) => !(CellService.method[name as CellMethod].output.typeName === "borg.v1.Changed"),
  );
  const shown = (caller: string): string[] =>
    reads.flatMap((name) => {
      const method = name as CellMethod;
      const answers = [REQUESTS[method](caller), ...(ALSO[method] ?? [])].map((request) => ask(cell, method, caller, request));
      const text = JSON.stringify(answers, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));
      return [...SECRETS, LOG].filter((word) => text.includes(word)).map((word) => `${name}: ${word}`);
    });
  for (const caller of CALLERS) {
    const found = shown(caller);
    const isPermitted = ["ann", "admin", "modifier"].includes(caller);
    if (isPermitted)
      for (const each of ["getJob: secret-value", "getTask: secret-own", "readFeed: secret-value"])
        assert.ok(found.includes(each), `${caller}: ${found}`);
    if (isPermitted)
      for (const word of SECRETS)
        assert.ok(found.includes(`readFeed: ${word}`), `${word} is nowhere, so nobody looked whether it is veiled`);
    else if (caller === "reader")
      assert.ok(!found.includes("readLog: secret-log") && found.includes("getJob: secret-value"), String(found));
    else assert.deepEqual(found, [], caller);
  }
  const fed = JSON.stringify(ask(cell, "readFeed", "admin", REQUESTS.readFeed("admin")));
  assert.ok(fed.includes("ann/web/1") && !fed.includes(hashOf("token of admin")), "hashes of tokens are nobody's");
});

test("Nobody sees a secret in any answer, decrypted or not: not its owner, and no admin [KA3] [KA2]", () => {
  const cell = new AttackedCell();
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  const { nonce, ciphertext } = cell.state.users.get("ann" as never)!.secrets.get("secret-name")!.sealed;
  for (const caller of CALLERS)
    for (const name of Object.keys(CellService.method) as CellMethod[]) {
      const answer = ask(cell, name, caller, REQUESTS[name](caller));
      const text = JSON.stringify(answer, (_, value) => (value instanceof Uint8Array ? hex(value) : value));
      for (const hidden of [Buffer.from(SECRET_VALUE), ciphertext.subarray(0, 12), nonce])
        assert.ok(!text.includes(hex(hidden)) && !text.includes(Buffer.from(hidden).toString("base64")), `${name} for ${caller}`);
      assert.ok(!text.includes(SECRET_VALUE), `${name} for ${caller}`);
    }
});

test("A token that ended, was revoked or never was is nobody's [KA2]", () => {
  const cell = new AttackedCell();
  assert.deepEqual(
    ["token of ann", "token of admin", "ended", "revoked", "guessed", ""].map((token) => cell.identify(token)),
    ["ann", "admin", undefined, undefined, undefined, undefined],
  );
});

test("A grant adds, and takes away only when told; a scheduler's name is its user's, and the claim says both [KA2]", () => {
  const cell = new AttackedCell();
  const rolesOf = (name: string): string => [...(cell.state.users.get(name as never)?.roles ?? [])].join();
  ask(cell, "grantUser", "admin", { user: "admin", roles: [1] });
  assert.equal(rolesOf("admin"), "2,4,1", "a grant that names a viewer leaves an admin");
  ask(cell, "grantUser", "admin", { user: "ann1", roles: [1], ...TAKING_AWAY });
  assert.equal(rolesOf("ann1"), "1");
  const stolen = ask(cell, "claimTasks", "other-sched", { scheduler: "mine", claims: [{ task: "ann/none/0", place: "m1" }] });
  const words = `Scheduler "mine" is not user "other-sched"'s: an admin gives it away with borg scheduler --name mine --grant other-sched`;
  assert.deepEqual(stolen.type === "failed" && [stolen.code, stolen.reason], ["not-permitted", words]);
  assert.equal(cell.claims.length, 0, "what is not permitted is not asked of the cell");
  ask(cell, "claimTasks", "sched", { scheduler: "mine", claims: [{ task: "ann/huge/0", place: "m1" }] });
  ask(cell, "claimTasks", "admin", { scheduler: "mine", claims: [{ task: "ann/huge/0", place: "m1" }] });
  assert.deepEqual(
    cell.claims.map(({ actor }) => [actor?.kind, actor?.name, actor?.user]),
    [
      [ActorKind.SCHEDULER, "mine", "sched"],
      [ActorKind.SCHEDULER, "mine", "admin"],
    ],
  );
});
