/** Expressions: precedence climbing for operators, then what may follow a value (selection, index, call, extension). */
import { readQuantity } from "../quantity.ts";
import { joinSpans } from "../source.ts";
import type { Cursor } from "./cursor.ts";
import { isKeyword } from "./lexeme.ts";
import type { Argument, Binding, Clause, Expression, LambdaNode, Operator, Parameter } from "./node.ts";
import { parseBraces } from "./parse-items.ts";

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]].flatMap((row, level) =>
    row.map((symbol) => [symbol, level] as const),
  ),
);

export function parseExpression(cursor: Cursor): Expression {
  return cursor.nested(() => {
    if (cursor.isWord("if")) return parseIf(cursor);
    if (cursor.isWord("let")) return parseLet(cursor);
    return isLambda(cursor) ? parseLambda(cursor) : parseBinary(cursor, 0);
  });
}

function parseIf(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const test = parseExpression(cursor);
  cursor.expectWord("then", 'after the condition of "if"');
  const then = parseExpression(cursor);
  if (!cursor.isWord("else")) throw cursor.expected('"else"', 'every "if" has a value for both cases; null stands for "not set"');
  cursor.take();
  const otherwise = parseExpression(cursor);
  return { kind: "if", span: cursor.spanFrom(start), test, then, else: otherwise };
}

function parseLet(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const name = parseBinding(cursor, 'after "let"');
  cursor.expect("=", 'after the name in "let"');
  const value = parseExpression(cursor);
  cursor.expectWord("in", 'after the value of "let"');
  const body = parseExpression(cursor);
  return { kind: "let", span: cursor.spanFrom(start), name, value, body };
}

export function parseBinding(cursor: Cursor, where: string): Binding {
  const { lexeme } = cursor;
  if (lexeme.kind !== "name") throw cursor.expected(`a name ${where}`);
  if (isKeyword(lexeme.text)) throw cursor.expected(`a name ${where}`, `"${lexeme.text}" is a word of the language`);
  cursor.take();
  return { name: lexeme.text, span: cursor.spanOf(lexeme) };
}

/** No list of parameters is longer; beyond, a bracket is taken for a bracket. */
const LOOK_AHEAD_MAX = 2000;

/** `x => ...` or `( ... ) => ...`: looks ahead over the bracket, without recursion. */
function isLambda(cursor: Cursor): boolean {
  if (cursor.lexeme.kind === "name") return cursor.next.text === "=>" && cursor.next.kind === "symbol";
  if (!cursor.is("(")) return false;
  // Only what can stand among parameters is looked over: `(a, b = [1])`; the first `)` at depth 0 decides.
  for (let ahead = 1, open = 0; ; ahead++) {
    const lexeme = cursor.peek(ahead);
    if (lexeme.kind === "end" || ahead > LOOK_AHEAD_MAX) return false;
    if (ahead === 1 && lexeme.kind !== "name" && lexeme.text !== ")") return false;
    if (ahead === 2 && ![",", "=", ")"].includes(lexeme.text) && cursor.peek(1).text !== ")") return false;
    if (lexeme.kind !== "symbol") continue;
    if ("([{".includes(lexeme.text)) open++;
    else if (")]}".includes(lexeme.text)) {
      if (open === 0) return cursor.peek(ahead + 1).text === "=>";
      open--;
    }
  }
}

function parseLambda(cursor: Cursor): LambdaNode {
  const { start } = cursor.lexeme;
  const parameters = cursor.is("(") ? parseParameters(cursor) : [{ ...parseBinding(cursor, "for the parameter"), default: undefined }];
  cursor.expect("=>", "after the parameters");
  const body = parseExpression(cursor);
  return { kind: "lambda", span: cursor.spanFrom(start), parameters, body };
}

function parseParameters(cursor: Cursor): Parameter[] {
  const parameters: Parameter[] = [];
  cursor.take();
  while (!cursor.is(")")) {
    const binding = parseBinding(cursor, "for the parameter");
    if (parameters.some((p) => p.name === binding.name)) cursor.report(binding.span, `Parameter "${binding.name}" is written twice`);
    const fallback = cursor.accept("=") ? parseExpression(cursor) : undefined;
    if (fallback === undefined && parameters.some((p) => p.default !== undefined)) {
      cursor.report(binding.span, `Parameter "${binding.name}" needs a default, because one before it has one`);
    }
    parameters.push({ ...binding, default: fallback });
    if (!cursor.accept(",")) break;
  }
  cursor.expect(")", "after the parameters");
  return parameters;
}

