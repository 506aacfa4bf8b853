/** The table of fields: what each is for, its type, its default and an example. Checks, manual, completion and defaults all come from it. */
import { checkAsserts } from "../evaluator/plain.ts";
import type { Thunk } from "../evaluator/thunk.ts";
import type { Tuple } from "../evaluator/tuple.ts";
import { didYouMean } from "../suggest.ts";
import { isRole } from "../syntax/lexeme.ts";
import { foreignWord } from "./foreign.ts";
import type { Reader } from "./reader.ts";
import { showCells, type Type } from "./type.ts";

export interface Field<T> {
  readonly type: Type<T>;
  /** What it does, in a sentence or two. */
  readonly what: string;
  /** As it stands in a file. */
  readonly example: string;
  /** The default as a BCL expression; undefined where there is none and the field must be given or stays unset. */
  readonly default: string | undefined;
  /** The default in words, where the expression would not tell a reader. */
  readonly shown: string | undefined;
  readonly required: boolean;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What reading a table gives: unset and refused fields are undefined. */
export type Read<F extends Fields> = { readonly [K in keyof F]: (F[K] extends Field<infer T> ? T : never) | undefined };

interface More {
  readonly default?: string;
  readonly shown?: string;
  readonly required?: boolean;
}

export const field = <T>(type: Type<T>, what: string, example: string, more: More = {}): Field<T> => ({
  type,
  what,
  example,
  default: more.default,
  shown: more.shown,
  required: more.required ?? false,
});

const HINT = "borg bcl explain lists the fields; a local or a name that begins with _ is no field";

const serviceHint = (name: string): string =>
  isRole(name) ? `it needs a name of its own: ${name} NAME = { ... }` : "fields for every job of the service stand in each = { ... }";

/** Reads every field, reporting all problems, not only the first. `extra` are names that others read. */
export function readFields<F extends Fields>(
  reader: Reader,
  tuple: Tuple,
  fields: F,
  what: string,
  at: Thunk["span"],
  extra: readonly string[] = [],
): Read<F> {
  reader.attempt(() => checkAsserts(reader.evaluator, tuple));
  const known = Object.keys(fields);
  for (const name of tuple.keys) {
    if (known.includes(name) || extra.includes(name)) continue;
    const foreign = foreignWord(name, known);
    const suggestion = foreign?.suggestion ?? didYouMean(name, known);
    const hint = foreign?.hint ?? ("each" in fields ? serviceHint(name) : HINT);
    reader.unknown(tuple, name, `${what} has no field "${name.slice(0, 40)}"${suggestion}`, hint);
  }
  const values: [string, unknown][] = [];
  for (const [name, spec] of Object.entries(fields)) {
    const cell = tuple.cell(name);
    const before = reader.problemCount;
    const value = cell === undefined ? undefined : reader.attempt(() => reader.inField(cell, () => spec.type.read(reader, cell, name)));
    // A value with a problem inside is not handed on: whoever looks at it would only find the consequences.
    if (reader.problemCount > before) continue;
    if (value !== undefined) values.push([name, value]);
    else if (spec.required) reader.report(at, `${what} needs the field "${name}"`, `as in ${spec.example}`);
  }
  return Object.fromEntries(values) as Read<F>;
}

/** A tuple with the fields of a table. */
export function record<F extends Fields>(fields: F, what: string): Type<Read<F>> {
  const expected = `a tuple with the fields of ${what}`;
  return {
    expected,
    fields,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind !== "tuple") throw reader.mismatch(thunk, expected, name, value, `it has ${Object.keys(fields).join(", ")}`);
      return readFields(reader, value, fields, `"${name}"`, thunk.span);
    },
    show: (reader, thunk) => {
      const value = reader.force(thunk);
      return value.kind === "tuple"
        ? showCells(
            reader,
            Object.entries(fields).map(([name, spec]) => [name, value.cell(name), spec.type]),
          )
        : null;
    },
  };
}
