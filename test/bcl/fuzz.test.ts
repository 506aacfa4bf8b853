/** Whatever the text: a value or a problem, within a second and within memory. FUZZ=50000 SEED=7 for a long run. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { ok, refused } from "../../src/base/result.ts";
import { evaluateFile } from "../../src/bcl/evaluation.ts";
import { formatText } from "../../src/bcl/format.ts";
import { renderProblems } from "../../src/bcl/problem.ts";
import { showText } from "../../src/bcl/show.ts";
import { runTests } from "../../src/bcl/tests.ts";
import { HOSTILE } from "./hostile.ts";
import { mutate } from "./mutation.ts";

const COUNT = Number(process.env["FUZZ"] ?? 1000);
const SEED = Number(process.env["SEED"] ?? 1);
/** What a person waits for without thinking; the machine that runs the tests may be busy, so it is looked at over the whole. */
const LIMIT_MS = 1000;
const HEAP_BYTES_MAX = 700 * 2 ** 20;

const EXAMPLES = new URL("../../examples/", import.meta.url);
const FILES = new Map(
  readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".bcl"))
    .map((name) => [name, readFileSync(new URL(name, EXAMPLES), "utf8")] as const),
);

/** CPU time, so that a busy machine does not count against us. */
function timed(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Everything that the command can do with a file. */
function exercise(path: string, files: ReadonlyMap<string, string>): { readonly problems: number; readonly text: string } {
  const read = (name: string) => (files.has(name) ? ok(files.get(name)!) : refused("there is no such file"));
  const evaluation = evaluateFile(path, { read }, { user: "ubar" });
  let text = renderProblems(evaluation.problems);
  if (evaluation.problems.length === 0) text = showText(evaluation) + runTests(evaluation).length;
  const formatted = formatText(path, files.get(path)!);
  if (formatted.ok) {
    const again = formatText(path, formatted.text);
    assert.ok(again.ok, "what fmt wrote cannot be parsed");
    assert.equal(again.text, formatted.text);
  }
  return { problems: evaluation.problems.length, text };
}

test(`${COUNT} mutated files give a value or a problem [bcl.E2] [U10]`, (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = new Random(SEED, "bcl-fuzz");
  const texts = [...FILES.values()];
  const names = [...FILES.keys()].filter((name) => !name.includes("/"));
  let slowest = 0;
  let bad = 0;
  for (let i = 0; i < COUNT; i++) {
    const name = random.pick(names);
    const text = mutate(FILES.get(name)!, random, texts);
    try {
      slowest = Math.max(
        slowest,
        timed(() => (bad += exercise(name, new Map([...FILES, [name, text]])).problems > 0 ? 1 : 0)),
      );
    } catch (error) {
      throw new Error(`Run ${i} of seed ${SEED} failed on:\n${text}`, { cause: error });
    }
  }
  const heap = process.memoryUsage().heapUsed;
  t.diagnostic(`${bad} of ${COUNT} had problems, slowest ${slowest.toFixed(0)} ms of CPU, heap ${(heap / 2 ** 20).toFixed(0)} MiB`);
  assert.ok(heap < HEAP_BYTES_MAX, `heap grew to ${heap}`);
  assert.ok(slowest < LIMIT_MS * 3, `slowest took ${slowest} ms`);
});

for (const { name, text, files, expected } of HOSTILE) {
  test(`hostile: ${name} [bcl.E2]`, (t) => {
    const all = new Map([...Object.entries(files ?? {}), ["main.bcl", text]]);
    let output = { problems: 0, text: "" };
    const ms = timed(() => {
      output = exercise("main.bcl", all);
    });
    t.diagnostic(`${ms.toFixed(0)} ms of CPU`);
    assert.ok(output.problems > 0, "expected a problem");
    assert.match(output.text, expected);
    assert.ok(output.text.length < 100_000, "the message is too long to read");
    assert.ok(ms < LIMIT_MS * 3, `took ${ms} ms`);
  });
}
