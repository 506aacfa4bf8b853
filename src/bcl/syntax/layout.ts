/** Tokens and comments as the formatter sees them: what stands together, and what stands between. */
import type { FileNode } from "./node.ts";
import { isKeyword, isRole, type Token } from "./token.ts";

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
  for (let i = 0; i < file.tokens.length; i++) {
    const token = file.tokens[i]!;
    const from = units.length;
    while (comment < file.comments.length && file.comments[comment]!.start < token.start) {
      const found = file.comments[comment++]!;
      push("comment", found.start, found.end, found.newline);
    }
    if (token.kind === "end") break;
    const last = wholeOf(file.tokens, i);
    // What follows a comment is on a new line, whatever the lexer saw before the comment.
    push(kindOf(token, units), token.start, file.tokens[last]!.end, token.newline || units.length > from);
    i = last;
  }
  return units;
}

/** The last token of what is printed as it stands: a string with its holes, or a declared name with its hyphens. */
function wholeOf(tokens: readonly Token[], at: number): number {
  const token = tokens[at]!;
  if (token.kind === "quote") {
    for (let i = at + 1, depth = 1; ; i++) {
      if (tokens[i]!.kind === "quote") depth++;
      if (tokens[i]!.kind === "quote-end" && --depth === 0) return i;
    }
  }
  const before = tokens[at - 1];
  if (token.kind !== "name" || before?.kind !== "name" || !isRole(before.text) || token.newline) return at;
  let last = at;
  while (
    tokens[last + 1]!.text === "-" &&
    tokens[last + 1]!.start === tokens[last]!.end &&
    tokens[last + 2]!.start === tokens[last + 1]!.end
  )
    last += 2;
  return last;
}

function kindOf(token: Token, before: readonly Unit[]): Unit["kind"] {
  if (token.kind === "quote" || token.kind === "raw") return "string";
  if (token.kind === "number") return "number";
  if (token.kind === "name") return isKeyword(token.text) && token.text !== "self" && token.text !== "super" ? "word" : "name";
  if ("([{".includes(token.text)) return "open";
  if (")]}".includes(token.text)) return "close";
  if (token.text === "!" || (token.text === "-" && !endsValue(before.findLast((u) => u.kind !== "comment")))) return "unary";
  return OPERATORS.has(token.text) ? "operator" : "symbol";
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
