/** Types of fields: what a value must be, and what becomes of it. Wrong values are refused with what was expected and what was found. */
import { formProblem } from "../../wire/form.ts";
import { Form } from "../../wire/gen/borg/v1/bound_pb.ts";
import { type Plain, type PlainTuple, plainOf } from "../evaluator/plain.ts";
import type { Thunk } from "../evaluator/thunk.ts";
import { type Dimension, type Quantity, quantityText, readQuantity } from "../quantity.ts";
import type { Span } from "../source.ts";
import { didYouMean } from "../suggest.ts";
import type { Fields } from "./field.ts";
import type { Reader } from "./reader.ts";

export interface Type<T> {
  /** As it reads after "Expected". */
  readonly expected: string;
  /** The fields of the tuples inside, for the manual and for dotted names. */
  readonly fields?: Fields;
  /** Words that a value may be. */
  readonly choices?: readonly string[];
  read(reader: Reader, thunk: Thunk, name: string): T;
  /** How a result shows the value, where that is not the value itself. */
  show?(reader: Reader, thunk: Thunk): Plain;
}

/** A value as a result shows it: in the same form, however it was written. */
export const show = (type: Type<unknown>, reader: Reader, thunk: Thunk): Plain =>
  type.show?.(reader, thunk) ?? plainOf(reader.evaluator, thunk);

/** Fields that are not there or null are left out. */
export function showCells(reader: Reader, cells: readonly (readonly [string, Thunk | undefined, Type<unknown>])[]): PlainTuple {
  const shown = new Map<string, Plain>();
  for (const [name, cell, type] of cells)
    if (cell !== undefined && reader.force(cell).kind !== "null") shown.set(name, show(type, reader, cell));
  return shown;
}

export interface TextBounds {
  readonly most: number;
  readonly form?: Form;
  /** What the text is, where that says more than "text". */
  readonly called?: string;
}

export function text(bounds: TextBounds): Type<string> {
  const expected = bounds.called ?? "text";
  return {
    expected,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind !== "text") throw reader.mismatch(thunk, expected, name, value);
      checkText(reader, thunk.span, `"${name}"`, value.text, bounds);
      return value.text;
    },
  };
}

/** `where` is what the message names: `"ram"`, or a name in it. */
export function checkText(reader: Reader, span: Span, where: string, found: string, bounds: TextBounds): void {
  const refuse = (message: string, hint?: string): never => {
    throw reader.evaluator.fault(span, message, hint);
  };
  if (found.length > bounds.most) refuse(`Expected at most ${bounds.most} characters for ${where}, found ${found.length}`);
  if (found === "" && bounds.form !== undefined && bounds.form !== Form.LINE)
    refuse(`Expected ${bounds.called ?? "text"} for ${where}, found none`);
  const problem = found === "" ? undefined : formProblem(bounds.form ?? Form.UNSPECIFIED, found);
  if (problem !== undefined) refuse(`${problem}, for ${where}, found ${JSON.stringify(found.slice(0, 80))}`, nameHint(bounds.form, found));
}

function nameHint(form: Form | undefined, found: string): string | undefined {
  if (form !== Form.NAME) return undefined;
  const better = found
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63);
  return better === "" || better === found ? undefined : `"${better}" would do`;
}

/** Numbers, booleans and quantities as the text that a program sees. */
export function anyText(bounds: TextBounds): Type<string> {
  return {
    expected: "text, a number, true or false",
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      const found =
        value.kind === "text"
          ? value.text
          : value.kind === "number"
            ? quantityText(value)
            : value.kind === "boolean"
              ? String(value.is)
              : undefined;
      if (found === undefined) throw reader.mismatch(thunk, "text, a number, true or false", name, value);
      checkText(reader, thunk.span, `"${name}"`, found, bounds);
      return found;
    },
  };
}

export const boolean: Type<boolean> = {
  expected: "true or false",
  read: (reader, thunk, name) => {
    const value = reader.force(thunk);
    if (value.kind === "boolean") return value.is;
    throw reader.mismatch(thunk, "true or false", name, value);
  },
};

interface NumberBounds {
  readonly dimension: Dimension;
  readonly least: number;
  readonly most: number;
  readonly expected: string;
  readonly hint?: (amount: number) => string;
  /** From what people write to what the cell counts: cores to millicores. */
  readonly factor?: number;
}

/** A little less than a whole: what floating point adds to 0.1 + 0.2 is not what somebody asked for. */
const DUST = 1e-6;

