/**
 * What every bare name means. Scoping is lexical: a name is a parameter, a variable, or a field that an enclosing tuple *writes down*.
 * Inherited fields are reached through `self` and `super`, so that a base may gain a field without changing what its users mean.
 * Inside its own value, a name means the one outside, if a file has one there (`count = count` hands an outer count on), and else
 * itself, so that functions can call themselves. All unknown names of a file are found here, also in parts that are never evaluated.
 */
import { type Problems, problemAt } from "../problem.ts";
import type { Span } from "../source.ts";
import { didYouMean } from "../suggest.ts";
import type { Clause, Expression, FileNode, Name, TupleNode } from "./node.ts";

export interface Definition {
  readonly name: string;
  readonly span: Span;
  readonly kind: "field" | "local" | "import" | "parameter" | "variable";
}

export interface Resolution {
  /** Undefined for a name of the standard library. */
  readonly definitions: ReadonlyMap<Name, Definition | undefined>;
}

interface Scope {
  readonly names: ReadonlyMap<string, Definition>;
  readonly parent: Scope | undefined;
  /** The name whose value is being looked at. */
  readonly own: string | undefined;
  /** The body of an extension: a name that is missing may be one of the base's. */
  readonly extends: boolean;
}

export function resolve(file: FileNode, globals: ReadonlySet<string>, problems: Problems): Resolution {
  const resolver = new Resolver(globals, problems);
  resolver.tuple(file.body, undefined);
  return { definitions: resolver.definitions };
}

/** The names that can be used at an offset, innermost first: for completion. */
export function visibleAt(file: FileNode, offset: number): readonly Definition[] {
  const found: Definition[] = [];
  const resolver = new Resolver(new Set(), undefined, (span, scope) => {
    if (span.start > offset || offset > span.end) return;
    found.length = 0;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) found.push(...at.names.values());
  });
  resolver.tuple(file.body, undefined);
  return found;
}

const scopeOf = (parent: Scope | undefined, names: readonly Definition[]): Scope => ({
  names: new Map(names.map((d) => [d.name, d])),
  parent,
  own: undefined,
  extends: false,
});

class Resolver {
  readonly definitions = new Map<Name, Definition | undefined>();
  readonly #globals: ReadonlySet<string>;
  readonly #problems: Problems | undefined;
  readonly #visit: ((span: Span, scope: Scope) => void) | undefined;

  constructor(globals: ReadonlySet<string>, problems: Problems | undefined, visit?: (span: Span, scope: Scope) => void) {
    this.#globals = globals;
    this.#problems = problems;
    this.#visit = visit;
  }

  tuple(node: TupleNode, outer: Scope | undefined, isExtension = false): void {
    const names: Definition[] = [];
    for (const [name, field] of node.fields) names.push({ name, span: field.keySpan, kind: "field" });
    for (const [name, item] of node.locals) {
      if (item.kind === "import") names.push({ name, span: item.as.span, kind: "import" });
      else names.push({ name, span: item.keySpan, kind: "local" });
    }
    const scope = { ...scopeOf(outer, names), extends: isExtension };
    this.#visit?.(node.span, scope);
    for (const item of node.items) {
      if (item.kind === "field") {
        if (typeof item.key !== "string") this.#expression(item.key, item.role === undefined ? outer : scope);
        this.#expression(item.value, typeof item.key === "string" ? { ...scope, own: item.key } : scope);
      } else if (item.kind === "assert") {
        this.#expression(item.test, scope);
        if (item.message !== undefined) this.#expression(item.message, scope);
      } else if (item.kind === "loop") this.tuple(item.body, this.#clauses([item.clause], scope));
      else if (item.kind === "test") this.tuple(item.body, scopeOf(scope, [{ name: "jobs", span: item.span, kind: "variable" }]));
    }
  }

  #clauses(clauses: readonly Clause[], outer: Scope | undefined): Scope | undefined {
    let scope = outer;
    for (const clause of clauses) {
      this.#expression(clause.kind === "for" ? clause.of : clause.test, scope);
      if (clause.kind === "for")
        scope = scopeOf(
          scope,
          clause.names.map((b) => ({ name: b.name, span: b.span, kind: "variable" as const })),
        );
    }
    return scope;
  }

