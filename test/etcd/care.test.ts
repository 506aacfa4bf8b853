/** An etcd that is full refuses every put, also those of the cell that would make room. What `borg etcd defragment` does is shown on a real one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../src/store/etcd/port.ts";
import { giveBackRoom } from "../../src/store/etcd-care.ts";
import { EtcdClient } from "../../src/store/etcd-client.ts";
import { Members, missing } from "./members.ts";

const MEMBERS = 3;
const QUOTA_BYTES = 16 * 2 ** 20;
const VALUE = new Uint8Array(2 ** 20).fill(1);
/** More than the quota holds. */
const PUTS_MAX = 40;

test("A full etcd takes puts again when its room was given back: old revisions, holes, the alarm [M9] [store.E5]", {
  skip: missing() ?? false,
}, async () => {
  const members = await Members.start(MEMBERS, undefined, ["--quota-backend-bytes", String(QUOTA_BYTES)]);
  const client = new EtcdClient({ urls: members.urls, deadlineMs: 10_000 });
  const put = (): Promise<Answer> =>
    new Promise((resolve) =>
      client.ask({ type: "txn", guards: [], ops: [{ type: "put", key: "one", value: VALUE }], otherwise: [] }, resolve),
    );
  try {
    let answer = await put();
    for (let i = 0; i < PUTS_MAX && answer.type === "txn"; i++) answer = await put();
    assert.deepEqual([answer.type, answer.type === "failed" && /space exceeded/.test(answer.reason)], ["failed", true]);
    const turns: string[] = [];
    const { members: given, alarms } = await giveBackRoom(members.urls, undefined, (url) => void turns.push(url));
    assert.deepEqual([...turns].sort(), [...members.urls].sort());
    assert.ok(alarms >= 1, "an alarm was raised, and is ended");
    for (const { url, bytesBefore, bytesAfter } of given)
      assert.ok(bytesAfter < bytesBefore / 2, `${url}: ${bytesBefore} -> ${bytesAfter}`);
    assert.equal((await put()).type, "txn");
    assert.equal(
      (await giveBackRoom(members.urls, undefined, () => undefined)).alarms,
      0,
      "nothing is wrong any more, and it may be done again",
    );
  } finally {
    client.close();
    await members.stop();
  }
});

test("With a member away nothing is begun: it would come back as full as it was [M9]", { skip: missing() ?? false }, async () => {
  const members = await Members.start(MEMBERS);
  try {
    members.kill(1);
    const turns: string[] = [];
    await assert.rejects(giveBackRoom(members.urls, undefined, (url) => void turns.push(url)));
    assert.deepEqual(turns, []);
  } finally {
    await members.stop();
  }
});
