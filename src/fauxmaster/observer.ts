/**
 * Sees what no actor of the world can: when in simulated time each entry became durable, and which processes lived side by side.
 * At the end it replays the journal and looks whether what the masters did by themselves was allowed.
 */
import { applyEntry, newState } from "../cell/cell.ts";
import { Judge } from "../cell/judge.ts";
import { decodeEntry } from "../cell/op.ts";
import { findInstance } from "../cell/reports.ts";
import { isGang } from "../cell/spec.ts";
import type { CellState, Scheduler, Task } from "../cell/state.ts";
import type { CellEvent } from "../cell/turn.ts";
import type { JournalAnswer } from "../wire/journal.ts";
import { copies } from "./checks.ts";
import type { Violation } from "./kernel.ts";
import type { World } from "./world.ts";

/** How often processes are looked at. */
const LOOK_MS = 500;
/** A task that fits must be running so long after the faults ended, counted from the end of its back-off. */
const FITS_MS = 20_000;
const MINUTE_MS = 60_000;
/** So long after its process began, also in place, a task's use must have been heard of; use sways by itself between two reports. */
const SEEN_MS = 60_000;
const SWAY = 0.5;
/** A decision to give up may be on its way while the rest of the cell vanishes. */
const FREEZE_GRACE_MS = 5000;
const FREEZE_SHARE = 0.3;
const FREEZE_MIN = 10;
/** One at once and one more by the end of the minute; and each new leader begins anew. */
const GIVE_UPS_A_MINUTE = 2;

export class Observer {
  #world: World | undefined;
  /** When each entry was first heard to be durable. */
  readonly #durableMs = new Map<number, number>();
  /** Instances of one task that lived at the same time. */
  readonly #together = new Map<string, readonly string[]>();

  watch(world: World): void {
    this.#world = world;
    this.#look();
  }

  heard(answer: JournalAnswer): void {
    const position = answer.type === "appended" ? answer.position : answer.type === "followed" ? answer.entry.position : 0;
    if (position > 0 && this.#world !== undefined && !this.#durableMs.has(position))
      this.#durableMs.set(position, this.#world.kernel.nowMs);
  }

  #look(): void {
    const world = this.#world as World;
    for (const [task, where] of copies(world.machines)) {
      const instances = where.map((each) => each.slice(0, each.indexOf(" ")));
      this.#together.set(`${task} ${instances.join(" ")}`, instances);
    }
    world.kernel.after(LOOK_MS, () => this.#look());
  }

  judge(world: World, state: CellState): readonly Violation[] {
    const story = this.#story(world);
    return [
      ...story.violations,
      ...unheard(world, state),
      ...this.#unfit(world, state),
      ...giveUpViolations(story),
      ...this.#duplicates(story),
      ...starved(world, state),
    ];
  }

  /** The journal again, event by event, with the simulated time of each. */
  #story(world: World): Story {
    const story = new Story();
    let nowMs = 0;
    for (const { position, term, payload } of world.entries()) {
      const entry = decodeEntry(payload);
      if (!entry.ok) break;
      nowMs = Math.max(nowMs, this.#durableMs.get(position) ?? nowMs);
      const beforeMs = story.state.timeMs;
      const outcomes = applyEntry(story.state, position, entry.value);
      if (story.state.timeMs < beforeMs) story.violations.push({ id: "KD4", text: `Time ran back at position ${position}` });
      story.add(
        nowMs,
        term,
        outcomes.flatMap((outcome) => (outcome.ok ? outcome.events : [])),
      );
    }
    return story;
  }

  /** Two copies may live only while one of them was given up: on a machine that could not be reached. [KT2] */
  #duplicates(story: Story): Violation[] {
    const found: Violation[] = [];
    for (const instances of this.#together.values()) {
      const kept = instances.filter((instance) => !story.givenUp.has(instance));
      if (kept.length > 1) found.push({ id: "KT2", text: `${kept.join(" and ")} lived at the same time, and none was given up` });
    }
    return found;
  }

  /** Every task that fits somewhere runs. [KS3] */
  #unfit(world: World, state: CellState): Violation[] {
    const scheduler: Scheduler = {
      name: "anyone",
      limits: { priorityMin: 0, priorityMax: 450, coarse: false } as never,
      claimed: state.capacity,
      claimedJobs: new Map(),
    };
    const found: Violation[] = [];
    for (const job of state.jobs.values()) {
      // A gang waits until all of it fits at once.
      if (isGang(job)) continue;
      for (const task of job.tasks) {
        if (!waitsLong(state, task)) continue;
        const places = [...state.machines.values()].flatMap(({ place }) => [
          place,
          ...[...place.occupants.values()].flatMap((o) => (o.inside === undefined ? [] : [o.inside])),
        ]);
        const fits = places.find(
          ({ id }) =>
            typeof new Judge(state, scheduler).judge({
              task: task.id,
              incarnation: task.incarnation,
              place: id,
              victims: [],
              seen: 0,
            } as never) !== "string",
        );
        if (fits !== undefined)
          found.push({
            id: "KS3",
            text: `Task "${task.id}" would fit "${fits.id}" at ${world.kernel.nowMs} ms, and is pending since ${task.sinceMs}`,
          });
      }
    }
    return found.slice(0, 3);
  }
}

