/** Whose a token is, and who a machine from elsewhere may be. Tokens are compared by their hashes: what is looked up tells nothing of the secret. */
import { machineId } from "../../base/id.ts";
import { expiryAt } from "../../cell/expiry.ts";
import { isOpen } from "../../cell/ops/invitations.ts";
import { isTokenValid } from "../../cell/ops/tokens.ts";
import type { CellState } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import { type Resources, ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";

/** Undefined for a token that nobody has, that has ended, or that was revoked. */
export function userOfToken(state: CellState, hash: string, nowMs: number): string | undefined {
  for (const user of state.users.values()) {
    const found = user.tokens.get(hash);
    if (found !== undefined) return isTokenValid(found, expiryAt(state, nowMs)) ? user.id : undefined;
  }
  return undefined;
}

/** `invited`: its token is good, and is used up by the next step. `unknown`: nobody has said anything of this key. */
export type MachineVerdict = { readonly type: "verdict"; readonly id: string } & (
  | { readonly verdict: "approved"; readonly capacity: Resources }
  | { readonly verdict: "invited" | "unknown" }
  | { readonly verdict: "refused"; readonly reason: string }
);

export interface MayJoin {
  readonly id: string;
  readonly machine: string;
  readonly key: string;
  /** Empty: it shows none. */
  readonly tokenHash: string;
}

/** As what the holder of a key may be a machine of that name. */
export function mayJoin(state: CellState, { id, machine, key, tokenHash }: MayJoin, nowMs: number): MachineVerdict {
  const told = { type: "verdict", id } as const;
  if (state.name === "") return { ...told, verdict: "refused", reason: "The cell is not ready yet: ask again" };
  const there = state.machines.get(machineId(machine));
  if (there !== undefined && there.approval === undefined)
    return { ...told, verdict: "refused", reason: `Machine "${machine}" is of the cell's own directory: choose another name` };
  const found = state.invitations.get(machineId(machine));
  const invitation = found !== undefined && isOpen(found, expiryAt(state, nowMs)) ? found : undefined;
  const approval = there?.approval ?? invitation?.approval;
  if (approval?.key === key) return { ...told, verdict: "approved", capacity: approval.capacity ?? make(ResourcesSchema, {}) };
  if (tokenHash === "") return { ...told, verdict: "unknown" };
  if (invitation?.tokenHash === tokenHash) return { ...told, verdict: "invited" };
  const reason = `The token is not good for machine "${machine}": it was used, has ended, or is for another one; an admin makes another with borg machine invite ${machine}`;
  return { ...told, verdict: "refused", reason };
}
