/**
 * Random ops that mostly make sense: numbers drawn by fast-check choose among what the cell has right now, so that a shrunk
 * failure is a short story. Every op of the vocabulary is here.
 */
import fc from "fast-check";
import { masterOp, type Op, userOp } from "../../src/cell/op.ts";
import type { CellState, Instance } from "../../src/cell/state.ts";
import { CALL_BOUNDS, VERSION_MAX, VOLUMES } from "../../src/cell/version.ts";
import type { Init } from "../../src/wire/codec.ts";
import type { Health, InstanceReportSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Capability, Cause, type OfferModule, type Reclamation, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { instancesOf, machinesOf, randomClaims, SCHEDULERS } from "./random-claim.ts";
import { aboutFrameworks } from "./random-framework.ts";
import { changedJob, changedSet, jobsOf, NAMES, PRIORITIES, pick, randomJob, USERS } from "./random-job.ts";
import { GI } from "./world.ts";

export interface Draw {
  readonly kind: keyof typeof WEIGHTS;
  readonly n: readonly number[];
}

/** How often each kind is drawn: mostly work that comes, runs and ends; now and then something that disturbs it. */
const WEIGHTS = {
  submit: 14,
  claim: 30,
  gang: 4,
  report: 16,
  kill: 2,
  restart: 1,
  shell: 1,
  resize: 2,
  forget: 2,
  update: 4,
  step: 6,
  turn: 4,
  allocSet: 3,
  join: 2,
  approve: 5,
  enroll: 2,
  guest: 5,
  leave: 1,
  facts: 2,
  mark: 2,
  drain: 2,
  evict: 2,
  lost: 3,
  expire: 6,
  reserve: 5,
  quota: 2,
  bounds: 1,
  package: 4,
  unpackage: 2,
  unpin: 3,
  directory: 3,
  grant: 1,
  token: 2,
  scheduler: 1,
  configure: 1,
  reclamation: 1,
  repeat: 2,
  secret: 3,
  unsecret: 1,
  reseal: 1,
  barrier: 1,
  version: 1,
  clock: 1,
  restored: 1,
  reuse: 1,
  subscribe: 4,
  launch: 16,
  killLaunched: 3,
  acknowledge: 14,
  disconnect: 1,
  revoke: 8,
  teardown: 1,
  role: 3,
  links: 1,
} as const;
const KINDS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

const kinds = fc.oneof(...KINDS.map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) })));

export const draws = (length: number): fc.Arbitrary<Draw[]> =>
  fc.array(fc.record({ kind: kinds, n: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }) }), { maxLength: length, size: "max" });

const GUESTS = ["g0", "g1", "g2"];
const HASHES = ["a", "b", "c"].map((digit) => digit.repeat(64));

let requests = 0;

export function toOp(state: CellState, draw: Draw, past: readonly Op[]): Op | undefined {
  const requestId = `q${++requests}`;
  const op =
    aboutJobs(state, draw, requestId) ??
    aboutGuests(state, draw, requestId) ??
    aboutMachines(state, draw, requestId) ??
    aboutPackages(state, draw, requestId) ??
    aboutSecrets(state, draw, requestId) ??
    aboutFrameworks(state, draw, requestId) ??
    aboutTheCell(state, draw, requestId, past);
  return op?.requestId === requestId ? { ...op, requestDigest: digest(requests) } : op;
}

const digest = (n: number): Uint8Array => new Uint8Array(16).fill(n % 256);

