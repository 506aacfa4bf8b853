/** Headers of a tar as we write it: always the same bytes for the same entry. No owner, no time, two modes; a long or foreign name is in an extended header. */
import type { EntryType } from "./paths.ts";
import { BLOCK, sumOf } from "./tar-header.ts";

export interface Written {
  readonly path: string;
  readonly type: EntryType;
  readonly executable: boolean;
  readonly size: number;
  readonly target: string;
}

const LETTERS = { file: "0", hardlink: "1", symlink: "2", directory: "5" } as const;
const NAME_BYTES = 100;
const SIZE_MAX = 8 ** 11 - 1;
const PLAIN = /^[\x20-\x7e]*$/;

/** Two empty blocks. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK);

/** What fills up the last block of a file. */
export const paddingAfter = (size: number): Uint8Array => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

export function headerOf(entry: Written): Uint8Array {
  const path = entry.type === "directory" ? `${entry.path}/` : entry.path;
  const records: [string, string][] = [];
  if (!isPlain(path)) records.push(["path", path]);
  if (!isPlain(entry.target)) records.push(["linkpath", entry.target]);
  if (entry.size > SIZE_MAX) records.push(["size", String(entry.size)]);
  const mode = entry.type === "directory" || entry.executable ? 0o755 : entry.type === "symlink" ? 0o777 : 0o644;
  const own = block(
    isPlain(path) ? path : "long",
    LETTERS[entry.type],
    mode,
    Math.min(entry.size, SIZE_MAX),
    isPlain(entry.target) ? entry.target : "long",
  );
  if (records.length === 0) return own;
  const pax = Buffer.concat(records.map(([key, value]) => paxRecord(key, value)));
  return Buffer.concat([block("long", "x", 0o644, pax.length, ""), pax, paddingAfter(pax.length), own]);
}

const isPlain = (text: string): boolean => text.length <= NAME_BYTES && PLAIN.test(text);

/** The length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function block(name: string, type: string, mode: number, size: number, link: string): Uint8Array {
  const bytes = Buffer.alloc(BLOCK);
  bytes.write(name, 0, "latin1");
  bytes.write(octal(mode, 7), 100, "latin1");
  bytes.write(octal(0, 7), 108, "latin1");
  bytes.write(octal(0, 7), 116, "latin1");
  bytes.write(octal(size, 11), 124, "latin1");
  bytes.write(octal(0, 11), 136, "latin1");
  bytes.write(type, 156, "latin1");
  bytes.write(link, 157, "latin1");
  bytes.write("ustar\x0000", 257, "latin1");
  bytes.write(`${octal(sumOf(bytes), 6)}\0 `, 148, "latin1");
  return bytes;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
