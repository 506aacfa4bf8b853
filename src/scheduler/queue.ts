/**
 * The order of work (Borg §3.2): from high to low priority, round robin over users within a priority, and over the jobs of a user. The
 * queue holds jobs, not tasks; a few tasks of a job are tried at a time, so that a large job blocks nobody behind it.
 *
 * Who could not be placed is remembered. Its job is not looked at again before something changed that could help, time has come for
 * a task that backs off, or `retryMs` has passed. What was refused comes again when the mirror knows what the judge knew, and later each
 * time it is refused again.
 */
import { compareIds, instanceId, type JobId, type MachineId } from "../base/id.ts";
import { equal, type Vector } from "../base/vector.ts";
import { faceOf, facesOf } from "../cell/face.ts";
import type { Face, Job, Task } from "../cell/state.ts";
import type { Mirror } from "./mirror/mirror.ts";
import type { Responsibility } from "./responsibility.ts";
import type { Need } from "./search/feasible.ts";

/** Refused tasks that are remembered; beyond it the oldest are forgotten, and come again at once. */
export const REFUSED_MAX = 20_000;
/** The longest wait after refusals in a row. */
export const REFUSED_MS_MAX = 5_000;
const REFUSED_MS = 50;

/** A class that could not be placed, and what was known then. */
interface Blocked {
  readonly limit: Vector;
  readonly changes: number;
  readonly capChanges: number;
  readonly triedMs: number;
}

/** What is remembered of a job that waits. */
export interface Memory {
  readonly spec: Job["spec"];
  readonly classes: Blocked[];
  readonly pinned: Map<MachineId, Blocked>;
  /** When a gang was last planned in vain. */
  gangTriedMs: number | undefined;
  /** The whole job was tried, and nothing of it can be placed before one of these is different. */
  idle: { readonly changes: number; readonly capChanges: number; readonly revision: number; readonly wakeMs: number } | undefined;
}

/** A job's place in the line of one pass. One that is updated has two: for tasks that go by its spec, and for those that go by the update's. */
export class Line {
  readonly job: Job;
  readonly face: Face;
  readonly memory: Memory;
  /** Its revision when the pass began. */
  readonly revision: number;
  /** How many tasks it had then. */
  readonly size: number;
  /** When time alone changes something for one of its tasks. */
  wakeMs: number;
  cursor = 0;
  /** The same job has another line in this pass: what was found for it is worth keeping. */
  returns = false;
  readonly #waiting: ReadonlySet<number> | readonly number[];
  #indexes: readonly number[] | undefined;

  constructor(
    { job, face }: Pick<Line, "job" | "face">,
    waiting: ReadonlySet<number> | readonly number[],
    memory: Memory,
    revision: number,
    wakeMs: number,
  ) {
    this.job = job;
    this.face = face;
    this.size = "size" in waiting ? waiting.size : waiting.length;
    this.#waiting = waiting;
    this.memory = memory;
    this.revision = revision;
    this.wakeMs = wakeMs;
  }

  /** How many of its tasks were not tried yet. */
  get left(): number {
    return this.size - this.cursor;
  }

  /** Its tasks in order, found when it is reached: many a line is not reached. */
  get indexes(): readonly number[] {
    this.#indexes ??= [...this.#waiting].sort((a, b) => a - b);
    return this.#indexes;
  }
}

interface Refusal {
  times: number;
  position: number;
  untilMs: number;
}

export interface QueueOptions {
  readonly mine: Responsibility;
  readonly retryMs: number;
}

