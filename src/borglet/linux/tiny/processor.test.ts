/** Every kind of step for both processors, beside what an assembler (llvm-mc 14) makes of the line that is quoted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ARM64, type Bytes, type Processor, X64 } from "./processor.ts";

type Row = readonly [made: Bytes, line: string, bytes: string];

function check(rows: readonly Row[]): void {
  for (const [made, line, bytes] of rows) assert.equal(Buffer.from(made).toString("hex"), bytes.replaceAll(" ", ""), line);
}

test("Steps for x64 are an assembler's own [borglet.T1] [borglet.T14]", () => {
  check([
    [X64.set("f", 1_000_000), "mov r15, 1000000", "49 c7 c7 40 42 0f 00"],
    [X64.set(0, 9), "mov rdi, 9", "48 c7 c7 09 00 00 00"],
    [X64.move("b", "result"), "mov rbp, rax", "48 89 c5"],
    [X64.move(2, "c"), "mov rdx, r12", "4c 89 e2"],
    [X64.add("e", "d"), "add r14, r13", "4d 01 ee"],
    [X64.subtract("a", "scratch"), "sub rbx, r9", "4c 29 cb"],
    [X64.compare("f", "scratch"), "cmp r15, r9", "4d 39 cf"],
    [X64.loadByte("c", "d", 7), "movzx r12, byte ptr [r13 + 7]", "4d 0f b6 65 07"],
    [X64.loadWord("f", "a", 16), "mov r15, [rbx + 16]", "4c 8b 7b 10"],
    [X64.storeByte("scratch", "c", 127), "mov [r12 + 127], r9b", "45 88 4c 24 7f"],
    [X64.storeByte("scratch", "b", 0), "mov [rbp], r9b", "44 88 4d 00"],
    [X64.top("e"), "mov r14, rsp", "49 89 e6"],
    [X64.room(4), "sub rsp, 16384", "48 81 ec 00 40 00 00"],
    [X64.enter("wait"), "mov rax, 61; syscall", "48 c7 c0 3d 00 00 00 0f 05"],
    [X64.jump(400), "jmp .+400", "e9 8b 01 00 00"],
    [X64.jump(-40), "jmp .-40", "e9 d3 ff ff ff"],
    [X64.jumpIf("==", 8), "je .+8", "0f 84 02 00 00 00"],
    [X64.jumpIf("!=", -8), "jne .-8", "0f 85 f2 ff ff ff"],
    [X64.jumpIf("<", 12), "jl .+12", "0f 8c 06 00 00 00"],
    [X64.jumpIf("<=", -12), "jle .-12", "0f 8e ee ff ff ff"],
    [X64.jumpIf(">", 400), "jg .+400", "0f 8f 8a 01 00 00"],
    [X64.jumpIf(">=", -400), "jge .-400", "0f 8d 6a fe ff ff"],
  ]);
});

test("Steps for arm64 are an assembler's own [borglet.T1] [borglet.T14]", () => {
  check([
    [ARM64.set("f", 1_000_000), "mov x24, #16960; movk x24, #15, lsl #16", "18 48 88 d2 f8 01 a0 f2"],
    [ARM64.set(0, 9), "mov x0, #9; movk x0, #0, lsl #16", "20 01 80 d2 00 00 a0 f2"],
    [ARM64.move("b", "result"), "mov x20, x0", "f4 03 00 aa"],
    [ARM64.move(2, "c"), "mov x2, x21", "e2 03 15 aa"],
    [ARM64.add("e", "d"), "add x23, x23, x22", "f7 02 16 8b"],
    [ARM64.subtract("a", "scratch"), "sub x19, x19, x9", "73 02 09 cb"],
    [ARM64.compare("f", "scratch"), "cmp x24, x9", "1f 03 09 eb"],
    [ARM64.loadByte("c", "d", 7), "ldrb w21, [x22, #7]", "d5 1e 40 39"],
    [ARM64.loadWord("f", "a", 16), "ldr x24, [x19, #16]", "78 0a 40 f9"],
    [ARM64.storeByte("scratch", "b", 127), "strb w9, [x20, #127]", "89 fe 01 39"],
    [ARM64.top("e"), "mov x23, sp", "f7 03 00 91"],
    [ARM64.room(4), "sub sp, sp, #4, lsl #12", "ff 13 40 d1"],
    [ARM64.enter("wait"), "mov x8, #260; movk x8, #0, lsl #16; svc #0", "88 20 80 d2 08 00 a0 f2 01 00 00 d4"],
    [ARM64.jump(400), "b .+400", "64 00 00 14"],
    [ARM64.jump(-40), "b .-40", "f6 ff ff 17"],
    [ARM64.jumpIf("==", 8), "b.eq .+8", "40 00 00 54"],
    [ARM64.jumpIf("!=", -8), "b.ne .-8", "c1 ff ff 54"],
    [ARM64.jumpIf("<", 12), "b.lt .+12", "6b 00 00 54"],
    [ARM64.jumpIf("<=", -12), "b.le .-12", "ad ff ff 54"],
    [ARM64.jumpIf(">", 400), "b.gt .+400", "8c 0c 00 54"],
    [ARM64.jumpIf(">=", -400), "b.ge .-400", "8a f3 ff 54"],
  ]);
});

/** From include/uapi/asm-generic/unistd.h and arch/x86/entry/syscalls/syscall_64.tbl of the kernel. */
test("Calls have the kernel's numbers: fork is clone, wait is wait4, exit ends all threads [borglet.T14]", () => {
  const numbers = ({ calls: { read, write, exit, fork, setsid, close, execute, wait } }: Processor): number[] => [
    ...[read, write, exit, fork],
    ...[setsid, close, execute, wait],
  ];
  assert.deepEqual(numbers(X64), [0, 1, 231, 56, 112, 3, 59, 61]);
  assert.deepEqual(numbers(ARM64), [63, 64, 94, 220, 157, 57, 221, 260]);
});
