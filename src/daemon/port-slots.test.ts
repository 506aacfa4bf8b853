/** Cells on one host, and the ports that they give their tasks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { machineShares } from "./machine-share.ts";
import { firstPortOf, type HeldSlot, holdSlot, SLOT_PORTS, SLOTS } from "./port-slots.ts";

const NOBODY: ReadonlySet<number> = new Set();

async function whileHeld(
  work: (hold: (...args: Parameters<typeof holdSlot>) => Promise<number | undefined>) => Promise<void>,
): Promise<void> {
  const all: HeldSlot[] = [];
  try {
    await work(async (...args) => {
      const found = await holdSlot(...args);
      if (found !== undefined) all.push(found);
      return found?.slot;
    });
  } finally {
    for (const each of all) each.close();
  }
}

test("two cells that are up on one host never give out the same port, whatever ports of their own they have [U3]", async () => {
  await whileHeld(async (hold) => {
    const cells = [7878, 7878 + SLOTS, 7878 + 2 * SLOTS].map((port) => ({ port }));
    const ranges: (readonly [number, number])[] = [];
    for (const cell of cells) {
      const slot = await hold(cell, false, NOBODY);
      // Others on this host may hold all the rest.
      if (slot === undefined) continue;
      for (const { portFirst, portLast } of machineShares(3, "/", firstPortOf({ ...cell, portSlot: slot })))
        ranges.push([portFirst, portLast]);
    }
    assert.ok(ranges.length >= 3);
    const sorted = ranges.toSorted(([a], [b]) => a - b);
    for (const [i, [first]] of sorted.entries()) if (i > 0) assert.ok(first > sorted[i - 1]![1], JSON.stringify(sorted));
  });
});

test("a cell whose tasks may have ports keeps its slot or holds none; others go where nobody uses a port [U3]", async () => {
  await whileHeld(async (hold) => {
    const first = await hold({ port: 7878 }, false, NOBODY);
    assert.ok(first !== undefined);
    const cell = { port: 1, portSlot: first };
    assert.equal(await hold(cell, true, NOBODY), undefined);
    const calm = (first + 5) % SLOTS;
    const others = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => slot !== calm);
    const used = new Set(others.map((portSlot) => firstPortOf({ port: 0, portSlot }) + SLOT_PORTS - 1));
    const found = await hold(cell, false, used);
    assert.notEqual(found, first);
    // Another cell of this host may have that one.
    const isCalmFree = found === calm || (await hold({ port: 0, portSlot: calm }, true, NOBODY)) !== undefined;
    if (isCalmFree) assert.equal(found, calm);
  });
});
