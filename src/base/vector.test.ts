import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DIMENSIONS, MEASURES, unitOf } from "./dimension.ts";
import {
  amountAt,
  amountIn,
  amountOf,
  copyOf,
  equal,
  exact,
  fits,
  fitsWith,
  highest,
  keyOf,
  lowest,
  minus,
  plus,
  rest,
  shortfall,
  times,
  type Vector,
  vectorOf,
  ZERO,
} from "./vector.ts";

const amount = fc.nat(1_000_000);
const extras = fc
  .uniqueArray(
    fc.record(
      { name: fc.constantFrom("fpga", "gpu", "licence", "tpu"), amount: fc.integer({ min: 1, max: 9 }) },
      { noNullPrototype: true },
    ),
    { selector: (e) => e.name },
  )
  .map((list) => [...list].sort((a, b) => (a.name < b.name ? -1 : 1)));
const vector: fc.Arbitrary<Vector> = fc
  .tuple(fc.array(amount, { minLength: DIMENSIONS.length, maxLength: DIMENSIONS.length }), extras)
  .map(([numbers, more]) => vectorOf((dimension) => numbers[DIMENSIONS.indexOf(dimension)] as number, more));

test("plus and minus are inverse, plus commutes, extras stay sorted and without zeros [U3]", () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      assert.deepEqual(minus(plus(a, b), b), a);
      assert.deepEqual(plus(a, b), plus(b, a));
      const names = plus(a, b).extras.map((e) => e.name);
      assert.deepEqual(names, [...names].sort());
      assert.ok(minus(plus(a, b), a).extras.every((e) => e.amount > 0));
    }),
  );
});

test("fits, shortfall and highest agree in every dimension [U3]", () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      assert.equal(fits(a, b), shortfall(a, b) === undefined);
      assert.ok(fits(a, highest(a, b)) && fits(b, highest(a, b)));
      assert.equal(equal(a, b), fits(a, b) && fits(b, a));
      assert.deepEqual(times(a, 3), plus(a, plus(a, a)));
    }),
  );
});

test("every dimension counts in every function that spells them out [U3]", () => {
  const whole = vectorOf(() => 10);
  for (const [number, dimension] of DIMENSIONS.entries()) {
    const one: Vector = { ...ZERO, [dimension]: 1 };
    const more: Vector = { ...whole, [dimension]: 11 };
    assert.deepEqual(
      Object.entries(plus(ZERO, one)).filter(([, value]) => value === 1),
      [[dimension, 1]],
    );
    assert.ok(fits(whole, more) && !fits(more, whole), `fits does not look at ${dimension}`);
    assert.ok(fitsWith(whole, one, one, whole) && !fitsWith(whole, ZERO, one, whole), `fitsWith does not look at ${dimension}`);
    assert.throws(() => minus(ZERO, one), /more than there is/, dimension);
    assert.equal(amountAt(more, number), 11, `amountAt does not know ${dimension}`);
    assert.notEqual(keyOf(more), keyOf(whole), `keyOf does not tell ${dimension}`);
    assert.equal(amountIn(more, dimension), 11);
    assert.deepEqual([copyOf(more), lowest(more, whole), highest(more, whole), rest(more, whole)], [more, whole, more, one]);
    assert.equal(unitOf(dimension), MEASURES[dimension].unit);
  }
});

test("a shortfall names its dimension, extras included", () => {
  const have: Vector = { ...ZERO, cpu: 500, extras: [{ name: "gpu", amount: 1 }] };
  assert.deepEqual(shortfall({ ...ZERO, cpu: 700 }, have), { dimension: "cpu", amount: 200 });
  assert.deepEqual(shortfall({ ...ZERO, extras: [{ name: "gpu", amount: 3 }] }, have), { dimension: "gpu", amount: 2 });
  assert.deepEqual(shortfall({ ...ZERO, extras: [{ name: "tpu", amount: 1 }] }, have), { dimension: "tpu", amount: 1 });
  assert.equal(unitOf("ram"), "KiB of ram");
  assert.equal(unitOf("gpu"), "gpu");
  assert.equal(amountOf(have, "gpu"), 1);
});

test("taking away more than there is, is a bug; sums beyond 2^53 are not exact", () => {
  assert.throws(() => minus(ZERO, { ...ZERO, ram: 1 }), /more than there is/);
  assert.throws(() => minus(ZERO, { ...ZERO, extras: [{ name: "gpu", amount: 1 }] }), /more "gpu" than there is/);
  assert.ok(exact({ ...ZERO, ram: 2 ** 53 - 1 }));
  assert.ok(!exact({ ...ZERO, ram: 2 ** 53 }));
  assert.ok(!exact(times({ ...ZERO, extras: [{ name: "gpu", amount: 1e9 }] }, 1e9)));
});
