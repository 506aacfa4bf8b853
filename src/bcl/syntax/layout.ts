/** Lexemes and comments as the formatter sees them: what stands together, and what stands between. */

import { isKeyword, isRole, type Lexeme } from "./lexeme.ts";
import type { FileNode } from "./node.ts";

export interface Unit {
  readonly kind: "word" | "name" | "string" | "number" | "open" | "close" | "operator" | "unary" | "symbol" | "comment";
  readonly text: string;
  /** First on its line, and whether a blank line stands before it. */
  readonly newline: boolean;
  readonly blank: boolean;
}

const OPERATORS: ReadonlySet<string> = new Set("|| && == != < <= > >= + - * / %".split(" "));

export const isOpener = (unit: Unit): boolean => unit.kind === "open";

export function unitsOf(file: FileNode): readonly Unit[] {
  const { text } = file.source;
  const units: Unit[] = [];
  let end = 0;
  let comment = 0;
  const push = (kind: Unit["kind"], start: number, stop: number, newline: boolean): void => {
    const gap = text.slice(end, start);
    const shown = text.slice(start, stop);
    units.push({ kind, text: kind === "comment" ? shown.trimEnd() : shown, newline, blank: /\n[ \t\r]*\n/.test(gap) });
    end = stop;
  };
  for (let i = 0; i < file.lexemes.length; i++) {
    const lexeme = file.lexemes[i]!;
    const from = units.length;
    while (comment < file.comments.length && file.comments[comment]!.start < lexeme.start) {
      const found = file.comments[comment++]!;
      push("comment", found.start, found.end, found.newline);
    }
    if (lexeme.kind === "end") break;
    const last = wholeOf(file.lexemes, i);
    // What follows a comment is on a new line, whatever the lexer saw before the comment.
    push(kindOf(lexeme, units), lexeme.start, file.lexemes[last]!.end, lexeme.newline || units.length > from);
    i = last;
  }
  return units;
}

/** The last lexeme of what is printed as it stands: a string with its holes, or a declared name with its hyphens. */
function wholeOf(lexemes: readonly Lexeme[], at: number): number {
  const lexeme = lexemes[at]!;
  if (lexeme.kind === "quote") {
    for (let i = at + 1, depth = 1; ; i++) {
      if (lexemes[i]!.kind === "quote") depth++;
      if (lexemes[i]!.kind === "quote-end" && --depth === 0) return i;
    }
  }
  const before = lexemes[at - 1];
  if (lexeme.kind !== "name" || before?.kind !== "name" || !isRole(before.text) || lexeme.newline) return at;
  let last = at;
  while (
    lexemes[last + 1]!.text === "-" &&
    lexemes[last + 1]!.start === lexemes[last]!.end &&
    lexemes[last + 2]!.start === lexemes[last + 1]!.end
  )
    last += 2;
  return last;
}

function kindOf(lexeme: Lexeme, before: readonly Unit[]): Unit["kind"] {
  if (lexeme.kind === "quote" || lexeme.kind === "raw") return "string";
  if (lexeme.kind === "number") return "number";
  if (lexeme.kind === "name") return isKeyword(lexeme.text) && lexeme.text !== "self" && lexeme.text !== "super" ? "word" : "name";
  if ("([{".includes(lexeme.text)) return "open";
  if (")]}".includes(lexeme.text)) return "close";
  if (lexeme.text === "!" || (lexeme.text === "-" && !endsValue(before.findLast((u) => u.kind !== "comment")))) return "unary";
  return OPERATORS.has(lexeme.text) ? "operator" : "symbol";
}

const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "null"]);

function endsValue(unit: Unit | undefined): boolean {
  if (unit === undefined) return false;
  return (
    unit.kind === "name" ||
    unit.kind === "string" ||
    unit.kind === "number" ||
    unit.kind === "close" ||
    (unit.kind === "word" && CONSTANTS.has(unit.text))
  );
}

/** What stands between a unit and the one before it on the same line. */
export function separator(units: readonly Unit[], at: number): string {
  const before = units[at - 1]!;
  const unit = units[at]!;
  if (unit.kind === "comment") return "  ";
  if (before.kind === "open") return before.text === "{" && unit.text !== "}" ? " " : "";
  if (unit.kind === "close") return unit.text === "}" ? " " : "";
  if (before.kind === "unary" || before.text === "." || unit.text === "." || unit.text === ",") return "";
  if (unit.kind === "open" && unit.text !== "{") return endsValue(before) && !isItemStart(units, at) ? "" : " ";
  if (unit.text === ":" && before.kind === "string" && isItemStart(units, at - 1)) return "";
  return " ";
}

/** Whether a unit begins a field: the first of a line or after a comma or brace. */
function isItemStart(units: readonly Unit[], at: number): boolean {
  const before = units[at - 1];
  return before === undefined || units[at]!.newline || before.text === "," || before.text === "{";
}
