/** Every rule of every SPEC.md is shown by a test that carries its id, with the room before it: [cell.T3]. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const TESTS = globSync(["src/**/*.test.ts", "test/**/*.ts", "src/*/contract.ts"])
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

for (const file of globSync("src/*/SPEC.md")) {
  const room = file.split("/")[1] as string;
  const rules = [...readFileSync(file, "utf8").matchAll(/^- \*\*([A-Z][0-9]+)\*\*/gm)].map((match) => match[1] as string);
  test(`${file}: each of its ${rules.length} rules has a test`, () => {
    assert.ok(rules.length > 0);
    assert.equal(new Set(rules).size, rules.length, "a rule's id is used twice");
    assert.deepEqual(
      rules.filter((rule) => !TESTS.includes(`[${room}.${rule}]`)),
      [],
    );
  });
}
