/** What must hold of frameworks and of what they launched, in words of their own: names, indexes, status updates, and that all of a group came or none. [KF1] [KF2] */
import { Sha256 } from "../base/sha256.ts";
import { equal, plus, type Vector, ZERO } from "../base/vector.ts";
import { encode } from "../wire/codec.ts";
import type { FrameworkAcknowledge, FrameworkRevoke, FrameworkSubscribe, Op } from "../wire/gen/borg/v1/op_pb.ts";
import { JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Done } from "./cell.ts";
import type { Findings } from "./invariants.ts";
import { hasPlace, instanceNamed, limitAt, vectorOf } from "./invariants-words.ts";
import type { LaunchAnswer } from "./ops/launches.ts";
import { entryBytesOf } from "./spec-weight.ts";
import type { CellState, Job, Led, Status, Task } from "./state.ts";

const KEPT_MOST = 8;
const LAST: ReadonlySet<string> = new Set(["finished", "failed", "killed", "lost", "error", "gone", "dropped"]);

export function checkFrameworks(findings: Findings, state: CellState): void {
  const numbers = new Set<number>();
  for (const job of state.jobs.values()) {
    const { led, id, tasks } = job;
    const isOne = job.spec.kind === "framework";
    findings.expect(
      isOne === (led !== undefined),
      "KF1",
      () => `"${id}" is ${isOne ? "a framework without" : "no framework, with"} a leader`,
    );
    if (led === undefined) {
      findings.expect(
        tasks.every(({ launched }) => launched === undefined),
        "KF1",
        () => `Tasks of "${id}" were launched, and it is no framework`,
      );
      continue;
    }
    findings.expect(state.version >= 6, "KD7", () => `There is a framework in a cell of version ${state.version}`);
    findings.expect(!numbers.has(led.number), "KF1", () => `Two frameworks have the number ${led.number}`);
    numbers.add(led.number);
    checkFramework(findings, job, led);
  }
  findings.expect(state.roles.size === 0 || state.version >= 6, "KD7", () => `There are roles in a cell of version ${state.version}`);
}

function checkFramework(findings: Findings, job: Job, led: Led): void {
  const used = new Map<string, Task>();
  let [waiting, bytes] = [0, 0];
  for (const task of job.tasks) {
    const { launched } = task;
    findings.expect(launched !== undefined, "KF1", () => `Task "${task.id}" of a framework was never launched`);
    if (launched === undefined) continue;
    findings.expect(
      hasPlace(task.state) || task.state === "ending" || task.state === "dead",
      "KF1",
      () => `Task "${task.id}" of a framework is ${task.state}: it would start by itself`,
    );
    findings.expect(!job.killed || !hasPlace(task.state), "KF1", () => `Task "${task.id}" outlives its framework, which was torn down`);
    checkUpdates(findings, task, launched.updates, launched.number);
    checkExecutor(findings, job, task);
    const { spec } = launched.spec;
    bytes += spec.kind === "job" ? encode(JobSpecSchema, spec.job).length + entryBytesOf(spec.job) : 0;
    if (task.state === "dead" && launched.updates.length === 0) continue;
    waiting += Number(task.state === "dead");
    findings.expect(!used.has(launched.taskId), "KF1", () => `Two tasks of "${job.id}" are called "${launched.taskId}"`);
    used.set(launched.taskId, task);
  }
  const isListed = used.size === led.byId.size && [...used].every(([name, task]) => led.byId.get(name) === task);
  findings.expect(isListed, "KF1", () => `Framework "${job.id}" lists other tasks than it has`);
  findings.expect(job.count === job.tasks.length, "KF1", () => `Framework "${job.id}" counts ${job.count} of ${job.tasks.length} tasks`);
  findings.expect(
    led.unacknowledged === waiting && led.specBytes === bytes,
    "KF2",
    () => `Framework "${job.id}" counts ${led.unacknowledged} unacknowledged and ${led.specBytes} bytes, not ${waiting} and ${bytes}`,
  );
  const isHeard = !job.killed || job.tasks.every(({ launched }) => launched?.updates.length === 0);
  findings.expect(isHeard, "KF2", () => `Framework "${job.id}" was torn down, and keeps updates for nobody`);
}

/** What an executor has is where it is, and is over when it is. [KF5] */
function checkExecutor(findings: Findings, { tasks }: Job, { instance, launched }: Task): void {
  const name = launched?.spec.wants.task?.executor?.instance ?? "";
  if (name === "" || instance === undefined) return;
  const executor = tasks.find((each) => each.instance?.id === name)?.instance;
  const isThere = executor !== undefined && executor.place.machine === instance.place.machine;
  findings.expect(isThere, "KF5", () => `"${instance.id}" is there, and its executor "${name}" is not`);
}

