/**
 * Passes over pending work on a full cell: the cell as the trace ran it, or as full as it gets; reservations at 0.6 of cpu and 0.7 of memory
 * limits; then some of the work ends and as many tasks come, again and again, and each time one pass goes over all that is pending.
 */
import assert from "node:assert/strict";
import { Random } from "../src/base/random.ts";
import { applyEntry } from "../src/cell/cell.ts";
import { feedItem } from "../src/cell/feed.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { makeEntry, masterOp, type Op, schedulerOp } from "../src/cell/op.ts";
import type { CellState, Instance, Machine } from "../src/cell/state.ts";
import type { Mirror } from "../src/scheduler/mirror.ts";
import { runPass, type Transaction } from "../src/scheduler/pass.ts";
import { Queue } from "../src/scheduler/queue.ts";
import { everyJob } from "../src/scheduler/responsibility.ts";
import { Phase } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause } from "../src/wire/gen/borg/v1/op_pb.ts";
import { type BenchCell, type CellArgs, cellOf } from "./cells/args.ts";
import { SCHEDULER } from "./cells/plan.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { commit, mirrorOf, optionsOf, prepared, schedule } from "./schedule.ts";

const CPU_RESERVED = 0.6;
const RAM_RESERVED = 0.7;
const CLAIMS_PER_OP = 1000;
const WARM_UP_PASSES = 20;
/** Instances that are drawn for each that is evicted, at most. */
const TRIES_MAX = 20;

export function benchPass(args: CellArgs): Figures {
  const cell = cellOf(args);
  const state = prepared(cell);
  placeAsTraced(state, cell);
  for (const machine of state.machines.values()) reclaim(state, machine);
  const mirror = mirrorOf(state);
  const world = new Churn(state, mirror, args);
  schedule(mirror, world.queue, (transaction) => world.commit(transaction), optionsOf(args));
  const before = placedIn(state);
  for (let i = 0; i < WARM_UP_PASSES; i++) world.turn(args.pending);
  world.milliseconds.length = 0;
  world.cpuMilliseconds.length = 0;
  for (let i = 0; i < args.passes; i++) world.turn(args.pending);
  assert.deepEqual(stateViolations(state), []);
  const at = (values: readonly number[], part: number): number => rounded(percentile(values, part));
  const { milliseconds, cpuMilliseconds } = world;
  return {
    machines: state.machines.size,
    running: before,
    passes: args.passes,
    pendingAtOnce: Math.round(world.waited / Math.max(world.turns, 1)),
    looksPerPass: Math.round(world.looks / Math.max(world.turns, 1)),
    claimsPerPass: Math.round(world.claims / Math.max(world.turns, 1)),
    p50Ms: at(milliseconds, 0.5),
    p99Ms: at(milliseconds, 0.99),
    maxMs: at(milliseconds, 1),
    cpuP50Ms: at(cpuMilliseconds, 0.5),
    cpuP99Ms: at(cpuMilliseconds, 0.99),
  };
}

/** Tasks that ran where the trace says, as far as the judge agrees. */
function placeAsTraced(state: CellState, { jobs }: BenchCell): void {
  const claims: { task: string; incarnation: number; place: string }[] = [];
  for (const { spec, ranOn } of jobs) {
    const tasks = state.jobs.get(`${spec.user}/${spec.name}` as never)?.tasks ?? [];
    for (const [index, place] of ranOn.entries()) {
      const task = tasks[index];
      if (task !== undefined && place !== undefined) claims.push({ task: task.id, incarnation: task.incarnation, place });
    }
  }
  for (let at = 0; at < claims.length; at += CLAIMS_PER_OP) {
    const value = { claims: claims.slice(at, at + CLAIMS_PER_OP) };
    step(state, schedulerOp(SCHEDULER, { case: "taskClaims", value }));
    for (const name of new Set(value.claims.map(({ place }) => place))) {
      const machine = state.machines.get(name as never);
      if (machine !== undefined) reclaim(state, machine);
    }
  }
}

