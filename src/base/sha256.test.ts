import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Random } from "./random.ts";
import { Sha256 } from "./sha256.ts";

test("Sha256 gives what node:crypto gives, for every length around a block and in any pieces [KD4]", () => {
  const random = new Random(1);
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, () => random.int(0, 256));
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.equal(new Sha256().update(bytes).hex(), expected);
    const cut = random.int(0, length + 1);
    assert.equal(new Sha256().update(bytes.subarray(0, cut)).update(bytes.subarray(cut)).hex(), expected);
  }
});

test("Sha256 of a million bytes", () => {
  const bytes = new Uint8Array(1_000_000).fill(0x61);
  assert.equal(new Sha256().update(bytes).hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
});
