/**
 * The last events of a cell, for people: what happened to a job, a task or a machine, and a cursor to go on from. It is made from the same
 * entries as the state, so it starts where the snapshot stands and never tells of what was not durable. The journal itself goes further back.
 */
import { splitTask, taskOf } from "../../base/id.ts";
import type { Outcome } from "../../cell/cell.ts";
import type { CellEvent } from "../../cell/event.ts";
import { ActorKind, type Op, type Principal } from "../../wire/gen/borg/v1/op_pb.ts";
import { isNoise } from "./event-text.ts";

/** Kept in memory; older ones are dropped in lots. */
const EVENTS_MAX = 50_000;
const DROPPED_AT_ONCE = 5_000;

export interface LoggedEvent {
  readonly position: number;
  /** Among the events of its entry. */
  readonly index: number;
  readonly op: number;
  readonly timeMs: number;
  readonly actor: Principal | undefined;
  /** Of the request that made it happen. Told to nobody: what is told is its trace. */
  readonly requestId: string;
  readonly event: CellEvent;
}

export interface Cursor {
  readonly position: number;
  readonly index: number;
}

/** Which events are asked for. */
export interface About {
  /** Of a job, task, machine or user; empty: of everything. */
  readonly name: string;
  readonly isMeant: ((subject: string) => boolean) | undefined;
}

export interface Page {
  readonly events: readonly LoggedEvent[];
  readonly next: Cursor;
  /** Events between the cursor and the first one are no longer kept. */
  readonly missed: boolean;
  /** How many events were looked at. */
  readonly looked: number;
}

/** What an entry's ops made happen, in order. */
export function loggedEvents(position: number, timeMs: number, ops: readonly Op[], outcomes: readonly Outcome[]): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const [op, outcome] of outcomes.entries())
    if (outcome.ok)
      for (const event of outcome.events)
        events.push({
          ...{ position, index: events.length + 1, op, timeMs, actor: ops[op]?.actor, event },
          requestId: ops[op]?.actor?.kind === ActorKind.USER ? ops[op].requestId : "",
        });
  return events;
}

export class EventLog {
  #events: LoggedEvent[] = [];
  /** Nothing is known of entries up to this one. */
  #since: number;
  #last: number;

  constructor(position: number) {
    this.#since = position;
    this.#last = position;
  }

  get size(): number {
    return this.#events.length;
  }

  /** The events of an entry. What nobody reads is kept out from the start, so that "the newest 50" are fifty that say something. */
  add(position: number, events: readonly LoggedEvent[]): void {
    for (const each of events) if (!isNoise(each.event)) this.#events.push(each);
    this.#last = position;
    if (this.#events.length <= EVENTS_MAX) return;
    const dropped = this.#events[DROPPED_AT_ONCE - 1] as LoggedEvent;
    this.#events = this.#events.slice(DROPPED_AT_ONCE);
    this.#since = dropped.position;
  }

  /** Events after the cursor; without one (position 0) the newest. */
  read(after: Cursor, about: About, limit: number): Page {
    if (after.position === 0) return this.#page(this.newest(about, limit));
    const first = this.#firstAfter(after);
    const found: LoggedEvent[] = [];
    let i = first;
    for (; i < this.#events.length && found.length < limit; i++) {
      const each = this.#events[i] as LoggedEvent;
      if (isMeant(each.event, about)) found.push(each);
    }
    const missed = after.position < this.#since;
    const last = this.#events[i - 1];
    const next = i > first && last !== undefined ? { position: last.position, index: last.index } : after;
    return { events: found, next: missed && i === first ? { position: this.#since, index: 0 } : next, missed, looked: i - first };
  }

  newest(about: About, limit: number): readonly LoggedEvent[] {
    const found: LoggedEvent[] = [];
    for (let i = this.#events.length - 1; i >= 0 && found.length < limit; i--) {
      const each = this.#events[i] as LoggedEvent;
      if (isMeant(each.event, about)) found.push(each);
    }
    return found.reverse();
  }

  #page(events: readonly LoggedEvent[]): Page {
    const last = this.#events.at(-1);
    return {
      events,
      missed: false,
      looked: this.#events.length,
      next: last === undefined ? { position: Math.max(this.#last, 1), index: 0 } : { position: last.position, index: last.index },
    };
  }

  /** Events are in order, so halving finds it. */
  #firstAfter({ position, index }: Cursor): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const each = this.#events[middle] as LoggedEvent;
      if (each.position < position || (each.position === position && each.index <= index)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A condition on the subject comes second: it costs more. */
const isMeant = (event: CellEvent, about: About): boolean => isAbout(event, about.name) && (about.isMeant?.(event.subject) ?? true);

/** A job's name also means its tasks, a user's its jobs, and a machine's what happened on it. */
function isAbout(event: CellEvent, about: string): boolean {
  if (about === "" || event.subject === about || event.machine === about || event.instance === about) return true;
  if (event.subject.startsWith(`${about}/`)) return true;
  return event.preemptor !== undefined && (taskOf(event.preemptor) === about || splitTask(taskOf(event.preemptor)).job === about);
}