function reclaim(state: CellState, machine: Machine): ReturnType<typeof applyEntry> {
  const reservations = [...machine.place.occupants.values()].map(({ id, limit }) => ({
    instance: id,
    amount: {
      cpuMilli: Math.ceil(limit.cpu * CPU_RESERVED),
      ramBytes: Math.ceil(limit.ram * RAM_RESERVED) * 1024,
      diskBytes: limit.disk * 1024,
    },
  }));
  return step(state, masterOp({ case: "reservations", value: { machine: machine.id, reservations } }));
}

function step(state: CellState, op: Op): ReturnType<typeof applyEntry> {
  return applyEntry(state, state.position + 1, makeEntry(state.timeMs + 1, [op]));
}

const placedIn = (state: CellState): number => {
  let placed = 0;
  for (const job of state.jobs.values()) placed += job.placed;
  return placed;
};

/** Work that ends and comes. */
class Churn {
  readonly #state: CellState;
  readonly #mirror: Mirror;
  readonly #args: CellArgs;
  readonly #random: Random;
  readonly queue = new Queue({ mine: everyJob(SCHEDULER), retryMs: 10_000 });
  readonly milliseconds: number[] = [];
  /** The same without what others took of the machine meanwhile. */
  readonly cpuMilliseconds: number[] = [];
  #ids = 0;
  turns = 0;
  waited = 0;
  claims = 0;
  looks = 0;

  constructor(state: CellState, mirror: Mirror, args: CellArgs) {
    this.#state = state;
    this.#mirror = mirror;
    this.#args = args;
    this.#random = new Random(args.seed, "churn");
  }

  commit(transaction: Transaction): void {
    this.#follow(commit(this.#state, transaction));
    this.#mirror.drop(transaction.id);
  }

  /** As many tasks as `pending` lose their places; then one pass, timed. Those that found no room before wait on. */
  turn(pending: number): void {
    this.#evict(pending);
    this.turns += 1;
    for (const { indexes } of this.#mirror.waiting.values()) this.waited += indexes.size;
    const id = (): string => `p${++this.#ids}`;
    globalThis.gc?.({ type: "minor" });
    const cpu = process.threadCpuUsage();
    const started = performance.now();
    const { transactions, looks } = runPass(this.#mirror, this.queue, { nowMs: this.#state.timeMs, id, ...optionsOf(this.#args) });
    this.milliseconds.push(performance.now() - started);
    const used = process.threadCpuUsage(cpu);
    this.cpuMilliseconds.push((used.user + used.system) / 1000);
    this.looks += looks;
    for (const transaction of transactions) {
      this.claims += transaction.claims.length;
      this.commit(transaction);
    }
    for (const name of new Set(transactions.flatMap(({ claims }) => claims.map(({ place }) => place)))) {
      const machine = this.#state.machines.get(name as never);
      if (machine !== undefined) this.#follow(reclaim(this.#state, machine));
    }
  }

  #evict(count: number): void {
    const gone = new Map<Machine, Instance[]>();
    const machines = [...this.#state.machines.values()];
    for (let left = count, tries = 0; left > 0 && tries < TRIES_MAX * count; tries++) {
      const machine = this.#random.pick(machines);
      const running = [...machine.place.occupants.values()].filter((instance) => instance.stop === undefined);
      const one = running.length === 0 ? undefined : this.#random.pick(running);
      const there = gone.get(machine) ?? [];
      if (one === undefined || there.includes(one)) continue;
      gone.set(machine, [...there, one]);
      left -= 1;
    }
    for (const [machine, each] of gone) {
      const instances = each.map(({ id }) => id);
      this.#follow(step(this.#state, masterOp({ case: "taskEvict", value: { instances, cause: Cause.OTHER } })));
      const reports = instances.map((instance) => ({ instance, phase: Phase.GONE }));
      this.#follow(step(this.#state, masterOp({ case: "machineReport", value: { machine: machine.id, instances: reports } })));
    }
  }

  #follow(outcomes: ReturnType<typeof applyEntry>): void {
    assert.equal(this.#mirror.follow(feedItem(this.#state, outcomes)), undefined);
  }
}
