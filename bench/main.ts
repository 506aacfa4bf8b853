/**
 * Runs one bench and prints one object: {bench, commit, node, cpus, at, args} and the figures beside them.
 * Usage: node --expose-gc bench/main.ts NAME [--machines N] [--tasks N] [--seed N] [--seconds N] [--dir DIR]
 * Of packages: [--machines N] [--bytes N], 200 MB to 20 machines.
 * Of hostile: [--users N] [--seconds N] [--fill SHARE], 20 users for 600 seconds on a full cell.
 * Of infrastore: [--fill SHARE], of a million events and ten million rows of usage.
 * Of failover: [--rounds N] [--tasks N], 5 rounds a fault with 200 tasks; needs Debian's etcd-server.
 * Of noisy: [--runs N] [--seconds N], five pairs a case. Of start-rate: [--count N], 1,000 tasks.
 * Of offers: [--machines N] [--frameworks N] [--life SECONDS] [--seconds N], 5,000 machines, 200 frameworks, tasks of 120 s for 30 s; --seconds 0: the allocator alone.
 * Of ui: [--machines N] [--tasks N] [--seconds N], with Debian's chromium; PICTURES=DIR takes pictures.
 * Of views: [--machines N] [--tasks N] [--seconds N], what each page costs, in CPU.
 * The scheduler's benches (schedule, pass, compaction, reclaim) have options of their own: bench/cells/args.ts.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { type CellArgs, cellArgs, OPTIONS, saidOf } from "./cells/args.ts";
import type { Figures } from "./figures.ts";
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
  noisy: async (args) => (await import("./noisy.ts")).benchNoisy(args),
  offers: async (args) => ({
    ...(await import("./offers.ts")).benchOffers(args.machines, args.seed),
    ...(args.seconds === 0 ? {} : await (await import("./offers-live.ts")).benchOffersLive({ ...args, frameworks: args.frameworks })),
  }),
  omega: async (args) => (await import("./omega.ts")).benchOmega(args),
  packages: async (args) => (await import("./packages.ts")).benchPackages(args.machines, args.bytes, args.dir),
  sim: async (args) => (await import("./sim.ts")).benchSim(args.seed, args.seconds),
  start: async (args) => (await import("./start.ts")).benchStart(args.jobs),
  "start-rate": async (args) => (await import("./start-rate.ts")).benchStartRate(args.count),
  ui: async (args) => (await import("./ui.ts")).benchUi(args),
  views: async (args) => (await import("./views.ts")).benchViews(args),
  store: async (args) => (await import("./store.ts")).benchStore(args),
};

const SECONDS: Readonly<Record<string, number>> = { hostile: 600, offers: 30, views: 20 };
const LIFE: Readonly<Record<string, number>> = { offers: 120 };
const LIFE_DEFAULT = 20;
const SECONDS_DEFAULT = 5;
const MACHINES: Readonly<Record<string, number>> = { packages: 20, offers: 5_000 };
const MACHINES_DEFAULT = 12_477;
const TASKS: Readonly<Record<string, number>> = { failover: 200 };
const TASKS_DEFAULT = 150_000;

/** The scheduler's, on cells that their arguments describe. */
const ON_CELLS: Readonly<Record<string, (args: CellArgs) => Promise<Figures>>> = {
  schedule: async (args) => (await import("./schedule-rows.ts")).benchSchedule(args),
  pass: async (args) => (await import("./pass.ts")).benchPass(args),
  reclaim: async (args) => (await import("./reclaim.ts")).benchReclaim(args),
  compaction: async (args) => (await import("./compaction.ts")).benchCompaction(args),
};

/** The stress set has its own cells, and few options. */
const PACKING = "packing";

async function runPacking(argv: readonly string[]): Promise<Run> {
  const { benchPacking, packingArgs } = await import("./packing.ts");
  const args = packingArgs(argv);
  return { args, figures: benchPacking(args) };
}

interface Run {
  readonly args: object;
  readonly figures: Figures;
}

