/**
 * Tells what happened in a cell, in words: from the journal, which is the truth, replayed into a state of its own. Every invariant of states
 * and steps is checked on the way, so a story in which one breaks says so.
 */
import { type InstanceId, isInstance, taskOf } from "../../base/id.ts";
import { applyEntry, newState, type Outcome } from "../../cell/cell.ts";
import type { CellEvent } from "../../cell/event.ts";
import { stateViolations } from "../../cell/invariants.ts";
import { outcomeViolations } from "../../cell/invariants-outcome.ts";
import { isPerMachine } from "../../cell/job.ts";
import { decodeEntry, type Op } from "../../cell/op.ts";
import { findInstance } from "../../cell/ops/reports.ts";
import type { CellState, Task } from "../../cell/state.ts";
import type { JournalEntry } from "../../wire/journal.ts";
import type { Noted } from "./calm.ts";
import { showMs } from "./words.ts";

export interface Telling {
  /** Of the world. */
  readonly timeMs: number;
  readonly who: string;
  readonly what: string;
}

/** Told words are kept until they are taken; a story that never listens loses the oldest. */
const TELLINGS_MAX = 10_000;
/** After a silence of so long it is another frost. */
const FROZEN_MS = 5000;

export class Narrator {
  readonly state: CellState = newState();
  /** What broke, if anything did. */
  readonly broken: string[] = [];
  #tellings: Telling[] = [];
  /** Runs, health and flags as they were told last. */
  readonly #last = new Map<
    InstanceId,
    { readonly run: number; readonly overRam: boolean; readonly health: string; readonly backOffUntilMs: number }
  >();
  #frozenMs = Number.NEGATIVE_INFINITY;
  #term = 0;
  #nowMs = 0;

  /** Entries from the position after the last one on, and when each became durable in the world. */
  read(entries: readonly JournalEntry[], durableMs: ReadonlyMap<number, number>): void {
    for (const { position, term, payload } of entries) {
      if (position !== this.state.position + 1) continue;
      if (term < this.#term) this.broken.push(`KL1: Entry ${position} has term ${term} after term ${this.#term}`);
      this.#term = term;
      const entry = decodeEntry(payload);
      if (!entry.ok) {
        this.broken.push(`KD5: Entry ${position}: ${entry.reason}`);
        return;
      }
      this.#nowMs = durableMs.get(position) ?? this.#nowMs;
      const outcomes = applyEntry(this.state, position, entry.value);
      for (const [i, outcome] of outcomes.entries()) this.#step(this.#nowMs, entry.value.ops[i] as Op, outcome);
    }
    if (entries.length > 0) for (const { id, text } of stateViolations(this.state)) this.broken.push(`${id}: ${text}`);
  }

  /** What the event loop noted beside the journal. */
  hear(noted: readonly Noted[]): void {
    for (const { timeMs, kind, who, detail } of noted) {
      const what = kind === "exit" ? `exits: ${detail}` : LOGGED.get(detail);
      if (what !== undefined && !this.#goesOn(timeMs, detail)) this.#tell(timeMs, who, what);
    }
  }

  /** Everything since the last time, in the order of time. */
  take(): readonly Telling[] {
    const told = this.#tellings.sort((a, b) => a.timeMs - b.timeMs);
    this.#tellings = [];
    return told;
  }

  /** Being frozen is said at every tick, and told once. */
  #goesOn(timeMs: number, detail: string): boolean {
    if (detail !== "~give-up-frozen") return false;
    const before = this.#frozenMs;
    this.#frozenMs = timeMs;
    return timeMs - before < FROZEN_MS;
  }

  #step(timeMs: number, op: Op, outcome: Outcome): void {
    for (const { id, text } of outcomeViolations(this.state, op, outcome)) this.broken.push(`${id}: ${text}`);
    if (!outcome.ok) return;
    for (const event of outcome.events) {
      const what = event.kind === "instance.changed" ? this.#changed(event) : inWords(this.state, event);
      if (what !== undefined) this.#tell(timeMs, event.subject, what);
    }
  }

  #tell(timeMs: number, who: string, what: string): void {
    if (this.#tellings.length < TELLINGS_MAX) this.#tellings.push({ timeMs, who, what });
  }

  #changed({ instance: id }: CellEvent): string | undefined {
    const instance = id === undefined ? undefined : findInstance(this.state, id);
    if (id === undefined || instance === undefined) return undefined;
    const { run, overRam } = instance;
    const { health, backOffUntilMs } = instance.faring;
    const before = this.#last.get(id) ?? { run: 1, overRam: false, health: "unknown", backOffUntilMs: 0 };
    this.#last.set(id, { run, overRam, health, backOffUntilMs });
    const told: string[] = [];
    if (backOffUntilMs > before.backOffUntilMs) told.push(`run ${run} ended, backs off`);
    else if (run > before.run) told.push(`restarted in place, run ${run}`);
    if (overRam !== before.overRam) told.push(overRam ? "above its memory limit" : "within its memory limit again");
    if (health !== before.health) told.push(`health is ${health}`);
    return told.length === 0 ? undefined : told.join(", ");
  }
}

