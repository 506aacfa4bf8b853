/** Filters and large tasks, on a toy cell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machineId } from "../../src/base/id.ts";
import type { Vector } from "../../src/base/vector.ts";
import type { Offer } from "../../src/offers/ledger.ts";
import { settings } from "../cell/settings.ts";
import { amount, ToyCell } from "./toy-cell.ts";

const MB = 1024;
const WHOLE = amount(4000, 4000 * MB);

const only = (offers: readonly Offer[]): Offer => {
  assert.equal(offers.length, 1);
  return offers[0] as Offer;
};

test("what was declined is not offered again for its time; more than that is [offers.F1][Z4]", () => {
  const cell = new ToyCell();
  const m1 = cell.addMachine("m1", WHOLE);
  cell.addFramework("a");
  cell.setBorg(m1, amount(1000));
  cell.decline(only(cell.cycle().offers), 5_000);
  assert.deepEqual(cell.cycle(1_000).offers, []);
  cell.setBorg(m1, amount(500));
  const more = only(cell.cycle(1_000).offers);
  assert.equal(more.amount.cpu, 3500);
  cell.decline(more, 5_000);
  assert.deepEqual(cell.cycle(4_900).offers, []);
  assert.ok((cell.allocator.nextMs ?? Number.POSITIVE_INFINITY) <= cell.nowMs + 200, "It says when to look again");
  assert.equal(cell.cycle(200).offers.length, 1);
});

test("a decline lasts a day at most [offers.F1]", () => {
  const cell = new ToyCell();
  cell.addMachine("m1", WHOLE);
  cell.addFramework("a");
  cell.decline(only(cell.cycle().offers), Number.POSITIVE_INFINITY);
  assert.deepEqual(cell.cycle(23 * 3_600_000).offers, []);
  assert.equal(cell.cycle(2 * 3_600_000).offers.length, 1);
});

test("what one declined is offered to others at once [offers.F1]", () => {
  const cell = new ToyCell();
  cell.addMachine("m1", WHOLE);
  cell.addFramework("a");
  cell.addFramework("b");
  cell.decline(only(cell.cycle().offers));
  assert.equal(only(cell.cycle().offers).framework, "b");
});

test("REVIVE forgets declines, SUPPRESS stops offers until then [offers.F2]", () => {
  const cell = new ToyCell();
  cell.addMachine("m1", WHOLE);
  cell.addFramework("a");
  cell.decline(only(cell.cycle().offers), 3_600_000);
  assert.deepEqual(cell.cycle().offers, []);
  cell.allocator.revive("a", cell.nowMs);
  cell.decline(only(cell.cycle().offers), 0);
  cell.allocator.setWants("a", false, cell.nowMs);
  assert.deepEqual(cell.cycle().offers, []);
  cell.allocator.revive("a", cell.nowMs);
  assert.equal(cell.cycle().offers.length, 1);
});

test("only machines that meet the constraints are offered: one group, all of it [offers.F3][Z4]", () => {
  const cell = new ToyCell();
  cell.addMachine("m1", WHOLE, [["hostname", "m1"]]);
  cell.addMachine("m2", WHOLE, [
    ["hostname", "m2"],
    ["rack", "r1"],
  ]);
  cell.addMachine("m3", WHOLE, [
    ["hostname", "m3"],
    ["rack", "r2"],
    ["flash", ""],
  ]);
  cell.addMachine("m4", WHOLE, [
    ["hostname", "m4"],
    ["rack", "r2"],
  ]);
  const offered = (constraints: Parameters<ToyCell["addFramework"]>[1]): readonly string[] => {
    cell.addFramework("a", constraints);
    const { offers } = cell.cycle();
    for (const offer of offers) cell.decline(offer, 0);
    return offers.map(({ machine }) => machine);
  };
  const p = (attribute: string, is: "exists" | "not-exists" | "equals" | "not-equals", text = "") => ({ attribute, is, text });
  assert.deepEqual(offered({ constraints: [[p("hostname", "equals", "m1")], [p("rack", "equals", "r2"), p("flash", "exists")]] }), [
    "m1",
    "m3",
  ]);
  assert.deepEqual(offered({ constraints: [[p("rack", "not-equals", "r1")]] }), ["m1", "m3", "m4"]);
  assert.deepEqual(offered({ constraints: [[p("flash", "not-exists")]] }), ["m1", "m2", "m4"]);
  assert.deepEqual(offered({ constraints: [] }), ["m1", "m2", "m3", "m4"]);
});

test("nothing below its minimums is offered to a framework, and nothing tiny to anybody [offers.F4][Z4]", () => {
  const cell = new ToyCell();
  const m1 = cell.addMachine("m1", WHOLE);
  cell.addFramework("a", { minimums: [amount(3000), amount(0, 3500 * MB)] });
  cell.setBorg(m1, amount(1500, 1000 * MB));
  assert.deepEqual(cell.cycle().offers, []);
  cell.setBorg(m1, amount(1500, 400 * MB));
  cell.decline(only(cell.cycle().offers), 0);
  cell.setBorg(m1, amount(900, 1000 * MB));
  cell.decline(only(cell.cycle().offers), 0);
  cell.addFramework("a", { minimums: [] });
  cell.setBorg(m1, amount(3991, 3969 * MB));
  assert.deepEqual(cell.cycle().offers, []);
  cell.setBorg(m1, amount(3990, 3969 * MB));
  assert.equal(cell.cycle().offers.length, 1);
});

interface Crowd {
  readonly machines: readonly Vector[];
  /** Frameworks of small tasks, and how long these live. */
  readonly small: number;
  readonly taskMs: number;
  readonly large: Vector;
  /** Whether it says that it takes nothing smaller. */
  readonly says: boolean;
}

