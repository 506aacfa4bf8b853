/** What stands between braces or makes up a file: fields, locals, asserts, imports, declarations, loops, tests. */
import { type Cursor, SyntaxFault } from "./cursor.ts";
import { isKeyword, isRole, type Lexeme, type Role } from "./lexeme.ts";
import {
  type Assert,
  bindingName,
  type Expression,
  type Field,
  type Import,
  type Item,
  type Loop,
  type Test,
  type TupleNode,
} from "./node.ts";
import { parseBinding, parseClauses, parseExpression, parseFor, parseText } from "./parse-expression.ts";

/** Where items stand decides which are allowed. */
export type Where = "file" | "tuple" | "test" | "loop";

export function parseBraces(cursor: Cursor): Expression & { readonly kind: "tuple" | "tuple-for" } {
  const parse = (): Expression & { readonly kind: "tuple" | "tuple-for" } => {
    const open = cursor.take();
    if (cursor.is("[")) {
      const comprehension = tryTupleFor(cursor, open);
      if (comprehension.kind === "tuple-for") return comprehension;
      return finishTuple(cursor, open, [comprehension], "tuple");
    }
    return finishTuple(cursor, open, [], "tuple");
  };
  return cursor.nested(() => cursor.withHead(false, parse));
}

/** `{ [key] = value for ... }`, or else the first field of an ordinary tuple. */
function tryTupleFor(cursor: Cursor, open: Lexeme): Field | (Expression & { readonly kind: "tuple-for" }) {
  const field = parseField(cursor, false);
  if (!cursor.isWord("for")) return field;
  const clauses = parseClauses(cursor);
  cursor.expect("}", "after the comprehension");
  return { kind: "tuple-for", span: cursor.spanFrom(open.start), key: field.key as Expression, value: field.value, clauses };
}

function finishTuple(cursor: Cursor, open: Lexeme, first: readonly Item[], where: Where): TupleNode {
  if (first.length > 0) separate(cursor, "}");
  const items = [...first, ...parseItems(cursor, where)];
  if (!cursor.is("}")) throw cursor.fault(cursor.spanOf(open), 'Cannot find the "}" that closes this brace');
  cursor.take();
  return makeTuple(cursor, cursor.spanFrom(open.start), items);
}

/** Until the closing brace or the end of the file. A syntax error costs one item, not the file. */
export function parseItems(cursor: Cursor, where: Where): Item[] {
  const items: Item[] = [];
  const { depth } = cursor;
  while (cursor.lexeme.kind !== "end" && !(cursor.is("}") && where !== "file")) {
    const before = cursor.lexeme.start;
    try {
      items.push(parseItem(cursor, where));
      separate(cursor, where === "file" ? "" : "}");
    } catch (error) {
      if (!(error instanceof SyntaxFault) || error.fatal) throw error;
      cursor.recover(depth);
      if (cursor.lexeme.start === before || (where === "file" && cursor.is("}"))) {
        cursor.take();
        cursor.recover(depth);
      }
    }
  }
  return items;
}

function separate(cursor: Cursor, closing: string): void {
  const comma = cursor.accept(",");
  if (comma || cursor.lexeme.newline || cursor.lexeme.kind === "end" || (closing !== "" && cursor.is(closing))) return;
  throw cursor.expected("a comma or a new line before the next field");
}

function parseItem(cursor: Cursor, where: Where): Item {
  const { lexeme, next } = cursor;
  const word = lexeme.kind === "name" ? lexeme.text : "";
  const named = !next.newline && (next.kind === "name" || next.kind === "quote");
  if (word === "local") return parseLocal(cursor);
  if (word === "assert") return parseAssert(cursor);
  if (word === "for") return parseLoop(cursor, where);
  if (word === "import" && named) return parseImport(cursor, where);
  if (word === "test" && named) return parseTest(cursor, where);
  if (isRole(word) && named) return parseDeclaration(cursor, word, where);
  if (cursor.is("[") && (where === "file" || where === "test"))
    throw cursor.expected("the name of a field", "names are computed only inside a tuple");
  const field = parseField(cursor, false);
  if (where === "file" && isRole(word) && !field.replace && DECLARABLE.has(field.value.kind))
    throw cursor.fault(field.keySpan, `Cannot declare ${article(word)} without a name`, `it is written ${word} NAME = { ... }`);
  return field;
}

