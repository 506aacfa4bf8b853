/** Dominant resource fairness against the slow way: give one task at a time to whoever has least. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { MachineId } from "../../src/base/id.ts";
import { dominantShare } from "../../src/base/share.ts";
import { fits, plus, rest, type Vector, ZERO } from "../../src/base/vector.ts";
import type { Offer } from "../../src/offers/ledger.ts";
import { settings } from "../cell/settings.ts";
import { amount, ToyCell } from "./toy-cell.ts";

interface Wish {
  readonly name: string;
  readonly weight: number;
  readonly task: Vector;
  /** How many it wants. */
  readonly count: number;
}

const DECLINE_MS = 3_600_000;

const wish = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  cpu: fc.integer({ min: 100, max: 1500 }),
  ram: fc.integer({ min: 32, max: 1500 }).map((mb) => mb * 1024),
  count: fc.integer({ min: 1, max: 40 }),
});
const wishes = (min: number) =>
  fc
    .array(wish, { minLength: min, maxLength: 4 })
    .map((list) => list.map(({ weight, cpu, ram, count }, i): Wish => ({ name: `f${i}`, weight, task: amount(cpu, ram), count })));
const capacity = fc.tuple(fc.integer({ min: 1000, max: 9000 }), fc.integer({ min: 1000, max: 9000 })).map(([c, r]) => amount(c, r * 1024));
const machines = fc.array(capacity, { minLength: 1, maxLength: 4 });

function cellOf(capacities: readonly Vector[], all: readonly Wish[]): ToyCell {
  const cell = new ToyCell();
  for (const [i, each] of capacities.entries()) cell.addMachine(`m${i}`, each);
  for (const { name, weight } of all) cell.addFramework(name, { weight });
  return cell;
}

const countOf = (cell: ToyCell, name: string): number => [...cell.tasks.values()].filter(({ framework }) => framework === name).length;

/** The slow way: whoever has least for its weight and still fits somewhere gets one more, on the first machine where it fits. */
function model(capacities: readonly Vector[], all: readonly Wish[]): number[] {
  const total = capacities.reduce(plus, ZERO);
  const free = [...capacities];
  const counts = all.map(() => 0);
  const share = (i: number): number => (counts[i]! * dominantShare(all[i]!.task, total)) / all[i]!.weight;
  for (;;) {
    const can = all.map((_, i) => i).filter((i) => counts[i]! < all[i]!.count && free.some((room) => fits(all[i]!.task, room)));
    if (can.length === 0) return counts;
    const next = can.reduce((best, i) => (share(i) < share(best) - 1e-12 ? i : best));
    const at = free.findIndex((room) => fits(all[next]!.task, room));
    free[at] = rest(free[at]!, all[next]!.task);
    counts[next]! += 1;
  }
}

/** Offers are answered one at a time: the first that somebody can use. What does not fit is declined for long, the others are given back at once. */
function play(cell: ToyCell, all: readonly Wish[], each: "one" | "all"): void {
  const wishOf = new Map(all.map((one) => [one.name, one]));
  const use = ({ framework, amount: offered }: Offer): boolean => {
    const { task, count } = wishOf.get(framework) as Wish;
    return countOf(cell, framework) < count && fits(task, offered);
  };
  for (let idle = 0, rounds = 0; idle < 2; rounds++) {
    assert.ok(rounds < 2_000, "It comes to an end");
    const { offers } = cell.cycle();
    idle = offers.length === 0 ? idle + 1 : 0;
    const total = cell.total;
    const least = offers.filter(use).sort((a, b) => shareOf(cell, wishOf, a, total) - shareOf(cell, wishOf, b, total));
    // A fragment that its framework cannot use counts towards its share while it is out: it is given back before anybody takes something.
    const taken = each === "all" ? least : offers.every(use) ? least.slice(0, 1) : [];
    for (const offer of offers) if (!taken.includes(offer)) cell.decline(offer, use(offer) ? 0 : DECLINE_MS);
    for (const offer of taken) {
      if (each === "one") expectLeast(cell, all, wishOf, offer);
      if (use(offer)) assert.ok(cell.accept(offer, [(wishOf.get(offer.framework) as Wish).task]));
      else cell.decline(offer, DECLINE_MS);
    }
  }
}

