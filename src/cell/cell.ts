/**
 * A cell: its state, and the only way it changes. `apply` reads nothing but the state and the entry: the same entries in
 * the same order give the same state, byte for byte, on every replica and in Fauxmaster.
 */
import { assert } from "../base/assert.ts";
import { type Refused, refused } from "../base/result.ts";
import { ZERO } from "../base/vector.ts";
import type { Entry, Op, Principal } from "../wire/gen/borg/v1/op_pb.ts";
import type { Answer } from "./answer.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import type { CellEvent } from "./event.ts";
import { remember, repeated } from "./ops/requests.ts";
import { applyBody, type BodyOf, isKnown, permissionProblem, subjectOf } from "./ops/table.ts";
import type { CellState } from "./state.ts";
import { Touched } from "./touched.ts";
import { Turn } from "./turn.ts";

export interface Done {
  readonly ok: true;
  readonly answer: Answer;
  readonly events: readonly CellEvent[];
  /** The records that the op's entry changed. */
  readonly touched: Touched;
}

export type Outcome = Done | Refused;

export function newState(): CellState {
  return {
    name: "",
    version: 1,
    position: 0,
    timeMs: 0,
    expiryLagMs: 0,
    expiryLagUntilMs: 0,
    incarnations: 0,
    config: DEFAULT_CONFIG,
    links: undefined,
    evictionDays: [],
    users: new Map(),
    schedulers: new Map(),
    roles: new Map(),
    machines: new Map(),
    invitations: new Map(),
    jobs: new Map(),
    waiters: new Map(),
    perMachine: new Set(),
    capacity: ZERO,
    inSets: new Map(),
    limiting: new Map(),
    specBytes: 0,
    taskCount: 0,
  };
}

/** Applies one durable entry; one outcome for each of its ops. Time never runs back. */
export function applyEntry(state: CellState, position: number, entry: Entry): Outcome[] {
  assert(position === state.position + 1, `Entry ${position} does not follow ${state.position}`);
  state.position = position;
  state.timeMs = Math.max(state.timeMs, entry.timeMs);
  const touched = new Touched();
  return entry.ops.map((op) => apply(state, op, touched));
}

/** Applies one checked op. A refusal changes nothing. */
export function apply(state: CellState, op: Op, touched: Touched = new Touched()): Outcome {
  const { actor, body } = op;
  const name = body.case;
  if (actor === undefined || name === undefined) return refused("An op needs an actor and a body");
  if (!isKnown(body)) return refused(`This build does not know the op "${name}"`);
  const problem = opProblem(state, actor, body);
  if (problem !== undefined) return refused(problem);
  const what = `${name} ${subjectOf(body)}`;
  const before = repeated(state, op, what);
  if (before !== undefined) return before.ok ? { ok: true, answer: before.value, events: [], touched } : before;
  const turn = new Turn(state, actor, touched);
  const result = applyBody(turn, body);
  if (!result.ok) return result;
  remember(state, op, what);
  return { ok: true, answer: result.value, events: turn.events, touched };
}

function opProblem(state: CellState, actor: Principal, body: BodyOf): string | undefined {
  if ((state.name === "") !== (body.case === "cellInit"))
    return state.name === "" ? "The cell does not exist yet: its first op is cellInit" : "The cell exists already";
  return permissionProblem(state, actor, body);
}