const SMALL = amount(1000, 1000 * MB);

/** Some whose small tasks end all the time take everything at once; after how many seconds the large one gets what it needs, of so many at most. */
function servedAfter({ machines, small, taskMs, large, says }: Crowd, seconds: number): number | undefined {
  const cell = new ToyCell();
  for (const [i, whole] of machines.entries()) cell.addMachine(`m${i}`, whole);
  for (let i = 0; i < small; i++) cell.addFramework(`small${i}`);
  const ends: { readonly id: number; readonly atMs: number }[] = [];
  for (let i = 0; i < seconds * 2; i++) {
    if (i === 4) cell.addFramework("large", { minimums: says ? [large] : [] });
    for (const { id } of ends.filter(({ atMs }) => atMs <= cell.nowMs)) cell.end(id);
    const known = new Set(cell.tasks.keys());
    for (const offer of cell.cycle(500).offers) {
      const size = offer.framework === "large" ? large : SMALL;
      const fitting = Math.floor(Math.min(offer.amount.cpu / size.cpu, offer.amount.ram / size.ram));
      if (fitting === 0) cell.decline(offer);
      else if (offer.framework === "large") return cell.accept(offer, [large]) ? i / 2 : undefined;
      else
        cell.accept(
          offer,
          Array.from({ length: fitting }, () => size),
          0,
        );
    }
    // They end one after another: a machine is never empty by itself.
    let n = 0;
    for (const id of cell.tasks.keys()) if (!known.has(id)) ends.push({ id, atMs: cell.nowMs + taskMs + 1_300 * n++ });
  }
  return undefined;
}

const coresOf = (cores: number): Vector => amount(1000 * cores, 1000 * cores * MB);

/** Any task that fits some machine when it is empty. One that does not say how much it needs is given the largest. */
const CROWD: fc.Arbitrary<Crowd> = fc
  .record({
    cores: fc.array(fc.integer({ min: 2, max: 8 }), { minLength: 1, maxLength: 5 }),
    small: fc.integer({ min: 1, max: 4 }),
    taskMs: fc.integer({ min: 1_000, max: 200_000 }),
    part: fc.float({ min: Math.fround(0.3), max: 1, noNaN: true }),
    says: fc.boolean(),
  })
  .map(({ cores, small, taskMs, part, says }) => ({
    machines: cores.map(coresOf),
    ...{ small, taskMs, says, large: coresOf(Math.ceil(part * Math.max(...cores))) },
  }));

test("a task that fits an empty machine is not starved by small ones, however many there are, however long they live, whether it says what it needs or not [offers.H1][Z9]", () => {
  const drawn: Crowd = { machines: [WHOLE, WHOLE, WHOLE], small: 1, taskMs: 10_000, large: WHOLE, says: true };
  assert.ok(servedAfter(drawn, 300) !== undefined);
  assert.ok(servedAfter({ ...drawn, says: false }, 300) !== undefined);
  assert.ok(
    servedAfter({ ...drawn, taskMs: 300_000 }, 3_000) !== undefined,
    "A hold grows until it is longer than the tasks that are in the way",
  );
  const unequal = { ...drawn, machines: [coresOf(4), coresOf(6)], taskMs: 1_000, large: coresOf(6), says: false };
  assert.ok(servedAfter(unequal, 310) !== undefined, "It declines the smaller machine, however often that is empty");
  fc.assert(
    fc.property(CROWD, (crowd) => {
      // Holds of 30 s, 60 s, 120 s... with as long between them, until one outlasts the tasks and their ends one after another.
      assert.ok(servedAfter(crowd, 300 + (10 * crowd.taskMs) / 1000) !== undefined);
    }),
    settings(40),
  );
});

test("who declines a whole machine costs the others ever less [offers.H2]", () => {
  const cell = new ToyCell();
  const m1 = cell.addMachine("m1", WHOLE);
  cell.addFramework("picky");
  let offered = 0;
  for (let i = 0; i < 600; i++) {
    for (const offer of cell.cycle(1_000).offers) {
      offered += 1;
      cell.decline(offer, 3_600_000);
    }
  }
  assert.equal(offered, 1);
  cell.addFramework("other");
  assert.equal(only(cell.cycle().offers).framework, "other");
  assert.equal(m1, machineId("m1"));
});

test("at most a tenth of the machines is held [offers.H3]", () => {
  const cell = new ToyCell();
  for (let i = 0; i < 20; i++) cell.addMachine(`m${String(i).padStart(2, "0")}`, WHOLE);
  cell.addFramework("small");
  for (const offer of cell.cycle().offers) cell.accept(offer, [amount(1000, 1000 * MB)], 0);
  for (let i = 0; i < 6; i++) cell.addFramework(`large${i}`, { minimums: [WHOLE] });
  for (const offer of cell.cycle().offers) cell.decline(offer, 0);
  const { offers } = cell.cycle(31_000);
  assert.equal(offers.length, 18, "Two machines wait for two of the large ones");
});
