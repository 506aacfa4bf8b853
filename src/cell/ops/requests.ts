/**
 * Request ids: a repeated mutation takes effect once (Borg §4: resubmitting a forgotten request is harmless). Only what was done is
 * remembered; a refusal changed nothing, so asking again asks anew. The last REQUESTS_SURE per user are kept whatever the clock says, because a
 * leader's clock may jump by hours; up to REQUESTS_MAX while they are younger than REQUEST_KEEP_MS. After that an equal spec
 * answers "already there" and a kill of a dead job is done already.
 */
import { userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ActorKind, type Op } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Answer } from "../answer.ts";
import { expiryAt } from "../expiry.ts";
import type { CellState, User } from "../state.ts";
import { DIGESTS_AND_CLOCK } from "../version.ts";

export const REQUESTS_SURE = 100;
export const REQUESTS_MAX = 1000;
export const REQUEST_KEEP_MS = 10 * 60_000;

const requester = (state: CellState, op: Op): User | undefined =>
  op.actor?.kind === ActorKind.USER && op.requestId !== "" ? state.users.get(userId(op.actor.name)) : undefined;

/** What to answer to a request that was done before: "repeated", or a refusal if it was another request. Undefined: it is new. */
export function repeated(state: CellState, op: Op, what: string): Result<Answer> | undefined {
  const before = requester(state, op)?.requests.get(op.requestId);
  if (before === undefined) return undefined;
  if (before.what !== what) return refused(`Request id "${op.requestId}" was used for "${before.what}": take a fresh one`);
  if (state.version >= DIGESTS_AND_CLOCK && differs(before.digest, op.requestDigest))
    return refused(`Request id "${op.requestId}" was used for something else ("${before.what}" with other values): take a fresh one`);
  return ok({ type: "repeated", position: before.position });
}

/** A digest that is missing, as all are below version 2, tells nothing apart. */
const differs = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length > 0 && b.length > 0 && (a.length !== b.length || a.some((byte, i) => byte !== b[i]));

export function remember(state: CellState, op: Op, what: string): void {
  const user = requester(state, op);
  if (user === undefined) return;
  const { requests } = user;
  const nowMs = expiryAt(state, state.timeMs);
  for (const [id, request] of requests) {
    const isOld = nowMs - request.timeMs > REQUEST_KEEP_MS;
    if (requests.size < (isOld ? REQUESTS_SURE : REQUESTS_MAX)) break;
    requests.delete(id);
  }
  const digest = state.version >= DIGESTS_AND_CLOCK ? op.requestDigest : NO_DIGEST;
  requests.set(op.requestId, { position: state.position, timeMs: state.timeMs, what, digest });
}

const NO_DIGEST = new Uint8Array();
