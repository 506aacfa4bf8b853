import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../wire/codec.ts";
import { type LogChunk, LogRequestSchema, LogStream, UsageRequestSchema } from "../wire/gen/borg/v1/link_pb.ts";
import {
  Health,
  MachineFactsSchema,
  type OrderSchema,
  Phase,
  PollSchema,
  type Report,
  type StartOrderSchema,
} from "../wire/gen/borg/v1/machine_pb.ts";
import { CheckKind, RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import { firstSequence } from "../wire/poll-sequence.ts";
import { MemoryWorld } from "./fixture.test.ts";
import { INSTANCES_MAX } from "./kept.ts";
import type { Exit, Sample } from "./machine.ts";
import { SampleFilter } from "./notice.ts";
import { LAUNCHING_MAX } from "./reconcile.ts";

const A = "ann/web/0:1";
const B = "ann/web/1:2";

const start = (instance: string, more: Init<typeof StartOrderSchema> = {}): Init<typeof OrderSchema> => ({
  body: { case: "start", value: { instance, task: { command: ["serve"], limit: { cpuMilli: 100, ramBytes: 100_000_000 } }, ...more } },
});
const stop = (instance: string, noticeMs = 0, lameDuckMs = 0): Init<typeof OrderSchema> => ({
  body: { case: "stop", value: { instance, noticeMs, lameDuckMs } },
});

const NAMES = new Map<number, string>(Object.entries(Phase).map(([name, number]) => [number, name]));
const phases = (report: Report | undefined): string =>
  report?.instances.map(({ instance, phase, run }) => `${instance} ${NAMES.get(phase)} ${run}`).join(", ") ?? "nothing";

function poll(world: MemoryWorld, sequence: number, orders: Init<typeof OrderSchema>[] = [], { term = 1, holdMs = 0, waitMs = 10 } = {}) {
  const before = world.reports.length;
  world.say({ type: "frame", frame: { case: "poll", value: make(PollSchema, { term, sequence, holdMs, orders }) } });
  world.run(waitMs);
  return world.reports.length > before ? world.reports.at(-1) : undefined;
}

test("Hello is said until a poll comes, and again after a silence or on a new link [borglet.P1] [B2]", () => {
  const world = new MemoryWorld();
  world.run(10_000);
  assert.ok(world.hellos >= 1);
  assert.equal(world.reports.length, 0, "nothing is said before the master asks");
  poll(world, 1);
  const { hellos } = world;
  world.run(9000);
  assert.equal(world.hellos, hellos);
  world.run(9000);
  assert.ok(world.hellos > hellos);
  const again = world.hellos;
  poll(world, 2);
  world.say({ type: "connected" });
  assert.equal(world.hellos, again + 1);
});

test("A poll is held, answered early when something changed, and answered once [borglet.P2] [B2]", () => {
  const world = new MemoryWorld();
  poll(world, 1);
  assert.equal(poll(world, 2, [], { holdMs: 5000 }), undefined);
  world.run(6000);
  assert.equal(world.reports.at(-1)?.sequence, 2);
  const count = world.reports.length;
  assert.equal(phases(poll(world, 3, [start(A)], { holdMs: 60_000, waitMs: 1000 })), `${A} STARTING 0`);
  assert.equal(poll(world, 3, [start(A)], { holdMs: 0, waitMs: 100 }), undefined, "the same poll again is obeyed, not answered");
  assert.equal(world.reports.length, count + 1);
  assert.equal(phases(poll(world, 4, [], { holdMs: 60_000 })), `${A} RUNNING 1`, "what happened since is told at once");
  assert.equal(poll(world, 5, [], { holdMs: 60_000, waitMs: 1000 }), undefined);
  world.end(A, { code: 0, signal: 0 });
  world.run(10);
  assert.equal(phases(world.reports.at(-1)), `${A} FINISHED 1`);
});

test("No order below the highest (term, sequence) is obeyed, also after a crash [borglet.P3] [KL2]", () => {
  const world = new MemoryWorld();
  poll(world, 7, [start(A)], { term: 3, waitMs: 1000 });
  assert.equal(poll(world, 6, [stop(A)], { term: 3 }), undefined);
  assert.equal(poll(world, 900, [stop(A)], { term: 2 }), undefined);
  world.crash();
  assert.equal(poll(world, 6, [stop(A)], { term: 3 }), undefined);
  assert.equal(poll(world, 900, [stop(A)], { term: 2 }), undefined);
  assert.deepEqual([...world.processes.keys()], [A]);
  assert.equal(phases(poll(world, 8, [], { term: 3 })), `${A} RUNNING 1`);
});

test("A shard of an earlier epoch is not obeyed after one of a later epoch, which ordered nothing, also after a crash [borglet.P3] [KL2] [B3]", () => {
  const world = new MemoryWorld();
  poll(world, firstSequence(4) + 9, [start(A)], { term: 3, waitMs: 1000 });
  assert.equal(phases(poll(world, firstSequence(5) + 1, [], { term: 3 })), `${A} RUNNING 1`);
  world.crash();
  assert.equal(phases(poll(world, firstSequence(4) + 10, [stop(A)], { term: 3 })), "nothing");
  assert.deepEqual([...world.processes.keys()], [A]);
});

test("A borglet that cannot save says with a hello that its disk is full, and reports nothing [borglet.U5] [borglet.K1]", () => {
  const world = new MemoryWorld();
  world.diskFull = true;
  poll(world, 1, [start(A)]);
  const [hellos, reports] = [world.hellos, world.reports.length];
  world.say({ type: "disk", full: true });
  assert.deepEqual([world.hellos, world.reports.length], [hellos + 1, reports]);
  assert.deepEqual(
    world.helloFacts?.attributes.map(({ key, value }) => `${key}=${value}`),
    ["disk=full"],
  );
  world.diskFull = false;
  world.run(1000);
  world.say({ type: "disk", full: false });
  assert.equal(world.hellos, hellos + 1, "what can be saved can be reported");
});

test("A machine that is described anew tells it at once, also with its disk full [borglet.U5] [U13]", () => {
  const world = new MemoryWorld();
  poll(world, 1);
  poll(world, 2, [], { holdMs: 60_000 });
  const told = (): string => {
    const facts = world.reports.at(-1)?.facts;
    return `${facts?.rack} ${facts?.attributes.map(({ key, value }) => `${key}=${value}`).join(",")}`;
  };
  world.say({ type: "described", facts: make(MachineFactsSchema, { capacity: { cpuMilli: 4000 }, rack: "r7" }) });
  assert.equal(told(), "r7 ");
  poll(world, 3, [], { holdMs: 60_000 });
  world.say({ type: "disk", full: true });
  assert.equal(told(), "r7 disk=full");
});

test("Nothing is done or told before it is saved; a disk that is full for a while only delays [borglet.K1]", () => {
  const world = new MemoryWorld();
  poll(world, 1);
  world.diskFull = true;
  assert.equal(poll(world, 2, [start(A)], { waitMs: 5000 }), undefined);
  assert.equal(world.processes.size, 0, "no process without a record");
  world.crash();
  world.diskFull = false;
  assert.equal(phases(poll(world, 1, [])), "", "the poll that could not be saved was not obeyed");
  world.diskFull = true;
  poll(world, 3, [start(B)], { waitMs: 3000 });
  world.diskFull = false;
  world.run(3000);
  assert.equal(phases(poll(world, 4)), `${B} RUNNING 1`);
  assert.equal(world.unsavedStarts, 0);
});

test("Processes outlive their borglet: the same run goes on, and what ended meanwhile is told with its exit [borglet.K2] [B5] [KT5]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A), start(B, { restart: { when: RestartWhen.NEVER } })], { waitMs: 1000 });
  world.crash(() => world.end(B, { code: 7, signal: 0 }));
  const report = poll(world, 2);
  assert.equal(phases(report), `${A} RUNNING 1, ${B} FAILED 1`);
  assert.equal(report?.instances[1]?.exitCode, 7);
  assert.equal(world.starts, 2);
});

