/** What roles of frameworks have and are guaranteed, as shares of the cell (Mesos §3.3). Worked out from tasks when somebody asks. */
import { dominantShare } from "../base/share.ts";
import { plus, type Vector, ZERO } from "../base/vector.ts";
import { guaranteeOf } from "./ops/quota.ts";
import type { CellState, Job, Task } from "./state.ts";

export const roleOf = ({ spec }: Job): string | undefined => (spec.kind === "framework" ? spec.framework.role : undefined);

/** Of the whole cell at most, also when it has lost machines since. */
export function guaranteedShare({ roles, capacity }: CellState, name: string): number {
  const role = roles.get(name);
  return role === undefined ? 0 : Math.min(1, dominantShare(guaranteeOf(role), capacity));
}

/** By role, what tasks of its frameworks have, those that stop already left out. */
export function usedByRoles({ jobs }: CellState): Map<string, Vector> {
  const used = new Map<string, Vector>();
  for (const job of jobs.values()) {
    const role = roleOf(job);
    if (role === undefined) continue;
    let sum = used.get(role) ?? ZERO;
    for (const task of job.tasks) if (stays(task)) sum = plus(sum, task.instance?.limit ?? ZERO);
    used.set(role, sum);
  }
  return used;
}

const stays = ({ instance }: Task): boolean => instance !== undefined && instance.stop === undefined;

/** What will be free when all that was revoked has gone. */
export function underRevocation({ machines }: CellState): Vector {
  let sum = ZERO;
  for (const { place } of machines.values())
    for (const { stop, limit } of place.occupants.values()) if (stop?.cause === "revocation") sum = plus(sum, limit);
  return sum;
}

/** The highest of those of its frameworks that live; undefined: it has none. */
export function priorityOfRole({ jobs }: CellState, name: string): number | undefined {
  let most: number | undefined;
  for (const job of jobs.values()) {
    if (roleOf(job) !== name || job.killed) continue;
    most = Math.max(most ?? 0, job.priority);
  }
  return most;
}
