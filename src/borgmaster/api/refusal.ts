/** What kind of no an op got, for callers that act on it: no such thing, no right to it, or refused by the cell. Decided afterwards, from the state that refused. */
import type { JobId, MachineId } from "../../base/id.ts";
import { ownerOf } from "../../cell/cell.ts";
import type { Op } from "../../cell/op.ts";
import { type OpCase, permissionProblem } from "../../cell/ops/users.ts";
import type { CellState } from "../../cell/state.ts";

export type RefusalKind = "not-permitted" | "not-found" | "refused";

export function refusalKind(state: CellState, op: Op): RefusalKind {
  const { actor, body } = op;
  if (actor !== undefined && permissionProblem(state, actor, body.case as OpCase, ownerOf(op)) !== undefined) return "not-permitted";
  if (body.case === "jobKill" || body.case === "jobRestart" || body.case === "jobResize")
    return state.jobs.has(body.value.job as JobId) ? "refused" : "not-found";
  if (body.case === "machineDrain" || body.case === "machineLeave")
    return state.machines.has(body.value.machine as MachineId) ? "refused" : "not-found";
  return "refused";
}
