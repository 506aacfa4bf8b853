/**
 * One look for all files. Line breaks are the writer's, except that at most one blank line stands anywhere; blanks, indentation and the
 * commas that a line break makes superfluous are ours. It works on lexemes, so comments stay where they are, and a second run changes nothing.
 */
import { FILE_CHARACTERS_MAX } from "./evaluator/bounds.ts";
import { type Problem, Problems, problemAt } from "./problem.ts";
import { isOpener, separator, type Unit, unitsOf } from "./syntax/layout.ts";
import { parseFile } from "./syntax/parser.ts";

export type Formatted = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problems: readonly Problem[] };

const INDENT = "  ";

export function formatText(path: string, text: string): Formatted {
  const problems = new Problems();
  const source = { path, text };
  if (text.length > FILE_CHARACTERS_MAX) {
    problems.add(problemAt({ source, start: 0, end: 0 }, `File "${path}" has more than ${FILE_CHARACTERS_MAX} characters`));
    return { ok: false, problems: problems.list };
  }
  const file = parseFile(source, problems);
  if (problems.list.length > 0) return { ok: false, problems: problems.list };
  const units = withoutCommas(unitsOf(file));
  return { ok: true, text: new Layout(units).run() };
}

/** Before a line break, and before a closing brace, a field needs no comma. */
function withoutCommas(units: readonly Unit[]): readonly Unit[] {
  const open: string[] = [];
  const kept: Unit[] = [];
  units.forEach((unit, i) => {
    if (isOpener(unit)) open.push(unit.text);
    if (unit.kind === "close") open.pop();
    const inFields = open.length === 0 || open.at(-1) === "{";
    if (unit.text !== "," || unit.kind !== "symbol" || !inFields || units[i - 2]?.text === "for") {
      kept.push(unit);
      return;
    }
    let after = i + 1;
    while (units[after]?.kind === "comment") after++;
    const next = units[after];
    const needed = next !== undefined && !next.newline && next.text !== "}";
    if (needed) kept.push(unit);
  });
  return kept;
}

class Layout {
  readonly #units: readonly Unit[];
  readonly #lines: string[] = [];
  /** For every open bracket: the line it stands on, and that line's indentation. */
  readonly #open: { readonly line: number; readonly indent: number }[] = [];
  #line = "";
  /** The last unit that is no comment: a comment does not end an expression. */
  #code: Unit | undefined;
  #indent = 0;

  constructor(units: readonly Unit[]) {
    this.#units = units;
  }

  run(): string {
    this.#units.forEach((unit, i) => {
      const before = this.#units[i - 1];
      if (unit.newline || before === undefined) this.#begin(i);
      else this.#line += separator(this.#units, i) + unit.text;
      if (unit.kind !== "comment") this.#code = unit;
      if (isOpener(unit)) this.#open.push({ line: this.#lines.length, indent: this.#indent });
      if (unit.kind === "close" && !unit.newline) this.#open.pop();
    });
    if (this.#line !== "") this.#lines.push(this.#line);
    return this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
  }

  #begin(at: number): void {
    const unit = this.#units[at]!;
    const before = this.#units[at - 1];
    if (before !== undefined) {
      this.#lines.push(this.#line);
      if (unit.blank && !isOpener(before) && unit.kind !== "close") this.#lines.push("");
    }
    const around = this.#open.at(-1);
    if (unit.kind === "close") {
      this.#indent = around?.indent ?? 0;
      this.#open.pop();
    } else {
      this.#indent = (around === undefined ? 0 : around.indent + 1) + (continues(unit, this.#code) ? 1 : 0);
    }
    this.#line = INDENT.repeat(this.#indent) + unit.text;
  }
}

const LEADING: ReadonlySet<string> = new Set(["then", "else", "in", "."]);
const TRAILING: ReadonlySet<string> = new Set(["=", ":=", "=>", "then", "else", "in", ":"]);

/** Whether a line goes on with the expression of the line before. */
function continues(unit: Unit, before: Unit | undefined): boolean {
  if (unit.kind === "operator" || ((unit.kind === "word" || unit.kind === "symbol") && LEADING.has(unit.text))) return true;
  return (
    before !== undefined &&
    (before.kind === "operator" || (before.kind !== "string" && before.kind !== "name" && TRAILING.has(before.text)))
  );
}