  #expression(node: Expression, scope: Scope | undefined): void {
    switch (node.kind) {
      case "name":
        this.#name(node, scope);
        return;
      case "self":
      case "super":
        if (node.kind === "super")
          this.#problems?.add(problemAt(node.span, 'Cannot use "super" alone', "write super.field for the inherited value of a field"));
        return;
      case "text":
        for (const part of node.parts)
          if (typeof part !== "string") part.kind === "name" ? this.#name(part, scope, true) : this.#expression(part, scope);
        return;
      case "tuple":
        this.tuple(node, scope);
        return;
      case "extend":
        this.#expression(node.base, scope);
        this.tuple(node.tuple, scope, true);
        return;
      case "list-for": {
        const inner = this.#clauses(node.clauses, scope);
        this.#expression(node.item, inner);
        return;
      }
      case "tuple-for": {
        const inner = this.#clauses(node.clauses, scope);
        this.#expression(node.key, inner);
        this.#expression(node.value, inner);
        return;
      }
      case "lambda": {
        const inner = scopeOf(
          scope,
          node.parameters.map((p) => ({ name: p.name, span: p.span, kind: "parameter" as const })),
        );
        this.#visit?.(node.span, inner);
        for (const parameter of node.parameters) if (parameter.default !== undefined) this.#expression(parameter.default, inner);
        this.#expression(node.body, inner);
        return;
      }
      case "let": {
        const inner = scopeOf(scope, [{ name: node.name.name, span: node.name.span, kind: "variable" }]);
        this.#visit?.(node.span, inner);
        this.#expression(node.value, { ...inner, own: node.name.name });
        this.#expression(node.body, inner);
        return;
      }
      default:
        for (const child of childrenOf(node)) this.#expression(child, scope);
    }
  }

  #name(node: Name, scope: Scope | undefined, inText = false): void {
    let itself: Definition | undefined;
    let passed = 0;
    for (let at = scope; at !== undefined; at = at.parent) {
      const definition = at.names.get(node.name);
      if (definition === undefined) continue;
      if (at.own !== node.name) {
        node.skip = passed;
        this.definitions.set(node, definition);
        return;
      }
      itself ??= definition;
      passed++;
    }
    if (itself !== undefined) {
      this.definitions.set(node, itself);
      return;
    }
    this.definitions.set(node, undefined);
    if (this.#globals.has(node.name) || this.#problems === undefined) return;
    const words = [...this.#globals];
    let isExtending = false;
    for (let at = scope; at !== undefined; at = at.parent) {
      words.push(...at.names.keys());
      isExtending ||= at.extends;
    }
    const isVariable = inText && ENVIRONMENT.test(node.name);
    const suggestion = isVariable ? "" : didYouMean(node.name, words);
    const inherited = `an inherited field is reached as self.${node.name.slice(0, 40)}`;
    const hint = isVariable ? variableHint(node.name) : isExtending ? inherited : suggestion === "" ? "text stands in quotes" : undefined;
    this.#problems.add(problemAt(node.span, `Cannot find "${node.name.slice(0, 64)}"${suggestion}`, hint));
  }
}

/** How variables of an environment are written everywhere. */
const ENVIRONMENT = /^[A-Z][A-Z0-9_]*$/;

/** The file is worked out before anything runs: what the task will have in its environment is not known to it. */
const variableHint = (name: string): string =>
  `\${...} holds values of this file; a variable of the task is written \\\${${name.slice(0, 40)}}, or stands in """raw text""", and a shell has to read it: command = ["/bin/sh", "-c", "..."]`;

type Plain = Exclude<
  Expression,
  { kind: "name" | "text" | "self" | "super" | "tuple" | "extend" | "list-for" | "tuple-for" | "lambda" | "let" }
>;

/** The parts of a node that open no scope; `super` before a dot or a bracket is in its place. */
function childrenOf(node: Plain): readonly Expression[] {
  switch (node.kind) {
    case "number":
    case "constant":
      return [];
    case "list":
      return node.items;
    case "select":
      return node.of.kind === "super" ? [] : [node.of];
    case "index":
      return node.of.kind === "super" ? [node.index] : [node.of, node.index];
    case "call":
      return [node.of, ...node.arguments.map((argument) => argument.value)];
    case "if":
      return [node.test, node.then, node.else];
    case "unary":
      return [node.of];
    case "binary":
      return [node.left, node.right];
  }
}
