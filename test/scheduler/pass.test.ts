import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Op } from "../../src/cell/op.ts";
import { isGang } from "../../src/cell/spec.ts";
import { draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld, GI, type World } from "../cell/world.ts";
import { Bench, claimable, takers } from "./support.ts";

test("on an up-to-date mirror every claim of a pass is accepted, no named victim is spared, and what is left fits nowhere [scheduler.P1] [scheduler.P2] [S2] [S13] [KS1]", () => {
  const seen = { claims: 0, victims: 0, gangs: 0, inAllocs: 0, left: 0 };
  fc.assert(
    fc.property(draws(110), fc.constantFrom("service", "service", "batch-0", "tiny"), (drawn, name) => {
      const world = allocWorld();
      const bench = new Bench(world, name);
      const past: Op[] = [];
      for (const [step, draw] of drawn.entries()) {
        const op = toOp(world.state, draw, past);
        if (op === undefined || draw.kind === "claim") continue;
        past.push(op);
        world.timeMs += 50;
        bench.apply(op);
        if (step % 6 !== 0) continue;
        bench.settle();
        for (const task of claimable(world.state)) {
          if (isGang(task.job)) continue;
          seen.left += 1;
          assert.deepEqual(takers(world.state, name, task), [], `${task.id} could run`);
        }
      }
      for (const key of ["claims", "victims", "gangs", "inAllocs"] as const) seen[key] += bench.seen[key];
    }),
    settings(120),
  );
  console.log(`  pass: ${JSON.stringify(seen)}`);
  assert.ok(seen.claims > 200 && seen.victims > 20 && seen.gangs > 2 && seen.inAllocs > 2 && seen.left > 100, JSON.stringify(seen));
});

/** A busy world where users have alloc sets from the beginning. */
function allocWorld(): World {
  const world = busyWorld();
  for (const [user, priority] of [
    ["ubar", 110],
    ["ann", 50],
    ["ann-x", 100],
  ] as const) {
    const spec = { user, name: "aset", count: 2, priority, limit: { cpuMilli: 1500, ramBytes: 2 * GI }, ports: 2 };
    world.must(world.user(user, { case: "allocSetSubmit", value: { spec } }));
  }
  return world;
}
