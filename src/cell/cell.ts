/**
 * A cell: its state, and the only way it changes. `apply` reads nothing but the state and the entry: the same entries in
 * the same order give the same state, byte for byte, on every replica and in Fauxmaster.
 */
import { assert, unreachable } from "../base/assert.ts";
import { userId } from "../base/id.ts";
import { ok, type Refused, type Result, refused } from "../base/result.ts";
import { ZERO } from "../base/vector.ts";
import { type CellInit, type CellVersion, type Entry, type Op, Role, type SchedulerSet } from "../wire/gen/borg/v1/op_pb.ts";
import { type Submitted, submitAllocSet, submitJob } from "./admission.ts";
import { applyClaims, type ClaimAnswer } from "./claims.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { evict, giveUp, reserve } from "./evictions.ts";
import { forgetJob, killJob, resizeJob, restartJob } from "./jobs.ts";
import { changeFacts, drainMachine, joinMachine, leaveMachine, markMachine } from "./machines.ts";
import { setQuota } from "./quota.ts";
import { applyReport } from "./reports.ts";
import { remember, remembered } from "./requests.ts";
import type { CellState } from "./state.ts";
import { revokeToken, setToken } from "./tokens.ts";
import { type CellEvent, type Effect, Turn } from "./turn.ts";
import { grant, newUser, type OpCase, permissionProblem } from "./users.ts";

/** The newest behaviour this build can do. */
export const VERSION_MAX = 1;

/** What an op answers when it was done; `repeated`: it was done before, at that position. */
export type Answer =
  | { readonly type: "done" }
  | { readonly type: "repeated"; readonly position: number }
  | { readonly type: "submitted"; readonly already: boolean }
  | { readonly type: "claims"; readonly claims: readonly ClaimAnswer[] };

export interface Done {
  readonly ok: true;
  readonly answer: Answer;
  readonly events: readonly CellEvent[];
  readonly effects: readonly Effect[];
}

export type Outcome = Done | Refused;

export function newState(): CellState {
  return {
    name: "",
    version: 1,
    position: 0,
    timeMs: 0,
    incarnations: 0,
    config: DEFAULT_CONFIG,
    users: new Map(),
    schedulers: new Map(),
    machines: new Map(),
    jobs: new Map(),
    waiters: new Map(),
    perMachine: new Set(),
    capacity: ZERO,
  };
}

/** Applies one durable entry; one outcome for each of its ops. Time never runs back. */
export function applyEntry(state: CellState, position: number, entry: Entry): Outcome[] {
  assert(position === state.position + 1, `Entry ${position} does not follow ${state.position}`);
  state.position = position;
  state.timeMs = Math.max(state.timeMs, entry.timeMs);
  return entry.ops.map((op) => apply(state, op));
}

/** Applies one checked op. A refusal changes nothing. */
export function apply(state: CellState, op: Op): Outcome {
  const problem = opProblem(state, op);
  if (problem !== undefined) return refused(problem);
  const before = remembered(state, op);
  const what = `${op.body.case} ${subjectOf(op)}`;
  if (before !== undefined) {
    if (before.what !== what) return refused(`Request id "${op.requestId}" was used for "${before.what}": take a fresh one`);
    return { ok: true, answer: { type: "repeated", position: before.position }, events: [], effects: [] };
  }
  assert(op.actor !== undefined, "An op without actor was not checked");
  const turn = new Turn(state, op.actor);
  const result = dispatch(turn, op);
  if (!result.ok) return result;
  remember(state, op, what);
  return { ok: true, answer: result.value ?? DONE, events: turn.events, effects: turn.effects() };
}

const DONE: Answer = { type: "done" };

function opProblem(state: CellState, op: Op): string | undefined {
  const which = op.body.case;
  if (op.actor === undefined || which === undefined) return "An op needs an actor and a body";
  if ((state.name === "") !== (which === "cellInit"))
    return state.name === "" ? "The cell does not exist yet: its first op is cellInit" : "The cell exists already";
  return permissionProblem(state, op.actor, which, ownerOf(op));
}

function dispatch(turn: Turn, op: Op): Result<Answer | undefined> {
  const { body } = op;
  switch (body.case) {
    case "cellInit":
      return init(turn, body.value);
    case "cellVersion":
      return setVersion(turn, body.value);
    case "cellConfigure":
      turn.state.config = body.value.config ?? turn.state.config;
      turn.emit({ kind: "cell.changed", subject: turn.state.name, detail: "configuration" });
      return ok(undefined);
    case "userGrant":
      return grant(turn, body.value);
    case "quotaSet":
      return setQuota(turn, body.value);
    case "schedulerSet":
      return setScheduler(turn, body.value);
    case "tokenSet":
      return setToken(turn, body.value);
    case "tokenRevoke":
      return revokeToken(turn, body.value);
    case "barrier":
      return ok(undefined);
    default:
      return dispatchJob(turn, body);
  }
}

