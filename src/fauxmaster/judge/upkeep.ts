/**
 * Whether what masters did by themselves was allowed, entry by entry with the simulated time of each: a new leader settles first, a drain keeps to the
 * jobs' budgets, a machine that is over its capacity is relieved. It also counts what an administrator's changes led to, so that a long run shows that it did.
 */
import type { Done, Outcome } from "../../cell/cell.ts";
import { downMaxOf, drainEveryOf, instanceNamed, isProdAt } from "../../cell/invariants-words.ts";
import type { Op } from "../../cell/op.ts";
import type { CellState, Instance, Job, Machine } from "../../cell/state.ts";
import { Cause } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Violation } from "../world/kernel.ts";
import type { Tally } from "../world/tally.ts";

/** A leader marks nobody and gives nobody up in its first half minute; its clock may run a tenth too fast. */
const SETTLE_MS = 26_000;
/** A decision may wait so long for its entry, and what it rested on may change meanwhile. */
const DECISION_MS = 15_000;
/** What no entry named is looked at again after so many entries. */
const WHOLE_EVERY = 16;
/** A machine is relieved so long after it got too full, once its leader has written so many entries with a pause between them. */
const RELIEF_MS = 20_000;
const RELIEF_ENTRIES = 5;
const PAUSE_MS = 1_500;

interface Step {
  readonly op: Op;
  readonly outcome: Outcome;
}

/** So many were down from then on. */
interface Down {
  readonly nowMs: number;
  readonly down: number;
}

interface Over {
  readonly sinceMs: number;
  lastMs: number;
  entries: number;
}

export class UpkeepJudge {
  readonly violations: Violation[] = [];
  readonly #probes: Tally;
  #term = 0;
  #electedMs = 0;
  /** How many tasks of each job were down lately. */
  readonly #down = new Map<string, readonly Down[]>();
  /** When a drain last took of a job with a pace, by the cell's clock. */
  readonly #drained = new Map<string, { readonly submittedMs: number; readonly timeMs: number }>();
  #unreachable = "";
  /** Of the entry before. */
  #entryMs = 0;
  readonly #over = new Map<string, Over>();

  constructor(probes: Tally) {
    this.#probes = probes;
  }

  /** `isTimed`: when this entry became durable is known, not guessed. */
  add(state: CellState, nowMs: number, isTimed: boolean, term: number, steps: readonly Step[]): void {
    if (term !== this.#term) {
      this.#electedMs = nowMs;
      this.#over.clear();
    }
    this.#term = term;
    for (const step of steps) {
      this.#note(step);
      if (isTimed) this.#settles(nowMs, step);
    }
    this.#budgets(state, nowMs, steps);
    this.#relieves(state, nowMs);
  }

  /** A new leader waits until links had time to come. [KP3] */
  #settles(nowMs: number, { op, outcome }: Step): void {
    if (!outcome.ok || nowMs - this.#electedMs >= SETTLE_MS) return;
    const { body } = op;
    const marks = body.case === "machineMark" && !body.value.reachable && outcome.events.length > 0;
    const givesUp = body.case === "taskLost" && outcome.events.length > 0;
    if (!marks && !givesUp) return;
    const text = `${body.value.machine} was ${marks ? "marked unreachable" : "given up"} at ${nowMs} ms by the leader of ${this.#electedMs} ms`;
    this.violations.push({ id: "KP3", text });
  }

