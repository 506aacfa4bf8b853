/** The lock on a model of etcd: who gets it, and when it is let go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Keys } from "../../src/store/etcd/keys.ts";
import { EtcdLock, type LockVerdict } from "../../src/store/etcd/lock.ts";
import type { Question } from "../../src/store/etcd/port.ts";
import { CELL, isGuarded, Stage } from "./stage.ts";

const keys = new Keys(CELL);
const TTL_MS = 2000;

/** A master and the thread that talks to etcd: one asks, the other renews. */
class Asker {
  readonly lock: EtcdLock;
  readonly verdicts: LockVerdict[] = [];
  readonly #stage: Stage;
  readonly #who: string;
  hangs = false;

  constructor(stage: Stage, who: string, hold?: (question: Question) => boolean) {
    this.#stage = stage;
    this.#who = who;
    this.port = stage.port(hold);
    this.lock = new EtcdLock(this.port, keys);
  }

  readonly port: ReturnType<Stage["port"]>;

  ask(versionMax = 6, stands = true): LockVerdict | undefined {
    this.lock.acquire(
      { who: this.#who, ttlMs: TTL_MS, versionMax, stands },
      this.#stage.nowMs,
      (verdict) => void this.verdicts.push(verdict),
    );
    return this.verdicts.pop();
  }
}

function pass(stage: Stage, ms: number, ...askers: Asker[]): void {
  for (const until = stage.nowMs + ms; stage.nowMs < until; ) {
    stage.nowMs += 250;
    for (const asker of askers) {
      if (stage.nowMs % 500 === 0 && !asker.hangs) asker.ask();
      asker.lock.tick(stage.nowMs);
    }
  }
}

test("one has the lock, the others hear who; the lead is guarded by its revision [store.E2] [M3]", () => {
  const stage = new Stage();
  const [a, b] = [new Asker(stage, "r0"), new Asker(stage, "r1")];
  const granted = a.ask();
  assert.deepEqual(granted, { type: "granted", ttlMs: TTL_MS, known: { masters: 1, lowest: 6 } });
  assert.deepEqual(b.ask(5), { type: "denied", holder: "r0" });
  assert.deepEqual(a.ask(), { type: "granted", ttlMs: TTL_MS, known: { masters: 2, lowest: 5 } });
  assert.equal(a.lock.revision, stage.model.get({ key: keys.lock })[0]?.created);
  assert.equal(b.lock.revision, undefined);
  a.lock.release();
  assert.equal(b.ask()?.type, "granted");
});

test("a lease is renewed while its master asks, and only then: one that hangs loses the lock to a standby [store.E7] [KL1] [M3]", () => {
  const stage = new Stage();
  const [a, b] = [new Asker(stage, "r0"), new Asker(stage, "r1")];
  a.ask();
  pass(stage, 10_000, a);
  assert.deepEqual(b.ask(), { type: "denied", holder: "r0" });
  a.hangs = true;
  pass(stage, 1000, a);
  assert.deepEqual(b.ask(), { type: "denied", holder: "r0" }, "a second is not long");
  pass(stage, 2500, a);
  assert.equal(b.ask()?.type, "granted");
  a.hangs = false;
  assert.deepEqual(a.ask(), { type: "denied", holder: "r1" });
  assert.equal(a.lock.revision, undefined);
});

test("who does not stand hears who has the lock, never takes it, and gives back what it has [M3]", () => {
  const stage = new Stage();
  const [a, b] = [new Asker(stage, "r0"), new Asker(stage, "r1")];
  assert.deepEqual(a.ask(6, false), { type: "denied", holder: "" }, "nobody has it, and it does not take it");
  assert.equal(a.ask()?.type, "granted");
  assert.deepEqual(b.ask(6, false), { type: "denied", holder: "r0" });
  assert.equal(a.ask(6, false)?.type, "denied");
  assert.equal(a.lock.revision, undefined);
  assert.equal(b.ask()?.type, "granted", "at once, without waiting for a lease to end");
});

test("the time of a lease is counted from before it was asked for, never from the answer [store.E7]", () => {
  const stage = new Stage();
  const asker = new Asker(stage, "r0", ({ type }) => type === "keep-alive");
  asker.ask();
  stage.nowMs = 500;
  assert.equal(asker.ask(), undefined, "its renewal is on its way");
  stage.nowMs = 1200;
  asker.port.held.shift()?.answer();
  const verdict = asker.verdicts.pop();
  assert.equal(verdict?.type === "granted" && verdict.ttlMs, TTL_MS, "from 500 on, when it asked");
});

test("a lock that was put without an answer is found again under the same lease [store.E7]", () => {
  const stage = new Stage();
  const asker = new Asker(stage, "r0", isGuarded);
  assert.equal(asker.ask(), undefined);
  const put = asker.port.held.shift();
  put?.land();
  put?.giveUp();
  assert.equal(asker.ask(), undefined);
  asker.port.held.shift()?.answer();
  assert.equal(asker.verdicts.pop()?.type, "granted");
});

test("a standby ends the lease of a master that is gone, of no other, and at most once in 30 s [store.E11] [M3]", () => {
  const stage = new Stage();
  const [a, b, c] = [new Asker(stage, "r0"), new Asker(stage, "r1"), new Asker(stage, "r2")];
  a.ask();
  assert.equal(b.lock.depose(0), false, "it knows of nobody");
  assert.deepEqual(b.ask(), { type: "denied", holder: "r0" });
  a.lock.release();
  assert.equal(c.ask()?.type, "granted");
  assert.equal(b.lock.depose(0), true, "the lease of r0, which is gone already");
  assert.deepEqual(b.ask(), { type: "denied", holder: "r2" }, "who has the lock since is not touched");
  assert.equal(b.lock.depose(29_999), false);
  assert.equal(b.lock.depose(30_000), true);
  assert.equal(b.ask()?.type, "granted");
  assert.deepEqual(c.ask(), { type: "denied", holder: "r1" });
  assert.equal(b.lock.depose(90_000), false, "nobody ends their own");
});