test("An end that was settled is not settled again after a crash [borglet.K3]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A, { restart: { when: RestartWhen.ON_FAILURE, inPlaceMax: 2, backoffMinMs: 60_000 } })], { waitMs: 1000 });
  world.end(A, { code: 1, signal: 0 });
  for (let round = 0; round < 5; round++) world.crash();
  assert.equal(phases(poll(world, 2)), `${A} STARTING 1`, "the back-off holds");
  world.run(61_000);
  world.end(A, { code: 1, signal: 0 });
  assert.equal(phases(poll(world, 3)), `${A} STARTING 2`, "two failures, not six");
});

test("A reboot ends processes: they start again in place, which is no failure; one that was to stop is gone [borglet.K4]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A), start(B)], { waitMs: 1000 });
  world.stubborn.add(B);
  poll(world, 2, [stop(B, 60_000)]);
  world.crash(() => world.processes.clear());
  world.run(10);
  const report = poll(world, 3);
  assert.equal(phases(report), `${A} RUNNING 2, ${B} GONE 1`);
  assert.deepEqual([report?.instances[0]?.rebooted, report?.instances[0]?.failures], [true, 0]);
  world.end(A, { code: 1, signal: 0 });
  assert.equal(poll(world, 4)?.instances[0]?.rebooted, false, "its next end is its own");
});

test("What runs here without a record is ended and forgotten [borglet.K5] [KT3]", () => {
  const world = new MemoryWorld();
  world.crash(() => world.processes.set(A, { run: 4, alive: true }));
  world.run(1000);
  assert.equal(world.processes.size, 0);
  assert.deepEqual(world.forgotten, [A]);
  assert.equal(phases(poll(world, 1)), "");
});

