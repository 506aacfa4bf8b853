/**
 * Request ids: a repeated mutation takes effect once (Borg §4: resubmitting a forgotten request is harmless). Only what was done is
 * remembered; a refusal changed nothing, so asking again asks anew. The last REQUESTS_SURE per user are kept whatever the clock says, because a
 * leader's clock may jump by hours; up to REQUESTS_MAX while they are younger than REQUEST_KEEP_MS. After that an equal spec
 * answers "already there" and a kill of a dead job is done already.
 */
import { userId } from "../base/id.ts";
import { ActorKind, type Op } from "../wire/gen/borg/v1/op_pb.ts";
import type { CellState, Request, User } from "./state.ts";

export const REQUESTS_SURE = 100;
export const REQUESTS_MAX = 1000;
export const REQUEST_KEEP_MS = 10 * 60_000;

const requester = (state: CellState, op: Op): User | undefined =>
  op.actor?.kind === ActorKind.USER && op.requestId !== "" ? state.users.get(userId(op.actor.name)) : undefined;

/** What became of this request the first time, if it is remembered. */
export const remembered = (state: CellState, op: Op): Request | undefined => requester(state, op)?.requests.get(op.requestId);

export function remember(state: CellState, op: Op, what: string): void {
  const user = requester(state, op);
  if (user === undefined) return;
  const { requests } = user;
  for (const [id, request] of requests) {
    const isOld = state.timeMs - request.timeMs > REQUEST_KEEP_MS;
    if (requests.size < (isOld ? REQUESTS_SURE : REQUESTS_MAX)) break;
    requests.delete(id);
  }
  requests.set(op.requestId, { position: state.position, timeMs: state.timeMs, what });
}
