/**
 * One op being applied: the state it may change, who asked and when, and what comes of it. Events say what happened;
 * effects say what others have to do once the entry is durable. Nothing is performed here.
 */
import type { InstanceId, MachineId, TaskId } from "../base/id.ts";
import type { Principal } from "../wire/gen/borg/v1/op_pb.ts";
import type { Cause } from "./cause.ts";
import type { CellState, Task } from "./state.ts";
import { TASK_EFFECTS, type TaskEffect } from "./task.ts";

export type EventKind =
  | "cell.changed"
  | "cell.clock"
  | "user.changed"
  | "quota.changed"
  | "scheduler.changed"
  | "job.submitted"
  | "job.resized"
  | "job.released"
  | "job.killed"
  | "job.state"
  | "job.forgotten"
  | "task.state"
  | "task.added"
  | "task.removed"
  | "task.changed"
  | "instance.changed"
  | "instance.gone"
  | "reservation.changed"
  | "machine.joined"
  | "machine.changed"
  | "machine.left";

/** What happened. `subject` is the user, job, task or machine it is about. */
export interface CellEvent {
  readonly kind: EventKind;
  readonly subject: string;
  readonly instance?: InstanceId;
  readonly machine?: MachineId;
  readonly from?: string;
  readonly to?: string;
  readonly cause?: Cause;
  readonly preemptor?: InstanceId;
  readonly detail?: string;
}

/** What others have to do about a task, once the entry is durable. */
export interface Effect {
  readonly type: TaskEffect;
  readonly task: TaskId;
  readonly instance?: InstanceId;
  readonly machine?: MachineId;
  /** A start waits until these are gone. */
  readonly after?: readonly InstanceId[];
  readonly noticeMs?: number;
}

export class Turn {
  readonly state: CellState;
  readonly actor: Principal;
  readonly events: CellEvent[] = [];
  readonly #effects: Effect[] = [];

  constructor(state: CellState, actor: Principal) {
    this.state = state;
    this.actor = actor;
  }

  get timeMs(): number {
    return this.state.timeMs;
  }

  emit(event: CellEvent): void {
    this.events.push(event);
  }

  /** Asks for what a transition needs. An alloc has no process of its own: only tasks are started, stopped and published. */
  ask(type: TaskEffect, task: Task): void {
    const instance = task.instance;
    if (instance?.inside !== undefined && type !== "enqueue") return;
    if (type === "enqueue" || instance === undefined) {
      this.#effects.push({ type, task: task.id });
      return;
    }
    const common = { type, task: task.id, instance: instance.id, machine: instance.place.machine.id };
    if (type === "start") this.#effects.push({ ...common, after: waitsFor(task) });
    else if (type === "stop") this.#effects.push({ ...common, noticeMs: instance.stop?.noticeMs ?? 0 });
    else this.#effects.push(common);
  }

  /** In the declared order: nothing is started before what has to stop was told so. */
  effects(): readonly Effect[] {
    if (this.#effects.length < 2) return this.#effects;
    return TASK_EFFECTS.flatMap((type) => this.#effects.filter((effect) => effect.type === type));
  }

  /** A number that no instance of this cell ever had. */
  nextIncarnation(): number {
    this.state.incarnations += 1;
    return this.state.incarnations;
  }
}

/**
 * The victims whose room an instance may use: they no longer count in feasibility, so a start there has to wait until they
 * are gone. Those are the victims on the machine with all that is inside them, and in its own alloc.
 */
export function waitsFor(task: Task): readonly InstanceId[] {
  const place = task.instance?.place;
  if (place === undefined) return [];
  const out = new Set<InstanceId>();
  for (const occupant of [...place.machine.place.occupants.values(), ...place.occupants.values()]) {
    if (occupant.stop?.preemptor === undefined) continue;
    if (occupant.inside === undefined) out.add(occupant.id);
    else for (const inner of occupant.inside.occupants.keys()) out.add(inner);
  }
  return [...out].sort();
}
