/** Reports of a machine are kept as numbers: as they were told, the newest of them, and what was not told stays untold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { StrainSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { MachineMoments, MOMENTS_MAX } from "./machine-moments.ts";

test("a machine's last reports are kept, the oldest goes for a new one, and what it does not tell is not made up [N5]", () => {
  const moments = new MachineMoments();
  assert.deepEqual(moments.list(), []);
  const strain = make(StrainSchema, { cpuWaitingPermille: 0, ramUsedBytes: 2 ** 31, ramBytes: 2 ** 33 });
  const less = make(StrainSchema, { ramUsedBytes: 2 ** 30, ramBytes: 2 ** 33 });
  for (let i = 0; i < MOMENTS_MAX + 5; i++) moments.add(1e12 + i, i, 2 ** 20, i % 3 === 0 ? strain : i % 3 === 1 ? less : undefined);
  const all = moments.list();
  assert.deepEqual(
    all.map(({ timeMs, cpuMilli }) => [timeMs - 1e12, cpuMilli]),
    Array.from({ length: MOMENTS_MAX }, (_, i) => [i + 5, i + 5]),
  );
  // The sixth to the eighth that were told.
  assert.deepEqual(
    all.slice(0, 3).map((each) => each.strain),
    [undefined, strain, less],
  );
});