/** What a declaration looks like; `quota = 5` is a field like any other. */
const DECLARABLE: ReadonlySet<string> = new Set(["tuple", "extend"]);

const article = (role: Role): string => `${role === "alloc_set" ? "an" : "a"} ${role.replace("_", " ")}`;

function parseLocal(cursor: Cursor): Field {
  const { start } = cursor.take();
  if (cursor.lexeme.kind !== "name") throw cursor.expected('a name after "local"');
  const field = parseField(cursor, true);
  return { ...field, span: cursor.spanFrom(start) };
}

function parseField(cursor: Cursor, local: boolean): Field {
  const { start } = cursor.lexeme;
  const key = parseKey(cursor);
  const keySpan = cursor.spanFrom(start);
  const replace = cursor.accept(":=");
  if (!replace && !cursor.accept("=") && !(typeof key === "string" && cursor.previous.kind === "quote-end" && cursor.accept(":"))) {
    throw cursor.expected(`"=" after ${typeof key === "string" ? `"${key.slice(0, 40)}"` : "the name"}`, assignmentHint(cursor));
  }
  const value = parseExpression(cursor);
  return { kind: "field", span: cursor.spanFrom(start), key, keySpan, local, replace, role: undefined, value };
}

function assignmentHint(cursor: Cursor): string | undefined {
  if (cursor.is(":")) return "fields are written name = value";
  if (cursor.is("{")) return "a nested tuple is written name = { ... }";
  return undefined;
}

function parseKey(cursor: Cursor): string | Expression {
  const { lexeme } = cursor;
  if (lexeme.kind === "quote") return plainText(cursor, "the name of a field", "use a computed name: [ ... ] = value");
  if (cursor.accept("[")) {
    const key = parseExpression(cursor);
    cursor.expect("]", "after the computed name");
    return key;
  }
  if (lexeme.kind !== "name") throw cursor.expected("the name of a field");
  if (isKeyword(lexeme.text))
    throw cursor.expected("the name of a field", `"${lexeme.text}" is a word of the language: put it into quotes to use it as a name`);
  cursor.take();
  return lexeme.text;
}

/** A text without holes. */
function plainText(cursor: Cursor, what: string, hint = "write it out"): string {
  const { lexeme } = cursor;
  if (lexeme.kind === "raw") return cursor.take().text;
  if (lexeme.kind !== "quote") throw cursor.expected(what);
  const text = parseText(cursor);
  if (text.parts.some((part) => typeof part !== "string")) {
    throw cursor.fault(text.span, `Cannot use a value inside ${what}`, hint);
  }
  return text.parts.join("");
}

function parseAssert(cursor: Cursor): Assert {
  const { start } = cursor.take();
  const test = parseExpression(cursor);
  const message = cursor.accept(":") ? parseExpression(cursor) : undefined;
  return { kind: "assert", span: cursor.spanFrom(start), test, message };
}

function parseImport(cursor: Cursor, where: Where): Import {
  const { start } = cursor.take();
  const from = cursor.lexeme.start;
  const path = plainText(cursor, "the path of the file in quotes");
  const pathSpan = cursor.spanFrom(from);
  cursor.expectWord("as", "and a name after the path");
  const as = parseBinding(cursor, 'after "as"');
  const span = cursor.spanFrom(start);
  if (where !== "file") throw cursor.fault(span, "Cannot import here", "imports stand at the top of a file");
  return { kind: "import", span, path, pathSpan, as };
}

