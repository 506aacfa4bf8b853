import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c } from "./crc32c.ts";
import { Random } from "./random.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** One bit at a time, straight from the definition. */
function slow(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test("crc32c() gives the known answers of RFC 3720 and the check value", () => {
  assert.equal(crc32c(bytesOf("123456789")), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(0)), 0);
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.equal(crc32c(new Uint8Array(32).fill(0xff)), 0x62a8ab43);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => 31 - i)), 0x113fdb5c);
});

test("crc32c() agrees with the bitwise definition at every length and offset, whole or in parts", () => {
  const random = new Random(1);
  const bytes = Uint8Array.from({ length: 80 }, () => random.int(0, 256));
  for (let start = 0; start < 9; start++) {
    for (let end = start; end <= bytes.length; end++) {
      const expected = slow(bytes.subarray(start, end));
      assert.equal(crc32c(bytes, start, end), expected);
      const middle = random.int(start, end + 1);
      assert.equal(crc32c(bytes, middle, end, crc32c(bytes, start, middle)), expected);
    }
  }
});
