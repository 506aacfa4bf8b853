import assert from "node:assert/strict";
import { test } from "node:test";
import { hushOf, isOverheard } from "./workload-secrets.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("isOverheard() finds a secret's value wherever it stands, and nothing that only looks like one [KA3]", () => {
  for (const text of [hushOf("ann", "db"), `a ${hushOf("bob", "key")}7`, "hhush:", "hush hush:"])
    assert.ok(isOverheard(bytesOf(text)), text);
  for (const text of ["", "hush", "hus:h", "a hush ", "h", "HUSH:"]) assert.ok(!isOverheard(bytesOf(text)), text);
});
