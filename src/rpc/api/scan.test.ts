/** The looks at a body before it is parsed: they refuse what would hurt, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { RestartJobRequestSchema, SubmitJobRequestSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { binaryScan } from "./scan-binary.ts";
import { scanJson } from "./scan-json.ts";

const json = (text: string, depth = 64, tokens = 100) => scanJson(Buffer.from(text), depth, tokens);

test("scanJson counts depth and tokens outside strings only", () => {
  assert.equal(json("[".repeat(64)), undefined);
  assert.match(json("[".repeat(65))!, /at most 64 deep/);
  assert.equal(json("[]".repeat(40)), undefined);
  assert.equal(json(JSON.stringify(`\\"${"[{,:".repeat(1000)}`)), undefined);
  assert.equal(json('"\\\\"', 1, 1), undefined);
  assert.match(json(`[${"1,".repeat(100)}1]`)!, /at most 100 keys/);
  assert.match(json(`"\\"" ${"{".repeat(70)}`)!, /deep/);
  assert.equal(json(""), undefined);
  assert.equal(json('"never closed \\'), undefined);
});

const restart = binaryScan(RestartJobRequestSchema);
const submit = binaryScan(SubmitJobRequestSchema);

test("binaryScan lets whole messages through", () => {
  const message = create(RestartJobRequestSchema, { job: "ann/web", requestId: "r", tasks: [1, 2, 300, 70_000] });
  assert.equal(restart(toBinary(RestartJobRequestSchema, message), 10), undefined);
  assert.equal(restart(new Uint8Array(), 0), undefined);
  const task = { command: ["a", "b"], limit: { cpuMilli: 5, ramBytes: 2 ** 40 } };
  const job = create(SubmitJobRequestSchema, { spec: { name: "web", user: "ann", count: 3, task } as never });
  assert.equal(submit(toBinary(SubmitJobRequestSchema, job), 100), undefined);
});

test("binaryScan counts fields, also packed ones, before anything is decoded", () => {
  const many = toBinary(RestartJobRequestSchema, create(RestartJobRequestSchema, { tasks: Array.from({ length: 1000 }, () => 1) }));
  assert.match(restart(many, 1000)!, /at most 1000 fields/);
  assert.equal(restart(many, 1001), undefined);
  const empties = new Uint8Array(2000).map((_, i) => (i % 2 === 0 ? 0x12 : 0));
  assert.match(submit(empties, 999)!, /at most 999 fields/);
});

test("binaryScan refuses what a decoder would skip or stumble over", () => {
  const group = new BinaryWriter().tag(2, WireType.StartGroup).tag(2, WireType.EndGroup).finish();
  assert.match(restart(group, 10)!, /wire type 3/);
  assert.match(restart(new BinaryWriter().tag(99, WireType.Varint).uint32(1).finish(), 10)!, /no field number 99/);
  assert.match(restart(new BinaryWriter().tag(2, WireType.Varint).uint32(1).finish(), 10)!, /field number 2 has wire type 0/);
  assert.match(restart(Uint8Array.of(0x12, 5, 1), 10)!, /field number 2 is cut off/);
  assert.match(restart(Uint8Array.of(0x18, 0x80), 10)!, /field number 3 is cut off/);
  assert.match(restart(new Uint8Array(11).fill(0x80), 10)!, /tag is malformed/);
});
