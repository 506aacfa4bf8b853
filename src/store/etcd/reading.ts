/** A piece of the journal, and where the journal ended at the same moment. */
import type { JournalEntry } from "../../wire/journal.ts";
import { decodeFirst, decodeHead, decodeTermed, type Keys } from "./keys.ts";
import type { Etcd } from "./port.ts";

/** Entries of one answer: with the largest there may be they are some 45 MB, which the client takes. */
const PAGE_ENTRIES_MAX = 32;
const SMALL_ENTRY_BYTES = 1024;

export type Page =
  | { readonly type: "page"; readonly entries: readonly JournalEntry[]; readonly last: number; readonly revision: number }
  /** History no longer reaches back. */
  | { readonly type: "gone"; readonly reason: string }
  | { readonly type: "failed"; readonly reason: string };

/** Entries from `from` on: at least one if it is there, until they hold `bytesMax`. */
export function readPage(etcd: Etcd, keys: Keys, from: number, bytesMax: number, then: (page: Page) => void): void {
  const limit = Math.min(PAGE_ENTRIES_MAX, Math.max(1, Math.ceil(bytesMax / SMALL_ENTRY_BYTES)));
  const gets = [
    { type: "get", key: keys.head },
    { type: "get", key: keys.first },
    { type: "get", ...keys.entriesFrom(from), limit },
  ] as const;
  etcd.ask({ type: "txn", guards: [], ops: gets, otherwise: [] }, (answer) => {
    if (answer.type !== "txn") return then({ type: "failed", reason: answer.type === "failed" ? answer.reason : "Unexpected answer" });
    const [heads, firsts, found] = answer.found;
    const head = decodeHead(heads?.[0]);
    if (!head.ok) return then({ type: "failed", reason: head.reason });
    const entries = (found ?? []).map(decodeTermed);
    if (from <= head.value.position && entries[0]?.position !== from)
      return then({ type: "gone", reason: `History begins at ${decodeFirst(firsts?.[0])}` });
    then({ type: "page", entries: upTo(entries, bytesMax), last: head.value.position, revision: answer.revision });
  });
}

function upTo(entries: readonly JournalEntry[], bytesMax: number): readonly JournalEntry[] {
  let bytes = 0;
  const after = entries.findIndex(({ payload }, i) => {
    const isFull = i > 0 && bytes >= bytesMax;
    bytes += payload.length;
    return isFull;
  });
  return after === -1 ? entries : entries.slice(0, after);
}
