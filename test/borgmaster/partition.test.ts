/** Which shard has which machine, and what a leader says about it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Share, shardOf } from "../../src/borgmaster/link/partition.ts";
import { SHARD_SILENT_MS, Shards } from "../../src/borgmaster/shards.ts";
import type { Op } from "../../src/cell/op.ts";
import { LINK_SHARDS } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { type LinkPartition, LinkPartitionSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { epochOf, firstSequence } from "../../src/wire/poll-sequence.ts";
import { TestEnv } from "./test-env.ts";

const MACHINES = Array.from({ length: 3000 }, (_, i) => `m${String(i).padStart(4, "0")}`);

const partition = (...replicas: string[]): LinkPartition =>
  make(LinkPartitionSchema, { term: 1, epoch: 1, shards: replicas.map((replica) => ({ replica, life: `life of ${replica}` })) });

const ownersOf = (...replicas: string[]): string[] =>
  MACHINES.map((machine) => shardOf(machine, partition(...replicas).shards)?.replica ?? "");

test("every machine has one shard, each shard its part, in whatever order shards are named [B3]", () => {
  for (const replicas of [["1"], ["1", "2", "3"], ["replica-1", "replica-2", "replica-3", "replica-4", "replica-5"]]) {
    const owners = ownersOf(...replicas);
    assert.deepEqual(ownersOf(...replicas.toReversed()), owners);
    const fair = MACHINES.length / replicas.length;
    for (const replica of replicas) {
      const count = owners.filter((owner) => owner === replica).length;
      assert.ok(count > 0.85 * fair && count < 1.15 * fair, `${replica} has ${count} of ${MACHINES.length}`);
    }
  }
  assert.equal(shardOf("m1", []), undefined);
});

test("a replica that goes moves only its own machines, and gets the same ones back [B3]", () => {
  const [all, left] = [ownersOf("1", "2", "3"), ownersOf("1", "3")];
  for (const [i, owner] of all.entries()) if (owner !== "2") assert.equal(left[i], owner);
  assert.ok(new Set(left.filter((_, i) => all[i] === "2")).size === 2, "those of a dead one go to both others");
  const again = partition("1", "2", "3").shards.map((shard) => ({ ...shard, life: `${shard.life}, later` }));
  assert.deepEqual(
    MACHINES.map((machine) => shardOf(machine, again)?.replica),
    all,
    "whatever life it has",
  );
});

test("a share is of one life: a replica that was started again has none in the old partition [B3] [KL1]", () => {
  const now = partition("1", "2");
  const [first, second, again] = ["life of 1", "life of 2", "life of 1, later"].map((life) => new Share(now, life));
  for (const machine of MACHINES) {
    assert.equal(Number(first!.has(machine)) + Number(second!.has(machine)), 1);
    assert.equal(again!.has(machine), false);
  }
});

test("sequences of a later epoch are above all of earlier ones, and stay whole numbers [KL2]", () => {
  assert.ok(firstSequence(2) > firstSequence(1) + 4e9);
  assert.equal(epochOf(firstSequence(3) + 1), 3);
  assert.equal(epochOf(firstSequence(1_000_000) + 4e9), 1_000_000);
  assert.ok(Number.isSafeInteger(firstSequence(1_000_001)));
});

class Told {
  readonly env = new TestEnv<never>();
  readonly shards = new Shards(this.env, "a", 3);
  now: LinkPartition | undefined;

  constructor() {
    this.shards.reset();
  }

  ask(...lives: string[]): void {
    for (const life of lives) this.askCut(life);
  }

  askCut(life: string, ...cut: string[]): void {
    this.shards.answer({ type: "shard-ask", replica: life.slice(0, 1), life, versionMax: 8, sequence: 1, cut }, LEADS);
  }

  /** What goes into the journal now, as `epoch: lives`. */
  tick(term = 7, version = LINK_SHARDS): string {
    const op: Op | undefined = this.shards.tick(term, { version, links: this.now });
    if (op?.body.case !== "linkPartition") return "";
    this.now = op.body.value;
    return `${this.now.term}.${this.now.epoch}: ${this.now.shards.map(({ life }) => life).join(" ")}`;
  }
}

const LEADS = { term: 7, leftMs: 1000, position: 5 };

test("a leader shares machines out when all shards have asked, else after a while; anew when one comes, goes, or begins another life [B3] [M7]", () => {
  const told = new Told();
  told.ask("a1", "b1");
  assert.equal(told.tick(), "", "it waits for the third");
  told.env.nowMs += 1500;
  assert.equal(told.tick(7, LINK_SHARDS - 1), "", "not every master can");
  assert.equal(told.tick(), "7.1: a1 b1");
  told.env.nowMs += 1000;
  told.ask("a1", "b1", "c1");
  assert.equal(told.tick(), "7.2: a1 b1 c1");
  told.ask("b2");
  assert.equal(told.tick(), "", "not so soon after the last");
  told.env.nowMs += 1000;
  assert.equal(told.tick(), "7.3: a1 b2 c1");
  told.env.nowMs += 1000;
  assert.equal(told.tick(), "", "it stands there already");
  told.ask("a1", "c1");
  told.env.nowMs += SHARD_SILENT_MS;
  told.ask("a1", "c1");
  assert.equal(told.tick(), "7.4: a1 c1");
  told.shards.reset();
  told.ask("a1", "c1", "b2");
  assert.equal(told.tick(8), "8.1: a1 b2 c1", "a new term says it anew, and counts from one");
  told.ask("d1");
  told.env.nowMs += 1000;
  assert.equal(told.tick(8), "", "more than there are replicas are nobody's");
});

test("shards that cannot reach each other do not share: the leader's stays, and of the others who reaches all that are in [B3]", () => {
  const told = new Told();
  told.ask("a1", "b1");
  told.askCut("c1", "b");
  assert.equal(told.tick(), "7.1: a1 b1");
  told.env.nowMs += 1000;
  told.askCut("a1", "b");
  assert.equal(told.tick(), "7.2: a1 c1");
  told.env.nowMs += 1000;
  told.ask("a1", "b1", "c1");
  assert.equal(told.tick(), "7.3: a1 b1 c1");
});
