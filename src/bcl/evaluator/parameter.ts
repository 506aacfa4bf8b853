/** What `--set` gives. A value is read as the type of the default: "3" is a number where the default is one, and text where that is text. */
import { Problems } from "../problem.ts";
import type { Span } from "../source.ts";
import { makeTuple } from "../syntax/parse-items.ts";
import { parseValue } from "../syntax/parser.ts";
import { resolve } from "../syntax/resolve.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import { VariableScope } from "./scope.ts";
import type { Thunk } from "./thunk.ts";
import { textValue, typeText, type Value } from "./value.ts";

export function parameterValue(evaluator: Evaluator, name: string, fallback: Thunk | undefined, span: Span): Value {
  const given = evaluator.parameters.get(name);
  if (given === undefined) {
    if (fallback !== undefined) return fallback.force(evaluator);
    throw evaluator.fault(
      span,
      `Parameter "${name.slice(0, 40)}" has no value`,
      `pass --set ${name.slice(0, 40)}=VALUE, or give it a default: param("${name.slice(0, 40)}", ...)`,
    );
  }
  const model = fallback?.force(evaluator);
  if (model?.kind === "text") return textValue(given);
  const value = readLiteral(evaluator, name, given) ?? textValue(given);
  if (model === undefined || model.kind === "null" || sameType(model, value)) return value;
  throw evaluator.fault(
    span,
    `Expected ${wantedText(model)} for --set ${name.slice(0, 40)}, as its default is, found "${given.slice(0, 40)}"`,
  );
}

const wantedText = (model: Value): string => (model.kind === "boolean" ? "true or false" : typeText(model));

function sameType(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.kind !== "number" || b.kind !== "number" || a.dimension === b.dimension);
}

/** A number, a constant, a list or a tuple; anything else is text. Names mean nothing here. */
function readLiteral(evaluator: Evaluator, name: string, given: string): Value | undefined {
  const problems = new Problems();
  const source = { path: `--set ${name}`, text: given };
  const node = parseValue(source, problems);
  if (node === undefined || problems.list.length > 0) return undefined;
  const whole = { source, start: 0, end: given.length };
  const field = {
    kind: "field",
    span: whole,
    key: "value",
    keySpan: whole,
    local: false,
    replace: false,
    role: undefined,
    value: node,
  } as const;
  const nothing = { report: () => undefined };
  resolve({ source, body: makeTuple(nothing, whole, [field]), imports: [], tests: [], comments: [], lexemes: [] }, new Set(), problems);
  if (problems.list.length > 0) return undefined;
  return evaluate(evaluator, node, new VariableScope(undefined, new Map()));
}
