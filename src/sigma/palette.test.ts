import assert from "node:assert/strict";
import { test } from "node:test";
import { paletteOf, usersOf } from "./app/palette.ts";
import { QUESTIONS } from "./app/sql/questions.ts";

test("The search finds what is asked most, by any of its words, and each leads to a page [N5]", () => {
  const names = (text: string): readonly string[] => paletteOf(text, 6).map(({ name }) => name);
  assert.deepEqual(names("pending mine"), []);
  assert.deepEqual(names("PENDING my"), ["Show my pending jobs"]);
  assert.deepEqual(names("drain"), ["Show draining machines", "Show drained machines"]);
  assert.deepEqual(names("  "), []);
  assert.ok(names("jobs").includes("Show jobs that need a look"));
  assert.equal(paletteOf("show", 6).length, 6);
  const [asked] = paletteOf("who pushed", 6);
  assert.equal(asked?.kind, "question");
  const question = QUESTIONS.find(({ name }) => name === asked?.name);
  assert.equal(new URL(asked?.path ?? "", "http://cell").searchParams.get("q"), question?.sql);
});

test("The search finds users by a part of their names [N5]", () => {
  const users = ["ann", "Anna", "bob", "hannah"];
  assert.deepEqual(usersOf(users, "ann", 6), ["ann", "Anna", "hannah"]);
  assert.deepEqual([usersOf(users, "ann", 2).length, usersOf(users, " ", 6).length, usersOf(users, "zed", 6).length], [2, 0, 0]);
});
