import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedWork } from "./shared-work.ts";

test("a crowd that asks at once costs two rounds of work, and nobody is answered by one that began before [KB1]", async () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  const shared = new SharedWork(() => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    return round.promise;
  });
  const first = shared.done();
  const crowd = Array.from({ length: 1000 }, () => shared.done());
  assert.equal(rounds.length, 1);
  rounds[0]!.resolve();
  await first;
  await Promise.race([Promise.all(crowd).then(() => assert.fail("answered by an earlier round")), new Promise(setImmediate)]);
  assert.equal(rounds.length, 2);
  rounds[1]!.resolve();
  await Promise.all(crowd);
  void shared.done();
  assert.equal(rounds.length, 3, "later ones begin anew");
});

test("a round that failed fails those who waited for it, and nobody else [KB1]", async () => {
  let rounds = 0;
  const shared = new SharedWork(async () => {
    rounds += 1;
    if (rounds === 1) throw new Error("not now");
  });
  const [one, other] = [shared.done(), shared.done()];
  await assert.rejects(one, /not now/);
  await other;
  assert.equal(rounds, 2);
});
