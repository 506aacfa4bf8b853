/** Runs the simulation or a suite with one bug loaded, in a process of its own, and the same again without it. */
import { execFile } from "node:child_process";
import { isTested, type Mutant, type SimulatedBug, type TestedBug } from "./mutant.ts";
import type { Found, Row } from "./table.ts";

/** A run that takes longer hangs: the bug was not noticed. */
const RUN_MS_MAX = 1_800_000;
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

interface Ran {
  readonly code: number;
  readonly output: string;
}

export class Planter {
  readonly #seeds: number;
  readonly #known: ReadonlyMap<string, Row>;
  /** What was run with bugs, to be run without. */
  readonly #suites = new Set<string>();
  readonly #caughtAt = new Set<number>();

  constructor(seeds: number, known: ReadonlyMap<string, Row>) {
    this.#seeds = seeds;
    this.#known = known;
  }

  get controls(): number {
    return this.#suites.size + this.#caughtAt.size;
  }

  async plant(mutant: Mutant): Promise<Found> {
    const started = performance.now();
    const found = isTested(mutant) ? await this.#inSuite(mutant) : await this.#inSimulation(mutant);
    return { ...found, seconds: (performance.now() - started) / 1000 };
  }

  /** Lines about what is not clean without any bug. */
  async control(): Promise<readonly string[]> {
    const unclean: string[] = [];
    for (const suite of this.#suites) if ((await run(testArgs(suite), "")).code !== 0) unclean.push(`${suite} fails without a bug`);
    for (const seed of this.#caughtAt) {
      const { code, output } = await run(seedArgs(seed, 1), "");
      if (code !== 0) unclean.push(`Seed ${seed} is not clean without a bug: ${output.slice(-500)}`);
    }
    return unclean;
  }

  /** First the seed that noticed it last time; then from the first one on. */
  async #inSimulation(mutant: SimulatedBug): Promise<Omit<Found, "seconds">> {
    const before = Number(this.#known.get(mutant.name)?.where);
    const known = before > 0 ? await simulate(mutant, before, 1) : undefined;
    const caught = known ?? (await simulate(mutant, 1, this.#seeds));
    if (caught === undefined) return { noticed: false, where: `${this.#seeds} seeds are clean`, id: "" };
    this.#caughtAt.add(caught.seed);
    const fits = mutant.caughtBy.includes(caught.id);
    return { noticed: fits, where: fits ? String(caught.seed) : `seed ${caught.seed} broke ${caught.id}`, id: caught.id };
  }

  /** First the test that noticed it last time; then all of its suite. A test has to fail: a file that cannot even be loaded shows nothing. */
  async #inSuite(mutant: TestedBug): Promise<Omit<Found, "seconds">> {
    this.#suites.add(mutant.suite);
    const row = this.#known.get(mutant.name);
    const known =
      row?.noticedBy === mutant.suite && row.where !== ""
        ? await this.#inTest(mutant, ["--test-name-pattern", patternOf(row.where)])
        : undefined;
    return known?.noticed === true ? known : this.#inTest(mutant, []);
  }

  async #inTest({ name, suite }: TestedBug, options: readonly string[]): Promise<Omit<Found, "seconds">> {
    const { code, output } = await run([...options, ...testArgs(suite)], name);
    const title = failedTest(output);
    if (code !== 0 && title !== undefined) return { noticed: true, where: title, id: "" };
    return {
      noticed: false,
      where: code === 0 ? "the suite passes" : `no test failed: ${output.slice(-300).replaceAll("\n", " ")}`,
      id: "",
    };
  }
}

const testArgs = (suite: string): readonly string[] => ["--import", "./tools/mutate.ts", "--test", "--test-reporter=tap", suite];

/** Of a title as the table has it: bars are strokes there, and the ids in brackets are gone. */
export const patternOf = (title: string): string =>
  `/^${title.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => (sign === "/" ? "[/|]" : `\\${sign}`))}/`;

const seedArgs = (first: number, seeds: number): readonly string[] => {
  const range = ["--first", String(first), "--seeds", String(seeds), "--failures", "1", "--shrink", "0", "--json"];
  return ["--import", "./tools/mutate.ts", "test/sim/run.ts", ...range];
};

async function simulate(mutant: SimulatedBug, first: number, seeds: number): Promise<{ seed: number; id: string } | undefined> {
  const { output } = await run(seedArgs(first, seeds), mutant.name);
  const line = output.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new Error(`Mutant "${mutant.name}" does not run: ${output.slice(-2000)}`);
  return (JSON.parse(line) as { failures: { seed: number; id: string }[] }).failures[0];
}

/**
 * The title of the first test that failed, without the ids in brackets. The file itself, when it cannot be loaded, is not one; nor is a test that met
 * something only a misspelt bug would make.
 */
function failedTest(tap: string): string | undefined {
  for (const part of tap.split(/^ *not ok \d+ - /m).slice(1)) {
    const report = part.slice(0, part.indexOf("\n  ..."));
    const isTest = report.includes("failureType: 'testCodeFailure'") && !report.includes("exitCode:");
    if (!isTest || /name: '(?:Type|Reference|Syntax)Error'/.test(report)) continue;
    return (part.split("\n")[0] as string)
      .replaceAll("\\#", "#")
      .replace(/(?: \[[^\]]*\])+$/, "")
      .replaceAll("|", "/");
  }
  return undefined;
}

function run(args: readonly string[], mutant: string): Promise<Ran> {
  // What a test runner tells its children would make a suite inside it report to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { env: { ...env, MUTANT: mutant }, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX, timeout: RUN_MS_MAX } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, output: stdout === "" ? stderr : stdout });
    });
  });
}
