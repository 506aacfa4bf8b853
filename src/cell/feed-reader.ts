/**
 * Reads the feed from the other end of the API: first the whole cell, piece by piece and with what changes meanwhile, then item by item. Whoever uses it
 * gets one image and the items after it, and knows nothing of pieces.
 */
import { type JobId, splitTask, type TaskId } from "../base/id.ts";
import type { ReadFeedResponse } from "../wire/gen/borg/v1/api_pb.ts";
import { type FeedRecord, type FeedRecords, RemovedKind } from "../wire/gen/borg/v1/feed_pb.ts";
import type { JobRecord, TaskRecord } from "../wire/gen/borg/v1/record_pb.ts";
import type { FeedItem, Image, Removed } from "./feed.ts";
import { feedRecord } from "./feed-piece.ts";
import { tasksRecord } from "./record/record.ts";

export interface Heard {
  /** The cell as it is, once all of it is there. What was known before is void. */
  readonly image: Image | undefined;
  readonly items: readonly FeedItem[];
}

export class FeedReader {
  #from: number;
  #more = "";
  /** While it comes in pieces. */
  #parts: Parts | undefined;

  /** `from`: the position after the last item that is known; 0: nothing is. */
  constructor(from = 0) {
    this.#from = from;
  }

  /** What to ask for next. */
  get request(): { readonly from: number; readonly more: string } {
    return { from: this.#from, more: this.#more };
  }

  hear(page: ReadFeedResponse): Heard {
    if (page.anew) this.#parts = new Parts();
    this.#from = page.next;
    this.#more = page.more;
    const items = page.items.map(feedItemOf);
    const parts = this.#parts;
    if (parts === undefined) return { image: undefined, items };
    for (const item of items) parts.follow(item);
    parts.fill(page.piece);
    if (page.more !== "") return { image: undefined, items: [] };
    this.#parts = undefined;
    return { image: { position: page.next - 1, timeMs: page.timeMs, records: parts.records() }, items: [] };
  }
}

/** Items as they are in this process. Their events stay behind: who wants them reads them from the page. */
export function feedItemOf({ position, timeMs, records, removed, events }: FeedRecords): FeedItem {
  const traces = events.flatMap(({ subject, trace }) => (trace === "" ? [] : [{ job: subject as JobId, trace }]));
  return {
    position,
    timeMs,
    records,
    removed: removed.map(({ kind, id }) => ({ kind: REMOVED[kind], id }) as Removed),
    events: [],
    traces,
  };
}

const REMOVED: Readonly<Record<RemovedKind, Removed["kind"] | undefined>> = {
  [RemovedKind.UNSPECIFIED]: undefined,
  [RemovedKind.JOB]: "job",
  [RemovedKind.MACHINE]: "machine",
  [RemovedKind.TASK]: "task",
};

interface JobPart {
  record: JobRecord;
  readonly tasks: TaskRecord[];
}

/** Records by name, the newest of each. */
class Parts {
  readonly #named = new Map<string, FeedRecord>();
  readonly #jobs = new Map<string, JobPart>();

  fill(records: readonly FeedRecord[]): void {
    for (const record of records) {
      const { body } = record;
      if (body.case === "job") this.#fillJob(body.value);
      else if (body.case === "tasks") this.#fillTasks(body.value.job, body.value.first, body.value.tasks);
      else if (body.case === "machine") this.#fillMachine(record);
      else if (body.case !== undefined) this.#named.set(`${body.case} ${body.value.name}`, record);
    }
  }

  follow(item: FeedItem): void {
    this.fill(item.records);
    for (const removed of item.removed) {
      if (removed.kind === "job") this.#jobs.delete(removed.id);
      else if (removed.kind === "machine") this.#named.delete(`machine ${removed.id}`);
      else this.#removeTask(splitTask(removed.id as TaskId));
    }
  }

  /** The last ones go first. */
  #removeTask({ job, index }: { readonly job: string; readonly index: number }): void {
    this.#jobs.get(job)?.tasks.splice(index);
  }

  /** What changed without its facts is of no use before its facts came. */
  #fillMachine(record: FeedRecord): void {
    if (record.body.case !== "machine") return;
    const key = `machine ${record.body.value.name}`;
    const before = this.#named.get(key)?.body;
    const facts = record.body.value.facts ?? (before?.case === "machine" ? before.value.facts : undefined);
    if (facts !== undefined) this.#named.set(key, feedRecord({ case: "machine", value: { ...record.body.value, facts } }));
  }

  #fillJob(record: JobRecord): void {
    const id = `${record.spec.value?.user}/${record.spec.value?.name}`;
    const known = this.#jobs.get(id);
    if (known === undefined) this.#jobs.set(id, { record, tasks: [] });
    else known.record = record;
  }

  /** A job of which nothing came yet comes whole later on; so does what stands beyond the tasks that came. */
  #fillTasks(id: string, first: number, records: readonly TaskRecord[]): void {
    const tasks = this.#jobs.get(id)?.tasks;
    if (tasks === undefined) return;
    for (const [i, record] of records.entries()) if (first + i <= tasks.length) tasks[first + i] = record;
  }

  records(): FeedRecord[] {
    const out = [...this.#named.values()];
    for (const [id, { record, tasks }] of this.#jobs) {
      out.push(feedRecord({ case: "job", value: record }));
      if (tasks.length > 0) out.push(feedRecord({ case: "tasks", value: tasksRecord(id, 0, tasks) }));
    }
    return out;
  }
}
