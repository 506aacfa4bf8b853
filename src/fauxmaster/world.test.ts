import assert from "node:assert/strict";
import { test } from "node:test";
import { drawOptions, FAULT_KINDS, type Options } from "./options.ts";
import { failureReport } from "./report.ts";
import { type Planted, toyParts } from "./world/toy-master.test.ts";
import { World } from "./world.ts";

const ALL = new Set(FAULT_KINDS);
const small = (seed: number, told: Partial<Options> = {}): Options =>
  drawOptions(seed, { safetyMs: 120_000, healingMs: 60_000, machines: 6, ...told });

const run = (options: Options, planted?: Planted): World => new World(options, toyParts(planted)).run();

/** Seeds are asked for, so that a failure prints the command that shows it again. */
function passes(options: Options): World {
  const world = run(options);
  const { violation } = world.kernel;
  if (violation?.cause instanceof Error) throw violation.cause;
  assert.equal(violation, undefined, failureReport(world.kernel, options));
  return world;
}

for (const cell of ["embedded", "replicated"] as const) {
  test(`A toy cell without faults does its work and converges (${cell})`, () => {
    const world = passes(small(1, { cell, masters: cell === "embedded" ? 1 : 3, faults: new Set() }));
    assert.ok(world.history.count("done") > 20, `${world.history.count("done")} done`);
    assert.ok(world.history.count("read") > 5);
    assert.equal(world.history.count("open"), 0);
    assert.ok(world.machines.some((machine) => machine.live().length > 0));
  });
}

for (const cell of ["embedded", "replicated"] as const) {
  test(`A toy cell survives every class of faults (${cell})`, () => {
    for (let seed = 1; seed <= 4; seed++) {
      const world = passes(small(seed, { cell, masters: cell === "embedded" ? 1 : 3, faults: ALL }));
      for (const name of ["crash", "pause", "partition", "clock", "machine"]) assert.ok(world.kernel.faults.of(`class.${name}`) > 0, name);
    }
  });
}

test("The same seed gives the same trace, message by message, with all faults on", () => {
  for (const cell of ["embedded", "replicated"] as const) {
    const options = small(11, { cell, masters: cell === "embedded" ? 1 : 3, faults: ALL, deepTrace: true });
    const [one, two] = [run(options), run(options)];
    assert.equal(one.kernel.trace.hash, two.kernel.trace.hash);
    assert.equal(one.kernel.events, two.kernel.events);
    assert.notEqual(one.kernel.trace.hash, run({ ...options, seed: 12 }).kernel.trace.hash);
  }
});

test("Planted bugs are found within a few seeds, and the same seeds pass without them", () => {
  for (const planted of ["ack-early", "dirty-read", "orphans"] as const) {
    const found = Array.from({ length: 20 }, (_, i) => i + 1).find(
      (seed) => run(small(seed, { cell: "replicated", masters: 3, faults: ALL }), planted).kernel.violation !== undefined,
    );
    assert.notEqual(found, undefined, `${planted} was not found`);
    passes(small(found!, { cell: "replicated", masters: 3, faults: ALL }));
  }
});
