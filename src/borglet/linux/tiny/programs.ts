/**
 * The two programs that wait beside every task as long as it lives. Others could do what they do, but each of those needs some 100 KiB that nobody shares, for the libraries
 * that it is made with; these need their stack.
 */

import { ARM64, type Processor, type Register, X64 } from "./processor.ts";
import { Program } from "./program.ts";

export type Arch = "x64" | "arm64";

const PROCESSORS: Readonly<Record<Arch, Processor>> = { x64: X64, arm64: ARM64 };
const PAGE_BYTES = 4096;

/** What the log copier takes at once, and how often before it ends. */
export const BLOCK_BYTES = 4 * PAGE_BYTES;
export const BLOCKS = 256;
/** It says how many bytes it wrote in so many digits. */
export const COUNT_DIGITS = 7;
/** How it ends: it took all its blocks, there is nothing more to come, and it could not write (the rest of one block is lost then). */
export const COPIED = { full: 0, ended: 3, failed: 2 } as const;

/** Copies from its input to its output, at most so many blocks, and says on the third descriptor how many bytes that were. */
export function logCopier(arch: Arch): Uint8Array {
  const program = new Program(PROCESSORS[arch]);
  const [buffer, written, blocks, left, at, code] = ["a", "b", "c", "d", "e", "f"] as const;
  program.room(buffer, BLOCK_BYTES / PAGE_BYTES);
  program.set(written, 0);
  program.set(blocks, BLOCKS);
  program.label("block");
  program.call("read", 0, buffer, BLOCK_BYTES);
  program.move(left, "result");
  program.set(code, COPIED.ended);
  program.jumpIf(left, "<=", 0, "end");
  program.move(at, buffer);
  program.set(code, COPIED.failed);
  program.label("write");
  program.call("write", 1, at, left);
  program.jumpIf("result", "<=", 0, "end");
  program.add(at, "result");
  program.add(written, "result");
  program.subtract(left, "result");
  program.jumpIf(left, ">", 0, "write");
  program.subtract(blocks, 1);
  program.jumpIf(blocks, ">", 0, "block");
  program.set(code, COPIED.full);
  program.label("end");
  digits(program, written, COUNT_DIGITS, { buffer, at: 0, digit: blocks });
  program.call("write", 2, buffer, COUNT_DIGITS);
  program.call("exit", code);
  return program.file();
}

/** Whoever waits hears of it through this descriptor; the program that is waited for does not get it. */
export const WORD_DESCRIPTOR = 9;
const SIGCHLD = 17;
const CORE = 128;
const NOT_RUN = 127;

/**
 * Runs the program that its words name, in a session of its own, waits for it, and tells in one line how it ended: "exit 003" or "signal 009". A shell would
 * call both 137 that may be a death by signal 9 or a code of that number. It ends with the code that a shell would give.
 */
export function witness(arch: Arch): Uint8Array {
  const program = new Program(PROCESSORS[arch]);
  const [words, child, buffer, signal, code, more] = ["a", "b", "c", "d", "e", "f"] as const;
  program.words(words);
  program.call("fork", SIGCHLD, 0, 0, 0, 0);
  program.move(child, "result");
  program.jumpIf(child, "==", 0, "child");
  program.room(buffer, 1);
  program.call("wait", child, buffer, 0, 0);
  program.jumpIf("result", "<", 0, "none");
  program.loadByte(signal, buffer, 0);
  program.loadByte(code, buffer, 1);
  program.jumpIf(signal, "<", CORE, "whole");
  program.subtract(signal, CORE);
  program.label("whole");
  program.jumpIf(signal, "==", 0, "exit");
  told(program, "signal ", signal, { buffer, digit: more });
  program.move(code, signal);
  program.add(code, CORE);
  program.call("exit", code);
  program.label("exit");
  told(program, "exit ", code, { buffer, digit: more });
  program.call("exit", code);

  program.label("child");
  program.call("setsid");
  program.call("close", WORD_DESCRIPTOR);
  // The stack has a count of n words, the words, an empty one, and the environment: that begins 8 (n + 2) bytes above.
  program.loadWord(code, words, 0);
  for (let doubled = 1; doubled < 8; doubled *= 2) program.add(code, code);
  program.add(code, words);
  program.add(code, 16);
  program.loadWord(more, words, 16);
  program.add(words, 16);
  program.call("execute", more, words, code);
  program.label("none");
  program.call("exit", NOT_RUN);
  return program.file();
}

interface Text {
  readonly buffer: Register;
  readonly at: number;
  /** For its own use. */
  readonly digit: Register;
}

/** Writes a number into the buffer, with zeros before it. The number is used up. */
function digits(program: Program, number: Register, count: number, { buffer, at, digit }: Text): void {
  for (let i = 0; i < count; i++) {
    const [more, done] = [`digit ${at} ${i}`, `digit ${at} ${i} done`];
    program.set(digit, 48);
    program.label(more);
    program.jumpIf(number, "<", 10 ** (count - 1 - i), done);
    program.subtract(number, 10 ** (count - 1 - i));
    program.add(digit, 1);
    program.jump(more);
    program.label(done);
    program.storeByte(digit, buffer, at + i);
  }
}

/** One line by one write. The number is there again afterwards. */
function told(program: Program, word: string, number: "d" | "e", { buffer, digit }: Omit<Text, "at"> & { readonly buffer: "c" }): void {
  const text = `${word}000\n`;
  for (const [i, byte] of Buffer.from(text).entries()) program.storeByte(byte, buffer, i);
  program.move("b", number);
  digits(program, number, 3, { buffer, at: word.length, digit });
  program.move(number, "b");
  program.call("write", WORD_DESCRIPTOR, buffer, text.length);
}
