/** What benches and experiments say of their options, and what they refuse. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PAGES, pageText } from "../../bench/catalogue.ts";
import { cellArgs } from "../../bench/cells/args.ts";
import { OTHER_OPTIONS, parsed } from "../../bench/options.ts";
import { packingArgs } from "../../bench/packing.ts";
import { isUsage } from "../../bench/usage.ts";
import { BENCHES, EXPERIMENTS } from "../../src/cli/commands/completion.ts";

const isOneLine = (error: unknown): boolean => isUsage(error) && !error.message.includes("\n");

test("help of a bench lists its own options with what they do, and nobody else's [S12]", () => {
  const compaction = pageText("compaction", PAGES["compaction"]!);
  assert.match(compaction, /^ {2}--seeds N +how many draws of machines \(11\)$/m);
  assert.match(compaction, /^Examples:\n {2}\$ borg experiment compaction /m);
  assert.ok(!compaction.includes("--pending") && !compaction.includes("--reclamation"), compaction);
  assert.match(pageText("failover", PAGES["failover"]!), /--tasks N +tasks \(200\)/);
  assert.ok(!pageText("start", PAGES["start"]!).includes("--machines"));
});

test("every example of a bench has options that the bench has [S12]", () => {
  for (const [bench, { examples, options }] of Object.entries(PAGES)) {
    assert.ok(examples.length > 0, bench);
    for (const line of examples) {
      const [, kind, name, rest = ""] = /borg (bench|experiment) (\S+)(.*)$/.exec(line) ?? [];
      assert.ok(kind !== undefined && name === bench, line);
      const argv = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
      parsed(bench, argv, options, options);
    }
  }
});

test("what a bench does not have is refused in one line that says where options are listed [S12]", () => {
  const refused = (name: string, ...argv: string[]): void => {
    const said = (error: Error): boolean => isOneLine(error) && error.message.includes(`borg bench ${name} --help`);
    assert.throws(() => parsed(name, argv, PAGES[name]!.options, OTHER_OPTIONS), said, argv.join(" "));
  };
  refused("compaction", "--pending", "5");
  refused("compaction", "--foo");
  refused("compaction", "--constructor=1");
  refused("compaction", "extra");
  refused("compaction", "--seeds", "--json");
  refused("compaction", "--no-cache=3");
  refused("start", "--machines", "3");
  assert.throws(() => packingArgs(["--order", "file"]), /Cannot find option "--order" of packing/);
  assert.throws(() => cellArgs(["--pending", "5"], "compaction"), /Cannot find option "--pending" of compaction/);
});

test("a bench's own default counts, also where others have another [S12]", () => {
  assert.equal(parsed("failover", [], PAGES["failover"]!.options, OTHER_OPTIONS).tasks, "200");
  assert.equal(parsed("failover", [], PAGES["failover"]!.options, OTHER_OPTIONS).machines, "12477");
  assert.equal(parsed("failover", ["--tasks", "3"], PAGES["failover"]!.options, OTHER_OPTIONS).tasks, "3");
});

test("the shell completes every bench and experiment by its name [N9]", () => {
  assert.deepEqual([...BENCHES, ...EXPERIMENTS].sort(), Object.keys(PAGES).sort());
});

/** What is said, how it ends, and that nobody is shown a stack. */
function started(...words: readonly string[]): { readonly code: number | null; readonly said: string; readonly out: string } {
  const main = new URL("../../bench/main.ts", import.meta.url).pathname;
  const { status, stderr, stdout } = spawnSync(process.execPath, [main, ...words], { encoding: "utf8", timeout: 60_000 });
  return { code: status, said: stderr, out: stdout };
}

test("bad words and files end a bench with one line and exit 2, and help with 0 [S12] [X0]", () => {
  const directory = mkdtempSync(join(tmpdir(), "borg-bench-"));
  const [machines, tasks] = [join(directory, "machines.csv"), join(directory, "tasks.csv")];
  writeFileSync(machines, "machine_id,cpu,mem\n1,0.5,0.5\n");
  writeFileSync(tasks, "job,user,priority,cpu,mem\n7,ann,4,0.9,0.1\n");
  const files = ["--machines", machines, "--tasks", tasks];
  for (const [words, expected] of [
    [["compaction", "--seeds", "0"], /--seeds/],
    [["packing", "--only", "foo"], /Cannot find "foo"/],
    [["nonsense"], /Cannot find bench "nonsense"/],
    [["compaction", ...files, "--only", "prod"], /--only prod/],
    [["compaction", ...files], /task "ann\/7-4\/0" asks for .* of cpu/],
    [["schedule", ...files], /task "ann\/7-4\/0" asks for .* of cpu/],
    [["pass", ...files], /task "ann\/7-4\/0" asks for .* of cpu/],
  ] as const) {
    const { code, said, out } = started(...words);
    assert.match(said, expected, words.join(" "));
    assert.deepEqual([code, said.trimEnd().split("\n").length, out], [2, 1, ""], `${words.join(" ")}: ${said}`);
  }
  rmSync(directory, { recursive: true });
  assert.equal(started("packing", "--help").code, 0);
});
