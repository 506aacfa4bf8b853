/** Equality and order. Comparing what can never be equal is a mistake worth telling, except with null. */
import { compareIds } from "../../base/id.ts";
import type { Span } from "../source.ts";
import type { Machine } from "./machine.ts";
import type { Tuple } from "./tuple.ts";
import { describe, isFunction, type ListValue, type Value } from "./value.ts";

export function equal(machine: Machine, left: Value, right: Value, span: Span): boolean {
  machine.enter(span);
  // A comparison of elements goes through a callback: it weighs twice on the host's stack.
  machine.deepen(span);
  const result = same(machine, left, right, span);
  machine.leave();
  machine.leave();
  return result;
}

function same(machine: Machine, left: Value, right: Value, span: Span): boolean {
  if (left.kind === "null" || right.kind === "null") return left.kind === right.kind;
  if (left.kind === "text" && right.kind === "text") {
    machine.chargeLook(Math.min(left.text.length, right.text.length), span);
    return left.text === right.text;
  }
  if (left.kind === "boolean" && right.kind === "boolean") return left.is === right.is;
  if (left.kind === "number" && right.kind === "number" && left.dimension === right.dimension) return left.amount === right.amount;
  if (left.kind === "list" && right.kind === "list") return sameLists(machine, left, right, span);
  if (left.kind === "tuple" && right.kind === "tuple") return sameTuples(machine, left, right, span);
  const both = isFunction(left) && isFunction(right);
  throw machine.fault(
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

function sameLists(machine: Machine, left: ListValue, right: ListValue, span: Span): boolean {
  if (left.items.length !== right.items.length) return false;
  return left.items.every((item, i) => equal(machine, item.force(machine), right.items[i]!.force(machine), span));
}

function sameTuples(machine: Machine, left: Tuple, right: Tuple, span: Span): boolean {
  if (left === right) return true;
  const keys = left.keys;
  if (keys.length !== right.keys.length || !keys.every((name) => right.has(name))) return false;
  return keys.every((name) => equal(machine, left.cell(name)!.force(machine), right.cell(name)!.force(machine), span));
}

/** Below, at or above zero, for numbers of one dimension and for texts, which are ordered by code unit on every machine alike. */
export function compare(machine: Machine, left: Value, right: Value, span: Span): number {
  if (left.kind === "number" && right.kind === "number" && left.dimension === right.dimension) return left.amount - right.amount;
  if (left.kind === "text" && right.kind === "text") {
    machine.chargeLook(Math.min(left.text.length, right.text.length), span);
    return compareIds(left.text, right.text);
  }
  throw machine.fault(span, `Cannot order ${describe(left)} and ${describe(right)}`, unitHint(left, right));
}
