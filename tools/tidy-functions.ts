/** Finds the functions of a file and how many lines each has, by matching brackets. Arrows without braces do not count. */
import type { Source, Token } from "./tidy-tokens.ts";

export interface FoundFunction {
  /** Where it starts: the word `function`, a method's name, an arrow's parameters. */
  readonly start: Token;
  readonly name: string | undefined;
  readonly lines: number;
}

const CONDITIONS: ReadonlySet<string> = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);
/** A return type holds none of these; a statement after `case f(x):` begins with one. */
const STATEMENTS: ReadonlySet<string> = new Set(
  "return if for while switch throw const let var break continue try do yield await new function class".split(" "),
);

export function functionsOf(source: Source): readonly FoundFunction[] {
  const found: FoundFunction[] = [];
  source.tokens.forEach((token, index) => {
    if (token.kind !== "punct") return;
    if (token.text === "(") {
      const one = afterParameters(source, index);
      if (one !== undefined) found.push(one);
    } else if (token.text === "=>" && source.tokens[index - 1]?.kind === "name" && source.tokens[index + 1]?.text === "{") {
      // `x => {`; where the name is the end of a return type, the parameters were found above and say the same.
      const start = source.tokens[index - 1]!;
      if (isBareParameter(source, index - 1)) found.push(measure(source, start, assignedTo(source, index - 1), index + 1));
    }
  });
  return found;
}

function afterParameters(source: Source, open: number): FoundFunction | undefined {
  const close = source.partner[open]!;
  if (close === -1) return undefined;
  const after = afterReturnType(source, close + 1);
  const text = source.tokens[after]?.text;
  if (text === "=>") {
    if (source.tokens[after + 1]?.text !== "{") return undefined;
    return measure(source, source.tokens[open]!, assignedTo(source, open), after + 1);
  }
  if (text !== "{") return undefined;
  const name = nameBefore(source, open);
  if (name === undefined) return undefined;
  return measure(source, source.tokens[name.start]!, name.name, after);
}

/** The index behind `: Type`, or `index` itself when no type stands there; -1 when it is no return type after all. */
function afterReturnType(source: Source, index: number): number {
  const { tokens, partner } = source;
  if (tokens[index]?.text !== ":") return index;
  let angles = 0;
  for (let at = index + 1; at < tokens.length; at++) {
    const { text, kind } = tokens[at]!;
    if (text === "=>") return at;
    if (text === "{" && angles === 0 && endsType(tokens[at - 1]!)) return at;
    if (text === "{" || text === "(" || text === "[") {
      if (partner[at] === -1) return -1;
      at = partner[at]!;
      // `(a: A) => B` inside the type; before a brace the arrow is the function's own.
      if (text === "(" && tokens[at + 1]?.text === "=>" && tokens[at + 2]?.text !== "{") at++;
    } else if (text === "<") angles++;
    else if (text === ">") angles--;
    else if (kind === "name" && STATEMENTS.has(text)) return -1;
    else if ([";", "}", ")", "]", "="].includes(text) || (text === "," && angles === 0)) return -1;
  }
  return -1;
}

function endsType(token: Token): boolean {
  if (token.kind === "name" || token.kind === "string" || token.kind === "template" || token.kind === "number") return true;
  return [">", "]", "}", ")"].includes(token.text);
}

/** The name in front of a parameter list, behind optional type parameters; undefined when it is no function. */
function nameBefore(source: Source, open: number): { start: number; name: string | undefined } | undefined {
  let at = open - 1;
  if (source.tokens[at]?.text === ">") at = beforeTypeParameters(source, at);
  const token = source.tokens[at];
  if (token === undefined) return undefined;
  if (token.text === "function" || (token.text === "*" && source.tokens[at - 1]?.text === "function")) {
    return { start: token.text === "*" ? at - 1 : at, name: assignedTo(source, at) };
  }
  if (token.kind !== "name" && token.kind !== "string" && token.text !== "]") return undefined;
  if (CONDITIONS.has(token.text) && source.tokens[at - 1]?.text !== ".") {
    const before = source.tokens[at - 1];
    if (before?.text !== "function") return undefined;
  }
  if (source.tokens[at - 1]?.text === "extends") return undefined;
  const name = token.text === "]" ? undefined : token.text;
  const star = source.tokens[at - 1]?.text === "*" ? at - 2 : at - 1;
  return { start: source.tokens[star]?.text === "function" ? star : at, name };
}

function beforeTypeParameters(source: Source, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    const { text } = source.tokens[at]!;
    if (text === ">") depth++;
    else if (text === "<" && --depth === 0) return at - 1;
  }
  return -1;
}

function isBareParameter(source: Source, index: number): boolean {
  const before = source.tokens[index - 1]?.text;
  return before !== undefined && ["=", "(", ",", "=>", "return", "async", "?", "{", "["].includes(before);
}

/** The name that an anonymous function is given: `const name = (`, `name: (`, `name = async (`. */
function assignedTo(source: Source, index: number): string | undefined {
  let at = index - 1;
  if (source.tokens[at]?.text === "async") at--;
  if (source.tokens[at]?.text !== "=" && source.tokens[at]?.text !== ":") return undefined;
  const name = source.tokens[at - 1];
  return name?.kind === "name" ? name.text : undefined;
}

function measure(source: Source, start: Token, name: string | undefined, open: number): FoundFunction {
  const close = source.partner[open]!;
  const end = close === -1 ? start.at : source.tokens[close]!.at;
  return { start, name, lines: source.text.slice(start.at, end).split("\n").length };
}
