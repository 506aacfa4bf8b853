/** Masters and cell versions: who cannot do what the journal asks for stops before it is applied; a leader switches on what all can do. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MASTER, type MasterOptions } from "../../src/borgmaster/defaults.ts";
import { Master } from "../../src/borgmaster/master.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { encodeCheckpoint } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeEntry, encodeEntry, encodeOp, makeEntry, masterOp, type Op, userOp } from "../../src/cell/op.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import type { Journal, JournalAnswer } from "../../src/wire/journal.ts";
import { World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

const init = masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } });
const raise = (version: number): Op => masterOp({ case: "cellVersion", value: { version } });
const TOO_OLD = "The cell goes on with version 2, and this build can do 1: upgrade it before it may go on";

/** A master whose journal takes everything at once. `start` gives it a snapshot, or none. */
function setUp(more: Partial<MasterOptions> = {}) {
  const env = new TestEnv<FromMaster>();
  const appended: Op[] = [];
  const waiting: JournalAnswer[] = [];
  const journal = new Proxy({} as Journal, {
    get: (_, call) => (_term: number, position: number, payload: Uint8Array) => {
      if (call === "lead") waiting.push({ type: "leading", term: 1, last: 0 });
      if (call !== "append") return;
      const entry = decodeEntry(payload);
      assert.ok(entry.ok);
      appended.push(...entry.value.ops);
      waiting.push({ type: "appended", position });
    },
  });
  const options = {
    ...DEFAULT_MASTER,
    name: "master/0",
    create: { cell: "cc", owner: "admin" },
    link: "link",
    follower: "follower",
    schedulers: [],
  };
  const master = new Master(env, journal, { ...options, lock: undefined, replicas: 1, ...more });
  const hear = (answer: JournalAnswer): void => {
    master.onMessage("journal", { type: "journal", answer });
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      master.onMessage("journal", { type: "journal", answer: next });
  };
  const exits = () => env.sent.flatMap(({ message }) => (message.type === "exit" ? [message.reason] : []));
  const start = (payload?: Uint8Array, position = 0): void => {
    master.start();
    hear({ type: "snapshot", snapshot: payload === undefined ? undefined : { position, payload } });
  };
  const follow = (position: number, ...ops: Op[]): void =>
    hear({ type: "followed", entry: { position, term: 1, payload: encodeEntry(makeEntry(1_000_000 + position, ops)) } });
  const drain = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) hear(next);
  };
  return { env, master, appended, start, follow, exits, drain };
}

test("a standby that cannot do the next version stops with a sentence, and neither it nor its copies apply the entry [cell.E4] [KD7]", () => {
  const { env, master, start, follow, exits } = setUp({ lock: "lock", versionMax: 1 });
  start();
  follow(1, init);
  assert.deepEqual([exits(), master.state.position], [[], 1]);
  env.take();
  follow(2, raise(2));
  assert.deepEqual(exits(), [TOO_OLD]);
  assert.deepEqual([master.role, master.state.version, master.state.position], ["stopped", 1, 1]);
  assert.deepEqual(
    env.take().map(({ to }) => to),
    ["shell"],
  );
});

test("nor does it start from a checkpoint of a version that it cannot do [cell.E4] [KD7]", () => {
  const world = new World().init();
  world.must(raise(2));
  const { bytes } = encodeCheckpoint(world.state);
  const old = setUp({ versionMax: 1 });
  old.start(bytes, world.state.position);
  assert.deepEqual(old.exits(), [TOO_OLD]);
  const able = setUp({ lock: "lock" });
  able.start(bytes, world.state.position);
  assert.deepEqual([able.exits(), able.master.state.version], [[], 2]);
});

test("a master that is alone makes a new cell with the newest version at once [cell.E4]", () => {
  const { master, start, appended } = setUp();
  start();
  assert.deepEqual(
    appended.map(({ body }) => body.case),
    ["barrier", "cellInit", ...Array.from({ length: VERSION_MAX - 1 }, () => "cellVersion")],
  );
  assert.deepEqual([master.role, master.state.version], ["leading", VERSION_MAX]);
});

test("with a lock service it waits until every configured master has told that it can do it [cell.E4] [KD7]", () => {
  const { env, master, start, appended, drain } = setUp({ lock: "lock", replicas: 3 });
  start();
  const grant = (masters: number, lowest: number): number => {
    master.onTimer("lock");
    const asked = env.take().findLast(({ to }) => to === "lock")?.message;
    assert.ok(asked?.type === "acquire" && asked.versionMax === VERSION_MAX);
    master.onMessage("lock", { type: "granted", ttlMs: 2000, known: { masters, lowest }, sequence: asked.sequence ?? 0 });
    drain();
    master.onTimer("tick");
    drain();
    return master.state.version;
  };
  assert.equal(grant(2, 2), 1, "one was never heard of");
  assert.equal(grant(3, 1), 1, "one is old");
  assert.equal(grant(3, 2), 2);
  assert.equal(appended.filter(({ body }) => body.case === "cellVersion").length, 1);
});

test("below version 2 no digest goes into the journal: builds of version 1 could not read it [cell.I5] [KD7]", () => {
  const ask = userOp("admin", "r", { case: "machineDrain", value: { machine: "m1", draining: true } }, new Uint8Array(16).fill(7));
  for (const versionMax of [1, 2]) {
    const { master, start, appended, drain } = setUp({ versionMax });
    start();
    master.onMessage("client", { type: "request", id: "q", op: encodeOp(ask) });
    drain();
    assert.equal(appended.at(-1)?.body.case, "machineDrain");
    assert.equal(appended.at(-1)?.requestDigest.length, versionMax === 1 ? 0 : 16);
  }
});

test("below the version that knows it an op is refused and not appended: builds of older versions could not read it [cell.E4] [KD7]", () => {
  const ask = userOp("admin", "r", { case: "boundsSet", value: { user: "ann", bounds: { jobs: 5 } } });
  for (const versionMax of [1, 2]) {
    const { env, master, start, appended, drain } = setUp({ versionMax });
    start();
    env.take();
    master.onMessage("client", { type: "request", id: "q", op: encodeOp(ask) });
    drain();
    assert.equal(appended.at(-1)?.body.case === "boundsSet", versionMax === 2);
    const answers = env
      .take()
      .flatMap(({ message }) => (message.type === "answer" && message.result === "refused" ? [message.reason] : []));
    const reason = "The cell has version 1: it does this from version 2 on, which it has when every master can";
    if (versionMax === 1) assert.deepEqual(answers, [reason]);
  }
});
