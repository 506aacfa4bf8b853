/**
 * What must hold of every state, whatever happened (ids from docs/RELIABILITY.md). Everything derived is worked out again from scratch,
 * so this shares no sums with the code it checks. It looks at the whole cell: for tests, simulation and followers.
 */

import type { InstanceId } from "../base/id.ts";
import { equal, fits, plus, type Vector, ZERO } from "../base/vector.ts";
import { AfterFailure } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Device } from "./device.ts";
import { checkTenants } from "./invariants-allocs.ts";
import { checkDevices } from "./invariants-devices.ts";
import { checkFrameworks, launchedLimits } from "./invariants-frameworks.ts";
import { checkSecrets } from "./invariants-secrets.ts";
import { checkUpdate, heldBoth } from "./invariants-updates.ts";
import {
  BAND_NAMES,
  bandAt,
  capacityBy,
  hasEnded,
  hasPlace,
  isOnePerMachine,
  isProdAt,
  isVictim,
  limitAt,
  suits,
  tasksAsked,
} from "./invariants-words.ts";
import type { CellState, Instance, Job, Machine, Place, Task, User } from "./state.ts";

/** A broken invariant: its id and what was seen. */
export interface Violation {
  readonly id: string;
  readonly text: string;
}

export class Findings {
  readonly found: Violation[] = [];

  expect(condition: boolean, id: string, text: () => string): void {
    if (!condition) this.found.push({ id, text: text() });
  }
}

export function stateViolations(state: CellState): readonly Violation[] {
  const findings = new Findings();
  const seen = new Set<InstanceId>();
  for (const job of state.jobs.values()) checkJob(findings, state, job, seen);
  for (const machine of state.machines.values()) checkMachine(findings, state, machine, seen);
  findings.expect(seen.size === 0, "KT1", () => `Instances ${[...seen].join(", ")} are on no machine`);
  checkQuota(findings, state);
  checkSchedulers(findings, state);
  checkIndexes(findings, state);
  checkVersion(findings, state);
  checkPackages(findings, state);
  checkSecrets(findings, state);
  checkTenants(findings, state);
  checkFrameworks(findings, state);
  return findings.found;
}

/** What a living job names is there, and it may name it. Jobs of a time before there were packages name them without a hash. [KG1] */
function checkPackages(findings: Findings, state: CellState): void {
  const records = new Map<string, boolean>();
  for (const { id, packages } of state.users.values())
    for (const { name, digest, shared } of packages.values()) records.set(`${id}/${name} ${digest}`, shared);
  findings.expect(records.size === 0 || state.version >= 3, "KD7", () => `There are packages in a cell of version ${state.version}`);
  for (const job of state.jobs.values()) {
    const user = job.owner;
    for (const { user: owner, name, version } of tasksAsked(job).flatMap(({ packages }) => packages)) {
      const shared = records.get(`${owner || user}/${name} ${version}`);
      const isHashed = version.length === 64;
      findings.expect(
        !isHashed || shared === true || (shared === false && (owner || user) === user),
        "KG1",
        () => `Job "${job.id}" names package "${owner || user}/${name}@${version}", which it may not or which is not there`,
      );
    }
  }
}

/** Days of evictions in their order, each once, none of them to come and none too long ago when it was counted; and below version 3 there are none. [V7] [KB1] */
function checkDays(findings: Findings, { version, evictionDays, config, links, timeMs }: CellState): void {
  findings.expect(
    version >= 8 || config.offers === undefined,
    "KD7",
    () => `How room is offered is chosen in a cell of version ${version}`,
  );
  findings.expect(version >= 8 || links === undefined, "KD7", () => `Machines are shared out in a cell of version ${version}`);
  const isNew = evictionDays.length > 0 || config.reclamation !== 0;
  findings.expect(version >= 4 || !isNew, "KD7", () => `Evictions are counted, or reclamation is chosen, in a cell of version ${version}`);
  for (const [i, { day }] of evictionDays.entries()) {
    const [first, next] = [evictionDays[0]?.day ?? 0, evictionDays[i + 1]?.day ?? Number.POSITIVE_INFINITY];
    const isRight = day < next && day - first < 30 && day * 86_400_000 <= timeMs;
    findings.expect(isRight, "V7", () => `Evictions of day ${day} stand after those of ${first} and before those of ${next}, at ${timeMs}`);
  }
}