test("What ended is told until an order to stop makes the borglet forget it [borglet.P4]", () => {
  const world = new MemoryWorld();
  world.stubborn.add(A);
  poll(world, 1, [start(A), start(B)], { waitMs: 1000 });
  world.end(B, { code: 0, signal: 0 });
  poll(world, 2, [stop(A, 4000)]);
  world.run(3000);
  assert.ok(world.processes.has(A), "deaf to SIGTERM, and its notice is not over");
  poll(world, 3, [stop(A, 60_000)]);
  world.run(2000);
  assert.ok(!world.processes.has(A), "a later order with a longer notice changes nothing");
  assert.equal(phases(poll(world, 4)), `${A} GONE 1, ${B} FINISHED 1`);
  assert.equal(phases(poll(world, 5, [stop(A)])), `${B} FINISHED 1`);
  assert.equal(phases(poll(world, 6, [stop(A), stop(B)])), "");
  assert.deepEqual(world.forgotten, [A, B]);
});

test("A shorter notice counts; a start waits until those it comes after are gone [borglet.P5] [D6]", () => {
  const world = new MemoryWorld();
  world.stubborn.add(A);
  poll(world, 1, [start(A)], { waitMs: 100 });
  poll(world, 2, [stop(A, 60_000), start(B, { after: [A] })], { waitMs: 1000 });
  assert.deepEqual([...world.processes.keys()], [A]);
  poll(world, 3, [stop(A, 500)], { waitMs: 2000 });
  assert.deepEqual([...world.processes.keys()], [B]);
});

test("Failures restart in place with a back-off; when the policy is exhausted the borglet says so, with the cause [borglet.S1] [B1]", () => {
  const world = new MemoryWorld();
  const restart = { when: RestartWhen.ON_FAILURE, inPlaceMax: 2, backoffMinMs: 100 };
  poll(world, 1, [start(A, { restart }), start(B, { restart: { when: RestartWhen.ALWAYS } })], { waitMs: 50 });
  const times: number[] = [];
  for (let run = 1; run <= 3; run++) {
    world.end(A, { code: 3, signal: 0 }, run === 3 ? "Killed: used too much" : "");
    const from = world.nowMs;
    while (!world.processes.has(A) && world.nowMs < from + 5000) world.run(10);
    times.push(world.nowMs - from);
  }
  assert.ok(times[0]! >= 100 && times[1]! >= 200 && times[2]! >= 5000, `${times}`);
  world.end(B, { code: 0, signal: 0 });
  world.run(2000);
  const report = poll(world, 2);
  assert.equal(phases(report), `${A} FAILED 3, ${B} RUNNING 2`);
  assert.equal(report?.instances[0]?.message, "Failed 3 times on this machine; last: Killed: used too much");
});

test("Between two runs a task is told as starting, with its back-off, its failures and its last exit [borglet.S1] [U11]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A, { restart: { when: RestartWhen.ON_FAILURE, inPlaceMax: 9, backoffMinMs: 4000 } })], { waitMs: 1000 });
  world.run(2000);
  const up = poll(world, 2)?.instances[0];
  assert.ok(up !== undefined && up.upMs >= 2000 && up.upMs <= 3000 && up.backoffMs === 0, `up ${up?.upMs} ms`);
  world.end(A, { code: 127, signal: 0 });
  const waits = poll(world, 3)?.instances[0];
  assert.deepEqual([waits?.phase, waits?.run, waits?.exitCode, waits?.failures, waits?.upMs], [Phase.STARTING, 1, 127, 1, 0]);
  assert.ok(waits!.backoffMs > 3000 && waits!.backoffMs <= 4000, `${waits!.backoffMs} ms`);
  world.run(5000);
  const again = poll(world, 4)?.instances[0];
  assert.deepEqual([again?.phase, again?.run, again?.backoffMs], [Phase.RUNNING, 2, 0]);
});

test("A thousand failures of one task cost a thousand starts and nothing that grows [borglet.S2] [KB1]", () => {
  const world = new MemoryWorld();
  const restart = { when: RestartWhen.ALWAYS, inPlaceMax: 1_000_000, backoffMinMs: 1, backoffMaxMs: 1 };
  poll(world, 1, [start(A, { restart })], { waitMs: 10 });
  for (let run = 0; run < 1000; run++) {
    world.end(A, { code: 1, signal: 0 });
    world.run(20);
  }
  assert.equal(world.starts, 1001);
  assert.ok(world.events.size < 50, `${world.events.size} timers wait`);
  assert.equal(phases(poll(world, 2)), `${A} RUNNING 1001`);
});

