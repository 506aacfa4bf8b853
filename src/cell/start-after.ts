/** A job that starts after another one (Borg §2.3): how that one ended, and what becomes of who waited for it. */
import { AfterFailure, type JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { CellState, Job, Task } from "./state.ts";
import { WANTED_ENDS } from "./version.ts";

type Versioned = Pick<CellState, "version">;

/** How a job ended is what became of the tasks that it wants. Those beyond its count were killed because it wants fewer, and may still be on their way out. */
const ended = ({ version }: Versioned, job: Job): readonly Task[] => (version >= WANTED_ENDS ? job.tasks.slice(0, job.count) : job.tasks);

/** Every task of it has finished. Killed, failed and lost ones have not, nor has a job that is forgotten. */
export const endedWell = (state: Versioned, job: Job | undefined): boolean =>
  job !== undefined && ended(state, job).every(({ cause }) => cause === "finished");

/** Of a job that waited until `prior` was dead. */
export function afterEnd(
  state: Versioned,
  { afterFailure }: Pick<JobSpec, "afterFailure">,
  prior: Job | undefined,
): "start" | "wait" | "fail" {
  if (endedWell(state, prior)) return "start";
  if (afterFailure === AfterFailure.WAIT) return "wait";
  return afterFailure === AfterFailure.FAIL ? "fail" : "start";
}

/** `3 finished, 1 failed`. */
export function endsText(state: Versioned, job: Job | undefined): string {
  const ends = new Map<string, number>();
  for (const { cause } of job === undefined ? [] : ended(state, job)) ends.set(cause, (ends.get(cause) ?? 0) + 1);
  return [...ends.keys()]
    .sort()
    .map((cause) => `${ends.get(cause)} ${cause}`)
    .join(", ");
}