/** Nothing of a later version is in a cell of an earlier one: an older build would read another state. Digests are whole or absent. [KD7] */
function checkVersion(findings: Findings, state: CellState): void {
  const isFirst = state.version === 1;
  const fromElsewhere = state.invitations.size + [...state.machines.values()].filter(({ approval }) => approval !== undefined).length;
  findings.expect(
    fromElsewhere === 0 || state.version >= 3,
    "KD7",
    () => `${fromElsewhere} machines have approvals in a cell of version ${state.version}`,
  );
  checkDays(findings, state);
  const updated = [...state.jobs.values()].filter(
    ({ update, tasks }) => update !== undefined || tasks.some(({ told }) => told !== undefined),
  );
  findings.expect(
    updated.length === 0 || state.version >= 3,
    "KD7",
    () => `${updated.length} jobs are or were updated in a cell of version ${state.version}`,
  );
  findings.expect(!isFirst || state.expiryLagMs === 0, "KD7", () => `Expiries lag by ${state.expiryLagMs} ms in a cell of version 1`);
  for (const { id, requests } of state.users.values())
    for (const [request, { digest }] of requests)
      findings.expect(
        digest.length === 0 || (digest.length === 16 && !isFirst),
        "KD7",
        () => `Request "${request}" of user "${id}" has a digest of ${digest.length} bytes in a cell of version ${state.version}`,
      );
}

/** Whatever runs, its spec is known; and no spec is kept for nobody. */
function checkSpecs(findings: Findings, job: Job): void {
  const named = new Map<number, number>(job.kept.map(({ generation }) => [generation, 0]));
  for (const { instance } of job.tasks) {
    if (instance === undefined || instance.generation === job.generation || instance.generation === job.update?.generation) continue;
    findings.expect(named.has(instance.generation), "KT4", () => `"${instance.id}" runs a spec that nobody knows any more`);
    named.set(instance.generation, (named.get(instance.generation) ?? 0) + 1);
  }
  for (const { generation, instances } of job.kept)
    findings.expect(
      generation !== job.generation && generation !== job.update?.generation && instances > 0 && instances === named.get(generation),
      "KT4",
      () => `Job "${job.id}" keeps spec ${generation} for ${instances} instances, and ${named.get(generation)} name it`,
    );
}

function checkJob(findings: Findings, state: CellState, job: Job, seen: Set<InstanceId>): void {
  checkSpecs(findings, job);
  checkUpdate(findings, job);
  for (const task of job.tasks) checkTask(findings, state, task, seen);
  const placed = job.tasks.filter((task) => hasPlace(task.state)).length;
  const dead = job.tasks.filter((task) => hasEnded(task.state)).length;
  findings.expect(
    placed === job.placed && dead === job.dead,
    "KT4",
    () => `Job "${job.id}" counts ${job.placed} placed and ${job.dead} dead, not ${placed} and ${dead}`,
  );
  // A job with one task per machine ends only when it is killed: machines may still come. So does a framework.
  const mayEnd = job.killed || !(isOnePerMachine(job) || job.spec.kind === "framework");
  const expected = mayEnd && dead === job.tasks.length ? "dead" : placed > 0 ? "running" : "pending";
  findings.expect(job.state === expected, "KT4", () => `Job "${job.id}" is ${job.state}, not ${expected}`);
  findings.expect(
    job.tasks.slice(job.count).every((task) => hasEnded(task.state)),
    "KT4",
    () => `Job "${job.id}" has living tasks beyond its ${job.count}`,
  );
}

