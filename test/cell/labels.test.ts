/** Labels of packages, secrets and users: what is said replaces what was there, what is not said stays, and nobody else is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../src/cell/cell.ts";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { feedItem, imageOf } from "../../src/cell/feed.ts";
import { LABELS_EVERYWHERE } from "../../src/cell/version.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { type OpBody, World } from "./world.ts";

const DIGEST = "a".repeat(64);
const APP = { labels: [{ key: "app", value: "shop" }] };
const MARKED = { labels: [{ key: "app", value: "label-canary" }] };

function cell(version = LABELS_EVERYWHERE): World {
  const world = new World().init().machine("m1");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  return world;
}

const sealed = { keyId: "k1", nonce: new Uint8Array(12), ciphertext: new Uint8Array(40) };
const bodies = (more: object, version = 1): readonly OpBody[] =>
  [
    { case: "packageAdd", value: { user: "ubar", name: "web", digest: DIGEST, bytes: 100, ...more } },
    { case: "secretSet", value: { user: "ubar", name: "db", version, sealed, ...more } },
    { case: "userGrant", value: { user: "ubar", roles: [Role.USER], add: true, ...more } },
  ] as OpBody[];
const say = (world: World, more: object, version = 1): string[] =>
  bodies(more, version).map((body) => world.say(world.user("admin", body)));
function labelsOf(world: World): unknown[] {
  const user = world.state.users.get("ubar" as never)!;
  return [user.packages.get(`web@${DIGEST}`)?.labels, user.secrets.get("db")?.labels, user.labels];
}

test("labels that are said replace those that were there; where none are said they stay [cell.L1] [L1]", () => {
  const world = cell();
  assert.deepEqual(say(world, { labels: APP }), ["ok", "ok", "ok"]);
  assert.deepEqual(labelsOf(world), [APP.labels, APP.labels, APP.labels]);
  assert.equal(world.must(world.user("admin", bodies({ labels: APP })[0]!)).type, "already");
  say(world, {}, 2);
  assert.deepEqual(labelsOf(world), [APP.labels, APP.labels, APP.labels]);
  say(world, { labels: { labels: [{ key: "tier", value: "db" }] } }, 3);
  assert.deepEqual(labelsOf(world), Array(3).fill([{ key: "tier", value: "db" }]));
  const again = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(again.ok && stateHash(again.value) === stateHash(world.state), "they are in the checkpoint");
  assert.deepEqual(labelsOf({ state: again.value } as World), labelsOf(world));
  say(world, { labels: { labels: [] } }, 4);
  assert.deepEqual(labelsOf(world), [[], [], []]);
});

test("a key stands once, and below version 7 there are no such labels [cell.L1] [L1]", () => {
  const twice = { labels: [...APP.labels, ...APP.labels] };
  assert.deepEqual(say(cell(), { labels: twice }), Array(3).fill('Label "app" is given twice: keep one of them'));
  const old = cell(LABELS_EVERYWHERE - 1);
  const yet = "Cannot label packages, secrets and users yet: not all masters of the cell are upgraded";
  assert.deepEqual(say(old, { labels: APP }), [yet, yet, yet]);
  assert.equal(old.state.users.get("ubar" as never)?.packages.size, 0);
});

test("labels of a secret are in no feed, image or event, as the secret itself [cell.L2]", () => {
  const world = cell();
  const outcome = apply(world.state, world.user("ubar", bodies({ labels: MARKED })[1]!));
  assert.ok(outcome.ok);
  const text = (value: unknown): string => JSON.stringify(value, (_, each) => (each instanceof Map ? [...each] : each));
  const told = [text(feedItem(world.state, [outcome])), text(imageOf(world.state)), text(outcome.events)];
  for (const each of told) assert.ok(!each.includes("label-canary"), each);
  assert.ok(new TextDecoder("latin1").decode(encodeCheckpoint(world.state).bytes).includes("label-canary"), "the mark would be found");
});
