/**
 * Where everything stands in etcd, and how it is written. All keys of a cell begin with `openborg/<cell>/`:
 *
 *   head                  "1 <term> <position>": format, the newest term, the last entry
 *   first                 "<position>": the oldest entry that is still there; without the key: 1
 *   entry/<16 digits>     8 bytes term (float64, big-endian), then the payload
 *   lock                  "<replica>", under a lease: who should lead
 *   replica/<name>        "<cell version that it can do>"
 *   snapshot/<name>       "<position>:<hash> <position>:<hash>": the verified snapshots on that replica's disk, newest first
 *   master/<n>            JSON: the address and the public key of a master on another machine (src/daemon/roster.ts)
 *   authority             JSON: how far the masters of several machines are in exchanging the cell's authority (src/daemon/authority-note.ts)
 *   invited/<hash>        "<until>": a one-time token with which a master may join, by its SHA-256
 */
import { ok, type Result, refused } from "../../base/result.ts";
import type { JournalEntry } from "../../wire/journal.ts";
import type { KeyRange, KeyValue } from "./port.ts";

const FORMAT = 1;
const TERM_BYTES = 8;
const DIGITS = 16;
/** "/" + 1: the end of a range of keys that begin with a folder's name. */
const AFTER_SLASH = "0";

export interface Head {
  readonly term: number;
  readonly position: number;
}

export interface SnapshotMark {
  readonly position: number;
  readonly hash: string;
}

export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

export class Keys {
  readonly #prefix: string;

  constructor(cell: string) {
    this.#prefix = `openborg/${cell}`;
  }

  get head(): string {
    return `${this.#prefix}/head`;
  }

  get first(): string {
    return `${this.#prefix}/first`;
  }

  get lock(): string {
    return `${this.#prefix}/lock`;
  }

  entry(position: number): string {
    return `${this.#prefix}/entry/${String(position).padStart(DIGITS, "0")}`;
  }

  entriesFrom(position: number): KeyRange & { readonly end: string } {
    return { key: this.entry(position), end: `${this.#prefix}/entry${AFTER_SLASH}` };
  }

  replica(name: string): string {
    return `${this.#prefix}/replica/${name}`;
  }

  get replicas(): KeyRange {
    return { key: this.replica(""), end: `${this.#prefix}/replica${AFTER_SLASH}` };
  }

  snapshot(name: string): string {
    return `${this.#prefix}/snapshot/${name}`;
  }

  master(replica: number): string {
    return `${this.#prefix}/master/${replica}`;
  }

  get masters(): KeyRange {
    return { key: `${this.#prefix}/master/`, end: `${this.#prefix}/master${AFTER_SLASH}` };
  }

  get authority(): string {
    return `${this.#prefix}/authority`;
  }

  invited(tokenHash: string): string {
    return `${this.#prefix}/invited/${tokenHash}`;
  }

  get invitations(): KeyRange {
    return { key: this.invited(""), end: `${this.#prefix}/invited${AFTER_SLASH}` };
  }

  /** The last word of a key: which replica it is about. */
  nameOf({ key }: KeyValue): string {
    return key.slice(key.lastIndexOf("/") + 1);
  }

  get snapshots(): KeyRange {
    return { key: this.snapshot(""), end: `${this.#prefix}/snapshot${AFTER_SLASH}` };
  }
}

export const encodeHead = ({ term, position }: Head): Uint8Array => bytesOf(`${FORMAT} ${term} ${position}`);

/** Without the key nobody ever led. */
export function decodeHead(found: KeyValue | undefined): Result<Head> {
  if (found === undefined) return ok({ term: 0, position: 0 });
  const text = textOf(found.value);
  const parts = /^([0-9]+) ([0-9]+) ([0-9]+)$/.exec(text);
  if (parts === null) return refused(`Key "${found.key}" of etcd holds "${text.slice(0, 40)}", which is no head of a journal`);
  if (Number(parts[1]) !== FORMAT) return refused(`The journal in etcd has format ${parts[1]}, and this version knows format ${FORMAT}`);
  return ok({ term: Number(parts[2]), position: Number(parts[3]) });
}

export const encodeFirst = (position: number): Uint8Array => bytesOf(String(position));
export const decodeFirst = (found: KeyValue | undefined): number => (found === undefined ? 1 : Number(textOf(found.value)));

export function encodeTermed(term: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(TERM_BYTES + payload.length);
  new DataView(bytes.buffer).setFloat64(0, term);
  bytes.set(payload, TERM_BYTES);
  return bytes;
}

export function decodeTermed({ key, value }: KeyValue): JournalEntry {
  const term = new DataView(value.buffer, value.byteOffset, value.byteLength).getFloat64(0);
  return { position: Number(key.slice(-DIGITS)), term, payload: value.slice(TERM_BYTES) };
}

export const encodeMarks = (marks: readonly SnapshotMark[]): Uint8Array =>
  bytesOf(marks.map(({ position, hash }) => `${position}:${hash}`).join(" "));

export function decodeMarks({ value }: KeyValue): readonly SnapshotMark[] {
  const words = textOf(value).split(" ");
  return words.flatMap((word) => {
    const [, position, hash] = /^([0-9]+):([0-9a-f]+)$/.exec(word) ?? [];
    return position === undefined || hash === undefined ? [] : [{ position: Number(position), hash }];
  });
}
