/**
 * The filter itself: a program in the kernel's packet filter language, which looks at each system call of a task. `make gen` writes it to files that bubblewrap
 * reads; nothing makes one while a borglet runs.
 */
import { ABSENT, type Arch, numberOn, PARTLY, type Partly, REFUSED } from "./calls.ts";

/** linux/audit.h: an ELF machine with the marks for 64 bits and for little endian. */
const AUDIT: Readonly<Record<Arch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of the x32 convention, which has numbers of its own for everything. */
const X32 = 0x40000000;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_BITS = 0x45;
const RETURN = 0x06;

/** Where linux/seccomp.h puts them. */
const AT = { number: 0, arch: 4, arguments: 16 } as const;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

export interface Step {
  readonly code: number;
  /** How many steps are left out when the comparison is true, and when it is not. */
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

const step = (code: number, value: number, yes = 0, no = 0): Step => ({ code, yes, no, value });
const answer = (value: number): Step => step(RETURN, value);

/** What is not named is allowed: programs that were never seen before must run. */
export function filterSteps(arch: Arch): Step[] {
  const numbers = (table: typeof REFUSED): number[] =>
    Object.values(table)
      .map((each) => numberOn(arch, each))
      .filter((number) => number !== undefined);
  const partly = Object.values(PARTLY).flatMap((each) => partlySteps(arch, each));
  return [
    step(LOAD, AT.arch),
    step(JUMP_EQUAL, AUDIT[arch], 1),
    // The other convention of the same processor: its numbers mean something else.
    answer(KILL_PROCESS),
    step(LOAD, AT.number),
    ...(arch === "x64" ? [step(JUMP_AT_LEAST, X32, 0, 1), answer(ERRNO + ENOSYS)] : []),
    ...anyOf(numbers(ABSENT), ERRNO + ENOSYS),
    ...anyOf(numbers(REFUSED), ERRNO + EPERM),
    ...partly,
    answer(ALLOW),
  ];
}

/** Each value jumps to the answer behind the last one; the last one jumps over it. */
function anyOf(values: readonly number[], verdict: number): Step[] {
  const last = values.length - 1;
  return [...values.map((value, i) => step(JUMP_EQUAL, value, last - i, i === last ? 1 : 0)), answer(verdict)];
}

function partlySteps(arch: Arch, { numbers, argument, rule }: Partly): Step[] {
  const judged =
    "bits" in rule
      ? [step(JUMP_BITS, rule.bits, 0, 1), answer(ERRNO + EPERM), answer(ALLOW)]
      : "not" in rule
        ? [...anyOf(rule.not, ERRNO + EPERM), answer(ALLOW)]
        : [...anyOf(rule.only, ALLOW), answer(ERRNO + EPERM)];
  return [step(JUMP_EQUAL, numberOn(arch, numbers) as number, 0, judged.length + 1), step(LOAD, AT.arguments + 8 * argument), ...judged];
}

/** As struct sock_filter: 16, 8, 8 and 32 bits. */
export function filterBytes(arch: Arch): Buffer {
  const steps = filterSteps(arch);
  const bytes = Buffer.alloc(8 * steps.length);
  steps.forEach(({ code, yes, no, value }, i) => {
    bytes.writeUInt16LE(code, 8 * i);
    bytes.writeUInt8(yes, 8 * i + 2);
    bytes.writeUInt8(no, 8 * i + 3);
    bytes.writeUInt32LE(value, 8 * i + 4);
  });
  return bytes;
}
