import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Address, Env } from "../base/env.ts";
import type { FromBorglet, ToBorglet } from "../borgmaster/message.ts";
import { type Init, make } from "../wire/codec.ts";
import {
  MachineFactsSchema,
  type OrderSchema,
  Phase,
  PollSchema,
  type Report,
  type StartOrderSchema,
} from "../wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import { SimulatedBorglet } from "./borglet.ts";
import { Kernel } from "./kernel.ts";
import { Machine } from "./machine.ts";
import { Network } from "./network.ts";
import { Process } from "./process.ts";

/** A master that polls when the test says so, and keeps what it hears. */
class Poller implements Actor<FromBorglet> {
  readonly env: Env<ToBorglet>;
  hellos = 0;
  readonly reports: Report[] = [];

  constructor(env: Env<ToBorglet>) {
    this.env = env;
  }

  start(): void {}
  onTimer(): void {}

  onMessage(_from: Address, message: FromBorglet): void {
    if (message.type === "hello") this.hellos += 1;
    else this.reports.push(message.report);
  }
}

function setUp() {
  const kernel = new Kernel({ seed: 4 });
  const network = new Network(kernel);
  const machine = new Machine(kernel, "m1", make(MachineFactsSchema, { capacity: { cpuMilli: 4000 } }));
  let poller: Poller | undefined;
  const master = new Process(kernel, network, {
    name: "master/0",
    factory: (birth) => {
      poller = new Poller(birth.envFor("master/0"));
      return new Map([["master/0", poller]]);
    },
  });
  const borglet = new Process(kernel, network, {
    name: "borglet/m1",
    factory: (birth) => {
      machine.listener = (instance) => birth.deliver("borglet/m1", "machine", { type: "ended", instance });
      return new Map([["borglet/m1", new SimulatedBorglet(birth.envFor("borglet/m1"), { machine, masters: ["master/0"] })]]);
    },
  });
  master.start();
  borglet.start();
  const world = { kernel, machine, borglet, poller: () => poller!, poll, phases };
  /** Polls and waits; what was reported in answer, if anything. */
  function poll(
    sequence: number,
    orders: Init<typeof OrderSchema>[] = [],
    { term = 1, holdMs = 0, waitMs = 100 } = {},
  ): Report | undefined {
    const before = poller!.reports.length;
    poller!.env.send("borglet/m1", { type: "poll", poll: make(PollSchema, { term, sequence, holdMs, orders }) });
    kernel.run(kernel.nowMs + waitMs);
    return poller!.reports.length > before ? poller!.reports.at(-1) : undefined;
  }
  function phases(report: Report | undefined): string {
    return report?.instances.map(({ instance, phase, run }) => `${instance} ${NAMES.get(phase)} ${run}`).join(", ") ?? "nothing";
  }
  return world;
}

const NAMES = new Map<number, string>(Object.entries(Phase).map(([name, number]) => [number, name]));
const A = "ann/web/0:1";
const B = "ann/web/1:2";

const start = (instance: string, command = "serve", more: Init<typeof StartOrderSchema> = {}): Init<typeof OrderSchema> => ({
  body: { case: "start", value: { instance, task: { command: command.split(" "), limit: { cpuMilli: 100, ramBytes: 1e6 } }, ...more } },
});
const stop = (instance: string, noticeMs = 0): Init<typeof OrderSchema> => ({ body: { case: "stop", value: { instance, noticeMs } } });

test("A borglet says hello until it is polled, speaks only when polled, and says hello again after a silence", () => {
  const { kernel, poller, poll } = setUp();
  kernel.run(10_000);
  assert.ok(poller().hellos >= 3);
  assert.equal(poller().reports.length, 0);
  assert.notEqual(poll(1), undefined);
  const { hellos } = poller();
  kernel.run(kernel.nowMs + 10_000);
  assert.equal(poller().hellos, hellos);
  assert.equal(poller().reports.length, 1);
  kernel.run(kernel.nowMs + 10_000);
  assert.ok(poller().hellos > hellos);
});

test("It holds its answer, answers early when something changed, and a poll is answered once", () => {
  const { kernel, poller, poll, phases } = setUp();
  poll(1);
  assert.equal(poll(2, [], { holdMs: 5000 }), undefined);
  kernel.run(kernel.nowMs + 6000);
  assert.equal(poller().reports.at(-1)?.sequence, 2);
  const started = poll(3, [start(A)], { holdMs: 60_000, waitMs: 5000 });
  assert.equal(phases(started), `${A} RUNNING 1`);
  assert.equal(poll(3, [start(A)]), undefined, "the same poll again is obeyed, not answered");
  const ended = poll(4, [start(B, "work 2000")], { holdMs: 60_000, waitMs: 5000 });
  assert.equal(phases(ended), `${A} RUNNING 1, ${B} RUNNING 1`);
  assert.equal(phases(poll(5, [], { holdMs: 60_000, waitMs: 5000 })), `${A} RUNNING 1, ${B} FINISHED 1`);
});

