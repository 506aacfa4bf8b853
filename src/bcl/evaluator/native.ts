/** Functions that BCL cannot say itself. Each carries its page of the manual. */
import type { Span } from "../source.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Thunk } from "./thunk.ts";
import type { Tuple } from "./tuple.ts";
import { describe, type FunctionValue, isFunction, type ListValue, type NativeValue, type NumberValue, type Value } from "./value.ts";

export interface Native {
  readonly name: string;
  readonly parameters: readonly string[];
  /** How many of them must be given. */
  readonly required: number;
  readonly what: string;
  /** An expression that is true. */
  readonly example: string;
  /** Arguments that were not given are undefined. */
  run(evaluator: Evaluator, given: readonly (Thunk | undefined)[], span: Span): Value;
}

const wrong = (evaluator: Evaluator, thunk: Thunk, expected: string, value: Value) =>
  evaluator.fault(thunk.span, `Expected ${expected}, found ${describe(value)}`);

export function wantText(evaluator: Evaluator, thunk: Thunk): string {
  const value = thunk.force(evaluator);
  if (value.kind === "text") return value.text;
  throw wrong(evaluator, thunk, "text", value);
}

export function wantNumber(evaluator: Evaluator, thunk: Thunk): NumberValue {
  const value = thunk.force(evaluator);
  if (value.kind === "number") return value;
  throw wrong(evaluator, thunk, "a number", value);
}

export function wantList(evaluator: Evaluator, thunk: Thunk): ListValue {
  const value = thunk.force(evaluator);
  if (value.kind === "list") return value;
  throw wrong(evaluator, thunk, "a list", value);
}

export function wantTuple(evaluator: Evaluator, thunk: Thunk): Tuple {
  const value = thunk.force(evaluator);
  if (value.kind === "tuple") return value;
  throw wrong(evaluator, thunk, "a tuple", value);
}

export function wantFunction(evaluator: Evaluator, thunk: Thunk): FunctionValue | NativeValue {
  const value = thunk.force(evaluator);
  if (isFunction(value)) return value;
  throw wrong(evaluator, thunk, "a function", value);
}
