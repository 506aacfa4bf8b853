/**
 * Looks at the files of running tasks, one task after the other, a millisecond at a time: whatever a task has made of its directories, the
 * borglet goes on answering. A task above its limit is looked at twice, because files that were moved meanwhile count twice.
 */
import { DiskWalk } from "./disk-walk.ts";

/** So long at a time, with such a pause after it: a tenth of one processor at most, for all tasks together, and nobody waits long for it. */
const SLICE_MS = 1;
const PAUSE_MS = 9;
/** And so many names at least: on a machine where others take the processor away in the middle of it, a task that makes files must not make more of them than are counted. */
const STEPS_LEAST = 64;
/** Between two looks at a task; longer when a look takes long, so that no task costs more than a fiftieth of a processor. */
const LOOK_MS = 2000;
const REST_FACTOR = 50;

export interface Watched {
  readonly instance: string;
  /** Where its files are. */
  readonly parts: readonly string[];
  readonly limitBytes: number;
}

export interface DiskUse {
  readonly diskBytes: number;
  readonly isTooDeep: boolean;
}

interface Look extends Watched {
  limitBytes: number;
  dueMs: number;
  use: DiskUse | undefined;
}

/** One that is under way. */
interface Turn {
  readonly look: Look;
  walk: DiskWalk;
  /** What the first of two walks found. */
  first: DiskUse | undefined;
  spentMs: number;
}

const NOTHING: DiskUse = { diskBytes: 0, isTooDeep: false };

export class DiskWatch {
  readonly #looks = new Map<string, Look>();
  #queue: Look[] = [];
  #next = 0;
  #turn: Turn | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Called again and again with all that run. */
  watch(all: readonly Watched[]): void {
    for (const each of all) {
      const known = this.#looks.get(each.instance);
      if (known === undefined) this.#looks.set(each.instance, { ...each, dueMs: performance.now(), use: undefined });
      else known.limitBytes = each.limitBytes;
    }
    if (this.#timer !== undefined) return;
    const now = performance.now();
    this.#queue = [...this.#looks.values()].filter(({ dueMs }) => dueMs <= now);
    this.#next = 0;
    this.#go();
  }

  /** As of the last look. */
  use(instance: string): DiskUse {
    return this.#looks.get(instance)?.use ?? NOTHING;
  }

  /** Its run ended. */
  forget(instance: string): void {
    this.#looks.delete(instance);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#turn?.walk.close();
    this.#looks.clear();
  }

  #go(): void {
    this.#timer = undefined;
    const untilMs = performance.now() + SLICE_MS;
    while (performance.now() < untilMs) {
      this.#turn ??= this.#begin();
      if (this.#turn === undefined) return;
      if (this.#walked(this.#turn, untilMs)) this.#turn = undefined;
    }
    this.#timer = setTimeout(() => this.#go(), PAUSE_MS);
  }

  #begin(): Turn | undefined {
    const look = this.#queue[this.#next++];
    return look === undefined ? undefined : { look, walk: new DiskWalk(look.parts, look.limitBytes), first: undefined, spentMs: 0 };
  }

  /** True when nothing is left to do for it. */
  #walked(turn: Turn, untilMs: number): boolean {
    const { look, walk } = turn;
    if (this.#looks.get(look.instance) !== look) {
      walk.close();
      return true;
    }
    const sinceMs = performance.now();
    let steps = 0;
    const isDone = walk.go(() => ++steps > STEPS_LEAST && performance.now() >= untilMs);
    turn.spentMs += performance.now() - sinceMs;
    if (!isDone) return false;
    const found = { diskBytes: walk.bytes, isTooDeep: walk.isTooDeep };
    if (turn.first === undefined && (found.isTooDeep || found.diskBytes > look.limitBytes)) {
      turn.first = found;
      turn.walk = new DiskWalk(look.parts, look.limitBytes);
      return false;
    }
    look.use = lesser(turn.first, found);
    look.dueMs = performance.now() + Math.max(LOOK_MS, REST_FACTOR * turn.spentMs);
    return true;
  }
}

/** What both walks agree on. */
const lesser = (first: DiskUse = { diskBytes: Number.POSITIVE_INFINITY, isTooDeep: true }, second: DiskUse): DiskUse => ({
  diskBytes: Math.min(first.diskBytes, second.diskBytes),
  isTooDeep: first.isTooDeep && second.isTooDeep,
});