/** A task has at most one instance, and what its state says about it is true. */
function checkTask(findings: Findings, state: CellState, task: Task, seen: Set<InstanceId>): void {
  const { instance } = task;
  findings.expect(task.incarnation <= state.incarnations, "KT1", () => `Task "${task.id}" has an incarnation that was never given out`);
  const mustHave = hasPlace(task.state) || task.state === "stopping" || task.state === "ending";
  findings.expect(
    mustHave === (instance !== undefined),
    "KT1",
    () => `Task "${task.id}" is ${task.state} ${instance === undefined ? "without" : "with"} an instance`,
  );
  if (instance === undefined) return;
  findings.expect(!seen.has(instance.id), "KT1", () => `Instance "${instance.id}" is there twice`);
  seen.add(instance.id);
  findings.expect(
    instance.id === `${task.id}:${instance.incarnation}` && instance.task === task,
    "KT1",
    () => `Instance "${instance.id}" is not of task "${task.id}"`,
  );
  findings.expect(
    hasPlace(task.state) === (instance.stop === undefined),
    "KT4",
    () => `Task "${task.id}" is ${task.state}, its instance ${instance.stop === undefined ? "stays" : "stops"}`,
  );
  const current = hasPlace(task.state)
    ? task.incarnation === instance.incarnation
    : task.state === "ending" || task.incarnation > instance.incarnation;
  findings.expect(
    current,
    "KT1",
    () => `Task "${task.id}" (${task.state}) has incarnation ${task.incarnation}, its instance ${instance.incarnation}`,
  );
}

function checkMachine(findings: Findings, state: CellState, machine: Machine, seen: Set<InstanceId>): void {
  checkPlace(findings, machine.place, seen);
  const ports = new Set<number>();
  for (const occupant of machine.place.occupants.values()) {
    for (const port of occupant.ports) {
      const mine = port >= machine.facts.portFirst && port <= machine.facts.portLast && !ports.has(port);
      findings.expect(mine, "KR2", () => `Port ${port} of machine "${machine.id}" is given twice or out of range`);
      ports.add(port);
    }
    if (occupant.inside !== undefined) checkAlloc(findings, occupant, occupant.inside, seen);
  }
  checkDevices(findings, machine.place, ({ name }) => machine.facts.devices.find((kind) => kind.name === name)?.unit ?? 0);
  findings.expect(state.machines.get(machine.id) === machine, "KD4", () => `Machine "${machine.id}" stands under another name`);
}

function checkPlace(findings: Findings, place: Place, seen: Set<InstanceId>): void {
  let prodLimit = ZERO;
  let reserved = ZERO;
  for (const [id, occupant] of place.occupants) {
    findings.expect(
      seen.delete(id) && occupant.place === place && occupant.task.instance === occupant,
      "KT1",
      () => `"${id}" at "${place.id}" is not its task's instance`,
    );
    findings.expect(fits(occupant.reservation, occupant.limit), "KR1", () => `Instance "${id}" has a reservation above its limit`);
    if (isVictim(occupant)) continue;
    reserved = plus(reserved, occupant.reservation);
    if (isProdAt(occupant.priority)) prodLimit = plus(prodLimit, occupant.limit);
  }
  findings.expect(
    equal(prodLimit, place.prodLimit) && equal(reserved, place.reserved),
    "KR1",
    () => `Sums of "${place.id}" are not those of what is on it`,
  );
}

/** What is inside an alloc fits into it, at limits, and holds ports of it alone. */
function checkAlloc(findings: Findings, alloc: Instance, inside: Place, seen: Set<InstanceId>): void {
  checkPlace(findings, inside, seen);
  let sum: Vector = ZERO;
  const ports = new Set<number>();
  for (const inner of inside.occupants.values()) {
    if (!isVictim(inner)) sum = plus(sum, inner.limit);
    for (const port of inner.ports) {
      findings.expect(
        alloc.ports.includes(port) && !ports.has(port),
        "KR2",
        () => `Port ${port} of alloc "${alloc.id}" is given twice or not its own`,
      );
      ports.add(port);
    }
    findings.expect(
      inner.stop !== undefined || alloc.stop === undefined,
      "KR4",
      () => `Instance "${inner.id}" stays in alloc "${alloc.id}", which stops`,
    );
  }
  const own = ({ name, number }: Device) => alloc.devices.find((device) => device.name === name && device.number === number);
  checkDevices(findings, inside, (device) => own(device)?.amount ?? 0);
  findings.expect(fits(sum, alloc.limit), "KR4", () => `Alloc "${alloc.id}" holds more than it is`);
}

