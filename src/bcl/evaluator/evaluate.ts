/** Expression and scope to value. Bounded by the evaluator's bounds, and without effects: the order of evaluation cannot be seen. */
import { assert } from "../../base/assert.ts";
import type { Span } from "../source.ts";
import { didYouMean } from "../suggest.ts";
import type { Clause, Expression, TupleNode } from "../syntax/node.ts";
import { call } from "./call.ts";
import type { Evaluator } from "./evaluator.ts";
import { binary, unary } from "./operator.ts";
import { enclosing, lookup, type Scope, VariableScope } from "./scope.ts";
import { asText } from "./text.ts";
import { NodeThunk, type Thunk, ValueThunk } from "./thunk.ts";
import { stack, Tuple, writtenLayer } from "./tuple.ts";
import { booleanValue, describe, listValue, NULL, numberValue, textValue, typeText, type Value } from "./value.ts";

export function evaluate(evaluator: Evaluator, node: Expression, scope: Scope): Value {
  evaluator.enter(node.span);
  const value = step(evaluator, node, scope);
  evaluator.leave();
  return value;
}

function step(evaluator: Evaluator, node: Expression, scope: Scope): Value {
  switch (node.kind) {
    case "number":
      return { kind: "number", ...node.value };
    case "constant":
      return node.value === null ? NULL : booleanValue(node.value);
    case "text":
      return text(evaluator, node, scope);
    case "name":
      return found(lookup(scope, node.name, node.skip), node.name).force(evaluator);
    case "self":
      return found(enclosing(scope), "self").tuple;
    case "super":
      throw evaluator.fault(node.span, 'Cannot use "super" alone', "write super.field for the inherited value of a field");
    case "list":
      evaluator.chargeElements(node.items.length, node.span);
      return listValue(node.items.map((item) => new NodeThunk(item, scope)));
    case "list-for": {
      const items: Thunk[] = [];
      loop(evaluator, node.clauses, 0, scope, (inner) => items.push(new NodeThunk(node.item, inner)));
      return listValue(items);
    }
    case "tuple":
      return tuple(evaluator, node, scope, undefined);
    case "tuple-for":
      return tupleFor(evaluator, node, scope);
    case "select":
      return select(evaluator, node, scope);
    case "index":
      return index(evaluator, node, scope);
    case "call":
      return call(evaluator, node, scope);
    case "extend":
      return extend(evaluator, node, scope);
    case "lambda":
      return { kind: "function", node, scope };
    case "if":
      return evaluate(evaluator, condition(evaluator, node.test, scope, '"if"') ? node.then : node.else, scope);
    case "let":
      return letIn(evaluator, node, scope);
    case "unary":
      return unary(evaluator, node, evaluate(evaluator, node.of, scope));
    case "binary":
      return binary(evaluator, node, scope);
  }
}

/** Names were resolved before anything is evaluated: a missing one is our bug, not the user's. */
function found<T>(thing: T | undefined, name: string): T {
  assert(thing !== undefined, `Name "${name}" was not resolved`);
  return thing;
}

export function condition(evaluator: Evaluator, node: Expression, scope: Scope, where: string): boolean {
  const value = evaluate(evaluator, node, scope);
  if (value.kind === "boolean") return value.is;
  throw evaluator.fault(
    node.span,
    `Expected true or false for ${where}, found ${describe(value)}`,
    "compare it, as in x != null or length(x) > 0",
  );
}

function text(evaluator: Evaluator, node: Expression & { kind: "text" }, scope: Scope): Value {
  if (node.parts.length === 0) return textValue("");
  const first = node.parts[0]!;
  if (node.parts.length === 1 && typeof first === "string") return textValue(first);
  let whole = "";
  for (const part of node.parts) {
    whole += typeof part === "string" ? part : asText(evaluator, evaluate(evaluator, part, scope), part.span);
    if (whole.length > evaluator.bounds.text) break;
  }
  evaluator.chargeText(whole.length, node.span);
  return textValue(whole);
}

export function tuple(evaluator: Evaluator, node: TupleNode, scope: Scope, via: Span | undefined): Tuple {
  const computed = new Map(
    node.computed
      .filter((field) => field.role === undefined)
      .map((field) => [fieldName(evaluator, field.key as Expression, scope), field] as const),
  );
  evaluator.chargeElements(1 + node.fields.size + computed.size, node.span);
  return new Tuple([writtenLayer(node, scope, { computed, via })]);
}

export function fieldName(evaluator: Evaluator, node: Expression, scope: Scope): string {
  const value = evaluate(evaluator, node, scope);
  if (value.kind === "text" && value.text !== "") return value.text;
  if (value.kind === "number" && value.dimension === "number") return asText(evaluator, value, node.span);
  throw evaluator.fault(node.span, `Expected text for the name of a field, found ${describe(value)}`);
}

function tupleFor(evaluator: Evaluator, node: Expression & { kind: "tuple-for" }, scope: Scope): Value {
  const entries = new Map<string, Thunk>();
  loop(evaluator, node.clauses, 0, scope, (inner) => {
    const name = fieldName(evaluator, node.key, inner);
    if (entries.has(name)) throw evaluator.fault(node.key.span, `Name "${name.slice(0, 40)}" comes twice in the comprehension`);
    entries.set(name, new NodeThunk(node.value, inner));
  });
  return Tuple.of(entries);
}

