/** What one page watches, and what it has been told of it: the next answer has only the difference. */
import type { Touched } from "../../cell/touched.ts";
import { type Init, make, same } from "../../wire/codec.ts";
import { ReadEventsRequestSchema, type View, type ViewChangeSchema, ViewKind, ViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import { readEvents } from "./reads.ts";
import { type CellSamples, cellView } from "./view-cell.ts";
import type { ViewIndex } from "./view-index.ts";
import { jobWindow, machineWindow, rowsOf } from "./view-rows.ts";
import { taskWindow } from "./view-tasks.ts";
import { queryOf, type Window } from "./view-window.ts";

/** Differences of one view come no more often than this, those of the whole cell less often. */
const PACE_MS = 100;
const CELL_PACE_MS = 1000;
/** Use is measured all the time: a window is sent with it so often, whatever else happens. */
const USAGE_MS = 2000;
/** A view that costs a unit of work (2 ms) waits so long for its next turn: it has a twentieth of the thread at most. */
const PACE_MS_PER_UNIT = 40;
const EVENTS_DEFAULT = 50;

type Change = Init<typeof ViewChangeSchema>;

export interface Sight {
  readonly copy: Copy;
  readonly index: ViewIndex;
  readonly samples: CellSamples;
  readonly user: string;
  readonly nowMs: number;
  readonly meter: Meter;
}

export class WatchedView {
  readonly view: View;
  #order: readonly string[] = [];
  #names: ReadonlySet<string> = new Set();
  #total = 0;
  /** Rows of the window that changed since they were sent. */
  #dirty = new Set<string>();
  /** Something changed that may move rows in or out. */
  #moved = true;
  #isNew = true;
  #nextMs = 0;
  #usageMs = 0;
  /** What it was told of the map, and the last sample, in cell time. */
  #mapVersion = 0;
  #sampleMs = 0;
  #cursor = { position: 0, index: 0 };

  constructor(view: View) {
    this.view = view;
  }

  isOf(view: View): boolean {
    return same(ViewSchema, this.view, view);
  }

  touched({ jobs, tasks, machines }: Touched): void {
    this.#moved = true;
    const { kind } = this.view;
    if (kind === ViewKind.MACHINES) for (const id of machines) this.#mark(id);
    if (kind === ViewKind.JOBS) for (const id of [...jobs, ...tasks.keys()]) this.#mark(id);
    if (kind === ViewKind.TASKS) for (const [job, indexes] of tasks) for (const i of indexes) this.#mark(`${job}/${i}`);
  }

  #mark(name: string): void {
    if (this.#names.has(name)) this.#dirty.add(name);
  }

  /** What is new, if it is its turn and there is something. */
  look(sight: Sight): Change | undefined {
    const { nowMs, meter } = sight;
    if (nowMs < this.#nextMs) return undefined;
    const before = meter.work;
    const change = this.#difference(sight);
    const pace = this.view.kind === ViewKind.CELL || this.view.kind === ViewKind.MAP ? CELL_PACE_MS : PACE_MS;
    this.#nextMs = nowMs + Math.max(pace, PACE_MS_PER_UNIT * (meter.work - before));
    const isNew = this.#isNew;
    this.#isNew = false;
    return change === undefined ? undefined : { ...change, ...(isNew ? { anew: true } : {}) };
  }

  #difference(sight: Sight): Change | undefined {
    switch (this.view.kind) {
      case ViewKind.CELL:
        return this.#isDue(sight) ? this.#cell(sight) : undefined;
      case ViewKind.MAP:
        return this.#isDue(sight) ? this.#map(sight) : undefined;
      case ViewKind.EVENTS:
        return this.#events(sight);
      default:
        return this.#rows(sight);
    }
  }

  #isDue({ nowMs }: Sight): boolean {
    if (!this.#moved && nowMs - this.#usageMs < USAGE_MS) return false;
    this.#moved = false;
    this.#usageMs = nowMs;
    return true;
  }

  #cell({ copy, index, samples, user, meter }: Sight): Change {
    const untold = samples.after(this.#sampleMs);
    this.#sampleMs = untold.at(-1)?.timeMs ?? this.#sampleMs;
    return { cell: cellView(copy, index, untold, user, meter) };
  }

  #map({ index, meter }: Sight): Change | undefined {
    const all = index.map(meter, queryOf(this.view.query).keys.get("group") ?? "");
    const map = all.since(this.#mapVersion);
    this.#mapVersion = all.version;
    return map === undefined ? undefined : { map };
  }

  #events({ copy, meter }: Sight): Change | undefined {
    if (!this.#moved) return undefined;
    this.#moved = false;
    const { position: afterPosition, index: afterIndex } = this.#cursor;
    const { query: about, limit } = this.view;
    const request = make(ReadEventsRequestSchema, { afterPosition, afterIndex, about, limit: limit || EVENTS_DEFAULT });
    const page = readEvents(copy, request, meter);
    this.#cursor = { position: page.nextPosition, index: page.nextIndex };
    return page.events.length === 0 && !this.#isNew ? undefined : { events: page.events };
  }

  #rows(sight: Sight): Change | undefined {
    const { nowMs } = sight;
    const isUsageDue = nowMs - this.#usageMs >= USAGE_MS;
    if (!this.#moved && !isUsageDue) return undefined;
    // What is used moves rows, too.
    const { names, total } = this.#moved || isUsageDue ? this.#window(sight) : { names: this.#order, total: this.#total };
    this.#moved = false;
    if (isUsageDue) this.#usageMs = nowMs;
    const sent = names.filter((name) => isUsageDue || !this.#names.has(name) || this.#dirty.has(name));
    this.#dirty.clear();
    const ordered = this.#isNew || names.length !== this.#order.length || names.some((name, i) => name !== this.#order[i]);
    if (sent.length === 0 && !ordered && total === this.#total) return undefined;
    this.#total = total;
    if (ordered) this.#order = names;
    if (ordered) this.#names = new Set(names);
    return { total, ordered, order: ordered ? [...names] : [], ...rowsOf(this.view.kind, sent, sight) };
  }

  #window({ copy, index, user, meter }: Sight): Window {
    if (this.view.kind === ViewKind.JOBS) return jobWindow(index, this.view, user, meter);
    if (this.view.kind === ViewKind.TASKS) return taskWindow(copy, index, this.view, user, meter);
    return machineWindow(index, this.view, meter);
  }
}
