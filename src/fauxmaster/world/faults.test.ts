import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANCES, drawOptions, FAULT_KINDS } from "../options.ts";
import { World } from "../world.ts";
import { Injector } from "./faults.ts";
import { FAIR } from "./network.ts";
import { toyParts } from "./toy-master.test.ts";

for (const cell of ["embedded", "replicated"] as const) {
  test(`Every class that can strike does during the safety phase, and after it nothing is left of any (${cell})`, () => {
    const options = drawOptions(5, { cell, masters: cell === "embedded" ? 1 : 3, machines: 8, clients: 3, faults: new Set(FAULT_KINDS) });
    const world = new World(options, toyParts());
    const all = [...world.masters, ...world.borglets, ...world.clients];
    for (const each of [...all, ...(world.lock === undefined ? [] : [world.lock])]) each.start();
    const injector = new Injector(world, options);
    injector.start();
    world.kernel.run(600_000);
    injector.stop();
    assert.equal(world.kernel.violation, undefined);
    for (const name of FAULT_KINDS) assert.equal(world.kernel.faults.of(`class.${name}`) > 0, CHANCES[name][cell] > 0, name);
    assert.ok(world.embedded.every((disk) => !disk.isRotten));
    assert.deepEqual(world.network.weather, FAIR);
    for (const a of all) for (const b of all) assert.ok(!world.network.isCut(a.name, b.name));
    for (const each of all) assert.ok(each.alive && !each.paused && each.clock.rate === 1, each.name);
    assert.ok(world.machines.every((machine) => machine.spike === 1));
    const struck = FAULT_KINDS.map((name) => world.kernel.faults.of(`class.${name}`));
    world.kernel.run(700_000);
    assert.deepEqual(
      FAULT_KINDS.map((name) => world.kernel.faults.of(`class.${name}`)),
      struck,
    );
  });
}