function parseBinary(cursor: Cursor, level: number): Expression {
  let left = parseUnary(cursor);
  let levels = 0;
  for (;;) {
    const { lexeme } = cursor;
    const precedence = lexeme.kind === "symbol" ? PRECEDENCE.get(lexeme.text) : undefined;
    if (precedence === undefined || precedence < level) break;
    cursor.take();
    cursor.deepen(1);
    levels++;
    const right = parseBinary(cursor, precedence + 1);
    left = {
      kind: "binary",
      span: joinSpans(left.span, right.span),
      operator: lexeme.text as Operator,
      at: cursor.spanOf(lexeme),
      left,
      right,
    };
  }
  cursor.shallow(levels);
  return left;
}

function parseUnary(cursor: Cursor): Expression {
  if (!cursor.is("-") && !cursor.is("!")) return parsePostfix(cursor);
  const { start, text } = cursor.take();
  const of = cursor.nested(() => parseUnary(cursor));
  return { kind: "unary", span: cursor.spanFrom(start), operator: text as "-" | "!", of };
}

/** What follows a value must begin on its line: on the next line, `{`, `(` and `[` begin something new. */
function parsePostfix(cursor: Cursor): Expression {
  let value = parsePrimary(cursor);
  let levels = 0;
  for (; ; levels++) {
    const { lexeme } = cursor;
    if (lexeme.kind !== "symbol" || (lexeme.newline && lexeme.text !== ".")) break;
    const more = parseSuffix(cursor, value);
    if (more === undefined) break;
    cursor.deepen(1);
    value = more;
  }
  cursor.shallow(levels);
  return value;
}

function parseSuffix(cursor: Cursor, of: Expression): Expression | undefined {
  const { start } = of.span;
  if (cursor.accept(".")) {
    const { lexeme } = cursor;
    if (lexeme.kind !== "name") throw cursor.expected('the name of a field after "."', 'other names are reached as tuple["name"]');
    cursor.take();
    return { kind: "select", span: cursor.spanFrom(start), of, name: lexeme.text, nameSpan: cursor.spanOf(lexeme) };
  }
  if (cursor.accept("[")) {
    const index = cursor.withHead(false, () => parseExpression(cursor));
    cursor.expect("]", "after the index");
    return { kind: "index", span: cursor.spanFrom(start), of, index };
  }
  if (cursor.accept("("))
    return { kind: "call", of, arguments: cursor.withHead(false, () => parseArguments(cursor)), span: cursor.spanFrom(start) };
  if (!cursor.is("{") || cursor.isHead) return undefined;
  const tuple = parseBraces(cursor);
  if (tuple.kind !== "tuple")
    throw cursor.fault(tuple.span, "Cannot extend with a comprehension", "write base + { [key] = value for ... }");
  return { kind: "extend", span: cursor.spanFrom(start), base: of, tuple };
}

function parseArguments(cursor: Cursor): Argument[] {
  const found: Argument[] = [];
  while (!cursor.is(")")) {
    const named = cursor.lexeme.kind === "name" && cursor.next.kind === "symbol" && cursor.next.text === "=";
    const name = named ? parseBinding(cursor, "for the argument") : undefined;
    if (named) cursor.take();
    if (!named && found.some((a) => a.name !== undefined))
      cursor.report(cursor.spanOf(cursor.lexeme), "Expected a named argument: they stand after the others");
    found.push({ name, value: parseExpression(cursor) });
    if (!cursor.accept(",")) break;
  }
  cursor.expect(")", "after the arguments");
  return found;
}

