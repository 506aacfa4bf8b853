/** Names in the state and their numbers in a checkpoint, both ways. */
import { assert } from "../../base/assert.ts";
import type { Health } from "../../wire/gen/borg/v1/machine_pb.ts";
import { UpdatePhase as WirePhase, TaskState as WireState, ToldKind as WireTold } from "../../wire/gen/borg/v1/record_pb.ts";
import { HEALTH, type HealthName } from "../health.ts";
import type { ToldKind, UpdatePhase } from "../state.ts";
import type { TaskState } from "../task.ts";

const STATES: Readonly<Record<TaskState, WireState>> = {
  pending: WireState.PENDING,
  starting: WireState.STARTING,
  running: WireState.RUNNING,
  stopping: WireState.STOPPING,
  ending: WireState.ENDING,
  dead: WireState.DEAD,
};

export const PHASES: Readonly<Record<UpdatePhase, WirePhase>> = {
  rolling: WirePhase.ROLLING,
  paused: WirePhase.PAUSED,
  undoing: WirePhase.UNDOING,
  rolled: WirePhase.ROLLED,
};

export const TOLD: Readonly<Record<ToldKind, WireTold>> = {
  free: WireTold.FREE,
  "in-place": WireTold.IN_PLACE,
  restart: WireTold.RESTART,
  move: WireTold.MOVE,
  skip: WireTold.SKIP,
  back: WireTold.BACK,
};

export const stateToWire = (state: TaskState): WireState => STATES[state];

export const stateFromWire = (wire: WireState): TaskState => named(STATE_NAMES, wire);
export const phaseFromWire = (wire: WirePhase): UpdatePhase => named(PHASE_NAMES, wire);
export const toldFromWire = (wire: WireTold): ToldKind => named(TOLD_NAMES, wire);
export const healthFromWire = (wire: Health): HealthName => named(HEALTH_NAMES, wire);

const STATE_NAMES = byNumber(STATES);
const HEALTH_NAMES = byNumber(HEALTH);
const PHASE_NAMES = byNumber(PHASES);
const TOLD_NAMES = byNumber(TOLD);

function byNumber<Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> {
  return new Map((Object.keys(table) as Name[]).map((name) => [table[name], name]));
}

function named<Name extends string>(names: ReadonlyMap<number, Name>, wire: number): Name {
  const name = names.get(wire);
  assert(name !== undefined, `A checkpoint holds an unknown number ${wire}`);
  return name;
}
