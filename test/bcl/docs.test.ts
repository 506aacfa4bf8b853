/** docs/bcl.md: every example runs, every output is exact, and the reference is the one that the tables make. REWRITE=1 writes both. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { formatText } from "../../src/bcl/format.ts";
import { referencePage } from "../../src/bcl/reference-page.ts";
import { main } from "../../src/cli/bcl.ts";
import { outputOf } from "./golden.ts";

const PAGE = new URL("../../docs/bcl.md", import.meta.url);
const EXAMPLES = new URL("../../examples/", import.meta.url);
const MARK = '<!-- made by "bcl reference": do not edit below -->\n';

interface Block {
  readonly language: string;
  readonly path: string | undefined;
  readonly text: string;
  /** The output that follows, if one does. */
  readonly output: string | undefined;
}

const FENCE = /```(bcl|json)(?: ([\w./]+))?\n(.*?)```\n(?:```text\n(.*?)```\n)?/gs;

const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(FENCE)].map((m) => ({ language: m[1]!, path: m[2], text: m[3]!, output: m[4] }));

/** Files of the page that are neither BCL nor JSON. */
const OTHERS = /```text ([\w./]+)\n(.*?)```\n/gs;

/** An example may import and read the files that the page shows with a path. */
function run(block: Block, all: readonly Block[]): string {
  const others = [...readFileSync(PAGE, "utf8").matchAll(OTHERS)].map((m) => `--- ${m[1]}\n${m[2]}`);
  const files = [...all.filter((b) => b.path !== undefined).map((b) => `--- ${b.path}\n${b.text}`), ...others];
  return outputOf(block.language === "json" ? `--- main.json\n${block.text}` : `${block.text}${files.join("")}`);
}

if (process.env["REWRITE"] === "1") {
  const page = readFileSync(PAGE, "utf8");
  const all = blocksOf(page);
  const [head] = page.split(MARK);
  let at = 0;
  const written = head!.replace(FENCE, (whole) => {
    const block = all[at++]!;
    return block.output === undefined ? whole : whole.replace(/```text\n.*?```\n$/s, () => `\`\`\`text\n${run(block, all)}\n\`\`\`\n`);
  });
  writeFileSync(PAGE, `${written}${MARK}\n${referencePage()}\n`);
}

const page = readFileSync(PAGE, "utf8");
const all = blocksOf(page);

all.forEach((block, i) => {
  test(`docs/bcl.md, example ${i + 1}: ${block.text.split("\n")[0]} [U10]`, () => {
    const output = run(block, all);
    if (block.output !== undefined) assert.equal(output, block.output.trimEnd());
    else assert.doesNotMatch(output, /^[\w./]+:\d+:\d+: |FAILED/m);
    if (block.language === "bcl") {
      const formatted = formatText("x.bcl", block.text);
      assert.equal(formatted.ok ? formatted.text : "", block.text, "the example is not in form");
    }
  });
});

test("the reference is the one that the tables make: REWRITE=1 node test/bcl/docs.test.ts [bcl.O2] [L4]", () => {
  assert.equal(page.split(MARK)[1], `\n${referencePage()}\n`);
});

for (const name of readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((n) => n.endsWith(".bcl"))
  .sort()) {
  test(`examples/${name} is good, in form, and its tests pass [U10]`, async () => {
    let output = "";
    const say = (text: string): void => {
      output += text;
    };
    const terminal = { cwd: fileURLToPath(new URL("../..", import.meta.url)), print: say, complain: say };
    for (const command of ["check", "test", "fmt"])
      assert.equal(await main([command, `examples/${name}`, "--check", "--user", "ubar"], terminal), 0, output);
  });
}

test("there are at least ten examples, one of them large [U10]", () => {
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith(".bcl"));
  assert.ok(names.length >= 10);
  const shop = readFileSync(new URL("shop.bcl", EXAMPLES), "utf8");
  assert.ok(shop.split("\n").length > 300 && shop.includes("import") && shop.includes("=>") && shop.includes("test "));
});
