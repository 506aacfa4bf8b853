/** Exact output for evaluation and for error messages: what users see is part of the interface. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { type Case, outputOf, readCases, writeCases } from "./golden.ts";

const FOLDER = new URL("./golden/", import.meta.url);
const ERROR_CASES_MIN = 80;

const names = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

for (const name of names) {
  const url = new URL(name, FOLDER);
  const cases = readCases(url);
  if (process.env["REWRITE"] === "1") {
    writeCases(
      url,
      cases.map((c): Case => ({ ...c, expected: outputOf(c.input) })),
    );
  }
  for (const { title, input, expected } of readCases(url)) {
    test(`${name}: ${title} [U10]`, () => assert.equal(outputOf(input), expected));
  }
}

test("at least 80 error messages are pinned to the letter [bcl.P1] [U10]", () => {
  const errors = names.filter((name) => name.startsWith("error-")).flatMap((name) => readCases(new URL(name, FOLDER)));
  const messages = new Set(errors.map((c) => c.expected.split("\n")[0]!.replace(/^[^ ]* /, "")));
  assert.ok(messages.size >= ERROR_CASES_MIN, `found ${messages.size}`);
});
