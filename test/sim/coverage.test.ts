/** What a long run must have met is judged once over all its parts, and a gap among them is not overlooked. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FAULT_KINDS } from "../../src/fauxmaster/options.ts";
import { Tally } from "../../src/fauxmaster/world/tally.ts";
import { coverageProblems, knownProbes, type Met, readMet, together, writeMet } from "./coverage.ts";

/** Every class struck in `percent` of the seeds, and every rare path was taken once. */
function met(first: number, seeds: number, percent: number): Met {
  const [classes, probes] = [new Tally(), new Tally()];
  for (const name of FAULT_KINDS) classes.add(name, (seeds * percent) / 100);
  for (const name of knownProbes()) probes.add(name);
  return { first, seeds, classes, probes };
}

test("a class that strikes too seldom and a path never taken are problems, with a figure that differs from the bound", () => {
  assert.deepEqual(coverageProblems(met(1, 1000, 40)), []);
  const problems = coverageProblems(met(1, 1000, 39.7));
  assert.equal(problems.length, FAULT_KINDS.length);
  assert.match(problems[0] as string, /^Fault class crash struck in 39\.7 % of 1000 seeds, less than 40 %: make it come more often/);
  const { classes } = met(1, 1000, 40);
  assert.ok(knownProbes().length > 30);
  assert.equal(coverageProblems({ seeds: 1000, classes, probes: new Tally() }).length, knownProbes().length);
  assert.deepEqual(coverageProblems({ seeds: 299, classes: new Tally(), probes: new Tally() }), [], "few seeds prove nothing");
});

test("parts are judged together: one below the bound is made up for by others, and what is written is what is read", () => {
  const directory = mkdtempSync(join(tmpdir(), "met-"));
  try {
    const paths = [met(801, 300, 38), met(501, 300, 44)].map((part, k) => {
      const path = join(directory, "deep", `${k}.json`);
      writeMet(path, part);
      return path;
    });
    const whole = together(paths.map(readMet), 501, 600);
    assert.ok(typeof whole !== "string");
    assert.deepEqual([whole.seeds, whole.classes.of("mass"), whole.probes.of(knownProbes()[0] as string)], [600, 246, 2]);
    assert.deepEqual(coverageProblems(whole), []);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a part that is missing, of another commit or too short is said, not passed over", () => {
  const parts = [met(1, 300, 44), met(301, 300, 44), met(601, 300, 44)];
  assert.match(
    String(together([parts[0]!, parts[2]!], 1, 900)),
    /the seeds after 300 are missing; there are some from 601 on\. Run every part/,
  );
  assert.match(String(together(parts, 5001, 900)), /missing/);
  assert.match(String(together(parts.slice(0, 2), 1, 900)), /expected 900 seeds, found 600/);
  assert.match(String(together([], 1, 900)), /expected 900 seeds, found 0/);
});
