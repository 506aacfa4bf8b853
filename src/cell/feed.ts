/**
 * The change feed: after every entry, what happened (events) and what the changed records are now. A reader that has an image of the
 * cell at some position and all items after it knows the cell as it is: items are ordered, without gap, one per entry. [KD6]
 * Records have one form, so a reader fills them in the same way whether they come from an image or from an item.
 */
import { assert } from "../base/assert.ts";
import type { JobId, MachineId } from "../base/id.ts";
import { traceOf } from "../base/trace.ts";
import type { FeedRecord } from "../wire/gen/borg/v1/feed_pb.ts";
import { ActorKind, type Op } from "../wire/gen/borg/v1/op_pb.ts";
import type { Outcome } from "./cell.ts";
import type { CellEvent, EventKind } from "./event.ts";
import { type Extent, feedRecord, recordsOf, userBody } from "./feed-piece.ts";
import { jobRecord, machineRecord, schedulerRecord, settingsOf, taskRecords } from "./record/record.ts";
import type { CellState } from "./state.ts";
import type { Touched } from "./touched.ts";

export interface FeedItem {
  readonly position: number;
  readonly timeMs: number;
  readonly events: readonly CellEvent[];
  /**
   * Records of what changed, as they are after the entry: cell, user, scheduler, machine, job (before its tasks), tasks (a run of them). They are whole, but
   * for a machine's facts: absent, these are what they were.
   */
  readonly records: readonly FeedRecord[];
  /** What is no more. A job takes its tasks along; a task that is no more had an index at or beyond its job's count. */
  readonly removed: readonly Removed[];
  /** Requests that made jobs what they are; for logs only, so that whoever does not know them does without. */
  readonly traces?: readonly JobTrace[];
}

export interface JobTrace {
  readonly job: JobId;
  readonly trace: string;
}

export type Removed =
  | { readonly kind: "job"; readonly id: JobId }
  | { readonly kind: "machine"; readonly id: MachineId }
  | { readonly kind: "task"; readonly id: string };

/** The whole cell at a position. Who reads it goes over its records once: there may be as many as the cell has tasks, and they need not all be there at a time. */
export interface Image {
  readonly position: number;
  readonly timeMs: number;
  readonly records: Iterable<FeedRecord>;
}

export type ImageOf = (state: CellState, extent?: Extent) => Image;

export interface WholeImage extends Image {
  readonly records: readonly FeedRecord[];
}

export const imageOf = (state: CellState, extent?: Extent): WholeImage => ({
  position: state.position,
  timeMs: state.timeMs,
  records: [...recordsOf(state, extent)],
});

/** An image whose records are made while they are read, which has to be before the next entry: at a cell's bounds all of them together take 200 MB. */
export function liveImageOf(state: CellState, extent?: Extent): Image {
  const { position, timeMs } = state;
  function* records(): Generator<FeedRecord> {
    for (const record of recordsOf(state, extent)) {
      assert(state.position === position, "An image is read before the next entry");
      yield record;
    }
  }
  return { position, timeMs, records: { [Symbol.iterator]: records } };
}

/** What one applied entry changed. Call it before the next entry is applied. */
export function feedItem(state: CellState, outcomes: readonly Outcome[]): FeedItem {
  const done = outcomes.filter((outcome) => outcome.ok);
  const events = done.flatMap((outcome) => outcome.events);
  // The ops of an entry share one list; ops that were applied one by one have one each.
  const touched = [...new Set(done.map((outcome) => outcome.touched))];
  const collected = touched.map((each) => collect(state, each));
  return {
    position: state.position,
    timeMs: state.timeMs,
    events,
    records: collected.flatMap(({ records }) => records),
    removed: collected.flatMap(({ removed }) => removed),
  };
}

/** Of an entry whose ops had these outcomes: which request each job goes back to. */
export function tracesOf(ops: readonly Op[], outcomes: readonly Outcome[]): readonly JobTrace[] {
  const traces: JobTrace[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    const { actor, requestId = "" } = ops[i] ?? {};
    if (!outcome.ok || requestId === "" || actor?.kind !== ActorKind.USER) continue;
    const jobs = outcome.events.filter(({ kind }) => TRACED.has(kind));
    if (jobs.length === 0) continue;
    const trace = traceOf(actor.name, requestId);
    for (const { subject } of jobs) traces.push({ job: subject as JobId, trace });
  }
  return traces;
}

/** What makes a job what it is. */
const TRACED: ReadonlySet<EventKind> = new Set(["job.submitted", "job.updated", "job.resized"]);

interface Collected {
  readonly records: readonly FeedRecord[];
  readonly removed: readonly Removed[];
}

function collect(state: CellState, touched: Touched): Collected {
  const records: FeedRecord[] = [];
  const removed: Removed[] = [];
  if (touched.isCell) records.push(feedRecord({ case: "cell", value: settingsOf(state) }));
  for (const id of touched.users) records.push(feedRecord(userBody(state.users.get(id)!)));
  for (const name of touched.schedulers)
    records.push(feedRecord({ case: "scheduler", value: schedulerRecord(state.schedulers.get(name)!) }));
  for (const name of touched.roles) records.push(feedRecord({ case: "role", value: state.roles.get(name)! }));
  for (const id of touched.machines) {
    const machine = state.machines.get(id);
    if (machine === undefined) removed.push({ kind: "machine", id });
    else records.push(feedRecord({ case: "machine", value: machineRecord(machine, touched.facts.has(id)) }));
  }
  for (const id of new Set([...touched.jobs, ...touched.tasks.keys()])) collectJob(state, touched, id, records, removed);
  return { records, removed };
}

function collectJob(state: CellState, touched: Touched, id: JobId, records: FeedRecord[], removed: Removed[]): void {
  const job = state.jobs.get(id);
  if (job === undefined) {
    removed.push({ kind: "job", id });
    return;
  }
  if (touched.jobs.has(id)) records.push(feedRecord({ case: "job", value: jobRecord(job) }));
  const indexes = [...(touched.tasks.get(id) ?? [])].sort((a, b) => a - b);
  const there = indexes.filter((index) => index < job.tasks.length);
  for (const value of taskRecords(job, there)) records.push(feedRecord({ case: "tasks", value }));
  for (const index of indexes.slice(there.length)) removed.push({ kind: "task", id: `${id}/${index}` });
}
