/** The change feed's sending side: whoever asks from somewhere gets everything from there on, once and in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed } from "../../src/borgmaster/feed.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { feedItem } from "../../src/cell/feed.ts";
import { World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

test("a reader that comes back hears every item it missed, once; one that is too far behind gets an image [KD6] [S7]", () => {
  const world = new World().init();
  const env = new TestEnv<FromMaster>();
  const feed = new Feed(env, 4);
  const began = world.state.position;
  const step = (): void => feed.publish(feedItem(world.state, world.entry(world.master({ case: "barrier", value: {} }))));
  for (let i = 0; i < 5; i++) step();
  const heard = (from: number): string => {
    env.take();
    feed.watch("reader", from, world.state);
    return env
      .take()
      .flatMap(({ message }) => (message.type === "items" ? message.items.map(({ position }) => String(position - began)) : [message.type]))
      .join(" ");
  };
  assert.equal(heard(began + 1), "1 2 3 4 5");
  assert.equal(heard(began + 4), "4 5");
  assert.equal(heard(began + 6), "", "it has everything");
  assert.equal(heard(began + 7), "image", "it knows more than there is");
  for (let i = 0; i < 4; i++) step();
  assert.equal(heard(began + 1), "image", "the feed no longer reaches back so far");
  assert.equal(heard(began + 6), "6 7 8 9");
  env.take();
  step();
  assert.equal(env.take().length, 1, "asking again makes no second reader");
});
