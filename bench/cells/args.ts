/** What the scheduler's benches can be told, and the cell that they are told to use. */
import { Random } from "../../src/base/random.ts";
import { POLICIES, type Policy } from "../../src/scheduler/search/policy.ts";
import { PAGES } from "../catalogue.ts";
import { CELL_OPTIONS, parsed } from "../options.ts";
import { UsageError } from "../usage.ts";
import { readCell } from "./csv.ts";
import { amountIn, countIn } from "./numbers.ts";
import { ORDERS, type Order } from "./order.ts";
import { type CellPlan, cloned, onlyProd } from "./plan.ts";
import { syntheticCell } from "./synthetic.ts";
import { varied } from "./vary.ts";
import { WORKLOADS } from "./workload.ts";

/** Nobody scales what tasks ask for by more. */
const SCALE_MAX = 1_000;

export type CellArgs = ReturnType<typeof cellArgs>;

/** `bench`: whose options are taken; without it those of all of them. */
export function cellArgs(argv: readonly string[], bench?: string) {
  const values = parsed(
    bench ?? "compaction",
    argv,
    (bench === undefined ? undefined : PAGES[bench]?.options) ?? CELL_OPTIONS,
    CELL_OPTIONS,
  );
  const { order, policy } = values;
  if (!(POLICIES as readonly string[]).includes(policy))
    throw new UsageError(`Cannot find policy "${policy}": there are ${POLICIES.join(", ")}`);
  if (!(ORDERS as readonly string[]).includes(order)) throw new UsageError(`Cannot find order "${order}": there are ${ORDERS.join(", ")}`);
  if (!["all", "prod"].includes(values.only)) throw new UsageError(`Cannot find "${values.only}" in --only: there are all, prod`);
  const count = (
    name: "synthetic" | "nodes" | "count" | "clone" | "seed" | "seeds" | "pending" | "passes" | "sampling" | "vary",
    least = 1,
  ) => countIn(name, values[name], least);
  return {
    ...values,
    order: order as Order,
    policy: policy as Policy,
    synthetic: count("synthetic", 0),
    nodes: count("nodes"),
    count: count("count"),
    clone: count("clone"),
    scaleRam: amountIn("scale-ram", values["scale-ram"], SCALE_MAX),
    scaleCpu: amountIn("scale-cpu", values["scale-cpu"], SCALE_MAX),
    sample: amountIn("sample", values.sample, 1),
    vary: count("vary", 0),
    seed: count("seed", 0),
    seeds: count("seeds"),
    pending: count("pending", 0),
    passes: count("passes"),
    sampling: values["no-sampling"] ? 0 : count("sampling", 0),
  };
}

/** What was said, without what goes without saying; of files only their names, wherever they are. */
export function saidOf(args: CellArgs): object {
  const fallback = cellArgs([]);
  const said = Object.entries(args).filter(([name, value]) => value !== fallback[name as keyof CellArgs] && name !== "json");
  return Object.fromEntries(
    said.map(([name, value]) => [name, typeof value === "string" ? value.slice(value.lastIndexOf("/") + 1) : value]),
  );
}

export interface BenchCell extends CellPlan {
  /** Jobs that run before anything is measured. */
  readonly before: ReadonlySet<string>;
}

export function cellOf(args: CellArgs): BenchCell {
  const { before, ...plan } = described(args);
  const whole = cloned(varied(plan, args), args.clone);
  return { ...(args.only === "prod" ? onlyProd(whole) : whole), before };
}

function described(args: CellArgs): BenchCell {
  if (args.workload !== "") {
    const make = WORKLOADS[args.workload];
    if (make === undefined) throw new UsageError(`Cannot find workload "${args.workload}": there are ${Object.keys(WORKLOADS).join(", ")}`);
    return make(args.nodes, args.count, new Random(args.seed, "workload"));
  }
  if (args.synthetic > 0) return { ...syntheticCell(args.synthetic, args.seed), before: new Set() };
  if (args.machines === "" || args.tasks === "")
    throw new UsageError("Say which cell: --machines FILE --tasks FILE, --synthetic N or --workload NAME");
  return { ...readCell(args.machines, args.tasks), before: new Set() };
}