function aboutJobs(state: CellState, draw: Draw, requestId: string): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = draw.n;
  const user = pick(USERS, a) as string;
  const by = h % 10 === 0 ? (pick(USERS, h) as string) : user;
  const job = pick(jobsOf(state), b);
  switch (draw.kind) {
    case "submit":
      return userOp(by, requestId, { case: "jobSubmit", value: { spec: randomJob(state, user, draw.n) } });
    case "allocSet": {
      const spec = {
        user,
        name: pick(["aset", "bset"], b) as string,
        priority: pick(PRIORITIES, c) as number,
        count: 1 + (d % 3),
        limit: { cpuMilli: 500 * (e % 5), ramBytes: (f % 4) * GI },
        ports: g % 3,
        keepDirectoryMs: state.version >= VOLUMES ? (g % 3) * 400 : 0,
        tenants: state.version >= 4 && h % 2 === 0 ? ["ann", "ubar"] : [],
      };
      return userOp(by, requestId, { case: "allocSetSubmit", value: { spec } });
    }
    case "kill":
      return job && userOp(h % 7 === 0 ? user : job.owner, requestId, { case: "jobKill", value: { job: job.id } });
    case "restart":
      return job && userOp(job.owner, requestId, { case: "jobRestart", value: { job: job.id, tasks: c % 2 ? [d % 4] : [] } });
    case "shell": {
      const instance = job?.tasks[c % 4]?.instance;
      return (
        instance &&
        userOp(d % 5 === 0 ? user : instance.id.split("/")[0]!, requestId, { case: "shellOpen", value: { instance: instance.id } })
      );
    }
    case "resize":
      return job && userOp(job.owner, requestId, { case: "jobResize", value: { job: job.id, count: c % 7 } });
    case "unpin": {
      const waiting = jobsOf(state).flatMap(({ tasks }) =>
        tasks.filter(({ pinned, instance }) => pinned !== undefined && instance === undefined),
      );
      const task = pick(e % 4 === 0 ? (job?.tasks ?? []) : waiting, c);
      return task && userOp(h % 7 === 0 ? user : task.job.owner, requestId, { case: "taskUnpin", value: { task: task.id } });
    }
    case "directory": {
      const kept = pick(
        machinesOf(state).flatMap(({ directories }) => directories),
        c,
      );
      const body = { case: "directoryForget" as const, value: { alloc: kept?.alloc ?? "ann/aset/0:1" } };
      return d % 2 === 0 ? masterOp(body) : userOp(h % 7 === 0 ? user : body.value.alloc.split("/")[0]!, requestId, body);
    }
    case "forget":
      return job && masterOp({ case: "jobForget", value: { job: job.id } });
    default:
      return aboutUpdates(state, draw, requestId);
  }
}

/** Updates of living jobs: mostly of some fields, sometimes of some tasks. */
function aboutUpdates(state: CellState, draw: Draw, requestId: string): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = draw.n;
  const jobs = jobsOf(state).filter(({ state: is, spec }) => is !== "dead" && spec.kind === "job");
  const updated = jobs.filter(({ update }) => update !== undefined);
  const job = pick(draw.kind === "update" || d % 9 === 0 ? jobs : updated, b);
  if (job === undefined) return undefined;
  switch (draw.kind) {
    case "update": {
      const tasks = a % 5 === 0 ? [{ first: 0, last: c % 3 }] : [];
      const isSet = job.spec.kind === "alloc-set" && state.version >= 5;
      const wanted = isSet ? { allocSet: changedSet(job, draw.n) } : { spec: changedJob(job, draw.n) };
      return userOp(job.owner, requestId, { case: "updateStart", value: { ...wanted, tasks, paused: d % 7 === 0 } });
    }
    case "step":
      return masterOp({ case: "updateStep", value: { job: job.id } });
    case "turn": {
      if (a % 4 === 0) return userOp(job.owner, requestId, { case: "updatePause", value: { job: job.id, paused: c % 2 === 0 } });
      return userOp(job.owner, requestId, { case: a % 4 === 1 ? "updateUndo" : "updateCommit", value: { job: job.id } });
    }
    default:
      return undefined;
  }
}

/** Machines from elsewhere: mostly as they were approved, sometimes with another's key or token. */
function aboutGuests(state: CellState, { kind, n }: Draw, requestId: string): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = n;
  const machine = pick(GUESTS, a) as string;
  const hash = pick(HASHES, b) as string;
  const invitation = state.invitations.get(machine as never);
  switch (kind) {
    case "approve": {
      const capacity = { cpuMilli: 1000 * (d % 5), ramBytes: (e % 9) * GI, extras: d % 2 ? [{ name: "gpu", amount: 1 }] : [] };
      const value = {
        machine,
        approval: { capacity, key: c % 3 === 1 ? hash : "" },
        tokenHash: c % 3 === 0 ? hash : "",
        untilMs: f % 4 === 0 ? state.timeMs + 500 : 0,
      };
      return userOp("admin", requestId, { case: "machineApprove", value });
    }
    case "enroll":
      return masterOp({ case: "machineEnroll", value: { machine, tokenHash: invitation?.tokenHash || hash, key: hash } });
    case "guest": {
      const known = state.machines.get(machine as never)?.approval?.key ?? invitation?.approval.key ?? "";
      return masterOp({ case: "machineJoin", value: { machine, facts: randomFacts(n), key: c % 7 === 0 ? hash : known } });
    }
    default:
      return undefined;
  }
}

