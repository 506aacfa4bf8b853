/** Text to syntax tree. All problems that were found come back at once; the tree is there also when the text has mistakes. */
import type { Problems } from "../problem.ts";
import type { Source } from "../source.ts";
import { Cursor, SyntaxFault } from "./cursor.ts";
import { jsonBody } from "./json.ts";
import { lex } from "./lexer.ts";
import type { Expression, FileNode, TupleNode } from "./node.ts";
import { parseExpression } from "./parse-expression.ts";
import { makeTuple, parseItems } from "./parse-items.ts";

/** How a JSON file is taken: the declarations of a cell, or plain data for whoever imports it. */
export type JsonUse = "declarations" | "data";

export const isJson = (path: string): boolean => path.endsWith(".json");

export function parseFile(source: Source, problems: Problems, use: JsonUse = "data"): FileNode {
  const dialect = isJson(source.path) ? "json" : "bcl";
  const { lexemes, comments } = lex(source, problems, dialect);
  const cursor = new Cursor(source, lexemes, problems);
  const body = dialect === "json" ? parseJson(cursor, use) : parseBody(cursor);
  return {
    source,
    body,
    imports: body.items.filter((item) => item.kind === "import"),
    tests: body.items.filter((item) => item.kind === "test"),
    comments,
    lexemes,
  };
}

function parseBody(cursor: Cursor): TupleNode {
  const items = guarded(() => parseItems(cursor, "file")) ?? [];
  return makeTuple(cursor, wholeFile(cursor), items);
}

function parseJson(cursor: Cursor, use: JsonUse): TupleNode {
  const root = parseAlone(cursor);
  if (root === undefined) return makeTuple(cursor, wholeFile(cursor), []);
  if (root.kind === "tuple") return use === "data" ? root : jsonBody(cursor, root);
  cursor.report(root.span, "Expected an object at the top of a JSON file", 'as in { "job": { "hello": { "command": ["node"] } } }');
  return makeTuple(cursor, wholeFile(cursor), []);
}

/** The parse, or nothing when a fault ended it. */
function guarded<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

const wholeFile = (cursor: Cursor) => ({ source: cursor.source, start: 0, end: cursor.source.text.length });

/** One expression and nothing behind it. */
function parseAlone(cursor: Cursor): Expression | undefined {
  return guarded(() => {
    const value = parseExpression(cursor);
    if (cursor.lexeme.kind !== "end") throw cursor.expected("nothing more");
    return value;
  });
}

/** What stands behind `--set`. */
export function parseValue(source: Source, problems: Problems): Expression | undefined {
  const { lexemes } = lex(source, problems);
  return parseAlone(new Cursor(source, lexemes, problems));
}
