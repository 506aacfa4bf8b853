/**
 * What is wrong, where, and the way that led there. A problem is written for the person who has to mend it:
 * the message says what was expected and found, the hint says what to do.
 */
import { LineTable, lineAt, type Span } from "./source.ts";

/** One stage of the way: a call, a field, an extension, an import. */
export interface Step {
  readonly what: string;
  readonly span: Span;
}

export interface Problem {
  readonly message: string;
  readonly span: Span;
  readonly hint: string | undefined;
  /** Innermost first. */
  readonly way: readonly Step[];
  /** Steps and sizes: such a problem ends the evaluation, and no program can catch it. */
  readonly limit: boolean;
}

/** At most this many problems of one evaluation are kept; the rest would only be noise. */
export const PROBLEMS_MAX = 50;

/** Longer ways show both ends. */
const WAY_MAX = 12;
const LINE_MAX = 120;

/** Carries a problem through the evaluation, up to whoever collects problems. */
export class Fault extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function problemAt(span: Span, message: string, hint?: string): Problem {
  return { message, span, hint, way: [], limit: false };
}

/** Problems in the order they stand in the files, each once. */
export class Problems {
  readonly #list: Problem[] = [];
  readonly #seen = new Set<string>();

  get list(): readonly Problem[] {
    return this.#list;
  }

  get isFull(): boolean {
    return this.#list.length >= PROBLEMS_MAX;
  }

  add(problem: Problem): void {
    const key = `${problem.span.source.path}:${problem.span.start}:${problem.message}`;
    if (this.isFull || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#list.push(problem);
  }
}

/** The text for a terminal: place and message, the line with a caret, the way, the hint. */
export function renderProblem(problem: Problem, places = new LineTable()): string {
  const lines = [`${places.textOf(problem.span)}: ${problem.message}`, ...caretLines(problem.span, places)];
  lines.push(
    ...shortened(repeated(told(problem, places).map((step) => `${step.what} at ${places.textOf(step.span)}`))).map((line) => `  ${line}`),
  );
  if (problem.hint !== undefined) lines.push(`  hint: ${problem.hint}`);
  return lines.join("\n");
}

export function renderProblems(problems: readonly Problem[]): string {
  const places = new LineTable();
  return problems.map((problem) => renderProblem(problem, places)).join("\n\n");
}

/** The way without its first step, where that is the very place that is shown. */
function told(problem: Problem, places: LineTable): readonly Step[] {
  const first = problem.way[0];
  if (first === undefined || first.span.source !== problem.span.source) return problem.way;
  const sameLine = places.positionOf(first.span).line === places.positionOf(problem.span).line;
  return first.span.start === problem.span.start || (sameLine && first.what.startsWith("in the field"))
    ? problem.way.slice(1)
    : problem.way;
}

function caretLines(span: Span, places: LineTable): readonly string[] {
  const { text } = span.source;
  // A file that cannot be read, or that is empty: there is nothing to point at.
  if (text === "") return [];
  const line = lineAt(text, span.start);
  const column = places.positionOf(span).column - 1;
  // A long line is cut around the caret, so that a generated file does not fill the screen.
  const from = line.length <= LINE_MAX ? 0 : Math.max(0, Math.min(column - 40, line.length - LINE_MAX));
  const shown = line.slice(from, from + LINE_MAX);
  const width = Math.max(1, Math.min(span.end - span.start, shown.length - (column - from)));
  const indent = shown.slice(0, column - from).replace(/[^\t]/g, " ");
  return [`    ${shown}`, `    ${indent}${"^".repeat(width)}`];
}

/** A function that calls itself a thousand times is one line. */
function repeated(lines: readonly string[]): readonly string[] {
  const runs: { readonly line: string; readonly times: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) runs[runs.length - 1] = { line, times: last.times + 1 };
    else runs.push({ line, times: 1 });
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line}, ${times} times`));
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= WAY_MAX) return lines;
  const half = WAY_MAX / 2;
  return [...lines.slice(0, half), `... ${lines.length - WAY_MAX} more steps ...`, ...lines.slice(-half)];
}