test("Who took more than its limit waits at least as long as by default, whatever its policy says [borglet.S5]", () => {
  const restart = { when: RestartWhen.ALWAYS, inPlaceMax: 1_000_000, backoffMinMs: 1, backoffMaxMs: 1 };
  const startsOf = (words: string): number[] => {
    const world = new MemoryWorld();
    poll(world, 1, [start(A, { restart })], { waitMs: 10 });
    return [1000, 1000, 1000, 1000].map((ms) => {
      world.end(A, { code: 0, signal: 9 }, words);
      world.run(ms);
      return world.starts;
    });
  };
  assert.deepEqual(startsOf("Killed: used more memory than its limit of 256 MiB"), [2, 2, 3, 3]);
  assert.deepEqual(startsOf(""), [2, 3, 4, 5]);
});

test("An exit that the policy names is final, or as good as 0, whatever else it says; an end by others is neither [borglet.S6] [U11]", () => {
  const ends = (restart: Init<typeof StartOrderSchema>["restart"], exit: Exit, message = ""): string => {
    const world = new MemoryWorld();
    poll(world, 1, [start(A, { restart: { fatalExits: [64, 78], okExits: [3, 137], ...restart } })], { waitMs: 100 });
    world.end(A, exit, message);
    world.run(5000);
    const report = poll(world, 2);
    const { exitCode, failures, message: words } = report!.instances[0]!;
    return `${phases(report).slice(A.length + 1)}, exit ${exitCode}, ${failures} failures, "${words}"`;
  };
  const [always, onFailure, never] = [RestartWhen.ALWAYS, RestartWhen.ON_FAILURE, RestartWhen.NEVER].map((when) => ({ when }));
  for (const policy of [always, onFailure, never, {}])
    assert.equal(ends(policy, { code: 78, signal: 0 }), 'FAILED 1, exit 78, 1 failures, "exit 78"');
  for (const policy of [onFailure, never, {}]) assert.equal(ends(policy, { code: 3, signal: 0 }), 'FINISHED 1, exit 3, 0 failures, ""');
  assert.equal(ends(always, { code: 3, signal: 0 }), 'RUNNING 2, exit 3, 0 failures, ""', "a service goes on, and has not failed");
  assert.equal(ends(onFailure, { code: 4, signal: 0 }), 'RUNNING 2, exit 4, 1 failures, "exit 4"');
  assert.match(ends(onFailure, { code: 0, signal: 9 }), /^RUNNING 2, .* 1 failures, "exit 137: killed by SIGKILL"$/);
  assert.match(ends(onFailure, { code: 78, signal: 0 }, "Killed: used too much"), /^RUNNING 2, exit 78, 1 failures, "Killed/);
  assert.match(ends({ when: RestartWhen.ALWAYS, fatalExits: [0] }, { code: 0, signal: 0 }), /^FAILED 1, exit 0, 1 failures/);
});

test("A final exit is told as it is, also after others; one of before the borglet could begin is none [borglet.S6]", () => {
  const world = new MemoryWorld();
  const restart = { when: RestartWhen.ON_FAILURE, inPlaceMax: 9, backoffMinMs: 10, fatalExits: [78, 125] };
  poll(world, 1, [start(A, { restart })], { waitMs: 100 });
  for (const code of [1, 2, 78]) {
    world.end(A, { code, signal: 0 });
    world.run(5000);
  }
  const report = poll(world, 2);
  assert.deepEqual([phases(report), report!.instances[0]!.message], [`${A} FAILED 3`, "exit 78"]);
});

test("Start orders beyond what a report can tell of are passed over [borglet.S3] [KB1]", () => {
  const world = new MemoryWorld();
  poll(
    world,
    1,
    Array.from({ length: INSTANCES_MAX + 5 }, (_, i) => start(`ann/big/${i}:1`)),
    { waitMs: 1 },
  );
  assert.equal(poll(world, 2, [], { waitMs: 1 })?.instances.length, INSTANCES_MAX);
  assert.equal(world.starts, LAUNCHING_MAX, "and not all of them at once");
});

test("Where nothing else holds a task to its memory, it is flagged, and clearly above it is ended with the cause in words [borglet.U1] [I9]", () => {
  const world = new MemoryWorld({ ramEnforced: false });
  poll(world, 1, [start(A, { restart: { when: RestartWhen.NEVER } })], { waitMs: 100 });
  const sample = (ramBytes: number) => world.say({ type: "usage", samples: [{ instance: A, cpuMilli: 50, ramBytes, diskBytes: 0 }] });
  sample(50_000_000);
  sample(101_000_000);
  assert.equal(poll(world, 2)?.instances[0]?.overRam, false);
  sample(102_000_000);
  assert.equal(poll(world, 3)?.instances[0]?.overRam, true);
  for (let times = 0; times < 3; times++) sample(200_000_000);
  world.run(1000);
  const report = poll(world, 4);
  assert.equal(phases(report), `${A} FAILED 1`);
  assert.match(report!.instances[0]!.message, /^Killed: used 190\.7 MiB of memory, more than its limit of 95\.4 MiB$/);
});

test("A task that uses more of the disk than its limit, or than the ceiling of one that was not given, is ended with the cause in words [borglet.U6] [I9]", () => {
  const never = { restart: { when: RestartWhen.NEVER } };
  const limit = (diskBytes: number) => ({ task: { command: ["serve"], limit: { diskBytes } } });
  const endOf = (more: Init<typeof StartOrderSchema>, sample: Pick<Sample, "diskBytes" | "isTooDeep">): string => {
    const world = new MemoryWorld();
    poll(world, 1, [start(A, { ...never, ...more })], { waitMs: 100 });
    world.say({ type: "usage", samples: [{ instance: A, cpuMilli: 50, ramBytes: 1000, ...sample }] });
    world.run(1000);
    const [told] = poll(world, 2)!.instances;
    return `${NAMES.get(told!.phase)} ${told!.failures} ${told!.message}`;
  };
  const MIB = 2 ** 20;
  assert.equal(endOf(limit(1024 * MIB), { diskBytes: 1024 * MIB }), "RUNNING 0 ");
  const words = "FAILED 1 Killed: used 2.1 GiB of disk, more than its limit of 1 GiB";
  assert.equal(endOf(limit(1024 * MIB), { diskBytes: 2.1 * 1024 * MIB }), words);
  assert.equal(endOf(limit(0), { diskBytes: 256 * MIB }), "RUNNING 0 ");
  assert.equal(endOf(limit(0), { diskBytes: 257 * MIB }), "FAILED 1 Killed: used 257 MiB of disk, more than its limit of 256 MiB");
  assert.match(endOf(limit(1024 * MIB), { diskBytes: 0, isTooDeep: true }), /^FAILED 1 Killed: its directories are more than 200 deep, so/);
});

test("Use is told as last, average and peak of five minutes [borglet.U2]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  const sample = (cpuMilli: number, ramBytes: number, diskBytes: number) =>
    world.say({ type: "usage", samples: [{ instance: A, cpuMilli, ramBytes, diskBytes }] });
  sample(100, 9e7, 3e6);
  world.run(100_000);
  for (let second = 1; second <= 100; second++) {
    sample(100 + second, 1000, 1e6);
    world.run(1000);
  }
  const [usage] = poll(world, 2)!.usage;
  assert.deepEqual(
    [usage?.last?.cpuMilli, usage?.average?.cpuMilli, usage?.peak?.cpuMilli],
    [200, 125, 200],
    "silence is more of the same",
  );
  assert.equal(usage?.peak?.ramBytes, 9e7);
  assert.deepEqual([usage?.last?.diskBytes, usage?.average?.diskBytes, usage?.peak?.diskBytes], [1e6, 2e6, 3e6]);
  world.run(250_000);
  const [later] = poll(world, 3)!.usage;
  assert.deepEqual([later?.last?.cpuMilli, later?.peak?.cpuMilli], [200, 200], "what held at the beginning of the window is in it");
  assert.equal(later?.peak?.ramBytes, 1000, "older than five minutes is forgotten");
});