/** Runs `body` for every way through the clauses of a comprehension. */
function loop(evaluator: Evaluator, clauses: readonly Clause[], at: number, scope: Scope, body: (scope: Scope) => void): void {
  const clause = clauses[at];
  if (clause === undefined) {
    evaluator.chargeElements(1, clauses[0]!.span);
    body(scope);
  } else if (clause.kind === "if") {
    if (condition(evaluator, clause.test, scope, 'the "if" of a comprehension')) loop(evaluator, clauses, at + 1, scope, body);
  } else {
    for (const inner of iterate(evaluator, clause, scope)) loop(evaluator, clauses, at + 1, inner, body);
  }
}

/** A scope for each element of a list (with its index), or field of a tuple (with its name). */
export function* iterate(evaluator: Evaluator, clause: Clause & { kind: "for" }, scope: Scope): Iterable<Scope> {
  const over = evaluate(evaluator, clause.of, scope);
  const [first, second] = clause.names.map((binding) => binding.name) as [string, string | undefined];
  if (over.kind === "list") {
    for (let i = 0; i < over.items.length; i++) {
      evaluator.charge(1, clause.span);
      const item = over.items[i]!;
      const names: [string, Thunk][] =
        second === undefined
          ? [[first, item]]
          : [
              [first, new ValueThunk(numberValue(i), clause.span)],
              [second, item],
            ];
      yield new VariableScope(scope, new Map(names));
    }
    return;
  }
  if (over.kind !== "tuple") throw evaluator.fault(clause.of.span, `Expected a list or a tuple after "in", found ${describe(over)}`);
  if (second === undefined)
    throw evaluator.fault(clause.span, "Expected two names to go through a tuple", `write: for name, ${first} in ...`);
  for (const name of over.keys) {
    evaluator.charge(1, clause.span);
    const key: Thunk = new ValueThunk(textValue(name), clause.span);
    yield new VariableScope(
      scope,
      new Map([
        [first, key],
        [second, found(over.cell(name), name)],
      ]),
    );
  }
}

function select(evaluator: Evaluator, node: Expression & { kind: "select" }, scope: Scope): Value {
  if (node.of.kind === "super") return inherited(evaluator, node.name, node.nameSpan, scope);
  const of = evaluate(evaluator, node.of, scope);
  if (of.kind !== "tuple") throw evaluator.fault(node.nameSpan, `Expected a tuple before ".${node.name}", found ${describe(of)}`);
  return field(evaluator, of, node.name, node.nameSpan);
}

function inherited(evaluator: Evaluator, name: string, span: Span, scope: Scope): Value {
  const around = found(enclosing(scope), "super");
  const cell = around.tuple.below(name, around.layer);
  if (cell !== undefined) return cell.force(evaluator);
  throw evaluator.fault(
    span,
    `Cannot find the inherited field "${name.slice(0, 40)}"`,
    "nothing below this tuple has it; is the tuple used without its base?",
  );
}

function field(evaluator: Evaluator, of: Tuple, name: string, span: Span): Value {
  const cell = of.cell(name);
  if (cell !== undefined) return cell.force(evaluator);
  const keys = of.keys;
  const suggestion = didYouMean(name, keys);
  const some = keys.slice(0, 8).join(", ") + (keys.length > 8 ? ", ..." : "");
  const hint = suggestion !== "" ? undefined : keys.length === 0 ? "the tuple has no fields" : `it has ${some}`;
  throw evaluator.fault(span, `Cannot find the field "${name.slice(0, 40)}"${suggestion}`, hint);
}

function index(evaluator: Evaluator, node: Expression & { kind: "index" }, scope: Scope): Value {
  const at = evaluate(evaluator, node.index, scope);
  if (node.of.kind === "super" && at.kind === "text") return inherited(evaluator, at.text, node.index.span, scope);
  const of = evaluate(evaluator, node.of, scope);
  if (of.kind === "tuple" && at.kind === "text") return field(evaluator, of, at.text, node.index.span);
  if (of.kind === "tuple")
    throw evaluator.fault(node.index.span, `Expected text between the brackets after a tuple, found ${describe(at)}`);
  if (of.kind !== "list") throw evaluator.fault(node.of.span, `Expected a list or a tuple before "[", found ${describe(of)}`);
  if (at.kind !== "number" || at.dimension !== "number" || !Number.isInteger(at.amount)) {
    throw evaluator.fault(node.index.span, `Expected a whole number between the brackets after a list, found ${describe(at)}`);
  }
  const item = of.items[at.amount];
  if (item !== undefined) return item.force(evaluator);
  const range = of.items.length === 0 ? "the list is empty" : `the list has elements 0 to ${of.items.length - 1}`;
  throw evaluator.fault(node.index.span, `Cannot find element ${at.amount}: ${range}`);
}

function extend(evaluator: Evaluator, node: Expression & { kind: "extend" }, scope: Scope): Value {
  const base = evaluate(evaluator, node.base, scope);
  if (base.kind !== "tuple") {
    const hint = base.kind === "function" ? "call the function first: f(...) { ... }" : undefined;
    throw evaluator.fault(node.base.span, `Expected a tuple before "{", found ${typeText(base)}`, hint);
  }
  return stack(evaluator, [base, tuple(evaluator, node.tuple, scope, node.span)], node.span);
}

function letIn(evaluator: Evaluator, node: Expression & { kind: "let" }, scope: Scope): Value {
  const names = new Map<string, Thunk>();
  const inner = new VariableScope(scope, names);
  names.set(node.name.name, new NodeThunk(node.value, inner, { what: "local", name: node.name.name, span: node.name.span }));
  return evaluate(evaluator, node.body, inner);
}