/** What is charged is what was admitted. */
function checkQuota(findings: Findings, state: CellState): void {
  const charged = new Map<string, Vector>();
  for (const job of state.jobs.values()) {
    if (job.state === "dead") continue;
    for (const { band, amount } of holdings(job)) {
      const key = `${job.owner} ${band}`;
      charged.set(key, plus(charged.get(key) ?? ZERO, amount));
    }
  }
  for (const user of state.users.values()) {
    for (const name of BAND_NAMES) {
      const expected = charged.get(`${user.id} ${name}`) ?? ZERO;
      findings.expect(
        equal(user.charged.get(name) ?? ZERO, expected),
        "KR3",
        () => `User "${user.id}" is not charged for what is admitted at ${name}`,
      );
    }
  }
}

/** What a job holds, by band. */
function holdings(job: Job): readonly { readonly band: string; readonly amount: Vector }[] {
  const band = bandAt(job.priority);
  const { update } = job;
  if (update === undefined) return [{ band, amount: admitted(job) }];
  const other = bandAt(update.priority);
  const { own, beside } = heldBoth(job, update, band === other);
  return [
    { band, amount: own },
    { band: other, amount: beside },
  ];
}

/** The limits of all its tasks. Tasks inside an alloc set are paid for by the set. */
function admitted(job: Job): Vector {
  if (job.spec.kind === "job" && job.spec.job.allocSet !== "") return ZERO;
  if (job.spec.kind === "framework") return launchedLimits(job);
  const count = isOnePerMachine(job) ? job.pins.size : job.count;
  let sum = ZERO;
  for (let index = 0; index < count; index++) sum = plus(sum, limitAt(job, index));
  return sum;
}

function checkSchedulers(findings: Findings, state: CellState): void {
  const claimed = new Map<string, Vector>();
  for (const job of state.jobs.values()) {
    for (const { instance } of job.tasks) {
      if (instance === undefined || isVictim(instance)) continue;
      claimed.set(instance.scheduler, plus(claimed.get(instance.scheduler) ?? ZERO, instance.limit));
    }
  }
  for (const scheduler of state.schedulers.values()) {
    findings.expect(
      equal(scheduler.claimed, claimed.get(scheduler.name) ?? ZERO),
      "KS1",
      () => `Scheduler "${scheduler.name}" is not charged for what it claimed`,
    );
  }
}

function checkIndexes(findings: Findings, state: CellState): void {
  let capacity = ZERO;
  for (const machine of state.machines.values()) {
    const { id, place } = machine;
    capacity = plus(capacity, place.capacity);
    findings.expect(
      equal(place.capacity, capacityBy(machine)),
      "KR1",
      () => `Machine "${id}" has another capacity than its facts and its approval say`,
    );
  }
  checkWeights(findings, state);
  findings.expect(equal(capacity, state.capacity), "KR3", () => "The cell's capacity is not the sum of its machines'");
  for (const job of state.jobs.values()) {
    const waits = job.spec.kind === "job" && (state.waiters.get(job.spec.job.startAfter as Job["id"])?.has(job.id) ?? false);
    findings.expect(
      waits === job.held,
      "KS3",
      () => `Job "${job.id}" is ${job.held ? "held but waits for nothing" : "waiting but not held"}`,
    );
    checkHeld(findings, state, job);
    const listed = state.perMachine.has(job.id);
    findings.expect(
      listed === (isOnePerMachine(job) && job.state !== "dead"),
      "KS3",
      () => `Job "${job.id}" is ${listed ? "" : "not "}listed as one task per machine`,
    );
    if (listed) checkPins(findings, state, job);
  }
}

