import assert from "node:assert/strict";
import { test } from "node:test";
import { Copies } from "../../src/borgmaster/copies.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { TestEnv } from "./test-env.ts";

const OPTIONS = { follower: "f", copies: ["api"], followerBehindMax: 100, copyBehindMax: 20, snapshotEvery: 10, snapshotBytes: 500 };

function setUp() {
  const env = new TestEnv<FromMaster>();
  const copies = new Copies(env, OPTIONS);
  copies.restore(7, undefined);
  let position = 7;
  const entry = (weight: number, bytes = 1): number => {
    position += 1;
    copies.entry(position, new Uint8Array(bytes), weight);
    copies.askForSnapshot(position);
    return position;
  };
  const snapshots = (): number => env.take().filter(({ message }) => message.type === "snapshot").length;
  return { env, copies, entry, snapshots };
}

test("a copy is behind by the weight of the entries that it has not followed; each has its own bound [KB1]", () => {
  const { env, copies, entry } = setUp();
  assert.deepEqual(
    env.take().map(({ to, message }) => `${message.type} ${to}`),
    ["restore f", "restore api"],
  );
  for (let i = 0; i < 4; i++) entry(6);
  assert.ok(copies.isBehind, "24 are more than users' reads may wait for");
  copies.followed("api", 8);
  assert.ok(!copies.isBehind);
  copies.followed("api", 11);
  for (let position = 12; position <= 25; position++) {
    entry(6);
    copies.followed("api", position);
  }
  assert.ok(copies.isBehind, "the follower followed nothing");
  copies.followed("f", 9);
  assert.ok(!copies.isBehind);
  copies.followed("nobody", 25);
  copies.followed("f", 25);
  copies.followed("f", 8);
  assert.ok(!copies.isBehind, "what is long past is no news");
  for (let i = 0; i < 4; i++) entry(6);
  assert.ok(copies.isBehind);
  copies.restore(25, undefined);
  assert.ok(!copies.isBehind, "they begin anew");
});

test("a snapshot is due where the positions or the bytes of entries say so, as many as the last one had, and one at a time [KB1]", () => {
  const { copies, entry, snapshots } = setUp();
  for (const _ of [8, 9]) entry(1);
  assert.equal(snapshots(), 0);
  assert.equal(entry(1), 10);
  assert.equal(snapshots(), 1);
  for (let i = 0; i < 10; i++) entry(1, 100);
  assert.equal(snapshots(), 0, "the first one is not saved yet");
  copies.snapshotMade(800);
  copies.snapshotEnded();
  for (let i = 0; i < 7; i++) entry(1, 100);
  assert.equal(snapshots(), 0, "the place at 20 has passed");
  assert.equal(entry(1, 100), 28);
  assert.equal(snapshots(), 1, "800 bytes");
  copies.snapshotEnded();
  entry(1);
  assert.equal(entry(1), 30);
  assert.equal(snapshots(), 1, "the place is the same for every replica");
});
