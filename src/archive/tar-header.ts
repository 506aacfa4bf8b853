/** One block of a tar: the fields of ustar, GNU and old headers, and the records of extended (pax) headers. */
import { refuse, shown } from "./refusal.ts";

export const BLOCK = 512;

const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  link: [157, 100],
  magic: [257, 6],
  prefix: [345, 155],
} as const;

export interface Header {
  readonly path: string;
  readonly link: string;
  readonly mode: number;
  readonly size: number;
  /** The letter of its kind. */
  readonly type: string;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return refuse(`A name is not UTF-8: ${shown(Buffer.from(bytes).toString("latin1"))}`);
  }
}

export const isZero = (block: Uint8Array): boolean => block.every((byte) => byte === 0);

export function readHeader(block: Uint8Array): Header {
  if (numberIn(block, "checksum") !== sumOf(block)) refuse("A header's checksum is wrong: this is no tar, or it is damaged");
  const isUstar = Buffer.from(bytesOf(block, "magic")).toString("latin1") === "ustar\0";
  const prefix = isUstar ? textIn(block, "prefix") : "";
  const name = textIn(block, "name");
  return {
    path: prefix === "" ? name : `${prefix}/${name}`,
    link: textIn(block, "link"),
    mode: numberIn(block, "mode"),
    size: numberIn(block, "size"),
    type: String.fromCharCode(block[FIELDS.type[0]]!),
  };
}

function bytesOf(block: Uint8Array, field: keyof typeof FIELDS): Uint8Array {
  const [at, length] = FIELDS[field];
  return block.subarray(at, at + length);
}

function textIn(block: Uint8Array, field: keyof typeof FIELDS): string {
  const bytes = bytesOf(block, field);
  const end = bytes.indexOf(0);
  return textOf(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Octal digits, or GNU's large numbers, which begin with a set bit. */
function numberIn(block: Uint8Array, field: keyof typeof FIELDS): number {
  const bytes = bytesOf(block, field);
  if ((bytes[0]! & 0x80) !== 0) return largeNumber(bytes, field);
  const text = Buffer.from(bytes).toString("latin1").replace(/\0.*$/s, "").trim();
  if (text === "") return 0;
  if (!/^[0-7]+$/.test(text)) refuse(`Field "${field}" of a header is no number: ${shown(text)}`);
  return Number.parseInt(text, 8);
}

function largeNumber(bytes: Uint8Array, field: string): number {
  if (bytes[0] !== 0x80) refuse(`Field "${field}" of a header is negative, or too large`);
  let value = 0;
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) refuse(`Field "${field}" of a header is too large`);
  }
  return value;
}

/** The field of the checksum itself counts as blanks. */
export function sumOf(block: Uint8Array): number {
  const [at, length] = FIELDS.checksum;
  let sum = 0;
  for (const [i, byte] of block.entries()) sum += i >= at && i < at + length ? 0x20 : byte;
  return sum;
}

/** Records of an extended header: `length key=value`, each ended by a line feed. */
export function readPax(bytes: Uint8Array): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const digits = blank === -1 ? "" : Buffer.from(bytes.subarray(at, blank)).toString("latin1");
    const length = /^[1-9][0-9]{0,6}$/.test(digits) ? Number(digits) : 0;
    const record = bytes.subarray(blank + 1, at + length);
    if (length === 0 || at + length > bytes.length || record.at(-1) !== 0x0a) refuse("An extended header is malformed");
    const equals = record.indexOf(0x3d);
    if (equals < 1) refuse("An extended header has a record without a key");
    const key = textOf(record.subarray(0, equals));
    if (USED.has(key)) found.set(key, textOf(record.subarray(equals + 1, -1)));
    else if (key.startsWith("GNU.sparse.")) refuse("The archive has a sparse file: pack it without holes");
    at += length;
  }
  return found;
}

/** Others say who owned a file and when it was made, which a package does not keep. */
const USED = new Set(["path", "linkpath", "size"]);
