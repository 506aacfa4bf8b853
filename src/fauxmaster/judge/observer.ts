/**
 * Sees what no actor of the world can: when in simulated time each entry became durable, and which processes lived side by side.
 * At the end it replays the journal and looks whether what the masters did by themselves was allowed.
 */
import { applyEntry, newState, type Outcome } from "../../cell/cell.ts";
import type { CellEvent } from "../../cell/event.ts";
import { instanceNamed } from "../../cell/invariants-words.ts";
import { decodeEntry } from "../../cell/op.ts";
import type { CellState, Machine } from "../../cell/state.ts";
import { VERSION_MAX } from "../../cell/version.ts";
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { JournalAnswer } from "../../wire/journal.ts";
import type { Violation } from "../world/kernel.ts";
import type { World } from "../world.ts";
import { copies } from "./checks.ts";
import { ExecutorJudge } from "./executors.ts";
import { KeepingJudge } from "./keeping.ts";
import { Tallies } from "./tallies.ts";
import { UpkeepJudge } from "./upkeep.ts";
import { FITS_MS, LOOK_MS as LOOK_WAITING_MS, Waiting } from "./waiting.ts";

/** How often processes are looked at. */
const LOOK_MS = 500;
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
  #births = 0;

  watch(world: World): void {
    this.#world = world;
    this.#look();
  }

  /** An append without an answer is heard of when its place is read. */
  heard(answer: JournalAnswer): void {
    if (answer.type === "appended") this.#durable(answer.position);
    if (answer.type === "followed") this.#durable(answer.entry.position);
    if (answer.type === "entries") for (const { position } of answer.entries) this.#durable(position);
  }

  #durable(position: number): void {
    if (this.#world !== undefined && !this.#durableMs.has(position)) this.#durableMs.set(position, this.#world.kernel.nowMs);
  }

  #look(): void {
    const world = this.#world as World;
    world.kernel.after(LOOK_MS, () => this.#look());
    // Where none began there are no new copies.
    const births = world.machines.reduce((sum, machine) => sum + machine.births, 0);
    if (births === this.#births) return;
    this.#births = births;
    for (const [task, where] of copies(world.machines)) {
      const instances = where.map((each) => each.slice(0, each.indexOf(" ")));
      this.#together.set(`${task} ${instances.join(" ")}`, instances);
    }
  }

  judge(world: World, state: CellState): readonly Violation[] {
    const upkeep = new UpkeepJudge(world.kernel.probes);
    const keeping = new KeepingJudge(world.kernel.probes);
    const story = this.#story(world, upkeep, keeping);
    return [
      ...story.violations,
      ...versionViolations(world, state, story),
      ...upkeep.violations,
      ...keeping.violations,
      ...unknownFacts(world, state),
      ...unheard(world, state),
      ...story.waiting.violations(),
      ...story.executors.violations(world.machines),
      ...giveUpViolations(story),
      ...this.#duplicates(story),
      ...starved(world, state),
      ...story.tallies.violations(story.state, world.kernel.nowMs),
    ];
  }

  /** The journal again, event by event, with the simulated time of each. */
  #story(world: World, upkeep: UpkeepJudge, keeping: KeepingJudge): Story {
    const story = new Story(world.options.batch);
    const endMs = world.kernel.nowMs;
    let [nowMs, lookMs] = [0, endMs - FITS_MS];
    for (const { position, term, payload } of world.entries()) {
      const entry = decodeEntry(payload);
      if (!entry.ok) break;
      nowMs = Math.max(nowMs, this.#durableMs.get(position) ?? nowMs);
      for (; lookMs < nowMs; lookMs += LOOK_WAITING_MS) story.waiting.look(story.state, endMs - FITS_MS);
      const beforeMs = story.state.timeMs;
      const { version } = story.state;
      const outcomes = applyEntry(story.state, position, entry.value);
      if (story.state.version > version && story.state.version === VERSION_MAX) story.raisedMs.push(nowMs);
      if (story.state.timeMs < beforeMs) story.violations.push({ id: "KD4", text: `Time ran back at position ${position}` });
      const steps = entry.value.ops.map((op, i) => ({ op, outcome: outcomes[i] as Outcome }));
      keeping.add(story.state, steps);
      upkeep.add(story.state, nowMs, this.#durableMs.has(position), term, steps);
      story.add(
        nowMs,
        term,
        outcomes.flatMap((outcome) => (outcome.ok ? outcome.events : [])),
      );
    }
    for (; lookMs <= endMs; lookMs += LOOK_WAITING_MS) story.waiting.look(story.state, endMs - FITS_MS);
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
}

/** New behaviour is switched on when every master can do it, and then it is. [KD7] */
function versionViolations(world: World, state: CellState, { raisedMs }: Story): Violation[] {
  const upgradedMs = Math.max(0, ...world.options.upgradesMs);
  const early = raisedMs.find((atMs) => atMs < upgradedMs);
  if (early !== undefined)
    return [{ id: "KD7", text: `The cell's version rose at ${early} ms; the last master was upgraded at ${upgradedMs} ms` }];
  return state.version === VERSION_MAX
    ? []
    : [{ id: "KD7", text: `All masters can do version ${VERSION_MAX}, and the cell has ${state.version}` }];
}

/** When all has healed every machine answers, and the cell knows it. [KS3] */
function unheard(world: World, state: CellState): Violation[] {
  const silent = world.machines.filter(({ name }) => state.machines.get(name as never)?.reachable === false).map(({ name }) => name);
  return silent.length === 0 ? [] : [{ id: "KS3", text: `${silent.join(", ")} answer, and the cell takes them for unreachable` }];
}

/** What every machine says of itself, the cell knows. [KS6] */
function unknownFacts(world: World, state: CellState): Violation[] {
  const told = (facts: MachineFacts | undefined): string => JSON.stringify([facts?.capacity, facts?.attributes, facts?.rack]);
  const wrong = world.machines.filter(({ name, facts }) => told(state.machines.get(name as never)?.facts) !== told(facts));
  return wrong.slice(0, 3).map(({ name }) => ({ id: "KS6", text: `The cell does not know what ${name} says of itself` }));
}

/** A task that has run for a while has a reservation for what it uses, as far as its limit goes. [R2] */
function starved(world: World, state: CellState): Violation[] {
  const found: Violation[] = [];
  for (const machine of world.machines) {
    for (const id of machine.live()) {
      const [instance, task] = [instanceNamed(state, id), machine.task(id)];
      if (instance === undefined || task === undefined || instance.stop !== undefined || world.kernel.nowMs - task.sinceMs < SEEN_MS)
        continue;
      const { cpuMilli, ramBytes } = machine.use(task);
      if (instance.startedMs === 0) continue;
      if (instance.reservation.cpu < Math.min(instance.limit.cpu, cpuMilli) * SWAY)
        found.push({ id: "R2", text: `"${id}" uses ${cpuMilli} millicores and has ${instance.reservation.cpu} reserved` });
      if (instance.reservation.ram < Math.min(instance.limit.ram, ramBytes / 1024) * SWAY)
        found.push({ id: "R2", text: `"${id}" uses ${ramBytes} bytes of memory and has ${instance.reservation.ram} KiB reserved` });
    }
  }
  return found.slice(0, 3);
}

/** What happened to machines, in simulated time. */
class Story {
  readonly state = newState();
  readonly violations: Violation[] = [];
  readonly givenUp = new Set<string>();
  /** The first instance given up on a machine since it fell silent. */
  readonly giveUps: { readonly nowMs: number; readonly machine: string; readonly frozenForMs: number }[] = [];
  readonly elections: number[] = [];
  /** When the cell's version rose to the newest: masters that are not upgraded yet can do the one before it. */
  readonly raisedMs: number[] = [];
  readonly waiting: Waiting;
  readonly tallies = new Tallies();
  readonly executors = new ExecutorJudge();
  readonly #inTurn = new Set<string>();
  #term = 0;
  #frozenMs: number | undefined;

  constructor(batch: number) {
    this.waiting = new Waiting(batch);
  }

  add(nowMs: number, term: number, events: readonly CellEvent[]): void {
    if (term !== this.#term) this.elections.push(nowMs);
    this.#term = term;
    this.waiting.note(this.state, nowMs, events);
    this.tallies.add(this.state, nowMs, events);
    this.executors.add(this.state, events);
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

/** Of the cell, of one rack or of one power domain. */
function isFrozen(state: CellState): boolean {
  const machines = [...state.machines.values()];
  // No group has more silent ones than the cell.
  if (machines.filter((machine) => !machine.reachable).length < FREEZE_MIN) return false;
  const groups = [machines, ...groupsBy(machines, ({ facts }) => facts.rack), ...groupsBy(machines, ({ facts }) => facts.powerDomain)];
  return groups.some((group) => {
    const silent = group.filter((machine) => !machine.reachable).length;
    return silent >= FREEZE_MIN && silent > group.length * FREEZE_SHARE;
  });
}

const groupsBy = (machines: readonly Machine[], name: (machine: Machine) => string): readonly (readonly Machine[])[] =>
  [...new Set(machines.map(name))].map((each) => machines.filter((machine) => name(machine) === each));

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
