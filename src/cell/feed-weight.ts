/** What an item of the change feed weighs in the memory of whoever keeps it, about 2 KiB a unit: a record, a task, or a KiB of a spec. */
import { type JobId, jobId } from "../base/id.ts";
import type { FeedRecord } from "../wire/gen/borg/v1/feed_pb.ts";
import type { TasksRecord } from "../wire/gen/borg/v1/record_pb.ts";
import type { FeedItem } from "./feed.ts";
import type { CellState } from "./state.ts";

/** Of an item that was just made from this state. */
export const itemWeight = (state: CellState, { records, removed }: FeedItem): number =>
  records.reduce((sum, record) => sum + recordWeight(state, record), 1 + removed.length);

/** Tasks of a framework have their specs with them. */
function launchedWeight({ jobs }: CellState, { job, first, tasks }: TasksRecord): number {
  const known = jobs.get(job as JobId);
  if (known?.led === undefined) return 0;
  const bytes = known.tasks.slice(first, first + tasks.length).reduce((sum, { launched }) => sum + (launched?.spec.bytes ?? 0), 0);
  return Math.floor(bytes / 1024);
}

function recordWeight(state: CellState, { body }: FeedRecord): number {
  if (body.case === "tasks") return body.value.tasks.length + launchedWeight(state, body.value);
  if (body.case !== "job" || body.value.spec.case === "framework") return 1;
  const { user = "", name = "" } = body.value.spec.value ?? {};
  return 1 + Math.floor((state.jobs.get(jobId(user, name))?.specBytes ?? 0) / 1024);
}
