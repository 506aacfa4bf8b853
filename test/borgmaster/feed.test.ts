/** The change feed's sending side: whoever asks from somewhere gets everything from there on, once and in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed } from "../../src/borgmaster/feed.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { feedItem } from "../../src/cell/feed.ts";
import { itemWeight } from "../../src/cell/feed-weight.ts";
import { jobSpec, World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

test("a reader that comes back hears every item it missed, once; one that is too far behind gets an image [KD6] [S7]", () => {
  const world = new World().init();
  const env = new TestEnv<FromMaster>();
  const feed = new Feed(env, 4, 1000);
  const began = world.state.position;
  const step = (): void => feed.publish(feedItem(world.state, world.entry(world.master({ case: "barrier", value: {} }))), 1);
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

test("items are kept by what they weigh, so that wide jobs do not stay in memory by thousands [KB1]", () => {
  const world = new World().init();
  const env = new TestEnv<FromMaster>();
  const feed = new Feed(env, 1000, 100);
  const began = world.state.position;
  for (let i = 0; i < 8; i++) {
    const spec = jobSpec(`wide${i}`, { count: 30 });
    const item = feedItem(world.state, world.entry(world.user("ubar", { case: "jobSubmit", value: { spec } })));
    assert.ok(itemWeight(world.state, item) > 30);
    feed.publish(item, itemWeight(world.state, item));
  }
  const heard = (from: number): string => {
    env.take();
    feed.watch("reader", from, world.state);
    return env
      .take()
      .map(({ message }) => message.type)
      .join();
  };
  assert.equal(heard(began + 1), "image", "the oldest went");
  assert.equal(heard(began + 8), "items", "the newest stay");
});
