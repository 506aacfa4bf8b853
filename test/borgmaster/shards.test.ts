/** Link shards of several replicas, each played with the feed of its own copy: who polls a machine, under what, and what is not done by one that was left behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LINK } from "../../src/borgmaster/defaults.ts";
import { shardOf } from "../../src/borgmaster/link/partition.ts";
import { LinkShard } from "../../src/borgmaster/link.ts";
import type { FromLink } from "../../src/borgmaster/message.ts";
import { applyEntry } from "../../src/cell/cell.ts";
import { feedItem, imageOf } from "../../src/cell/feed.ts";
import { encodeOp, makeEntry, masterOp, type Op, unseal } from "../../src/cell/op.ts";
import { LINK_SHARDS, VERSION_MAX } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { HelloSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { MachineFactsSchema, Phase, type Poll, ReportSchema, UsageSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { Framed, ToBorglet } from "../../src/wire/link-message.ts";
import { epochOf, firstSequence } from "../../src/wire/poll-sequence.ts";
import { World } from "../cell/world.ts";
import { leader } from "./leading-master.ts";
import { TestEnv } from "./test-env.ts";

const SETTLE_MS = 30_000;
const MASTERS = ["a", "b"];

/** A shard whose replica stands by, or leads. */
class Shard {
  readonly env = new TestEnv<FromLink | Framed<ToBorglet>>();
  readonly shard: LinkShard;
  readonly life: string;
  #told = 0;

  constructor(replica: string, life: string) {
    this.life = life;
    this.env.id = () => life;
    const place = { replica, masters: MASTERS, versionMax: VERSION_MAX };
    this.shard = new LinkShard(this.env, { master: replica, packages: "packages", options: DEFAULT_LINK, settleMs: SETTLE_MS, place });
  }

  hello(cell: Cell, machine: string): void {
    const { facts } = cell.world.state.machines.get(machine as never)!;
    this.shard.onMessage(`borglet/${machine}`, { type: "frame", frame: { case: "hello", value: make(HelloSchema, { machine, facts }) } });
  }

