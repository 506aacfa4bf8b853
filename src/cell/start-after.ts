/** A job that starts after another one (Borg §2.3): how that one ended, and what becomes of who waited for it. */
import { AfterFailure, type JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Job } from "./state.ts";

/** Every task of it has finished. Killed, failed and lost ones have not, nor has a job that is forgotten. */
export const endedWell = (job: Job | undefined): boolean => job?.tasks.every(({ cause }) => cause === "finished") ?? false;

/** Of a job that waited until `prior` was dead. */
export function afterEnd({ afterFailure }: Pick<JobSpec, "afterFailure">, prior: Job | undefined): "start" | "wait" | "fail" {
  if (endedWell(prior)) return "start";
  if (afterFailure === AfterFailure.WAIT) return "wait";
  return afterFailure === AfterFailure.FAIL ? "fail" : "start";
}

/** `3 finished, 1 failed`. */
export function endsText(job: Job | undefined): string {
  const ends = new Map<string, number>();
  for (const { cause } of job?.tasks ?? []) ends.set(cause, (ends.get(cause) ?? 0) + 1);
  return [...ends.keys()]
    .sort()
    .map((cause) => `${ends.get(cause)} ${cause}`)
    .join(", ");
}
