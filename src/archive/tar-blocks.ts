/**
 * The blocks of a tar as they come: headers, what extended (pax) and GNU headers say about the next entry, and contents. It judges no name and no kind: that is for whoever
 * takes the entries. It bounds what it keeps, and keeps no contents.
 */
import { refuse, shown } from "./refusal.ts";
import { BLOCK, type Header, isZero, readHeader, readPax, textOf } from "./tar-header.ts";

export interface RawTaker {
  /** As it is written, with the long names that came before it: nothing of it was looked at. Its contents follow. */
  entry(entry: Header): void;
  /** Of the entry that came last, never empty. */
  data(bytes: Uint8Array): void;
}

/** What says more about the entry that follows: extended headers, and GNU's long path and long target. */
const EXTRAS: ReadonlySet<string> = new Set(["x", "g", "L", "K"]);

type State =
  | { readonly at: "header" }
  | { readonly at: "data"; left: number; padding: number }
  | { readonly at: "extra"; readonly type: string; readonly bytes: Uint8Array; filled: number; padding: number }
  | { readonly at: "padding"; left: number }
  | { readonly at: "end"; zeros: number };

export class TarBlocks {
  readonly #take: RawTaker;
  readonly #extraBytesMax: number;
  readonly #block = new Uint8Array(BLOCK);
  #filled = 0;
  #state: State = { at: "header" };
  /** Said about the next entry. */
  #extra = new Map<string, string>();
  #extraBytes = 0;
  #offset = 0;

  constructor(take: RawTaker, extraBytesMax: number) {
    this.#take = take;
    this.#extraBytesMax = extraBytesMax;
  }

  /** How many bytes came so far; while an entry is taken: where its contents begin. */
  get offset(): number {
    return this.#offset;
  }

  /** Throws an ArchiveRefusal. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) at += this.#step(chunk.subarray(at));
  }

  /** Nothing more comes. Throws an ArchiveRefusal when that is too early. */
  end(): void {
    if (this.#state.at !== "end" || this.#state.zeros < 2) refuse("The archive ends too early: it was cut off");
  }

  /** Answers how many bytes it took: at least one. */
  #step(bytes: Uint8Array): number {
    const state = this.#state;
    switch (state.at) {
      case "header":
      case "end":
        return this.#fillBlock(bytes);
      case "data": {
        const taken = this.#taken(state.left, bytes);
        this.#take.data(bytes.subarray(0, taken));
        state.left -= taken;
        if (state.left === 0) this.#pad(state.padding);
        return taken;
      }
      case "extra": {
        const taken = this.#taken(state.bytes.length - state.filled, bytes);
        state.bytes.set(bytes.subarray(0, taken), state.filled);
        state.filled += taken;
        if (state.filled === state.bytes.length) this.#learn(state.type, state.bytes, state.padding);
        return taken;
      }
      case "padding": {
        const taken = this.#taken(state.left, bytes);
        state.left -= taken;
        if (state.left === 0) this.#state = { at: "header" };
        return taken;
      }
    }
  }

  #taken(wanted: number, bytes: Uint8Array): number {
    const taken = Math.min(wanted, bytes.length);
    this.#offset += taken;
    return taken;
  }

  #fillBlock(bytes: Uint8Array): number {
    const taken = this.#taken(BLOCK - this.#filled, bytes);
    this.#block.set(bytes.subarray(0, taken), this.#filled);
    this.#filled += taken;
    if (this.#filled < BLOCK) return taken;
    this.#filled = 0;
    const zero = isZero(this.#block);
    if (this.#state.at === "end") {
      if (!zero) refuse("Something follows the archive's end");
      this.#state.zeros += 1;
    } else if (zero) {
      if (this.#extra.size > 0) refuse("The archive ends where an entry was announced");
      this.#state = { at: "end", zeros: 1 };
    } else {
      this.#header(readHeader(this.#block));
    }
    return taken;
  }

  #header(header: Header): void {
    if (EXTRAS.has(header.type)) return this.#beginExtra(header);
    const extra = this.#extra;
    this.#extra = new Map();
    this.#extraBytes = 0;
    const size = sizeOf(extra.get("size"), header.size);
    this.#state = size === 0 ? { at: "header" } : { at: "data", left: size, padding: paddingOf(size) };
    this.#take.entry({ ...header, path: extra.get("path") ?? header.path, link: extra.get("linkpath") ?? header.link, size });
  }

  #beginExtra({ type, size }: Header): void {
    this.#extraBytes += BLOCK + size;
    if (size === 0 || this.#extraBytes > this.#extraBytesMax)
      refuse(`An extended header has ${size} bytes: expected 1 to ${this.#extraBytesMax} for an entry`);
    this.#state = { at: "extra", type, bytes: new Uint8Array(size), filled: 0, padding: paddingOf(size) };
  }

  #learn(type: string, bytes: Uint8Array, padding: number): void {
    if (type === "g") refuseGlobal(readPax(bytes));
    else if (type === "x") for (const [key, value] of readPax(bytes)) this.#extra.set(key, value);
    else this.#extra.set(type === "L" ? "path" : "linkpath", textOf(bytes.subarray(0, endOf(bytes))));
    this.#pad(padding);
  }

  #pad(left: number): void {
    this.#state = left === 0 ? { at: "header" } : { at: "padding", left };
  }
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const endOf = (bytes: Uint8Array): number => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes.length : end;
};

function sizeOf(said: string | undefined, size: number): number {
  if (said === undefined) return size;
  const value = /^[0-9]{1,16}$/.test(said) ? Number(said) : Number.NaN;
  return Number.isSafeInteger(value) ? value : refuse(`An extended header gives the size ${shown(said)}`);
}

/** Said of all entries that follow: of paths and sizes that makes no sense. */
function refuseGlobal(records: ReadonlyMap<string, string>): void {
  const [key] = records.keys();
  if (key !== undefined) refuse(`A header for all entries gives them one ${key}`);
}
