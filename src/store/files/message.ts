/** What the journal's worker thread and its main thread say to each other. Buffers are handed over, never copied. */
import type { JournalAnswer, JournalEntry, Snapshot } from "../../wire/journal.ts";
import type { Cut } from "../log/recovery.ts";
import type { LogOptions } from "../log.ts";

export interface FilesOptions extends Omit<LogOptions, "wall"> {
  readonly directory: string;
}

export type Request =
  /** The first one, once. */
  | { readonly type: "open"; readonly options: FilesOptions }
  | { readonly type: "lead" }
  | { readonly type: "append"; readonly term: number; readonly position: number; readonly payload: Uint8Array }
  | { readonly type: "read"; readonly from: number; readonly bytesMax: number }
  | { readonly type: "follow"; readonly from: number }
  | { readonly type: "unfollow" }
  | { readonly type: "save-snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "load-snapshot"; readonly atMost: number }
  | { readonly type: "close" };

/** What opening found, for the operator's log. */
export interface Opened {
  readonly last: number;
  readonly cut: Cut | undefined;
  readonly damagedSnapshots: readonly string[];
}

export type Reply =
  | { readonly type: "loaded" }
  | { readonly type: "opened"; readonly opened: Opened }
  | { readonly type: "refused"; readonly reason: string; readonly exitCode: number | undefined }
  | { readonly type: "answer"; readonly answer: JournalAnswer }
  | { readonly type: "packed"; readonly from: number; readonly last: number; readonly entries: PackedEntries };

/** Many entries in three buffers: handing over a thousand small ones costs more than reading them. */
export interface PackedEntries {
  readonly terms: Float64Array<ArrayBuffer>;
  readonly lengths: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function packEntries(entries: readonly JournalEntry[]): PackedEntries {
  const lengths = Uint32Array.from(entries, ({ payload }) => payload.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const { payload } of entries) {
    bytes.set(payload, at);
    at += payload.length;
  }
  return { terms: Float64Array.from(entries, ({ term }) => term), lengths, bytes };
}

export function unpackEntries(from: number, { terms, lengths, bytes }: PackedEntries): JournalEntry[] {
  let at = 0;
  return Array.from(lengths, (length, index) => {
    const payload = bytes.subarray(at, at + length);
    at += length;
    return { position: from + index, term: terms[index]!, payload };
  });
}
