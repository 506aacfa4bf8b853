/**
 * Passes over pending work on a full cell: the cell as the trace ran it, or as full as it gets; reservations at 0.6 of cpu and 0.7 of memory
 * limits; then some of the work ends and as many tasks come, again and again, and each time one pass goes over all that is pending. The
 * scheduler has a thread of its own and follows the feed, as in a master; the clock runs there, with whatever its heap needs collecting.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Random } from "../src/base/random.ts";
import { Packer } from "../src/borgmaster/packing.ts";
import type { applyEntry } from "../src/cell/cell.ts";
import { type FeedItem, feedItem, imageOf } from "../src/cell/feed.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { masterOp } from "../src/cell/op.ts";
import type { CellState, Instance, Machine } from "../src/cell/state.ts";
import { Phase } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause } from "../src/wire/gen/borg/v1/op_pb.ts";
import { type CellArgs, cellOf } from "./cells/args.ts";
import { expectHomes } from "./cells/kinds.ts";
import { placeAsTraced, reclaim, step } from "./cells/traced.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import type { PassDone } from "./pass.worker.ts";
import { commit, prepared } from "./schedule.ts";
import { PENDING_MAX } from "./trials.ts";

const WARM_UP_PASSES = 20;
/** Instances that are drawn for each that is evicted, at most. */
const TRIES_MAX = 20;
const ITEMS_PER_LETTER = 50;
const PASSES_PER_COLLECTION = 5;

export async function benchPass(args: CellArgs): Promise<Figures> {
  const cell = cellOf(args);
  const state = prepared(cell);
  expectHomes(state, PENDING_MAX);
  placeAsTraced(state, cell);
  for (const machine of state.machines.values()) reclaim(state, machine);
  const scheduler = new Scheduler(args, state);
  const world = new Churn(state, scheduler, args.seed);
  await world.fill();
  const running = placedIn(state);
  for (let i = 0; i < WARM_UP_PASSES; i++) await world.turn(args.pending);
  const done: PassDone[] = [];
  for (let i = 0; i < args.passes; i++) done.push(await world.turn(args.pending));
  await scheduler.end();
  assert.deepEqual(stateViolations(state), []);
  return { machines: state.machines.size, running, passes: args.passes, ...summary(done) };
}

function summary(done: readonly PassDone[]): Figures {
  const at = (value: (pass: PassDone) => number, part: number): number => rounded(percentile(done.map(value), part));
  const mean = (value: (pass: PassDone) => number): number => Math.round(done.reduce((sum, pass) => sum + value(pass), 0) / done.length);
  return {
    pendingAtOnce: mean(({ waited }) => waited),
    looksPerPass: mean(({ looks }) => looks),
    claimsPerPass: mean(({ transactions }) => transactions.reduce((sum, { claims }) => sum + claims.length, 0)),
    p50Ms: at(({ milliseconds }) => milliseconds, 0.5),
    p99Ms: at(({ milliseconds }) => milliseconds, 0.99),
    maxMs: at(({ milliseconds }) => milliseconds, 1),
    cpuP50Ms: at(({ cpuMilliseconds }) => cpuMilliseconds, 0.5),
    cpuP99Ms: at(({ cpuMilliseconds }) => cpuMilliseconds, 0.99),
    followP50Ms: at(({ followMilliseconds }) => followMilliseconds, 0.5),
    followCpuP50Ms: at(({ followCpuMilliseconds }) => followCpuMilliseconds, 0.5),
    firstLoadMs: at(({ loads }) => loads[0] ?? 0, 1),
    loadMs: at(({ loads }) => loads.at(-1) ?? 0, 1),
    followP99Ms: at(({ followMilliseconds }) => followMilliseconds, 0.99),
  };
}

/** The scheduler's thread, seen from outside. */
class Scheduler {
  readonly #worker: Worker;
  readonly #packer = new Packer();
  #items: FeedItem[] = [];
  #passes = 0;

  constructor(args: CellArgs, state: CellState) {
    this.#worker = new Worker(new URL("pass.worker.ts", import.meta.url), { workerData: args });
    const { body } = this.#packer.pack({ type: "image", image: imageOf(state) });
    // Once more, as to a scheduler that missed something: by then its code is compiled.
    for (let i = 0; i < 2; i++) this.#worker.postMessage(body);
  }

  tell(item: FeedItem): void {
    this.#items.push(item);
  }

  /** The feed first, packed before any of it is sent; and nothing else runs here meanwhile, not even to collect what the cell left behind. */
  async pass(nowMs: number): Promise<PassDone> {
    const letters = this.#letters();
    if (this.#passes++ % PASSES_PER_COLLECTION === 0) globalThis.gc?.();
    for (const letter of letters) this.#worker.postMessage(letter);
    this.#worker.postMessage({ type: "pass", nowMs });
    const [done] = (await once(this.#worker, "message")) as [PassDone];
    return done;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Packing is what the feed costs the master. */
  #letters(): object[] {
    const letters: object[] = [];
    for (let at = 0; at < this.#items.length; at += ITEMS_PER_LETTER)
      letters.push(this.#packer.pack({ type: "items", items: this.#items.slice(at, at + ITEMS_PER_LETTER) }).body);
    this.#items = [];
    return letters;
  }
}

const placedIn = (state: CellState): number => {
  let placed = 0;
  for (const job of state.jobs.values()) placed += job.placed;
  return placed;
};

/** Work that ends and comes. */
class Churn {
  readonly #state: CellState;
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(state: CellState, scheduler: Scheduler, seed: number) {
    this.#state = state;
    this.#scheduler = scheduler;
    this.#random = new Random(seed, "churn");
  }

  /** Passes until nothing more fits. */
  async fill(): Promise<void> {
    for (;;) {
      const { transactions, more } = await this.#pass();
      if (!more && transactions.length === 0) return;
    }
  }

  /** As many tasks as `pending` lose their places; then one pass. Those that found no room before wait on. */
  async turn(pending: number): Promise<PassDone> {
    this.#evict(pending);
    return this.#pass();
  }

  async #pass(): Promise<PassDone> {
    const done = await this.#scheduler.pass(this.#state.timeMs);
    for (const transaction of done.transactions) this.#tell(commit(this.#state, transaction));
    for (const name of new Set(done.transactions.flatMap(({ claims }) => claims.map(({ place }) => place)))) {
      const machine = this.#state.machines.get(name as never);
      if (machine !== undefined) this.#tell(reclaim(this.#state, machine));
    }
    return done;
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
      this.#tell(step(this.#state, masterOp({ case: "taskEvict", value: { instances, cause: Cause.OTHER } })));
      const reports = instances.map((instance) => ({ instance, phase: Phase.GONE }));
      this.#tell(step(this.#state, masterOp({ case: "machineReport", value: { machine: machine.id, instances: reports } })));
    }
  }

  #tell(outcomes: ReturnType<typeof applyEntry>): void {
    this.#scheduler.tell(feedItem(this.#state, outcomes));
  }
}
