import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Address, Env } from "../../base/env.ts";
import { DiskError } from "../../base/env.ts";
import { Kernel } from "./kernel.ts";
import { Network } from "./network.ts";
import { type Birth, Process, type ProcessOptions, SHELL } from "./process.ts";

/** Writes down everything it hears, and does what the test tells it at its start. */
class Ear implements Actor<string> {
  readonly env: Env<unknown>;
  readonly heard: string[];
  readonly #begin: (env: Env<unknown>) => void;

  constructor(env: Env<unknown>, heard: string[], begin: (env: Env<unknown>) => void = () => {}) {
    this.env = env;
    this.heard = heard;
    this.#begin = begin;
  }

  start(): void {
    this.#begin(this.env);
  }

  onMessage(from: Address, message: string): void {
    this.heard.push(`${from}: ${message}`);
  }

  onTimer(tag: string): void {
    this.heard.push(`${tag} at ${this.env.now()}`);
  }
}

function setUp() {
  const kernel = new Kernel({ seed: 3 });
  const network = new Network(kernel);
  const heard: string[] = [];
  let birth: Birth | undefined;
  const make = (name: string, begin?: (env: Env<unknown>) => void, more: Partial<ProcessOptions> = {}) =>
    new Process(kernel, network, {
      name,
      factory: (b) => {
        birth = b;
        return new Map([[name, new Ear(b.envFor(name), heard, begin)]]);
      },
      ...more,
    });
  return { kernel, network, heard, make, birth: () => birth! };
}

test("Nothing of a dead incarnation arrives: timers, callbacks, messages to itself", () => {
  const { kernel, heard, make, birth } = setUp();
  const unit = make("a", (env) => {
    env.timer(100, "ring");
    env.send("a", "to myself");
  });
  unit.start();
  const late = birth().callback("journal", () => heard.push("callback"));
  const deliver = birth();
  unit.crash();
  kernel.after(50, () => unit.start());
  kernel.after(60, () => {
    late();
    deliver.deliver("a", "machine", "delivered");
  });
  kernel.run(120);
  assert.deepEqual(heard, ["a: to myself"]);
  assert.equal(unit.incarnation, 2);
  assert.equal(kernel.faults.of("epoch.dropped"), 3);
  kernel.run(400);
  assert.equal(heard.length, 2, "the timer of the second life rings once");
});

test("A message to a dead process is lost; one to its next life arrives", () => {
  const { kernel, heard, make } = setUp();
  const a = make("a");
  const b = make("b", (env) => env.send("a", "hello"));
  a.start();
  a.crash();
  b.start();
  kernel.run(100);
  assert.deepEqual(heard, []);
  assert.equal(kernel.faults.of("net.to-dead"), 1);
  a.start();
  b.crash();
  b.start();
  kernel.run(200);
  assert.deepEqual(heard, ["b: hello"]);
});

test("A paused process hears everything late and in order; its clock went on", () => {
  const { kernel, heard, make } = setUp();
  const a = make("a", (env) => env.timer(500, "ring"));
  let from: Env<unknown> | undefined;
  const b = make("b", (env) => {
    from = env;
  });
  a.start();
  b.start();
  a.pause(2000);
  for (let i = 0; i < 5; i++) kernel.at(100 * i, () => from?.send("a", `message ${i}`));
  kernel.run(1900);
  assert.equal(heard.length, 0);
  kernel.run(2100);
  const messages = heard.filter((line) => line.startsWith("b:"));
  assert.deepEqual(
    messages,
    [0, 1, 2, 3, 4].map((i) => `b: message ${i}`),
  );
  const ring = heard.find((line) => line.startsWith("ring"))!;
  assert.ok(Number(ring.split(" ").at(-1)) >= 2000);
});

test("A pause can be followed by a crash: what waited is gone", () => {
  const { kernel, heard, make } = setUp();
  const a = make("a", (env) => env.timer(500, "ring"));
  a.start();
  a.pause(2000);
  kernel.at(1000, () => a.crash());
  kernel.at(1500, () => a.start());
  kernel.run(1999);
  assert.deepEqual(heard, []);
  kernel.run(3000);
  assert.equal(heard.length, 1);
});

