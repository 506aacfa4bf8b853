/** The filter as a kernel would run it, for both processors. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Arch, numberOn, PARTLY, REFUSED } from "./calls.ts";
import { filterBytes } from "./filter.ts";
import { filterPath } from "./path.ts";

const ARCHES: readonly Arch[] = ["x64", "arm64"];
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };
const [ALLOWED, NOT_PERMITTED, NOT_THERE, KILLED] = ["allowed", "not permitted", "not there", "killed"];
const VERDICTS = new Map([
  [0x7fff0000, ALLOWED],
  [0x00050001, NOT_PERMITTED],
  [0x00050026, NOT_THERE],
  [0x80000000, KILLED],
]);

/** Runs the bytes: only the five instructions that the kernel would meet. */
function verdict(bytes: Buffer, audit: number, number: number, values: readonly bigint[] = []): string | undefined {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  values.forEach((value, i) => void data.writeBigUInt64LE(value, 16 + 8 * i));
  let loaded = 0;
  for (let at = 0; at < bytes.length; at += 8) {
    const [code, yes, no, value] = [bytes.readUInt16LE(at), bytes[at + 2]!, bytes[at + 3]!, bytes.readUInt32LE(at + 4)];
    if (code === 0x06) return VERDICTS.get(value);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x15) at += 8 * (loaded === value ? yes : no);
    else if (code === 0x35) at += 8 * (loaded >= value ? yes : no);
    else if (code === 0x45) at += 8 * ((loaded & value) !== 0 ? yes : no);
    else assert.fail(`An instruction of another kind: ${code}`);
  }
  return undefined;
}

for (const arch of ARCHES) {
  const bytes = filterBytes(arch);
  const partly = new Set(Object.values(PARTLY).map(({ numbers }) => numberOn(arch, numbers)));

  test(`The filter for ${arch} is the one that lies beside it (else: make gen) [borglet.X6]`, () => {
    assert.deepEqual(readFileSync(filterPath(arch)), bytes);
  });

  test(`On ${arch} exactly the calls of the table are refused, and clone3 is not there [borglet.X6]`, () => {
    const refused = new Set(Object.values(REFUSED).map((numbers) => numberOn(arch, numbers)));
    for (let number = 0; number < 1000; number++) {
      if (partly.has(number)) continue;
      const expected = number === 435 ? NOT_THERE : refused.has(number) ? NOT_PERMITTED : ALLOWED;
      assert.equal(verdict(bytes, AUDIT[arch], number), expected, `call ${number}`);
    }
  });

  test(`On ${arch} clone, ioctl, socket and personality are refused for some values only, whatever the upper half of the argument says [borglet.X6]`, () => {
    const ask = (name: string, value: bigint): string | undefined => {
      const { numbers, argument } = PARTLY[name]!;
      const values = [0n, 0n, 0n];
      values[argument] = value;
      return verdict(bytes, AUDIT[arch], numberOn(arch, numbers)!, values);
    };
    const HIGH = 1n << 63n;
    const [THREAD, FORK] = [0x3d0f00n, 0x1200011n];
    for (const value of [THREAD, FORK, HIGH + FORK]) assert.equal(ask("clone", value), ALLOWED);
    for (const bit of [17n, 25n, 26n, 27n, 28n, 29n, 30n]) assert.equal(ask("clone", HIGH + FORK + (1n << bit)), NOT_PERMITTED);
    assert.deepEqual([ask("ioctl", 0x5401n), ask("ioctl", 0x5412n), ask("ioctl", HIGH + 0x541cn)], [ALLOWED, NOT_PERMITTED, NOT_PERMITTED]);
    for (const family of [1n, 2n, 10n, 16n]) assert.equal(ask("socket", family), ALLOWED);
    for (const family of [15n, 17n, 38n, 40n, 44n]) assert.equal(ask("socket", HIGH + family), NOT_PERMITTED);
    assert.deepEqual(
      [ask("personality", 0n), ask("personality", 0xffffffffn), ask("personality", 0x400000n)],
      [ALLOWED, ALLOWED, NOT_PERMITTED],
    );
  });

  test(`On ${arch} a call of another convention ends the program or is not there [borglet.X6]`, () => {
    const other = ARCHES.find((each) => each !== arch)!;
    assert.equal(verdict(bytes, AUDIT[other], 0), KILLED);
    assert.equal(verdict(bytes, 0x40000003, 0), KILLED, "i386");
    if (arch === "x64") assert.equal(verdict(bytes, AUDIT.x64, 0x40000000 + 165), NOT_THERE, "x32");
  });
}