export class Queue {
  readonly #options: QueueOptions;
  readonly #memories = new Map<JobId, Memory[]>();
  readonly #refusals = new Map<string, Refusal>();
  /** Who was served last, by priority, and which job, by priority and user. */
  #last = new Map<string, string>();
  /** Where a pass ran out of looks, and the jobs of that priority it has seen: it is continued there before anything starts over. */
  #resume: { readonly priority: number; readonly seen: ReadonlySet<JobId> } | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** The line of one pass. */
  begin(mirror: Mirror, nowMs: number): Round {
    const lines = new Map<number, Line[]>();
    let wakeMs = Number.POSITIVE_INFINITY;
    for (const id of this.#memories.keys()) if (!mirror.waiting.has(id)) this.#memories.delete(id);
    for (const [id, waiting] of mirror.waiting) {
      const job = mirror.jobs.get(id);
      if (job === undefined || job.held) continue;
      for (const { face, indexes } of sharesOf(job, waiting.indexes)) {
        if (!this.#options.mine(face === job ? job : { id, wants: face.wants, priority: face.priority })) continue;
        const memory = this.#memoryOf(job, face);
        const isIdleNow = isIdle(mirror, memory, waiting.revision, nowMs);
        if (isIdleNow) wakeMs = Math.min(wakeMs, memory.idle?.wakeMs ?? wakeMs);
        if (isIdleNow || this.#isDone(job, face)) continue;
        append(lines, face.priority, new Line({ job, face }, indexes, memory, waiting.revision, nowMs + this.#options.retryMs));
      }
    }
    return new Round(lines, this.#last, wakeMs, this.#resume !== undefined);
  }

  /** A job's place in line, with those of its tasks that are to be tried. */
  line(job: Job, indexes: readonly number[], revision: number, nowMs: number): Line {
    return new Line({ job, face: job }, indexes, this.#memoryOf(job, job), revision, nowMs + this.#options.retryMs);
  }

  /** Where a round ended. `stoppedAt`: the priority at which it ran out of looks. */
  end(round: Round, stoppedAt: number | undefined): void {
    this.#last = round.servedLast();
    const before = this.#resume?.priority === stoppedAt ? this.#resume?.seen : undefined;
    this.#resume =
      stoppedAt === undefined ? undefined : { priority: stoppedAt, seen: new Set([...(before ?? []), ...round.finished(stoppedAt)]) };
  }

  #isDone({ id }: Job, { priority }: Face): boolean {
    const resume = this.#resume;
    return resume !== undefined && (priority > resume.priority || (priority === resume.priority && resume.seen.has(id)));
  }

  /** The job was gone through and has nothing left to try. */
  rest(mirror: Mirror, line: Line): void {
    const { improved, capChanges } = mirror;
    line.memory.idle = { changes: improved.now, capChanges, revision: line.revision, wakeMs: line.wakeMs };
  }

  /**
   * Machines worth looking at for a class: undefined means all. An empty set: it failed, and nothing has changed since.
   */
  among(mirror: Mirror, memory: Memory, need: Need, nowMs: number): ReadonlySet<MachineId> | undefined {
    const known = find(memory, need);
    if (known === undefined || known.capChanges !== mirror.capChanges || nowMs - known.triedMs >= this.#options.retryMs) return undefined;
    const improved = mirror.improved.since(known.changes);
    // A task of the job that leaves a machine makes its whole rack better.
    return need.domain !== undefined && improved?.size !== 0 ? undefined : improved;
  }

  /** No place fits the class now. */
  block(mirror: Mirror, memory: Memory, need: Need, nowMs: number, wholly: boolean): void {
    const before = find(memory, need);
    const triedMs = wholly ? nowMs : (before?.triedMs ?? nowMs);
    const blocked = { limit: need.limit, changes: mirror.improved.now, capChanges: mirror.capChanges, triedMs };
    if (need.pinned !== undefined) {
      memory.pinned.set(need.pinned, blocked);
      return;
    }
    if (before !== undefined) memory.classes.splice(memory.classes.indexOf(before), 1);
    memory.classes.push(blocked);
  }

  /** `position`: what the judge knew, so that the mirror has to know it first; 0: nobody said. */
  refused(task: Task, incarnation: number, position: number, nowMs: number): void {
    const key = instanceId(task.id, incarnation);
    const times = (this.#refusals.get(key)?.times ?? 0) + 1;
    const waitMs = times === 1 && position > 0 ? 0 : Math.min(REFUSED_MS_MAX, REFUSED_MS * 2 ** Math.min(times, 20));
    this.#refusals.delete(key);
    this.#refusals.set(key, { times, position, untilMs: nowMs + waitMs });
    for (const oldest of this.#refusals.keys()) {
      if (this.#refusals.size <= REFUSED_MAX) break;
      this.#refusals.delete(oldest);
    }
  }

  accepted(instance: string): void {
    this.#refusals.delete(instance);
  }

  /** When a task may be planned: now (or earlier) for most. A refusal that the mirror has not caught up with gives no time: any item may end it. */
  readyMs(mirror: Mirror, task: Task, nowMs: number): number {
    const refusal = this.#refusals.size === 0 ? undefined : this.#refusals.get(instanceId(task.id, task.incarnation));
    if (refusal === undefined) return task.notBeforeMs;
    const caughtUp = refusal.position <= mirror.position;
    return Math.max(task.notBeforeMs, caughtUp ? refusal.untilMs : nowMs + REFUSED_MS);
  }

  /** An image came: what was learnt may no longer hold. */
  forget(): void {
    this.#memories.clear();
    this.#refusals.clear();
    this.#resume = undefined;
  }

  #memoryOf(job: Job, { spec }: Face): Memory {
    const all = this.#memories.get(job.id) ?? [];
    const known = all.find((each) => each.spec === spec);
    if (known !== undefined) return known;
    const memory: Memory = { spec, classes: [], pinned: new Map(), gangTriedMs: undefined, idle: undefined };
    const others = all.filter((each) => facesOf(job).some((face) => face.spec === each.spec));
    this.#memories.set(job.id, [...others, memory]);
    return memory;
  }
}

interface Share {
  readonly face: Face;
  readonly indexes: ReadonlySet<number> | readonly number[];
}

/** Who waits, by what they go by. */
function sharesOf(job: Job, indexes: ReadonlySet<number>): readonly Share[] {
  if (job.update === undefined) return [{ face: job, indexes }];
  const shares = facesOf(job).map((face) => ({ face, indexes: [...indexes].filter((index) => faceOf(job.tasks[index] as Task) === face) }));
  return shares.filter((share) => share.indexes.length > 0);
}

function isIdle(mirror: Mirror, { idle }: Memory, revision: number, nowMs: number): boolean {
  if (idle === undefined || idle.revision !== revision || nowMs >= idle.wakeMs) return false;
  return idle.changes === mirror.improved.now && idle.capChanges === mirror.capChanges;
}

function find(memory: Memory, need: Need): Blocked | undefined {
  if (need.pinned === undefined) return memory.classes.find((known) => equal(known.limit, need.limit));
  const known = memory.pinned.get(need.pinned);
  return known !== undefined && equal(known.limit, need.limit) ? known : undefined;
}

/** A user's jobs, in the order in which they are served. */
interface Ring {
  readonly user: string;
  readonly lines: Line[];
  /** The next one to be served. */
  head: number;
}

/** One pass's way through the line. */
export class Round {
  readonly #priorities: readonly number[];
  readonly #lines: ReadonlyMap<number, readonly Line[]>;
  readonly #last: ReadonlyMap<string, string>;
  readonly #served = new Map<string, string>();
  #level = 0;
  #rings: Ring[] = [];
  #head = 0;
  #ringOf = new Map<string, Ring>();
  #finished: { readonly priority: number; readonly jobs: JobId[] } = { priority: -1, jobs: [] };
  /** When time alone makes something worth trying that was passed over. */
  readonly idleUntilMs: number;
  /** It goes on where another ended, and has not seen what is above. */
  readonly continued: boolean;

  constructor(lines: ReadonlyMap<number, readonly Line[]>, last: ReadonlyMap<string, string>, idleUntilMs: number, continued: boolean) {
    this.#lines = lines;
    this.#last = last;
    this.#priorities = [...lines.keys()].sort((a, b) => b - a);
    this.idleUntilMs = idleUntilMs;
    this.continued = continued;
    this.#enterLevel();
  }

  /** Every job in line. */
  *every(): Generator<Line> {
    for (const lines of this.#lines.values()) yield* lines;
  }

  /** The job that is next. */
  next(): Line | undefined {
    while (this.#head === this.#rings.length && this.#level < this.#priorities.length) {
      this.#level += 1;
      this.#enterLevel();
    }
    const ring = this.#rings[this.#head];
    if (ring === undefined) return undefined;
    this.#head += 1;
    const line = ring.lines[ring.head];
    ring.head += 1;
    if (ring.head < ring.lines.length) this.#rings.push(ring);
    else this.#ringOf.delete(ring.user);
    return line;
  }

  /** It was given something: next time others come first. */
  served({ job, face }: Line): void {
    this.#served.set(`${face.priority}`, job.owner);
    this.#served.set(`${face.priority} ${job.owner}`, job.id);
  }

  /** It has nothing left to try. */
  finish({ job, face: { priority } }: Line): void {
    if (this.#finished.priority !== priority) this.#finished = { priority, jobs: [] };
    this.#finished.jobs.push(job.id);
  }

  /** Jobs of a priority, the last one that was come to, that have nothing left to try. */
  finished(priority: number): readonly JobId[] {
    return this.#finished.priority === priority ? this.#finished.jobs : [];
  }

  /** It has more to try: behind the user's other jobs, and the user behind the other users. */
  again(line: Line): void {
    const user = line.job.owner;
    const known = this.#ringOf.get(user);
    known?.lines.push(line);
    if (known !== undefined) return;
    const ring = { user, lines: [line], head: 0 };
    this.#ringOf.set(user, ring);
    this.#rings.push(ring);
  }

  /** Where the next pass goes on in each priority. Priorities nobody waits in any more are forgotten. */
  servedLast(): Map<string, string> {
    return new Map([...this.#last, ...this.#served].slice(-SERVED_MAX));
  }

  #enterLevel(): void {
    const priority = this.#priorities[this.#level];
    [this.#rings, this.#head] = [[], 0];
    if (priority === undefined) return;
    const users = new Map<string, Line[]>();
    for (const line of this.#lines.get(priority) ?? []) append(users, line.job.owner, line);
    const names = rotated([...users.keys()].sort(compareIds), this.#last.get(`${priority}`));
    this.#rings = names.map((user) => {
      const lines = (users.get(user) ?? []).sort((a, b) => compareIds(a.job.id, b.job.id));
      return { user, lines: rotatedLines(lines, this.#last.get(`${priority} ${user}`)), head: 0 };
    });
    this.#ringOf = new Map(this.#rings.map((ring) => [ring.user, ring]));
  }
}

function append<Key>(lists: Map<Key, Line[]>, key: Key, line: Line): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [line]);
  else known.push(line);
}

/** Who was served, as remembered between passes. */
const SERVED_MAX = 10_000;

/** Begins with the first name after `last`. */
function rotated(names: readonly string[], last: string | undefined): readonly string[] {
  if (last === undefined) return names;
  const from = names.findIndex((name) => name > last);
  return from <= 0 ? names : [...names.slice(from), ...names.slice(0, from)];
}

function rotatedLines(lines: Line[], last: string | undefined): Line[] {
  if (last === undefined) return lines;
  const from = lines.findIndex(({ job }) => job.id > last);
  return from <= 0 ? lines : [...lines.slice(from), ...lines.slice(0, from)];
}
