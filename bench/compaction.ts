/**
 * Compaction (Borg §5.1): how small a cell could be and still take its work. For each seed the machines are shuffled; the smallest beginning
 * of that row, found by bisection, on which at most 0.2 % of the tasks stay pending when all are placed anew; in percent of all machines.
 * The 90th percentile over the seeds is the figure to compare. Machines that are left out do not answer.
 *
 * As in the paper, jobs with more tasks than half the machines have their hard constraints made soft, and a cell that is too small for its
 * work is given as many machines of the same kinds again as it needs: then the figure is above 100.
 */
import { writeFileSync } from "node:fs";
import { Random } from "../src/base/random.ts";
import type { CellState } from "../src/cell/state.ts";
import { type CellArgs, cellOf } from "./cells/args.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { amountsOf, writePlacements } from "./placements.ts";
import { optionsOf } from "./schedule.ts";
import { Sizes, softened, type Way } from "./trials.ts";

export function benchCompaction(args: CellArgs): Figures {
  const cell = softened(cellOf(args));
  const wayOf = (seed: number): Way => ({ order: args.order, options: optionsOf(args), seed: args.seed + seed });
  const sizes = new Sizes(cell);
  const percents: number[] = [];
  let packed: CellState | undefined;
  for (let seed = 1; seed <= args.seeds; seed++) {
    const { trials, names } = sizes.fewest((all) => new Random(args.seed + seed, "compaction").shuffle(all), wayOf(seed));
    percents.push((100 * names.length) / cell.machines.length);
    process.stderr.write(`seed ${seed} of ${args.seeds}: ${names.length} machines, ${(percents.at(-1) ?? 0).toFixed(2)} %\n`);
    if (seed === args.seeds) packed = trials.check(new Set(names), wayOf(seed));
  }
  percents.sort((a, b) => a - b);
  const at = (part: number): number => rounded(percentile(percents, part));
  if (args.svg !== "") writeFileSync(args.svg, drawn(args, percents));
  if (packed !== undefined) writePlacements(args.placements, packed);
  const { tasks, bound } = sizes.at(1);
  return {
    machines: cell.machines.length,
    tasks,
    p90: at(0.9),
    median: at(0.5),
    min: at(0),
    max: at(1),
    bound: rounded(100 * bound),
    ...(packed && amountsOf(packed)),
  };
}

/** The cumulative distribution over the seeds, as a step line. */
function drawn({ policy, order, only }: CellArgs, percents: readonly number[]): string {
  const [width, height, left, bottom] = [480, 240, 40, 30];
  const [from, to] = [Math.floor((percents[0] ?? 0) - 1), Math.ceil((percents.at(-1) ?? 0) + 1)];
  const x = (percent: number): number => left + ((percent - from) / (to - from)) * (width - left - 10);
  const y = (part: number): number => 20 + (1 - part) * (height - bottom - 20);
  const steps = percents.map((percent, i) => `H${x(percent).toFixed(1)}V${y((i + 1) / percents.length).toFixed(1)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<text x="${left}" y="12">Machines needed, % of the cell: ${policy}, order ${order}, ${only} (${percents.length} seeds)</text>
<path d="M${x(from)} ${y(0)}${steps.join("")}H${x(to)}" fill="none" stroke="#07c" stroke-width="2"/>
<path d="M${x(from)} ${y(1)}V${y(0)}H${x(to)}" fill="none" stroke="#333"/>
<text x="${x(from)}" y="${height - 10}">${from}</text><text x="${x(to) - 14}" y="${height - 10}">${to}</text>
<text x="4" y="${y(0.9)}">90 %</text>
</svg>
`;
}