  /** A drain takes no more tasks of a job down than the job allows at a time: those that it names, and those inside allocs. Who was down already costs nothing. [KP2] */
  #budgets(state: CellState, nowMs: number, steps: readonly Step[]): void {
    const taken = new Map<Job, number>();
    const reported = reportedIn(steps);
    for (const { op, outcome } of steps) {
      if (!outcome.ok || op.body.case !== "taskEvict" || op.body.value.cause !== Cause.MACHINE_SHUTDOWN) continue;
      for (const { kind, to, instance: id = "" } of outcome.events) {
        const instance = kind === "task.state" && to === "stopping" ? instanceNamed(state, id) : undefined;
        if (instance === undefined || !wasUp(instance) || reported.has(id)) continue;
        const { job } = instance.task;
        taken.set(job, (taken.get(job) ?? 0) + 1);
      }
    }
    for (const [job, count] of taken) {
      this.#budget(job, nowMs, count);
      this.#pace(job, state.timeMs, count);
    }
    const changed = this.#changed(state, steps);
    this.#entryMs = nowMs;
    for (const job of state.jobs.values()) if (changed?.has(job.id) !== false && downMaxOf(job) !== undefined) this.#remember(job, nowMs);
  }

  /** Jobs of which another task may be down now; undefined: all, because a machine fell silent or spoke again, or because all are looked at now and then. */
  #changed(state: CellState, steps: readonly Step[]): ReadonlySet<string> | undefined {
    const silent = [...state.machines.values()].filter(({ reachable }) => !reachable).map(({ id }) => id);
    const before = this.#unreachable;
    this.#unreachable = silent.join();
    if (this.#unreachable !== before || state.position % WHOLE_EVERY === 0) return undefined;
    const changed = new Set<string>();
    for (const { outcome } of steps)
      if (outcome.ok) for (const id of [...outcome.touched.jobs, ...outcome.touched.tasks.keys()]) changed.add(id);
    return changed;
  }

  #budget(job: Job, nowMs: number, count: number): void {
    const max = downMaxOf(job);
    if (max === undefined) return;
    this.#probes.add("a drain met a down limit");
    const known = this.#down.get(job.id);
    const before = known === undefined ? 0 : Math.min(...lately(known, this.#entryMs).map(({ down }) => down));
    const allowed = Math.max(0, max - before);
    // What is inside one alloc goes together, more of it than may be down only while nobody else is.
    const isWholeAlloc = inSet(job) && count > max && before === 0;
    if (count > allowed && !isWholeAlloc)
      this.violations.push({ id: "KP2", text: `A drain took ${count} tasks of "${job.id}" down at ${nowMs} ms; it may take ${allowed}` });
  }

  /** Where a job says how often, one goes at a time, or one alloc with all inside; by the cell's clock. An update under way may have changed how often that is. [KP2] */
  #pace(job: Job, timeMs: number, count: number): void {
    const everyMs = Math.min(...[job, ...(job.update === undefined ? [] : [job.update])].map(drainEveryOf));
    if (everyMs === 0) return;
    this.#probes.add("a drain met a pace");
    const known = this.#drained.get(job.id);
    this.#drained.set(job.id, { submittedMs: job.submittedMs, timeMs });
    const isNew = known === undefined || known.submittedMs !== job.submittedMs;
    const tooMany = count > 1 && !inSet(job) && `took ${count} tasks`;
    const tooSoon = !isNew && timeMs < known.timeMs + everyMs && `took one ${timeMs - known.timeMs} ms after the last`;
    const what = tooMany || tooSoon;
    if (what !== false)
      this.violations.push({ id: "KP2", text: `A drain ${what} of "${job.id}" down, which lets one go every ${everyMs} ms` });
  }

  #remember(job: Job, nowMs: number): void {
    const down = job.tasks.filter(
      ({ state, instance }) =>
        state !== "dead" && state !== "ending" && !(state === "running" && instance !== undefined && wasUp(instance)),
    ).length;
    const known = this.#down.get(job.id) ?? [];
    if (known.at(-1)?.down !== down) this.#down.set(job.id, [...lately(known, nowMs), { nowMs, down }]);
  }

  /** A machine that answers and got over its capacity does not stay so while something on it could go. [KR5] */
  #relieves(state: CellState, nowMs: number): void {
    for (const machine of state.machines.values()) {
      const could = machine.reachable ? couldGo(machine) : undefined;
      if (could === undefined) {
        this.#over.delete(machine.id);
        continue;
      }
      const over = this.#over.get(machine.id) ?? { sinceMs: nowMs, lastMs: nowMs, entries: 0 };
      this.#over.set(machine.id, over);
      if (nowMs - over.sinceMs < RELIEF_MS || nowMs - over.lastMs < PAUSE_MS) continue;
      over.lastMs = nowMs;
      over.entries += 1;
      if (over.entries !== RELIEF_ENTRIES) continue;
      const text = `Machine "${machine.id}" is over its capacity since ${over.sinceMs} ms, and at ${nowMs} ms "${could.id}" is still there`;
      this.violations.push({ id: "KR5", text });
    }
  }

  #note({ op, outcome }: Step): void {
    const { body } = op;
    if (outcome.ok) {
      if (body.case === "machineLeave") this.#probes.add("a machine left");
      if (body.case === "machineFacts" && outcome.events.length > 0) this.#probes.add("a machine's facts changed");
      if (body.case === "taskEvict" && body.value.cause === Cause.OUT_OF_RESOURCES) this.#probes.add("an over-full machine was relieved");
      for (const { kind, detail = "" } of outcome.events) if (kind === "job.updated" || kind === "task.changed") this.#noteUpdate(detail);
      const refusals = outcome.answer.type === "claims" ? outcome.answer.claims : [];
      for (const claim of refusals) if (!claim.ok) this.#noteRefusal(claim.reason);
      this.#noteFramework(op, outcome);
    } else if (/quota of user .* has ended/.test(outcome.reason)) this.#probes.add("a quota had ended");
  }

  #noteFramework({ body }: Op, { answer }: Done): void {
    if (body.case === "frameworkAcknowledge" && answer.type === "done") this.#probes.add("a framework acknowledged an update");
    if (body.case === "frameworkRevoke" && answer.type === "done") this.#probes.add("a task was revoked for a role below its guarantee");
    if (body.case === "frameworkTeardown" && answer.type === "done") this.#probes.add("a framework was torn down");
    for (const launch of answer.type === "launches" ? answer.launches : [])
      this.#probes.add(launch.ok ? "a framework launched a task" : launch.kind === "lost" ? "a launch was lost" : "a launch was an error");
  }

  #noteUpdate(detail: string): void {
    if (detail === "is committed") this.#probes.add("an update was committed");
    if (detail.startsWith("was undone")) this.#probes.add("an update was undone");
    if (detail.startsWith("is undone: ")) this.#probes.add("an update undid itself");
    if (detail.startsWith("is skipped")) this.#probes.add("an update skipped a task");
    if (detail === "is updated in place") this.#probes.add("a task was updated in place");
  }

  #noteRefusal(reason: string): void {
    if (reason.includes("changed since the scheduler looked")) this.#probes.add("a coarse claim was refused");
    if (reason.includes("above its cap")) this.#probes.add("a scheduler met its cap");
    if (reason.includes("jobs, its most")) this.#probes.add("a scheduler had its most jobs");
  }
}