test("Timers ring on the process's own clock, never early, whatever its rate; cancelled ones do not", () => {
  for (const rate of [0.5, 0.98, 1, 1.1, 2]) {
    const { kernel, heard, make } = setUp();
    let begun = 0;
    const a = make("a", (env) => {
      begun = env.now();
      env.timer(1000, "ring");
      env.cancel(env.timer(500, "cancelled"));
    });
    a.clock.setRate(0, rate);
    a.start();
    kernel.at(300, () => a.clock.setRate(300, rate * 0.9));
    kernel.run(5000);
    assert.equal(heard.length, 1);
    const after = Number(heard[0]!.split(" ").at(-1)) - begun;
    assert.ok(after >= 1000 && after <= 1060, `rate ${rate}: after ${after}`);
  }
});

test("The wall clock jumps either way, the monotonic one never goes back", () => {
  const { kernel, make } = setUp();
  let env: Env<unknown> | undefined;
  const a = make("a", (e) => {
    env = e;
  });
  a.start();
  let last = 0;
  const wall = env!.wall();
  kernel.every(100, () => {
    assert.ok(env!.now() >= last);
    last = env!.now();
    a.clock.setRate(kernel.nowMs, a.random.pick([0.5, 1, 1.7]));
    a.clock.jumpWall(a.random.pick([-3_600_000, 3_600_000]));
  });
  kernel.run(10_000);
  assert.ok(Math.abs(env!.wall() - wall) > 1_000_000);
});

test("Actors of one process talk reliably and in order, whatever the network does", () => {
  const { kernel, network, heard } = setUp();
  network.weather = { loss: 1, duplicate: 1, reorder: 1, slow: 1, slowMsMax: 100 };
  const unit = new Process(kernel, network, {
    name: "m",
    factory: (birth) =>
      new Map([
        ["m", new Ear(birth.envFor("m"), heard, (env) => [1, 2, 3, 4, 5, 6].forEach((i) => void env.send("m/link", `${i}`)))],
        ["m/link", new Ear(birth.envFor("m/link"), heard)],
      ]),
  });
  unit.start();
  kernel.run(100);
  assert.deepEqual(
    heard,
    [1, 2, 3, 4, 5, 6].map((i) => `m: ${i}`),
  );
});

test("An exception out of an actor is a violation; a factory that may fail is tried again", () => {
  const { kernel, make } = setUp();
  make("a", () => {
    throw new Error("Cannot go on");
  }).start();
  assert.equal(kernel.violation?.id, "throw");
  assert.match(kernel.violation?.text ?? "", /"a" threw Error: Cannot go on/);

  const other = setUp();
  let tries = 0;
  const failing = new Process(other.kernel, other.network, {
    name: "b",
    factory: () => {
      if (++tries < 3) throw new DiskError("io", "Cannot read");
      return new Map();
    },
    mayFail: (error) => error instanceof DiskError,
  });
  failing.start();
  other.kernel.run(20_000);
  assert.equal(other.kernel.violation, undefined);
  assert.equal(tries, 3);
  assert.ok(failing.alive);
});

test("A process that asks the shell for its end is started again by its supervisor", () => {
  const { kernel, make } = setUp();
  const a = make("a", (env) => {
    if (a.incarnation === 1) env.send(SHELL, { type: "exit", reason: "The disk failed" });
  });
  a.start();
  kernel.run(100);
  assert.ok(!a.alive);
  kernel.run(10_000);
  assert.ok(a.alive);
  assert.equal(a.incarnation, 2);
});

test('Probes: a log line that begins with "~" is counted', () => {
  const { kernel, make } = setUp();
  make("a", (env) => {
    env.log("~rare path");
    env.log("a line for people");
  }).start();
  assert.deepEqual(kernel.probes.entries(), [["rare path", 1]]);
});
