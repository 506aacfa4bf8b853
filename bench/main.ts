/**
 * Runs one bench and prints one object: {bench, commit, node, cpus, at, args} and the figures beside them.
 * Usage: node --expose-gc bench/main.ts NAME [options]; NAME --help lists those of a bench.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { PAGES, pageText } from "./catalogue.ts";
import { type CellArgs, cellArgs, saidOf } from "./cells/args.ts";
import { countIn, numberIn } from "./cells/numbers.ts";
import type { Figures } from "./figures.ts";
import { OTHER_OPTIONS, parsed } from "./options.ts";
import { isUsage } from "./usage.ts";

interface Args {
  readonly machines: number;
  readonly tasks: number;
  readonly seed: number;
  readonly seconds: number;
  readonly dir: string;
  readonly jobs: number;
  readonly schedulers: number;
  /** Of the bench of a running cell: tasks a minute, tasks a job, and how long a task lives. */
  readonly rate: number;
  readonly tasksPerJob: number;
  readonly lifeSeconds: number;
  /** Of the hostile bench: how many attack, and how much of the cell's bounds is taken before. */
  readonly users: number;
  readonly fill: number;
  /** Of the bench of offers. */
  readonly frameworks: number;
  /** Of the bench of bad neighbours: pairs a case. Of the bench of starts: tasks. */
  readonly runs: number;
  readonly count: number;
  /** Of the bench of failover: for each fault. */
  readonly rounds: number;
  /** Where the experiments that can be drawn put the drawing. */
  readonly svg: string;
  /** Of mesos-macro: the formulas of the paper's Table 2 instead. */
  readonly table2: boolean;
  /** Of the package that the bench of packages sends to its machines. */
  readonly bytes: number;
}

/** Loaded only when asked for. */
const BENCHES: Readonly<Record<string, (args: Args) => Promise<Figures>>> = {
  bcl: async () => (await import("./bcl.ts")).benchBcl(),
  cell: async (args) => (await import("./load.ts")).benchLoad(args),
  core: async (args) => (await import("./core.ts")).benchCore({ ...args, directory: args.dir }),
  "delay-scheduling": async (args) => (await import("./delay-scheduling.ts")).benchDelayScheduling(args.seed, args.svg),
  failover: async ({ rounds, tasks }) => (await import("./failover.ts")).benchFailover({ rounds, tasks }),
  hostile: async (args) => (await import("./hostile.ts")).benchHostile(args),
  infrastore: async (args) => (await import("./infrastore.ts")).benchInfrastore(args.fill, args.dir),
  link: async (args) => (await import("./link.ts")).benchLink(args.machines, args.seconds),
  "mapreduce-policies": async (args) => (await import("./mapreduce/policies.ts")).benchMapReduce(args.seed, args.svg),
  "mesos-macro": async (args) =>
    args.table2
      ? (await import("./mesos/table2.ts")).benchTable2(args.seed)
      : (await import("./mesos/macro.ts")).benchMacro(args.seed, args.svg),
  "mesos-sharing": async (args) => (await import("./mesos/macro.ts")).benchSharing(args.seed, args.svg),
  mpi: async (args) => (await import("./mpi.ts")).benchMpi(args),
  noisy: async (args) => (await import("./noisy.ts")).benchNoisy(args),
  offers: async (args) => ({
    ...(await import("./offers.ts")).benchOffers(args.machines, args.seed),
    ...(args.seconds === 0 ? {} : await (await import("./offers-live.ts")).benchOffersLive({ ...args, frameworks: args.frameworks })),
  }),
  omega: async (args) => (await import("./omega.ts")).benchOmega(args),
  packages: async (args) => (await import("./packages.ts")).benchPackages(args.machines, args.bytes, args.dir),
  shards: async (args) => (await import("./shards.ts")).benchShards(args.machines, args.seconds, args.seed),
  sim: async (args) => (await import("./sim.ts")).benchSim(args.seed, args.seconds),
  start: async (args) => (await import("./start.ts")).benchStart(args.jobs),
  "start-rate": async (args) => (await import("./start-rate.ts")).benchStartRate(args.count),
  "three-worlds": async (args) => (await import("./three-worlds.ts")).benchThreeWorlds(args.seed, args.svg),
  ui: async (args) => (await import("./ui.ts")).benchUi(args),
  views: async (args) => (await import("./views.ts")).benchViews(args),
  store: async (args) => (await import("./store.ts")).benchStore(args),
};

/** The scheduler's, on cells that their arguments describe. */
const ON_CELLS: Readonly<Record<string, (args: CellArgs) => Promise<Figures>>> = {
  schedule: async (args) => (await import("./schedule-rows.ts")).benchSchedule(args),
  pass: async (args) => (await import("./pass.ts")).benchPass(args),
  reclaim: async (args) => (await import("./reclaim.ts")).benchReclaim(args),
  compaction: async (args) => (await import("./compaction.ts")).benchCompaction(args),
};

/** The stress set has its own cells, and few options. */
const PACKING = "packing";

async function runPacking(): Promise<Run> {
  const { benchPacking, packingArgs } = await import("./packing.ts");
  const args = packingArgs(argv);
  return { args, figures: benchPacking(args) };
}

interface Run {
  readonly args: object;
  readonly figures: Figures;
}

async function runOnCell(run: (args: CellArgs) => Promise<Figures>): Promise<Run> {
  const args = cellArgs(argv, bench);
  return { args: saidOf(args), figures: await run(args) };
}

const COUNTS = ["machines", "tasks", "jobs", "schedulers", "rate", "users", "frameworks", "runs", "count", "rounds", "bytes"] as const;

function otherArgs(argv: readonly string[]): Args {
  const values = parsed(bench, argv, page?.options ?? {}, OTHER_OPTIONS);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, countIn(name, values[name], 1)])) as Record<
    (typeof COUNTS)[number],
    number
  >;
  return {
    ...counts,
    seed: countIn("seed", values.seed, 0),
    seconds: numberIn("seconds", values.seconds),
    tasksPerJob: countIn("tasks-per-job", values["tasks-per-job"], 1),
    lifeSeconds: numberIn("life", values.life),
    fill: numberIn("fill", values.fill),
    svg: values.svg,
    table2: values.table2,
    dir: values.dir,
  };
}

async function runOther(run: (args: Args) => Promise<Figures>): Promise<Run> {
  const { dir, ...args } = otherArgs(argv);
  return { args, figures: await run({ ...args, dir }) };
}

const [bench = "", ...argv] = process.argv.slice(2);
const [onCell, other, page] = [ON_CELLS[bench], BENCHES[bench], Object.hasOwn(PAGES, bench) ? PAGES[bench] : undefined];
if (page === undefined) {
  process.stderr.write(`Cannot find bench "${bench}": there are ${Object.keys(PAGES).join(", ")}\n`);
  process.exit(2);
}
if (argv.includes("--help") || argv.includes("-h")) {
  process.stdout.write(pageText(bench, page));
  process.exit(0);
}
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();

function runIt(): Promise<Run> {
  if (bench === PACKING) return runPacking();
  return onCell === undefined ? runOther(other as NonNullable<typeof other>) : runOnCell(onCell);
}

const { args, figures } = await runIt().catch((error: unknown) => {
  if (!isUsage(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
const about = { bench, commit, node: process.version, cpus: availableParallelism(), at: new Date().toISOString(), args };
process.stdout.write(`${JSON.stringify({ ...about, ...figures }, undefined, argv.includes("--json") ? undefined : 2)}\n`);