function aboutMachines(state: CellState, draw: Draw, requestId: string): Op | undefined {
  const [, b = 0, c = 0, d = 0] = draw.n;
  const machine = pick(machinesOf(state), b);
  const instance = pick(instancesOf(state), c);
  switch (draw.kind) {
    case "join":
    case "facts": {
      const value = { machine: draw.kind === "join" ? `m${b % 5}` : (machine?.id ?? "m9"), facts: randomFacts(draw.n) };
      return masterOp(draw.kind === "join" ? { case: "machineJoin", value } : { case: "machineFacts", value });
    }
    case "leave":
      return machine && c % 3 === 0 ? masterOp({ case: "machineLeave", value: { machine: machine.id } }) : undefined;
    case "mark":
      return machine && masterOp({ case: "machineMark", value: { machine: machine.id, reachable: c % 3 !== 0 } });
    case "drain":
      return machine && userOp("admin", requestId, { case: "machineDrain", value: { machine: machine.id, draining: c % 6 === 0 } });
    case "report":
      return instance && randomReport(state, instance, draw.n);
    case "claim":
    case "gang":
      return randomClaims(state, draw);
    case "evict":
      return (
        instance &&
        masterOp({
          case: "taskEvict",
          value: {
            instances: [instance.id],
            cause: pick([Cause.OUT_OF_RESOURCES, Cause.MACHINE_SHUTDOWN, Cause.OTHER, Cause.FINISHED], d) as Cause,
          },
        })
      );
    case "lost": {
      const silent = instancesOf(state).filter((i) => !i.place.machine.reachable);
      const given = d % 5 === 0 ? instance : pick(silent, c);
      return given && masterOp({ case: "taskLost", value: { machine: given.place.machine.id, instances: [given.id] } });
    }
    case "expire": {
      const mortal = instancesOf(state).filter(({ task }) => task.firstStartMs > 0);
      const ended = d % 3 === 0 ? instance : pick(mortal, c);
      return ended && masterOp({ case: "taskExpire", value: { tasks: [ended.task.id] } });
    }
    case "reserve":
      return instance && randomReservation(instance, draw.n);
    default:
      return undefined;
  }
}

const labelled = (n: number): object =>
  n % 3 === 0 ? {} : { labels: { labels: n % 3 === 1 ? [] : [{ key: "app", value: String(n % 2) }] } };

/** Packages under few names and hashes, so that they meet. */
function aboutPackages(state: CellState, { kind, n }: Draw, requestId: string): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = n;
  const user = pick(USERS, a) as string;
  switch (kind) {
    case "package": {
      const value = {
        user,
        name: pick(NAMES, b) as string,
        digest: pick(HASHES, c) as string,
        bytes: 1 + (d % 3 === 0 ? d : 0),
        shared: e % 3 === 0,
        ...labelled(d),
      };
      return userOp(f % 9 === 0 ? (pick(USERS, f) as string) : user, requestId, { case: "packageAdd", value });
    }
    case "unpackage": {
      const known = pick([...(state.users.get(user as never)?.packages.keys() ?? [])].sort(), b) ?? `web@${HASHES[0]}`;
      const [name = "", digest = ""] = known.split("@");
      return userOp(user, requestId, { case: "packageRemove", value: { user, name, digest } });
    }
    default:
      return undefined;
  }
}

/** Few names, the right version mostly, and what is encrypted of any length. */
function aboutSecrets(state: CellState, { kind, n }: Draw, requestId: string): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = n;
  const user = pick(USERS, a) as string;
  const name = pick(NAMES, b) as string;
  const known = state.users.get(user as never)?.secrets.get(name);
  // Nothing else in a cell looks like it.
  const filled = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, i) => 128 + ((c + 7 * i) % 128));
  const sealed = (bytes: number) => ({ keyId: `k${d % 3}`, nonce: filled(12), ciphertext: filled(bytes) });
  const by = f % 9 === 0 ? (pick(USERS, f) as string) : user;
  switch (kind) {
    case "secret": {
      const version = (known?.version ?? 0) + (e % 7 === 0 ? 2 : 1);
      const value = { user, name, version, sealed: sealed(d % 11 === 0 ? 3 : 17 + (d % 40)), ...labelled(b) };
      return userOp(by, requestId, { case: "secretSet", value });
    }
    case "unsecret":
      return userOp(by, requestId, { case: "secretRemove", value: { user, name } });
    case "reseal": {
      const all = [...state.users.values()].flatMap(({ id, secrets }) => [...secrets.values()].map((each) => ({ user: id, ...each })));
      const found = pick(
        all.sort((x, y) => (`${x.user}/${x.name}` < `${y.user}/${y.name}` ? -1 : 1)),
        b,
      );
      if (found === undefined) return undefined;
      const value = { ...found, sealed: sealed(found.sealed.ciphertext.length + (e % 5 === 0 ? 1 : 0)) };
      return userOp(f % 5 === 0 ? by : "admin", requestId, { case: "secretReseal", value });
    }
    default:
      return undefined;
  }
}

