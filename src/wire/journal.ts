/**
 * The journal as the master sees it: an append-only, fenced, ordered log of entries, with snapshots beside it.
 * Calls return at once; the answer comes later, through the listener that the journal was made with, in any order
 * between different kinds of calls but in call order for appends. `store/contract.ts` says in tests what every journal must do.
 */

/** Positions count from 1 without gaps. A payload is one encoded `Entry` message. */
export interface JournalEntry {
  readonly position: number;
  readonly term: number;
  readonly payload: Uint8Array;
}

/** The encoded state after the entry at `position`. */
export interface Snapshot {
  readonly position: number;
  readonly payload: Uint8Array;
}

/** An entry's payload may not be larger; the master closes an entry well below. */
export const ENTRY_BYTES_MAX = 1_400_000;

/**
 * Why an append was not acknowledged:
 * - `fenced`: another leader holds a higher term, or the position is taken. Never appended. Step down.
 * - `unavailable`: never appended, safe to send again (disk full, queue full).
 * - `unknown`: it may or may not be there. Append nothing else before the position was read back.
 * - `failed`: the disk can no longer be trusted. This journal answers nothing but `failed` from now on. Exit.
 */
export type AppendFault = "fenced" | "unavailable" | "unknown" | "failed";

/** How full the journal's engine is. `alarm`: tell an operator. `full`: take no more jobs; what keeps the cell running goes on. */
export interface Space {
  readonly level: "fine" | "alarm" | "full";
  readonly reason: string;
}

export type JournalAnswer =
  | { readonly type: "leading"; readonly term: number; readonly last: number }
  | { readonly type: "not-leading"; readonly reason: string }
  | { readonly type: "appended"; readonly position: number }
  | { readonly type: "not-appended"; readonly position: number; readonly fault: AppendFault; readonly reason: string }
  /** Entries `from`, from + 1, ... as far as `bytesMax` went; `last` is the newest durable position there is. */
  | { readonly type: "entries"; readonly from: number; readonly entries: readonly JournalEntry[]; readonly last: number }
  | { readonly type: "not-read"; readonly from: number; readonly reason: string }
  /** Under `term`, still the newest when it was asked: everything that anyone was told is done stands at or before `position`. */
  | { readonly type: "confirmed"; readonly term: number; readonly position: number }
  | { readonly type: "not-confirmed"; readonly term: number; readonly reason: string }
  /** Sent for every durable entry after `follow`, in order, without gap. */
  | { readonly type: "followed"; readonly entry: JournalEntry }
  | { readonly type: "snapshot-saved"; readonly position: number }
  | { readonly type: "snapshot-not-saved"; readonly position: number; readonly reason: string }
  | { readonly type: "snapshot"; readonly snapshot: Snapshot | undefined }
  | { readonly type: "snapshot-not-loaded"; readonly reason: string }
  /** Told unasked, when the level changes; it begins as `fine`. */
  | ({ readonly type: "space" } & Space);

export type JournalListener = (answer: JournalAnswer) => void;

export interface Journal {
  /** Raises the term above every term so far, durably; answers `leading` or `not-leading`. */
  lead(): void;
  /** Appends at exactly `position` = last + 1 under `term`; answers `appended` once durable, else `not-appended`. */
  append(term: number, position: number, payload: Uint8Array): void;
  /**
   * Is `term` still the newest, and how far does the journal go? Answers `confirmed` with a position taken after this call, or `not-confirmed`.
   * A copy at that position or later shows everything that was acknowledged before the call: that is what makes a read linearizable.
   */
  confirm(term: number): void;
  /** Answers `entries` (at least one if there is one at `from`), or `not-read` when history no longer reaches back. */
  read(from: number, bytesMax: number): void;
  /** Answers `followed` for every durable entry from `from` on, until `unfollow`. */
  follow(from: number): void;
  unfollow(): void;
  /** Written beside the old one, read back and verified before the old one goes. The bytes are handed over. */
  saveSnapshot(snapshot: Snapshot): void;
  /** Answers the newest intact snapshot at or before `atMost`, or undefined if there never was one. */
  loadSnapshot(atMost: number): void;
}
