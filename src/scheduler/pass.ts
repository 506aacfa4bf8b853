/**
 * One scheduling pass (Borg §3.4): goes once through the queue and plans claims on the mirror, which takes them for accepted at once.
 * The claims leave in transactions, in the order in which they were planned: later ones may rest on earlier ones.
 */
import { equal, keyOf } from "../base/vector.ts";
import { GANG_TASKS_MAX, isGang } from "../cell/spec.ts";
import type { Face, Job, Machine, Task } from "../cell/state.ts";
import type { PlannedClaim } from "./message.ts";
import type { Mirror } from "./mirror/mirror.ts";
import type { Tally } from "./mirror/tally.ts";
import type { Line, Queue, Round } from "./queue.ts";
import { Candidates, type Choice, type PassState } from "./search/candidates.ts";
import { knowsLimits, limitsProblem, type Need, needOf } from "./search/feasible.ts";
import type { Policy } from "./search/policy.ts";
import { ALL_SHORTCUTS, type Shortcuts } from "./search/search.ts";
import { Shares } from "./search/shares.ts";
import { Spreaders } from "./search/spreaders.ts";
import { askedOf } from "./search/terms.ts";
import { constraintsKey } from "./search/traits.ts";

/** Most claims of a transaction: an op holds no more. A gang with more pending tasks cannot be placed. */
export const TRANSACTION_CLAIMS_MAX = GANG_TASKS_MAX;
/** Most tasks a job gets before it is another user's turn. A gang is one turn. */
export const TURN_TASKS_MAX = 10;
/** Places that a pass looks at, some fiftieth of a second to a tenth; what is left over is the next pass's. */
export const PASS_LOOKS_MAX = 2_000_000;
/** Claims that a pass plans; what is left over is the next pass's. */
export const PASS_CLAIMS_MAX = 5_000;
/** A gang is not tried again sooner: each time it is planned from the beginning. */
export const GANG_RETRY_MS = 1_000;

export interface Transaction {
  readonly id: string;
  readonly claims: readonly PlannedClaim[];
  readonly allOrNothing: boolean;
}

export interface PassResult {
  readonly transactions: readonly Transaction[];
  /** There is more to do right away. */
  readonly more: boolean;
  /** When time alone gives work again; Infinity: it does not. */
  readonly wakeMs: number;
  /** What the searches cost, in places looked at. */
  readonly looks: number;
}

export interface PassOptions {
  /** The cell's time, as well as it is known. */
  readonly nowMs: number;
  /** Fresh names for transactions. */
  readonly id: () => string;
  readonly looksMax?: number;
  readonly policy?: Policy;
  readonly shortcuts?: Shortcuts;
}

/** Tasks that ask the same. */
interface TaskClass {
  readonly need: Need;
  readonly wholly: boolean;
  readonly candidates: Candidates;
  blocked: boolean;
  /** How many jobs have used it. */
  jobs: number;
}

/** Needs and candidates of a job, found once in a pass. */
interface Workspace {
  /** Of a job with several tasks. */
  readonly tally: Tally | undefined;
  readonly classes: TaskClass[];
  /** Tasks without override and pin, which is most: their class. */
  common: TaskClass | undefined;
}

export function runPass(mirror: Mirror, queue: Queue, options: PassOptions): PassResult {
  return new Pass(mirror, queue, options).run();
}

class Pass {
  readonly #mirror: Mirror;
  readonly #queue: Queue;
  readonly #options: PassOptions;
  readonly #round: Round;
  readonly #state: PassState;
  readonly #spreaders: Spreaders;
  /** By what the tasks go by. */
  readonly #spaces = new Map<Face, Workspace>();
  /** Classes of jobs with one task: spread does not matter to them, so that jobs that ask the same are one class. */
  readonly #shared = new Map<string, TaskClass>();
  readonly #transactions: Transaction[] = [];
  #claims: PlannedClaim[] = [];
  #planned = 0;
  #wakeMs: number;

