import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Image, imageOf } from "../../src/cell/feed.ts";
import type { Op } from "../../src/cell/op.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { decode, encode } from "../../src/wire/codec.ts";
import { FeedRecordSchema } from "../../src/wire/gen/borg/v1/feed_pb.ts";
import { draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld, GI, limit } from "../cell/world.ts";
import { Bench, fed, mirrorOf, written } from "./support.ts";

/** As another process gets it: from bytes. */
function wired<Fed extends Pick<Image, "records">>(fromMaster: Fed): Fed {
  const records = [...fromMaster.records].map((record) => {
    const decoded = decode(FeedRecordSchema, encode(FeedRecordSchema, record), 16 * 1024 * 1024);
    return decoded.ok ? decoded.value : assert.fail(decoded.reason);
  });
  return { ...fromMaster, records };
}

const view = (mirror: Mirror): unknown => written(mirror, mirror.waiting);

test("a mirror from an older image and items is the one from a fresh image, and its sums are the cell's at every step [scheduler.M1] [S7] [O1]", () => {
  fc.assert(
    fc.property(draws(120), fc.nat(60), (drawn, later) => {
      const world = busyWorld();
      const mirrors = [mirrorOf(imageOf(world.state))];
      const past: Op[] = [];
      for (const [step, draw] of drawn.entries()) {
        if (step === later) mirrors.push(mirrorOf(wired(imageOf(world.state))));
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        const { item } = fed(world, op);
        for (const [i, mirror] of mirrors.entries()) {
          assert.equal(mirror.follow(i === 0 ? item : wired(item)), undefined);
          assert.deepEqual(view(mirror), written(world.state));
        }
      }
      assert.deepEqual(view(mirrorOf(imageOf(world.state))), written(world.state));
    }),
    settings(60),
  );
});

test("claims under way lie on the mirror and leave no trace, whatever the feed says meanwhile [scheduler.M2] [scheduler.M3]", () => {
  const seen = { planned: 0, decided: 0 };
  fc.assert(
    fc.property(draws(120), (drawn) => {
      const world = busyWorld();
      const bench = new Bench(world);
      const past: Op[] = [];
      const open = new Set<string>();
      for (const [step, draw] of drawn.entries()) {
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        bench.apply(op);
        if (step % 3 === 0) for (const { id } of bench.pass().transactions) open.add(id);
        seen.planned += bench.mirror.open();
        if (step % 10 !== 0) continue;
        for (const id of open) {
          if (bench.mirror.open(id) === 0) seen.decided += 1;
          bench.mirror.drop(id);
        }
        open.clear();
        assert.equal(bench.mirror.open(), 0);
        assert.deepEqual(view(bench.mirror), written(world.state));
      }
    }),
    settings(60),
  );
  assert.ok(seen.planned > 100 && seen.decided > 5, JSON.stringify(seen));
});

test("a resized alloc has its new room on the mirror, too [scheduler.M1] [A3]", () => {
  const world = busyWorld();
  for (const version of [2, 3, 4, 5]) world.must(world.master({ case: "cellVersion", value: { version } }));
  world.submitAllocs("aset");
  world.claim("ubar/aset/0", "m1");
  const mirror = mirrorOf(imageOf(world.state));
  const allocSet = { user: "ubar", name: "aset", count: 1, limit: limit(3000, 5 * GI) };
  for (const op of [
    world.user("ubar", { case: "updateStart", value: { allocSet } }),
    world.master({ case: "updateStep", value: { job: "ubar/aset" } }),
  ])
    assert.equal(mirror.follow(fed(world, op).item), undefined);
  assert.equal(mirror.jobs.get("ubar/aset" as never)?.tasks[0]?.instance?.inside?.capacity.cpu, 3000);
  assert.deepEqual(view(mirror), written(world.state));
});
