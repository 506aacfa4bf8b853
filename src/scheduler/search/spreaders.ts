/**
 * Jobs that want each task on another machine need many machines at once, each with some room. Good packing leaves few such: who comes late
 * finds the cell's room on too few machines. So while a large one waits, machines with room for it are counted, and when there are only
 * just enough it goes first among its priority. One that cannot be placed whole waits for its turn like everybody, and jumps no line.
 *
 * A claim takes the room of one machine at most: between two counts as many claims may pass as there are machines to spare.
 */
import { isGang, isHardSpread } from "../../cell/spec.ts";
import type { Face, Task } from "../../cell/state.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Line, Round } from "../queue.ts";
import { needOf } from "./feasible.ts";
import type { Policy } from "./policy.ts";
import { ALL_SHORTCUTS, Search } from "./search.ts";
import type { Shares } from "./shares.ts";

/** Jobs with fewer tasks than this part of the machines find room late too. */
const LARGE_PART = 0.02;
/** How many are watched in a priority: the largest. */
const WATCHED_MAX = 8;
/** Machines with room, for each task, from which on a job goes first. */
const MARGIN = 1.25;
/** Nobody counts further than so many times as many. */
const PLENTY = 3;
/** Claims between two counts, at least: a part of the machines, since each is asked. */
const CLAIMS_PART = 0.005;

interface Watched {
  readonly line: Line;
  readonly search: Search;
  /** After how many claims machines are to be counted again. */
  due: number;
}

export class Spreaders {
  readonly #mirror: Mirror;
  readonly #policy: Policy;
  readonly #shares: Shares;
  readonly #waiting = new Map<number, Line[]>();
  #priority = -1;
  #watched: Watched[] = [];
  /** The earliest that a count is due. */
  #due = Number.POSITIVE_INFINITY;

  constructor(mirror: Mirror, round: Round, policy: Policy, shares: Shares) {
    this.#mirror = mirror;
    this.#policy = policy;
    this.#shares = shares;
    const large = Math.max(2, mirror.machines.size * LARGE_PART);
    for (const line of round.every()) {
      if (line.size < large || line.memory.classes.length > 0 || !isSpreader(line.face)) continue;
      const { priority } = line.face;
      const known = this.#waiting.get(priority);
      if (known === undefined) this.#waiting.set(priority, [line]);
      else known.push(line);
    }
  }

  /** A job that has to go first now, of the priority whose turn it is. `claims`: how many the pass has planned. */
  pressing(priority: number, claims: number): Line | undefined {
    if (this.#priority !== priority) this.#enter(priority, claims);
    while (this.#due <= claims) {
      const watched = this.#watched.find(({ due }) => due <= claims);
      if (watched !== undefined && this.#isPressing(watched, claims)) return watched.line;
    }
    return undefined;
  }

  #enter(priority: number, claims: number): void {
    this.#priority = priority;
    const largest = (this.#waiting.get(priority) ?? []).sort((a, b) => b.size - a.size).slice(0, WATCHED_MAX);
    this.#watched = largest.map((line) => ({ line, search: this.#searchFor(line), due: claims }));
    this.#schedule();
  }

  #searchFor({ job, indexes }: Line): Search {
    const need = needOf(job.tasks[indexes[0] ?? 0] as Task);
    return new Search(this.#mirror.slots(this.#policy, need.prod), need, this.#mirror.tallyOf(job), this.#shares, ALL_SHORTCUTS);
  }

  /** Who goes first, and who cannot be placed whole, is not watched any longer. */
  #isPressing(watched: Watched, claims: number): boolean {
    const { left } = watched.line;
    const wanted = Math.ceil(left * MARGIN);
    const able = left === 0 ? 0 : watched.search.countFitting(wanted * PLENTY);
    const spare = able - wanted;
    if (spare > 0) watched.due = claims + Math.max(spare, Math.ceil(this.#mirror.machines.size * CLAIMS_PART));
    else this.#watched = this.#watched.filter((each) => each !== watched);
    this.#schedule();
    return spare <= 0 && left > 0 && able >= left;
  }

  #schedule(): void {
    this.#due = Math.min(...this.#watched.map(({ due }) => due));
  }
}

/** Gangs are planned whole anyway; tasks inside allocs, and those that belong to a machine, have no machines to choose from. */
function isSpreader(face: Face): boolean {
  if (!isHardSpread(face) || isGang(face)) return false;
  return face.wants.allocSet === "" && !face.wants.perMachine;
}
