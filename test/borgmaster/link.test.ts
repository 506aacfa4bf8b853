/** A link shard between one master and one borglet, both played by the test. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LINK } from "../../src/borgmaster/defaults.ts";
import type { PieceAsk } from "../../src/borgmaster/link/package-requests.ts";
import { LinkShard } from "../../src/borgmaster/link.ts";
import type { FromLink } from "../../src/borgmaster/message.ts";
import { Packer, unpack } from "../../src/borgmaster/packing.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { masterOp, type Op, unseal } from "../../src/cell/op.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { HelloSchema, type PackageChunk, PackageRequestSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import {
  Health,
  type InstanceReport,
  type MachineFacts,
  Phase,
  type Poll,
  type Report,
  ReportSchema,
  type StartOrder,
} from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { DeviceKindSchema } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import type { Framed, FromBorglet, ToBorglet } from "../../src/wire/link-message.ts";
import { World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

function opened(bytes: Uint8Array): Op {
  const found = unseal(bytes);
  assert.ok(found.ok);
  return found.value.op;
}

const ALONE = { master: "master", packages: "packages", options: DEFAULT_LINK, settleMs: 0 };

type LinkEnv = TestEnv<FromLink | Framed<ToBorglet>>;

const hello = (machine: string, facts: MachineFacts): Framed<FromBorglet> => ({
  type: "frame",
  frame: { case: "hello", value: make(HelloSchema, { machine, facts }) },
});

const said = (report: Report): Framed<FromBorglet> => ({ type: "frame", frame: { case: "report", value: report } });

const pollsOf = (env: LinkEnv): readonly Poll[] =>
  env.take().flatMap(({ message }) => (message.type === "frame" && message.frame.case === "poll" ? [message.frame.value] : []));

const isReport = (bytes: Uint8Array): boolean => opened(bytes).body.case === "machineReport";

test("a health check that flaps is passed on at most once in ten seconds; a restart or an end at once [KB1] [N5]", () => {
  const world = new World().init().machine("m1");
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  const env = new TestEnv<FromLink | Framed<ToBorglet>>();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  link.onMessage("borglet/m1", hello("m1", world.state.machines.get("m1" as never)!.facts));
  /** Answers the outstanding poll with this; how many reports went on. */
  const tell = (health: Health, run = 1, ready: Health = Health.UNSPECIFIED): number => {
    env.nowMs += DEFAULT_LINK.pollMs;
    link.onTimer();
    const sequence = pollsOf(env).at(-1)?.sequence ?? 0;
    const instances = [{ instance, phase: Phase.RUNNING, run, health, ready }];
    link.onMessage("borglet/m1", said(make(ReportSchema, { machine: "m1", term: 1, sequence, instances })));
    return env.take().filter(({ message }) => message.type === "ops" && message.ops.some((op) => isReport(op))).length;
  };
  assert.equal(tell(Health.BAD), 1);
  assert.equal(tell(Health.BAD), 0, "five seconds later");
  assert.equal(tell(Health.BAD, 2), 1, "it was started again, which is more than its health");
  assert.equal(tell(Health.BAD), 1, "fifteen seconds later");
  assert.equal(tell(Health.UNKNOWN, 1, Health.UNKNOWN), 0, "what the cell does not know either");
  const flaps = [Health.GOOD, Health.BAD, Health.GOOD, Health.BAD].map((ready) => tell(Health.UNKNOWN, 1, ready));
  assert.deepEqual(flaps, [1, 0, 1, 0], "readiness too");
});