  /** The one that leads answers its last question: of its lease so much is left, and it was so far. */
  lease(leader: string, term: number, leftMs: number, position: number): void {
    this.env.nowMs += 500;
    this.shard.onTimer();
    const asks = this.env.take().flatMap(({ message }) => (message.type === "shard-ask" ? [message.sequence] : []));
    this.#told = asks.at(-1) ?? this.#told;
    this.shard.onMessage(leader, { type: "shard-told", term, sequence: this.#told, leftMs, position });
  }

  report(machine: string, poll: Poll, more: object = {}): void {
    const value = make(ReportSchema, { machine, term: poll.term, sequence: poll.sequence, ...more });
    this.shard.onMessage(`borglet/${machine}`, { type: "frame", frame: { case: "report", value } });
  }

  /** What it did in the next milliseconds. */
  after(ms: number): { polls: Poll[]; said: { to: string; message: FromLink }[] } {
    for (const endMs = this.env.nowMs + ms; this.env.nowMs < endMs; ) {
      this.env.nowMs += Math.min(200, endMs - this.env.nowMs);
      this.shard.onTimer();
    }
    return this.now();
  }

  now(): { polls: Poll[]; said: { to: string; message: FromLink }[] } {
    const [polls, said]: [Poll[], { to: string; message: FromLink }[]] = [[], []];
    for (const { to, message } of this.env.take())
      if (message.type !== "frame") said.push({ to, message });
      else if (message.frame.case === "poll") polls.push(message.frame.value);
    return { polls, said };
  }
}

/** A cell with machines, and the copies of it that shards follow. */
class Cell {
  readonly world = new World().init().machine("m1").machine("m2").machine("m3").machine("m4");

  constructor() {
    for (let next = 2; next <= LINK_SHARDS; next++) this.world.must(masterOp({ case: "cellVersion", value: { version: next } }));
  }

  begin(...shards: Shard[]): void {
    for (const { shard } of shards) shard.onMessage("own", { type: "cell", image: imageOf(this.world.state, { placedOnly: true }) });
  }

  /** An entry, which these shards hear of. */
  does(op: Op, ...shards: Shard[]): void {
    const { state } = this.world;
    const outcomes = applyEntry(state, state.position + 1, makeEntry(state.timeMs, [op]));
    assert.ok(outcomes[0]?.ok, JSON.stringify(outcomes));
    const item = feedItem(state, outcomes);
    for (const { shard } of shards) shard.onMessage("own", { type: "items", items: [item] });
  }

  share(term: number, epoch: number, ...lives: string[]): Op {
    return masterOp({ case: "linkPartition", value: { term, epoch, shards: lives.map((life) => ({ replica: life.slice(0, 1), life })) } });
  }
}

const machinesOf = (polls: readonly Poll[], env: Shard): string => `${polls.length} of ${env.life}`;
const kinds = (said: readonly { message: FromLink }[]): string[] =>
  said.flatMap(({ message }) =>
    message.type === "ops"
      ? message.ops.map((bytes) => {
          const found = unseal(bytes);
          assert.ok(found.ok);
          const { body } = found.value.op;
          return body.case === "machineMark"
            ? `${body.value.machine} ${body.value.reachable ? "answers" : "is silent"}`
            : String(body.case);
        })
      : [],
  );

/** Of all machines those that a shard of these lives has. */
const own = (life: string, ...lives: string[]): string[] =>
  ["m1", "m2", "m3", "m4"].filter(
    (machine) => shardOf(machine, lives.map((each) => ({ replica: each.slice(0, 1), life: each })) as never)?.life === life,
  );

function two(): { cell: Cell; a: Shard; b: Shard } {
  const [cell, a, b] = [new Cell(), new Shard("a", "a1"), new Shard("b", "b1")];
  cell.begin(a, b);
  for (const each of [a, b]) for (const machine of ["m1", "m2", "m3", "m4"]) each.hello(cell, machine);
  return { cell, a, b };
}

test("before machines are shared out a standby's shard polls nobody; then each polls its own, under term and epoch [B3] [KL1]", () => {
  const { cell, a, b } = two();
  assert.equal(machinesOf([...a.after(6000).polls], a), "0 of a1");
  cell.does(cell.share(5, 2, "a1", "b1"), a, b);
  const [polled, others] = [a.now().polls, b.now().polls];
  assert.equal(polled.length, own("a1", "a1", "b1").length);
  assert.equal(polled.length + others.length, 4);
  assert.ok(polled.length > 0 && others.length > 0, "these names are shared");
  for (const { term, sequence } of [...polled, ...others])
    assert.deepEqual([term, epochOf(sequence), sequence > firstSequence(2)], [5, 2, true]);
});

test("a shard that was started again has no part, whatever the journal says of its replica, until an entry names its life [B3] [KL1]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 1, "a1", "b1"), a, b);
  const again = new Shard("b", "b2");
  cell.begin(again);
  for (const machine of ["m1", "m2", "m3", "m4"]) again.hello(cell, machine);
  assert.equal(again.after(6000).polls.length, 0);
  cell.does(cell.share(5, 2, "a1", "b2"), a, b, again);
  assert.equal(again.now().polls.length, own("b2", "a1", "b2").length);
});

test("with the entry that takes its machines a shard orders nothing more; who gets them orders in a later epoch [B3] [KL2]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 1, "a1", "b1"), a, b);
  const before = b.now().polls;
  a.now();
  cell.does(cell.share(5, 2, "a1"), a, b);
  const polls = a.now().polls;
  assert.equal(polls.length, 4, "all are polled at once");
  assert.equal(b.after(6000).polls.length, 0);
  assert.ok(
    polls.every(({ sequence }) => before.every((old) => old.sequence < sequence)),
    "a borglet obeys the later one",
  );
  // What a machine answers to the old shard is nothing any more.
  b.report(own("b1", "a1", "b1")[0]!, before[0]!, { instances: [] });
  assert.deepEqual(
    b.after(400).said.filter(({ message }) => message.type !== "shard-ask"),
    [],
  );
});

