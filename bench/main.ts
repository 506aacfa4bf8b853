/**
 * Runs one bench and prints one object: {bench, commit, node, cpus, at, args} and the figures beside them.
 * Usage: node --expose-gc bench/main.ts NAME [--machines N] [--tasks N] [--seed N] [--seconds N] [--dir DIR]
 */
import { execFileSync } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import { parseArgs } from "node:util";
import type { Figures } from "./figures.ts";

interface Args {
  readonly machines: number;
  readonly tasks: number;
  readonly seed: number;
  readonly seconds: number;
  readonly dir: string;
}

/** Loaded only when asked for. */
const BENCHES: Readonly<Record<string, (args: Args) => Promise<Figures>>> = {
  bcl: async () => (await import("./bcl.ts")).benchBcl(),
  core: async (args) => (await import("./core.ts")).benchCore({ ...args, directory: args.dir }),
  sim: async (args) => (await import("./sim.ts")).benchSim(args.seed, args.seconds),
  store: async (args) => (await import("./store.ts")).benchStore(args),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    machines: { type: "string", default: "12477" },
    tasks: { type: "string", default: "150000" },
    seed: { type: "string", default: "42" },
    seconds: { type: "string", default: "5" },
    dir: { type: "string", default: tmpdir() },
    json: { type: "boolean", default: false },
  },
});
const bench = positionals[0] ?? "";
const run = BENCHES[bench];
if (run === undefined) {
  process.stderr.write(`Cannot find bench "${bench}": there are ${Object.keys(BENCHES).join(", ")}\n`);
  process.exit(2);
}
const args = {
  machines: Number(values.machines),
  tasks: Number(values.tasks),
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  dir: values.dir,
};
const { dir: _, ...shown } = args;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const figures = await run(args);
const about = { bench, commit, node: process.version, cpus: availableParallelism(), at: new Date().toISOString(), args: shown };
process.stdout.write(`${JSON.stringify({ ...about, ...figures }, undefined, values.json ? undefined : 2)}\n`);
