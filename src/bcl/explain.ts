/** What a field or a function does, its default and an example, from the tables that also check it and make the manual. */
import { KERNEL } from "./evaluator/kernel.ts";
import { STANDARD } from "./evaluator/standard.ts";
import { TABLES } from "./schema/declare.ts";
import type { Field, Fields } from "./schema/field.ts";
import { didYouMean } from "./suggest.ts";
import { ROLES } from "./syntax/lexeme.ts";

export interface Row {
  /** `job.health.port`, or `map`. */
  readonly path: string;
  readonly what: string;
  readonly type: string;
  readonly default: string | undefined;
  readonly required: boolean;
  readonly example: string;
}

/** Everything that can be explained, in the order of the manual. */
export const ROWS: readonly Row[] = [
  ...ROLES.flatMap((role) => fieldRows(role, TABLES[role])),
  ...STANDARD.map(
    (e): Row => ({
      path: e.name,
      what: e.what,
      type: signature(e.name, e.code),
      default: undefined,
      required: false,
      example: e.example,
    }),
  ),
  ...KERNEL.map(
    (n): Row => ({
      path: n.name,
      what: n.what,
      type: `${n.name}(${n.parameters.map((p, i) => (i < n.required ? p : `${p} = ...`)).join(", ")})`,
      default: undefined,
      required: false,
      example: n.example,
    }),
  ),
];

function fieldRows(prefix: string, fields: Fields): readonly Row[] {
  return Object.entries(fields).flatMap(([name, spec]) => [
    fieldRow(`${prefix}.${name}`, spec),
    ...fieldRows(`${prefix}.${name}`, spec.type.fields ?? {}),
  ]);
}

function fieldRow(path: string, spec: Field<unknown>): Row {
  return {
    path,
    what: spec.what,
    type: spec.type.expected,
    default: spec.shown ?? spec.default,
    required: spec.required,
    example: spec.example,
  };
}

/** `map(f, list)` of a function, nothing more than the name of a value. */
export function signature(name: string, code: string): string {
  const parameters = /^\(([^()]*(?:\([^()]*\)[^()]*)*)\) =>/.exec(code)?.[1];
  return parameters === undefined ? name : `${name}(${parameters})`;
}

export type Explanation = { readonly ok: true; readonly rows: readonly Row[] } | { readonly ok: false; readonly reason: string };

/** All rows that a name can mean: `count` is a field of jobs and of alloc sets, `job` is all fields of a job. */
export function explain(name: string): Explanation {
  const wanted = name.trim();
  const exact = ROWS.filter((row) => row.path === wanted || row.path.endsWith(`.${wanted}`));
  if (exact.length > 0) return { ok: true, rows: exact };
  const inside = ROWS.filter((row) => row.path.startsWith(`${wanted}.`));
  if (inside.length > 0) return { ok: true, rows: inside };
  const words = new Set(ROWS.flatMap((row) => [row.path, row.path.split(".").at(-1)!]));
  return { ok: false, reason: `Cannot find "${wanted.slice(0, 64)}"${didYouMean(wanted, words)}` };
}

export function explainText(rows: readonly Row[]): string {
  return rows.map(rowText).join("\n");
}

function rowText(row: Row): string {
  const lines = [row.path, `  ${row.what}`];
  if (row.path.includes(".")) {
    lines.push(`  type:    ${row.type}`, `  default: ${row.required ? "none: it must be given" : (row.default ?? "not set")}`);
  } else lines.push(`  use:     ${row.type}`);
  return `${lines.join("\n")}\n  example: ${row.example}\n`;
}
