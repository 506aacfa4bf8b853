/**
 * Request ids: a repeated mutation takes effect once (Borg §4: resubmitting a forgotten request is harmless). Only what was done is
 * remembered; a refusal changed nothing, so asking again asks anew. The last REQUESTS_MAX per user are kept, and none
 * longer than REQUEST_KEEP_MS; after that an equal spec answers "already there" and a kill of a dead job is done already.
 */
import { userId } from "../base/id.ts";
import { ActorKind, type Op } from "../wire/gen/borg/v1/op_pb.ts";
import type { CellState, Request, User } from "./state.ts";

export const REQUESTS_MAX = 1000;
export const REQUEST_KEEP_MS = 10 * 60_000;

const requester = (state: CellState, op: Op): User | undefined =>
  op.actor?.kind === ActorKind.USER && op.requestId !== "" ? state.users.get(userId(op.actor.name)) : undefined;

/** What became of this request the first time, if it is remembered. */
export function remembered(state: CellState, op: Op): Request | undefined {
  const request = requester(state, op)?.requests.get(op.requestId);
  return request === undefined || isOld(request, state.timeMs) ? undefined : request;
}

export function remember(state: CellState, op: Op, what: string): void {
  const user = requester(state, op);
  if (user === undefined) return;
  user.requests.delete(op.requestId);
  for (const [id, request] of user.requests) {
    if (user.requests.size < REQUESTS_MAX && !isOld(request, state.timeMs)) break;
    user.requests.delete(id);
  }
  user.requests.set(op.requestId, { position: state.position, timeMs: state.timeMs, what });
}

const isOld = (request: Request, nowMs: number): boolean => nowMs - request.timeMs > REQUEST_KEEP_MS;
