/** A cell that is made up: a journal whose every entry is worked out from its position, and a feed and a log of events that show it as a master's do. */

import type { FeedSource } from "../../src/infrastore/ingest.ts";
import { make } from "../../src/wire/codec.ts";
import { ReadEventsResponseSchema, ReadFeedResponseSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { type Event, EventKind, EventSchema } from "../../src/wire/gen/borg/v1/event_pb.ts";
import { FeedRecordsSchema } from "../../src/wire/gen/borg/v1/feed_pb.ts";
import { ActorKind, Cause } from "../../src/wire/gen/borg/v1/op_pb.ts";

const FIRST_MS = Date.UTC(2030, 0, 1, 23, 59, 50);
export const OWNERS = ["ann", "bob", "carl"] as const;
const PAGE = 7;

/** From none to three; one in five is noise. */
export function eventsAt(position: number): Event[] {
  return Array.from({ length: (position * 7) % 4 }, (_, i) => {
    const owner = OWNERS[(position + i) % OWNERS.length];
    const noise = (position + i) % 5 === 0;
    return make(EventSchema, {
      position,
      index: i + 1,
      timeMs: FIRST_MS + position * 700,
      kind: noise ? EventKind.RESERVATION_CHANGED : EventKind.TASK_STATE,
      subject: `${owner}/job/${i}`,
      instance: `${owner}/job/${i}:${position}`,
      machine: "m1",
      from: "pending",
      to: "starting",
      cause: Cause.PLACED,
      actor: { kind: ActorKind.SCHEDULER, name: "service" },
    });
  });
}

/** What has to be in the files when everything up to this entry is told: position and number of each event. */
export const toldUpTo = (position: number): string[] =>
  Array.from({ length: position }, (_, i) => eventsAt(i + 1))
    .flat()
    .filter(({ kind }) => kind !== EventKind.RESERVATION_CHANGED)
    .map((event) => `${event.position} ${event.index}`);

/** A journal that grows while it is read. */
export function growing(from: number, last: number): () => number {
  let tip = from;
  return () => {
    tip = Math.min(last, tip + 4);
    return tip;
  };
}

export interface MadeCellOptions {
  /** The last entry there is. */
  readonly last: () => number;
  /** A master that started again: items of entries up to here are not kept. */
  readonly ringFrom: number;
  /** Of events up to here nothing is known. */
  readonly logFrom?: number;
}

export function madeCell({ last, ringFrom, logFrom = 0 }: MadeCellOptions): FeedSource {
  let isRead = false;
  return {
    readFeed: async ({ from }) => {
      const tip = last();
      const anew = from === 0 || from <= ringFrom || (!isRead && ringFrom > 0);
      isRead = true;
      const first = anew ? tip + 1 : from;
      const positions = Array.from({ length: Math.max(0, Math.min(PAGE, tip - first + 1)) }, (_, i) => first + i);
      const items = positions.map((position) => make(FeedRecordsSchema, { position, timeMs: FIRST_MS, events: eventsAt(position) }));
      return make(ReadFeedResponseSchema, { items, anew, next: anew ? tip + 1 : first + items.length, timeMs: FIRST_MS });
    },
    readEvents: async ({ afterPosition, afterIndex, limit }) => {
      const tip = last();
      const all = Array.from({ length: tip }, (_, i) => eventsAt(i + 1)).flat();
      const kept = all.filter(({ position, kind }) => position > logFrom && kind !== EventKind.RESERVATION_CHANGED);
      const after = kept.filter(
        (event) => event.position > afterPosition || (event.position === afterPosition && event.index > afterIndex),
      );
      const events = after.slice(0, Math.min(limit, PAGE));
      const end = events.at(-1);
      const missed = afterPosition < logFrom;
      const next = end ?? (missed ? { position: logFrom, index: 0 } : { position: afterPosition, index: afterIndex });
      return make(ReadEventsResponseSchema, {
        events: events.map((event) => ({ event })),
        nextPosition: next.position,
        nextIndex: next.index,
        missed,
      });
    },
  };
}