const shareOf = (cell: ToyCell, wishOf: ReadonlyMap<string, Wish>, { framework }: Offer, total: Vector): number =>
  dominantShare(cell.used(framework), total) / (wishOf.get(framework) as Wish).weight;

/** Who takes a task has least of all that could have taken one. */
function expectLeast(cell: ToyCell, all: readonly Wish[], wishOf: ReadonlyMap<string, Wish>, offer: Offer): void {
  const total = cell.total;
  const least = Math.min(
    ...all.filter((one) => idle(cell, one) !== undefined).map(({ name, weight }) => dominantShare(cell.used(name), total) / weight),
  );
  assert.ok(
    shareOf(cell, wishOf, offer, total) <= least + 1e-9,
    `${offer.framework} has ${shareOf(cell, wishOf, offer, total)}, another ${least}`,
  );
}

const idle = (cell: ToyCell, { name, task, count }: Wish): MachineId | undefined =>
  countOf(cell, name) < count ? [...cell.machines.keys()].find((id) => fits(task, cell.free(id))) : undefined;

test("drf gives everybody within one task of what the slow way gives [offers.S2][offers.S3][Z7]", () => {
  fc.assert(
    fc.property(capacity, wishes(1), (whole, all) => {
      const cell = cellOf([whole], all);
      play(cell, all, "one");
      const expected = model([whole], all);
      for (const [i, one] of all.entries())
        assert.ok(Math.abs(countOf(cell, one.name) - expected[i]!) <= 1, `${one.name}: ${countOf(cell, one.name)}, not ${expected[i]}`);
    }),
    settings(150),
  );
});

test("on several machines whoever gets a task has least of all who could have got one [offers.S2][offers.S3]", () => {
  fc.assert(
    fc.property(machines, wishes(1), (capacities, all) => {
      const cell = cellOf(capacities, all);
      play(cell, all, "one");
      for (const one of all) assert.equal(idle(cell, one), undefined, "Nobody who wants more is left where there is room");
    }),
    settings(100),
  );
});

test("with many offers out at once nothing is left free that somebody wants [offers.S3]", () => {
  fc.assert(
    fc.property(machines, wishes(2), (capacities, all) => {
      const cell = cellOf(capacities, all);
      play(cell, all, "all");
      for (const one of all) assert.equal(idle(cell, one), undefined);
    }),
    settings(100),
  );
});

/** The largest part of a machine that a task takes. */
const partOf = (task: Vector, whole: Vector): number => Math.max(task.cpu / whole.cpu, task.ram / whole.ram);

/** Tasks are whole: who asks for more may take the room in which another's large task would have stood, so what it gains is bounded by the largest task there is. */
test("asking for more than one needs helps by no more than whole tasks make it [offers.S4]", () => {
  const lie = fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 1500 }));
  fc.assert(
    fc.property(capacity, wishes(2), lie, (whole, all, [cpu, ram]) => {
      const honest = cellOf([whole], all);
      play(honest, all, "one");
      const lied = all.map((one, i) => (i === 0 ? { ...one, task: plus(one.task, amount(cpu, ram * 1024)) } : one));
      const liar = cellOf([whole], lied);
      play(liar, lied, "one");
      const own = partOf(all[0]!.task, whole);
      const gained = (countOf(liar, "f0") - countOf(honest, "f0")) * own;
      assert.ok(gained <= own + Math.max(...all.map(({ task }) => partOf(task, whole))) + 1e-9, `gained ${gained}`);
    }),
    settings(150),
  );
});
