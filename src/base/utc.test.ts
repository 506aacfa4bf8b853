import assert from "node:assert/strict";
import { test } from "node:test";
import { utcText } from "./utc.ts";

test("a moment reads as the calendar says, leap years and centuries included [P5]", () => {
  for (let day = -1000; day < 60_000; day += 13) {
    const timeMs = day * 86_400_000 + 49_500_000;
    assert.equal(utcText(timeMs), `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`);
  }
});