/** When all has healed every machine answers, and the cell knows it. [KS3] */
function unheard(world: World, state: CellState): Violation[] {
  const silent = world.machines.filter(({ name }) => state.machines.get(name as never)?.reachable === false).map(({ name }) => name);
  return silent.length === 0 ? [] : [{ id: "KS3", text: `${silent.join(", ")} answer, and the cell takes them for unreachable` }];
}

/** A task that has run for a while has a reservation for what it uses, as far as its limit goes. [R2] */
function starved(world: World, state: CellState): Violation[] {
  const found: Violation[] = [];
  for (const machine of world.machines) {
    for (const id of machine.live()) {
      const [instance, task] = [findInstance(state, id), machine.task(id)];
      if (instance === undefined || task === undefined || instance.stop !== undefined || world.kernel.nowMs - task.sinceMs < SEEN_MS)
        continue;
      const { cpuMilli } = machine.use(task).last;
      const needed = Math.min(instance.limit.cpu, cpuMilli) * SWAY;
      if (instance.startedMs > 0 && instance.reservation.cpu < needed)
        found.push({ id: "R2", text: `"${id}" uses ${cpuMilli} millicores and has ${instance.reservation.cpu} reserved` });
    }
  }
  return found.slice(0, 3);
}

const waitsLong = (state: CellState, task: Task): boolean =>
  task.state === "pending" && !task.job.held && state.timeMs - Math.max(task.sinceMs, task.notBeforeMs) > FITS_MS;

/** What happened to machines, in simulated time. */
class Story {
  readonly state = newState();
  readonly violations: Violation[] = [];
  readonly givenUp = new Set<string>();
  /** The first instance given up on a machine since it fell silent. */
  readonly giveUps: { readonly nowMs: number; readonly machine: string; readonly frozenForMs: number }[] = [];
  readonly elections: number[] = [];
  readonly #inTurn = new Set<string>();
  #term = 0;
  #frozenMs: number | undefined;

  add(nowMs: number, term: number, events: readonly CellEvent[]): void {
    if (term !== this.#term) this.elections.push(nowMs);
    this.#term = term;
    for (const event of events) {
      if (event.kind === "instance.gone" && (event.cause === "lost" || event.cause === "machine-shutdown")) this.#lost(nowMs, event);
      if (event.kind === "machine.changed" && event.detail === "reachable") this.#inTurn.delete(event.subject);
    }
    this.#frozenMs = isFrozen(this.state) ? (this.#frozenMs ?? nowMs) : undefined;
  }

  #lost(nowMs: number, event: CellEvent): void {
    this.givenUp.add(event.instance ?? "");
    if (event.cause !== "lost" || this.#inTurn.has(event.machine ?? "")) return;
    this.#inTurn.add(event.machine ?? "");
    this.giveUps.push({ nowMs, machine: event.machine ?? "", frozenForMs: this.#frozenMs === undefined ? 0 : nowMs - this.#frozenMs });
  }
}

function isFrozen(state: CellState): boolean {
  const silent = [...state.machines.values()].filter((machine) => !machine.reachable).length;
  return silent >= FREEZE_MIN && silent > state.machines.size * FREEZE_SHARE;
}

/** Giving up is rate-limited, and stops while too much of the cell is gone. [KP3] */
function giveUpViolations(story: Story): Violation[] {
  const found: Violation[] = [];
  for (const { nowMs, machine, frozenForMs } of story.giveUps) {
    if (frozenForMs > FREEZE_GRACE_MS)
      found.push({ id: "KP3", text: `${machine} was given up at ${nowMs} ms, ${frozenForMs} ms into a freeze` });
    const recent = story.giveUps.filter((other) => other.nowMs > nowMs - MINUTE_MS && other.nowMs <= nowMs).length;
    const leaders = story.elections.filter((election) => election > nowMs - 2 * MINUTE_MS && election <= nowMs).length;
    if (recent > GIVE_UPS_A_MINUTE + leaders)
      found.push({ id: "KP3", text: `${recent} machines were given up within a minute before ${nowMs} ms` });
  }
  return found;
}
