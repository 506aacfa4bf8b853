/** What a field or a function does, its default and an example, from the tables that also check it and make the manual. */
import { KERNEL } from "./evaluator/kernel.ts";
import { STANDARD } from "./evaluator/standard.ts";
import { TABLES } from "./schema/declare.ts";
import type { Field, Fields } from "./schema/field.ts";
import { didYouMean } from "./suggest.ts";
import { ROLES } from "./syntax/token.ts";

export interface Entry {
  /** `job.health.port`, or `map`. */
  readonly path: string;
  readonly what: string;
  readonly type: string;
  readonly default: string | undefined;
  readonly required: boolean;
  readonly example: string;
}

/** Everything that can be explained, in the order of the manual. */
export const ENTRIES: readonly Entry[] = [
  ...ROLES.flatMap((role) => fieldEntries(role, TABLES[role])),
  ...STANDARD.map(
    (e): Entry => ({
      path: e.name,
      what: e.what,
      type: signature(e.name, e.code),
      default: undefined,
      required: false,
      example: e.example,
    }),
  ),
  ...KERNEL.map(
    (n): Entry => ({
      path: n.name,
      what: n.what,
      type: `${n.name}(${n.parameters.map((p, i) => (i < n.required ? p : `${p} = ...`)).join(", ")})`,
      default: undefined,
      required: false,
      example: n.example,
    }),
  ),
];

function fieldEntries(prefix: string, fields: Fields): readonly Entry[] {
  return Object.entries(fields).flatMap(([name, spec]) => [
    fieldEntry(`${prefix}.${name}`, spec),
    ...fieldEntries(`${prefix}.${name}`, spec.type.fields ?? {}),
  ]);
}

function fieldEntry(path: string, spec: Field<unknown>): Entry {
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

export type Explanation = { readonly ok: true; readonly entries: readonly Entry[] } | { readonly ok: false; readonly reason: string };

/** All entries that a name can mean: `count` is a field of jobs and of alloc sets, `job` is all fields of a job. */
export function explain(name: string): Explanation {
  const wanted = name.trim();
  const exact = ENTRIES.filter((entry) => entry.path === wanted || entry.path.endsWith(`.${wanted}`));
  if (exact.length > 0) return { ok: true, entries: exact };
  const inside = ENTRIES.filter((entry) => entry.path.startsWith(`${wanted}.`));
  if (inside.length > 0) return { ok: true, entries: inside };
  const words = new Set(ENTRIES.flatMap((entry) => [entry.path, entry.path.split(".").at(-1)!]));
  return { ok: false, reason: `Cannot find "${wanted.slice(0, 64)}"${didYouMean(wanted, words)}` };
}

export function explainText(entries: readonly Entry[]): string {
  return entries.map(entryText).join("\n");
}

function entryText(entry: Entry): string {
  const lines = [entry.path, `  ${entry.what}`];
  if (entry.path.includes(".")) {
    lines.push(`  type:    ${entry.type}`, `  default: ${entry.required ? "none: it must be given" : (entry.default ?? "not set")}`);
  } else lines.push(`  use:     ${entry.type}`);
  return `${lines.join("\n")}\n  example: ${entry.example}\n`;
}