/** In order, bounded, and the last word is kept exactly while it is the last word. */
function checkUpdates(findings: Findings, task: Task, updates: readonly Status[], number: number): void {
  findings.expect(updates.length <= KEPT_MOST, "KF2", () => `Task "${task.id}" keeps ${updates.length} updates`);
  for (const [i, update] of updates.entries()) {
    const next = updates[i + 1];
    const isBefore = next === undefined ? update.number === number : update.number < next.number;
    findings.expect(isBefore, "KF2", () => `Task "${task.id}" keeps update ${update.number} of ${number} out of order`);
    findings.expect(
      LAST.has(update.state) === (task.state === "dead" && next === undefined),
      "KF2",
      () => `Task "${task.id}" is ${task.state}, and its update ${i + 1} of ${updates.length} says ${update.state}`,
    );
  }
}

/** The limits of its tasks that are not over. */
export function launchedLimits({ tasks }: Job): Vector {
  let sum = ZERO;
  for (const { state, launched } of tasks) if (launched !== undefined && state !== "dead") sum = plus(sum, limitAt(launched.spec, 0));
  return sum;
}

/** What frameworks' ops did. */
export function checkFrameworkStep(findings: Findings, state: CellState, op: Op, outcome: Done): void {
  for (const { kind, subject, to } of outcome.events) if (kind === "task.state") checkTold(findings, state, subject, to);
  const { answer } = outcome;
  if (answer.type === "launches") checkLaunches(findings, state, op, outcome, answer.launches);
  if (op.body.case === "frameworkSubscribe") checkSubscribed(findings, state, op.body.value, outcome);
  if (op.body.case === "frameworkRevoke") checkRevoked(findings, state, op.body.value, outcome);
  if (op.body.case === "frameworkAcknowledge" && answer.type === "done") checkAcknowledged(findings, state, op.body.value);
}

/** A role that is for some is nobody else's. [KF1] */
function checkSubscribed(findings: Findings, { roles }: CellState, { spec }: FrameworkSubscribe, { events }: Done): void {
  const { role = "", user = "", name = "" } = spec ?? {};
  const users = roles.get(role)?.users ?? [];
  const isAllowed = events.length === 0 || users.length === 0 || users.some((each) => each === user);
  findings.expect(isAllowed, "KF1", () => `Framework "${user}/${name}" subscribed in role "${role}", which is for ${users}`);
}

/** Who began to run, or ended, is told so: nothing of it was acknowledged yet. [KF2] */
function checkTold(findings: Findings, state: CellState, id: string, to: string | undefined): void {
  const [, job = "", index = ""] = /^(.*)\/(\d+)$/.exec(id) ?? [];
  const task = state.jobs.get(job as Job["id"])?.tasks[Number(index)];
  if (task?.launched === undefined || task.job.killed || task.state !== to || (to !== "running" && to !== "dead")) return;
  // Of executors nothing is kept for the framework: it hears once that one ended.
  if (task.launched.spec.wants.task?.executor?.instance === "") return;
  const last = task.launched.updates.at(-1);
  const isTold = to === "dead" ? LAST.has(last?.state ?? "") : last?.state === "running";
  findings.expect(isTold, "KF2", () => `Task "${id}" is ${to}, and its framework hears "${last?.state}"`);
}

/** All of a group or none; what was accepted is there as it was asked for, and nothing else is. [KF1] */
function checkLaunches(findings: Findings, state: CellState, { body }: Op, { events }: Done, answers: readonly LaunchAnswer[]): void {
  if (body.case !== "frameworkLaunch") return;
  const groups = new Map<number, boolean>();
  for (const [i, { group, machine, ports, task: asked }] of body.value.launches.entries()) {
    const answer = answers[i];
    if (answer === undefined) continue;
    findings.expect(group === 0 || (groups.get(group) ?? answer.ok) === answer.ok, "KF1", () => `Group ${group} was half launched`);
    groups.set(group, answer.ok);
    if (!answer.ok) continue;
    const instance = instanceNamed(state, answer.instance);
    const isThere = instance?.place.machine.id === machine && instance.task.launched?.taskId === answer.taskId;
    findings.expect(isThere, "KF1", () => `Launch of "${answer.taskId}" onto "${machine}" placed something else`);
    if (instance === undefined) continue;
    const { reachable, draining } = instance.place.machine;
    findings.expect(reachable && !draining, "KS1", () => `"${instance.id}" was launched on "${machine}", which takes no claims`);
    const isNamed = ports.length === 0 ? instance.ports.length === asked?.ports.length : `${ports}` === `${instance.ports}`;
    findings.expect(isNamed, "KR2", () => `"${instance.id}" has ports ${instance.ports}, and asked for ${ports}`);
    const fitting = limitAt(instance.task.launched?.spec ?? instance.task.job, 0);
    findings.expect(equal(instance.limit, fitting), "KR1", () => `"${instance.id}" has another limit than it was launched with`);
  }
  const { framework, session } = body.value;
  const leads = state.jobs.get(framework as Job["id"])?.led?.session;
  findings.expect(
    leads === session || !answers.some(({ ok }) => ok),
    "KF1",
    () => `Scheduler ${session} of "${framework}" launched, and ${leads} leads it`,
  );
  const [added, accepted] = [events.filter(({ kind }) => kind === "task.added").length, answers.filter(({ ok }) => ok).length];
  findings.expect(added === accepted, "KF1", () => `${accepted} launches were accepted, and ${added} tasks came`);
}

