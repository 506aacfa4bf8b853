/** A cell as a bench wants it: machines and jobs in words, and the cell that comes of them by the same ops that a master would apply. */
import { applyEntry, newState } from "../../src/cell/cell.ts";
import { makeEntry, masterOp, type Op, userOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import type { Init } from "../../src/wire/codec.ts";
import type { MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { type JobSpecSchema, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { UsageError } from "../usage.ts";

export const KI = 1024;
export const GI = 1024 ** 3;
export const SCHEDULER = "service";
const OPS_PER_ENTRY = 1000;
const START_MS = 1_000_000;

export interface MachinePlan {
  readonly name: string;
  readonly facts: Init<typeof MachineFactsSchema>;
}

export interface JobPlan {
  readonly spec: Init<typeof JobSpecSchema> & {
    readonly user: string;
    readonly name: string;
    readonly priority: number;
    readonly count: number;
  };
  /** Where each task ran, by index; undefined: it waited. */
  readonly ranOn: readonly (string | undefined)[];
}

export interface CellPlan {
  readonly machines: readonly MachinePlan[];
  /** In the order in which they came. */
  readonly jobs: readonly JobPlan[];
}

/** Applies ops entry by entry; a refusal would make the figures a lie. */
function applyAll(state: CellState, ops: readonly Op[]): void {
  for (let at = 0; at < ops.length; at += OPS_PER_ENTRY) {
    const some = ops.slice(at, at + OPS_PER_ENTRY);
    const outcomes = applyEntry(state, state.position + 1, makeEntry(START_MS + state.position, some));
    for (const [i, outcome] of outcomes.entries())
      if (!outcome.ok)
        throw new UsageError(`The cell takes no ${subjectOf(some[i] as Op)}: ${outcome.reason}; change it where the cell comes from`);
  }
}

/** Whom an op is about, in words. */
function subjectOf({ body }: Op): string {
  if (body.case === "jobSubmit") return `job "${body.value.spec?.user}/${body.value.spec?.name}"`;
  if (body.case === "machineJoin") return `machine "${body.value.machine}"`;
  if (body.case === "userGrant") return `user "${body.value.user}"`;
  return `op ${body.case}`;
}

/** The cell with every job submitted and nothing placed. */
export function build(plan: CellPlan): CellState {
  const state = newState();
  const users = [...new Set(plan.jobs.map(({ spec }) => spec.user))];
  const ops = plan.jobs.map(submit);
  const [first, later] = [ops.filter((_, i) => !needsNewest(plan.jobs[i])), ops.filter((_, i) => needsNewest(plan.jobs[i]))];
  // Machines with units have to be read by a cell that knows them.
  const isNew = plan.machines.some(({ facts }) => (facts.devices?.length ?? 0) > 0);
  applyAll(state, [...setUp(users, extraNames(plan)), ...(isNew ? upgrade(users) : []), ...plan.machines.map(join), ...first]);
  if (later.length > 0) applyAll(state, [...(isNew ? [] : upgrade(users)), ...later]);
  applyAll(
    state,
    users.map((user) => masterOp({ case: "machineLeave", value: { machine: sponsorOf(user) } })),
  );
  return state;
}

/** What the first version of a cell does not know. */
const needsNewest = (plan: JobPlan | undefined): boolean =>
  plan?.spec.spread === Spread.RACK || plan?.spec.spread === Spread.POWER || (plan?.spec.beside?.length ?? 0) > 0;

/** Newer versions have bounds for their users, which no bench is to meet. */
function upgrade(users: readonly string[]): Op[] {
  const versions = Array.from({ length: VERSION_MAX - 1 }, (_, i) => masterOp({ case: "cellVersion", value: { version: i + 2 } }));
  const bounds = { jobs: 1e6, tasks: 1e7, specBytes: 1e9, packages: 1, packageBytes: 1 };
  return [...versions, ...users.map((user, i) => userOp("admin", `b${i}`, { case: "boundsSet", value: { user, bounds } }))];
}

const join = ({ name, facts }: MachinePlan): Op => masterOp({ case: "machineJoin", value: { machine: name, facts } });

const submit = ({ spec }: JobPlan, i: number): Op => userOp(spec.user, `j${i}`, { case: "jobSubmit", value: { spec } });

/** Quota for prod is sold only up to what the cell has, and a bench asks for more: while jobs are submitted each user brings a machine for it. */
const sponsorOf = (user: string): string => `sponsor-${user}`;
const PLENTY = { cpuMilli: 1e9, ramBytes: 1024 ** 5, diskBytes: 1024 ** 5 };
const HALF = { cpuMilli: 5e8, ramBytes: 1024 ** 5 / 2, diskBytes: 1024 ** 5 / 2 };

function setUp(users: readonly string[], extraNames: ReadonlySet<string>): Op[] {
  const extras = (amount: number) => [...extraNames].map((name) => ({ name, amount }));
  const ops = [
    masterOp({ case: "cellInit", value: { cell: "bench", owner: "admin" } }),
    userOp("admin", "s", { case: "schedulerSet", value: { name: SCHEDULER, limits: { priorityMax: 450 } } }),
  ];
  const quota = { limit: { ...HALF, extras: extras(5e8) } };
  for (const [i, user] of users.entries()) {
    const facts = { capacity: { ...PLENTY, extras: extras(1e9) } };
    ops.push(masterOp({ case: "machineJoin", value: { machine: sponsorOf(user), facts } }));
    ops.push(userOp("admin", `g${i}`, { case: "userGrant", value: { user, roles: [Role.USER] } }));
    ops.push(userOp("admin", `q${i}`, { case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } }));
    for (const band of [Band.PRODUCTION, Band.MONITORING])
      ops.push(userOp("admin", `q${i}-${band}`, { case: "quotaSet", value: { user, band, quota } }));
  }
  return ops;
}

function extraNames(plan: CellPlan): Set<string> {
  const names = new Set<string>();
  for (const { facts } of plan.machines)
    for (const extra of facts.capacity?.extras ?? []) if (extra.name !== undefined) names.add(extra.name);
  for (const { spec } of plan.jobs) for (const extra of spec.task?.limit?.extras ?? []) if (extra.name !== undefined) names.add(extra.name);
  return names;
}

/** The same cell `times` over: machines, users and jobs, each copy under names of its own. */
export function cloned(plan: CellPlan, times: number): CellPlan {
  if (times <= 1) return plan;
  const copies = Array.from({ length: times }, (_, i) => copyOf(plan, `c${i}-`));
  return { machines: copies.flatMap((copy) => copy.machines), jobs: copies.flatMap((copy) => copy.jobs) };
}

/** A machine more of the same kind, in a rack and power domain of its own copy of the cell. */
export function copyOfMachine({ name, facts }: MachinePlan, prefix: string): MachinePlan {
  const { rack = "", powerDomain = "" } = facts;
  const where = {
    ...(rack === "" ? {} : { rack: `${prefix}${rack}` }),
    ...(powerDomain === "" ? {} : { powerDomain: `${prefix}${powerDomain}` }),
  };
  return { name: `${prefix}${name}`, facts: { ...facts, ...where } };
}

function copyOf(plan: CellPlan, prefix: string): CellPlan {
  return {
    machines: plan.machines.map((machine) => copyOfMachine(machine, prefix)),
    jobs: plan.jobs.map(({ spec, ranOn }) => ({
      spec: {
        ...spec,
        user: `${prefix}${spec.user}`,
        ...(spec.beside === undefined ? {} : { beside: spec.beside.map((limit) => ({ ...limit, job: `${prefix}${limit.job}` })) }),
      },
      ranOn: ranOn.map((name) => (name === undefined ? undefined : `${prefix}${name}`)),
    })),
  };
}

/** The tasks that ran somewhere, where it is known which did. Indexes close up. */
export function onlyRunning(plan: CellPlan): CellPlan {
  if (plan.jobs.every(({ ranOn }) => ranOn.every((machine) => machine === undefined))) return plan;
  return { machines: plan.machines, jobs: plan.jobs.map(running).filter(({ spec }) => spec.count > 0) };
}

function running({ spec, ranOn }: JobPlan): JobPlan {
  const ran = ranOn.flatMap((machine, index) => (machine === undefined ? [] : [index]));
  const overrides = (spec.overrides ?? []).flatMap((override) => {
    const { first = 0, last = 0 } = override;
    const within = ran.flatMap((index, place) => (index >= first && index <= last ? [place] : []));
    return within.length === 0 ? [] : [{ ...override, first: within[0] as number, last: within.at(-1) as number }];
  });
  return { spec: { ...spec, count: ran.length, overrides }, ranOn: ran.map((index) => ranOn[index]) };
}

/** prod is 120 and above. Jobs that ask for nothing are left out too: they fit anywhere. Without any other there is nothing to find out. */
export function onlyProd(plan: CellPlan): CellPlan {
  const asks = ({ spec }: JobPlan): boolean =>
    [spec.task?.limit, ...(spec.overrides ?? []).map(({ limit }) => limit)].some(
      (limit) =>
        limit !== undefined && [limit.cpuMilli, limit.ramBytes, limit.diskBytes, limit.extras?.length].some((amount) => (amount ?? 0) > 0),
    );
  const jobs = plan.jobs.filter((job) => job.spec.priority >= 120 && asks(job));
  if (jobs.length === 0)
    throw new UsageError(
      "No job of this cell is prod and asks for anything: leave out --only prod, or take a cell with such jobs (in files: priority 9 to 11)",
    );
  return { machines: plan.machines, jobs };
}