function parsePrimary(cursor: Cursor): Expression {
  const { lexeme } = cursor;
  switch (lexeme.kind) {
    case "number": {
      const reading = readQuantity(lexeme.text);
      cursor.take();
      return { kind: "number", span: cursor.spanOf(lexeme), value: reading.ok ? reading.value : { amount: 0, dimension: "number" } };
    }
    case "raw":
      cursor.take();
      return { kind: "text", span: cursor.spanOf(lexeme), parts: [lexeme.text] };
    case "quote":
      return parseText(cursor);
    case "name":
      return parseWord(cursor);
    case "symbol":
      if (lexeme.text === "(") return parseParenthesis(cursor);
      if (lexeme.text === "[") return cursor.withHead(false, () => parseList(cursor));
      if (lexeme.text === "{") return parseBraces(cursor);
      throw cursor.expected("a value");
    default:
      throw cursor.expected("a value");
  }
}

const CONSTANTS: ReadonlyMap<string, true | false | null> = new Map<string, true | false | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function parseWord(cursor: Cursor): Expression {
  const { lexeme } = cursor;
  const span = cursor.spanOf(lexeme);
  const constant = CONSTANTS.get(lexeme.text);
  if (constant === undefined && lexeme.text !== "self" && lexeme.text !== "super" && isKeyword(lexeme.text)) {
    if (lexeme.text === "if" || lexeme.text === "let") throw cursor.expected("a value", `put brackets around it: (${lexeme.text} ...)`);
    throw cursor.expected("a value", `"${lexeme.text}" is a word of the language`);
  }
  cursor.take();
  if (constant !== undefined) return { kind: "constant", span, value: constant };
  if (lexeme.text === "self") return { kind: "self", span };
  if (lexeme.text === "super") return { kind: "super", span };
  return { kind: "name", span, name: lexeme.text, skip: 0 };
}

export function parseText(cursor: Cursor): Expression & { readonly kind: "text" } {
  const { start } = cursor.take();
  const parts: (string | Expression)[] = [];
  for (;;) {
    const lexeme = cursor.take();
    if (lexeme.kind === "piece") parts.push(lexeme.text);
    else if (lexeme.kind === "hole") {
      parts.push(cursor.withHead(false, () => parseExpression(cursor)));
      if (cursor.lexeme.kind !== "hole-end") throw cursor.expected('"}" after the value in the text');
      cursor.take();
    } else return { kind: "text", span: cursor.spanFrom(start), parts };
  }
}

function parseParenthesis(cursor: Cursor): Expression {
  cursor.take();
  const inner = cursor.withHead(false, () => parseExpression(cursor));
  cursor.expect(")", "to close the bracket");
  return inner;
}

function parseList(cursor: Cursor): Expression {
  const { start } = cursor.take();
  const items: Expression[] = [];
  while (!cursor.is("]")) {
    items.push(parseExpression(cursor));
    if (items.length === 1 && cursor.isWord("for")) return finishListFor(cursor, start, items[0]!);
    if (!cursor.accept(",")) break;
  }
  if (!cursor.is("]")) throw cursor.expected('"," or "]" in the list');
  cursor.take();
  return { kind: "list", span: cursor.spanFrom(start), items };
}

function finishListFor(cursor: Cursor, start: number, item: Expression): Expression {
  const clauses = parseClauses(cursor);
  cursor.expect("]", "after the comprehension");
  return { kind: "list-for", span: cursor.spanFrom(start), item, clauses };
}

/** `for` and `if` parts of a comprehension; the first is a `for`. */
export function parseClauses(cursor: Cursor): Clause[] {
  const clauses: Clause[] = [];
  while (cursor.isWord("for") || cursor.isWord("if")) {
    cursor.deepen(1);
    clauses.push(cursor.isWord("for") ? parseFor(cursor) : parseCondition(cursor));
  }
  cursor.shallow(clauses.length);
  return clauses;
}

function parseCondition(cursor: Cursor): Clause {
  const { start } = cursor.take();
  const test = parseExpression(cursor);
  return { kind: "if", span: cursor.spanFrom(start), test };
}

export function parseFor(cursor: Cursor, head = false): Clause & { readonly kind: "for" } {
  const { start } = cursor.take();
  const names = [parseBinding(cursor, 'after "for"')];
  if (cursor.accept(",")) names.push(parseBinding(cursor, "for the element"));
  cursor.expectWord("in", 'after the name in "for"');
  const of = head ? cursor.withHead(true, () => parseExpression(cursor)) : parseExpression(cursor);
  return { kind: "for", span: cursor.spanFrom(start), names, of };
}