/**
 * For a role that is below its guarantee, and of nobody who would be: with what stays, each other role that lost something still has its own. No prod task of a
 * framework went, and of Borg's only those below the role's frameworks, or over their memory limit. [KF4]
 */
function checkRevoked(findings: Findings, state: CellState, { role: needy, graceMs }: FrameworkRevoke, { events }: Done): void {
  const frameworks = [...state.jobs.values()].filter(
    ({ spec, killed }) => spec.kind === "framework" && spec.framework.role === needy && !killed,
  );
  const most = frameworks.reduce((highest, { priority }) => Math.max(highest, priority), -1);
  const gone = events.filter(
    ({ kind, cause, from }) => kind === "task.state" && cause === "revocation" && (from === "starting" || from === "running"),
  );
  findings.expect(gone.length === 0 || shareOf(state, needy) < 0, "KF4", () => `Tasks were revoked for "${needy}", which lacks nothing`);
  for (const { instance: id = "" } of gone) {
    const instance = instanceNamed(state, id);
    if (instance === undefined || instance.place !== instance.place.machine.place) continue;
    const { task, priority, overRam, stop, noticeMs } = instance;
    const isLong = stop !== undefined && stop.noticeMs >= graceMs && stop.noticeMs >= noticeMs;
    findings.expect(isLong, "KF4", () => `"${id}" was revoked with ${stop?.noticeMs} ms of notice`);
    const role = task.job.spec.kind === "framework" ? task.job.spec.framework.role : undefined;
    if (role === undefined)
      findings.expect(priority < most || overRam, "KF4", () => `"${id}" of priority ${priority} was revoked for "${needy}"`);
    else
      findings.expect(
        role !== needy && priority < PROD_MIN && shareOf(state, role) >= 0,
        "KF4",
        () => `"${id}" of role "${role}" was revoked for "${needy}", and should have stayed`,
      );
  }
}

/** The lowest priority of production. */
const PROD_MIN = 120;

/** How far what stays of a role's tasks is above its guarantee, resource by resource and then the largest of each; less than nothing: below. */
function shareOf(state: CellState, name: string): number {
  const part = (of: Vector): number => {
    const { capacity: all } = state;
    const parts = (["cpu", "ram", "disk", "bandwidth"] as const).map((each) =>
      of[each] === 0 ? 0 : all[each] === 0 ? 1 : of[each] / all[each],
    );
    const extras = of.extras.map(({ name, amount }) => amount / (all.extras.find((each) => each.name === name)?.amount ?? amount));
    return Math.max(...parts, ...extras);
  };
  let has = ZERO;
  for (const { spec, tasks } of state.jobs.values())
    if (spec.kind === "framework" && spec.framework.role === name)
      for (const { instance } of tasks) if (instance !== undefined && instance.stop === undefined) has = plus(has, instance.limit);
  const role = state.roles.get(name);
  return part(has) - (role === undefined ? 0 : Math.min(1, part(vectorOf(role.guarantee, 0, Math.ceil))));
}

/** The first 16 bytes of the hash of instance and number, in hex. */
const hashOf = ({ id, incarnation }: Task, number: number): string =>
  new Sha256()
    .update(Uint8Array.from(`${id}:${incarnation}#${number}`, (letter) => letter.charCodeAt(0)))
    .hex()
    .slice(0, 32);

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Somebody named the update that was in flight. [KF2] */
function checkAcknowledged(findings: Findings, state: CellState, { framework, acknowledgements }: FrameworkAcknowledge): void {
  const tasks = state.jobs.get(framework as Job["id"])?.tasks ?? [];
  const isMeant = (task: Task, name: string, uuid: Uint8Array): boolean => {
    const { taskId, number, updates } = task.launched ?? { taskId: "", number: 0, updates: [] };
    if (taskId !== name) return false;
    const first = updates[0]?.number ?? number + 1;
    return Array.from({ length: first - 1 }, (_, i) => hashOf(task, i + 1)).includes(hexOf(uuid));
  };
  const isOne = acknowledgements.some(({ taskId, uuid }) => tasks.some((task) => isMeant(task, taskId, uuid)));
  findings.expect(isOne, "KF2", () => `Framework "${framework}" acknowledged nothing that it was told, and it was taken for done`);
}
