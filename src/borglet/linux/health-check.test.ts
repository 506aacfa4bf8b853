import assert from "node:assert/strict";
import { test } from "node:test";
import { askHttp } from "./health-check.ts";

test("a health path that cannot be asked for is an answer in words, and nothing is thrown [borglet.H3] [KB2]", async () => {
  for (const path of ["/\u{1f980} x", "/\n", "\u0000"]) {
    const said = askHttp("127.0.0.1", 1, path, 1000);
    await assert.doesNotReject(said, JSON.stringify(path));
    assert.match(await said, /^Cannot be asked: /);
  }
});
