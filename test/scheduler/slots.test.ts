/** The machines in arrays against the records, and short cuts against each other. RUNS multiplies the counts, SEED repeats a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { build } from "../../bench/cells/plan.ts";
import { Random } from "../../src/base/random.ts";
import { imageOf } from "../../src/cell/feed.ts";
import type { Op } from "../../src/cell/op.ts";
import { counts, everythingOn } from "../../src/cell/place.ts";
import { LEVELS, levelOf } from "../../src/scheduler/evict/level.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { ROW } from "../../src/scheduler/mirror/residents.ts";
import { Tally } from "../../src/scheduler/mirror/tally.ts";
import { type PassOptions, runPass } from "../../src/scheduler/pass.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { everyJob } from "../../src/scheduler/responsibility.ts";
import { BLOCK } from "../../src/scheduler/search/blocks.ts";
import { SUM } from "../../src/scheduler/search/columns.ts";
import { ALL_SHORTCUTS } from "../../src/scheduler/search/search.ts";
import { Slots } from "../../src/scheduler/search/slots.ts";
import { draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld } from "../cell/world.ts";
import { randomCell } from "./random-cell.ts";
import { Bench, mirrorOf } from "./support.ts";

function expectSame(mirror: Mirror, prod: boolean): void {
  const slots = mirror.slots("hybrid", prod);
  slots.flush();
  const fresh = new Slots(
    mirror.sorted().map((machine) => machine.place),
    "hybrid",
    prod,
    mirror.numbering,
    undefined,
    mirror.demand.now,
  );
  assert.deepEqual(rowsOf(slots), rowsOf(fresh));
  assert.deepEqual(rostersOf(slots), rostersOf(fresh));
  expectBounds(slots);
}

/** The rows of all places, in the order of their names. */
const rowsOf = ({ blocks, view, places }: Slots): readonly Float64Array[] =>
  places.map((_, i) => {
    const row = (blocks.rowOf[i] as number) * view.width;
    return view.rows.slice(row, row + view.width);
  });

/** Who could be evicted at each place, whatever their order. */
const rostersOf = (slots: Slots): readonly string[][] =>
  slots.places.map((_, i) => {
    const { size, numbers } = slots.rosterAt(i);
    return Array.from({ length: size }, (__, k) => numbers.slice(k * ROW, (k + 1) * ROW).join(" ")).sort();
  });

/** Every place is in one block, and within its bounds. */
function expectBounds({ blocks, view, places }: Slots): void {
  const seen = new Set<number>();
  for (let b = 0; b < blocks.size; b++) {
    for (let k = b * BLOCK; k < b * BLOCK + (blocks.counts[b] as number); k++) {
      const i = blocks.members[k] as number;
      seen.add(i);
      assert.equal(blocks.rowOf[i], k);
      assert.ok((blocks.first[b] as number) <= i);
      for (let column = 0; column < view.width; column++) {
        const [value, bound] = [view.rows[k * view.width + column] as number, view.bounds[b * view.width + column] as number];
        assert.ok(column === SUM ? value >= bound : value <= bound, `${places[i]?.id} is beyond the bounds of its block`);
      }
    }
  }
  assert.equal(seen.size, places.length);
}

function expectTallies(mirror: Mirror): void {
  for (const job of mirror.jobs.values()) {
    const [kept, fresh] = [mirror.tallyOf(job), new Tally(mirror, job)];
    for (const machine of mirror.machines.values()) {
      const at = mirror.numbering.of(machine);
      const of = (tally: Tally): number[] => [tally.onMachine(at.machine), tally.inRack(at.rack), tally.inPower(at.power)];
      assert.deepEqual(of(kept), of(fresh));
    }
  }
}

test("arrays, tallies and totals are what the records say, whatever the feed and claims under way did [scheduler.M4] [S7]", () => {
  fc.assert(
    fc.property(draws(100), (drawn) => {
      const world = busyWorld();
      const bench = new Bench(world);
      const past: Op[] = [];
      for (const [step, draw] of drawn.entries()) {
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        bench.apply(op);
        const transactions = step % 3 === 0 ? bench.pass().transactions : [];
        if (step % 9 === 0) for (const transaction of transactions) bench.commit(transaction);
        else if (step % 2 === 0) for (const { id } of transactions) bench.mirror.drop(id);
        for (const prod of [false, true]) expectSame(bench.mirror, prod);
        expectTallies(bench.mirror);
      }
      const { totals } = bench.mirror;
      const machines = [...bench.mirror.machines.values()];
      const sum = (of: (machine: (typeof machines)[number]) => number): number => machines.reduce((all, each) => all + of(each), 0);
      assert.equal(
        totals.capacity,
        sum(({ place }) => place.capacity.cpu),
      );
      assert.equal(
        totals.prodLimit,
        sum(({ place }) => place.prodLimit.cpu),
      );
      assert.equal(
        totals.reserved,
        sum(({ place }) => place.reserved.cpu),
      );
      const there = machines
        .flatMap((machine) => [...everythingOn(machine)])
        .filter((each) => counts(each) && !bench.mirror.isPlanned(each));
      for (let top = 0; top < LEVELS; top++)
        assert.equal(
          totals.hasVictims(top),
          there.some(({ overRam, priority }) => overRam || levelOf(priority) <= top),
        );
    }),
    settings(30),
  );
});

function claimsOf(mirror: Mirror, options: Partial<PassOptions>): string[] {
  const queue = new Queue({ mine: everyJob("service"), retryMs: 10_000 });
  let ids = 0;
  const out: string[] = [];
  for (;;) {
    const { transactions, more } = runPass(mirror, queue, { nowMs: mirror.timeMs, id: () => `t${++ids}`, ...options });
    for (const { claims } of transactions) for (const { task, place, victims } of claims) out.push(`${task} ${place} ${victims}`);
    if (!more && transactions.length === 0) return out;
  }
}

test("no short cut changes a choice: without caches, classes or blocks the claims are the same [scheduler.S4] [S9] [S10]", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(6, 70), (seed, machines) => {
      const image = imageOf(build(randomCell(seed, machines, 2 * machines)));
      const claims = claimsOf(mirrorOf(image), {});
      for (const off of ["cache", "classes", "blocks"] as const)
        assert.deepEqual(claimsOf(mirrorOf(image), { shortcuts: { ...ALL_SHORTCUTS, [off]: false } }), claims, `without ${off}`);
    }),
    settings(25),
  );
});

test("sampling places what fits somewhere, and the same random numbers give the same claims [scheduler.S8] [S11]", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      const image = imageOf(build(randomCell(seed, 60, 60)));
      const sampled = (): string[] => {
        const random = new Random(seed, "sampling");
        const sampling = { enough: 5, random: () => random.float() };
        const mirror = mirrorOf(image);
        const claims = claimsOf(mirror, { shortcuts: { ...ALL_SHORTCUTS, sampling } });
        assert.deepEqual(claimsOf(mirror, {}), [], "an exact pass finds nothing more");
        return claims;
      };
      assert.deepEqual(sampled(), sampled());
    }),
    settings(20),
  );
});
