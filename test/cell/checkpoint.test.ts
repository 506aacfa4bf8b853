import assert from "node:assert/strict";
import { test } from "node:test";
import { compareIds } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeChecked, decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import type { CellState, Instance } from "../../src/cell/state.ts";
import { newNativeSha256 } from "../../src/shell/native-sha256.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { GI, limit, World } from "./world.ts";

/** A small cell with something of everything in it. */
function sample(): World {
  const world = new World().init().machine("m1").machine("m2").prodQuota();
  world.submitAllocs("aset", { ports: 1 });
  world.submit("inner", { allocSet: "ubar/aset", task: { limit: limit(500, GI), ports: ["http"] } });
  world.submit("mill", { priority: 100, task: { limit: limit(2000, GI) } });
  world.submit("web", { priority: 120, count: 2, task: { limit: limit(3000, GI), ports: ["http"] } });
  world.submit("daemon", { perMachine: true, task: { limit: limit(10, 1) } });
  world.submit("later", { startAfter: "ubar/web" });
  world.submit("flaky", { task: { limit: limit(100, 1) } });
  world.claim("ubar/flaky/0", "m1");
  world.report("m1", { instance: world.instance("ubar/flaky/0"), phase: Phase.RUNNING, run: 1 });
  world.report("m1", { instance: world.instance("ubar/flaky/0"), phase: Phase.FAILED, run: 1, exitCode: 3, message: "no" });
  world.claim("ubar/aset/0", "m1");
  world.claim("ubar/inner/0", world.instance("ubar/aset/0"));
  world.claim("ubar/mill/0", "m2");
  world.claim("ubar/web/0", "m2", [world.instance("ubar/mill/0")]);
  world.report("m2", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, run: 1 });
  return world;
}

test("a checkpoint is canonical: same bytes for the same state, however it came about [cell.K1] [KD4] [M5]", () => {
  const world = sample();
  const { bytes, hash } = encodeCheckpoint(world.state);
  world.restart();
  assert.deepEqual(encodeCheckpoint(world.state).bytes, bytes);
  assert.equal(stateHash(world.state), hash);
  assert.deepEqual(encodeCheckpoint(world.replay()).bytes, bytes);
});

/** Everything of a job, its tasks and their instances that is not a reference to something else. */
const fieldsOf = (state: CellState): unknown =>
  [...state.jobs.values()]
    .sort((a, b) => compareIds(a.id, b.id))
    .map((job) => [
      plain(job),
      job.tasks.map((task) => [plain(task), task.past, task.instance && [plain(task.instance), ...partsOf(task.instance)]]),
    ]);
const plain = (record: object): unknown =>
  Object.entries(record)
    .filter(([, value]) => typeof value !== "object")
    .sort(([a], [b]) => compareIds(a, b));
const partsOf = ({ stop, faring, ports, limit: own, reservation, place, inside }: Instance): unknown[] => [
  stop,
  { ...faring },
  ports,
  own,
  reservation,
  place.id,
  inside?.portNext,
];

test("nothing of a job, a task or an instance is lost on the way through a checkpoint [cell.K1] [KD4]", () => {
  const world = sample();
  const before = fieldsOf(world.state);
  assert.ok(world.task("ubar/flaky/0").notBeforeMs > 0 && world.task("ubar/flaky/0").past.avoid.length === 1);
  world.restart();
  assert.deepEqual(fieldsOf(world.state), before);
});

test("a cell that goes on from a checkpoint decides the same [cell.K3] [KD4] [O1]", () => {
  const [one, two] = [sample(), sample()];
  two.restart();
  for (const world of [one, two]) {
    world.report("m2", { instance: world.instance("ubar/mill/0"), phase: Phase.GONE });
    world.claim("ubar/web/1", "m1");
    world.submit("more", { count: 3 });
  }
  assert.equal(stateHash(one.state), stateHash(two.state));
});

test("a checkpoint has the same hash by the machine's own sum, and who is told that it is right reads the same [cell.K2] [KD4]", () => {
  const { state } = sample();
  const { bytes, hash } = encodeCheckpoint(state);
  assert.deepEqual(encodeCheckpoint(state, newNativeSha256), { bytes, hash });
  const [checked, told] = [decodeCheckpoint(bytes, newNativeSha256), decodeChecked(bytes)];
  assert.ok(checked.ok && told.ok);
  assert.deepEqual([stateHash(checked.value), stateHash(told.value)], [hash, hash]);
  bytes[bytes.length >> 1]! ^= 1;
  assert.ok(!decodeCheckpoint(bytes, newNativeSha256).ok);
});

test("a checkpoint that is damaged anywhere, cut off or of another format is refused in words [cell.K2] [KD5]", () => {
  const { bytes } = encodeCheckpoint(sample().state);
  for (let length = 0; length < bytes.length; length++) {
    const cut = decodeCheckpoint(bytes.subarray(0, length));
    assert.ok(!cut.ok && /Checkpoint/.test(cut.reason));
  }
  const random = new Random(3);
  let seen = 0;
  for (let i = 0; i < 4000; i++) {
    const flipped = bytes.slice();
    const bit = random.int(0, bytes.length * 8);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    const decoded = decodeCheckpoint(flipped);
    if (!decoded.ok) seen += 1;
    // Position and time stand outside the hash; the journal's own checksum covers them.
    else assert.equal(stateHash(decoded.value), stateHash(sample().state));
  }
  assert.ok(seen > 3900, `${seen} of 4000 flips were seen`);
  assert.ok(!decodeCheckpoint(new Uint8Array([1, 2, 3])).ok);
});

test("the parts of a state cover it: a change shows in the hash of exactly one [KD4]", () => {
  const world = new World().init().machine("m1").machine("m2").machine("m3");
  for (const name of ["a", "b", "c", "d"]) world.submit(name);
  const hashes = () => Array.from({ length: 5 }, (_, index) => stateHash(world.state, { index, of: 5 }));
  const before = hashes();
  world.must(world.master({ case: "machineMark", value: { machine: "m2", reachable: false } }));
  const changed = hashes().filter((hash, i) => hash !== before[i]);
  assert.equal(changed.length, 1);
});