/** What is remembered for users is what bounds count. */
function checkWeights(findings: Findings, state: CellState): void {
  const bytes = [...state.jobs.values()].reduce((sum, job) => sum + job.specBytes, 0);
  const listed = [...state.users.values()].reduce((sum, { jobs }) => sum + jobs.size, 0);
  findings.expect(bytes === state.specBytes, "KB1", () => `The cell weighs ${state.specBytes} bytes of specs instead of ${bytes}`);
  findings.expect(listed === state.jobs.size, "KB1", () => `${listed} jobs are listed with users, and there are ${state.jobs.size}`);
  const tasks = [...state.jobs.values()].reduce((sum, job) => sum + job.tasks.length, 0);
  findings.expect(tasks === state.taskCount, "KB1", () => `The cell counts ${state.taskCount} tasks, and there are ${tasks}`);
  const byOwner = Map.groupBy(state.jobs.values(), ({ owner }) => owner);
  for (const user of state.users.values()) checkUsed(findings, user, byOwner.get(user.id) ?? []);
  checkSets(findings, state);
}

function checkUsed(findings: Findings, { id, used }: User, own: readonly Job[]): void {
  const alive = own.filter((job) => job.state !== "dead");
  const tasksOf = (jobs: readonly Job[]): number => jobs.reduce((sum, job) => sum + job.tasks.length, 0);
  const words = (jobs: number, tasks: number, kept: number, bytes: number): string =>
    `${jobs} jobs, ${tasks} tasks, ${kept} with dead ones, ${bytes} bytes`;
  const counted = words(used.jobs, used.tasks, used.tasksKept, used.specBytes);
  const there = words(
    alive.length,
    tasksOf(alive),
    tasksOf(own),
    own.reduce((sum, job) => sum + job.specBytes, 0),
  );
  findings.expect(counted === there, "KB1", () => `User "${id}" is counted for ${counted}, and has ${there}`);
}

/** Whoever would run in an alloc set is counted with it, and nobody else. */
function checkSets(findings: Findings, state: CellState): void {
  const there = new Map<string, number>();
  for (const { spec, state: its } of state.jobs.values())
    if (spec.kind === "job" && spec.job.allocSet !== "" && its !== "dead")
      there.set(spec.job.allocSet, (there.get(spec.job.allocSet) ?? 0) + 1);
  for (const set of new Set<string>([...there.keys(), ...state.inSets.keys()]))
    findings.expect(
      there.get(set) === state.inSets.get(set as Job["id"]),
      "KB1",
      () => `Alloc set "${set}" counts ${state.inSets.get(set as Job["id"])} jobs that would run in it, and there are ${there.get(set)}`,
    );
}

/** Who waits for another job's end waits for one that lives, or has failed if that is what it waits over, and only while it lives itself. [KS5] */
function checkHeld(findings: Findings, state: CellState, job: Job): void {
  if (!job.held) return;
  const prior = job.spec.kind === "job" ? state.jobs.get(job.spec.job.startAfter as Job["id"]) : undefined;
  const isPatient = job.spec.kind === "job" && job.spec.job.afterFailure === AfterFailure.WAIT;
  const hasFailed =
    prior === undefined || (prior.state === "dead" && prior.tasks.slice(0, prior.count).some(({ cause }) => cause !== "finished"));
  // Below version 8 a job that was made smaller was taken for failed while its surplus was on its way out.
  if (state.version < 8 && isPatient) return;
  findings.expect(
    job.state !== "dead" && ((prior !== undefined && prior.state !== "dead") || (isPatient && hasFailed)),
    "KS5",
    () => `Job "${job.id}" (${job.state}) waits for the end of a job that is ${prior?.state ?? "not there"}`,
  );
}

function checkPins(findings: Findings, state: CellState, job: Job): void {
  for (const [id, task] of job.pins) {
    findings.expect(
      task.pinned === id && job.tasks[task.index] === task && state.machines.has(id),
      "KS3",
      () => `Job "${job.id}" has a wrong task for machine "${id}"`,
    );
  }
  for (const { id, facts } of state.machines.values()) {
    findings.expect(
      suits(facts, job) === job.pins.has(id),
      "KS3",
      () =>
        `Job "${job.id}" has ${job.pins.has(id) ? "a" : "no"} task for machine "${id}", which ${suits(facts, job) ? "suits" : "does not suit"} it`,
    );
  }
  const pinned = job.tasks.filter((task) => task.pinned !== undefined).length;
  findings.expect(pinned === job.pins.size, "KS3", () => `Job "${job.id}" has ${pinned} pinned tasks, but ${job.pins.size} machines`);
}
