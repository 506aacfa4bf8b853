/**
 * Names that were read lately, found by their bytes. The same jobs and machines are named in every message of a cell, and making a string anew costs more
 * than finding the one that is there; a map of names then finds it at once, too, because it is the very string that is its key.
 *
 * A name has one place, by a hash of its bytes, and another with the same hash takes the place over. What stands there is compared byte by byte, so no name
 * is ever taken for another.
 */

/** As many as the machines and jobs of a large cell. */
const PLACES = 2 ** 15;
/** Longer texts hardly come again. */
const LENGTH_MAX = 64;
/** Beyond it a byte is a part of a character. */
const ASCII_MAX = 0x7f;

export class Names {
  readonly #known = new Array<string>(PLACES).fill("");

  /** The text of `length` bytes from `from` on. Undefined: it is long or not plain ASCII, and has to be decoded. */
  at(bytes: Uint8Array, from: number, length: number): string | undefined {
    if (length > LENGTH_MAX) return undefined;
    const place = placeOf(bytes, from, length);
    const known = this.#known[place] as string;
    if (known.length === length && isSame(known, bytes, from)) return known;
    const text = textOf(bytes, from, length);
    if (text !== undefined) this.#known[place] = text;
    return text;
  }
}

function placeOf(bytes: Uint8Array, from: number, length: number): number {
  let hash = length;
  for (let i = from; i < from + length; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
}

/** The last characters of names differ most. */
function isSame(known: string, bytes: Uint8Array, from: number): boolean {
  for (let i = known.length - 1; i >= 0; i--) if (known.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
}

function textOf(bytes: Uint8Array, from: number, length: number): string | undefined {
  const codes = new Array<number>(length);
  for (let i = 0; i < length; i++) {
    const code = bytes[from + i] as number;
    if (code > ASCII_MAX) return undefined;
    codes[i] = code;
  }
  return String.fromCharCode.apply(undefined, codes);
}
