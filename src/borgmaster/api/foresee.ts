/**
 * Refusals that need no record in the journal: who asks may not, the cell's version does not know it, or what is asked for is more than is remembered for anyone. Apply would say the same; but
 * whoever is refused again and again must not fill the disk with it. Said only from a copy that is current.
 */
import { userId } from "../../base/id.ts";
import { boundProblem, outgrown } from "../../cell/bounds.ts";
import type { Op } from "../../cell/op.ts";
import { isKnown, permissionProblem, versionProblem } from "../../cell/ops/table.ts";
import { specBytesOf } from "../../cell/spec-weight.ts";
import type { CellState } from "../../cell/state.ts";
import type { FailureCode } from "./message.ts";

export interface Foreseen {
  readonly code: FailureCode;
  readonly reason: string;
}

export function foresee(state: CellState, op: Op): Foreseen | undefined {
  const { actor, body } = op;
  if (actor === undefined || !isKnown(body)) return undefined;
  const problem = permissionProblem(state, actor, body);
  if (problem !== undefined) return { code: "not-permitted", reason: problem };
  const version = versionProblem(state, op);
  if (version !== undefined) return { code: "refused", reason: version };
  if (body.case !== "jobSubmit" || body.value.spec === undefined) return undefined;
  const { spec } = body.value;
  const user = state.users.get(userId(spec.user));
  // Of one that was done before apply tells the same again.
  if (state.users.get(userId(actor.name))?.requests.has(op.requestId)) return undefined;
  const known = state.jobs.get(`${spec.user}/${spec.name}` as never);
  // What is there already, just so, is no growth; apply compares.
  if (user === undefined || (known !== undefined && known.state !== "dead")) return undefined;
  const growth = { jobs: 1, tasks: spec.count, specBytes: specBytesOf(state, { kind: "job", job: spec }) };
  const reason = boundProblem(state, user, growth, outgrown(state, user, growth, known));
  return reason === undefined ? undefined : { code: "refused", reason };
}
