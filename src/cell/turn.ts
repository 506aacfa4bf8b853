/**
 * One op being applied: the state it may change, who asked and when, the records it touches, and the events that say to people what happened.
 * Nothing is performed here: what borglets have to do is the difference between the state and their reports.
 */
import type { JobId } from "../base/id.ts";
import type { Principal } from "../wire/gen/borg/v1/op_pb.ts";
import type { CellEvent } from "./event.ts";
import type { CellState, Machine } from "./state.ts";
import type { Touched } from "./touched.ts";

export class Turn {
  readonly state: CellState;
  readonly actor: Principal;
  /** The records that it changes; the whole entry has one list. */
  readonly touch: Touched;
  readonly events: CellEvent[] = [];
  /** Jobs that ended while those that wait for one are looked at; undefined: nobody is at it. */
  ended: JobId[] | undefined;

  constructor(state: CellState, actor: Principal, touch: Touched) {
    this.state = state;
    this.actor = actor;
    this.touch = touch;
  }

  get timeMs(): number {
    return this.state.timeMs;
  }

  emit(event: CellEvent): void {
    this.events.push(event);
  }

  /** What a claim rests on has changed: one that was planned before sees it by the number (Omega's coarse detection). */
  raise(machine: Machine): void {
    machine.sequence += 1;
    this.touch.machine(machine);
  }

  /** A number that no instance of this cell ever had. */
  nextIncarnation(): number {
    this.state.incarnations += 1;
    return this.state.incarnations;
  }
}
