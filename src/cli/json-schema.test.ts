/** The part of JSON Schema that docs/json uses, for the tests of what commands print. It knows no other words, so that none is passed over. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["$schema", "$defs", "$ref", "title", "description", "type", "enum", "properties", "required"],
  ...["additionalProperties", "items", "anyOf", "format"],
]);
const FOLDER = new URL("../../docs/json/", import.meta.url);
export const SCHEMA_NAMES: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(".schema.json", ""))
  .filter((name) => name !== "things");

const parsed = new Map<string, Schema & { readonly $defs?: Readonly<Record<string, Schema>> }>();

export function schemaOf(name: string): Schema & { readonly $defs?: Readonly<Record<string, Schema>> } {
  const known = parsed.get(name) ?? JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), "utf8"));
  parsed.set(name, known);
  return known;
}

export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const [, file, def] = /^([a-z]+)\.schema\.json#\/\$defs\/(\w+)$/.exec(schema.$ref) ?? [];
  const found = schemaOf(file ?? "").$defs?.[def ?? ""];
  assert.ok(found !== undefined, `There is no ${schema.$ref}`);
  return found;
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** What is wrong with a value, each with its place. */
export function problemsOf(given: Schema, value: unknown, place = "$"): readonly string[] {
  const unknown = Object.keys(given).find((word) => !KNOWN.has(word));
  if (unknown !== undefined) return [`${place}: the schema says "${unknown}", which is not understood`];
  const schema = resolved(given);
  if (schema.anyOf !== undefined) {
    const tried = schema.anyOf.map((one) => problemsOf(one, value, place));
    return tried.some((problems) => problems.length === 0) ? [] : tried.flat();
  }
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const isInteger = Number.isInteger(value) && (types?.includes("integer") ?? false);
  if (types !== undefined && !types.includes(typeOf(value)) && !isInteger)
    return [`${place}: expected ${types.join(" or ")}, found ${JSON.stringify(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${place}: ${JSON.stringify(value)} is none of ${schema.enum.join(", ")}`];
  if (schema.format === "date-time" && typeof value === "string" && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return [`${place}: ${value} is no time`];
  if (Array.isArray(value)) return value.flatMap((item, i) => problemsOf(schema.items ?? {}, item, `${place}[${i}]`));
  return typeof value === "object" && value !== null ? objectProblems(schema, value as Record<string, unknown>, place) : [];
}

function objectProblems(schema: Schema, value: Readonly<Record<string, unknown>>, place: string): readonly string[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}: "${name}" is missing`);
  const inside = Object.entries(value).flatMap(([name, item]) => {
    const own = schema.properties?.[name] ?? schema.additionalProperties ?? true;
    if (own === true) return [];
    return own === false ? [`${place}: "${name}" is not in the schema`] : problemsOf(own, item, `${place}.${name}`);
  });
  return [...missing, ...inside];
}

test("the validator finds what is wrong, where it is", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      a: { type: "integer" },
      b: { type: ["string", "null"], enum: ["x", null] },
      t: { type: ["string", "null"], format: "date-time" },
    },
    required: ["a"],
    additionalProperties: false,
  };
  assert.deepEqual(problemsOf(schema, { a: 1, b: null, t: "2026-01-01T00:00:00.000Z" }), []);
  assert.deepEqual(problemsOf(schema, { a: 1.5, b: "y", t: "now", c: 1 }), [
    "$.a: expected integer, found 1.5",
    '$.b: "y" is none of x, ',
    "$.t: now is no time",
    '$: "c" is not in the schema',
  ]);
  assert.deepEqual(problemsOf(schema, {}), ['$: "a" is missing']);
  assert.deepEqual(problemsOf({ type: "array", items: schema }, [{ a: "1" }]), ['$[0].a: expected integer, found "1"']);
  assert.match(problemsOf({ pattern: "x" } as Schema, 1)[0]!, /"pattern", which is not understood/);
});
