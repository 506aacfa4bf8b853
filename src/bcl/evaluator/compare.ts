/** Equality and order. Comparing what can never be equal is a mistake worth telling, except with null. */
import { compareIds } from "../../base/id.ts";
import type { Span } from "../source.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Tuple } from "./tuple.ts";
import { describe, isFunction, type ListValue, type Value } from "./value.ts";

export function equal(evaluator: Evaluator, left: Value, right: Value, span: Span): boolean {
  evaluator.enter(span);
  // A comparison of elements goes through a callback: it weighs twice on the host's stack.
  evaluator.deepen(span);
  const result = same(evaluator, left, right, span);
  evaluator.leave();
  evaluator.leave();
  return result;
}

function same(evaluator: Evaluator, left: Value, right: Value, span: Span): boolean {
  if (left.kind === "null" || right.kind === "null") return left.kind === right.kind;
  if (left.kind === "text" && right.kind === "text") {
    evaluator.chargeLook(Math.min(left.text.length, right.text.length), span);
    return left.text === right.text;
  }
  if (left.kind === "boolean" && right.kind === "boolean") return left.is === right.is;
  if (left.kind === "number" && right.kind === "number" && left.dimension === right.dimension) return left.amount === right.amount;
  if (left.kind === "list" && right.kind === "list") return sameLists(evaluator, left, right, span);
  if (left.kind === "tuple" && right.kind === "tuple") return sameTuples(evaluator, left, right, span);
  const both = isFunction(left) && isFunction(right);
  throw evaluator.fault(
    span,
    `Cannot compare ${describe(left)} with ${describe(right)}`,
    both ? "functions cannot be compared" : unitHint(left, right),
  );
}

function unitHint(left: Value, right: Value): string | undefined {
  if (left.kind !== "number" || right.kind !== "number") return undefined;
  const unit = left.dimension === "bytes" || right.dimension === "bytes" ? "64Mi" : "30s";
  return `give both the same kind of unit, as in ${unit}`;
}

function sameLists(evaluator: Evaluator, left: ListValue, right: ListValue, span: Span): boolean {
  if (left.items.length !== right.items.length) return false;
  return left.items.every((item, i) => equal(evaluator, item.force(evaluator), right.items[i]!.force(evaluator), span));
}

function sameTuples(evaluator: Evaluator, left: Tuple, right: Tuple, span: Span): boolean {
  if (left === right) return true;
  const keys = left.keys;
  if (keys.length !== right.keys.length || !keys.every((name) => right.has(name))) return false;
  return keys.every((name) => equal(evaluator, left.cell(name)!.force(evaluator), right.cell(name)!.force(evaluator), span));
}

/** Below, at or above zero, for numbers of one dimension and for texts, which are ordered by code unit on every evaluator alike. */
export function compare(evaluator: Evaluator, left: Value, right: Value, span: Span): number {
  if (left.kind === "number" && right.kind === "number" && left.dimension === right.dimension) return left.amount - right.amount;
  if (left.kind === "text" && right.kind === "text") {
    evaluator.chargeLook(Math.min(left.text.length, right.text.length), span);
    return compareIds(left.text, right.text);
  }
  throw evaluator.fault(span, `Cannot order ${describe(left)} and ${describe(right)}`, unitHint(left, right));
}
