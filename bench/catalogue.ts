/** The benches by name: what each is about, which options it has, and words that can be typed. */
import { CELL_OPTIONS, type Options, OTHER_OPTIONS, PACKING_OPTIONS } from "./options.ts";

export interface BenchPage {
  readonly says: string;
  readonly options: Options;
  readonly examples: readonly string[];
}

const CELL = ["machines", "tasks", "synthetic", "workload", "nodes", "count", "clone"] as const;
const VARIED = ["scale-ram", "scale-cpu", "sample", "vary", "only", "seed"] as const;
const HOW = ["policy", "sampling", "no-sampling", "no-cache", "no-classes", "no-blocks"] as const;

function some<All extends Options>(
  all: All,
  names: readonly (keyof All & string)[],
  fallbacks: Readonly<Record<string, string>> = {},
): Options {
  const own = names.map((name) => [name, name in fallbacks ? { ...all[name], default: fallbacks[name] } : all[name]]);
  return { ...Object.fromEntries(own), json: all["json"] };
}

const onCell = (says: string, more: readonly (keyof typeof CELL_OPTIONS)[], examples: readonly string[]): BenchPage => ({
  says,
  options: some(CELL_OPTIONS, [...CELL, ...VARIED, ...HOW, ...more]),
  examples,
});

const other = (
  says: string,
  names: readonly (keyof typeof OTHER_OPTIONS)[],
  examples: readonly string[],
  fallbacks: Readonly<Record<string, string>> = {},
): BenchPage => ({ says, options: some(OTHER_OPTIONS, names, fallbacks), examples });

