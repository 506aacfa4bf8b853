/** What a replica does with the snapshots of others, and with an etcd that does not answer when it starts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EtcdJournal } from "../../src/store/etcd/journal.ts";
import { encodeMarks, Keys, type SnapshotMark } from "../../src/store/etcd/keys.ts";
import { DiskShelf, SharedShelf } from "../../src/store/etcd/shelf.ts";
import { difference } from "../../src/store/etcd/trimming.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import type { JournalAnswer } from "../../src/wire/journal.ts";
import { CELL, payloadOf, Stage } from "./stage.ts";

const keys = new Keys(CELL);
const mark = (position: number, hash = "aa"): SnapshotMark => ({ position, hash });

test("a replica whose snapshot differs from the majority's is told to stop, and no other is [store.E12] [KD6]", () => {
  const records = new Map([
    ["r1", [mark(20), mark(10)]],
    ["r2", [mark(20), mark(10)]],
    ["r3", [mark(20, "bb"), mark(10)]],
  ]);
  assert.match(difference(records, "r3", 3)!, /snapshot at 20 of this replica, "r3", has hash bb, and that of the others has aa/);
  assert.equal(difference(records, "r1", 3), undefined);
  assert.equal(difference(new Map([...records].slice(1)), "r3", 3), undefined, "one against one: nobody knows");
  assert.equal(difference(new Map([...records, ["r4", []], ["r5", []]]), "r3", 5), undefined, "two of five are no majority");
});

test("that is looked at now and then, by those that follow too [store.E12]", () => {
  const stage = new Stage();
  for (const name of ["r1", "r2"])
    stage.model.ask({
      type: "txn",
      guards: [],
      ops: [{ type: "put", key: keys.snapshot(name), value: encodeMarks([mark(3)]) }],
      otherwise: [],
    });
  const shelf = new DiskShelf(new MemoryDisk(), CELL);
  shelf.save({ position: 3, payload: payloadOf(9) }, () => {});
  const told: string[] = [];
  const listener = (): void => {};
  const parts = {
    etcd: stage.port(),
    cell: CELL,
    name: "r3",
    replicas: 3,
    shelf,
    listener,
    onDiverged: (reason: string) => told.push(reason),
  };
  const journal = new EtcdJournal(parts);
  for (let i = 0; i < 12; i++) journal.second(i);
  assert.match(told[0] ?? "", /snapshot at 3/);
});

test("a replica that is too far behind takes a peer's snapshot, and none that is as old as its own [store.E13] [M4]", () => {
  const [own, old, fresh] = [1, 2, 3].map(() => new DiskShelf(new MemoryDisk(), CELL)) as [DiskShelf, DiskShelf, DiskShelf];
  own.save({ position: 5, payload: payloadOf(5) }, () => {});
  old.save({ position: 5, payload: payloadOf(5) }, () => {});
  fresh.save({ position: 40, payload: payloadOf(40) }, () => {});
  const load = (shelf: SharedShelf, first: number): string => {
    let answer = "";
    shelf.load(100, first, (loaded) => {
      answer = loaded.ok ? String(loaded.value?.position) : loaded.reason;
    });
    return answer;
  };
  assert.equal(load(new SharedShelf(own, [old, fresh]), 6), "5", "its own is enough");
  assert.equal(load(new SharedShelf(own, [old, fresh]), 30), "40");
  assert.match(load(new SharedShelf(own, [old]), 30), /history begins at 30, .* no other replica has one either/);
  assert.deepEqual(
    new SharedShelf(own, [fresh]).marks().map(({ position }) => position),
    [5],
    "what it tells of is its own",
  );
});

test("a replica that starts before its etcd answers waits for it [store.E14] [M4]", () => {
  const stage = new Stage();
  let isAway = true;
  const port = stage.port(() => isAway);
  const answers: JournalAnswer[] = [];
  const shelf = new DiskShelf(new MemoryDisk(), CELL);
  const journal = new EtcdJournal({ etcd: port, cell: CELL, name: "r1", replicas: 3, shelf, listener: (answer) => answers.push(answer) });
  journal.loadSnapshot(100);
  for (const held of port.held.splice(0)) held.giveUp();
  assert.deepEqual(answers, []);
  isAway = false;
  journal.second(1000);
  assert.deepEqual(answers, [{ type: "snapshot", snapshot: undefined }]);
});
