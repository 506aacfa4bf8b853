/** What expressions evaluate to. Lists and tuples hold thunks: an element is worked out when somebody looks at it. */
import { type Quantity, quantityText } from "../quantity.ts";
import type { LambdaNode } from "../syntax/node.ts";
import { quoted } from "../syntax/string.ts";
import type { Native } from "./native.ts";
import type { Scope } from "./scope.ts";
import type { Thunk } from "./thunk.ts";
import type { Tuple } from "./tuple.ts";

export type Value = NumberValue | TextValue | BooleanValue | NullValue | ListValue | Tuple | FunctionValue | NativeValue;

export interface NumberValue extends Quantity {
  readonly kind: "number";
}

export interface TextValue {
  readonly kind: "text";
  readonly text: string;
}

export interface BooleanValue {
  readonly kind: "boolean";
  readonly is: boolean;
}

export interface NullValue {
  readonly kind: "null";
}

export interface ListValue {
  readonly kind: "list";
  readonly items: readonly Thunk[];
}

export interface FunctionValue {
  readonly kind: "function";
  readonly node: LambdaNode;
  readonly scope: Scope;
}

export interface NativeValue {
  readonly kind: "native";
  readonly native: Native;
}

export const isFunction = (value: Value): value is FunctionValue | NativeValue => value.kind === "function" || value.kind === "native";

export const NULL: NullValue = { kind: "null" };
export const TRUE: BooleanValue = { kind: "boolean", is: true };
export const FALSE: BooleanValue = { kind: "boolean", is: false };

export const booleanValue = (is: boolean): BooleanValue => (is ? TRUE : FALSE);
export const textValue = (text: string): TextValue => ({ kind: "text", text });
export const listValue = (items: readonly Thunk[]): ListValue => ({ kind: "list", items });
export const numberValue = (amount: number, dimension: Quantity["dimension"] = "number"): NumberValue => ({
  kind: "number",
  amount,
  dimension,
});

const DIMENSIONS = { number: "a number", bytes: "bytes", duration: "a duration" } as const;

/** The type of a value in words: "a list", "bytes". */
export function typeText(value: Value): string {
  switch (value.kind) {
    case "number":
      return DIMENSIONS[value.dimension];
    case "text":
      return "text";
    case "boolean":
      return String(value.is);
    case "null":
      return "null";
    case "list":
      return "a list";
    case "tuple":
      return "a tuple";
    case "function":
    case "native":
      return "a function";
  }
}

const SHOWN_MAX = 40;

/** Type and value, short enough for a message: `text "abc"`, `bytes 64Mi`. */
export function describe(value: Value): string {
  switch (value.kind) {
    case "number":
      return value.dimension === "number" ? quantityText(value) : `${typeText(value)} ${quantityText(value)}`;
    case "text":
      return `text ${quoted(value.text.length > SHOWN_MAX ? `${value.text.slice(0, SHOWN_MAX)}...` : value.text)}`;
    case "list":
      return value.items.length === 0 ? "an empty list" : `a list of ${value.items.length}`;
    default:
      return typeText(value);
  }
}
