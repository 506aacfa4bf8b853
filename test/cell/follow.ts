/** Plays drawn ops on a busy cell while a reader follows its change feed, as a scheduler or a link shard does. */
import assert from "node:assert/strict";
import { type FeedItem, feedItem, imageOf } from "../../src/cell/feed.ts";
import type { Op } from "../../src/cell/op.ts";
import type { FeedRecord } from "../../src/wire/gen/borg/v1/feed_pb.ts";
import { type Draw, toOp } from "./random-op.ts";
import { busyWorld, type World } from "./world.ts";

interface Reader {
  fill(records: readonly FeedRecord[]): unknown;
  follow(item: FeedItem): unknown;
}

export function followed(drawn: readonly Draw[], reader: Reader): World {
  const world = busyWorld();
  reader.fill(imageOf(world.state).records);
  const past: Op[] = [];
  for (const draw of drawn) {
    const op = toOp(world.state, draw, past);
    if (op === undefined) continue;
    past.push(op);
    world.timeMs += 50;
    const item = feedItem(world.state, world.entry(op));
    assert.equal(item.position, world.state.position);
    reader.follow(item);
  }
  return world;
}
