/** A reader that fills in an image and then every item of the feed has exactly the records of a fresh image. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FeedItem, type Image, imageOf } from "../../src/cell/feed.ts";
import type { CheckpointRecord, MachineRecord } from "../../src/wire/gen/borg/v1/checkpoint_pb.ts";
import { followed } from "./follow.ts";
import { draws } from "./random-op.ts";
import { settings } from "./settings.ts";

/** Records by name; tasks one by one. Users and the cell's own record are not in the feed. */
class Reader {
  readonly known = new Map<string, unknown>();

  fill(records: readonly CheckpointRecord[]): void {
    for (const { body } of records) {
      if (body.case === "scheduler") this.known.set(`scheduler ${body.value.name}`, body.value);
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
  reader.fill(image.records);
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
