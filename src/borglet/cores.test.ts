/** Processors of one's own, and turns of those who get what is left. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shareCores } from "./cores.ts";
import { Leftovers, WITHOUT_MAX } from "./leftovers.ts";
import { isHungry } from "./starvation.ts";

const ask = (key: string, cores: number, held: readonly number[] = []) => ({ key, cores, held });

test("Who asks for whole processors gets them, keeps them, and leaves at least one to the others [I7] [KR2] [borglet.G4]", () => {
  const all = [0, 1, 2, 3];
  assert.deepEqual(shareCores(all, [ask("a", 0)]), { reserved: new Map(), rest: all });
  const one = shareCores(all, [ask("a", 2)]);
  assert.deepEqual(
    [one.reserved.get("a"), one.rest],
    [
      [2, 3],
      [0, 1],
    ],
  );
  const two = shareCores(all, [ask("b", 1), ask("a", 2, [2, 3])]);
  assert.deepEqual([two.reserved.get("a"), two.reserved.get("b"), two.rest], [[2, 3], [1], [0]]);
  assert.deepEqual(shareCores(all, [ask("c", 4)]), { reserved: new Map(), rest: all }, "all of them are too many");
  assert.deepEqual(shareCores(all, [ask("b", 1, [1])]).rest, [0, 2, 3]);
});

test("No processor is given twice, none is lost, and the rest is never empty, whatever was held before [KR2] [borglet.G4]", () => {
  const draws = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 5 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), draws, (count, asks) => {
      const all = Array.from({ length: count }, (_, i) => i);
      const { reserved, rest } = shareCores(
        all,
        asks.map(([cores, held], i) => ask(`t${i}`, cores, [...new Set(held)])),
      );
      assert.ok(rest.length > 0);
      assert.deepEqual([...rest, ...[...reserved.values()].flat()].sort(), all);
      for (const [key, cores] of reserved) assert.equal(cores.length, asks[Number(key.slice(1))]![0]);
    }),
  );
});

test("A band that went without for some seconds on a busy machine gets a turn; nobody else does [I3] [borglet.G5]", () => {
  const leftovers = new Leftovers();
  const turns = (prod: number, batch: number, free: number): string => [...leftovers.next({ prod, batch, free }, 2000)].join(" ");
  for (let second = 1; second < WITHOUT_MAX; second++) assert.equal(turns(1950, 45, 0), "");
  assert.equal(turns(1950, 45, 0), "free");
  for (let second = 1; second < WITHOUT_MAX; second++) assert.equal(turns(1990, 5, 0), "", "the count begins anew");
  assert.equal(turns(1990, 5, 0), "batch free");
  for (let second = 0; second < 3 * WITHOUT_MAX; second++) assert.equal(turns(500, 0, 0), "", "nobody goes without on a machine with room");
  assert.deepEqual([isHungry(0.6, 40, 100), isHungry(0.4, 40, 100), isHungry(0.9, 60, 100)], [true, false, false]);
});
