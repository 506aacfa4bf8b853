/** What changed between two evaluated files, field by field. */
import { compareIds } from "../base/id.ts";
import type { Evaluation } from "./evaluation.ts";
import { isList, isTuple, type Plain, type PlainTuple, plainText } from "./evaluator/plain.ts";
import { type Shown, shownOf } from "./show.ts";

export interface Difference {
  readonly kind: "added" | "removed" | "changed";
  /** `job site`, or a field of it: `job site: update.batch`. */
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function difference(before: Evaluation, after: Evaluation): readonly Difference[] {
  const [left, right] = [named(before), named(after)];
  const names = [...new Set([...left.keys(), ...right.keys()])].sort(compareIds);
  return names.flatMap((name): readonly Difference[] => {
    const [a, b] = [left.get(name), right.get(name)];
    if (a === undefined) return [{ kind: "added", what: name, before: undefined, after: undefined }];
    if (b === undefined) return [{ kind: "removed", what: name, before: undefined, after: undefined }];
    return fieldDifferences(name, a.fields, b.fields);
  });
}

/** Where two declarations of one name differ. */
export const fieldDifferences = (name: string, before: PlainTuple, after: PlainTuple): readonly Difference[] =>
  changes(`${name}: `, before, after);

function named(evaluation: Evaluation): ReadonlyMap<string, Shown> {
  return new Map(shownOf(evaluation).map((one) => [`${one.role} ${one.name}`, one]));
}

function changes(path: string, a: Plain | undefined, b: Plain | undefined): readonly Difference[] {
  if (a !== undefined && b !== undefined && isTuple(a) && isTuple(b)) {
    const prefix = path.endsWith(": ") ? path : `${path}.`;
    return [...new Set([...a.keys(), ...b.keys()])].sort(compareIds).flatMap((name) => changes(prefix + name, a.get(name), b.get(name)));
  }
  if (a !== undefined && b !== undefined && isList(a) && isList(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => changes(`${path}[${i}]`, a[i], b[i])).flat();
  const [before, after] = [a, b].map((value) => (value === undefined ? undefined : plainText(value).replaceAll(/\n */g, " ")));
  if (before === after) return [];
  return [{ kind: before === undefined ? "added" : after === undefined ? "removed" : "changed", what: path, before, after }];
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

/** One line for each change, as people read it. */
export function differenceText(found: readonly Difference[]): string {
  return found
    .map(({ kind, what, before, after }) => {
      const values = [before, after].filter((value) => value !== undefined).join(" -> ");
      return `${SIGNS[kind]} ${what}${values === "" ? "" : ` = ${values}`}\n`;
    })
    .join("");
}
