import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../../wire/codec.ts";
import { MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { OfferSchema, Value_Type } from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { type Held, offerProblems } from "./offers.ts";

const GI = 1024 ** 3;
const size = (cpuMilli: number, ramBytes: number) =>
  make(MachineFactsSchema, { capacity: { cpuMilli, ramBytes, diskBytes: 100 * GI }, portFirst: 20_000, portLast: 20_009 });
const SMALL = size(4_000, 8 * GI);

function held(cpus: number, mem: number, ports?: readonly [number, number], heardMs = 0): Held {
  const scalar = (name: string, value: number) => ({ name, type: Value_Type.SCALAR, scalar: { value } });
  const range = ports === undefined ? [] : [{ begin: BigInt(ports[0]), end: BigInt(ports[1]) }];
  const resources = [scalar("cpus", cpus), scalar("mem", mem), { name: "ports", type: Value_Type.RANGES, ranges: { range } }];
  return { offer: make(OfferSchema, { agentId: { value: "m1" }, resources } as Init<typeof OfferSchema>), heardMs, isLate: false };
}

const problems = (all: readonly Held[], sizes = [SMALL]) => offerProblems(all, () => sizes, 1_000);

test("offers of a machine are held against its own size in each resource [KF3]", () => {
  assert.deepEqual(problems([held(1.5, 4096, [20_000, 20_004]), held(2.5, 4096, [20_005, 20_009])]), []);
  assert.deepEqual(problems([held(1.5, 1), held(2.501, 1)]), ['Offers of "m1" come to 4001 milli of cpu, and it has 4000']);
  assert.deepEqual(problems([held(1, 4096), held(1, 4097)]), ['Offers of "m1" come to 8193 MiB of memory, and it has 8192']);
  assert.deepEqual(problems([held(1, 1, [20_009, 20_010])]), ['Offers of "m1" come to 1 ports that it never had, and it has 0']);
  assert.deepEqual(problems([held(1, 1, [20_001, 20_002]), held(1, 1, [20_002, 20_003])]), ['Port 20002 of "m1" is in two offers']);
});

test("a machine that was larger before may still be offered as it was [KF3]", () => {
  assert.deepEqual(problems([held(6, 4096)], [size(6_000, 4 * GI), SMALL]), []);
  assert.equal(problems([held(6.1, 8193)], [size(6_000, 4 * GI), SMALL]).length, 2);
});

test("an offer that is overdue twice is one that nobody takes back [KF3]", () => {
  const one = held(1, 1, undefined, 5_000);
  assert.deepEqual(
    offerProblems([one], () => [SMALL], 64_999),
    [],
  );
  assert.deepEqual(
    offerProblems([one], () => [SMALL], 65_000),
    [],
    "its end may be due in this moment",
  );
  assert.deepEqual(
    offerProblems([one], () => [SMALL], 67_000),
    ['An offer of "m1" is out for 62000 ms'],
  );
});
