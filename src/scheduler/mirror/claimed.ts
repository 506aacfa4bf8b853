/** What a scheduler has claimed, as far as the mirror knows: it counts against its cap and its most jobs (Omega §3.4). */
import type { JobId } from "../../base/id.ts";
import type { Scheduler } from "../../cell/state.ts";

export function addJob(scheduler: Scheduler, job: JobId, by: 1 | -1): void {
  const left = (scheduler.claimedJobs.get(job) ?? 0) + by;
  if (left > 0) scheduler.claimedJobs.set(job, left);
  else scheduler.claimedJobs.delete(job);
}
