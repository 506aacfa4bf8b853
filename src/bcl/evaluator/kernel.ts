/** The functions that the standard library is built on. They cannot loop without charging for it. */
import { pathInside } from "../path.ts";
import { Fault } from "../problem.ts";
import { readQuantity } from "../quantity.ts";
import type { Span } from "../source.ts";
import { apply } from "./call.ts";
import type { Evaluator } from "./evaluator.ts";
import { type Native, wantFunction, wantList, wantNumber, wantText, wantTuple } from "./native.ts";
import { parameterValue } from "./parameter.ts";
import { plainOf } from "./plain.ts";
import { asText } from "./text.ts";
import { type Thunk, ValueThunk } from "./thunk.ts";
import { booleanValue, describe, listValue, NULL, numberValue, textValue, type Value } from "./value.ts";

const given = (thunks: readonly (Thunk | undefined)[], at: number): Thunk => thunks[at]!;

const rounding = (name: string, what: string, example: string, round: (x: number) => number): Native => ({
  name,
  parameters: ["x"],
  required: 1,
  what,
  example,
  run: (evaluator, [x]) => {
    const number = wantNumber(evaluator, x!);
    return numberValue(round(number.amount) + 0, number.dimension);
  },
});

const textual = (name: string, what: string, example: string, change: (text: string) => string): Native => ({
  name,
  parameters: ["text"],
  required: 1,
  what,
  example,
  run: (evaluator, [text], span) => {
    const from = wantText(evaluator, text!);
    evaluator.chargeText(from.length, span);
    return textValue(change(from));
  },
});

/** Cuts a text at a separator; the work is charged before it is done. */
function cut(evaluator: Evaluator, text: string, separator: string, span: Span): readonly string[] {
  evaluator.chargeLook(text.length, span);
  const parts = text.split(separator);
  evaluator.chargeElements(parts.length, span);
  return parts;
}

const texts = (parts: readonly string[], span: Span): Value => listValue(parts.map((part) => new ValueThunk(textValue(part), span)));

const COLLECTIONS: readonly Native[] = [
  {
    name: "length",
    parameters: ["x"],
    required: 1,
    what: "How many elements a list, fields a tuple, or characters a text has.",
    example: 'length([7, 8]) == 2 && length("abc") == 3',
    run: (evaluator, thunks) => {
      const value = given(thunks, 0).force(evaluator);
      if (value.kind === "list") return numberValue(value.items.length);
      if (value.kind === "tuple") return numberValue(value.keys.length);
      if (value.kind === "text") return numberValue(value.text.length);
      throw evaluator.fault(given(thunks, 0).span, `Expected a list, a tuple or text, found ${describe(value)}`);
    },
  },
  {
    name: "indexes",
    parameters: ["count"],
    required: 1,
    what: "The list 0, 1, ... of so many numbers.",
    example: "indexes(3) == [0, 1, 2]",
    run: (evaluator, thunks, span) => {
      const { amount, dimension } = wantNumber(evaluator, given(thunks, 0));
      if (dimension !== "number" || !Number.isInteger(amount) || amount < 0) {
        throw evaluator.fault(
          given(thunks, 0).span,
          `Expected a whole number from 0, found ${describe(given(thunks, 0).force(evaluator))}`,
        );
      }
      evaluator.chargeElements(amount, span);
      return listValue(Array.from({ length: amount }, (_, i) => new ValueThunk(numberValue(i), span)));
    },
  },
  {
    name: "keys",
    parameters: ["tuple"],
    required: 1,
    what: "The names of a tuple's fields, base first. Names that begin with _ are left out.",
    example: 'keys({ a = 1, b = 2, _c = 3 }) == ["a", "b"]',
    run: (evaluator, thunks, span) => {
      const { keys } = wantTuple(evaluator, given(thunks, 0));
      evaluator.chargeElements(keys.length, span);
      return texts(keys, span);
    },
  },
  {
    name: "has",
    parameters: ["tuple", "name"],
    required: 2,
    what: "Whether a tuple has a field.",
    example: 'has({ a = 1 }, "a") && !has({ a = 1 }, "b")',
    run: (evaluator, thunks) => booleanValue(wantTuple(evaluator, given(thunks, 0)).has(wantText(evaluator, given(thunks, 1)))),
  },
  {
    name: "fold",
    parameters: ["f", "start", "list"],
    required: 3,
    what: "Goes through a list with a function of the result so far and the next element.",
    example: "fold((sum, x) => sum + x, 0, [1, 2, 3]) == 6",
    run: (evaluator, thunks, span) => {
      const f = wantFunction(evaluator, given(thunks, 0));
      let result = given(thunks, 1).force(evaluator);
      for (const item of wantList(evaluator, given(thunks, 2)).items) {
        const so = { name: undefined, span, thunk: new ValueThunk(result, span) };
        result = apply(evaluator, f, [so, { name: undefined, span, thunk: item }], {
          what: "call",
          name: "the function given to fold",
          span,
        });
      }
      return result;
    },
  },
];