test("It obeys no order below the highest (term, sequence) it obeyed, also after a crash [KL2]", () => {
  const { kernel, machine, borglet, poll, phases } = setUp();
  poll(7, [start(A)], { term: 3, waitMs: 5000 });
  assert.equal(poll(6, [stop(A)], { term: 3 }), undefined);
  assert.equal(poll(900, [stop(A)], { term: 2 }), undefined);
  borglet.crash();
  borglet.start();
  assert.equal(poll(6, [stop(A)], { term: 3, waitMs: 1000 }), undefined);
  assert.deepEqual(machine.live(), [A]);
  assert.equal(kernel.probes.of("stale poll refused"), 3);
  assert.equal(phases(poll(8, [], { term: 3 })), `${A} RUNNING 1`);
});

test("Processes outlive their borglet; it finds what ended meanwhile", () => {
  const { kernel, machine, borglet, poll, phases } = setUp();
  poll(1, [start(A), start(B, "work 8000")], { waitMs: 5000 });
  borglet.crash();
  kernel.run(kernel.nowMs + 10_000);
  assert.deepEqual(machine.live(), [A]);
  borglet.start();
  assert.equal(phases(poll(2)), `${A} RUNNING 1, ${B} FINISHED 1`);
});

test("A reboot ends processes; they are started again in place, and the order to stop one that went is done", () => {
  const { machine, borglet, poll, phases } = setUp();
  poll(1, [start(A), start(B, "stubborn")], { waitMs: 5000 });
  poll(2, [stop(B, 60_000)]);
  borglet.crash(true);
  machine.reboot();
  assert.deepEqual(machine.live(), []);
  borglet.start();
  assert.equal(phases(poll(3, [], { waitMs: 200 })), `${A} RUNNING 2, ${B} GONE 1`);
  borglet.crash(true);
  machine.wipe();
  borglet.start();
  assert.equal(phases(poll(4)), "");
});

test("Stopping takes SIGTERM, the notice and a kill; what ended is told until an order to stop makes the borglet forget it", () => {
  const { kernel, machine, poll, phases } = setUp();
  poll(1, [start(A, "stubborn"), start(B, "work 10")], { waitMs: 6000 });
  poll(2, [stop(A, 4000)]);
  kernel.run(kernel.nowMs + 3000);
  assert.deepEqual(machine.live(), [A], "deaf to SIGTERM");
  kernel.run(kernel.nowMs + 10_000);
  assert.deepEqual(machine.live(), []);
  assert.equal(phases(poll(3)), `${A} GONE 1, ${B} FINISHED 1`);
  assert.equal(phases(poll(4)), `${A} GONE 1, ${B} FINISHED 1`);
  assert.equal(phases(poll(5, [stop(A)])), `${B} FINISHED 1`);
  assert.equal(phases(poll(6, [stop(A), stop(B)])), "");
  assert.equal(phases(poll(7, [stop(A)])), "");
});

test("A start waits until everything it names is gone from the machine", () => {
  const { kernel, machine, poll, phases } = setUp();
  poll(1, [start(A, "stubborn")], { waitMs: 5000 });
  const after = poll(2, [stop(A, 6000), start(B, "serve", { after: [A] })], { waitMs: 5000 });
  assert.equal(phases(after), `${A} RUNNING 1, ${B} STARTING 0`);
  assert.deepEqual(machine.live(), [A]);
  kernel.run(kernel.nowMs + 15_000);
  assert.deepEqual(machine.live(), [B]);
  assert.ok(kernel.probes.of("start waits for a victim") > 0);
});

test("Failures restart in place under the policy; when it is exhausted the borglet says so", () => {
  const { poll, phases } = setUp();
  const policy = { restart: { when: RestartWhen.ON_FAILURE, inPlaceMax: 2, backoffMinMs: 10 } };
  poll(1, [start(A, "crash 100", policy), start(B, "crash 100", { restart: { when: RestartWhen.NEVER } })], { waitMs: 20_000 });
  assert.equal(phases(poll(2)), `${A} FAILED 3, ${B} FAILED 1`);
});

test("Usage is reported, and what is above its memory limit twice is flagged", () => {
  const { machine, poll } = setUp();
  poll(1, [start(A, "hog"), start(B)], { waitMs: 5000 });
  assert.equal(poll(2)?.usage.length, 2);
  machine.spike = 1.2;
  poll(3);
  const report = poll(4)!;
  assert.deepEqual(
    report.instances.map(({ overRam }) => overRam),
    [true, false],
  );
  const used = report.usage.find(({ instance }) => instance === A)!;
  assert.ok(used.peak!.ramBytes >= used.last!.ramBytes && used.last!.ramBytes > 1e6);
});
