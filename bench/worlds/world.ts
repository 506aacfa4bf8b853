/**
 * One cell in simulated time, with whoever decides in it: the cell is the real one (cell/apply, by the ops that a master writes), and so are the rules that judge claims.
 * Who decides sees the cell as its world lets it, thinks for as long as the inputs say, and claims; what is refused or found no room is tried again.
 */
import assert from "node:assert/strict";
import { Heap, type Timed } from "../../src/base/heap.ts";
import { minus, plus, type Vector, ZERO } from "../../src/base/vector.ts";
import { applyEntry, type Outcome } from "../../src/cell/cell.ts";
import { type FeedItem, feedItem } from "../../src/cell/feed.ts";
import { makeEntry, masterOp, type Op, schedulerOp, userOp } from "../../src/cell/op.ts";
import type { CellState, Task } from "../../src/cell/state.ts";
import type { PlannedClaim } from "../../src/scheduler/message.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { build } from "../cells/plan.ts";
import type { WorldsInputs } from "./inputs.ts";
import type { Arrival, Kind, Work } from "./work.ts";

/** A job on its way to its places. */
export interface Wanted {
  readonly arrival: Arrival;
  readonly id: string;
  /** When somebody thought of it first, and when all of it had a place. */
  firstMs: number | undefined;
  placedMs: number | undefined;
}

/** Who decides. One job at a time. */
export interface Mind {
  /** As the cell knows it. */
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly queue: Wanted[];
  isBusy: boolean;
  busyMs: number;
  claims: number;
  refused: number;
  /** What it would claim for the job by what it sees now; undefined: it sees nothing, and is told when it does. */
  plan(wanted: Wanted): readonly PlannedClaim[] | undefined;
  /** Which claims it may still make, at the end of its thought. */
  still(claims: readonly PlannedClaim[]): readonly PlannedClaim[];
  decided(wanted: Wanted, claims: readonly PlannedClaim[]): void;
}

/** Who is told of every change of the cell. */
export interface Follower {
  follow(item: FeedItem): void;
}

interface Due extends Timed {
  readonly act: () => void;
}

/** The user of all work, in a band without quota; nobody's tasks go before another's. */
export const USER = "work";
const PRIORITY = 100;
const START_MS = 2_000_000;

export class World {
  readonly state: CellState;
  readonly inputs: WorldsInputs;
  readonly jobs: Wanted[] = [];
  readonly followers: Follower[] = [];
  minds: readonly Mind[] = [];
  readonly #serviceThinkMs: number;
  readonly #events = new Heap<Due>();
  #sequence = 0;
  #nowMs = 0;
  /** What tasks of each kind hold. */
  readonly held = new Map<Kind, Vector>();
  /** Milli of cpu times milliseconds that were held while it counts. */
  #cpuMs = 0;
  #heldSinceMs = 0;

