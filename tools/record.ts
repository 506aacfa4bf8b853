/**
 * Records journals of this build into test/history, to be replayed by every later one: two simulated worlds, and random ops that use the whole
 * vocabulary. Run it once, when a cell version is finished: node tools/record.ts --name v1
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Op } from "../src/cell/op.ts";
import { draws, toOp } from "../test/cell/random-op.ts";
import { busyWorld } from "../test/cell/world.ts";
import { record } from "../test/history/recording.ts";
import { runSeed } from "../test/sim/runner.ts";

const RANDOM_SEED = 29;
const RANDOM_OPS = 2000;
const SEEDS = [101, 102];

const { values } = parseArgs({ options: { name: { type: "string" } } });
if (values.name === undefined) throw new Error("Say which recording: node tools/record.ts --name v1");
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();

function randomOps(): Uint8Array[] {
  const [drawn = []] = fc.sample(draws(RANDOM_OPS), { seed: RANDOM_SEED, numRuns: 40 }).sort((a, b) => b.length - a.length);
  const world = busyWorld();
  const past: Op[] = [];
  for (const draw of drawn) {
    const op = toOp(world.state, draw, past);
    if (op === undefined) continue;
    past.push(op);
    world.timeMs += (draw.n[7] ?? 0) % 3 === 0 ? (draw.n[7] ?? 0) - 100 : 50;
    world.try(op);
  }
  return world.journal;
}

const say = (name: string, recorded: { readonly entries: number; readonly hashes: readonly string[] }): void =>
  void process.stdout.write(`${name}: ${recorded.entries} entries, ${recorded.hashes.length} hashes\n`);

say("random", record(`${values.name}-random`, randomOps(), { commit, source: `random ops, seed ${RANDOM_SEED}` }));
for (const seed of SEEDS) {
  const world = runSeed(seed);
  const broken = world.kernel.violation;
  if (broken !== undefined) throw new Error(`Nothing is recorded of a world that broke ${broken.id}: ${broken.text}`);
  const entries = world.entries().map(({ payload }) => payload);
  say(`seed ${seed}`, record(`${values.name}-sim-${seed}`, entries, { commit, source: `simulation, seed ${seed}` }));
}
