/** The change feed's sending side: whoever asks from somewhere gets everything from there on, once and in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed } from "../../src/borgmaster/feed.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { Packer, unpack } from "../../src/borgmaster/packing.ts";
import { feedItem, type Image, imageOf, liveImageOf } from "../../src/cell/feed.ts";
import { itemWeight } from "../../src/cell/feed-weight.ts";
import { jobSpec, World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

test("a reader that comes back hears every item it missed, once; one that is too far behind gets an image [KD6] [S7]", () => {
  const world = new World().init();
  const env = new TestEnv<FromMaster>();
  const feed = new Feed(env, 4, 1000, imageOf);
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
  const feed = new Feed(env, 1000, 100, imageOf);
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

test("one image is made for all who ask before the next entry, and packed once [KB1]", () => {
  const world = new World().init();
  const env = new TestEnv<FromMaster>();
  let made = 0;
  const feed = new Feed(env, 4, 1000, (state) => {
    made += 1;
    return imageOf(state);
  });
  const imagesFor = (...readers: readonly string[]): unknown[] => {
    for (const reader of readers) feed.watch(reader, 0, world.state);
    const packer = new Packer();
    return env.take().flatMap(({ message }) => (message.type === "image" ? [packer.pack(message).body["image"]] : []));
  };
  const [one, other] = imagesFor("service", "batch-0");
  assert.equal(made, 1);
  assert.ok(one !== undefined && one === other, "the same bytes go to both");
  feed.publish(feedItem(world.state, world.entry(world.master({ case: "barrier", value: {} }))), 1);
  imagesFor("service");
  assert.equal(made, 2, "an image that an entry made old is not sent");
});

test("an image goes in pieces, and is read from the cell as it is packed [KB1] [KD6]", () => {
  const world = new World().init();
  for (let i = 0; i < 20; i++) {
    const task = { command: ["x"], environment: [{ key: "PADDING", value: "x".repeat(30_000) }], limit: { cpuMilli: 1 } };
    world.entry(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec(`large${i}`, { task }) } }));
  }
  const live = liveImageOf(world.state);
  const { body } = new Packer().pack({ type: "image", image: live });
  const { pieces } = body["image"] as { readonly pieces: readonly Uint8Array[] };
  assert.ok(pieces.length > 1 && pieces.every(({ length }) => length < 400_000), `${pieces.length} pieces`);
  const { image } = unpack(structuredClone(body)) as { readonly image: Image };
  assert.deepEqual([...image.records], imageOf(world.state).records);
  world.entry(world.master({ case: "barrier", value: {} }));
  assert.throws(() => [...live.records], /read before the next entry/);
});