test("a crash loop is passed on at once and then once in ten seconds, whatever it does between; its end at once [KB1] [U11]", () => {
  const world = new World().init().machine("m1");
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  const instance = world.instance("ubar/web/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1, upMs: 5 });
  const env = new TestEnv<FromLink | Framed<ToBorglet>>();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  link.onMessage("borglet/m1", hello("m1", world.state.machines.get("m1" as never)!.facts));
  let journaled = 0;
  /** A second later: what the borglet says now, to the shard and, where it goes on, to the cell. */
  const tell = (told: Partial<InstanceReport>): void => {
    env.nowMs += 1000;
    link.onMessage("borglet/m1", hello("m1", world.state.machines.get("m1" as never)!.facts));
    const sequence = pollsOf(env).at(-1)?.sequence ?? 0;
    const report = make(ReportSchema, { machine: "m1", term: 1, sequence, instances: [{ instance, ...told } as InstanceReport] });
    link.onMessage("borglet/m1", said(report));
    for (const { message } of env.take()) {
      if (message.type !== "ops") continue;
      journaled += 1;
      for (const op of message.ops) {
        const { position } = world.state;
        assert.ok(world.try(opened(op)).ok);
        assert.equal(world.state.position, position + 1);
      }
      link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
    }
  };
  for (let run = 1; run <= 15; run++) {
    tell({ phase: Phase.STARTING, run, exitCode: 1, failures: run, backoffMs: 1000 });
    tell({ phase: Phase.RUNNING, run: run + 1, exitCode: 1, failures: run, upMs: 20 });
  }
  assert.ok(journaled >= 3 && journaled <= 4, `${journaled} entries in 30 seconds`);
  tell({ phase: Phase.FAILED, run: 16, exitCode: 1, failures: 16 });
  assert.equal(world.state.jobs.get("ubar/web" as never)!.tasks[0]!.state, "pending", "its end is not held back");
});

test("a machine that said hello before its master led joins, or is polled, when the master begins to lead; one whose link is closed is not [B2]", () => {
  const world = new World().init().machine("m1").machine("m2");
  const { facts } = world.state.machines.get("m1" as never)!;
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  for (const name of ["m1", "m2", "m3", "m4", "m5"]) link.onMessage(`borglet/${name}`, hello(name, facts));
  for (const machine of ["m2", "m4", "m5"]) link.onMessage(`borglet/${machine}`, { type: "disconnected", machine });
  link.onMessage("borglet/m5", hello("m5", facts));
  assert.deepEqual(env.take(), [], "it leads nobody yet");
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  const told = env.take().map(({ to, message }) => {
    if (message.type === "frame") return `${message.frame.case} ${to}`;
    return message.type === "ops"
      ? message.ops
          .map((op) => opened(op).body)
          .map(({ case: what, value }) => `${what} ${(value as { machine: string }).machine}`)
          .join()
      : message.type;
  });
  assert.deepEqual(told.sort(), ["machineJoin m3", "machineJoin m5", "poll borglet/m1"]);
});

test("a hello of a known machine tells its facts, when they are news [borglet.U5]", () => {
  const world = new World().init().machine("m1");
  const env = new TestEnv<FromLink | Framed<ToBorglet>>();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  const facts = world.state.machines.get("m1" as never)!.facts;
  /** The racks that went on. */
  const passed = (): string[] =>
    env
      .take()
      .flatMap(({ message }) => (message.type === "ops" ? message.ops.map((op) => opened(op).body) : []))
      .flatMap((body) => (body.case === "machineFacts" ? [body.value.facts?.rack ?? ""] : []));
  link.onMessage("borglet/m1", hello("m1", facts));
  assert.deepEqual(passed(), []);
  link.onMessage("borglet/m1", hello("m1", { ...facts, rack: "r9" }));
  assert.deepEqual(passed(), ["r9"]);
});

test("what the cell's version does not keep of a machine's facts is not told until it does [KB1] [KD7]", () => {
  const world = new World().init().machine("m1");
  const { facts } = world.state.machines.get("m1" as never)!;
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  const told = (): string[] =>
    env.take().flatMap(({ message }) => (message.type === "ops" ? message.ops.map((op) => opened(op).body.case ?? "") : []));
  const lead = (version: number): void =>
    link.onMessage("master", { type: "lead", term: version, image: imageOf({ ...world.state, version }, { placedOnly: true }) });
  const now = { ...facts, devices: [make(DeviceKindSchema, { name: "gpu", unit: 1000 })] };
  lead(2);
  link.onMessage("borglet/m1", hello("m1", now));
  assert.deepEqual(told(), []);
  lead(VERSION_MAX);
  assert.deepEqual(told(), ["machineFacts"]);
});

test("what machines use goes on once a tick, the newest of each and of their own instances only, and comes out of another thread as it went in [R2]", () => {
  const world = new World().init().machine("m1").machine("m2");
  world.submit("web", { count: 2 });
  const machines = ["m1", "m2"];
  for (const [index, machine] of machines.entries()) world.claim(`ubar/web/${index}`, machine);
  const { facts } = world.state.machines.get("m1" as never)!;
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  /** Answers a fresh poll. */
  const tell = (machine: string, cpuMilli: number, backoffMs = 0): void => {
    link.onMessage(`borglet/${machine}`, hello(machine, facts));
    const sequence = pollsOf(env).at(-1)?.sequence ?? 0;
    // Each also says something of what is on the other one.
    const own = machines.indexOf(machine);
    const both = machines.map((_, index) => ({ instance: world.instance(`ubar/web/${index}`), mine: index === own }));
    const usage = both.map(({ instance, mine }) => ({ instance, last: { cpuMilli: mine ? cpuMilli : 1 }, peak: { cpuMilli: 1 } }));
    const phase = backoffMs > 0 ? Phase.STARTING : Phase.RUNNING;
    const instances = both.map(({ instance }) => ({ instance, phase, run: 1, backoffMs }));
    link.onMessage(`borglet/${machine}`, said(make(ReportSchema, { machine, term: 1, sequence, instances, usage })));
  };
  const told = (): unknown[] => {
    link.onTimer();
    const messages = env.take().flatMap(({ message }) => (message.type === "usage" ? [message] : []));
    const unpacked = messages.map((message) => unpack(structuredClone(new Packer().pack(message).body)));
    assert.deepEqual(unpacked, messages);
    return messages.map(({ machines }) =>
      machines.map(({ machine, usage, waiting }) => [
        machine,
        usage.map(({ last }) => last?.cpuMilli),
        waiting.map((each) => each.backoffMs),
      ]),
    );
  };
  tell("m1", 10);
  tell("m2", 20);
  tell("m1", 30);
  assert.deepEqual(told(), [
    [
      ["m1", [30], []],
      ["m2", [20], []],
    ],
  ]);
  assert.deepEqual(told(), [], "nobody said anything since");
  tell("m2", 40, 500);
  assert.deepEqual(told(), [[["m2", [], [500]]]]);
});

test("facts that flap are passed on a hundred times and then once a second; what was held back is told later if it still differs [KB1]", () => {
  const world = new World().init().machine("m1");
  const { facts } = world.state.machines.get("m1" as never)!;
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  let told: Op[] = [];
  /** Says hello, and answers its poll with another rack each time. */
  const flap = (rack: string): void => {
    const now = { ...facts, rack };
    link.onMessage("borglet/m1", hello("m1", facts));
    const sequence = pollsOf(env).at(-1)?.sequence ?? 0;
    link.onMessage("borglet/m1", said(make(ReportSchema, { machine: "m1", term: 1, sequence, facts: now })));
    told = env.take().flatMap(({ message }) => (message.type === "ops" ? message.ops.map(opened) : []));
  };
  let passed = 0;
  for (let i = 0; i < 200; i++) {
    flap(`r${i}`);
    passed += told.length;
  }
  assert.equal(passed, 100);
  env.nowMs += 1500;
  flap("r199");
  assert.deepEqual(
    told.map(({ body }) => body.case === "machineFacts" && body.value.facts?.rack),
    ["r199"],
  );
  flap("r200");
  assert.equal(told.length, 1, "half a second was left");
  flap("r201");
  assert.equal(told.length, 0);
});

test("a machine that would join again and again is heard of a hundred times, and later once more [KB1]", () => {
  const world = new World().init().machine("m1");
  const { facts } = world.state.machines.get("m1" as never)!;
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  const joins = (): number => env.take().filter(({ message }) => message.type === "ops").length;
  for (let i = 0; i < 200; i++) link.onMessage("borglet/new", hello("new", facts));
  assert.equal(joins(), 100);
  link.onTimer();
  assert.equal(joins(), 0);
  env.nowMs += 1500;
  link.onTimer();
  link.onTimer();
  assert.equal(joins(), 1);
});

test("orders that would not fit into a frame go with several polls, and a poll with much in it is not sent twice [KB1]", () => {
  const world = new World().init().machine("m1", 64_000, 2 ** 40);
  const content = new Uint8Array(200_000);
  for (let i = 0; i < 30; i++) {
    world.submit(`big${i}`, { task: { files: ["a", "b", "c"].map((path) => ({ path: `/${path}`, content })) } });
    world.claim(`ubar/big${i}/0`, "m1");
  }
  const env: LinkEnv = new TestEnv();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  link.onMessage("borglet/m1", hello("m1", world.state.machines.get("m1" as never)!.facts));
  const [poll, ...more] = pollsOf(env);
  assert.equal(more.length, 0);
  assert.equal(poll?.orders.length, 6, "4 MiB");
  link.onMessage("master", { type: "items", items: [{ ...imageOf(world.state), events: [], removed: [] }] });
  link.onTimer();
  assert.equal(pollsOf(env).length, 0, "its machine has not taken it yet");
  const started = poll!.orders.map(({ body }) => ({ instance: (body.value as StartOrder).instance, phase: Phase.STARTING, run: 1 }));
  link.onMessage("borglet/m1", said(make(ReportSchema, { machine: "m1", term: 1, sequence: poll!.sequence, instances: started })));
  link.onTimer();
  const next = pollsOf(env);
  assert.equal(next.length, 1);
  const first = new Set(started.map(({ instance }) => instance));
  assert.ok(
    next[0]!.orders.length === 6 && next[0]!.orders.every(({ body }) => !first.has((body.value as StartOrder).instance)),
    "the next six",
  );
  env.nowMs += DEFAULT_LINK.pollMs;
  link.onTimer();
  assert.equal(pollsOf(env).length, 1, "a poll that is not answered is sent again when its time is over");
});

test("a borglet gets pieces of packages that its own tasks name, and of no others [KA2] [U8]", () => {
  const world = new World().init().machine("m1").machine("m2");
  for (const version of [2, 3]) world.must(masterOp({ case: "cellVersion", value: { version } }));
  const [own, foreign] = ["a", "b"].map((digit) => digit.repeat(64)) as [string, string];
  for (const [name, digest] of [
    ["web", own],
    ["db", foreign],
  ] as const) {
    world.must(world.user("ubar", { case: "packageAdd", value: { user: "ubar", name, digest, bytes: 9 } }));
    world.submit(name, { task: { packages: [{ name, version: digest }] } });
  }
  world.claim("ubar/web/0", "m1");
  world.claim("ubar/db/0", "m2");
  const env = new TestEnv<FromLink | Framed<ToBorglet> | PieceAsk>();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  const ask = (machine: string, digest: string): string => {
    const value = make(PackageRequestSchema, { machine, digest, offset: 3, bytesMax: 10 });
    env.take();
    link.onMessage(`borglet/${machine}`, { type: "frame", frame: { case: "packageRequest", value } });
    const [sent] = env.take();
    return sent?.message.type === "package-piece-ask" ? sent.message.id : (chunkIn(sent?.message)?.problem ?? "");
  };
  const NO = "No task of this machine names that package";
  assert.equal(ask("m1", foreign), NO);
  assert.equal(ask("m2", own), NO);
  assert.equal(ask("m1", "c".repeat(64)), NO);
  const [first, second] = [ask("m1", own), ask("m1", own)];
  assert.notEqual(first, NO);
  link.onMessage("packages", { type: "package-piece", id: first, total: 9, data: new Uint8Array(6) });
  assert.deepEqual(env.take(), [], "a newer request replaced it");
  link.onMessage("packages", { type: "package-piece", id: second, total: 9, data: new Uint8Array(6) });
  const [answer] = env.take();
  const chunk = chunkIn(answer?.message);
  assert.deepEqual([answer?.to, chunk?.digest, chunk?.offset, chunk?.total, chunk?.data.length], ["borglet/m1", own, 3, 9, 6]);
  link.onMessage("packages", { type: "package-missing", id: ask("m1", own), reason: "gone" });
  assert.equal(chunkIn(env.take()[0]?.message)?.problem, "gone");
});

const chunkIn = (message: FromLink | Framed<ToBorglet> | PieceAsk | undefined): PackageChunk | undefined =>
  message?.type === "frame" && message.frame.case === "packageChunk" ? message.frame.value : undefined;

test("after its master's lease a shard polls on in its term and stops what must stop, and starts nothing [B3] [borgmaster.H2] [KL2]", () => {
  const world = new World().init().machine("m1");
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const env = new TestEnv<FromLink | Framed<ToBorglet>>();
  const link = new LinkShard(env, ALONE);
  link.onMessage("master", { type: "lease", untilMs: 2000 });
  link.onMessage("master", { type: "lead", term: 7, image: imageOf(world.state) });
  link.onMessage("borglet/m1", hello("m1", world.state.machines.get("m1" as never)!.facts));
  const polled = (): readonly string[] => pollsOf(env).map(({ term, orders }) => `${term} ${orders.map(({ body }) => body.case).join()}`);
  assert.deepEqual(polled(), ["7 start"]);
  env.nowMs = 6000;
  link.onTimer();
  assert.deepEqual(polled(), ["7 "], "the lease is over");
  const sequence = 2;
  const strange = { instance: "ubar/old/0@1", phase: Phase.RUNNING, run: 1 };
  link.onMessage("borglet/m1", said(make(ReportSchema, { machine: "m1", term: 7, sequence, instances: [strange] })));
  env.nowMs = 12_000;
  link.onTimer();
  assert.deepEqual(polled(), ["7 stop"]);
  link.onMessage("master", { type: "lease", untilMs: 14_000 });
  link.onTimer();
  assert.deepEqual(polled(), ["7 stop,start"], "it was renewed");
});
