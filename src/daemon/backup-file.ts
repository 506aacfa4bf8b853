/**
 * A backup as a file: one line for whoever finds it, one line of JSON (which cell, at which position, its keys), and the cell's state as a checkpoint. A
 * checksum covers all of it. Whoever has the file has the cell's keys.
 */
import { createHash } from "node:crypto";
import type { CellFile } from "./data.ts";
import { DataError } from "./data-error.ts";

const FORMAT = 1;
const MAGIC = "openborg backup";
const HEAD_BYTES_MAX = 16 * 2 ** 20;

export interface Backup {
  readonly cell: CellFile;
  /** The state is the one after this entry. */
  readonly position: number;
  /** No leader had a higher one when it was taken. */
  readonly term: number;
  readonly hash: string;
  readonly takenMs: number;
  /** Files of the cell's directory that hold its keys and certificates, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly checkpoint: Uint8Array;
}

export function encodeBackup({ checkpoint, ...rest }: Backup): Uint8Array {
  const notice = `${MAGIC} ${FORMAT} of cell ${rest.cell.cell}. This file holds the cell's keys: whoever has it can be the cell. Keep it as you keep them.\n`;
  const head = `${JSON.stringify({ ...rest, checkpointBytes: checkpoint.length, checksum: checksum(rest, checkpoint) })}\n`;
  return Buffer.concat([Buffer.from(notice), Buffer.from(head), checkpoint]);
}

const checksum = (head: Omit<Backup, "checkpoint">, checkpoint: Uint8Array): string =>
  createHash("sha256")
    .update(JSON.stringify(canonical(head)))
    .update("\0")
    .update(checkpoint)
    .digest("hex");

/** In one order, whatever order they were read in. */
const canonical = ({ cell, position, term, hash, takenMs, keys }: Omit<Backup, "checkpoint">): unknown => [
  sorted(cell),
  position,
  term,
  hash,
  takenMs,
  sorted(keys),
];

const sorted = (record: object): unknown => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** `name`: of the file, for messages. Throws DataError in words that say what to do. */
export function decodeBackup(bytes: Uint8Array, name: string): Backup {
  const [notice, rest] = line(bytes, name);
  const format = new RegExp(`^${MAGIC} (\\d+) `).exec(notice)?.[1];
  if (format === undefined) throw new DataError(`"${name}" is no backup of a cell`, "borg backup FILE makes one");
  if (Number(format) !== FORMAT)
    throw new DataError(`"${name}" has format ${format}, and this build reads ${FORMAT}`, "restore it with the build that made it");
  const [head, checkpoint] = line(rest, name);
  const found = parsed(head, name);
  const { checkpointBytes, checksum: kept, ...backup } = found;
  if (checkpoint.length !== checkpointBytes || checksum(backup, checkpoint) !== kept) throw damaged(name);
  return { ...backup, checkpoint };
}

function line(bytes: Uint8Array, name: string): readonly [string, Uint8Array] {
  const end = bytes.subarray(0, HEAD_BYTES_MAX).indexOf(10);
  if (end === -1) throw new DataError(`"${name}" is no backup of a cell, or not all of it`, "borg backup FILE makes one");
  return [Buffer.from(bytes.subarray(0, end)).toString("utf8"), bytes.subarray(end + 1)];
}

type Head = Omit<Backup, "checkpoint"> & { readonly checkpointBytes: number; readonly checksum: string };

function parsed(text: string, name: string): Head {
  try {
    const head = JSON.parse(text) as Head;
    if (typeof head.cell === "object" && typeof head.keys === "object" && typeof head.checksum === "string") return head;
  } catch {
    // Told below.
  }
  throw damaged(name);
}

const damaged = (name: string): DataError => new DataError(`"${name}" is damaged: its checksum is another`, "use another copy of it");
