import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { LINK_SHARDS } from "../../src/cell/version.ts";
import { World } from "./world.ts";

function cell(version = LINK_SHARDS): World {
  const world = new World().init();
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  return world;
}

const share = (world: World, term: number, epoch: number, ...lives: string[]): string =>
  world.say(
    world.master({ case: "linkPartition", value: { term, epoch, shards: lives.map((life) => ({ replica: life.slice(0, 1), life })) } }),
  );

test("machines are shared out by an epoch that only rises; a new term counts anew [cell.E14] [B3]", () => {
  const world = cell();
  const before = stateHash(world.state);
  assert.equal(share(world, 3, 1, "a1", "b1"), "ok");
  assert.notEqual(stateHash(world.state), before);
  assert.equal(share(world, 3, 2, "a1", "b2"), "ok");
  for (const [term, epoch] of [
    [3, 2],
    [3, 1],
    [2, 9],
  ] as const)
    assert.match(share(world, term, epoch, "c1"), /is older/);
  assert.deepEqual(
    world.state.links?.shards.map(({ life }) => life),
    ["a1", "b2"],
  );
  assert.equal(share(world, 4, 1, "c1"), "ok");
  assert.match(share(cell(LINK_SHARDS - 1), 1, 1, "a1"), /from version 8 on/);
});

test("who shares the machines stands in checkpoints and in the feed; a cell that was restored shares them out anew [cell.E14] [cell.E10]", () => {
  const world = cell();
  share(world, 3, 1, "a1", "b1");
  const read = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(read.ok);
  assert.equal(stateHash(read.value), stateHash(world.state));
  assert.deepEqual(read.value.links, world.state.links);
  const settings = imageOf(world.state)
    .records.map(({ body }) => body)
    .find((body) => body.case === "cell");
  assert.deepEqual(settings?.value.links, world.state.links);
  assert.equal(world.say(world.master({ case: "cellRestored", value: { incarnations: 5 } })), "ok");
  assert.equal(world.state.links, undefined);
  assert.equal(share(world, 1, 1, "a2"), "ok");
});