test("The last five minutes are told second by second to a master that asks, and only then [borglet.U8] [N8]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  const sample = (cpuMilli: number) => world.say({ type: "usage", samples: [{ instance: A, cpuMilli, ramBytes: 7, diskBytes: 0 }] });
  const asked = (instance: string) => {
    world.say({ type: "frame", frame: { case: "usageRequest", value: make(UsageRequestSchema, { id: 5, instance }) } });
    const said = world.usageChunks.at(-1);
    assert.equal(said?.id, 5);
    return said.changes.map(({ agoMs, cpuMilli }) => [agoMs, cpuMilli]);
  };
  assert.deepEqual(asked(A), [], "nothing was measured yet");
  for (const cpuMilli of [100, 200, 300]) {
    sample(cpuMilli);
    world.run(1000.125);
  }
  assert.equal(JSON.stringify(asked(A)), "[[3000,100],[2000,200],[1000,300]]");
  world.run(299_500);
  assert.deepEqual(asked(A), [[300_000, 300]], "what held when the window began, and nothing older");
  for (let i = 0; i < 400; i++) sample(i);
  assert.equal(asked(A).length, 300, "bounded");
  assert.deepEqual(asked(B), [], "none of an instance that is not here");
});

test("Use is told when it changed noticeably, again after a while because reports get lost, and all of it to a new master [borglet.U4]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A), start(B)], { waitMs: 100 });
  const sample = (instance: string, cpuMilli: number) =>
    world.say({ type: "usage", samples: [{ instance, cpuMilli, ramBytes: 1e8, diskBytes: 0 }] });
  const told = (report: Report | undefined) => report?.usage.map(({ instance }) => instance);
  for (const each of [A, B]) sample(each, 1000);
  assert.deepEqual(told(poll(world, 2)), [A, B]);
  sample(A, 1050);
  assert.deepEqual(told(poll(world, 3)), [], "a twentieth is not noticed");
  sample(A, 1100);
  assert.deepEqual(told(poll(world, 4)), [A]);
  assert.deepEqual(told(poll(world, 5, [], { term: 2 })), [A, B], "a new leader knows nothing");
  world.say({ type: "connected" });
  assert.deepEqual(told(poll(world, 6, [], { term: 2 })), [A, B], "nor does whoever is at a new link");
  assert.deepEqual(told(poll(world, 7, [], { term: 2 })), []);
  world.say({ type: "frame", frame: { case: "poll", value: make(PollSchema, { term: 2, sequence: 7.5 }) } }, "another");
  world.run(10);
  assert.deepEqual(told(world.reports.at(-1)), [A, B], "nor another shard in the same term");
  world.run(30_000);
  assert.deepEqual(told(poll(world, 8, [], { term: 2 })), [A, B]);
});