function dispatchJob(turn: Turn, body: Op["body"]): Result<Answer | undefined> {
  switch (body.case) {
    case "jobSubmit":
      return body.value.spec === undefined ? refused("A submit needs a spec") : submitted(submitJob(turn, body.value.spec));
    case "allocSetSubmit":
      return body.value.spec === undefined ? refused("A submit needs a spec") : submitted(submitAllocSet(turn, body.value.spec));
    case "jobKill":
      return killJob(turn, body.value.job);
    case "jobRestart":
      return restartJob(turn, body.value);
    case "jobResize":
      return resizeJob(turn, body.value);
    case "jobForget":
      return forgetJob(turn, body.value.job);
    case "taskClaims": {
      const claims = applyClaims(turn, body.value);
      return claims.ok ? ok({ type: "claims", claims: claims.value }) : claims;
    }
    case "taskEvict":
      return evict(turn, body.value);
    case "taskLost":
      return giveUp(turn, body.value);
    case "reservations":
      return reserve(turn, body.value);
    default:
      return dispatchMachine(turn, body);
  }
}

function dispatchMachine(turn: Turn, body: Op["body"]): Result<Answer | undefined> {
  switch (body.case) {
    case "machineJoin":
      return body.value.facts === undefined ? refused("A machine needs facts") : joinMachine(turn, body.value.machine, body.value.facts);
    case "machineFacts":
      return body.value.facts === undefined ? refused("A machine needs facts") : changeFacts(turn, body.value.machine, body.value.facts);
    case "machineLeave":
      return leaveMachine(turn, body.value.machine);
    case "machineMark":
      return markMachine(turn, body.value.machine, body.value.reachable);
    case "machineDrain":
      return drainMachine(turn, body.value.machine, body.value.draining);
    case "machineReport":
      return applyReport(turn, body.value);
    default:
      return unreachable(body as never);
  }
}

const submitted = (result: Result<Submitted>): Result<Answer> =>
  result.ok ? ok({ type: "submitted", already: result.value.already }) : result;

function init(turn: Turn, op: CellInit): Result<undefined> {
  const owner = newUser(userId(op.owner));
  owner.roles.add(Role.USER).add(Role.CELL_ADMIN);
  turn.state.name = op.cell;
  turn.state.users.set(owner.id, owner);
  turn.emit({ kind: "cell.changed", subject: op.cell, detail: "created" });
  return ok(undefined);
}

/** New behaviour is switched on one version at a time, when all replicas can do it; one that cannot must stop, not guess. */
function setVersion(turn: Turn, op: CellVersion): Result<undefined> {
  if (op.version !== turn.state.version + 1)
    return refused(`The cell has version ${turn.state.version}: the next one is ${turn.state.version + 1}`);
  assert(op.version <= VERSION_MAX, `This build cannot do cell version ${op.version}: upgrade it before it may go on`);
  turn.state.version = op.version;
  turn.emit({ kind: "cell.changed", subject: turn.state.name, detail: `version ${op.version}` });
  return ok(undefined);
}

function setScheduler(turn: Turn, op: SchedulerSet): Result<undefined> {
  const { limits } = op;
  if (limits === undefined) return refused("A scheduler needs limits");
  if (limits.priorityMin > limits.priorityMax) return refused(`Priorities ${limits.priorityMin} to ${limits.priorityMax} are no range`);
  const known = turn.state.schedulers.get(op.name);
  if (known !== undefined) known.limits = limits;
  else turn.state.schedulers.set(op.name, { name: op.name, limits, claimed: ZERO, claimedJobs: new Map() });
  turn.emit({ kind: "scheduler.changed", subject: op.name });
  return ok(undefined);
}

/** Whose things an op is about, where it is about somebody's. */
export function ownerOf(op: Op): string | undefined {
  const { body } = op;
  if (body.case === "jobSubmit" || body.case === "allocSetSubmit") return body.value.spec?.user;
  if (body.case === "jobKill" || body.case === "jobRestart" || body.case === "jobResize")
    return body.value.job.slice(0, body.value.job.indexOf("/"));
  return undefined;
}

/** What an op is about, in one word; with its case it tells two requests apart. */
function subjectOf(op: Op): string {
  const body = op.body as { readonly case: OpCase; readonly value: Record<string, unknown> };
  const spec = body.value["spec"] as { user: string; name: string } | undefined;
  if (spec !== undefined) return `${spec.user}/${spec.name}`;
  return String(body.value["job"] ?? body.value["machine"] ?? body.value["user"] ?? body.value["name"] ?? "");
}