test("epochs are counted anew in a new term, and so are the sequences of a shard that goes on [KL2]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 7, "a1", "b1"), a, b);
  a.now();
  cell.does(cell.share(6, 1, "a1", "b1"), a, b);
  for (const { term, sequence } of a.now().polls) assert.deepEqual([term, epochOf(sequence)], [6, 1]);
});

test("what a replica's master hears of the journal its shard hears too, whether it leads or not; what shards of an earlier epoch say does not count [B3] [KL1]", () => {
  const led = leader({ sharesLinks: true, replicas: 1, name: "a" }, LINK_SHARDS);
  const { env, master } = led;
  const goOn = (turns: number): void => {
    for (let turn = 0; turn < turns; turn++) {
      env.nowMs += 20;
      for (const tag of ["tick", "news"]) master.onTimer(tag);
      led.land();
    }
  };
  goOn(30);
  assert.equal(master.state.version, LINK_SHARDS);
  const ask = (life: string): void =>
    master.onMessage("shard/a", { type: "shard-ask", replica: "a", life, versionMax: VERSION_MAX, sequence: 9 });
  env.take();
  ask("a1");
  const told = env.take().find(({ to }) => to === "shard/a")?.message;
  assert.deepEqual(told, {
    type: "shard-told",
    term: 1,
    sequence: 9,
    leftMs: 2000 - env.nowMs,
    position: master.state.position,
  });
  env.nowMs += 50;
  master.onTimer("news");
  led.land();
  assert.deepEqual(
    master.state.links?.shards.map(({ life }) => life),
    ["a1"],
  );
  const join = (machine: string): Uint8Array =>
    encodeOp(masterOp({ case: "machineJoin", value: { machine, facts: make(MachineFactsSchema, { capacity: { cpuMilli: 1 } }) } }));
  const says = (term: number, epoch: number, machine: string): void => {
    master.onMessage("shard/a", { type: "ops", term, epoch, ops: [join(machine)] });
    goOn(4);
  };
  says(1, 0, "m0");
  says(1, 2, "m2");
  says(2, 1, "m3");
  assert.equal(master.state.machines.size, 0);
  says(1, 1, "m1");
  assert.deepEqual([...master.state.machines.keys()], ["m1"]);
  assert.ok(env.take().some(({ to, message }) => to === "l" && message.type === "items"));
  ask("a2");
  master.onMessage("shard/b", { type: "shard-ask", replica: "a", life: "newer", versionMax: VERSION_MAX + 1, sequence: 1 });
  assert.deepEqual(
    env.take().flatMap(({ to }) => (to.startsWith("shard/") ? [to] : [])),
    ["shard/a"],
    "one of a newer build has no part",
  );
});

test("nothing is started without a lease, or before the copy shows what the leader had; stops go on [B3] [KL1]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 1, "a1", "b1"), a, b);
  const [machine] = own("b1", "a1", "b1") as [string];
  cell.world.submit("web");
  const starts = (polls: readonly Poll[]): number =>
    polls.flatMap(({ orders }) => orders).filter(({ body }) => body.case === "start").length;
  b.now();
  cell.does(masterOp({ case: "barrier", value: { master: "a" } }), a);
  cell.world.claim("ubar/web/0", machine);
  cell.begin(b);
  assert.equal(starts(b.after(6000).polls), 0, "no lease");
  const { position } = cell.world.state;
  b.lease("a", 5, 2000, position + 1);
  assert.equal(starts(b.after(1000).polls), 0, "its copy is older than what the leader had");
  b.lease("a", 5, 2000, position);
  assert.equal(starts(b.after(400).polls), 1);
  b.lease("a", 5, 0, position);
  assert.equal(starts(b.after(6000).polls), 0, "a suspended leader has no lease");
  b.lease("c", 4, 9000, position);
  assert.equal(starts(b.after(1000).polls), 0, "nor does one of an older term give any");
  cell.does(masterOp({ case: "jobKill", value: { job: "ubar/web" } }), b);
  const stops = b
    .after(400)
    .polls.flatMap(({ orders }) => orders)
    .filter(({ body }) => body.case === "stop");
  assert.ok(stops.length > 0, "stops need none");
});

