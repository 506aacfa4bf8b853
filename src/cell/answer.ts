/** What an op answers when it was done. */
import type { ClaimAnswer } from "./ops/claims.ts";
import type { LaunchAnswer } from "./ops/launches.ts";

/** `already`: there was nothing to do. `repeated`: it was done before, at that position. */
export type Answer =
  | { readonly type: "done" }
  | { readonly type: "already" }
  | { readonly type: "repeated"; readonly position: number }
  | { readonly type: "submitted"; readonly already: boolean }
  | { readonly type: "claims"; readonly claims: readonly ClaimAnswer[] }
  | { readonly type: "framework"; readonly id: string; readonly session: number }
  | { readonly type: "launches"; readonly launches: readonly LaunchAnswer[] };

export const DONE: Answer = { type: "done" };
export const ALREADY: Answer = { type: "already" };
