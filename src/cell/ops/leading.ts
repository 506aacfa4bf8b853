/** Which framework an op is about, and whether its scheduler is the one that leads. */
import type { JobId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { kindText } from "../spec.ts";
import type { CellState, Job, Led } from "../state.ts";

export interface Framework {
  readonly job: Job;
  readonly led: Led;
}

/** A framework that lives. */
export function findFramework(state: CellState, id: string): Result<Framework> {
  const job = state.jobs.get(id as JobId);
  if (job === undefined) return refused(`Framework "${id}" does not exist: borg ls frameworks shows those that do`);
  const { led } = job;
  if (led === undefined) return refused(`"${id}" is ${kindText(job.spec)}, and no framework: borg ls frameworks shows those that are`);
  if (job.killed) return refused(`Framework "${id}" was torn down: subscribe without an id, as a new one`);
  return ok({ job, led });
}

/** The newest scheduler leads (Mesos §3.6: several may register); what another one asks for is not done. */
export function leading(state: CellState, op: { readonly framework: string; readonly session: number }): Result<Framework> {
  const found = findFramework(state, op.framework);
  if (!found.ok || found.value.led.session === op.session) return found;
  return refused(`Another scheduler of framework "${op.framework}" has subscribed since: only the newest one leads; subscribe again`);
}
