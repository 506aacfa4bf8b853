/** The depth that the machine allows fits into little more than half of the stack that Node gives a program. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = `
const { RECURSIONS } = await import(process.argv[1]);
const { outputOf } = await import(process.argv[2]);
for (const [name, text] of RECURSIONS) {
  const output = outputOf(text + 'job j = { command = ["a"], env = { X = x } }');
  if (!/nested deeper than/.test(output)) throw new Error(name + ": " + output);
}
console.log("ok");
`;

test("the deepest evaluation needs at most 600 KB of stack [bcl.E2]", () => {
  const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const output = execFileSync(
    process.execPath,
    ["--stack-size=600", "--input-type=module", "-e", PROGRAM, file("./hostile.ts"), file("./golden.ts")],
    { encoding: "utf8" },
  );
  assert.equal(output, "ok\n");
});
