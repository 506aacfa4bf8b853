/** A tiny program as a list of steps, and as the file that the kernel runs: two headers and the steps, nothing else. It needs no library, no loader and no page of its own but its stack. */
import { assert } from "../../../base/assert.ts";
import type { Argument, Bytes, Call, Comparison, Processor, Register } from "./processor.ts";

type Jump = { readonly to: string; readonly when?: Comparison };
type Step = { readonly bytes: Bytes } | Jump | { readonly label: string };

export class Program {
  readonly #processor: Processor;
  readonly #steps: Step[] = [];

  constructor(processor: Processor) {
    this.#processor = processor;
  }

  set(to: Register, value: number): void {
    this.#add(this.#processor.set(to, value));
  }

  move(to: Register, from: Register): void {
    this.#add(this.#processor.move(to, from));
  }

  add(to: Register, what: Register | number): void {
    this.#add(this.#processor.add(to, this.#held(what)));
  }

  subtract(from: Register, what: Register | number): void {
    this.#add(this.#processor.subtract(from, this.#held(what)));
  }

  loadByte(to: Register, from: Register, at: number): void {
    this.#add(this.#processor.loadByte(to, from, at));
  }

  loadWord(to: Register, from: Register, at: number): void {
    this.#add(this.#processor.loadWord(to, from, at));
  }

  storeByte(what: Register | number, to: Register, at: number): void {
    this.#add(this.#processor.storeByte(this.#held(what), to, at));
  }

  /** Where the kernel left the count of words, the words and the environment. */
  words(to: Register): void {
    this.#add(this.#processor.top(to));
  }

  /** So many pages that nothing else uses. */
  room(to: Register, pages: number): void {
    this.#add(this.#processor.room(pages));
    this.#add(this.#processor.top(to));
  }

  /** The answer is in `result`. That register is the first argument's on one processor, so it cannot be given. */
  call(call: Call, ...given: readonly (Exclude<Register, "result"> | number)[]): void {
    for (const [i, what] of given.entries()) {
      const to = i as Argument;
      this.#add(typeof what === "number" ? this.#processor.set(to, what) : this.#processor.move(to, what));
    }
    this.#add(this.#processor.enter(call));
  }

  label(label: string): void {
    this.#steps.push({ label });
  }

  jump(to: string): void {
    this.#steps.push({ to });
  }

  jumpIf(one: Register, when: Comparison, other: Register | number, to: string): void {
    this.#add(this.#processor.compare(one, this.#held(other)));
    this.#steps.push({ to, when });
  }

  /** The steps alone. */
  code(): Bytes {
    const places = new Map<string, number>();
    let length = 0;
    for (const step of this.#steps) {
      if ("label" in step) {
        assert(!places.has(step.label), `Two steps are called "${step.label}"`);
        places.set(step.label, length);
      } else length += "to" in step ? this.#jump(step, 0).length : step.bytes.length;
    }
    const out: number[] = [];
    for (const step of this.#steps) {
      if ("bytes" in step) out.push(...step.bytes);
      if (!("to" in step)) continue;
      const place = places.get(step.to);
      assert(place !== undefined, `No step is called "${step.to}"`);
      out.push(...this.#jump(step, place - out.length));
    }
    return out;
  }

  /** The file: it is mapped whole, to be read and run, where it says. */
  file(): Uint8Array {
    const code = this.code();
    const bytes = Buffer.alloc(CODE_AT + code.length);
    bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0);
    for (const [at, value] of [
      [16, 2],
      [18, this.#processor.elf],
      [52, HEADER],
      [54, PART],
      [56, 2],
    ] as const)
      bytes.writeUInt16LE(value, at);
    bytes.writeUInt32LE(1, 20);
    bytes.writeBigUInt64LE(BigInt(ADDRESS + CODE_AT), 24);
    bytes.writeBigUInt64LE(BigInt(HEADER), 32);
    writePart(bytes, HEADER, { kind: 1, flags: 5, address: ADDRESS, size: bytes.length, align: 0x10000 });
    // A stack that nothing can be run from.
    writePart(bytes, HEADER + PART, { kind: 0x6474e551, flags: 6, address: 0, size: 0, align: 16 });
    bytes.set(code, CODE_AT);
    return bytes;
  }

  #add(bytes: Bytes): void {
    this.#steps.push({ bytes });
  }

  #held(what: Register | number): Register {
    if (typeof what !== "number") return what;
    this.set("scratch", what);
    return "scratch";
  }

  #jump({ to: _, when }: Jump, distance: number): Bytes {
    return when === undefined ? this.#processor.jump(distance) : this.#processor.jumpIf(when, distance);
  }
}

const HEADER = 64;
const PART = 56;
const CODE_AT = HEADER + 2 * PART;
const ADDRESS = 0x400000;

interface Part {
  readonly kind: number;
  readonly flags: number;
  readonly address: number;
  readonly size: number;
  readonly align: number;
}

function writePart(bytes: Buffer, at: number, { kind, flags, address, size, align }: Part): void {
  bytes.writeUInt32LE(kind, at);
  bytes.writeUInt32LE(flags, at + 4);
  for (const each of [16, 24]) bytes.writeBigUInt64LE(BigInt(address), at + each);
  for (const each of [32, 40]) bytes.writeBigUInt64LE(BigInt(size), at + each);
  bytes.writeBigUInt64LE(BigInt(align), at + 48);
}
