/** Random frameworks on a toy cell: whatever they answer, and whatever happens to machines, offers do not overlap and stay within room and quota. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { fits, plus, rest, times, type Vector, ZERO } from "../../src/base/vector.ts";
import { OFFERS_MAX } from "../../src/offers/allocator.ts";
import { Ledger, type Offer } from "../../src/offers/ledger.ts";
import { overlaps } from "../../src/offers/ranges.ts";
import { settings } from "../cell/settings.ts";
import { amount, ToyCell } from "./toy-cell.ts";

const MB = 1024;

function expectNoOverlap(cell: ToyCell): void {
  for (const id of cell.machines.keys()) {
    const out = [...cell.allocator.ledger.at(id)];
    const sum = out.reduce((all, { amount: each }) => plus(all, each), ZERO);
    assert.ok(fits(sum, cell.room(id).byReservations), `Offers on ${id} come to more than is free`);
    for (const [i, a] of out.entries()) for (const b of out.slice(i + 1)) assert.ok(!overlaps(a.ports, b.ports), "A port is in two offers");
  }
}

/** One step of somebody: answers offers in some way, ends tasks, takes or breaks machines. */
function step(cell: ToyCell, random: Random, open: Map<string, Offer>): void {
  const offer = open.size === 0 ? undefined : random.pick([...open.values()]);
  const machine = random.pick([...cell.machines.keys()]);
  switch (random.int(0, 8)) {
    case 0:
    case 1:
      if (offer !== undefined) cell.accept(offer, [share(offer.amount, random)], random.pick([0, 1_000, 5_000]));
      break;
    case 2:
      if (offer !== undefined) cell.decline(offer, random.pick([0, 1_000, 60_000]));
      break;
    case 3:
      for (const id of [...cell.tasks.keys()].slice(0, 2)) cell.end(id);
      break;
    case 4:
      cell.setBorg(machine, random.chance(0.5) ? ZERO : share(rest(cell.machines.get(machine)!.capacity, cell.lent(machine)), random));
      break;
    case 5:
      cell.setUp(machine, random.chance(0.7));
      break;
    case 6:
      cell.allocator.revive(`f${random.int(0, 3)}`, cell.nowMs);
      break;
    default:
      cell.allocator.setWants(`f${random.int(0, 3)}`, random.chance(0.7), cell.nowMs);
  }
  if (offer !== undefined && cell.allocator.ledger.get(offer.id) === undefined) open.delete(offer.id);
}

const share = (of: Vector, random: Random): Vector => {
  const part = random.pick([0.1, 0.3, 0.5, 1]);
  return { ...of, cpu: Math.floor(of.cpu * part), ram: Math.floor(of.ram * part), disk: 0, ports: Math.floor(of.ports * part) };
};

test("no two offers that are out overlap, and none offers what is not free [offers.L1][offers.L4][offers.L5]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const random = new Random(seed);
      const cell = new ToyCell(random.pick(["drf", "priority", "lottery"] as const), seed, 20_000);
      for (let i = 0; i < 4; i++)
        cell.addMachine(`m${i}`, amount(random.int(1, 9) * 1000, random.int(1, 9) * 1000 * MB, 0, random.int(0, 20)));
      for (let i = 0; i < 3; i++) cell.addFramework(`f${i}`, { prod: random.chance(0.3), weight: random.int(1, 4) });
      cell.allocator.setPurse("f0", amount(3000, 2000 * MB, 0, 5));
      const open = new Map<string, Offer>();
      for (let i = 0; i < 120; i++) {
        step(cell, random, open);
        const { offers, rescinded } = cell.cycle(random.pick([100, 1_000, 10_000]));
        for (const offer of offers) open.set(offer.id, offer);
        for (const { id } of rescinded) {
          assert.ok(open.delete(id), "Only an offer that is out is rescinded");
          assert.equal(cell.allocator.ledger.get(id), undefined);
        }
        expectNoOverlap(cell);
        assert.equal(cell.allocator.ledger.size, open.size, "The ledger has what frameworks have");
        const offered = cell.allocator.ledger.offeredFrom("f0");
        assert.ok(fits(offered, amount(3000, 2000 * MB, 0, 5)), "No more is offered than quota is left");
      }
    }),
    settings(60),
  );
});

test("offers of one user's frameworks together stay within its quota [offers.L2]", () => {
  const cell = new ToyCell();
  for (let i = 0; i < 3; i++) cell.addMachine(`m${i}`, amount(4000, 4000 * MB));
  cell.addFramework("a", { purse: "ubar batch" });
  cell.addFramework("b", { purse: "ubar batch" });
  cell.allocator.setPurse("ubar batch", amount(6000, 16000 * MB));
  const { offers } = cell.cycle();
  assert.equal(
    offers.reduce((sum, { amount: { cpu } }) => sum + cpu, 0),
    6000,
  );
  cell.allocator.setPurse("ubar batch", amount(7000, 16000 * MB));
  assert.deepEqual(
    cell.cycle().offers.map(({ amount: { cpu } }) => cpu),
    [1000],
  );
});

test("prod is offered what is free by limits, others what is free by reservations; together no more than either [offers.L1]", () => {
  const ledger = new Ledger();
  const m1 = machineId("m1");
  const room = { byLimits: amount(3000), byReservations: amount(5000), ports: [] };
  assert.deepEqual(ledger.left(m1, room, true).amount, amount(3000));
  assert.deepEqual(ledger.left(m1, room, false).amount, amount(5000));
  const base = { framework: "f", role: "r", purse: "p", machine: m1, ports: [], madeMs: 0, untilMs: 9, maxCompletionMs: undefined };
  ledger.add({ ...base, id: "1", prod: false, amount: amount(4000) });
  assert.deepEqual(ledger.left(m1, room, true).amount, amount(1000));
  ledger.add({ ...base, id: "2", prod: true, amount: amount(1000) });
  assert.deepEqual(ledger.left(m1, room, false).amount, amount(0));
  assert.deepEqual(
    ledger.excess(m1, { ...room, byLimits: amount(500) }).map(({ id }) => id),
    ["2"],
  );
});

