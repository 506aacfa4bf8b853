/** A reader that fills in an image and then every item of the feed has exactly the records of a fresh image. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { removedRecords } from "../../src/borgmaster/packing.ts";
import { type FeedItem, feedItem, type Image, imageOf } from "../../src/cell/feed.ts";
import { pieceOf } from "../../src/cell/feed-piece.ts";
import { FeedReader } from "../../src/cell/feed-reader.ts";
import type { Op } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { make } from "../../src/wire/codec.ts";
import { ReadFeedResponseSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import type { FeedRecord } from "../../src/wire/gen/borg/v1/feed_pb.ts";
import type { MachineRecord } from "../../src/wire/gen/borg/v1/record_pb.ts";
import { followed } from "./follow.ts";
import { draws, toOp } from "./random-op.ts";
import { settings } from "./settings.ts";
import { busyWorld } from "./world.ts";

/** Records by name; tasks one by one. */
class Reader {
  readonly known = new Map<string, unknown>();

  fill(records: readonly FeedRecord[]): void {
    for (const { body } of records) {
      if (body.case === "scheduler" || body.case === "user" || body.case === "cell")
        this.known.set(`${body.case} ${body.value.name}`, body.value);
      if (body.case === "machine") this.#fillMachine(body.value);
      if (body.case === "job") this.known.set(`job ${body.value.spec.value?.user}/${body.value.spec.value?.name}`, body.value);
      if (body.case === "tasks")
        for (const [i, task] of body.value.tasks.entries()) this.known.set(`task ${body.value.job}/${body.value.first + i}`, task);
    }
  }

  /** Facts are sent when they changed. */
  #fillMachine(record: MachineRecord): void {
    const key = `machine ${record.name}`;
    const before = this.known.get(key) as MachineRecord | undefined;
    this.known.set(key, record.facts === undefined && before?.facts !== undefined ? { ...record, facts: before.facts } : record);
  }

  follow(item: FeedItem): void {
    this.fill(item.records);
    for (const { kind, id } of item.removed) {
      this.known.delete(`${kind} ${id}`);
      if (kind === "job") for (const key of [...this.known.keys()]) if (key.startsWith(`task ${id}/`)) this.known.delete(key);
    }
  }
}

const whole = (image: Image): Map<string, unknown> => {
  const reader = new Reader();
  reader.fill([...image.records]);
  return reader.known;
};

const sorted = (map: Map<string, unknown>): unknown[] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

test("image and items make the cell: nothing that changed is missing from the feed [KD6]", () => {
  fc.assert(
    fc.property(draws(160), (drawn) => {
      const reader = new Reader();
      const world = followed(drawn, reader);
      assert.deepEqual(sorted(reader.known), sorted(whole(imageOf(world.state))));
    }),
    settings(200),
  );
});

/** What a page of the API would be: everything since it was last read, and then a piece. */
class Pages {
  readonly reader = new FeedReader();
  readonly #items: FeedItem[] = [];
  readonly #state: CellState;
  #begun = false;
  image: Image | undefined;

  constructor(state: CellState) {
    this.#state = state;
  }

  add(item: FeedItem): void {
    if (this.#begun) this.#items.push(item);
  }

  /** `most`: what a piece weighs. */
  turn(most: number): void {
    if (this.image !== undefined) return;
    const piece = pieceOf(this.#state, this.reader.request.more, most);
    assert.ok(piece !== undefined);
    const page = {
      items: this.#items.splice(0).map(({ position, timeMs, records, removed }) => ({
        position,
        timeMs,
        records: [...records],
        removed: removedRecords(removed),
      })),
      next: this.#state.position + 1,
      anew: !this.#begun,
      piece: [...piece.records],
      more: piece.more,
      timeMs: this.#state.timeMs,
    };
    this.#begun = true;
    this.image = this.reader.hear(make(ReadFeedResponseSchema, page)).image;
  }
}

test("a cell that changes while it comes in pieces comes whole [KD6] [cell.E9]", () => {
  fc.assert(
    fc.property(draws(120), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }), (drawn, most, every) => {
      const world = busyWorld();
      const pages = new Pages(world.state);
      const past: Op[] = [];
      for (const [step, draw] of drawn.entries()) {
        if (step % every === 0) pages.turn(most);
        if (pages.image !== undefined) break;
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        pages.add(feedItem(world.state, world.entry(op)));
      }
      while (pages.image === undefined) pages.turn(most);
      assert.deepEqual(sorted(whole(pages.image)), sorted(whole(imageOf(world.state))));
      assert.deepEqual([pages.image.position, pages.image.timeMs], [world.state.position, world.state.timeMs]);
    }),
    settings(200),
  );
});

test("a place in the cell that nobody can have been told is no place [cell.E9]", () => {
  const { state } = busyWorld();
  assert.deepEqual(
    ["nonsense", "task x", "jobs", "machine"].map((more) => pieceOf(state, more, 10)),
    [undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(pieceOf(state, "job zzz/zzz", 10), { records: [], more: "", weight: 0 });
});
