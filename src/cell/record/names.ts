/** Names in the state and their numbers in a checkpoint, both ways. */
import { assert } from "../../base/assert.ts";
import type { Health } from "../../wire/gen/borg/v1/machine_pb.ts";
import { TaskState as WireState } from "../../wire/gen/borg/v1/record_pb.ts";
import { HEALTH, type HealthName } from "../health.ts";
import type { TaskState } from "../task.ts";

const STATES: Readonly<Record<TaskState, WireState>> = {
  pending: WireState.PENDING,
  starting: WireState.STARTING,
  running: WireState.RUNNING,
  stopping: WireState.STOPPING,
  ending: WireState.ENDING,
  dead: WireState.DEAD,
};

export const stateToWire = (state: TaskState): WireState => STATES[state];

export const stateFromWire = (wire: WireState): TaskState => named(STATE_NAMES, wire);
export const healthFromWire = (wire: Health): HealthName => named(HEALTH_NAMES, wire);

const STATE_NAMES = byNumber(STATES);
const HEALTH_NAMES = byNumber(HEALTH);

function byNumber<Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> {
  return new Map((Object.keys(table) as Name[]).map((name) => [table[name], name]));
}

function named<Name extends string>(names: ReadonlyMap<number, Name>, wire: number): Name {
  const name = names.get(wire);
  assert(name !== undefined, `A checkpoint holds an unknown number ${wire}`);
  return name;
}
