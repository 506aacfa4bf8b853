import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Desired } from "../../src/borgmaster/link/desired.ts";
import { everythingOn } from "../../src/cell/place.ts";
import { followed } from "../cell/follow.ts";
import { draws } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";

test("a link's copy has exactly the processes the cell has, machine by machine [B3] [KD6]", () => {
  fc.assert(
    fc.property(draws(150), (drawn) => {
      const desired = new Desired();
      const world = followed(drawn, desired);
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
