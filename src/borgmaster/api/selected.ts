/** Selectors in requests: what is wrong with one, and what one means. A request whose selector cannot be read reaches no read. */
import { assert } from "../../base/assert.ts";
import { isInstance, type JobId, splitTask, taskOf } from "../../base/id.ts";
import { jobLabels, selects, taskLabels } from "../../cell/labels.ts";
import type { CellState, KeyValue } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import { type Label, LabelSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { parseSelector, type Selector } from "../../wire/selector.ts";

interface Selecting {
  readonly selector: string;
}

const isSelecting = (request: object): request is Selecting => "selector" in request && typeof request.selector === "string";

export function selectorProblem(request: object): string | undefined {
  const parsed = isSelecting(request) ? parseSelector(request.selector) : undefined;
  return parsed?.ok === false ? parsed.reason : undefined;
}

export function selectorIn({ selector }: Selecting): Selector {
  const parsed = parseSelector(selector);
  assert(parsed.ok, "A selector is read before the request that it stands in");
  return parsed.value;
}

/** Whether a job, a task or an instance that is there has such labels. What is something else, or gone, has none. */
export function isSelected(state: CellState, subject: string, selector: Selector): boolean {
  const job = state.jobs.get(subject as JobId);
  if (job !== undefined) return selects(selector, jobLabels(job));
  if (subject.split("/").length !== 3) return false;
  const { job: owner, index } = splitTask(isInstance(subject) ? taskOf(subject) : subject);
  const task = state.jobs.get(owner)?.tasks[index];
  return task !== undefined && selects(selector, taskLabels(task));
}

export const labelViews = (labels: readonly KeyValue[]): Label[] => labels.map(({ key, value }) => make(LabelSchema, { key, value }));
