/** The TextMate grammar knows the same words as the lexer. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { UNITS } from "../../src/bcl/quantity.ts";
import { KEYWORDS, ROLES } from "../../src/bcl/syntax/lexeme.ts";

const TEXT = readFileSync(new URL("../../editors/bcl.tmLanguage.json", import.meta.url), "utf8");

/** Every pattern of the grammar, wherever it stands. */
function patternsOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    ["match", "begin", "end"].includes(key) && typeof inner === "string" ? [inner] : patternsOf(inner),
  );
}

const patterns = patternsOf(JSON.parse(TEXT)).map((source) => new RegExp(source, "m"));
const matchesWhole = (word: string): boolean => patterns.some((pattern) => pattern.exec(word)?.[0] === word);

test("the grammar colours every word, unit and role of the language [U10]", () => {
  for (const word of KEYWORDS) assert.ok(matchesWhole(word), word);
  for (const unit of UNITS) assert.ok(matchesWhole(`12.5${unit.name}`), unit.name);
  for (const role of ROLES) assert.ok(matchesWhole(`${role} hello-web =`), role);
  for (const text of ["test", "import"])
    assert.ok(
      patterns.some((pattern) => pattern.test(`${text} "x"`)),
      text,
    );
});

test("every include of the grammar is there", () => {
  const grammar = JSON.parse(TEXT) as { readonly repository: Readonly<Record<string, unknown>> };
  for (const [, name] of TEXT.matchAll(/"include": "#([a-z]+)"/g)) assert.ok(String(name) in grammar.repository, String(name));
});
