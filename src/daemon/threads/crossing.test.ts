/** What crosses between replicas, with the frames of one handed to the other as they would arrive. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BorgletAsk } from "../../borgmaster/api/message.ts";
import type { LineBody, LineSaid } from "../../rpc/shard-lines.ts";
import { checker } from "../../wire/check.ts";
import { decode, encode, make } from "../../wire/codec.ts";
import { LineFrameSchema } from "../../wire/gen/borg/v1/shard_pb.ts";
import { Crossing, type CrossingParts, isShard, masterOf, replicaAt } from "./crossing.ts";

const check = checker(LineFrameSchema);

/** As it comes out of a socket. */
function carried(body: LineBody): LineSaid {
  const bytes = encode(LineFrameSchema, make(LineFrameSchema, { body }));
  const found = decode(LineFrameSchema, bytes, bytes.length);
  assert.ok(found.ok);
  assert.equal(check(found.value), undefined);
  return found.value.body as LineSaid;
}

class Side {
  readonly heard: unknown[] = [];
  readonly asked: BorgletAsk[] = [];
  isBroken = false;
  readonly crossing: Crossing;

  constructor(name: string, others: Map<string, Side>, more: Partial<CrossingParts> = {}) {
    this.crossing = new Crossing({
      send: (replica, body) => {
        if (this.isBroken) return false;
        queueMicrotask(() => others.get(replica)?.crossing.hear(name, carried(body)));
        return true;
      },
      toMaster: (from, message) => this.heard.push([from, message.type, ...(message.type === "shard-ask" ? [message.replica] : [])]),
      toShard: (from, message) => this.heard.push([from, message.type, message.leftMs]),
      toApi: (message) => this.heard.push(message.type === "borglet-silent" ? [message.type, message.reason] : [message.type]),
      ask: (asked) => this.asked.push(asked),
      toExecutor: ({ machine }) => this.heard.push(["executor", machine]),
      join: async ({ machine }) => ({ type: "waiting", key: `key of ${machine}` }),
      read: async ({ id, offset }) => ({ type: "package-piece", id, total: 9, data: new Uint8Array([offset]) }),
      redial: (machine) => this.heard.push(["redial", machine]),
      counts: () => ({ links: 2, linksFormer: 1, authority: "au", cut: [] }),
      ...more,
    });
    others.set(name, this);
  }
}

function two(more: Partial<CrossingParts> = {}): { a: Side; b: Side } {
  const all = new Map<string, Side>();
  return { a: new Side("a", all), b: new Side("b", all, more) };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("what a shard asks, tells and learns arrives at the master that leads in the shard's name, and its answer at the shard [B3]", async () => {
  const { a, b } = two();
  a.crossing.tell("b", { type: "shard-ask", replica: "somebody", life: "l", versionMax: 8, sequence: 1 });
  a.crossing.tell("b", { type: "ops", term: 1, epoch: 2, ops: [new Uint8Array([1])] });
  a.crossing.tell("b", { type: "usage", term: 1, epoch: 2, machines: [{ machine: "m1", usage: [], waiting: [] }] });
  b.crossing.tell("a", { type: "shard-told", term: 1, sequence: 1, leftMs: 77, position: 3 });
  await later();
  assert.deepEqual(b.heard, [
    ["shard/a", "shard-ask", "a"],
    ["shard/a", "ops"],
    ["shard/a", "usage"],
  ]);
  assert.deepEqual(a.heard, [["master/b", "shard-told", 77]]);
  assert.deepEqual(b.crossing.linksOf("a", 1000), { ...b.crossing.linksOf("a", 1000)!, links: 2, linksFormer: 1, authority: "au" });
  assert.equal(b.crossing.linksOf("c", 1000), undefined);
  assert.deepEqual(
    [masterOf("a"), replicaAt("master/a"), replicaAt("shard/a"), replicaAt("master"), isShard("shard/a"), isShard("link")],
    ["master/a", "a", "a", undefined, true, false],
  );
});

test("logs, shells and files are asked where the machine's link is; the answer comes back as any other, and a broken line is told [B3] [N6]", async () => {
  const { a, b } = two();
  const ask: BorgletAsk = { type: "ask-borglet", id: "call 7", about: "log", machine: "m1", request: new Uint8Array([5]) };
  a.crossing.askThere("b", ask);
  await later();
  const [asked] = b.asked;
  assert.deepEqual([asked!.machine, asked!.about, [...asked!.request]], ["m1", "log", [5]]);
  assert.equal(b.crossing.answer({ type: "borglet-said", id: asked!.id, chunk: new Uint8Array([6]) }), true);
  assert.equal(b.crossing.answer({ type: "borglet-silent", id: asked!.id, reason: "gone" }), true);
  assert.equal(b.crossing.answer({ type: "borglet-said", id: "call 7", chunk: new Uint8Array() }), false, "its own question");
  await later();
  assert.deepEqual(a.heard, [["borglet-said"], ["borglet-silent", "gone"]]);
  a.isBroken = true;
  a.crossing.askThere("b", ask);
  assert.deepEqual(a.heard.at(-1), ["borglet-silent", 'The replica that polls machine "m1" does not answer: try again']);
});

test("who would join, and packages that are not here yet, are asked of the replica that leads; without an answer that is said [B3] [S6]", async () => {
  const { a } = two();
  const join = { machine: "m9", protocol: 2, request: new Uint8Array([1]), token: "", capacity: {} } as never;
  assert.deepEqual(await a.crossing.joinThere("b", join, "1.2.3.4"), { type: "waiting", key: "key of m9" });
  const piece = { type: "package-piece-ask", id: "p", digest: "d", offset: 4, bytesMax: 10 } as const;
  const found = await a.crossing.readThere("b", piece);
  assert.ok(found?.type === "package-piece");
  assert.deepEqual([found.id, found.total, [...found.data]], ["p", 9, [4]]);
  a.isBroken = true;
  assert.equal((await a.crossing.joinThere("b", join, "")).type, "refused");
  assert.equal(await a.crossing.readThere("b", piece), undefined);
});
