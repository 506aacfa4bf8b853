/** What a scheduler and the master say to each other. The master's side lives in borgmaster; third parties speak the same. */

import { assert } from "../base/assert.ts";
import type { FeedItem, Image } from "../cell/feed.ts";
import { encodeOp, schedulerOp, unseal } from "../cell/op.ts";
import type { ClaimAnswer } from "../cell/ops/claims.ts";
import type { Init } from "../wire/codec.ts";
import type { Claim, ClaimSchema } from "../wire/gen/borg/v1/op_pb.ts";

/** A plan for one task: where, at whose expense, and what the scheduler had seen. */
export type PlannedClaim = Init<typeof ClaimSchema>;

export type ToScheduler =
  /** The cell as it is; items follow from the next position on. Whatever was known before is void. */
  | { readonly type: "image"; readonly image: Image }
  | { readonly type: "items"; readonly items: readonly FeedItem[] }
  /** The answer to a transaction: one for each claim, in their order. */
  | { readonly type: "claimed"; readonly id: string; readonly position: number; readonly answers: readonly ClaimAnswer[] }
  /** Refused as a whole (a gang, a scheduler that is not known), or never appended, or nobody knows. The feed shows what is true. */
  | { readonly type: "not-claimed"; readonly id: string; readonly reason: string };

export type FromScheduler =
  /** Asks for an image and all items after it; `from` > 0: for the items from that position on, if they are still there. */
  | { readonly type: "watch"; readonly scheduler: string; readonly from: number }
  /** `op`: an encoded taskClaims op of a scheduler (`claimOp`). */
  | { readonly type: "claim"; readonly id: string; readonly op: Uint8Array };

/** The claims in such an op, for who carries them on in another form. */
export function claimsOf(op: Uint8Array): {
  readonly scheduler: string;
  readonly claims: readonly Claim[];
  readonly allOrNothing: boolean;
} {
  const found = unseal(op);
  assert(found.ok && found.value.op.body.case === "taskClaims", "A scheduler sends claims and nothing else");
  const { actor, body } = found.value.op;
  return { scheduler: actor?.name ?? "", claims: body.value.claims, allOrNothing: body.value.allOrNothing };
}

/** `user`: who claims in its name, when it is not a thread of the master. */
export const claimOp = (scheduler: string, claims: readonly PlannedClaim[], allOrNothing: boolean, user?: string): Uint8Array =>
  encodeOp(schedulerOp(scheduler, { case: "taskClaims", value: { claims: [...claims], allOrNothing } }, user));
