/** What is in the attacked cell: of every kind of thing one whose every field says something, so that a field that reaches a stranger is seen. */
import { createHash } from "node:crypto";
import type { Outcome } from "../../src/cell/cell.ts";
import { masterOp, type Op, schedulerOp, userOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import type { Init } from "../../src/wire/codec.ts";
import { Health, type InstanceReportSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import {
  AfterFailure,
  type AllocSetSpecSchema,
  AppClass,
  CheckKind,
  type JobSpecSchema,
  Operator,
  RestartWhen,
  SchedulingMode,
  Spread,
} from "../../src/wire/gen/borg/v1/spec_pb.ts";

const GIB = 2 ** 30;
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Of what is ann's: each of these words is hers alone. */
export const SECRETS = [
  "secret-argument",
  "secret-value",
  "secret-content",
  "secret-override",
  "secret-own",
  "secret-name",
  "secret-check",
  "secret-look",
  "secret-older",
  "secret-newer",
  "secret-info",
  "secret-data",
] as const;

/** The id of the request with which ann opened a shell. */
export const SHELL = "shell-of-ann";

/** What a borglet or an executor says: for who may read a job, but not its output. */
export const LOG = "secret-log";

const constraints = [{ attribute: "arch", operator: Operator.EQUAL, values: ["x64"], soft: true, weight: 3 }];
const labels = [{ key: "service", value: "books" }];
const update = { batch: 1, disruptionsMax: 5, watchMs: 1000, failuresMax: 3 };
const extras = [{ name: "gpu", amount: 1 }];

const LOOK = { kind: CheckKind.COMMAND, command: ["look", SECRETS[7]], intervalMs: 1000, timeoutMs: 500, failures: 3 };

const task = {
  command: ["serve", SECRETS[0]],
  environment: [{ key: "KEY", value: SECRETS[1] }],
  files: [{ path: "/etc/web", content: bytes(SECRETS[2]), mode: 0o600 }],
  limit: { cpuMilli: 1000, ramBytes: GIB, diskBytes: GIB, diskBandwidth: 1000, extras },
  ports: ["http"],
  secrets: [{ name: SECRETS[5], path: "/borg/secrets/db" }],
  packages: [{ name: "own", version: hashOf("own"), user: "ann", path: "/opt/own" }],
  health: {
    ...{ kind: CheckKind.COMMAND, command: ["check", SECRETS[6]], intervalMs: 1000, timeoutMs: 500, failures: 3, graceMs: 5000 },
  },
  ready: { kind: CheckKind.UNSPECIFIED, port: "http", path: "/ready", intervalMs: 1000, timeoutMs: 500, failures: 3 },
  noticeMs: 2000,
  lameDuckMs: 100,
  directory: "/opt/own",
  volumes: [{ name: "data", readOnly: true }],
  wholeCores: true,
};

export const SPEC: Init<typeof JobSpecSchema> = {
  user: "ann",
  name: "web",
  count: 2,
  priority: 120,
  task,
  overrides: [
    {
      ...{ first: 1, last: 1, arguments: [SECRETS[3]], environment: [{ key: "OWN", value: SECRETS[4] }] },
      ...{ limit: { ...task.limit, ramBytes: 2 * GIB }, labels: [{ key: "shard", value: "one" }] },
    },
  ],
  constraints,
  labels,
  update,
  appClass: AppClass.LATENCY_SENSITIVE,
  spread: Spread.SOFT,
  mode: SchedulingMode.INCREMENTAL,
  scheduler: "service",
  restart: { when: RestartWhen.ALWAYS, inPlaceMax: 2, failuresMax: 9, backoffMinMs: 100, backoffMaxMs: 1000 },
  deadlineMs: 1e9,
  downMax: 1,
  victimNoticeMs: 500,
  drainEveryMs: 1000,
  beside: [{ job: "ann/older", max: 5 }],
};

/** Its update is over, and its task was passed over: an older spec is kept for it. */
const OLDER: Init<typeof JobSpecSchema> = { ...SPEC, name: "older", count: 1, overrides: [], beside: [] };
const older = (variable: string): Init<typeof JobSpecSchema> => ({
  ...OLDER,
  overrides: [{ first: 0, last: 0, arguments: [SECRETS[3]], environment: [{ key: "OWN", value: SECRETS[4] }] }],
  task: { ...task, ready: LOOK, environment: [{ key: "KEY", value: variable }] },
  update: { ...update, disruptionsMax: 0 },
});

const SET: Init<typeof AllocSetSpecSchema> = {
  ...{ user: "ann", name: "room", priority: 120, count: 1, limit: { cpuMilli: 2000, ramBytes: 2 * GIB, diskBytes: GIB, extras }, ports: 2 },
  ...{ constraints, labels, spread: Spread.SOFT, mode: SchedulingMode.INCREMENTAL, scheduler: "service", downMax: 1, tenants: ["ann1"] },
  ...{ update: { ...update, disruptionsMax: 0 }, keepDirectoryMs: 60_000, drainEveryMs: 1000 },
};

/** As an admin asks for it: what only some may have. */
const RARE: Init<typeof JobSpecSchema> = {
  ...{ user: "ann", name: "rare", priority: 120, perMachine: true, disableReclamation: true, constraints: [], labels },
  task: {
    ...task,
    volumes: [],
    wholeCores: false,
    slackRam: true,
    controller: { jobs: ["boss-*"], priorityMax: 50 },
    limit: { cpuMilli: 100 },
  },
};

/** What a desk lets its furniture do. */
export interface Room {
  readonly state: CellState;
  must(op: Op): Outcome;
}

const incarnationOf = ({ state }: Room, job: string, index = 0): number => state.jobs.get(job as never)!.tasks[index]!.incarnation;
const instanceOf = ({ state }: Room, job: string, index = 0): string => state.jobs.get(job as never)!.tasks[index]!.instance!.id;

function place(room: Room, job: string, count: number, where = "m1"): void {
  const claims = Array.from({ length: count }, (_, index) => ({
    task: `${job}/${index}`,
    incarnation: incarnationOf(room, job, index),
    place: where,
  }));
  const outcome = room.must(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  if (!outcome.ok || outcome.answer.type !== "claims") throw new Error(`Cannot place ${job}`);
  const refusal = outcome.answer.claims.find((each) => !each.ok);
  if (refusal !== undefined) throw new Error(`Cannot place ${job}: ${JSON.stringify(refusal)}`);
}

function report(room: Room, ...instances: readonly Init<typeof InstanceReportSchema>[]): void {
  room.must(masterOp({ case: "machineReport", value: { machine: "m1", instances: [...instances] } }));
}

const ann = (room: Room, body: Parameters<typeof userOp>[2]): Outcome => room.must(userOp("ann", "", body));

export function furnish(room: Room): void {
  ann(room, { case: "jobSubmit", value: { spec: older(SECRETS[8]) } });
  place(room, "ann/older", 1);
  ann(room, { case: "jobSubmit", value: { spec: SPEC } });
  place(room, "ann/web", 2);
  ann(room, { case: "allocSetSubmit", value: { spec: SET } });
  place(room, "ann/room", 1);
  ann(room, {
    case: "jobSubmit",
    value: { spec: { ...OLDER, name: "inside", allocSet: "ann/room", startAfter: "", constraints: [], task: INSIDE } },
  });
  place(room, "ann/inside", 1, instanceOf(room, "ann/room"));
  room.must(userOp("admin", "", { case: "jobSubmit", value: { spec: RARE } }));
  const after = { ...OLDER, name: "after", startAfter: "ann/web", afterFailure: AfterFailure.WAIT, count: 1 };
  ann(room, { case: "jobSubmit", value: { spec: after } });
  ann(room, {
    case: "jobSubmit",
    value: { spec: { ...OLDER, name: "huge", priority: 0, task: { ...task, limit: { cpuMilli: 500_000 } } } },
  });
  lives(room);
  updates(room);
  launch(room);
}

const INSIDE = { command: ["work", SECRETS[0]], environment: task.environment, limit: { cpuMilli: 500, ramBytes: GIB } };

const STEPS_MAX = 5;

/** To its end and committed. Its tasks are passed over, for it may disturb none. */
function updateNow(room: Room, job: string, value: Extract<Parameters<typeof userOp>[2], { case: "updateStart" }>["value"]): void {
  ann(room, { case: "updateStart", value });
  for (let steps = 0; room.state.jobs.get(job as never)!.update?.phase !== "rolled"; steps++) {
    if (steps === STEPS_MAX) throw new Error(`The update of ${job} does not end`);
    room.must(masterOp({ case: "updateStep", value: { job } }));
  }
  ann(room, { case: "updateCommit", value: { job } });
}

/** Whoever asks for it would have to leave the machine. */
const ELSEWHERE = [{ attribute: "arch", operator: Operator.EQUAL, values: ["none"] }];

/** Two that are committed, and two under way. */
function updates(room: Room): void {
  updateNow(room, "ann/older", { spec: { ...older(SECRETS[9]), constraints: ELSEWHERE } });
  updateNow(room, "ann/room", { allocSet: { ...SET, constraints: ELSEWHERE } });
  ann(room, { case: "updateStart", value: { allocSet: { ...SET, limit: { ...SET.limit, cpuMilli: 2500 } }, paused: true } });
  const newer = { ...task, environment: [{ key: "KEY", value: SECRETS[9] }], ready: LOOK };
  const spec = { ...SPEC, priority: 121, task: newer };
  ann(room, { case: "updateStart", value: { spec, tasks: [{ first: 1, last: 1 }], paused: true } });
}

/** One runs and was restarted, one waits for its next run, one is over. */
function lives(room: Room): void {
  const running = { phase: Phase.RUNNING, run: 1, upMs: 10 };
  report(
    room,
    { instance: instanceOf(room, "ann/older"), ...running, health: Health.GOOD, ready: Health.GOOD },
    {
      instance: instanceOf(room, "ann/web", 0),
      ...running,
      health: Health.BAD,
      ready: Health.BAD,
      problem: "Its check ended with 1",
      overRam: true,
    },
    {
      instance: instanceOf(room, "ann/web", 1),
      phase: Phase.STARTING,
      run: 2,
      exitCode: 3,
      signal: 0,
      message: "It ended with 3",
      failures: 1,
      backoffMs: 60_000,
    },
    { instance: instanceOf(room, "ann/inside"), ...running },
  );
}

/** A framework of ann's with a task, an executor, and what that one took, of which it has not heard yet. */
function launch(room: Room): void {
  const guarantee = { cpuMilli: 500, ramBytes: GIB, diskBytes: 1, diskBandwidth: 1, extras };
  room.must(userOp("admin", "", { case: "roleSet", value: { role: { name: "eng", weight: 3, guarantee, users: ["ann"] } } }));
  const named = { title: "fw", principal: "ann", hostname: "h", webuiUrl: "http://h", partitionAware: true };
  const spec = { user: "ann", name: "fw", role: "eng", priority: 100, failoverMs: 1000, ...named };
  ann(room, { case: "frameworkSubscribe", value: { spec, id: "", session: 7 } });
  const own = {
    command: task.command,
    environment: task.environment,
    files: task.files,
    limit: { cpuMilli: 100, ramBytes: GIB },
    secrets: task.secrets,
  };
  const executor = (info: string) => ({ ...own, executor: { id: "e", info: bytes(info) } });
  const launches = [
    {
      taskId: "t",
      title: "a task",
      machine: "m1",
      task: { ...own, ports: ["http"], health: task.health, noticeMs: 5 },
      group: 1,
      labels,
      durationMs: 1e6,
    },
    { taskId: "executor e on m1", machine: "m1", task: executor(SECRETS[10]) },
    { taskId: "inside", machine: "m1", inside: true, task: executor(SECRETS[10]) },
    { taskId: "short", machine: "m1", inside: true, task: executor(SECRETS[10]) },
  ];
  ann(room, { case: "frameworkLaunch", value: { framework: "ann/fw", session: 7, launches } });
  const [alone, of, inside, short] = [0, 1, 2, 3].map((index) => instanceOf(room, "ann/fw", index)) as [string, string, string, string];
  const running = { phase: Phase.RUNNING, run: 1 };
  report(room, { instance: alone, ...running, health: Health.GOOD }, { instance: of, ...running }, { instance: inside, ...running });
  const failed = { phase: Phase.FAILED, run: 1, exitCode: 1, message: "It failed", data: bytes(SECRETS[11]) };
  // The first update of one is what it ran, of the other that it failed.
  report(room, { instance: inside, ...failed }, { instance: short, ...failed });
}
