/** A planted bug is found, its world made smaller, and the command that is printed shows the same failure again. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** The output of the simulation with a bug in it. */
function simulate(mutant: string, args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    const all = ["--import", "./tools/mutate.ts", "test/sim/run.ts", ...args];
    execFileSync(process.execPath, all, {
      env: { ...env, MUTANT: mutant },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "inherit"],
    });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
  return assert.fail("Nothing broke");
}

test("a failing seed is printed in the smallest world that breaks the same invariant", () => {
  const found = simulate("follower skips an op", ["--first", "1", "--seeds", "1", "--shrink", "12"]);
  assert.match(found, /^Seed 1 broke KD4: /m);
  const [, told = ""] = /make sim SEED=1 ARGS="([^"]*)"/.exec(found) ?? assert.fail(found);
  const args = told.split(" ");
  assert.equal(args[args.indexOf("--faults") + 1], "none", told);
  assert.ok(args.includes("--clients") || args.includes("--machines"), told);
  const again = simulate("follower skips an op", ["--seed", "1", ...args]);
  assert.match(again, /^Seed 1 broke KD4 at /m);
});
