import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { DIMENSIONS, MEASURES } from "../base/dimension.ts";
import { vectorOf, ZERO } from "../base/vector.ts";
import { make } from "../wire/codec.ts";
import { AmountsSchema } from "../wire/gen/borg/v1/record_pb.ts";
import { QuotaSchema, ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import { amounts, capOf, quotaVector, resourcesOf } from "./amounts.ts";

const fieldsOf = ({ fields }: DescMessage): string[] => fields.map(({ localName }) => localName).sort();

const ofRows = (column: "field" | "quota"): string[] => DIMENSIONS.flatMap((dimension) => MEASURES[dimension][column] ?? []).sort();

test("every field of Resources, Amounts and Quota is of a row of the table, and the other way round [U3]", () => {
  assert.deepEqual(fieldsOf(ResourcesSchema), [...ofRows("field"), "extras"].sort());
  assert.deepEqual(fieldsOf(AmountsSchema), [...DIMENSIONS, "extras"].sort());
  assert.deepEqual(fieldsOf(QuotaSchema), [...ofRows("quota"), "limit", "unlimited", "untilMs"].sort());
});

test("resources become the cell's amounts and back; limits are rounded up, capacities down", () => {
  const whole = vectorOf((dimension) => (dimension === "ports" ? 0 : 7), [{ name: "gpu", amount: 2 }]);
  assert.deepEqual(amounts(make(ResourcesSchema, resourcesOf(whole)), 0, "up"), whole);
  const odd = make(ResourcesSchema, { cpuMilli: 3, ramBytes: 1025, diskBytes: 2047, diskBandwidth: 5 });
  assert.deepEqual([amounts(odd, 4, "up").ram, amounts(odd, 4, "down").disk, amounts(odd, 4, "down").bandwidth], [2, 1, 5]);
  assert.equal(amounts(odd, 4, "up").ports, 4);
});

test("what a quota limits only when it says so is else as it was, and no cap binds it", () => {
  const held = vectorOf(() => 9);
  const limit = { cpuMilli: 1, ramBytes: 2048 };
  const silent = quotaVector(make(QuotaSchema, { limit }), held);
  assert.deepEqual(silent, { ...ZERO, cpu: 1, ram: 2, bandwidth: 9, ports: 9 });
  const said = quotaVector(make(QuotaSchema, { limit, ports: 3, diskBandwidth: 4 }), held);
  assert.deepEqual([said.ports, said.bandwidth], [3, 4]);
  assert.deepEqual(capOf(make(ResourcesSchema, { ...limit, diskBandwidth: 1 }), held), silent);
});