export const PAGES: Readonly<Record<string, BenchPage>> = {
  bcl: other("how fast a large configuration is read", [], ["borg bench bcl --json"]),
  cell: other(
    "what a cell costs its master: emulated machines, and jobs that arrive at a steady rate",
    ["machines", "rate", "seconds", "tasks-per-job", "life"],
    ["borg bench cell --machines 1000 --rate 10000 --seconds 30"],
  ),
  core: other(
    "applying, replaying and checkpointing a whole cell",
    ["machines", "tasks", "seed", "dir"],
    ["borg bench core --machines 1000 --tasks 10000 --json"],
  ),
  "delay-scheduling": other(
    "how much data is local when frameworks wait for it",
    ["seed", "svg"],
    ["borg experiment delay-scheduling --seed 1 --json"],
  ),
  failover: other(
    "how long a cell with replicas is away; needs Debian's etcd-server",
    ["rounds", "tasks"],
    ["borg bench failover --rounds 5 --tasks 200 --json"],
    { tasks: "200" },
  ),
  hostile: other(
    "a crowd of hostile users on one cell",
    ["users", "seconds", "fill"],
    ["borg bench hostile --users 20 --seconds 600 --json"],
    { seconds: "600" },
  ),
  infrastore: other(
    "questions about a million events and ten million rows of usage",
    ["fill", "dir"],
    ["borg bench infrastore --fill 0.1 --json"],
  ),
  link: other("what polls cost the master's link thread", ["machines", "seconds"], ["borg bench link --machines 1000 --seconds 5"]),
  "mapreduce-policies": other(
    "MapReduce jobs that grow into idle room; needs BORG_TRACE_DIR",
    ["seed", "svg"],
    ["BORG_TRACE_DIR=data/google2011 borg experiment mapreduce-policies --seed 1 --svg speedups.svg --json"],
  ),
  "mesos-macro": other(
    "four frameworks that share by offers, against a quarter each",
    ["seed", "svg", "table2"],
    ["borg experiment mesos-macro --seed 1 --svg use.svg --json", "borg experiment mesos-macro --table2 --seed 1 --json"],
  ),
  "mesos-sharing": other(
    "what the four frameworks have over time",
    ["seed", "svg"],
    ["borg experiment mesos-sharing --seed 1 --svg shares.svg --json"],
  ),
  mpi: other(
    "an MPI program on the tasks of a framework, against the same without a cell; needs Debian's openmpi-bin and python3",
    ["runs", "seconds"],
    ["borg bench mpi --runs 5 --seconds 30 --json"],
    { seconds: "30" },
  ),
  noisy: other("what a bad neighbour costs", ["runs", "seconds"], ["borg bench noisy --runs 5 --seconds 5 --json"]),
  offers: other(
    "offers to many frameworks; --seconds 0: the allocator alone",
    ["machines", "frameworks", "life", "seconds", "seed"],
    ["borg bench offers --machines 1000 --frameworks 200 --life 60 --seconds 30 --seed 1 --json"],
    { machines: "5000", seconds: "30", life: "900" },
  ),
  omega: other(
    "several batch schedulers on one master",
    ["machines", "tasks", "schedulers", "tasks-per-job"],
    ["borg bench omega --schedulers 4 --machines 1000 --tasks 20000"],
  ),
  packages: other(
    "one package to many machines",
    ["machines", "bytes", "dir"],
    ["borg bench packages --machines 20 --bytes 200000000 --json"],
    { machines: "20" },
  ),
  shards: other(
    "what reaches the leader of three replicas, counted, with machines shared out and without",
    ["machines", "seconds", "seed"],
    ["borg bench shards --machines 60 --seconds 120 --json"],
    { machines: "60", seconds: "120" },
  ),
  sim: other("how fast the simulation runs", ["seed", "seconds"], ["borg bench sim --seconds 20 --json"]),
  start: other("from submit to running on a real cell", ["jobs"], ["borg bench start --jobs 100 --json"]),
  "start-rate": other("what starting tasks costs a machine", ["count"], ["borg bench start-rate --count 1000 --json"]),
  store: other("the journal on real files", ["seconds", "dir"], ["borg bench store --seconds 5 --json"]),
  "three-worlds": other(
    "Borg's queue, Omega's transactions and Mesos' offers over one cell and the same work; the recorded cell with BORG_TRACE_DIR",
    ["seed", "svg"],
    ["borg experiment three-worlds --seed 1 --svg waits.svg --json"],
  ),
  ui: other(
    "the pages in Debian's chromium; PICTURES=DIR takes pictures",
    ["machines", "tasks", "seed", "seconds"],
    ["borg bench ui --machines 1000 --tasks 10000 --seconds 5 --json"],
  ),
  views: other(
    "what each page costs the master, in CPU",
    ["machines", "tasks", "seed", "seconds"],
    ["borg bench views --machines 1000 --tasks 10000 --seconds 5 --json"],
    { seconds: "20" },
  ),
  schedule: onCell(
    "a whole cell from nothing: built, applied and durable",
    ["order", "placements", "dir"],
    ["borg bench schedule --workload uniform --nodes 5000 --count 10000", "borg bench schedule --synthetic 1000 --only prod --json"],
  ),
  pass: onCell("passes over a full cell", ["pending", "passes"], ["borg bench pass --synthetic 1000 --pending 1000 --passes 200 --json"]),
  reclaim: onCell("what fits only by reclamation", ["reclamation"], ["borg experiment reclaim --synthetic 200 --json"]),
  compaction: onCell(
    "how few machines would do (Borg §5.1)",
    ["order", "seeds", "svg", "placements"],
    [
      "borg experiment compaction --synthetic 1000 --only prod --seeds 3",
      "borg experiment compaction --machines machines.csv.gz --tasks tasks.csv.gz --svg compaction.svg --json",
      "borg experiment compaction --synthetic 1000 --scale-ram 2 --sample 0.5 --vary 7 --seeds 3",
    ],
  ),
  packing: {
    says: "how few machines hybrid and best fit need on every row of a fixed stress set, beside a lower bound; all of it takes days",
    options: PACKING_OPTIONS,
    examples: ['borg experiment packing --only "synthetic-200 prod" --seeds 1 --results packing.jsonl --svg packing.svg'],
  },
};

export function pageText(bench: string, { says, options, examples }: BenchPage): string {
  const rows = Object.entries(options).map(([name, { value, default: fallback, says: words }]) => {
    const known = typeof fallback === "string" && fallback !== "" ? ` (${fallback})` : "";
    return [`--${name}${value === undefined ? "" : ` ${value}`}`, `${words}${known}`] as const;
  });
  const width = Math.max(...rows.map(([option]) => option.length)) + 2;
  const lines = rows.map(([option, words]) => `  ${option.padEnd(width)}${words}`);
  return `${bench}: ${says}\n\nOptions, with their defaults:\n${lines.join("\n")}\n\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}\n`;
}
