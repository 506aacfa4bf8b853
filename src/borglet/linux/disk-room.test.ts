import assert from "node:assert/strict";
import { test } from "node:test";
import { DiskRoom, freeBytes, isFullError } from "./disk-room.ts";

test("a disk is full below 1 MiB and has room again from 16 MiB on; only a change is said [borglet.U5]", () => {
  let free = 100;
  const room = new DiskRoom(["/a", "/b"], (path) => (path === "/b" ? free * 2 ** 20 : 1e12));
  const said = (mib: number): boolean | undefined => {
    free = mib;
    return room.look();
  };
  assert.deepEqual([100, 2, 0.5, 0, 2, 15, 16, 15, 1, 0.9].map(said), [
    undefined,
    undefined,
    true,
    undefined,
    undefined,
    undefined,
    false,
    undefined,
    undefined,
    true,
  ]);
  assert.ok(room.isFull);
  free = 2;
  assert.ok(!room.isFull, "asked just now, whatever was said");
  assert.equal(freeBytes("/nowhere/at/all"), Number.POSITIVE_INFINITY);
  assert.ok(isFullError(Object.assign(new Error("x"), { code: "ENOSPC" })) && !isFullError(new Error("x")));
});