test("Cycles per instruction are told once they are counted, and are absent before [borglet.U7] [N10]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  const told = (sequence: number, counted: object): (number | undefined)[] | undefined => {
    world.say({ type: "usage", samples: [{ instance: A, cpuMilli: 1000, ramBytes: 1e8, diskBytes: 0, ...counted }] });
    return poll(world, sequence)?.usage.map(({ cpi }) => cpi);
  };
  assert.deepEqual([told(2, {}), told(3, { cpi: 1.25 }), told(4, { cpi: 1.25 }), told(5, {})], [[undefined], [1.25], [], [undefined]]);
});

test("What a task moved between memory and disks is told while it is known, and again when it is noticeably more [borglet.U9]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  const told = (sequence: number, diskTraffic?: { readBytes: number; writtenBytes: number }): unknown => {
    const more = diskTraffic === undefined ? {} : { diskTraffic };
    world.say({ type: "usage", samples: [{ instance: A, cpuMilli: 1000, ramBytes: 1e8, diskBytes: 0, ...more }] });
    return poll(world, sequence)?.usage.map(({ diskTraffic: found }) => found && [found.readBytes, found.writtenBytes]);
  };
  assert.deepEqual(told(2), [undefined], "absent, not zero");
  assert.deepEqual(told(3, { readBytes: 0, writtenBytes: 0 }), [[0, 0]]);
  assert.deepEqual(told(4, { readBytes: 0, writtenBytes: 2 ** 20 }), []);
  assert.deepEqual(told(5, { readBytes: 0, writtenBytes: 2 ** 20 + 1 }), [[0, 2 ** 20 + 1]]);
  assert.deepEqual(told(6, { readBytes: 2 ** 21, writtenBytes: 2 ** 20 + 1 }), [[2 ** 21, 2 ** 20 + 1]]);
  assert.deepEqual(told(7), [undefined]);
});

test("A machine delivers what was moved between memory and disks by the same rule [borglet.U4] [borglet.U9]", () => {
  const filter = new SampleFilter();
  const pick = (writtenBytes?: number): boolean => {
    const more = writtenBytes === undefined ? {} : { diskTraffic: { readBytes: 0, writtenBytes } };
    return filter.pick([{ instance: A, cpuMilli: 0, ramBytes: 5e7, diskBytes: 0, ...more }], () => undefined).length === 1;
  };
  assert.deepEqual(
    [pick(), pick(), pick(0), pick(1e6), pick(2e6), pick(1e9), pick(1.05e9), pick(1.2e9)],
    [...[true, false, true, false], ...[true, true, false, true]],
  );
});

test("A machine delivers samples that differ noticeably, the first of a run, and all above a limit [borglet.U4]", () => {
  const filter = new SampleFilter();
  const pick = (cpuMilli: number, ramBytes: number, diskBytes = 0, isTooDeep = false) =>
    filter.pick([{ instance: A, cpuMilli, ramBytes, diskBytes, isTooDeep }], () => ({ ramBytes: 1e8, diskBytes: 1e9 })).length === 1;
  const steps: readonly (readonly [number, number, boolean])[] = [
    [0, 5e7, true],
    [9, 5e7, false],
    [11, 5e7, true],
    [11, 5.2e7, false],
    [11, 5.4e7, true],
    [11, 9.99e7, true],
    [11, 1.001e8, true],
    [11, 1.001e8, true],
    [11, 9.99e7, true],
    [11, 9.99e7, false],
  ];
  for (const [i, [cpuMilli, ramBytes, delivered]] of steps.entries()) assert.equal(pick(cpuMilli, ramBytes), delivered, `step ${i}`);
  filter.forget(A);
  assert.ok(pick(11, 9.99e7));
  const used = [9.8e8, 9.9e8, 1.001e9, 1.001e9];
  assert.deepEqual(
    used.map((diskBytes) => pick(11, 9.99e7, diskBytes)),
    [true, false, true, true],
  );
  assert.ok(pick(11, 9.99e7, 9.8e8));
  assert.deepEqual(
    [true, true].map((isTooDeep) => pick(11, 9.99e7, 9.8e8, isTooDeep)),
    [true, true],
  );
});