function randomPartition([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Op {
  const shards = ["1", "2", "3"].slice(0, c % 4).map((replica) => ({ replica, life: String(d % 2) }));
  return masterOp({ case: "linkPartition", value: { term: 1 + (a % 3), epoch: 1 + b, shards } });
}

function aboutTheCell(state: CellState, draw: Draw, requestId: string, past: readonly Op[]): Op | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = draw.n;
  const user = pick(USERS, a) as string;
  switch (draw.kind) {
    case "quota": {
      const quota =
        b % 3 === 0
          ? { unlimited: true }
          : {
              limit: { cpuMilli: 500 * (c % 12), ramBytes: (d % 12) * GI, extras: e % 3 === 0 ? [{ name: "gpu", amount: 2 }] : [] },
              untilMs: f % 5 === 0 ? state.timeMs + 1000 : 0,
            };
      return userOp("admin", requestId, {
        case: "quotaSet",
        value: { user, band: pick([Band.BATCH, Band.PRODUCTION, Band.MONITORING], g) as Band, quota, oversell: f % 4 === 0 },
      });
    }
    case "bounds": {
      const bounds = {
        jobs: (b % 2) * (1 + (c % 40)),
        tasks: (d % 2) * (1 + (e % 90)),
        specBytes: (f % 2) * 1000 * (g % 40),
        ...{ packages: (g % 3) * 2, packageBytes: (b % 3) * 100 },
        ...(state.version < CALL_BOUNDS ? {} : { calls: (c % 3) * 40, polls: (e % 2) * 20, workPerSecond: (g % 2) * 200 }),
      };
      return userOp("admin", requestId, { case: "boundsSet", value: { user, bounds } });
    }
    case "token": {
      const hash = (b % 12).toString(16).padStart(8, "0").repeat(8);
      const untilMs = c % 3 === 0 ? state.timeMs + 1000 : 0;
      const known = pick([...(state.users.get(user as never)?.tokens.keys() ?? [])].sort(), e) ?? hash;
      if (d % 3 === 0) return userOp("admin", requestId, { case: "tokenRevoke", value: { user, id: known.slice(0, 12) } });
      return userOp("admin", requestId, { case: "tokenSet", value: { user, hash, untilMs } });
    }
    case "grant":
      return userOp("admin", requestId, {
        case: "userGrant",
        value: {
          user: pick(USERS.slice(0, 3), a) as string,
          roles: b % 8 ? [Role.USER] : [],
          capabilities: c % 3 === 0 ? [Capability.MODIFY_ANY_JOB] : [],
          ...labelled(c),
        },
      });
    case "scheduler":
      return userOp("admin", requestId, {
        case: "schedulerSet",
        value: { name: pick(SCHEDULERS, a) as string, limits: randomLimits(draw.n) },
      });
    case "configure":
    case "reclamation":
    case "barrier":
    case "links":
      return aboutItsWays(draw.kind, draw.n, requestId);
    case "repeat":
      return pick(past, past.length - 1 - (a % 5));
    case "version":
      return masterOp({ case: "cellVersion", value: { version: a % 2 ? Math.min(state.version + 1, VERSION_MAX) : VERSION_MAX + 2 } });
    case "clock":
      return masterOp({ case: "cellClock", value: { toMs: state.timeMs + (a % 4) * 2_000_000 } });
    case "restored":
      return masterOp({ case: "cellRestored", value: { incarnations: Math.max(0, state.incarnations + (a % 5) - 2) } });
    case "reuse": {
      const op = pick(past, past.length - 1 - (a % 5));
      return op && { ...op, requestDigest: digest(b) };
    }
    default:
      return undefined;
  }
}

function aboutItsWays(kind: "configure" | "reclamation" | "barrier" | "links", n: readonly number[], requestId: string): Op {
  const [a = 0, b = 0] = n;
  if (kind === "links") return randomPartition(n);
  if (kind === "barrier") return masterOp({ case: "barrier", value: { master: "0" } });
  if (kind === "configure") return userOp("admin", requestId, { case: "cellConfigure", value: { config: randomConfig(n) } });
  if (b % 2 === 0) return userOp("admin", requestId, { case: "reclamationSet", value: { reclamation: (1 + (a % 4)) as Reclamation } });
  const value = a % 2 === 0 ? { module: (1 + (a % 3)) as OfferModule } : { shortPermille: a % 1001 };
  return userOp("admin", requestId, { case: "offersSet", value });
}

const randomConfig = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => ({
  deadJobKeepMs: (a % 3) * 1000,
  noticeMs: b,
  backoffMinMs: 1 + (c % 100),
  backoffMaxMs: 1 + d,
});

function randomFacts(n: readonly number[]) {
  const [, , c = 0, d = 0, e = 0, f = 0, g = 0] = n;
  return {
    capacity: { cpuMilli: 1000 * (1 + (c % 4)), ramBytes: (1 + (d % 8)) * GI, extras: e % 2 ? [{ name: "gpu", amount: 2 }] : [] },
    // Two gpus, or one that two tasks can have half of each; and now and then what cannot be.
    ...(e % 4 === 1 || c % 7 === 0 ? { devices: [{ name: "gpu", unit: 1 + (d % 2) }] } : {}),
    coreSpeedPermille: pick([0, 1000, 1500, 700], f) as number,
    portFirst: 1000,
    portLast: 1000 + (g % 5) + 3,
    attributes: [{ key: "os", value: f % 2 ? "a" : "b" }],
    rack: `r${e % 2}`,
    powerDomain: d % 3 === 0 ? "" : `p${d % 3}`,
    volumes: USERS.slice(0, g % 4).map((user) => ({ user, name: "data" })),
  };
}

function randomReport(state: CellState, instance: Instance, n: readonly number[]): Op {
  const [a = 0, b = 0, , d = 0, e = 0] = n;
  const instances: Init<typeof InstanceReportSchema>[] = [instance, pick(instancesOf(state), d)]
    .filter((i): i is Instance => i !== undefined)
    .slice(0, 1 + (e % 2))
    .map((i) => ({
      instance: i.id,
      phase: (1 + (a % 5)) as Phase,
      run: b % 4,
      exitCode: d % 256,
      health: (e % 4) as Health,
      ready: (d % 4) as Health,
      problem: d % 3 === 0 ? "Answered 503" : "",
      overRam: e % 7 === 0,
      ...(d % 4 === 0 ? { backoffMs: 1 + (b % 500), failures: 1 + (b % 3) } : {}),
      ...(d % 4 === 1 ? { upMs: b } : {}),
      message: e % 2 ? "segfault" : "",
    }));
  return masterOp({ case: "machineReport", value: { machine: instance.place.machine.id, instances } });
}

function randomReservation(instance: Instance, n: readonly number[]): Op {
  const [a = 0, b = 0, , d = 0] = n;
  const part = (whole: number, by: number) => Math.floor((whole * (by % 18)) / 16);
  const amount = {
    cpuMilli: part(instance.limit.cpu, a),
    ramBytes: part(instance.limit.ram, b) * 1024,
    diskBytes: part(instance.limit.disk, d) * 1024,
  };
  return masterOp({
    case: "reservations",
    value: { machine: instance.place.machine.id, reservations: [{ instance: instance.id, amount }] },
  });
}

function randomLimits(n: readonly number[]) {
  const [, b = 0, c = 0, d = 0] = n;
  return {
    priorityMin: b % 3 === 0 ? 100 : 0,
    priorityMax: c % 4 === 0 ? 119 : 450,
    coarse: d % 3 === 0,
    ...(b % 5 === 0 ? { cap: { cpuMilli: 3000, ramBytes: 6 * GI, extras: [{ name: "gpu", amount: 9 }] } } : {}),
    ...(c % 5 === 0 ? { jobsMax: 2 } : {}),
  };
}
