/**
 * What a declaration makes of a tuple: it goes on top of the defaults, which are BCL themselves, made from the tables of fields.
 * So `site.count` has a value although nobody wrote one, and a default may depend on what was written.
 */
import { assert } from "../../base/assert.ts";
import { cellName, type Declare, declarationText, type Evaluator, STANDARD_PATH } from "../evaluator/evaluator.ts";
import { type Scope, VariableScope } from "../evaluator/scope.ts";
import { GLOBALS } from "../evaluator/standard.ts";
import { ValueThunk } from "../evaluator/thunk.ts";
import { type Layer, Tuple, writtenLayer } from "../evaluator/tuple.ts";
import { describe, textValue } from "../evaluator/value.ts";
import { Problems } from "../problem.ts";
import type { Span } from "../source.ts";
import type { Role } from "../syntax/lexeme.ts";
import type { TupleNode } from "../syntax/node.ts";
import { parseFile } from "../syntax/parser.ts";
import { resolve } from "../syntax/resolve.ts";
import { ALLOC_SET } from "./alloc-set.ts";
import type { Fields } from "./field.ts";
import { JOB } from "./job.ts";
import { QUOTA } from "./quota.ts";
import { SERVICE } from "./service.ts";

/** The table behind each role. */
export const TABLES: Readonly<Record<Role, Fields>> = { job: JOB, alloc_set: ALLOC_SET, quota: QUOTA, service: SERVICE };

export const roleText = (role: Role): string => role.replace("_", " ");

/** What defaults ask for. Wrong values are refused where they are read, and must not make the defaults fail as well. */
const QUESTIONS = `
local is_service = if type_of(priority) == "text" then priority == "production" || priority == "monitoring" else type_of(priority) == "number" && priority >= production
local is_everywhere = type_of(per_machine) == "boolean" && per_machine
`;

const DEFAULTS: Readonly<Record<Role, TupleNode>> = {
  job: parseDefaults(JOB, QUESTIONS),
  alloc_set: parseDefaults(ALLOC_SET, ""),
  quota: parseDefaults(QUOTA, ""),
  service: parseDefaults(SERVICE, ""),
};

function parseDefaults(fields: Fields, questions: string): TupleNode {
  const given = Object.entries(fields).flatMap(([name, spec]) => (spec.default === undefined ? [] : [`${name} = ${spec.default}\n`]));
  const problems = new Problems();
  const file = parseFile({ path: STANDARD_PATH, text: questions + given.join("") }, problems);
  resolve(file, new Set([...GLOBALS, "declared_name", "declared_user"]), problems);
  assert(problems.list.length === 0, `Defaults: ${problems.list[0]?.message}`);
  return file.body;
}

/** Makes the hook that the evaluator calls for every declaration. */
export function declaring(user: string, standard: Scope): Declare {
  return (evaluator, role, name, value, inside, span) => {
    if (value.kind !== "tuple")
      throw evaluator.fault(
        span,
        `Expected a tuple for ${declarationText(role, name)}, found ${describe(value)}`,
        `${role} NAME = { ... }`,
      );
    const scope = new VariableScope(
      standard,
      new Map([
        ["declared_name", new ValueThunk(textValue(cellName(name)), span)],
        ["declared_user", new ValueThunk(textValue(user), span)],
      ]),
    );
    const { service } = inside;
    const shared =
      service === undefined ? [] : [...labelled(evaluator, service, span), ...(role === "job" ? each(evaluator, service) : [])];
    const layers = [...shared, ...value.layers].filter((layer) => !layer.defaults);
    return new Tuple([writtenLayer(DEFAULTS[role], scope, { defaults: true }), ...layers], role === "service" ? "itself" : undefined);
  };
}

function each(evaluator: Evaluator, service: Tuple): readonly Layer[] {
  const value = service.cell("each")?.force(evaluator);
  return value?.kind === "tuple" ? value.layers : [];
}

/** What belongs to a service can be found by its label (Borg §8.1: labels instead of names that are taken apart). */
function labelled(evaluator: Evaluator, service: Tuple, span: Span): readonly Layer[] {
  const name = service.cell("name")!.force(evaluator);
  const labels = Tuple.of(new Map([["service", new ValueThunk(name, span)]]));
  return Tuple.of(new Map([["labels", new ValueThunk(labels, span)]])).layers;
}