test("an offer nobody answers is rescinded after its time, and the next in line gets the room [offers.L3][Z6]", () => {
  const cell = new ToyCell("drf", 1, 10_000);
  cell.addMachine("m1", amount(4000, 4000 * MB));
  cell.addFramework("a");
  const first = cell.cycle().offers;
  assert.deepEqual(
    first.map(({ framework }) => framework),
    ["a"],
  );
  cell.addFramework("b");
  assert.deepEqual(cell.cycle(5_000), { offers: [], rescinded: [] });
  const later = cell.cycle(5_000);
  assert.deepEqual(later.rescinded, first);
  assert.deepEqual(
    later.offers.map(({ framework }) => framework),
    ["b"],
  );
  assert.equal(cell.accept(first[0] as Offer, [amount(1000)]), false, "It is no longer there");
});

test("an offer is rescinded when its room is taken or its machine is not up, and the newest goes first [offers.L4]", () => {
  const cell = new ToyCell();
  const m1 = cell.addMachine("m1", amount(4000, 4000 * MB));
  cell.addFramework("a", { purse: "a" });
  cell.allocator.setPurse("a", amount(3000, 3000 * MB));
  cell.addFramework("b");
  const [older, newer] = cell.cycle().offers;
  assert.deepEqual([older?.framework, newer?.framework], ["a", "b"]);
  cell.setBorg(m1, amount(500));
  const { rescinded, offers } = cell.cycle();
  assert.deepEqual(rescinded, [newer]);
  assert.deepEqual(
    offers.map(({ amount: { cpu } }) => cpu),
    [500],
    "What is left of it is offered again",
  );
  cell.setUp(m1, false);
  assert.deepEqual(new Set(cell.cycle().rescinded), new Set([older, ...offers]));
  assert.equal(cell.allocator.ledger.size, 0);
});

test("an offer that is not within the room any more is not rescinded while a launch there is under way [offers.L5]", () => {
  const cell = new ToyCell();
  const m1 = cell.addMachine("m1", amount(4000, 4000 * MB));
  cell.addFramework("a");
  cell.allocator.setPurse("a", amount(3000, 3000 * MB));
  cell.addFramework("b");
  const [first] = cell.cycle().offers;
  cell.allocator.take("a", first?.id ?? "");
  assert.deepEqual(cell.cycle(), { offers: [], rescinded: [] }, "Nobody else is offered it meanwhile");
  // The cell shows the launch before it answers.
  cell.setBorg(m1, amount(3000, 3000 * MB));
  assert.deepEqual(cell.cycle(), { offers: [], rescinded: [] });
  cell.allocator.settle([first?.id ?? ""], amount(3000, 3000 * MB), 0, cell.nowMs);
  assert.deepEqual(cell.cycle(), { offers: [], rescinded: [] });
});

test("one framework has at most 1,000 offers at once; answering some brings others [offers.L6]", () => {
  const cell = new ToyCell();
  const id = (i: number): string => `m${String(i).padStart(4, "0")}`;
  for (let i = 0; i < OFFERS_MAX + 5; i++) cell.addMachine(id(i), amount(1000, 1000 * MB));
  cell.addFramework("a");
  const { offers } = cell.cycle();
  assert.equal(offers.length, OFFERS_MAX);
  for (const offer of offers.slice(0, 3)) cell.decline(offer, 60_000);
  assert.deepEqual(
    cell.cycle().offers.map(({ machine }) => machine),
    [id(1000), id(1001), id(1002)],
  );
});

test("an offer on a machine that is kept for short tasks says how long they may take [offers.D1][Z9]", () => {
  const cell = new ToyCell();
  cell.addMachine("m1", amount(4000, 4000 * MB), [], true);
  cell.addMachine("m2", amount(4000, 4000 * MB));
  cell.addFramework("a");
  assert.deepEqual(
    cell.cycle().offers.map(({ maxCompletionMs }) => maxCompletionMs),
    [600_000, undefined],
  );
});

test("offers that are out count towards the share [offers.S1][Z5]", () => {
  const cell = new ToyCell();
  for (let i = 0; i < 4; i++) cell.addMachine(`m${i}`, amount(1000, 1000 * MB));
  cell.addFramework("a");
  cell.addFramework("b");
  const { offers } = cell.cycle();
  assert.deepEqual(
    offers.map(({ framework }) => framework),
    ["a", "b", "a", "b"],
  );
  assert.equal(cell.allocator.shareOf("a"), 0.5);
  assert.deepEqual(times(amount(1000, 1000 * MB), 2), cell.allocator.ledger.offeredTo("a"));
});

test("a cycle offers a bounded number of machines; the next goes on [offers.L7]", () => {
  const cell = new ToyCell("drf", 1, 60_000, 2);
  for (let i = 0; i < 5; i++) cell.addMachine(`m${i}`, amount(1000, 1000 * MB));
  cell.addFramework("a");
  const counts = [cell.cycle(), cell.cycle(), cell.cycle(), cell.cycle()].map(({ offers }) => offers.length);
  assert.deepEqual(counts, [2, 2, 1, 0]);
  assert.ok(cell.allocator.isIdle(cell.nowMs));
});