test("Bad health is told, and restarts the task under its policy; a slow start is forgiven [borglet.H1] [N4]", () => {
  const world = new MemoryWorld();
  const task = { command: ["serve"], ports: ["http"], health: { port: "http", path: "/ok", intervalMs: 1000, failures: 2 }, noticeMs: 100 };
  world.problem = "refused";
  poll(world, 1, [start(A, { task, ports: [8080] })], { waitMs: 10_000 });
  assert.deepEqual(world.checked.at(-1), { kind: "http", port: 8080, path: "/ok", timeoutMs: 2000 });
  assert.equal(poll(world, 2)?.instances[0]?.health, Health.UNKNOWN);
  world.problem = "";
  world.run(2000);
  assert.equal(poll(world, 3)?.instances[0]?.health, Health.GOOD);
  world.problem = "Answered 500";
  world.run(1500);
  assert.equal(poll(world, 4)?.instances[0]?.health, Health.BAD);
  world.run(8000);
  const report = poll(world, 5)?.instances[0];
  assert.equal(report?.run, 2);
  assert.match(report!.message, /^Restarted: its health check failed 2 times, last: Answered 500$/);
});

test("Who is not ready is told after enough bad answers in a row, and goes on running [borglet.H5] [N4]", () => {
  const world = new MemoryWorld();
  const task = { command: ["serve"], ports: ["http"], ready: { kind: CheckKind.TCP, port: "http", intervalMs: 1000, failures: 2 } };
  world.notReady = "busy";
  poll(world, 1, [start(A, { task, ports: [8080] })], { waitMs: 500 });
  assert.deepEqual([poll(world, 2)?.instances[0]?.ready, world.checked.length], [Health.UNKNOWN, 0]);
  world.run(3000);
  assert.deepEqual(world.checked[0], { kind: "tcp", port: 8080, timeoutMs: 2000 });
  const told = poll(world, 3)?.instances[0];
  assert.deepEqual([told?.ready, told?.problem, told?.health], [Health.BAD, "busy", Health.UNSPECIFIED]);
  world.notReady = "";
  world.run(2000);
  assert.deepEqual([poll(world, 4)?.instances[0]?.ready, poll(world, 5)?.instances[0]?.problem], [Health.GOOD, ""]);
  const before = world.reports.length;
  world.notReady = "busy";
  world.run(1100);
  assert.equal(poll(world, 6)?.instances[0]?.ready, Health.GOOD, "one bad answer is none");
  world.run(60_000);
  const last = poll(world, 7)?.instances[0];
  assert.deepEqual([last?.ready, last?.run, last?.phase], [Health.BAD, 1, Phase.RUNNING]);
  assert.ok(world.reports.length - before <= 3, "told when it changes, not with every answer");
});

test("A new borglet lets stand what was known of a check until it has an answer of its own [borglet.H5] [N4]", () => {
  const world = new MemoryWorld();
  const check = { kind: CheckKind.COMMAND, command: ["true"], intervalMs: 5000 };
  poll(world, 1, [start(A, { task: { command: ["serve"], health: check, ready: check } })], { waitMs: 3000 });
  assert.deepEqual(world.checked[0], { kind: "command", command: ["true"], timeoutMs: 2000 });
  const said = (sequence: number) => [poll(world, sequence)?.instances[0]].map((told) => [told?.health, told?.ready])[0];
  assert.deepEqual(said(2), [Health.GOOD, Health.GOOD]);
  world.crash();
  assert.deepEqual(said(3), [Health.UNSPECIFIED, Health.UNSPECIFIED]);
  world.run(1500);
  assert.deepEqual(said(4), [Health.GOOD, Health.GOOD]);
});

test("What is told to stop is a lame duck first, then gets SIGTERM, then its notice; an earlier end counts [borglet.R3] [borglet.P5]", () => {
  const world = new MemoryWorld();
  world.stubborn.add(A);
  poll(world, 1, [start(A)], { waitMs: 100 });
  const orderedMs = world.nowMs;
  poll(world, 2, [stop(A, 1000, 5000)], { waitMs: 10 });
  poll(world, 3, [stop(A, 1000, 60_000)], { waitMs: 4000 });
  assert.equal(world.terminatedMs.get(A), undefined);
  world.run(6000);
  assert.equal(world.terminatedMs.get(A), orderedMs + 5000);
  assert.ok(!world.processes.has(A));
  poll(world, 4, [start(B)], { waitMs: 100 });
  poll(world, 5, [stop(B, 1000, 5000)], { waitMs: 10 });
  poll(world, 6, [stop(B, 100)], { waitMs: 10 });
  assert.ok(!world.processes.has(B), "an order without a lame duck ends it");
});

