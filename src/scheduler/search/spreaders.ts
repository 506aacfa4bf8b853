/**
 * Jobs that want each task on another machine need many machines at once, each with some room. Good packing leaves few such: who comes late
 * finds the cell's room on too few machines. So while such jobs wait, machines with room for them are counted, for all of them together, and when there
 * are only just enough for one it goes first among its priority. Only who asks for nothing odd is watched: half of the machines would take one of its
 * tasks while empty, and all of it can still be placed. Others wait for their turn like everybody, and jump no line.
 *
 * A claim takes the room of one machine at most: between two counts as many claims may pass as there are machines to spare.
 */
import { isGang, isHardSpread } from "../../cell/spec.ts";
import type { Face, Task } from "../../cell/state.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Line, Round } from "../queue.ts";
import { needOf } from "./feasible.ts";
import { Openings } from "./openings.ts";
import type { Policy } from "./policy.ts";
import { countTogether, type Room } from "./together.ts";

/** Jobs with fewer tasks than this part of the machines find room late too. */
const LARGE_PART = 0.02;
/** Of so many of a priority, the largest, those are watched who have least to spare. */
const CONSIDERED_MAX = 16;
const WATCHED_MAX = 8;
/** The part of the machines that would take a task of it while empty: who asks for fewer asks for something odd. */
const COMMON_PART = 0.5;
/** Machines with room, for each task, from which on a job goes first. */
const MARGIN = 1.25;
/** Claims between two counts, at least: a part of the machines, since each is asked. */
const CLAIMS_PART = 0.005;

interface Watched {
  readonly line: Line;
  readonly openings: Openings;
  /** The part that it needs of the machines with room for it. */
  readonly need: number;
}

const byNeed = (a: Watched, b: Watched): number => b.need - a.need;

export class Spreaders {
  readonly #mirror: Mirror;
  readonly #policy: Policy;
  readonly #waiting = new Map<number, Line[]>();
  #priority = -1;
  /** Who has least to spare comes first. */
  #watched: Watched[] = [];
  /** After how many claims machines are to be counted again. */
  #due = Number.POSITIVE_INFINITY;

  constructor(mirror: Mirror, round: Round, policy: Policy) {
    this.#mirror = mirror;
    this.#policy = policy;
    const large = Math.max(2, mirror.machines.size * LARGE_PART);
    for (const line of round.every()) {
      if (line.size < large || line.memory.classes.length > 0 || !isSpreader(line.face)) continue;
      const { priority } = line.face;
      const known = this.#waiting.get(priority);
      if (known === undefined) this.#waiting.set(priority, [line]);
      else known.push(line);
    }
  }

  /** A job that has to go first now, of the priority whose turn it is. `claims`: how many the pass has planned. It is not watched any longer. */
  pressing(priority: number, claims: number): Line | undefined {
    if (this.#priority !== priority) this.#enter(priority, claims);
    if (this.#due > claims) return undefined;
    this.#watched = this.#watched.filter(({ line }) => line.left > 0);
    const rooms = countTogether(this.#watched.map(({ line, openings }) => ({ openings, wanted: line.left })));
    const spare = this.#watched.map(({ line }, w) => (rooms[w] as Room).beside - Math.ceil(line.left * MARGIN));
    this.#watched = this.#watched
      .map(({ line, openings }, w) => ({ line, openings, need: line.left / (rooms[w] as Room).alone }))
      .sort(byNeed);
    if (spare.some((machines) => machines <= 0)) return this.#watched.shift()?.line;
    this.#due = claims + Math.max(Math.min(...spare), Math.ceil(this.#mirror.machines.size * CLAIMS_PART));
    return undefined;
  }

  /** The tightest of a priority of those who ask for nothing odd and can be placed whole. */
  #enter(priority: number, claims: number): void {
    [this.#priority, this.#due] = [priority, claims];
    const largest = (this.#waiting.get(priority) ?? []).sort((a, b) => b.size - a.size).slice(0, CONSIDERED_MAX);
    const able = largest.flatMap((line) => {
      const openings = this.#openingsFor(line);
      const empty = openings.countEmpty();
      if (empty.able < empty.open * COMMON_PART) return [];
      const open = openings.count();
      return open < line.left ? [] : [{ line, openings, need: line.left / open }];
    });
    this.#watched = able.sort(byNeed).slice(0, WATCHED_MAX);
  }

  #openingsFor({ job, indexes }: Line): Openings {
    const need = needOf(job.tasks[indexes[0] ?? 0] as Task);
    return new Openings(this.#mirror.slots(this.#policy, need.prod), need, this.#mirror.tallyOf(job));
  }
}

/** Gangs are planned whole anyway; tasks inside allocs, and those that belong to a machine, have no machines to choose from. */
function isSpreader(face: Face): boolean {
  if (!isHardSpread(face) || isGang(face)) return false;
  return face.wants.allocSet === "" && !face.wants.perMachine;
}
