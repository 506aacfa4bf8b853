/** Random op sequences keep every invariant (KD4, KT1, KT4, KR1-KR4, KP1, KS1); RUNS and SEED come from the environment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { type Op, userOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { draws, toOp } from "./random-op.ts";
import { settings } from "./settings.ts";
import { busyWorld, World } from "./world.ts";

/** Plays drawn ops on a fresh cell; the World checks all invariants after every op. */
export function play(drawn: Parameters<typeof toOp>[1][], each: (world: World, op: Op) => void = () => {}): World {
  const world = busyWorld();
  const past: Op[] = [];
  for (const draw of drawn) {
    const op = toOp(world.state, draw, past);
    if (op === undefined) continue;
    past.push(op);
    world.timeMs += (draw.n[7] ?? 0) % 3 === 0 ? (draw.n[7] ?? 0) - 100 : 50;
    world.try(op);
    each(world, op);
  }
  return world;
}

test("apply keeps all invariants on random ops, and refusals change nothing [KT1] [KT4] [KR1] [KR2] [KR3] [KR4] [KP1] [KS1]", () => {
  fc.assert(
    fc.property(draws(200), (drawn) => void play(drawn)),
    settings(300, 0.4),
  );
});

test("replay of the journal, whole or from a checkpoint in the middle, gives the same hash [KD4] [M5]", () => {
  fc.assert(
    fc.property(draws(80), fc.nat(), (drawn, cut) => {
      const world = play(drawn);
      const upTo = cut % (world.journal.length + 1);
      const other = new World();
      other.state = reread(world.replay(upTo));
      for (const bytes of world.journal.slice(upTo)) other.bytes(bytes);
      assert.equal(stateHash(other.state), stateHash(world.state));
      assert.equal(other.state.timeMs, world.state.timeMs);
      assert.equal(other.state.position, world.state.position);
    }),
    settings(150, 0.4),
  );
});

test("encode, decode, encode is the identity on checkpoints [KD4]", () => {
  fc.assert(
    fc.property(draws(80), (drawn) => {
      const { bytes, hash } = encodeCheckpoint(play(drawn).state);
      const again = encodeCheckpoint(fromBytes(bytes));
      assert.deepEqual(again.bytes, bytes);
      assert.equal(again.hash, hash);
    }),
    settings(150, 0.4),
  );
});

test("a cell that is re-read from its checkpoint after every op decides the same [KD4]", () => {
  fc.assert(
    fc.property(draws(60), (drawn) => {
      const world = play(drawn, (w) => w.restart());
      assert.equal(stateHash(world.state), stateHash(world.replay()));
    }),
    settings(60),
  );
});

test("a repeated request id changes nothing and tells where it was done [KD3] [D7]", () => {
  fc.assert(
    fc.property(draws(60), (drawn) => {
      play(drawn, (world, op) => {
        if (op.requestId === "" || op.actor === undefined) return;
        const user = world.state.users.get(op.actor.name as never);
        const known = user?.requests.get(op.requestId);
        // An id that was taken for something else is refused, again and again.
        if (known === undefined || (known.digest.length > 0 && Buffer.compare(known.digest, op.requestDigest) !== 0)) return;
        const before = stateHash(world.state);
        const again = world.try(op);
        assert.ok(again.ok && again.answer.type === "repeated" && again.events.length === 0, JSON.stringify(again));
        assert.equal(stateHash(world.state), before);
      });
    }),
    settings(60),
  );
});

test("the same op asked by somebody without the right changes nothing [KA2]", () => {
  fc.assert(
    fc.property(draws(60), (drawn) => {
      play(drawn, (world, op) => {
        const before = stateHash(world.state);
        const stranger = world.try(userOp("stranger", "s1", op.body as never));
        assert.ok(!stranger.ok);
        assert.equal(stateHash(world.state), before);
      });
    }),
    settings(60),
  );
});

const reread = (state: CellState): CellState => fromBytes(encodeCheckpoint(state).bytes);

function fromBytes(bytes: Uint8Array): CellState {
  const decoded = decodeCheckpoint(bytes);
  assert.ok(decoded.ok, decoded.ok ? "" : decoded.reason);
  return decoded.value;
}
