/**
 * Lists what the suites skipped, and judges it: with CI=true a skip that tools/allowed-skips does not know is a failure. A suite that left no list is one too.
 * Usage: node tools/skips.ts SUITE...; each suite's list is .cache/skips/SUITE, written by skip-reporter.ts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Skip } from "./skip-reporter.ts";

const LISTS = join(".cache", "skips");

/** One line of tools/allowed-skips. */
interface Allowed {
  readonly file: string;
  readonly reason: string;
  readonly why: string;
}

export interface Verdict {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

export function parseAllowed(text: string): readonly Allowed[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [file = "", reason = "", why = ""] = line.split("|").map((part) => part.trim());
    if (reason === "" || why === "") throw new Error(`Cannot read "${line}" in tools/allowed-skips: write file | reason | why`);
    return { file, reason, why };
  });
}

/** `strict`: nobody will read the list, so what is not allowed fails. */
export function judge(skips: readonly Skip[], allowed: readonly Allowed[], strict: boolean): Verdict {
  const lines = skips.map((skip) => {
    const known = allowed.find(({ file, reason }) => skip.file === file && skip.reason.startsWith(reason));
    const verdict = known === undefined ? (strict ? " (not in tools/allowed-skips)" : "") : ` (allowed: ${known.why})`;
    return { known: known !== undefined, text: `  ${skip.file}: ${skip.test}: ${skip.reason || "no reason given"}${verdict}` };
  });
  return { lines: lines.map(({ text }) => text), failed: strict && lines.some(({ known }) => !known) };
}

export const parseList = (text: string): readonly Skip[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Skip);

function main(suites: readonly string[]): number {
  const absent = suites.filter((suite) => !existsSync(join(LISTS, suite)));
  if (absent.length > 0) {
    process.stdout.write(`These suites have not run: ${absent.join(", ")}\n`);
    return 1;
  }
  const skips = suites.flatMap((suite) => parseList(readFileSync(join(LISTS, suite), "utf8")));
  const allowed = parseAllowed(readFileSync(join("tools", "allowed-skips"), "utf8"));
  const { lines, failed } = judge(skips, allowed, process.env["CI"] === "true");
  process.stdout.write(lines.length === 0 ? "Nothing was skipped\n" : `Skipped, ${lines.length} in all:\n${lines.join("\n")}\n`);
  if (failed) process.stdout.write("With CI=true a skip must be in tools/allowed-skips with its reason; or install what it needs\n");
  return failed ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
