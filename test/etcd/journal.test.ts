/** What only the journal in etcd promises, shown on a model of etcd where a test decides what lands and who hears of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, encodeMarks, Keys } from "../../src/store/etcd/keys.ts";
import { spaceOf } from "../../src/store/etcd/space.ts";
import { trimPoint } from "../../src/store/etcd/trimming.ts";
import { CELL, isGuarded, isHeadRead, payloadOf, Stage } from "./stage.ts";

const keys = new Keys(CELL);
const put = (stage: Stage, key: string, value: Uint8Array): void =>
  void stage.model.ask({ type: "txn", guards: [], ops: [{ type: "put", key, value }], otherwise: [] });

test("an append without an answer is unknown, is sent once, and may land after a read said that it is absent [store.E3] [KD3]", () => {
  const stage = new Stage();
  const port = stage.port(isGuarded);
  const replica = stage.replica("r0", port);
  replica.journal.lead();
  port.held.shift()?.answer();
  const { term } = replica.answer("leading");
  replica.journal.append(term, 1, payloadOf(1));
  const first = port.held.shift()!;
  first.giveUp();
  const answer = replica.answer("not-appended");
  assert.deepEqual([answer.position, answer.fault], [1, "unknown"]);
  assert.deepEqual(replica.read(1), [], "absent");
  assert.equal(port.held.length, 0, "nobody sent it again");
  // The master sends the same bytes once more: one of the two lands, the other finds the position taken.
  replica.journal.append(term, 1, payloadOf(1));
  first.land();
  port.held.shift()?.answer();
  assert.equal(replica.answer("not-appended").fault, "fenced");
  assert.deepEqual(replica.read(1), [1]);
});

test("what an old leader sent lands before the new lead or never, whenever it arrives [store.E1] [KL1]", () => {
  const stage = new Stage();
  const slow = stage.port(isGuarded);
  const old = stage.replica("r0", slow);
  old.journal.lead();
  slow.held.shift()?.answer();
  const { term } = old.answer("leading");
  old.journal.append(term, 1, payloadOf(1));
  const late = slow.held.shift()!;
  const next = stage.replica("r1", stage.port());
  const newTerm = next.lead();
  late.land();
  assert.deepEqual(next.read(1), []);
  next.append(newTerm, 1);
  late.answer();
  assert.equal(old.answer("not-appended").fault, "fenced");
  assert.deepEqual(next.read(1), [1]);
});

test("two that lead from the same head get two terms, and only the later one appends [store.E2] [KL1]", () => {
  const stage = new Stage();
  const [a, b] = [stage.port(isGuarded), stage.port(isGuarded)];
  const [one, two] = [stage.replica("r0", a), stage.replica("r1", b)];
  one.journal.lead();
  two.journal.lead();
  a.held.shift()?.answer();
  b.held.shift()?.answer();
  assert.equal(two.answers.length, 0, "its guard failed: it reads the head again");
  b.held.shift()?.answer();
  assert.deepEqual([one.answer("leading").term, two.answer("leading").term], [1, 2]);
  one.journal.append(1, 1, payloadOf(1));
  a.held.shift()?.answer();
  assert.equal(one.answer("not-appended").fault, "fenced");
});

test("a lead whose lock is gone, or somebody else's by now, does nothing [store.E2]", () => {
  const stage = new Stage();
  let revision: number | undefined;
  const replica = stage.replica("r0", stage.port(), { lockRevision: () => revision });
  replica.journal.lead();
  assert.match(replica.answer("not-leading").reason, /does not have the lock/);
  put(stage, keys.lock, bytesOf("r0"));
  revision = stage.model.revision + 7;
  replica.journal.lead();
  replica.answer("not-leading");
  revision = stage.model.revision;
  assert.equal(replica.lead(), 1);
});

test("one read of the head serves all who wait, and who comes while it is on its way gets the next [store.E4] [KD3]", () => {
  const stage = new Stage();
  const writer = stage.replica("r0", stage.port());
  const term = writer.lead();
  const port = stage.port(isHeadRead);
  const reader = stage.replica("r1", port);
  reader.journal.confirm(term);
  reader.journal.confirm(term);
  reader.journal.confirm(term);
  assert.equal(port.held.length, 1, "the first went at once");
  // Decided before the append, answered after it: whoever asked after the append must not get this one.
  const early = stage.model.ask(port.held[0]!.question);
  assert.equal(early.type, "txn");
  port.held.shift()?.answer();
  assert.deepEqual(reader.answer("confirmed").position, 0);
  writer.append(term, 1);
  reader.journal.confirm(term);
  assert.equal(port.held.length, 1, "one read for three");
  port.held.shift()?.answer();
  assert.deepEqual(
    reader.answers.map((each) => each.type === "confirmed" && each.position),
    [1, 1],
  );
});

test("whoever asks while a read of the head is on its way is not answered by it [store.E4] [KD3]", () => {
  const stage = new Stage();
  const writer = stage.replica("r0", stage.port());
  const term = writer.lead();
  const port = stage.port(isHeadRead);
  const reader = stage.replica("r1", port);
  reader.journal.confirm(term);
  const [first] = port.held.splice(0);
  writer.append(term, 1);
  reader.journal.confirm(term);
  first?.answer();
  assert.equal(reader.answers.length, 1, "the second waits for its own read");
  reader.answers.splice(0);
  port.held.shift()?.answer();
  assert.equal(reader.answer("confirmed").position, 1);
});

test("a follower finds its place by position: lost events, broken watches and compaction cost nothing [store.E5] [KD6]", () => {
  const stage = new Stage();
  const writer = stage.replica("r0", stage.port());
  const term = writer.lead();
  const port = stage.port();
  const follower = stage.replica("r1", port);
  follower.journal.follow(1);
  writer.append(term, 1, 2);
  port.deaf = true;
  writer.append(term, 3, 4);
  port.deaf = false;
  writer.append(term, 5);
  stage.model.ask({ type: "compact", revision: stage.model.revision });
  stage.model.breakWatches();
  writer.append(term, 6);
  port.deaf = true;
  writer.append(term, 7);
  port.deaf = false;
  // Nothing was heard since: two looks at the head, a second apart, find it behind at the same place.
  follower.journal.second(1000);
  assert.equal(follower.journal.freshMs, undefined);
  follower.journal.second(2000);
  follower.journal.second(3000);
  assert.equal(follower.journal.freshMs, 3000);
  const seen = follower.answers.flatMap((answer) => (answer.type === "followed" ? [answer.entry.position] : []));
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7]);
});

test("entries go when a majority has told of the same snapshot before its newest, and not sooner [store.E6]", () => {
  const mark = (position: number, hash = "aa") => ({ position, hash });
  assert.equal(trimPoint([], 3), 0);
  assert.equal(trimPoint([[mark(20), mark(10)]], 3), 0, "one of three");
  assert.equal(trimPoint([[mark(20)], [mark(20)], [mark(20)]], 3), 0, "nobody has an older one to fall back to");
  assert.equal(trimPoint([[mark(20), mark(10)], [mark(20), mark(10)], []], 3), 10);
  assert.equal(
    trimPoint(
      [
        [mark(20), mark(10)],
        [mark(30), mark(10, "bb")],
      ],
      3,
    ),
    0,
    "other hashes",
  );
  assert.equal(trimPoint([[mark(30), mark(20)], [mark(30), mark(20)], [mark(20), mark(10)], [], []], 5), 0, "two of five");

  const stage = new Stage();
  const leader = stage.replica("r0", stage.port());
  const term = leader.lead();
  leader.append(term, 1, 2, 3, 4);
  const seconds = (): void => {
    for (let i = 0; i < 11; i++) leader.journal.second(0);
  };
  const marks = [mark(4), mark(2)];
  put(stage, keys.snapshot("r1"), encodeMarks(marks));
  seconds();
  assert.deepEqual(leader.read(1), [1, 2, 3, 4]);
  put(stage, keys.snapshot("r2"), encodeMarks(marks));
  seconds();
  leader.journal.read(2, 1000);
  assert.match(leader.answer("not-read").reason, /History begins at 3/);
  assert.deepEqual(leader.read(3), [3, 4]);
  leader.append(term, 5);
  const late = stage.replica("r3", stage.port());
  late.journal.loadSnapshot(100);
  assert.match(late.answer("snapshot-not-loaded").reason, /history begins at 3/);
});

test("an old leader trims nothing [store.E6] [KL1]", () => {
  const stage = new Stage();
  const old = stage.replica("r0", stage.port());
  old.append(old.lead(), 1, 2, 3);
  const next = stage.replica("r1", stage.port());
  next.lead();
  for (const name of ["r1", "r2"])
    put(
      stage,
      keys.snapshot(name),
      encodeMarks([
        { position: 3, hash: "aa" },
        { position: 2, hash: "aa" },
      ]),
    );
  for (let i = 0; i < 11; i++) old.journal.second(0);
  assert.deepEqual(next.read(1), [1, 2, 3]);
});

test("at half of its quota etcd is an alarm, at four fifths no more jobs are taken [store.E8]", () => {
  const status = (usedBytes: number, isFull = false) => ({ type: "status", usedBytes, quotaBytes: 1000, isFull }) as const;
  const levels = [0, 499, 500, 799, 800, 1000].map((used) => spaceOf(status(used)).level);
  assert.deepEqual(levels, ["fine", "fine", "alarm", "alarm", "full", "full"]);
  assert.equal(spaceOf(status(0, true)).level, "full");
  assert.match(spaceOf({ ...status(2 ** 30), quotaBytes: 0 }).reason, /50 % of its 2048 MiB/);
});

test("the level of etcd is told when it changes, and only then [store.E8]", () => {
  const stage = new Stage();
  const replica = stage.replica("r0", stage.port(), { quotaBytes: 1000 });
  const look = (): readonly string[] => {
    for (let i = 0; i < 10; i++) replica.journal.second(0);
    return replica.answers.splice(0).map((answer) => (answer.type === "space" ? answer.level : answer.type));
  };
  assert.deepEqual(look(), []);
  put(stage, "filler", new Uint8Array(600));
  assert.deepEqual(look(), ["alarm"]);
  assert.deepEqual(look(), []);
  put(stage, "filler", new Uint8Array(900));
  assert.deepEqual(look(), ["full"]);
  put(stage, "filler", new Uint8Array(1));
  assert.deepEqual(look(), ["fine"]);
});

test("a journal of another format is refused in words [store.E9]", () => {
  const stage = new Stage();
  const replica = stage.replica("r0", stage.port());
  put(stage, keys.head, bytesOf("2 1 0"));
  replica.journal.lead();
  assert.match(replica.answer("not-leading").reason, /format 2, and this version knows format 1/);
  put(stage, keys.head, bytesOf("something else"));
  replica.journal.read(1, 100);
  assert.match(replica.answer("not-read").reason, /no head of a journal/);
});