/** What held in the time that a decision may take: the newest of the older ones still did at its beginning. */
function lately(known: readonly Down[], nowMs: number): readonly Down[] {
  const from = known.findLastIndex((each) => each.nowMs < nowMs - DECISION_MS);
  return known.slice(Math.max(0, from));
}

/** Something not prod, or over its own memory limit, that stays on a machine where more is reserved than there is, and has some of it. Asked of every machine after every entry. */
function couldGo({ place: { occupants, capacity } }: Machine): Instance | undefined {
  let [cpu, ram, disk] = [0, 0, 0];
  for (const { stop, reservation } of occupants.values()) {
    if (stop !== undefined) continue;
    cpu += reservation.cpu;
    ram += reservation.ram;
    disk += reservation.disk;
  }
  const isOver = { cpu: cpu > capacity.cpu, ram: ram > capacity.ram, disk: disk > capacity.disk };
  if (!isOver.cpu && !isOver.ram && !isOver.disk) return undefined;
  const some = ({ reservation }: Instance): boolean => MEASURED.some((name) => isOver[name] && reservation[name] > 0);
  return [...occupants.values()].find((each) => each.stop === undefined && (each.overRam || !isProdAt(each.priority)) && some(each));
}

const MEASURED = ["cpu", "ram", "disk"] as const;

const inSet = ({ spec }: Job): boolean => spec.kind === "job" && spec.job.allocSet !== "";

/** It ran, and its checks, as far as its spec declares some, were good; whether somebody stops it does not matter here. An alloc has nothing to show. */
function wasUp({ task, generation, inside, startedMs, faring, place }: Instance): boolean {
  if (inside !== undefined) return true;
  if (startedMs === 0 || faring.backOffUntilMs > 0 || !place.machine.reachable) return false;
  const { job } = task;
  const named = [{ generation: job.generation, spec: job.spec }, ...job.kept, ...(job.update === undefined ? [] : [job.update])];
  const spec = named.find((each) => each.generation === generation)?.spec;
  const asked = spec?.kind === "job" ? spec.job.task : undefined;
  return asked?.ready !== undefined ? faring.wellMs > 0 : asked?.health === undefined || faring.health === "good";
}

/** Of these the state after the entry does not tell whether they were up when the drain took them: a report of the same entry may have come between. */
const reportedIn = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(steps.flatMap(({ op: { body } }) => (body.case === "machineReport" ? body.value.instances.map(({ instance }) => instance) : [])));
