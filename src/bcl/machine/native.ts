/** Functions that BCL cannot say itself. Each carries its page of the manual. */
import type { Span } from "../source.ts";
import type { Machine } from "./machine.ts";
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
  run(machine: Machine, given: readonly (Thunk | undefined)[], span: Span): Value;
}

const wrong = (machine: Machine, thunk: Thunk, expected: string, value: Value) =>
  machine.fault(thunk.span, `Expected ${expected}, found ${describe(value)}`);

export function wantText(machine: Machine, thunk: Thunk): string {
  const value = thunk.force(machine);
  if (value.kind === "text") return value.text;
  throw wrong(machine, thunk, "text", value);
}

export function wantNumber(machine: Machine, thunk: Thunk): NumberValue {
  const value = thunk.force(machine);
  if (value.kind === "number") return value;
  throw wrong(machine, thunk, "a number", value);
}

export function wantList(machine: Machine, thunk: Thunk): ListValue {
  const value = thunk.force(machine);
  if (value.kind === "list") return value;
  throw wrong(machine, thunk, "a list", value);
}

export function wantTuple(machine: Machine, thunk: Thunk): Tuple {
  const value = thunk.force(machine);
  if (value.kind === "tuple") return value;
  throw wrong(machine, thunk, "a tuple", value);
}

export function wantFunction(machine: Machine, thunk: Thunk): FunctionValue | NativeValue {
  const value = thunk.force(machine);
  if (isFunction(value)) return value;
  throw wrong(machine, thunk, "a function", value);
}
