import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalAnswer } from "../wire/journal.ts";
import { bytes, text } from "./fixture.test.ts";
import type { MemoryJournal } from "./memory-journal.ts";
import { type DelayClass, type JournalFault, MemoryStore } from "./memory-store.ts";

/** A world with one store: deferred steps run when the test says so, by class of delay. */
class World {
  readonly store = new MemoryStore((delay, act) => this.waiting.push({ delay, act }));
  waiting: { delay: DelayClass; act: () => void }[] = [];

  master(): { journal: MemoryJournal; answers: JournalAnswer[] } {
    const answers: JournalAnswer[] = [];
    return { journal: this.store.open((answer) => answers.push(answer)), answers };
  }

  /** Runs what waits, except for these classes. */
  run(...except: DelayClass[]): void {
    for (;;) {
      const index = this.waiting.findIndex(({ delay }) => !except.includes(delay));
      if (index < 0) return;
      this.waiting.splice(index, 1)[0]!.act();
    }
  }

  /** The next append of anyone meets this fault. */
  fail(fault: JournalFault): void {
    this.store.fault = (call) => {
      if (call !== "append") return undefined;
      this.store.fault = undefined;
      return fault;
    };
  }

  contents(): string[] {
    return this.store.read(this.store.first, 1e9)!.map(({ payload }) => text(payload));
  }
}

function led(): World & { one: ReturnType<World["master"]> } {
  const world = new World();
  const one = world.master();
  one.journal.lead();
  world.run();
  one.answers.length = 0;
  return Object.assign(world, { one });
}

const unknown = { type: "not-appended", position: 1, fault: "unknown", reason: "No answer before the deadline" };

test("of two masters on one store the older leader is fenced, also for what was under way [store.F5] [KL1]", () => {
  const world = led();
  const two = world.master();
  two.journal.lead();
  world.run("answer");
  world.one.journal.append(1, 1, bytes("old"));
  world.run();
  assert.deepEqual(two.answers, [{ type: "leading", term: 2, last: 0 }]);
  assert.equal(world.one.answers[0]?.type === "not-appended" && world.one.answers[0].fault, "fenced");
  two.journal.append(2, 1, bytes("new"));
  world.run();
  assert.deepEqual(world.contents(), ["new"]);
});

test("an unknown outcome is there, is not there, or comes late, and the answer is the same [store.M1]", () => {
  for (const [fault, before, after] of [
    ["unknown-done", 1, 1],
    ["unknown-lost", 0, 0],
    ["unknown-late", 0, 1],
  ] as const) {
    const world = led();
    world.fail(fault);
    world.one.journal.append(1, 1, bytes("x"));
    world.run("slow");
    assert.deepEqual(world.one.answers, [unknown]);
    assert.equal(world.store.last, before, fault);
    world.run();
    assert.equal(world.store.last, after, fault);
  }
});

test("an append that comes late is fenced when somebody leads by then [store.M1] [KL1]", () => {
  const world = led();
  world.fail("unknown-late");
  world.one.journal.append(1, 1, bytes("late"));
  world.run("slow");
  world.store.fence();
  world.run();
  assert.equal(world.store.last, 0);
});

test("answers to appends keep call order, however slow the first one is [store.A6]", () => {
  const world = led();
  world.fail("slow");
  world.one.journal.append(1, 1, bytes("a"));
  world.one.journal.append(1, 2, bytes("b"));
  world.run("slow");
  assert.equal(world.one.answers.length, 0);
  world.run();
  assert.deepEqual(
    world.one.answers.map((answer) => answer.type === "appended" && answer.position),
    [1, 2],
  );
});

test("an unavailable store changes nothing and says so to every call [store.M2]", () => {
  const world = led();
  world.store.fault = () => "unavailable";
  const { journal, answers } = world.one;
  journal.lead();
  journal.append(1, 1, bytes("a"));
  journal.read(1, 1);
  journal.saveSnapshot({ position: 0, payload: bytes("s") });
  journal.loadSnapshot(9);
  world.run();
  assert.deepEqual(answers.map(({ type }) => type).sort(), [
    "not-appended",
    "not-leading",
    "not-read",
    "snapshot-not-loaded",
    "snapshot-not-saved",
  ]);
  assert.deepEqual([world.store.last, world.store.term], [0, 1]);
});

test("every master follows every entry in order; one that is gone hears nothing [store.H5] [KD6]", () => {
  const world = led();
  const [two, three] = [world.master(), world.master()];
  two.journal.follow(1);
  three.journal.follow(1);
  world.run();
  three.journal.close();
  for (let position = 1; position <= 5; position++) world.one.journal.append(1, position, bytes(String(position)));
  world.run();
  assert.deepEqual(
    two.answers.map((answer) => answer.type === "followed" && answer.entry.position),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(three.answers, []);
});

test("trimmed history is answered as gone, by read, follow and loadSnapshot [store.H4]", () => {
  const world = led();
  const { journal, answers } = world.one;
  for (let position = 1; position <= 5; position++) journal.append(1, position, bytes(String(position)));
  journal.saveSnapshot({ position: 3, payload: bytes("3") });
  world.run();
  world.store.trim(4);
  assert.equal(world.store.first, 4, "no further than the snapshot");
  answers.length = 0;
  journal.read(3, 1);
  journal.follow(1);
  journal.loadSnapshot(2);
  world.run();
  assert.deepEqual(answers.map(({ type }) => type).sort(), ["not-read", "not-read", "snapshot-not-loaded"]);
});
