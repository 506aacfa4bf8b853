/**
 * Selectors: which jobs, tasks, allocs or machines are meant, by their labels instead of by parts of their names (Borg §8.1). One parser for the command,
 * the API and everybody else. A selector is a list of conditions that all hold, and a condition is a constraint that is asked of labels.
 */
import { ok, type Result, refused } from "../base/result.ts";
import { make } from "./codec.ts";
import { formProblem } from "./form.ts";
import { Form } from "./gen/borg/v1/bound_pb.ts";
import { type Constraint, ConstraintSchema, Operator } from "./gen/borg/v1/spec_pb.ts";

/** Empty: everything is meant. */
export type Selector = readonly Constraint[];

/** The label that holds the jobs of one service together. */
export const SERVICE_LABEL = "service";

export const SELECTOR_LENGTH_MAX = 1024;
const CONDITIONS_MAX = 32;
const VALUES_MAX = 64;
const KEY_LENGTH_MAX = 63;
const VALUE_LENGTH_MAX = 253;

export const SELECTOR_HINT = "as in app=web, tier!=db, track, !legacy or region in (eu, us), with commas between";

export function parseSelector(text: string): Result<Selector> {
  if (text.length > SELECTOR_LENGTH_MAX)
    return refused(`A selector has at most ${SELECTOR_LENGTH_MAX} characters, not ${text.length}: name fewer conditions`);
  if (text.trim() === "") return ok([]);
  const parts = partsOf(text);
  if (parts === undefined) return refused(`Cannot understand the selector "${text}": a quote or a bracket is not closed`);
  if (parts.length > CONDITIONS_MAX) return refused(`A selector has at most ${CONDITIONS_MAX} conditions, not ${parts.length}: name fewer`);
  const found: Constraint[] = [];
  for (const part of parts) {
    const condition = conditionOf(part.trim());
    if (typeof condition === "string") return refused(condition);
    found.push(condition);
  }
  return ok(found);
}

/** Split at commas that stand in neither quotes nor brackets; undefined when one of those stays open. */
function partsOf(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let [begin, depth, quoted] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '"') quoted = !quoted;
    if (quoted) continue;
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (depth < 0 || depth > 1) return undefined;
    if (letter !== "," || depth > 0) continue;
    parts.push(text.slice(begin, i));
    begin = i + 1;
  }
  return quoted || depth > 0 ? undefined : [...parts, text.slice(begin)];
}

const COMPARED = /^([^\s=!"()]+)\s*(==|!=|=)\s*(.*)$/;
const LISTED = /^([^\s=!"()]+)\s+(in|notin)\s*\((.*)\)$/;
const ALONE = /^(!?)\s*([^\s=!"()]+)$/;

function conditionOf(part: string): Constraint | string {
  const compared = COMPARED.exec(part);
  if (compared !== null) return condition(part, compared[1]!, compared[2] === "!=" ? Operator.NOT_EQUAL : Operator.EQUAL, [compared[3]!]);
  const listed = LISTED.exec(part);
  if (listed !== null) return condition(part, listed[1]!, listed[2] === "in" ? Operator.IN : Operator.NOT_IN, partsOf(listed[3]!) ?? []);
  const alone = ALONE.exec(part);
  if (alone !== null) return condition(part, alone[2]!, alone[1] === "!" ? Operator.NOT_EXISTS : Operator.EXISTS, []);
  return `Cannot understand "${part}" in a selector: ${SELECTOR_HINT}`;
}

function condition(part: string, attribute: string, operator: Operator, texts: readonly string[]): Constraint | string {
  const wrong = (why: string): string => `Cannot understand "${part}" in a selector: ${why}`;
  const problem = formProblem(Form.KEY, attribute);
  if (problem !== undefined || attribute.length > KEY_LENGTH_MAX) return wrong(problem ?? `a key has at most ${KEY_LENGTH_MAX} characters`);
  if (texts.length > VALUES_MAX) return wrong(`at most ${VALUES_MAX} values, not ${texts.length}`);
  const values = texts.map((text) => valueIn(text.trim()));
  const bad = values.indexOf(undefined);
  if (bad >= 0)
    return wrong(`${texts[bad]} is no value: one line of at most ${VALUE_LENGTH_MAX} characters, in quotes if it has , ( or ) in it`);
  return make(ConstraintSchema, { attribute, operator, values: values as string[] });
}

/** `web`, or `"a, b"`: quotes stand around the whole value or nowhere. */
function valueIn(text: string): string | undefined {
  const quoted = /^"([^"]*)"$/.exec(text)?.[1];
  if (quoted === undefined && /["()]/.test(text)) return undefined;
  const value = quoted ?? text;
  return value.length <= VALUE_LENGTH_MAX && formProblem(Form.LINE, value) === undefined ? value : undefined;
}