const TEXTS: readonly Native[] = [
  {
    name: "text",
    parameters: ["x"],
    required: 1,
    what: `A number, a quantity, true or false as text; the same as "\${x}".`,
    example: 'text(64Mi) == "64Mi"',
    run: (evaluator, thunks) => textValue(asText(evaluator, given(thunks, 0).force(evaluator), given(thunks, 0).span)),
  },
  {
    name: "number",
    parameters: ["text"],
    required: 1,
    what: "Reads a text as a number, with a unit if it has one.",
    example: 'number("64Mi") == 64Mi',
    run: (evaluator, thunks) => {
      const reading = readQuantity(wantText(evaluator, given(thunks, 0)));
      if (reading.ok) return { kind: "number", ...reading.value };
      throw evaluator.fault(given(thunks, 0).span, reading.reason, reading.hint);
    },
  },
  {
    name: "concat",
    parameters: ["list"],
    required: 1,
    what: "One text of all the texts in a list.",
    example: 'concat(["a", "b"]) == "ab"',
    run: (evaluator, thunks, span) => {
      const parts: string[] = [];
      let length = 0;
      for (const item of wantList(evaluator, given(thunks, 0)).items) {
        const part = asText(evaluator, item.force(evaluator), item.span);
        parts.push(part);
        length += part.length;
        if (length > evaluator.bounds.text) break;
      }
      evaluator.chargeText(length, span);
      return textValue(parts.join(""));
    },
  },
  {
    name: "split",
    parameters: ["text", "separator"],
    required: 2,
    what: "The parts of a text between separators.",
    example: 'split("a,b", ",") == ["a", "b"]',
    run: (evaluator, thunks, span) =>
      texts(cut(evaluator, wantText(evaluator, given(thunks, 0)), wantText(evaluator, given(thunks, 1)), span), span),
  },
  {
    name: "replace",
    parameters: ["text", "old", "new"],
    required: 3,
    what: "The text with every occurrence of one part replaced by another.",
    example: 'replace("a-b-c", "-", "_") == "a_b_c"',
    run: (evaluator, thunks, span) => {
      const old = wantText(evaluator, given(thunks, 1));
      if (old === "") throw evaluator.fault(given(thunks, 1).span, "Expected text to look for, found none");
      const by = wantText(evaluator, given(thunks, 2));
      const parts = cut(evaluator, wantText(evaluator, given(thunks, 0)), old, span);
      evaluator.chargeText(parts.reduce((sum, part) => sum + part.length, 0) + by.length * (parts.length - 1), span);
      return textValue(parts.join(by));
    },
  },
  textual("upper", "The text in capital letters.", 'upper("abc") == "ABC"', (text) => text.toUpperCase()),
  textual("lower", "The text in small letters.", 'lower("ABC") == "abc"', (text) => text.toLowerCase()),
  textual("trim", "The text without blanks at both ends.", 'trim("  a ") == "a"', (text) => text.trim()),
];

const NUMBERS: readonly Native[] = [
  rounding("floor", "The next whole number below.", "floor(1.7) == 1", Math.floor),
  rounding("ceil", "The next whole number above.", "ceil(1.2) == 2", Math.ceil),
  rounding("round", "The nearest whole number.", "round(1.5) == 2", Math.round),
];

const CONTROL: readonly Native[] = [
  {
    name: "type_of",
    parameters: ["x"],
    required: 1,
    what: 'The type of a value: "number", "bytes", "duration", "text", "boolean", "null", "list", "tuple" or "function".',
    example: 'type_of(30s) == "duration"',
    run: (evaluator, thunks) => {
      const value = given(thunks, 0).force(evaluator);
      return textValue(value.kind === "number" ? value.dimension : value.kind === "native" ? "function" : value.kind);
    },
  },
  {
    name: "error",
    parameters: ["message"],
    required: 1,
    what: "Stops with a message of your own, shown at the call.",
    example: 'error_of(error("no")) == "no"',
    run: (evaluator, thunks, span) => {
      throw evaluator.fault(span, wantText(evaluator, given(thunks, 0)));
    },
  },
  {
    name: "error_of",
    parameters: ["x"],
    required: 1,
    what: "The message of the error that a value gives when it is evaluated to the end, or null when there is none. For tests.",
    example: 'error_of(1 / 0) == "Cannot divide by zero" && error_of(1) == null',
    run: (evaluator, thunks) => {
      const mark = evaluator.mark();
      try {
        plainOf(evaluator, given(thunks, 0));
        return NULL;
      } catch (error) {
        if (!(error instanceof Fault) || error.problem.limit) throw error;
        evaluator.reset(mark);
        return textValue(error.problem.message);
      }
    },
  },
  {
    name: "param",
    parameters: ["name", "default"],
    required: 1,
    what: "A value from outside: --set name=value. It is read as the type of the default; without one it must be given.",
    example: 'param("replicas", 3) == 3',
    run: (evaluator, thunks, span) => parameterValue(evaluator, wantText(evaluator, given(thunks, 0)), thunks[1], span),
  },
  {
    name: "read",
    parameters: ["path"],
    required: 1,
    what: "The text of a file beside this one: for files = { ... }. Paths are relative to the file that has them and stay inside the project.",
    example: 'error_of(read("../secret.conf")) == "Cannot read from outside the project"',
    run: (evaluator, thunks, span) => fileText(evaluator, given(thunks, 0), span),
  },
];

/** The path is relative to the file that asks: a library reads what stands beside it, whoever imports it. */
function fileText(evaluator: Evaluator, thunk: Thunk, span: Span): Value {
  const path = wantText(evaluator, thunk);
  const inside = pathInside(thunk.span.source.path, path, "read");
  if (!inside.ok) throw evaluator.fault(thunk.span, inside.reason);
  const found = evaluator.textOf(inside.value);
  if (!found.ok) throw evaluator.fault(thunk.span, `Cannot read "${inside.value.slice(0, 200)}": ${found.reason}`);
  evaluator.chargeText(found.value.length, span);
  return textValue(found.value);
}

export const KERNEL: readonly Native[] = [...COLLECTIONS, ...TEXTS, ...NUMBERS, ...CONTROL];