function number(bounds: NumberBounds): Type<number> {
  const { expected, dimension, least, most } = bounds;
  return {
    expected,
    show: (reader, thunk) => {
      const { amount } = reader.quantity(thunk, dimension, expected, "");
      return { amount, dimension };
    },
    read: (reader, thunk, name) => {
      const found = reader.quantity(thunk, dimension, expected, name, bounds.hint);
      if (found.amount < least || found.amount > most) {
        const range = `${quantityText({ amount: least, dimension })} to ${quantityText({ amount: most, dimension })}`;
        throw reader.fault(thunk, `Expected ${range} for "${name}", found ${quantityText(found)}`);
      }
      return Math.max(0, Math.ceil(found.amount * (bounds.factor ?? 1) - DUST));
    },
  };
}

export function whole(least: number, most: number): Type<number> {
  const expected = `a whole number from ${least} to ${most}`;
  const inner = number({ dimension: "number", least, most, expected });
  return {
    ...inner,
    read: (reader, thunk, name) => {
      const found = reader.quantity(thunk, "number", expected, name);
      if (!Number.isInteger(found.amount)) throw reader.fault(thunk, `Expected ${expected} for "${name}", found ${quantityText(found)}`);
      return inner.read(reader, thunk, name);
    },
  };
}

/** Cores, as millicores. */
export const cores: Type<number> = number({
  dimension: "number",
  least: 0,
  most: 1e6,
  expected: "a number of cores, such as 0.5 or 250m",
  factor: 1000,
});

/** Devices, as thousandths. */
export const thousandths = (most: number): Type<number> =>
  number({ dimension: "number", least: 0, most, expected: "a number of devices, or a part of one such as 0.5", factor: 1000 });

export const bytes = (most: number): Type<number> =>
  number({ dimension: "bytes", least: 0, most, expected: "bytes, such as 64Mi", hint: (amount) => `give it a unit: ${amount}Mi` });

/** Milliseconds. */
export const duration = (most: number): Type<number> =>
  number({ dimension: "duration", least: 0, most, expected: "a duration, such as 30s", hint: (amount) => `give it a unit: ${amount}s` });

export function choice<T>(values: ReadonlyMap<string, T>): Type<T> {
  const choices = [...values.keys()];
  const expected = `one of ${choices.map((c) => `"${c}"`).join(", ")}`;
  return {
    expected,
    choices,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind !== "text") throw reader.mismatch(thunk, expected, name, value);
      const chosen = values.get(value.text);
      if (chosen !== undefined) return chosen;
      throw reader.fault(
        thunk,
        `Expected ${expected} for "${name}", found ${JSON.stringify(value.text.slice(0, 40))}${didYouMean(value.text, choices)}`,
      );
    },
  };
}

export function list<T>(of: Type<T>, most: number, expected = `a list of ${plural(of.expected)}`): Type<readonly T[]> {
  return {
    expected,
    ...(of.fields === undefined ? {} : { fields: of.fields }),
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind !== "list")
        throw reader.mismatch(thunk, expected, name, value, value.kind === "text" ? "put it between [ and ]" : undefined);
      if (value.items.length > most)
        throw reader.fault(thunk, `Expected at most ${most} elements for "${name}", found ${value.items.length}`);
      return value.items.flatMap((item, i) => reader.attempt(() => [of.read(reader, item, `${name}[${i}]`)]) ?? []);
    },
    show: (reader, thunk) => {
      const value = reader.force(thunk);
      return value.kind === "list" ? value.items.map((item) => show(of, reader, item)) : null;
    },
  };
}

const plural = (expected: string): string => (expected.startsWith("a tuple") ? "tuples" : expected);

export interface Pair<T> {
  readonly key: string;
  readonly value: T;
}

/** A tuple with names of the user's choice. Null values are not set. */
export function dictionary<T>(of: Type<T>, most: number, key: TextBounds, expected: string): Type<readonly Pair<T>[]> {
  return {
    expected,
    ...(of.fields === undefined ? {} : { fields: of.fields }),
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind !== "tuple") throw reader.mismatch(thunk, expected, name, value);
      const found = value.keys.flatMap((k) => {
        const cell = value.cell(k)!;
        const read = (): Pair<T> => {
          checkText(reader, cell.stage()?.span ?? cell.span, `a name in "${name}"`, k, key);
          return { key: k, value: of.read(reader, cell, `${name}.${k}`) };
        };
        return reader.attempt(() => reader.inField(cell, read)) ?? [];
      });
      if (found.length > most) throw reader.fault(thunk, `Expected at most ${most} entries for "${name}", found ${found.length}`);
      return found;
    },
    show: (reader, thunk) => {
      const value = reader.force(thunk);
      return value.kind === "tuple"
        ? showCells(
            reader,
            value.keys.map((k) => [k, value.cell(k), of]),
          )
        : null;
    },
  };
}

/** Reads what a text says where a quantity is expected: JSON has no units. */
export function quantityOfText(found: string): Quantity | undefined {
  const reading = readQuantity(found);
  return reading.ok ? reading.value : undefined;
}