async function runOnCell(bench: (args: CellArgs) => Promise<Figures>, argv: readonly string[]): Promise<Run> {
  const args = cellArgs(argv);
  return { args: saidOf(args), figures: await bench(args) };
}

const otherOptions = (bench: string) =>
  ({
    machines: { type: "string", default: String(MACHINES[bench] ?? MACHINES_DEFAULT) },
    tasks: { type: "string", default: String(TASKS[bench] ?? TASKS_DEFAULT) },
    seed: { type: "string", default: "42" },
    seconds: { type: "string", default: String(SECONDS[bench] ?? SECONDS_DEFAULT) },
    dir: { type: "string", default: tmpdir() },
    jobs: { type: "string", default: "100" },
    schedulers: { type: "string", default: "4" },
    rate: { type: "string", default: "10000" },
    "tasks-per-job": { type: "string", default: "10" },
    life: { type: "string", default: String(LIFE[bench] ?? LIFE_DEFAULT) },
    users: { type: "string", default: "20" },
    fill: { type: "string", default: "1" },
    frameworks: { type: "string", default: "200" },
    runs: { type: "string", default: "5" },
    count: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    bytes: { type: "string", default: "200000000" },
    svg: { type: "string", default: "" },
    table2: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  }) as const;

async function runOther(bench: string, run: (args: Args) => Promise<Figures>, argv: readonly string[]): Promise<Run> {
  const { values } = parseArgs({
    args: [...argv],
    options: otherOptions(bench),
  });
  const { machines, tasks, seed, seconds } = values;
  const args = { machines: Number(machines), tasks: Number(tasks), seed: Number(seed), seconds: Number(seconds) };
  const load = {
    jobs: Number(values.jobs),
    schedulers: Number(values.schedulers),
    rate: Number.parseInt(values.rate, 10),
    tasksPerJob: Number(values["tasks-per-job"]),
    lifeSeconds: Number(values.life),
    users: Number(values.users),
    fill: Number(values.fill),
    frameworks: Number(values.frameworks),
    runs: Number(values.runs),
    svg: values.svg,
    table2: values.table2,
    count: Number(values.count),
    rounds: Number(values.rounds),
    bytes: Number(values.bytes),
  };
  return { args: { ...args, ...load }, figures: await run({ ...args, ...load, dir: values.dir }) };
}

const [bench = "", ...argv] = process.argv.slice(2);
const [onCell, other] = [ON_CELLS[bench], BENCHES[bench]];
if (onCell === undefined && other === undefined && bench !== PACKING) {
  const names = [...Object.keys(BENCHES), ...Object.keys(ON_CELLS), PACKING].join(", ");
  process.stderr.write(`Cannot find bench "${bench}": there are ${names}\n`);
  process.exit(2);
}
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();

/** Each bench has options of its own, all with a default. */
function helpOf(options: Readonly<Record<string, { readonly default: string | boolean }>>): string {
  const lines = Object.entries(options).map(
    ([name, { default: value }]) => `  --${name}${value === "" || value === false ? "" : ` (${value})`}`,
  );
  return `Options of ${bench}, with their defaults:\n${lines.join("\n")}\n`;
}

if (argv.includes("--help") || argv.includes("-h")) {
  const { PACKING_OPTIONS } = await import("./packing.ts");
  process.stdout.write(helpOf(onCell !== undefined ? OPTIONS : bench === PACKING ? PACKING_OPTIONS : otherOptions(bench)));
  process.exit(0);
}

function runIt(): Promise<Run> {
  if (bench === PACKING) return runPacking(argv);
  return onCell === undefined ? runOther(bench, other as NonNullable<typeof other>, argv) : runOnCell(onCell, argv);
}

const { args, figures } = await runIt().catch((error: unknown) => {
  if (!isUsage(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
const about = { bench, commit, node: process.version, cpus: availableParallelism(), at: new Date().toISOString(), args };
process.stdout.write(`${JSON.stringify({ ...about, ...figures }, undefined, argv.includes("--json") ? undefined : 2)}\n`);