function parseTest(cursor: Cursor, where: Where): Test {
  const { start } = cursor.take();
  const name = plainText(cursor, "the name of the test in quotes");
  if (!cursor.is("{")) throw cursor.expected('"{" after the name of the test');
  const open = cursor.take();
  const body = cursor.nested(() => finishTuple(cursor, open, [], "test"));
  const span = cursor.spanFrom(start);
  if (where !== "file") throw cursor.fault(span, "Cannot have a test here", "tests stand at the top level of a file");
  return { kind: "test", span, name, body };
}

function parseLoop(cursor: Cursor, where: Where): Loop {
  const { start } = cursor.lexeme;
  const clause = parseFor(cursor, true);
  if (!cursor.is("{")) throw cursor.expected('"{" and declarations after "for ... in ..."');
  const open = cursor.take();
  const body = cursor.nested(() => finishTuple(cursor, open, [], "loop"));
  const span = cursor.spanFrom(start);
  if (where === "test") throw cursor.fault(span, "Cannot loop in a test", "write assert all([ ... for x in xs ])");
  return { kind: "loop", span, clause, body };
}

/** `job hello-web = ...`: the name may have hyphens, which the language's own names have not. */
function parseDeclaration(cursor: Cursor, role: Role, where: Where): Field {
  const { start } = cursor.take();
  const from = cursor.lexeme.start;
  const key = cursor.lexeme.kind === "quote" ? declarationText(cursor) : bindingName(parseHyphened(cursor));
  const keySpan = cursor.spanFrom(from);
  if (!cursor.accept("="))
    throw cursor.expected(`"=" after the name of the ${role.replace("_", " ")}`, `it is written ${role} NAME = { ... }`);
  const value = parseExpression(cursor);
  const span = cursor.spanFrom(start);
  if (where === "test") throw cursor.fault(span, `Cannot declare a ${role} in a test`, "tests look at what the file declares");
  return { kind: "field", span, key, keySpan, local: false, replace: false, role, value };
}

function declarationText(cursor: Cursor): string | Expression {
  const text = parseText(cursor);
  return text.parts.every((part) => typeof part === "string") ? bindingName(text.parts.join("")) : text;
}

/** Names and numbers joined by hyphens without blanks: `web-2-canary`. */
function parseHyphened(cursor: Cursor): string {
  let name = cursor.take().text;
  while (cursor.is("-") && cursor.lexeme.start === cursor.previous.end && cursor.next.start === cursor.lexeme.end) {
    if (cursor.next.kind !== "name" && cursor.next.kind !== "number") break;
    cursor.take();
    name += `-${cursor.take().text}`;
  }
  return name;
}

export function makeTuple(cursor: Pick<Cursor, "report">, span: TupleNode["span"], items: readonly Item[]): TupleNode {
  const fields = new Map<string, Field>();
  const locals = new Map<string, Field | Import>();
  for (const item of items) {
    if (item.kind === "import") addOnce(cursor, locals, fields, item.as.name, item, item.as.span);
    else if (item.kind === "field" && typeof item.key === "string") {
      addOnce(cursor, item.local ? locals : fields, item.local ? fields : locals, item.key, item, item.keySpan);
    }
  }
  return {
    kind: "tuple",
    span,
    items,
    fields,
    locals,
    computed: items.filter((item) => item.kind === "field" && typeof item.key !== "string") as Field[],
    asserts: items.filter((item) => item.kind === "assert"),
    loops: items.filter((item) => item.kind === "loop"),
  };
}

function addOnce<T>(
  cursor: Pick<Cursor, "report">,
  into: Map<string, T>,
  other: ReadonlyMap<string, unknown>,
  name: string,
  item: T,
  span: Field["span"],
): void {
  if (into.has(name) || other.has(name)) {
    cursor.report(span, `Name "${name.slice(0, 40)}" is written twice here`, "remove or rename one");
  }
  into.set(name, item);
}