const LOGGED: ReadonlyMap<string, string> = new Map([
  ["~elected", "leads"],
  ["~deposed", "is deposed"],
  ["~lease-expired", "has lost its lease"],
  ["~suspended", "is suspended: it cannot know whether it leads"],
  ["~resumed", "leads on in its term"],
  ["~append-unknown", "does not know whether its append landed"],
  ["~append-unknown-there", "reads it back: it is there"],
  ["~append-unknown-absent", "reads it back: it is not there, and is sent again"],
  ["~give-up-frozen", "gives nobody up: too many machines are silent at once"],
  ["~stale poll refused", "refuses an order of an older term"],
]);

/** Undefined: not worth a line, because the answer to the command said so already. */
function inWords(state: CellState, event: CellEvent): string | undefined {
  switch (event.kind) {
    case "task.state":
      return transition(state, event);
    case "job.state":
      return event.to === "dead" ? "dead" : undefined;
    case "cell.changed":
      return event.detail?.startsWith("version ") === true ? `goes on with ${event.detail}` : undefined;
    case "cell.clock":
      return `its clock is ${event.detail}`;
    case "job.released":
      return "no longer has to wait";
    case "task.added":
      return added(taskIn(state, event.subject));
    case "task.removed":
      return "removed";
    case "machine.joined":
      return "joined";
    case "machine.left":
      return "left";
    case "machine.changed":
      return event.detail === "draining" || event.detail === "not draining" ? undefined : event.detail;
    default:
      return undefined;
  }
}

const added = (task: Task | undefined): string | undefined =>
  task !== undefined && isPerMachine(task.job) ? `added for ${task.pinned}` : undefined;

export function taskIn(state: CellState, id: string): Task | undefined {
  const slash = id.lastIndexOf("/");
  return state.jobs.get(id.slice(0, slash) as never)?.tasks[Number(id.slice(slash + 1))];
}

function transition(state: CellState, event: CellEvent): string | undefined {
  const { from, to, cause, machine = "" } = event;
  const task = taskIn(state, event.subject);
  switch (to) {
    case "starting":
      return `placed ${whereOf(task, machine)}`;
    case "running":
      return task?.instance?.inside === undefined ? `running on ${machine}` : undefined;
    case "stopping":
    case "ending":
      return from === "stopping" || from === "ending" ? undefined : leaving(task, event);
    case "pending":
      return from === "dead" ? undefined : `${returned(event)}, pending${backOff(state, task)}`;
    case "dead":
      return machine === "" ? undefined : from === "ending" ? `gone from ${machine}, dead` : `${cause} on ${machine}, dead`;
    default:
      return undefined;
  }
}

function whereOf(task: Task | undefined, machine: string): string {
  const place = task?.instance?.place.id ?? "";
  return isInstance(place) ? `in ${taskOf(place)} on ${machine}` : `on ${machine}`;
}

function leaving(task: Task | undefined, { cause, machine, preemptor }: CellEvent): string {
  // An alloc has no process, so it gets no notice.
  const notice = task?.instance?.inside === undefined ? task?.instance?.stop?.noticeMs : undefined;
  const whom = preemptor === undefined ? "" : ` by ${taskOf(preemptor)}`;
  return `has to leave ${machine}: ${cause}${whom}${notice === undefined ? "" : `, notice ${showMs(notice)}`}`;
}

function returned({ from, cause, machine, detail }: CellEvent): string {
  if (cause === "lost") return `given up on ${machine}`;
  if (cause === "failed") return `failed on ${machine} (${detail})`;
  if (from === "stopping") return `gone from ${machine}`;
  return cause === "out-of-resources" ? `evicted by ${machine} itself: ${cause}` : `vanished from ${machine}`;
}

function backOff(state: CellState, task: Task | undefined): string {
  const waitMs = (task?.notBeforeMs ?? 0) - state.timeMs;
  return waitMs > 0 ? ` for at least ${showMs(waitMs)}` : "";
}

/** One line for all to whom the same happened together: `+5s  m1, m2: unreachable`. */
export function tellLines(tellings: readonly Telling[], sinceMs: number): readonly string[] {
  const groups: { readonly second: number; readonly what: string; readonly who: string[] }[] = [];
  for (const { timeMs, who, what } of tellings) {
    const second = Math.max(0, Math.floor((timeMs - sinceMs) / 1000));
    const last = groups.at(-1);
    if (last?.second === second && last.what === what) last.who.push(who);
    else groups.push({ second, what, who: [who] });
  }
  return groups.map(({ second, what, who }) => `${`+${second}s`.padEnd(6)}${who.join(", ")}: ${what}`);
}
