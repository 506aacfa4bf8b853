/** Whose a token is. Tokens are compared by their hashes: what is looked up tells nothing of the secret. */
import { expiryAt } from "../../cell/expiry.ts";
import { isTokenValid } from "../../cell/ops/tokens.ts";
import type { CellState } from "../../cell/state.ts";

/** Undefined for a token that nobody has, that has ended, or that was revoked. */
export function userOfToken(state: CellState, hash: string, nowMs: number): string | undefined {
  for (const user of state.users.values()) {
    const found = user.tokens.get(hash);
    if (found !== undefined) return isTokenValid(found, expiryAt(state, nowMs)) ? user.id : undefined;
  }
  return undefined;
}
