/** Specs of jobs as a draw of numbers makes them, for random-op.ts. */
import assert from "node:assert/strict";
import type { CellState, Job } from "../../src/cell/state.ts";
import { BESIDE, CHECKS, DOMAINS, DRAIN_PACE, NAMED_EXITS, VOLUMES } from "../../src/cell/version.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import { ResourcesSchema } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import {
  type AllocSetSpec,
  CheckKind,
  ConstraintSchema,
  type JobSpec,
  Operator,
  RestartWhen,
  SchedulingMode,
  Spread,
  TaskSpecSchema,
  UpdatePolicySchema,
} from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI } from "./world.ts";

export const USERS: readonly string[] = ["ubar", "ann", "ann-x", "admin"];
export const NAMES: readonly string[] = ["web", "db", "mill", "logs", "aset", "bset"];
export const PRIORITIES: readonly number[] = [0, 50, 100, 110, 119, 120, 120, 200, 360, 400];

export const pick = <T>(items: readonly T[], n: number | undefined): T | undefined => items[(n ?? 0) % Math.max(items.length, 1)];

export const jobsOf = (state: CellState): Job[] => [...state.jobs.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Also over racks and power domains, where the cell knows that. */
function randomSpread({ version }: CellState, g: number, perMachine: boolean): Spread {
  if (g % 6 === 0) return Spread.HARD;
  if (version < DOMAINS || perMachine || g % 6 > 2) return Spread.SOFT;
  return g % 6 === 1 ? Spread.RACK : Spread.POWER;
}

/** Another job's, where the cell knows that. */
function randomLimits(state: CellState, own: string, e: number, f: number): { job: string; max: number }[] {
  const other = pick(jobsOf(state), e)?.id ?? "ann/web";
  return state.version < BESIDE || f % 5 !== 0 || other === own ? [] : [{ job: other, max: e % 3 }];
}

/** Of single tasks, where the cell can keep them. */
const randomLabels = ({ version }: CellState, e: number) => (version >= 4 && e % 2 === 0 ? [{ key: "track", value: "canary" }] : []);

export function randomJob(state: CellState, user: string, n: readonly number[]) {
  const [, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = n;
  const perMachine = g % 13 === 0;
  const isFor = ({ spec, owner }: Job): boolean => spec.kind === "alloc-set" && (owner === user || spec.allocSet.tenants.includes(user));
  const sets = jobsOf(state).filter(isFor);
  const set = !perMachine && h % 3 === 0 ? (pick(sets, h)?.id ?? "") : "";
  const limit = {
    cpuMilli: 250 * (1 + (d % 9)),
    ramBytes: (1 + (e % 8)) * GI * 0.5,
    extras: f % 6 === 0 ? [{ name: "gpu", amount: 1 }] : [],
  };
  const count = perMachine ? 0 : 1 + (c % 8);
  return {
    user,
    name: pick(NAMES, b) as string,
    priority: pick(PRIORITIES, c + d) as number,
    count,
    perMachine,
    allocSet: set,
    ...randomDirectory(state, user, n),
    startAfter: g % 17 === 1 ? (pick(jobsOf(state), f)?.id ?? "") : "",
    spread: randomSpread(state, g, perMachine),
    beside: randomLimits(state, `${user}/${pick(NAMES, b)}`, e, f),
    mode: g % 5 === 0 ? SchedulingMode.GANG : SchedulingMode.INCREMENTAL,
    constraints: f % 8 === 0 ? [{ attribute: "os", operator: Operator.EQUAL, values: ["a"] }] : [],
    restart: {
      when: pick([RestartWhen.ON_FAILURE, RestartWhen.NEVER, RestartWhen.ALWAYS], e) as RestartWhen,
      ...(f % 3 === 0 ? { failuresMax: 1 } : {}),
      ...(state.version >= NAMED_EXITS && g % 3 === 0 ? { fatalExits: [0, 1, 3], okExits: [2] } : {}),
    },
    deadlineMs: e % 4 === 0 ? 1 + (d % 200) : 0,
    drainEveryMs: state.version >= DRAIN_PACE && d % 3 === 0 ? 1 + (d % 200) : 0,
    overrides:
      !perMachine && d % 5 === 0 ? [{ first: 0, last: 0, limit: { cpuMilli: 100, ramBytes: GI }, labels: randomLabels(state, e) }] : [],
    task: {
      command: ["true"],
      limit,
      ports: ["http", "admin", "debug"].slice(0, h % 4),
      packages: randomPackages(state, user, n),
      secrets: randomSecrets(state, user, n),
      volumes: set === "" && state.version >= VOLUMES && b % 3 === 0 ? [{ name: "data", readOnly: d % 4 === 0 }] : [],
      ...randomChecks(state, g),
    },
  };
}

/** Of jobs with one task, in no alloc set: some of those that are kept, whosever. */
function randomDirectory({ machines }: CellState, user: string, n: readonly number[]): { keptDirectory?: string } {
  const [, b = 0, c = 0, , , , g = 0, h = 0] = n;
  if (c % 8 !== 0 || g % 13 === 0 || h % 3 === 0 || b % 2 === 0) return {};
  const kept = [...machines.values()].flatMap(({ directories }) => directories.map(({ alloc }) => alloc)).sort();
  const own = kept.filter((alloc) => alloc.startsWith(`${user}/`));
  const found = pick(own.length > 0 ? own : kept, h);
  return found === undefined ? {} : { keptDirectory: found };
}

/** Mostly none; else one that some user has, whoever may name it. */
function randomPackages(state: CellState, user: string, n: readonly number[]) {
  const [, b = 0, , d = 0, , , g = 0] = n;
  const owner = b % 3 === 0 ? (pick(USERS, d) as string) : user;
  const known = pick([...(state.users.get(owner as never)?.packages.keys() ?? [])].sort(), d);
  if (known === undefined || g % 3 !== 0) return [];
  const [name = "", version = ""] = known.split("@");
  return [{ user: owner === user ? "" : owner, name, version, path: d % 4 === 0 ? "/app" : "" }];
}

/** Mostly none; else one that its user has. */
function randomSecrets(state: CellState, user: string, n: readonly number[]) {
  const [, , c = 0, d = 0] = n;
  const name = pick([...(state.users.get(user as never)?.secrets.keys() ?? [])].sort(), d);
  return name === undefined || c % 3 !== 0 ? [] : [{ name, path: d % 9 === 0 ? "/etc/db" : "/borg/secrets/db" }];
}

/** Checks that need no port, and lame ducks; a cell that is not upgraded yet is asked for them now and then. */
function randomChecks({ version }: CellState, n: number): Pick<Init<typeof TaskSpecSchema>, "health" | "ready" | "lameDuckMs"> {
  if (version < CHECKS && n % 16 > 0) return {};
  const check = { kind: CheckKind.COMMAND, command: ["true"] };
  return { ...(n % 3 === 0 ? { health: check } : {}), ...(n % 2 === 0 ? { ready: check } : {}), lameDuckMs: (n % 5) * 500 };
}

/** The job's spec with something else in it. */
export function changedJob({ spec, wants: face, count }: Job, n: readonly number[]): JobSpec {
  const wants = spec.kind === "job" ? spec.job : face;
  const [, , c = 0, d = 0, e = 0, f = 0, g = 0] = n;
  const disruptions = f % 2 ? { disruptionsMax: f % 4 } : {};
  const task = wants.task ?? make(TaskSpecSchema, { command: ["true"] });
  const limit = make(ResourcesSchema, { cpuMilli: 250 * (1 + (d % 9)), ramBytes: (1 + (e % 8)) * GI * 0.5 });
  const isB = make(ConstraintSchema, { attribute: "os", operator: Operator.EQUAL, values: ["b"] });
  return {
    ...wants,
    update: make(UpdatePolicySchema, { batch: 1 + (c % 3), watchMs: (d % 3) * 50, failuresMax: e % 3, ...disruptions }),
    count: wants.perMachine ? 0 : c % 4 === 0 ? 1 + (d % 6) : Math.max(count, 1),
    overrides: c % 4 === 0 ? [] : wants.overrides,
    priority: e % 3 === 0 ? (pick(PRIORITIES, f) as number) : wants.priority,
    constraints: f % 7 === 0 ? [isB] : wants.constraints,
    ...(g % 5 === 0 ? { downMax: g % 3 } : {}),
    task: g % 3 === 0 ? { ...task, command: ["true", `${g}`] } : g % 3 === 1 ? { ...task, limit } : task,
  };
}

/** Another size, priority, place or policy for an alloc set. */
export function changedSet({ spec, count }: Job, n: readonly number[]): AllocSetSpec {
  assert.ok(spec.kind === "alloc-set");
  const [, , c = 0, d = 0, e = 0, f = 0, g = 0] = n;
  const isB = make(ConstraintSchema, { attribute: "os", operator: Operator.EQUAL, values: ["b"] });
  const limit = make(ResourcesSchema, { cpuMilli: 250 * (1 + (d % 12)), ramBytes: (1 + (e % 8)) * GI * 0.5 });
  return {
    ...spec.allocSet,
    count: c % 4 === 0 ? 1 + (d % 4) : Math.max(count, 1),
    priority: e % 3 === 0 ? (pick(PRIORITIES, f) as number) : spec.allocSet.priority,
    constraints: f % 7 === 0 ? [isB] : spec.allocSet.constraints,
    ports: g % 6 === 0 ? g % 4 : spec.allocSet.ports,
    limit: g % 3 === 0 ? (spec.allocSet.limit ?? limit) : limit,
    update: make(UpdatePolicySchema, {
      batch: 1 + (c % 3),
      watchMs: (d % 3) * 50,
      failuresMax: 9,
      ...(f % 2 ? { disruptionsMax: f % 4 } : {}),
    }),
    ...(g % 5 === 0 ? { downMax: g % 3 } : {}),
  };
}
