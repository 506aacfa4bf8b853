import assert from "node:assert/strict";
import { test } from "node:test";
import { Heap } from "./heap.ts";
import { Random } from "./random.ts";

test("Heap gives items back by time, and by arrival among equal times", () => {
  const random = new Random(7);
  for (let round = 0; round < 50; round++) {
    const heap = new Heap<{ timeMs: number; sequence: number }>();
    const expected: { timeMs: number; sequence: number }[] = [];
    const seen: { timeMs: number; sequence: number }[] = [];
    for (let sequence = 0; sequence < 200; sequence++) {
      const item = { timeMs: random.int(0, 30), sequence };
      heap.push(item);
      expected.push(item);
    }
    expected.sort((a, b) => a.timeMs - b.timeMs || a.sequence - b.sequence);
    assert.equal(heap.peek(), expected[0]);
    while (heap.size > 0) seen.push(heap.pop()!);
    assert.deepEqual(seen, expected);
    assert.equal(heap.pop(), undefined);
  }
});

test("Heap keeps its order while items come and go", () => {
  const random = new Random(8);
  const heap = new Heap<{ timeMs: number; sequence: number }>();
  let sequence = 0;
  let now = 0;
  for (let i = 0; i < 5000; i++) {
    if (heap.size === 0 || random.chance(0.55)) heap.push({ timeMs: now + random.int(0, 50), sequence: ++sequence });
    else {
      const { timeMs } = heap.pop()!;
      assert.ok(timeMs >= now);
      now = timeMs;
    }
  }
});
