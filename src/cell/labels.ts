/** Labels (Borg §8.1): what users call their jobs and alloc sets by, beside the names. A task has its job's, and what an override says over them. */
import type { Label } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Selector } from "../wire/selector.ts";
import { unmet } from "./constraint.ts";
import { faceOf } from "./face.ts";
import type { Face, Task } from "./state.ts";

export type Labels = ReadonlyMap<string, string>;

/** Whether what has these labels is meant. */
export const selects = (selector: Selector, labels: Labels): boolean => unmet(selector, labels) === undefined;

export const labelMap = (labels: readonly Label[]): Labels => new Map(labels.map(({ key, value }) => [key, value]));

export const jobLabels = ({ wants }: Pick<Face, "wants">): Labels => labelMap(wants.labels);

/** In the order in which they were said; a label of an override takes the place of its job's. */
export function taskLabels(task: Task): Labels {
  const { wants } = faceOf(task);
  const own = wants.overrides.filter(({ first, last, labels }) => labels.length > 0 && first <= task.index && task.index <= last);
  return own.length === 0 ? labelMap(wants.labels) : labelMap([...wants.labels, ...own.flatMap(({ labels }) => labels)]);
}
