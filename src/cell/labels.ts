/** Labels (Borg §8.1): what users call their jobs and alloc sets by, beside the names. A task has its job's, and what an override says over them. */
import type { Label, Labels as Said } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Selector } from "../wire/selector.ts";
import { unmet } from "./constraint.ts";
import { faceOf } from "./face.ts";
import { labelsProblem } from "./spec.ts";
import type { Face, KeyValue, Task } from "./state.ts";
import { LABELS_EVERYWHERE } from "./version.ts";

export type Labels = ReadonlyMap<string, string>;

/** Whether what has these labels is meant. */
export const selects = (selector: Selector, labels: Labels): boolean => unmet(selector, labels) === undefined;

export const labelMap = (labels: readonly KeyValue[]): Labels => new Map(labels.map(({ key, value }) => [key, value]));

export const jobLabels = ({ wants }: Pick<Face, "wants">): Labels => labelMap(wants.labels);

/** In the order in which they were said; a label of an override takes the place of its job's. */
export function taskLabels(task: Task): Labels {
  const { wants } = faceOf(task);
  const own = wants.overrides.filter(({ first, last, labels }) => labels.length > 0 && first <= task.index && task.index <= last);
  return own.length === 0 ? labelMap(wants.labels) : labelMap([...wants.labels, ...own.flatMap(({ labels }) => labels)]);
}

/** Why a package, a secret or a user cannot be labelled so; undefined: it can. */
export function relabelProblem(version: number, said: Said | undefined): string | undefined {
  if (said === undefined) return undefined;
  if (version < LABELS_EVERYWHERE) return "Cannot label packages, secrets and users yet: not all masters of the cell are upgraded";
  return labelsProblem(said.labels);
}

/** What is said takes the place of all that was there; where nothing is said, that stays. */
export const relabelled = (said: Said | undefined, before: readonly KeyValue[] | undefined): readonly KeyValue[] =>
  said === undefined ? (before ?? []) : said.labels.map(({ key, value }: Label) => ({ key, value }));

export const isLabelledSo = (a: readonly KeyValue[], b: readonly KeyValue[]): boolean =>
  a.length === b.length && a.every(({ key, value }, i) => key === b[i]?.key && value === b[i]?.value);
