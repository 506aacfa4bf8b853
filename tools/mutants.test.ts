import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isTested } from "./mutants/mutant.ts";
import { chosenToday, readTable } from "./mutants/table.ts";
import { MUTANTS } from "./mutants.ts";

test("every planted bug still fits the code: its text stands exactly once in its file", () => {
  const misfits = MUTANTS.filter(({ file, text }) => readFileSync(file, "utf8").split(text).length !== 2).map(({ name }) => name);
  assert.deepEqual(misfits, []);
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  assert.ok(MUTANTS.length >= 25);
});

test("docs/mutants.md has the same bugs in the same order, in the same files, noticed in a way that the rows allow", () => {
  const rows = readTable(readFileSync("docs/mutants.md", "utf8"));
  assert.deepEqual(
    [...rows.keys()],
    MUTANTS.map(({ name }) => name),
  );
  for (const mutant of MUTANTS) {
    const row = rows.get(mutant.name);
    assert.equal(row?.file, mutant.file, mutant.name);
    const ways = isTested(mutant) ? [mutant.suite] : mutant.caughtBy;
    assert.ok(ways.includes(row?.noticedBy ?? ""), `${mutant.name}: noticed by ${row?.noticedBy}, not by ${ways.join(", ")}`);
    assert.ok(isTested(mutant) || Number(row?.where) > 0, `${mutant.name}: first seed ${row?.where}`);
  }
});

test("every suite is a file of tests that make test runs", () => {
  for (const { suite, name } of MUTANTS.filter(isTested)) assert.ok(/\.test\.ts$/.test(suite) && existsSync(suite), `${name}: ${suite}`);
});

test("a few a day go through all of them, some of each kind every day", () => {
  const seen = new Set<string>();
  for (let day = 20_000; day < 20_000 + MUTANTS.length; day++) {
    const today = chosenToday(MUTANTS, day);
    assert.ok(today.some(isTested) && today.some((mutant) => !isTested(mutant)) && today.length <= 4);
    for (const { name } of today) seen.add(name);
  }
  assert.equal(seen.size, MUTANTS.length);
});
