/** The codec that tools/gen-codec.ts writes against the library, on random messages of every type and on bytes that are not what they should be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  create,
  type DescField,
  type DescFile,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { Random } from "../base/random.ts";
import { decode, encode, make } from "./codec.ts";
import { file_borg_v1_api } from "./gen/borg/v1/api_pb.ts";
import { file_borg_v1_borglet } from "./gen/borg/v1/borglet_pb.ts";
import { file_borg_v1_checkpoint } from "./gen/borg/v1/checkpoint_pb.ts";
import { file_borg_v1_event } from "./gen/borg/v1/event_pb.ts";
import { file_borg_v1_feed } from "./gen/borg/v1/feed_pb.ts";
import { file_borg_v1_link } from "./gen/borg/v1/link_pb.ts";
import { file_borg_v1_machine } from "./gen/borg/v1/machine_pb.ts";
import { file_borg_v1_op } from "./gen/borg/v1/op_pb.ts";
import { file_borg_v1_record } from "./gen/borg/v1/record_pb.ts";
import { file_borg_v1_resource } from "./gen/borg/v1/resource_pb.ts";
import { file_borg_v1_shard } from "./gen/borg/v1/shard_pb.ts";
import { file_borg_v1_spec } from "./gen/borg/v1/spec_pb.ts";
import { CODECS } from "./gen/codec.ts";
import { file_mesos_v1_executor_executor } from "./gen/mesos/v1/executor/executor_pb.ts";
import { file_mesos_v1_master_master } from "./gen/mesos/v1/master/master_pb.ts";
import { file_mesos_v1_mesos } from "./gen/mesos/v1/mesos_pb.ts";
import { file_mesos_v1_scheduler_scheduler } from "./gen/mesos/v1/scheduler/scheduler_pb.ts";

const FILES: readonly DescFile[] = [
  file_borg_v1_api,
  file_borg_v1_borglet,
  file_borg_v1_checkpoint,
  file_borg_v1_event,
  file_borg_v1_feed,
  file_borg_v1_link,
  file_borg_v1_machine,
  file_borg_v1_op,
  file_borg_v1_record,
  file_borg_v1_resource,
  file_borg_v1_shard,
  file_borg_v1_spec,
  file_mesos_v1_executor_executor,
  file_mesos_v1_master_master,
  file_mesos_v1_mesos,
  file_mesos_v1_scheduler_scheduler,
];
const withNested = (desc: DescMessage): readonly DescMessage[] => [desc, ...desc.nestedMessages.flatMap(withNested)];
const ALL: readonly DescMessage[] = FILES.flatMap(({ messages }) => messages).flatMap(withNested);
const ROUNDS = Number(process.env["RUNS"] ?? 1) * 20;
const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const BYTES_MAX = 2 ** 24;

const TEXTS = ["", "a", "ubar/jfoo/0:17", "Zürich", "💡", "x".repeat(200), "é".repeat(80)];
const NUMBERS = [0, 1, 127, 128, 16_384, 2 ** 31, 2 ** 32 - 1];

function scalar(random: Random, type: ScalarType): unknown {
  if (type === ScalarType.STRING) return random.pick(TEXTS);
  if (type === ScalarType.BOOL) return random.chance(0.5);
  if (type === ScalarType.BYTES) return new Uint8Array(random.int(0, 5)).fill(7);
  if (type === ScalarType.INT64 || type === ScalarType.UINT64) return BigInt(random.pick([...NUMBERS, Number.MAX_SAFE_INTEGER]));
  if (type === ScalarType.INT32) return random.pick([0, 1, 127, 128, -1, -(2 ** 31)]);
  return type === ScalarType.DOUBLE ? random.pick([...NUMBERS, -0, 1.5, Number.MAX_SAFE_INTEGER]) : random.pick(NUMBERS);
}

function one(random: Random, field: DescField, depth: number): unknown {
  if (field.message !== undefined) return init(random, field.message, depth + 1);
  if (field.enum !== undefined) return random.pick(field.enum.values).number;
  return scalar(random, field.scalar as ScalarType);
}

/** Some members, so that what is left out is there too. */
function init(random: Random, desc: DescMessage, depth = 0): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const member of desc.members) {
    if (random.chance(depth > 3 ? 0.8 : 0.3)) continue;
    if (member.kind === "oneof") {
      const field = random.pick(member.fields);
      made[member.localName] = { case: field.localName, value: one(random, field, depth) };
    } else if (member.fieldKind === "list")
      made[member.localName] = Array.from({ length: random.int(0, 4) }, () => one(random, member, depth));
    else made[member.localName] = one(random, member, depth);
  }
  return made;
}

test(`every message is made, written and read as the library does (seed ${SEED})`, () => {
  assert.deepEqual(
    ALL.map(({ typeName }) => typeName).sort(),
    Object.keys(CODECS).filter((name) => name !== "borg.v1.Bound"),
  );
  const random = new Random(SEED);
  for (const desc of ALL)
    for (let round = 0; round < ROUNDS; round += 1) {
      const given = init(random, desc);
      const made = make(desc, given as never) as Message;
      assert.deepEqual(made, create(desc, given as never));
      const bytes = encode(desc, made);
      assert.deepEqual(bytes, toBinary(desc, made), desc.typeName);
      const read = decode(desc, bytes, BYTES_MAX);
      assert.ok(read.ok);
      assert.deepEqual(read.value, fromBinary(desc, bytes));
    }
});

const asText = (message: unknown): string =>
  JSON.stringify(message, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));

/** Which it reads otherwise than the library is refused by whoever checks: fields that the message does not have, or of another wire type. */
test(`bytes that are not what they should be are refused, or read as the library does (seed ${SEED})`, () => {
  const random = new Random(SEED);
  let [refused, read] = [0, 0];
  for (const desc of ALL)
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = toBinary(desc, create(desc, init(random, desc) as never));
      if (bytes.length === 0) continue;
      const at = random.int(0, bytes.length);
      const mangled = random.chance(0.3) ? bytes.slice(0, at) : bytes.with(at, random.int(0, 256));
      const ours = decode(desc, mangled, BYTES_MAX);
      refused += Number(!ours.ok);
      read += Number(ours.ok);
      if (!ours.ok || asText(ours.value).includes('"$unknown"')) continue;
      assert.deepEqual(ours.value, fromBinary(desc, mangled), desc.typeName);
    }
  assert.ok(refused > 0 && read > 0);
});

test("a message that comes in two pieces is put together, and a field beyond its message is refused", () => {
  const desc = ALL.find(({ name }) => name === "Op") as DescMessage;
  const [actor, again] = [create(desc, { actor: { name: "ann" } } as never), create(desc, { actor: { user: "bob" } } as never)];
  const bytes = new Uint8Array([...toBinary(desc, actor), ...toBinary(desc, again)]);
  const read = decode(desc, bytes, BYTES_MAX);
  assert.ok(read.ok);
  assert.deepEqual(read.value, fromBinary(desc, bytes));
  // An actor of two bytes whose name claims to have nine.
  const beyond = decode(desc, new Uint8Array([10, 2, 18, 9, 18, 7, 65, 65, 65, 65, 65, 65, 65]), BYTES_MAX);
  assert.ok(!beyond.ok);
});
