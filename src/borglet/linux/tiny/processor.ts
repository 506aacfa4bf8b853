/**
 * The two processors that tiny programs are written for: each says how its machine code has the few steps that they are made of. A register holds 64 bits;
 * of all of them a call of the kernel changes `result` alone. The bytes are held against an assembler's own in processor.test.ts.
 */

export type Register = "a" | "b" | "c" | "d" | "e" | "f" | "result" | "scratch";
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";
export type Call = "read" | "write" | "exit" | "fork" | "setsid" | "close" | "execute" | "wait";
export type Bytes = readonly number[];

export interface Processor {
  /** As the header of a program names it. */
  readonly elf: number;
  readonly calls: Readonly<Record<Call, number>>;
  /** A number from 0 to 2^31 - 1. */
  set(to: Register | Argument, value: number): Bytes;
  move(to: Register | Argument, from: Register): Bytes;
  add(to: Register, what: Register): Bytes;
  subtract(from: Register, what: Register): Bytes;
  compare(one: Register, other: Register): Bytes;
  /** What lies `at` bytes behind where the register points: at most 127, and words at a multiple of 8. */
  loadByte(to: Register, from: Register, at: number): Bytes;
  loadWord(to: Register, from: Register, at: number): Bytes;
  storeByte(what: Register, to: Register, at: number): Bytes;
  /** Where the stack's top is; and room of so many pages of 4 KiB on it. */
  top(to: Register): Bytes;
  room(pages: number): Bytes;
  /** Calls the kernel with the arguments that were set. */
  enter(call: Call): Bytes;
  /** `distance`: from the first byte of this jump to the step that is next then. */
  jump(distance: number): Bytes;
  jumpIf(comparison: Comparison, distance: number): Bytes;
}

/** What a call is given, by its position. */
export type Argument = 0 | 1 | 2 | 3 | 4;

const word = (value: number): Bytes => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255];

const X64_REGISTERS = { a: 3, b: 5, c: 12, d: 13, e: 14, f: 15, result: 0, scratch: 9, 0: 7, 1: 6, 2: 2, 3: 10, 4: 8 } as const;
const X64_STACK = 4;
const X64_JUMPS: Readonly<Record<Comparison, number>> = { "==": 0x84, "!=": 0x85, "<": 0x8c, ">=": 0x8d, "<=": 0x8e, ">": 0x8f };

/** One instruction on two registers, of 64 bits: the prefix has the upper bit of both numbers. */
const onRegisters = (code: Bytes, middle: number, last: number): Bytes => [
  0x48 | ((middle >> 3) << 2) | (last >> 3),
  ...code,
  0xc0 | ((middle & 7) << 3) | (last & 7),
];

/** One on a register and memory; where the memory's register is 4 or 12 one more byte says that there is no index. */
const onMemory = (code: Bytes, register: number, memory: number, at: number, width = 0x48): Bytes => [
  width | ((register >> 3) << 2) | (memory >> 3),
  ...code,
  0x40 | ((register & 7) << 3) | (memory & 7),
  ...((memory & 7) === 4 ? [0x24] : []),
  at,
];

export const X64: Processor = {
  elf: 62,
  calls: { read: 0, write: 1, exit: 231, fork: 56, setsid: 112, close: 3, execute: 59, wait: 61 },
  set: (to, value) => [...onRegisters([0xc7], 0, X64_REGISTERS[to]), ...word(value)],
  move: (to, from) => onRegisters([0x89], X64_REGISTERS[from], X64_REGISTERS[to]),
  add: (to, what) => onRegisters([0x01], X64_REGISTERS[what], X64_REGISTERS[to]),
  subtract: (from, what) => onRegisters([0x29], X64_REGISTERS[what], X64_REGISTERS[from]),
  compare: (one, other) => onRegisters([0x39], X64_REGISTERS[other], X64_REGISTERS[one]),
  loadByte: (to, from, at) => onMemory([0x0f, 0xb6], X64_REGISTERS[to], X64_REGISTERS[from], at),
  loadWord: (to, from, at) => onMemory([0x8b], X64_REGISTERS[to], X64_REGISTERS[from], at),
  storeByte: (what, to, at) => onMemory([0x88], X64_REGISTERS[what], X64_REGISTERS[to], at, 0x40),
  top: (to) => onRegisters([0x89], X64_STACK, X64_REGISTERS[to]),
  room: (pages) => [...onRegisters([0x81], 5, X64_STACK), ...word(pages * 4096)],
  enter: (call) => [...X64.set("result", X64.calls[call]), 0x0f, 0x05],
  // Distances count from the end of the instruction.
  jump: (distance) => [0xe9, ...word(distance - 5)],
  jumpIf: (comparison, distance) => [0x0f, X64_JUMPS[comparison], ...word(distance - 6)],
};

const ARM64_REGISTERS = { a: 19, b: 20, c: 21, d: 22, e: 23, f: 24, result: 0, scratch: 9, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4 } as const;
const ARM64_CALL = 8;
const ARM64_CONDITIONS: Readonly<Record<Comparison, number>> = { "==": 0, "!=": 1, ">=": 10, "<": 11, ">": 12, "<=": 13 };

const setNumbered = (to: number, value: number): Bytes => [
  ...word(0xd2800000 | ((value & 0xffff) << 5) | to),
  ...word(0xf2a00000 | ((value >> 16) << 5) | to),
];
/** Three registers: the last one, the middle one, and where it goes. */
const onThree = (code: number, last: number, middle: number, to: number): Bytes => word(code | (last << 16) | (middle << 5) | to);

export const ARM64: Processor = {
  elf: 183,
  calls: { read: 63, write: 64, exit: 94, fork: 220, setsid: 157, close: 57, execute: 221, wait: 260 },
  set: (to, value) => setNumbered(ARM64_REGISTERS[to], value),
  move: (to, from) => onThree(0xaa000000, ARM64_REGISTERS[from], 31, ARM64_REGISTERS[to]),
  add: (to, what) => onThree(0x8b000000, ARM64_REGISTERS[what], ARM64_REGISTERS[to], ARM64_REGISTERS[to]),
  subtract: (from, what) => onThree(0xcb000000, ARM64_REGISTERS[what], ARM64_REGISTERS[from], ARM64_REGISTERS[from]),
  compare: (one, other) => onThree(0xeb000000, ARM64_REGISTERS[other], ARM64_REGISTERS[one], 31),
  loadByte: (to, from, at) => word(0x39400000 | (at << 10) | (ARM64_REGISTERS[from] << 5) | ARM64_REGISTERS[to]),
  loadWord: (to, from, at) => word(0xf9400000 | ((at / 8) << 10) | (ARM64_REGISTERS[from] << 5) | ARM64_REGISTERS[to]),
  storeByte: (what, to, at) => word(0x39000000 | (at << 10) | (ARM64_REGISTERS[to] << 5) | ARM64_REGISTERS[what]),
  top: (to) => word(0x910003e0 | ARM64_REGISTERS[to]),
  room: (pages) => word(0xd14003ff | (pages << 10)),
  enter: (call) => [...setNumbered(ARM64_CALL, ARM64.calls[call]), ...word(0xd4000001)],
  jump: (distance) => word(0x14000000 | ((distance / 4) & 0x3ffffff)),
  jumpIf: (comparison, distance) => word(0x54000000 | (((distance / 4) & 0x7ffff) << 5) | ARM64_CONDITIONS[comparison]),
};
