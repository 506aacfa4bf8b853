/** The table of the score's terms and the files that they are in, and what search takes for granted of every term. RUNS multiplies the counts, SEED repeats a failure. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { needOf } from "../../src/scheduler/search/feasible.ts";
import { COST_TERMS, FACT_TERMS, TERMS } from "../../src/scheduler/search/terms.ts";
import { settings } from "../cell/settings.ts";
import { runningCell } from "./running-cell.ts";

const FILES = new URL("../../src/scheduler/search/terms/", import.meta.url);

test("every file of terms/ is a term of the table under its name, and every term of the table has its file [scheduler.S13] [S3]", async () => {
  const names = readdirSync(FILES).map((file) => file.replace(/\.ts$/, ""));
  assert.deepEqual(Object.keys(TERMS).sort(), names.sort());
  for (const name of names) {
    const module: Readonly<Record<string, unknown>> = await import(new URL(`${name}.ts`, FILES).href);
    assert.equal(TERMS[name], module[name], `${name}.ts exports its term by another name`);
  }
  for (const [name, { points }] of Object.entries(TERMS)) assert.ok(points > 0 && points < 100, `${name} is worth ${points} points`);
});

test("no place has less than nothing of a term, nor more than all of it: bounds and the order of search rest on that [scheduler.S13] [scheduler.S4]", () => {
  const seen = new Map(Object.keys(TERMS).map((name) => [name, 0]));
  const expectPart = (name: string, part: number): void => {
    assert.ok(part >= 0 && (part <= 1 || part === Number.POSITIVE_INFINITY), `${name}: ${part}`);
    if (part > 0 && part <= 1) seen.set(name, (seen.get(name) ?? 0) + 1);
  };
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(5, 30), (seed, machines) => {
      const mirror = runningCell(seed, machines);
      const places = mirror.sorted().map((machine) => machine.place);
      const needs = [...mirror.jobs.values()].flatMap(({ tasks }) => tasks.slice(0, 1).map(needOf));
      for (const { name, term } of FACT_TERMS) {
        const facts = term.learn(places.length);
        for (const [slot, place] of places.entries()) facts.describe(slot, place);
        for (const need of needs) for (const part of facts.parts(need) ?? []) expectPart(name, part);
      }
      for (const { name, term } of COST_TERMS)
        for (const need of needs) for (const place of places) expectPart(name, term.costs(need)?.(place) ?? 0);
    }),
    settings(20),
  );
  for (const [name, times] of seen) assert.ok(times > 30, `${name} mattered ${times} times: random-cell.ts must contain what it is about`);
});
