import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../../base/env.ts";
import { DiskError } from "../../base/env.ts";
import type { Journal, JournalAnswer } from "../../wire/journal.ts";
import { EmbeddedJournals, SharedJournals } from "./journals.ts";
import { Kernel } from "./kernel.ts";
import { Network } from "./network.ts";
import { type Birth, Process } from "./process.ts";

const nobody: Actor<never> = { start() {}, onMessage() {}, onTimer() {} };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One master that only holds a journal. */
function master(
  kernel: Kernel,
  name: string,
  open: (birth: Birth, listener: (answer: JournalAnswer) => void) => Journal,
  onDeath?: (power: boolean) => void,
) {
  const heard: JournalAnswer[] = [];
  const held: { journal?: Journal } = {};
  const unit = new Process(kernel, new Network(kernel), {
    name,
    factory: (birth) => {
      held.journal = open(birth, (answer) => heard.push(answer));
      return new Map([[name, nobody]]);
    },
    mayFail: (error) => error instanceof DiskError,
    ...(onDeath === undefined ? {} : { onDeath }),
  });
  unit.start();
  return { unit, heard, journal: () => held.journal!, last: () => heard.at(-1) };
}

function embedded(seed = 1) {
  const kernel = new Kernel({ seed });
  const disk = new EmbeddedJournals(kernel, "sim");
  const one = master(
    kernel,
    "master/0",
    (birth, listener) => disk.open(birth, () => 1000, listener),
    (power) => (power ? disk.powerCut() : undefined),
  );
  return { kernel, disk, ...one };
}

test("An embedded journal survives kill and power cut with all it acknowledged, whatever was under way", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const { kernel, unit, heard, journal } = embedded(seed);
    let acknowledged = 0;
    for (let life = 0; life < 6; life++) {
      journal().lead();
      kernel.run(kernel.nowMs + 100);
      const leading = heard.at(-1)!;
      assert.equal(leading.type, "leading");
      const { term, last } = leading as { term: number; last: number };
      assert.ok(last >= acknowledged, `seed ${seed}: ${acknowledged} were acknowledged, ${last} are there`);
      for (let i = 1; i <= 5; i++) kernel.after(i * 3, () => journal().append(term, last + i, bytes(`entry ${last + i}`)));
      kernel.run(kernel.nowMs + kernel.streams.of("test").int(0, 30));
      acknowledged = heard.reduce((most, answer) => (answer.type === "appended" ? Math.max(most, answer.position) : most), acknowledged);
      unit.crash(life % 2 === 0);
      heard.length = 0;
      kernel.run(kernel.nowMs + 200);
      assert.deepEqual(heard, [], "the dead hear nothing");
      unit.start();
    }
    assert.equal(kernel.violation, undefined);
  }
});

test("A failed sync kills the journal until the process starts again; a full disk does not", () => {
  const { kernel, disk, unit, journal, last } = embedded();
  journal().lead();
  kernel.run(100);
  disk.syncFailure = 1;
  journal().append(1, 1, bytes("x"));
  kernel.run(200);
  assert.equal((last() as { fault?: string }).fault, "failed");
  disk.heal();
  journal().append(1, 1, bytes("x"));
  kernel.run(300);
  assert.equal((last() as { fault?: string }).fault, "failed");
  unit.crash();
  unit.start();
  journal().lead();
  kernel.run(400);
  assert.equal(last()?.type, "leading");
  const { term, last: end } = last() as { term: number; last: number };
  disk.full = true;
  let position = end + 1;
  for (; position < end + 200; position++) {
    journal().append(term, position, new Uint8Array(2000));
    kernel.run(kernel.nowMs + 20);
    if (last()?.type === "not-appended") break;
  }
  assert.equal((last() as { fault?: string }).fault, "unavailable");
  disk.heal();
  journal().append(term, position, bytes("x"));
  kernel.run(kernel.nowMs + 20);
  assert.deepEqual(last(), { type: "appended", position });
});

test("Masters share one store: the new leader fences the old one, and both hear every entry in order", () => {
  const kernel = new Kernel({ seed: 2 });
  const shared = new SharedJournals(kernel);
  const [a, b] = ["master/0", "master/1"].map((name) => master(kernel, name, (birth, listener) => shared.open(birth, listener)));
  a!.journal().lead();
  b!.journal().follow(1);
  kernel.run(50);
  a!.journal().append(1, 1, bytes("one"));
  kernel.run(100);
  assert.equal(b!.last()?.type, "followed");
  b!.journal().lead();
  kernel.run(150);
  a!.journal().append(1, 2, bytes("two"));
  kernel.run(200);
  assert.equal((a!.last() as { fault?: string }).fault, "fenced");
});

test("A master cut off from the store gets unknown and unavailable, and what it followed arrives afterwards in order", () => {
  const kernel = new Kernel({ seed: 2 });
  const shared = new SharedJournals(kernel);
  const [a, b] = ["master/0", "master/1"].map((name) => master(kernel, name, (birth, listener) => shared.open(birth, listener)));
  a!.journal().lead();
  b!.journal().follow(1);
  kernel.run(50);
  shared.cutOff("master/1");
  for (let position = 1; position <= 3; position++) a!.journal().append(1, position, bytes("x"));
  b!.journal().read(1, 100);
  kernel.run(2000);
  assert.deepEqual(
    b!.heard.map(({ type }) => type),
    ["not-read"],
  );
  shared.reconnect("master/1");
  kernel.run(2100);
  const followed = b!.heard.filter((answer) => answer.type === "followed").map(({ entry }) => entry.position);
  assert.deepEqual(followed, [1, 2, 3]);
  shared.cutOff("master/0");
  a!.journal().append(1, 4, bytes("x"));
  kernel.run(5000);
  assert.equal((a!.last() as { fault?: string }).fault, "unknown");
});

test("An abandoned handle hears nothing, and its last append may land", () => {
  const kernel = new Kernel({ seed: 2 });
  const shared = new SharedJournals(kernel);
  const a = master(
    kernel,
    "master/0",
    (birth, listener) => shared.open(birth, listener),
    () => shared.abandon("master/0"),
  );
  a.journal().lead();
  kernel.run(50);
  a.heard.length = 0;
  a.journal().append(1, 1, bytes("x"));
  a.unit.crash();
  a.unit.start();
  kernel.run(100);
  assert.deepEqual(a.heard, []);
  assert.equal(shared.store.last, 1);
});
