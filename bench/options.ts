/** Options of benches: each bench has its own, every option says what it does, and nothing is taken that nobody would look at. */
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { UsageError } from "./usage.ts";

export interface Option {
  readonly type: "string" | "boolean";
  readonly default: string | boolean;
  /** What stands behind its name in help; nothing for a switch. */
  readonly value?: string;
  readonly says: string;
}
export type Options = Readonly<Record<string, Option>>;

const text = <Value extends string>(value: Value, fallback: string, says: string) =>
  ({ type: "string", default: fallback, value, says }) as const;
const flag = (says: string) => ({ type: "boolean", default: false, says }) as const;

const JSON_FLAG = flag("figures on one line, for programs");
const SEED = text("N", "42", "of everything that is drawn");
const DIR = text("DIR", tmpdir(), "where files are written that are gone afterwards");

/** Which cell, and how its work is placed. */
export const CELL_OPTIONS = {
  machines: text("FILE", "", "machines of a recorded cell: CSV, gzip or not (bench/cells/csv.ts says which columns)"),
  tasks: text("FILE", "", "its tasks"),
  synthetic: text("N", "0", "instead of files: a made-up cell of so many machines"),
  workload: text("NAME", "", "instead of files: uniform, distinct, borg-mix or preempt, as others were measured with"),
  nodes: text("N", "5000", "machines of the workload"),
  count: text("N", "10000", "tasks of the workload"),
  clone: text("K", "1", "the cell so many times over"),
  "scale-ram": text("F", "1", "memory of the tasks that lean to memory, times this"),
  "scale-cpu": text("F", "1", "cpu of the tasks that lean to cpu, times this"),
  sample: text("PART", "1", "this part of the machines and of the jobs, drawn by --vary"),
  vary: text("SEED", "0", "which sample; without a sample: jobs drawn anew from the cell's own"),
  only: text("BAND", "all", "all work, or prod"),
  seed: SEED,
  order: text("ORDER", "queue", "queue, file, shuffled or decreasing"),
  policy: text("POLICY", "hybrid", "hybrid, best-fit or e-pvm"),
  seeds: text("N", "11", "how many draws of machines"),
  pending: text("N", "1000", "tasks that end and come before each pass"),
  passes: text("N", "100", "passes that are measured"),
  sampling: text("N", "0", "look at so many places with room instead of all; 0: all"),
  "no-sampling": flag("the same as --sampling 0"),
  "no-cache": flag("without remembering scores"),
  "no-classes": flag("without classes of tasks that ask the same"),
  "no-blocks": flag("without bounds of blocks of machines"),
  reclamation: text("PRESET", "medium", "baseline, medium or aggressive"),
  svg: text("FILE", "", "a plot"),
  placements: text("FILE", "", "every task with its machine and devices, as CSV"),
  dir: DIR,
  json: JSON_FLAG,
} as const satisfies Options;

export const PACKING_OPTIONS = {
  machines: text("FILE", "", "machines of the recorded cell (without both files: those of BORG_TRACE_DIR)"),
  tasks: text("FILE", "", "its tasks"),
  only: text("WORDS", "", "rows that have all these words: a cell, prod or all, an order"),
  seeds: text("N", "3", "how many draws of machines a row"),
  seed: SEED,
  results: text("FILE", "", "keeps each figure as it is found; what stands there is not measured again"),
  svg: text("FILE", "", "a plot"),
  json: JSON_FLAG,
} as const satisfies Options;

/** Of all other benches. Some have a default of their own: `fallbacks` of the bench. */
export const OTHER_OPTIONS = {
  machines: text("N", "12477", "machines"),
  tasks: text("N", "150000", "tasks"),
  seed: SEED,
  seconds: text("N", "5", "how long it is measured"),
  dir: DIR,
  jobs: text("N", "100", "jobs, one after the other"),
  schedulers: text("N", "4", "batch schedulers"),
  rate: text("N", "10000", "tasks a minute"),
  "tasks-per-job": text("N", "10", "tasks of a job"),
  life: text("SECONDS", "20", "how long a task lives"),
  users: text("N", "20", "who attack"),
  fill: text("SHARE", "1", "how full it is before, in parts of what it may hold"),
  frameworks: text("N", "200", "frameworks"),
  runs: text("N", "5", "pairs a case"),
  count: text("N", "1000", "tasks"),
  rounds: text("N", "5", "rounds a fault"),
  bytes: text("N", "200000000", "of the package"),
  svg: text("FILE", "", "a plot"),
  table2: flag("the formulas of the paper's Table 2 instead"),
  json: JSON_FLAG,
} as const satisfies Options;

type Values<All extends Options> = { [Name in keyof All]: All[Name]["type"] extends "boolean" ? boolean : string };

/** What was said, and the defaults of everything else. An option that the bench does not have is refused like one that nobody has. */
export function parsed<All extends Options>(bench: string, argv: readonly string[], own: Options, all: All): Values<All> {
  const { tokens } = parseArgs({ args: [...argv], options: own, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional")
      throw new UsageError(`Cannot understand "${token.value}": ${bench} has options alone${seeHelp(bench)}`);
    if (token.kind === "option" && !Object.hasOwn(own, token.name))
      throw new UsageError(`Cannot find option "${token.rawName}" of ${bench}${seeHelp(bench)}`);
  }
  try {
    const { values } = parseArgs({ args: [...argv], options: own });
    const defaults = Object.entries(all).map(([name, option]) => [name, option.default]);
    return { ...Object.fromEntries(defaults), ...values } as Values<All>;
  } catch (cause) {
    throw new UsageError(`${(cause as Error).message.split("\n")[0]?.replace(/\.$/, "")}${seeHelp(bench)}`, { cause });
  }
}

const seeHelp = (bench: string): string => `; borg bench ${bench} --help lists its options`;
