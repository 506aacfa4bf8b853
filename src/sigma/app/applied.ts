/** A job's spec with a suggestion of `borg why` in it. Pure: it knows no page. */
import type { ExplainedChange, Resources } from "./shapes.ts";

/** What of a spec suggestions change; everything else stays as it came. */
export interface Spec {
  readonly priority?: number;
  readonly task?: { readonly limit?: Resources };
  readonly constraints?: readonly object[];
  readonly beside?: readonly { readonly job?: string }[];
  readonly spread?: string;
}

/** Undefined: the suggestion says only words, or is not about this spec. */
export function appliedSpec(spec: Spec, change: ExplainedChange): Spec | undefined {
  const { limit, priority, without, spread, beside } = change;
  if (limit !== undefined)
    return spec.task === undefined ? undefined : { ...spec, task: { ...spec.task, limit: { ...spec.task.limit, ...limit } } };
  if (priority !== undefined) return { ...spec, priority };
  if (spread !== undefined) return { ...spec, spread };
  if (without !== undefined) {
    const left = (spec.constraints ?? []).filter((each) => !isSame(each, without));
    return left.length === spec.constraints?.length ? undefined : { ...spec, constraints: left };
  }
  if (beside !== undefined && beside !== "") return { ...spec, beside: (spec.beside ?? []).filter(({ job }) => job !== beside) };
  return undefined;
}

/** Both come from the same cell, with their fields in the same order. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
