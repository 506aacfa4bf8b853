/**
 * What a master and the lock service say to each other. A grant is a lease and nothing more: it says who should lead, while the journal's
 * term decides whose writes count. `sequence`, if the asker gives one, comes back with the answer: a lease counts from when it was asked
 * for, not from when the answer arrived, and with it the asker can tell an answer to an older question.
 */

export type LockRequest =
  /** Takes the lock if it is free or already mine, for `ttlMs` from now on. `versionMax`: the highest cell version that the asker can do. */
  | { readonly type: "acquire"; readonly who: string; readonly ttlMs: number; readonly versionMax: number; readonly sequence?: number }
  /** Gives it back, if it is mine. Not answered. */
  | { readonly type: "release"; readonly who: string };

export type LockAnswer =
  | { readonly type: "granted"; readonly ttlMs: number; readonly known: KnownVersions; readonly sequence?: number }
  | { readonly type: "denied"; readonly holder: string; readonly leftMs: number; readonly sequence?: number };

/** How many masters ever asked, the holder too, and the lowest of the versions that each of them told last. */
export interface KnownVersions {
  readonly masters: number;
  readonly lowest: number;
}
