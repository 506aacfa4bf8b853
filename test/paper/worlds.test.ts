/** A queue, transactions and offers over one cell and the same work: what the Omega paper says of them (§3.3, §4), by the code that cells run on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lived, outcomeOf, WORLDS, type WorldName } from "../../bench/three-worlds.ts";
import { WORLDS_INPUTS, type WorldsInputs } from "../../bench/worlds/inputs.ts";
import { drawWork, type Work } from "../../bench/worlds/work.ts";
import type { World } from "../../bench/worlds/world.ts";
import { stateViolations } from "../../src/cell/invariants.ts";

/** A small cell, and little time. */
const INPUTS: WorldsInputs = { ...WORLDS_INPUTS, machines: 20, fillMinutes: 1, minutes: 3, load: 0.5 };
const WORK = drawWork(INPUTS, 1);

const live = (name: WorldName, serviceThinkMs: number, work: Work = WORK): World => lived(name, work, INPUTS, serviceThinkMs, 1);

test("the three worlds have the same machines and the same jobs at the same times, and the cell's rules hold in each [G12]", () => {
  const worlds = WORLDS.map((name) => live(name, 1_000));
  const [first] = worlds;
  for (const { state, jobs, minds } of worlds) {
    assert.deepEqual([...state.machines.keys()], [...(first?.state.machines.keys() ?? [])]);
    assert.deepEqual(
      jobs.map(({ id, arrival }) => [id, arrival]),
      first?.jobs.map(({ id, arrival }) => [id, arrival]),
    );
    assert.ok(minds.every(({ claims }) => claims > 0) && jobs.filter(({ placedMs }) => placedMs !== undefined).length > jobs.length / 2);
    assert.deepEqual(stateViolations(state), []);
  }
  assert.deepEqual(outcomeOf(live("mesos", 1_000)), outcomeOf(worlds[2] as World), "The same again is the same");
});

test("slow decisions on services keep batch work waiting in one queue, and not beside a scheduler that commits its own (Omega §4) [G12]", () => {
  const waitOf = (name: WorldName, serviceThinkMs: number): number => outcomeOf(live(name, serviceThinkMs))["BatchWaitSeconds"] ?? 0;
  assert.ok(waitOf("borg", 10_000) > 10 * waitOf("borg", 100), "Behind a service in one queue");
  assert.ok(waitOf("omega", 10_000) < 2 * waitOf("omega", 100) + 0.5, "Beside it");
  assert.ok(waitOf("mesos", 10_000) > waitOf("omega", 10_000), "What one framework thinks about is offered to no other");
});