  constructor(mirror: Mirror, queue: Queue, options: PassOptions) {
    this.#mirror = mirror;
    this.#queue = queue;
    this.#options = options;
    this.#round = queue.begin(mirror, options.nowMs);
    mirror.demand.renew();
    this.#wakeMs = this.#round.idleUntilMs;
    this.#state = {
      policy: options.policy ?? "hybrid",
      shortcuts: options.shortcuts ?? ALL_SHORTCUTS,
      shares: new Shares(mirror.totals),
      planned: [],
      transaction: options.id(),
      looks: options.looksMax ?? PASS_LOOKS_MAX,
    };
    this.#spreaders = new Spreaders(mirror, this.#round, this.#state.policy);
  }

  run(): PassResult {
    let stoppedAt: number | undefined;
    for (let line = this.#round.next(); line !== undefined; line = this.#round.next()) {
      if (this.#isSpent) {
        stoppedAt = line.face.priority;
        break;
      }
      this.#letFirst(line.face.priority);
      this.#turn(line);
    }
    this.#close(false);
    this.#release();
    const more = stoppedAt !== undefined || this.#round.continued;
    this.#queue.end(this.#round, stoppedAt);
    const looks = (this.#options.looksMax ?? PASS_LOOKS_MAX) - this.#state.looks;
    return { transactions: this.#transactions, more, wakeMs: this.#wakeMs, looks };
  }

  get #isSpent(): boolean {
    return this.#state.looks < 0 || this.#planned >= PASS_CLAIMS_MAX;
  }

  /** Jobs for whom machines with room become few are placed before others of their priority. What is left of them has its turn later. */
  #letFirst(priority: number): void {
    for (;;) {
      const line = this.#spreaders.pressing(priority, this.#planned);
      if (line === undefined) return;
      if (limitsProblem(this.#mirror, line) !== undefined) continue;
      const before = this.#planned;
      while (!this.#isSpent && this.#some(line));
      if (this.#planned > before) this.#round.served(line);
    }
  }

  #turn(line: Line): void {
    const before = this.#planned;
    const more = limitsProblem(this.#mirror, line) === undefined && (isGang(line.face) ? this.#gang(line) : this.#some(line));
    if (this.#planned > before) this.#round.served(line);
    if (more) {
      this.#round.again(line);
      return;
    }
    this.#round.finish(line);
    if (!line.returns) this.#leave(line);
    this.#queue.rest(this.#mirror, line);
    this.#wakeMs = Math.min(this.#wakeMs, line.wakeMs);
  }

  /** What was found for a job is forgotten, unless other jobs seem to ask the same. */
  #leave({ face }: Line): void {
    const space = this.#spaces.get(face);
    if (space === undefined) return;
    this.#spaces.delete(face);
    for (const each of space.classes) each.candidates.release();
    if (space.common?.jobs === 1) space.common.candidates.release();
  }

  /** What was found in this pass may not hold in the next. */
  #release(): void {
    for (const { candidates } of this.#shared.values()) candidates.release();
    for (const { classes, common } of this.#spaces.values()) {
      for (const { candidates } of classes) candidates.release();
      common?.candidates.release();
    }
  }

  /** Places up to TURN_TASKS_MAX tasks of a job. True: there are more to try. */
  #some(line: Line): boolean {
    const { job, indexes } = line;
    for (let placed = 0; line.cursor < indexes.length; ) {
      if (placed >= TURN_TASKS_MAX) return true;
      const task = job.tasks[indexes[line.cursor] as number];
      line.cursor += 1;
      if (task !== undefined && this.#isReady(line, task) && this.#place(line, task)) placed += 1;
      if (this.#isHopeless(line)) return false;
    }
    return false;
  }

  /** All pending tasks of the job, or none (Omega §3.4). Those that cannot be claimed yet hold up the others. */
  #gang(line: Line): boolean {
    const { job, memory } = line;
    const { nowMs } = this.#options;
    const tried = memory.gangTriedMs;
    if (tried !== undefined && nowMs - tried < GANG_RETRY_MS && nowMs >= tried) {
      line.wakeMs = Math.min(line.wakeMs, tried + GANG_RETRY_MS);
      return false;
    }
    const tasks = line.indexes.map((index) => job.tasks[index] as Task);
    if (tasks.length > TRANSACTION_CLAIMS_MAX || job.tasks.some((task) => task.state === "stopping")) return false;
    const ready = tasks.filter((task) => this.#isReady(line, task));
    if (ready.length < tasks.length) return false;
    this.#close(false);
    for (const [i, task] of tasks.entries()) {
      if (this.#place(line, task)) continue;
      for (const placed of tasks.slice(0, i).reverse()) this.#unplace(placed);
      memory.gangTriedMs = nowMs;
      return false;
    }
    memory.gangTriedMs = undefined;
    this.#close(true);
    return false;
  }

  #isReady(line: Line, task: Task): boolean {
    const readyMs = this.#queue.readyMs(this.#mirror, task, this.#options.nowMs);
    if (readyMs <= this.#options.nowMs) return true;
    line.wakeMs = Math.min(line.wakeMs, readyMs);
    return false;
  }

  /** Nothing of the job can be placed any more in this pass: all its tasks are of one class, and that is blocked. */
  #isHopeless({ face }: Line): boolean {
    return isUniform(face) && this.#spaces.get(face)?.common?.blocked === true;
  }

  #place(line: Line, task: Task): boolean {
    const found = this.#classOf(line, task);
    if (found.blocked) return false;
    const choice = found.candidates.choose(task, this.#options.nowMs);
    if (!this.#state.shortcuts.classes || found.need.pinned !== undefined) found.candidates.release();
    if (choice === undefined) {
      found.blocked = true;
      if (!isGang(line.face)) this.#queue.block(this.#mirror, line.memory, found.need, this.#options.nowMs, found.wholly);
      return false;
    }
    this.#claim(line, task, found.need, choice);
    return true;
  }

  #claim(line: Line, task: Task, need: Need, { place, victims }: Choice): void {
    const { machine } = place;
    this.#mirror.plan(this.#state.transaction, task, place, need.limit, victims);
    this.#claims.push({
      task: task.id,
      incarnation: task.incarnation,
      place: place.id,
      victims: victims.length === 0 ? NOBODY : victims.map((victim) => victim.id),
      seen: machine.sequence,
    });
    this.#note(machine);
    this.#planned += 1;
    if (this.#claims.length >= TRANSACTION_CLAIMS_MAX && !isGang(line.face)) this.#close(false);
  }

  #unplace(task: Task): void {
    const machine = this.#mirror.unplan(task.id, this.#state.transaction);
    this.#claims.pop();
    this.#planned -= 1;
    if (machine !== undefined) this.#note(machine);
  }

  /** Everybody looks again at a machine that changed. */
  #note(machine: Machine): void {
    this.#state.planned.push(machine.id);
  }

  /** Ends a transaction. Under coarse detection its machines are no longer ours to use: those of the next one look again. */
  #close(allOrNothing: boolean): void {
    if (this.#claims.length === 0) return;
    const closed = this.#state.transaction;
    this.#transactions.push({ id: closed, claims: this.#claims, allOrNothing });
    this.#claims = [];
    this.#state.transaction = this.#options.id();
    if (this.#mirror.own?.limits.coarse !== true) return;
    for (const machine of this.#mirror.machinesOf(closed)) {
      this.#mirror.touch(machine);
      this.#state.planned.push(machine);
    }
  }

  #classOf(line: Line, task: Task): TaskClass {
    const { job, face } = line;
    let space = this.#spaces.get(face);
    if (space?.common !== undefined && isUniform(face) && this.#state.shortcuts.classes) return space.common;
    if (space === undefined) {
      space = { tally: isAlone(job) ? undefined : this.#mirror.tallyOf(job), classes: [], common: undefined };
      this.#spaces.set(face, space);
    }
    const need = needOf(task);
    const isCommon = need.limit === face.limit && need.pinned === undefined;
    const known = isCommon ? space.common : space.classes.find((each) => isSame(each.need, need));
    if (known !== undefined && this.#state.shortcuts.classes) return known;
    const found = this.#newClass(line, need, space.tally);
    if (isCommon) space.common = found;
    else if (need.pinned === undefined) space.classes.push(found);
    return found;
  }

  #newClass({ face, memory }: Line, need: Need, tally: Tally | undefined): TaskClass {
    const among = isGang(face) ? undefined : this.#queue.among(this.#mirror, memory, need, this.#options.nowMs);
    const isOwn = need.pinned !== undefined || need.set !== "" || knowsLimits(this.#mirror, need);
    if (tally !== undefined || among !== undefined || isOwn || !this.#state.shortcuts.classes) {
      const candidates = new Candidates(this.#mirror, this.#state, need, tally, among);
      return { need, wholly: among === undefined, candidates, blocked: false, jobs: 1 };
    }
    const key = needKey(need);
    const known = this.#shared.get(key);
    if (known !== undefined) {
      known.jobs += 1;
      return known;
    }
    const alone = { ...need, hardSpread: false, domain: undefined };
    const candidates = new Candidates(this.#mirror, this.#state, alone, undefined, undefined);
    const found = { need: alone, wholly: true, candidates, blocked: false, jobs: 1 };
    this.#shared.set(key, found);
    return found;
  }
}

/** A task that waits has no instance: if it is the only one, nothing of its job is anywhere. */
const isAlone = ({ tasks }: Job): boolean => tasks.length === 1;

/** Single tasks with the same key may take each other's place. */
function needKey({ face, limit, constraints }: Need): string {
  return `${face.priority} ${keyOf(limit)}\n${constraints.length === 0 ? "" : constraintsKey(constraints)}\n${askedOf(face)}`;
}

const NOBODY: string[] = [];

/** All tasks of the job are of one class. */
const isUniform = ({ wants }: Face): boolean => wants.overrides.length === 0 && !wants.perMachine;

const isSame = (a: Need, b: Need): boolean => a.pinned === b.pinned && equal(a.limit, b.limit);