test("A lame duck begins anew with a new borglet, and bad health or memory makes none [borglet.R3]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  poll(world, 2, [stop(A, 1000, 5000)], { waitMs: 3000 });
  world.crash();
  const againMs = world.nowMs;
  world.run(10_000);
  assert.equal(world.terminatedMs.get(A), againMs + 5000);
  const check = { kind: CheckKind.COMMAND, command: ["true"], intervalMs: 1000, failures: 1, graceMs: 0 };
  world.problem = "ill";
  poll(world, 3, [start(B, { task: { command: ["serve"], health: check, lameDuckMs: 60_000 } })], { waitMs: 2000 });
  assert.ok((world.terminatedMs.get(B) ?? Number.POSITIVE_INFINITY) <= world.nowMs);
});

test("A log request waits for something to read, and is answered once [borglet.L1] [N6]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(A)], { waitMs: 100 });
  const ask = (id: number, more: Init<typeof LogRequestSchema> = {}): void =>
    world.say({
      type: "frame",
      frame: { case: "logRequest", value: make(LogRequestSchema, { id, instance: A, stream: LogStream.STDOUT, ...more }) },
    });
  const text = (chunk: LogChunk | undefined): string => new TextDecoder().decode(chunk?.data);
  ask(1, { instance: B });
  assert.deepEqual([world.chunks.at(-1)?.unknown, world.chunks.at(-1)?.ended], [true, true]);
  ask(2);
  assert.equal(world.chunks.at(-1)?.data.length, 0, "without a time to wait the answer is: nothing");
  ask(3, { waitMs: 5000 });
  world.run(1000);
  assert.equal(world.chunks.length, 2);
  world.output += "hello";
  world.run(500);
  assert.equal(text(world.chunks.at(-1)), "hello");
  ask(4, { fromEnd: true, offset: 2 });
  assert.equal(text(world.chunks.at(-1)), "lo");
  ask(5, { offset: 5, waitMs: 2000 });
  world.run(4000);
  assert.deepEqual([world.chunks.at(-1)?.id, world.chunks.at(-1)?.offset, world.chunks.length], [5, 5, 5]);
});

test("A full disk is told with the machine's facts at once, and taken back [borglet.U5]", () => {
  const world = new MemoryWorld();
  const disk = (report: Report | undefined): string | undefined => report?.facts?.attributes.find(({ key }) => key === "disk")?.value;
  assert.equal(disk(poll(world, 1)), undefined);
  poll(world, 2, [], { holdMs: 60_000 });
  const before = world.reports.length;
  world.say({ type: "disk", full: true });
  world.run(100);
  assert.equal(world.reports.length, before + 1, "a poll that was held is answered");
  assert.equal(disk(world.reports.at(-1)), "full");
  world.say({ type: "disk", full: false });
  assert.equal(disk(poll(world, 3)), undefined);
});

const ALLOC = "ann/aset/0:9";
const drop: Init<typeof OrderSchema> = { body: { case: "drop", value: { alloc: ALLOC } } };

test("An alloc has its directory from its first task on; it is told, outlives the tasks and the borglet, and goes when it is ordered to [borglet.C1] [A2]", () => {
  const world = new MemoryWorld();
  assert.deepEqual(poll(world, 1, [start(A, { alloc: ALLOC }), start(B)])?.allocs, [ALLOC]);
  assert.deepEqual([...world.allocsThere], [ALLOC]);
  assert.deepEqual(poll(world, 2, [drop])?.allocs, [ALLOC], "a task of it is here");
  poll(world, 3, [stop(A)], { waitMs: 100 });
  assert.deepEqual(poll(world, 4, [drop])?.allocs, [ALLOC], "its end is not forgotten yet");
  poll(world, 5, [stop(A)]);
  world.crash();
  assert.deepEqual(poll(world, 6)?.allocs, [ALLOC], "empty, and still there");
  assert.deepEqual(poll(world, 7, [drop])?.allocs, []);
  assert.deepEqual([...world.allocsThere], []);
  assert.deepEqual(poll(world, 8, [drop])?.allocs, [], "once is enough");
});

test("Tasks of an alloc whose directory has more than the alloc's limit are ended, in words; others are not [borglet.C2] [A3] [I9]", () => {
  const world = new MemoryWorld();
  const shared = { alloc: ALLOC, allocLimit: { diskBytes: 2 ** 30 } };
  poll(world, 1, [start(A, shared), start(B)]);
  const sample = (instance: string, sharedBytes: number): Sample => ({ instance, cpuMilli: 1, ramBytes: 1, diskBytes: 1, sharedBytes });
  world.say({ type: "usage", samples: [sample(A, 2 ** 30), sample(B, 2 ** 40)] });
  assert.equal(phases(poll(world, 2)), `${A} RUNNING 1, ${B} RUNNING 1`);
  world.say({ type: "usage", samples: [sample(A, 2 ** 30 + 1)] });
  world.run(100);
  const [ended, other] = poll(world, 3)?.instances ?? [];
  assert.match(ended?.message ?? "", /^Killed: the directory of alloc "ann\/aset\/0:9" has .* more than the alloc's limit/);
  assert.equal(other?.phase, Phase.RUNNING);
});
