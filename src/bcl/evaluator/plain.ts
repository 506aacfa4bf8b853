/** Values worked out to the end: what is printed, compared by `diff`, and handed to programs as JSON. */
import { type Quantity, quantityText } from "../quantity.ts";
import { isPlainKey } from "../syntax/lexeme.ts";
import { quoted } from "../syntax/string.ts";
import { RESULT_DEPTH_MAX } from "./bounds.ts";
import { condition, evaluate } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Thunk } from "./thunk.ts";
import type { Tuple } from "./tuple.ts";
import { isFunction, typeText } from "./value.ts";

export type Plain = Quantity | string | boolean | null | readonly Plain[] | PlainTuple;
export type PlainTuple = ReadonlyMap<string, Plain>;

/** What becomes of functions in the fields of a tuple: they are no results, and a library is full of them. */
export type Functions = "refuse" | "omit";

/** Forces everything, runs the asserts of every tuple on the way, and leaves out null fields, which mean "not set". */
export function plainOf(evaluator: Evaluator, thunk: Thunk, functions: Functions = "refuse", depth = 0): Plain {
  if (depth > RESULT_DEPTH_MAX)
    throw evaluator.fault(thunk.span, `Value is nested deeper than ${RESULT_DEPTH_MAX} levels`, "does a tuple contain itself?");
  const value = thunk.force(evaluator);
  switch (value.kind) {
    case "number":
      return { amount: value.amount, dimension: value.dimension };
    case "text":
      return value.text;
    case "boolean":
      return value.is;
    case "null":
      return null;
    case "list":
      evaluator.charge(value.items.length, thunk.span);
      return value.items.map((item) => plainOf(evaluator, item, functions, depth + 1));
    case "tuple":
      evaluator.charge(value.keys.length, thunk.span);
      return plainTuple(evaluator, value, functions, depth);
    default:
      throw evaluator.fault(
        thunk.span,
        `Cannot use ${typeText(value)} as a result`,
        "call it, or keep it in a local or in a field whose name begins with _",
      );
  }
}

function plainTuple(evaluator: Evaluator, tuple: Tuple, functions: Functions, depth: number): PlainTuple {
  checkAsserts(evaluator, tuple);
  const result = new Map<string, Plain>();
  for (const name of tuple.keys) {
    const cell = tuple.cell(name)!;
    if (functions === "omit" && isFunction(cell.force(evaluator))) continue;
    const value = plainOf(evaluator, cell, functions, depth + 1);
    if (value !== null) result.set(name, value);
  }
  return result;
}

/** The asserts of every layer, with `self` the whole. */
export function checkAsserts(evaluator: Evaluator, tuple: Tuple): void {
  tuple.layers.forEach((layer, index) => {
    if (layer.kind !== "written") return;
    for (const item of layer.node.asserts) {
      const scope = tuple.scopeAt(index);
      if (condition(evaluator, item.test, scope, '"assert"')) continue;
      const message = item.message === undefined ? undefined : evaluate(evaluator, item.message, scope);
      throw evaluator.fault(item.test.span, message?.kind === "text" ? message.text : "Assertion does not hold");
    }
  });
}

/** As an expression of BCL, broken over lines where it is long. */
export function plainText(value: Plain, indent = ""): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (isQuantity(value)) return quantityText(value);
  const deeper = `${indent}  `;
  const flat = isList(value)
    ? `[${value.map((item) => plainText(item, deeper)).join(", ")}]`
    : value.size === 0
      ? "{}"
      : `{ ${[...value].map(([name, item]) => `${keyText(name)} = ${plainText(item, deeper)}`).join(", ")} }`;
  if (flat.length + indent.length <= 100 && !flat.includes("\n")) return flat;
  if (isList(value)) return `[\n${value.map((item) => `${deeper}${plainText(item, deeper)},\n`).join("")}${indent}]`;
  return `{\n${[...value].map(([name, item]) => `${deeper}${keyText(name)} = ${plainText(item, deeper)}\n`).join("")}${indent}}`;
}

export const keyText = (name: string): string => (isPlainKey(name) ? name : quoted(name));

/** As JSON: quantities with a unit are text, as in "64Mi", and are read back as such. */
export function plainJson(value: Plain): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isQuantity(value)) return value.dimension === "number" ? value.amount : quantityText(value);
  if (isList(value)) return value.map(plainJson);
  return Object.fromEntries([...value].map(([name, item]) => [name, plainJson(item)]));
}

export const isQuantity = (value: Plain): value is Quantity => typeof value === "object" && value !== null && "dimension" in value;
export const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);
export const isTuple = (value: Plain): value is PlainTuple => value instanceof Map;