  constructor(work: Work, inputs: WorldsInputs, serviceThinkMs: number, schedulers: readonly string[]) {
    this.inputs = inputs;
    this.#serviceThinkMs = serviceThinkMs;
    const limit = { cpuMilli: 1, ramBytes: 2 ** 20 };
    const first = { user: USER, name: "first", priority: PRIORITY, count: 1, task: { command: ["none"], limit } };
    this.state = build({ machines: work.machines, jobs: [{ spec: first, ranOn: [] }] });
    for (const name of schedulers)
      this.apply(userOp("admin", `s-${name}`, { case: "schedulerSet", value: { name, limits: { priorityMax: 450 } } }));
    for (const arrival of work.arrivals) this.at(arrival.atMs, () => this.#arrive(arrival));
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get endMs(): number {
    return 60_000 * (this.inputs.fillMinutes + this.inputs.minutes);
  }

  get fromMs(): number {
    return 60_000 * this.inputs.fillMinutes;
  }

  /** Until nobody comes any more. */
  run(): this {
    for (let due = this.#events.peek(); due !== undefined && due.timeMs <= this.endMs; due = this.#events.peek()) {
      this.#events.pop();
      this.#nowMs = due.timeMs;
      due.act();
    }
    this.#nowMs = this.endMs;
    this.#hold("batch", (held) => held);
    return this;
  }

  /** Of the machines' cpu, what tasks held while it counted. */
  get utilisation(): number {
    const all = [...this.state.machines.values()].reduce((sum, { place }) => sum + place.capacity.cpu, 0);
    return this.#cpuMs / (all * (this.endMs - this.fromMs));
  }

  at(timeMs: number, act: () => void): void {
    this.#sequence += 1;
    this.#events.push({ timeMs: Math.max(this.#nowMs, Math.ceil(timeMs)), sequence: this.#sequence, act });
  }

  apply(op: Op): readonly Outcome[] {
    const outcomes = applyEntry(this.state, this.state.position + 1, makeEntry(START_MS + this.#nowMs, [op]));
    const item = feedItem(this.state, outcomes);
    for (const each of this.followers) each.follow(item);
    return outcomes;
  }

  #arrive(arrival: Arrival): void {
    const { name, cpuMilli, ramBytes, taskMs, kind } = arrival;
    const task = { command: ["work"], limit: { cpuMilli, ramBytes } };
    const spec = { user: USER, name, priority: PRIORITY, count: taskMs.length, task, restart: { when: RestartWhen.NEVER } };
    const [outcome] = this.apply(userOp(USER, `j-${name}`, { case: "jobSubmit", value: { spec } }));
    assert.ok(outcome?.ok, JSON.stringify(outcome));
    const wanted: Wanted = { arrival, id: `${USER}/${name}`, firstMs: undefined, placedMs: undefined };
    this.jobs.push(wanted);
    const mind = this.minds.find(({ kinds }) => kinds.includes(kind)) as Mind;
    mind.queue.push(wanted);
    this.stir(mind);
  }

  /** It may have something to do. */
  stir(mind: Mind): void {
    const [wanted] = mind.queue;
    if (mind.isBusy || wanted === undefined) return;
    const claims = mind.plan(wanted);
    if (claims === undefined) return;
    mind.queue.shift();
    mind.isBusy = true;
    wanted.firstMs ??= this.#nowMs;
    const { batchThinkMs, thinkPerTaskMs } = this.inputs;
    const own = wanted.arrival.kind === "batch" ? batchThinkMs : this.#serviceThinkMs;
    const thinkMs = own + thinkPerTaskMs * this.waiting(wanted).length;
    if (this.#nowMs >= this.fromMs) mind.busyMs += Math.min(thinkMs, this.endMs - this.#nowMs);
    this.at(this.#nowMs + thinkMs, () => this.#decide(mind, wanted, claims));
  }

  #decide(mind: Mind, wanted: Wanted, planned: readonly PlannedClaim[]): void {
    const claims = mind.still(planned);
    mind.isBusy = false;
    mind.claims += planned.length;
    mind.refused += planned.length - (claims.length === 0 ? 0 : this.#claim(mind, wanted, claims));
    mind.decided(wanted, planned);
    if (this.waiting(wanted).length === 0) wanted.placedMs = this.#nowMs;
    else
      this.at(this.#nowMs + this.inputs.retryMs, () => {
        mind.queue.push(wanted);
        this.stir(mind);
      });
    this.stir(mind);
  }

  /** How many were accepted. */
  #claim({ name }: Mind, wanted: Wanted, claims: readonly PlannedClaim[]): number {
    const [outcome] = this.apply(schedulerOp(name, { case: "taskClaims", value: { claims: claims.map((claim) => ({ ...claim })) } }));
    assert.ok(outcome?.ok && outcome.answer.type === "claims", JSON.stringify(outcome));
    const accepted = outcome.answer.claims.flatMap(({ ok }, i) => (ok ? [claims[i]?.task ?? ""] : []));
    for (const id of accepted) {
      const task = this.#tasks(wanted).find((each) => each.id === id) as Task;
      this.#hold(wanted.arrival.kind, (held) => plus(held, task.job.limit));
      this.at(this.#nowMs + (wanted.arrival.taskMs[task.index] ?? 0), () => this.#end(wanted.arrival.kind, task));
    }
    return accepted.length;
  }

  #end(kind: Kind, { instance }: Task): void {
    if (instance === undefined) return;
    const { id, limit, place } = instance;
    const instances = [{ instance: id, run: 1, phase: Phase.FINISHED }];
    this.apply(masterOp({ case: "machineReport", value: { machine: place.machine.id, instances } }));
    this.#hold(kind, (held) => minus(held, limit));
  }

  #hold(kind: Kind, change: (held: Vector) => Vector): void {
    const cpu = [...this.held.values()].reduce((sum, each) => sum + each.cpu, 0);
    this.#cpuMs += cpu * Math.max(0, this.#nowMs - Math.max(this.#heldSinceMs, this.fromMs));
    this.#heldSinceMs = this.#nowMs;
    this.held.set(kind, change(this.held.get(kind) ?? ZERO));
  }

  #tasks = ({ id }: Wanted): readonly Task[] => this.state.jobs.get(id as never)?.tasks ?? [];

  waiting(wanted: Wanted): readonly Task[] {
    return this.#tasks(wanted).filter(({ state }) => state === "pending");
  }
}