test("a lease counts from when it was asked for, not from when the answer came [KL1]", () => {
  const { cell, b } = two();
  cell.does(cell.share(5, 1, "a1", "b1"), b);
  const [machine] = own("b1", "a1", "b1") as [string];
  cell.world.submit("web");
  cell.world.claim("ubar/web/0", machine);
  cell.begin(b);
  b.now();
  b.env.nowMs += 500;
  b.shard.onTimer();
  const ask = b.now().said.find(({ message }) => message.type === "shard-ask")!.message;
  b.env.nowMs += 1500;
  b.shard.onMessage("a", { type: "shard-told", term: 5, sequence: (ask as { sequence: number }).sequence, leftMs: 1400, position: 1 });
  b.shard.onTimer();
  assert.deepEqual(
    b.now().polls.flatMap(({ orders }) => orders),
    [],
  );
});

test("differences go to the master that leads, with the (term, epoch) in which they were found [B3]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 3, "a1", "b1"), a, b);
  const [machine] = own("b1", "a1", "b1") as [string];
  cell.world.submit("web");
  cell.world.claim("ubar/web/0", machine);
  cell.begin(b);
  b.now();
  b.lease("a", 5, 2000, 0);
  const [poll] = b.after(400).polls.filter(({ orders }) => orders.length > 0);
  const instance = cell.world.instance("ubar/web/0");
  const usage = [make(UsageSchema, { instance, last: { cpuMilli: 3 } })];
  b.report(machine, poll!, { instances: [{ instance, phase: Phase.RUNNING, run: 1 }], usage });
  const said = b.after(200).said.filter(({ message }) => message.type !== "shard-ask");
  assert.deepEqual(
    said.map(({ to, message }) => [to, message.type, (message as { term: number }).term, (message as { epoch: number }).epoch]),
    [
      ["a", "ops", 5, 3],
      ["a", "usage", 5, 3],
    ],
  );
  assert.deepEqual(kinds(said), ["machineReport"]);
});

test("a machine that moves to a shard is not called unreachable before it had time to dial; one that stays is, when it is silent [B3] [B4]", () => {
  const { cell, a, b } = two();
  cell.does(cell.share(5, 1, "a1", "b1"), a, b);
  a.after(SETTLE_MS);
  const [mine, moved] = [own("a1", "a1", "b1"), own("b1", "a1", "b1")];
  assert.deepEqual(
    kinds(a.after(200).said),
    mine.map((machine) => `${machine} is silent`),
  );
  cell.does(cell.share(5, 2, "a1"), a, b);
  const silent = new Set(kinds(a.after(SETTLE_MS - 400).said));
  for (const machine of mine) assert.ok(silent.has(`${machine} is silent`));
  for (const machine of moved) assert.ok(!silent.has(`${machine} is silent`));
  const later = new Set(kinds(a.after(600).said));
  for (const machine of moved) assert.ok(later.has(`${machine} is silent`));
});

test("every half second a shard asks all masters who leads, by its name and life [B3]", () => {
  const b = new Shard("b", "b7");
  const asks = b.after(2000).said;
  assert.deepEqual([...new Set(asks.map(({ to }) => to))], MASTERS);
  assert.ok(asks.length >= 6 && asks.length <= 10, `${asks.length} in two seconds`);
  for (const { message } of asks) assert.deepEqual([message.type, (message as { life: string }).life], ["shard-ask", "b7"]);
});
