/** What other limits between jobs change for those who wait: a machine with a task of a job that has fewer limits than before may take more. */
import type { MachineId } from "../../base/id.ts";
import { type Limiting, noteLimits } from "../../cell/beside.ts";
import type { Job } from "../../cell/state.ts";

/** The specs that tasks of a job go by. */
export const wantsBy = ({ wants, update }: Job): readonly unknown[] => [wants, update?.wants];

/** Machines that may be better now that a job has other specs than `before`. */
export function loosened(limiting: Limiting, job: Job, before: readonly unknown[]): readonly MachineId[] {
  const isLimiting = noteLimits(limiting, job);
  if (!isLimiting || wantsBy(job).every((each, i) => each === before[i])) return [];
  return job.tasks.flatMap(({ instance }) => instance?.place.machine.id ?? []);
}
