import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANCES, describeOptions, drawOptions, FAULT_KINDS } from "./options.ts";
import { failureReport } from "./report.ts";
import { remembered } from "./world/frameworks.ts";
import { Kernel } from "./world/kernel.ts";
import { missedProbes } from "./world/probe.ts";
import { USERS } from "./world.ts";

test("Every class of faults is on in at least 42 % of seeds, off in some, and never where it cannot strike", () => {
  const seeds = Array.from({ length: 2000 }, (_, seed) => drawOptions(seed));
  for (const name of FAULT_KINDS) {
    const on = seeds.filter((options) => options.faults.has(name));
    assert.ok(on.length >= 840 && on.length <= 1600, `${name} is on in ${on.length} of 2000`);
    for (const { cell } of on) assert.ok(CHANCES[name][cell] > 0, `${name} in a cell that is ${cell}`);
  }
});

test("A seed always draws the same options, and an override shifts no other draw", () => {
  assert.deepEqual(drawOptions(17), drawOptions(17));
  const { machines, clients, thinkMs } = drawOptions(17);
  const told = drawOptions(17, { machines: 99, faults: new Set() });
  assert.deepEqual([told.machines, told.clients, told.thinkMs], [99, clients, thinkMs]);
  assert.notEqual(machines, 99);
});

test("A failure report has seed, options, the broken invariant, the last events and the command to replay", () => {
  const options = drawOptions(4711);
  const kernel = new Kernel(options);
  kernel.probes.add("rare path");
  kernel.note("message", "b", "a", { type: "ping" });
  kernel.violate({ id: "KD1", text: "an acknowledged submit is gone" });
  const text = failureReport(kernel, options);
  assert.match(text, /^Seed 4711 broke KD1 at 0 ms: an acknowledged submit is gone\n/);
  assert.ok(text.includes(describeOptions(options)));
  assert.match(text, /message b <- a \{"type":"ping"\}/);
  assert.match(text, /\nReplay: make sim SEED=4711\n$/);
  assert.deepEqual(missedProbes(kernel.probes, ["rare path", "rarer path"]), ["rarer path"]);
});

test("Where there are frameworks there are three, and over many seeds each habit is tried", () => {
  const counts = new Map<number, number>();
  const habits = new Map<string, number>();
  for (let seed = 0; seed < 600; seed++) {
    const { frameworks } = drawOptions(seed);
    counts.set(frameworks, (counts.get(frameworks) ?? 0) + 1);
    for (const { habit } of remembered(USERS, seed)) habits.set(habit.name, (habits.get(habit.name) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].sort(), [0, 3]);
  assert.ok((counts.get(3) ?? 0) > 350 && (counts.get(0) ?? 0) > 150, String([...counts]));
  for (const name of ["mixed", "hoards", "declines", "silent", "dies", "twice"]) assert.ok((habits.get(name) ?? 0) > 100, name);
});
