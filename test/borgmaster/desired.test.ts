import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Desired } from "../../src/borgmaster/desired.ts";
import { feedItem, imageOf } from "../../src/cell/feed.ts";
import type { Op } from "../../src/cell/op.ts";
import { everythingOn } from "../../src/cell/place.ts";
import { draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld } from "../cell/world.ts";

test("a link's copy has exactly the processes the cell has, machine by machine [B3] [KD6]", () => {
  fc.assert(
    fc.property(draws(150), (drawn) => {
      const world = busyWorld();
      const desired = new Desired();
      desired.fill(imageOf(world.state).records);
      const past: Op[] = [];
      for (const draw of drawn) {
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        desired.follow(feedItem(world.state, world.entry(op)));
      }
      const machines = [...world.state.machines.values()].map((m) => m.id).sort();
      assert.deepEqual([...desired.machines.keys()].sort(), machines);
      for (const machine of world.state.machines.values()) {
        const truth = [...everythingOn(machine)].filter((instance) => instance.inside === undefined).map((instance) => instance.id);
        assert.deepEqual([...desired.on(machine.id).keys()].sort(), truth.sort());
      }
    }),
    settings(100),
  );
});
