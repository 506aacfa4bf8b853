/** What stands at an offset: for hovering, completion and definitions. */

import type { Role } from "./lexeme.ts";
import type { Clause, Expression, FileNode, Import, Item, Name, TupleNode } from "./node.ts";

export interface Located {
  /** The declaration around, and the fields from it down to the place: `["health", "port"]`. */
  readonly role: Role | undefined;
  readonly keys: readonly string[];
  /** Whether the place is in the name of the last key. */
  readonly onKey: boolean;
  readonly name: Name | undefined;
  readonly select: (Expression & { readonly kind: "select" }) | undefined;
  readonly importPath: Import | undefined;
}

const holds = (span: { readonly start: number; readonly end: number }, offset: number): boolean =>
  span.start <= offset && offset <= span.end;

export function locate(file: FileNode, offset: number): Located {
  const locator = new Locator(offset);
  locator.items(file.body.items);
  return locator.found;
}

class Locator {
  found: Located = { role: undefined, keys: [], onKey: false, name: undefined, select: undefined, importPath: undefined };
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  items(items: readonly Item[]): void {
    for (const item of items) if (holds(item.span, this.#offset)) this.#item(item);
  }

  #item(item: Item): void {
    switch (item.kind) {
      case "import":
        if (holds(item.pathSpan, this.#offset)) this.found = { ...this.found, importPath: item };
        return;
      case "assert":
        this.#visit([item.test, ...(item.message === undefined ? [] : [item.message])]);
        return;
      case "test":
        this.items(item.body.items);
        return;
      case "loop":
        this.#visit([item.clause.of]);
        this.items(item.body.items);
        return;
      case "field": {
        const key = typeof item.key === "string" ? item.key : "";
        const keys = item.local ? [] : [...this.found.keys, key];
        this.found = item.role === undefined ? { ...this.found, keys } : { ...this.found, role: item.role, keys: [] };
        if (holds(item.keySpan, this.#offset)) this.found = { ...this.found, onKey: item.role === undefined };
        this.#visit([item.value, ...(typeof item.key === "string" ? [] : [item.key])]);
      }
    }
  }

  #visit(nodes: readonly Expression[]): void {
    for (const node of nodes) {
      if (!holds(node.span, this.#offset)) continue;
      if (node.kind === "name") this.found = { ...this.found, name: node };
      if (node.kind === "select" && holds(node.nameSpan, this.#offset)) this.found = { ...this.found, select: node };
      if (node.kind === "tuple") this.items(node.items);
      else this.#visit(partsOf(node));
    }
  }
}

const clauseParts = (clauses: readonly Clause[]): readonly Expression[] =>
  clauses.map((clause) => (clause.kind === "for" ? clause.of : clause.test));

/** The expressions directly inside one that is no tuple. */
function partsOf(node: Exclude<Expression, TupleNode>): readonly Expression[] {
  switch (node.kind) {
    case "text":
      return node.parts.filter((part) => typeof part !== "string");
    case "list":
      return node.items;
    case "list-for":
      return [node.item, ...clauseParts(node.clauses)];
    case "tuple-for":
      return [node.key, node.value, ...clauseParts(node.clauses)];
    case "select":
      return [node.of];
    case "index":
      return [node.of, node.index];
    case "call":
      return [node.of, ...node.arguments.map((argument) => argument.value)];
    case "extend":
      return [node.base, node.tuple];
    case "lambda":
      return [...node.parameters.flatMap((p) => (p.default === undefined ? [] : [p.default])), node.body];
    case "if":
      return [node.test, node.then, node.else];
    case "let":
      return [node.value, node.body];
    case "unary":
      return [node.of];
    case "binary":
      return [node.left, node.right];
    default:
      return [];
  }
}
