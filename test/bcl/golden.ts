/**
 * Golden files: cases of a title (`## ...`), files (the first is main.bcl; others after `--- path`), `----`, and the exact output.
 * `REWRITE=1` writes what comes out now; then read the difference.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { ok, refused } from "../../src/base/result.ts";
import { type Evaluation, evaluateFile } from "../../src/bcl/evaluation.ts";
import { renderProblems } from "../../src/bcl/problem.ts";
import { showText } from "../../src/bcl/show.ts";
import { runTests } from "../../src/bcl/tests.ts";

export interface Case {
  readonly title: string;
  readonly input: string;
  readonly expected: string;
}

export function readCases(url: URL): readonly Case[] {
  return readFileSync(url, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [head, ...rest] = part.split(/^----\n/m);
      const line = head!.indexOf("\n");
      return { title: head!.slice(0, line), input: head!.slice(line + 1), expected: rest.join("----\n").trimEnd() };
    });
}

export function writeCases(url: URL, cases: readonly Case[]): void {
  const intro = readFileSync(url, "utf8").split(/^## /m)[0]!;
  writeFileSync(
    url,
    intro +
      cases
        .map((c) => `## ${c.title}\n${c.input}----\n${c.expected}\n\n`)
        .join("")
        .trimEnd()
        .concat("\n"),
  );
}

/** `--set name=value` lines at the top are parameters; `main.json` after `---` makes a JSON file the first one. */
export function evaluateCase(input: string): Evaluation {
  const parts = input.split(/^--- /m);
  const files = new Map<string, string>();
  const parameters = new Map([...parts[0]!.matchAll(/^--set ([^=\n]+)=(.*)\n/gm)].map((m) => [m[1]!, m[2]!]));
  const main = parts[0]!.replace(/^--set .*\n/gm, "");
  if (main.trim() !== "" || parts.length === 1) files.set("main.bcl", main);
  for (const part of parts.slice(1)) files.set(part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1));
  const [first] = files.keys();
  return evaluateFile(
    first!,
    { read: (path) => (files.has(path) ? ok(files.get(path)!) : refused("there is no such file")) },
    { user: "ubar", parameters },
  );
}

/** Problems, or the value, and after it the tests that failed. */
export function outputOf(input: string): string {
  const evaluation = evaluateCase(input);
  if (evaluation.problems.length > 0) return renderProblems(evaluation.problems).trimEnd();
  const failed = runTests(evaluation).filter((outcome) => outcome.problems.length > 0);
  const tests = failed.map((outcome) => `FAILED: ${outcome.name}\n${renderProblems(outcome.problems)}\n`);
  return (showText(evaluation) + tests.join("")).trimEnd();
}
