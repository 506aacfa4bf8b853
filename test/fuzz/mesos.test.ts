/** Whatever a framework sends: its call is refused in words, or within its bounds; and what was taken can be written and read again [KB2]. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { BOUNDS } from "../../src/rpc/bounds.ts";
import { fromMesosJson, toMesosJson } from "../../src/rpc/mesos/json.ts";
import { MesosReader } from "../../src/rpc/mesos/media.ts";
import { RecordReader } from "../../src/rpc/mesos/record-io.ts";
import { checker } from "../../src/wire/check.ts";
import { encode } from "../../src/wire/codec.ts";
import { CallSchema } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { mutateBytes, mutateText } from "./mutation.ts";
import { COUNT, SEED, TIMEOUT_MS } from "./settings.ts";

const RESOURCES =
  '[{"name":"cpus","type":"SCALAR","scalar":{"value":0.5}},{"name":"ports","type":"RANGES","ranges":{"range":[{"begin":1,"end":9}]}}]';
const TASK = `{"name":"n","task_id":{"value":"t"},"agent_id":{"value":"m"},"resources":${RESOURCES},"command":{"value":"x","shell":true},"data":"AAEC"}`;
const CALLS: readonly string[] = [
  '{"type":"SUBSCRIBE","subscribe":{"framework_info":{"user":"u","name":"n","failover_timeout":1.5,"offer_filters":{"*":{"min_allocatable_resources":{"quantities":[{"quantities":{"cpus":{"value":1}}}]}}}},"offer_constraints":{"role_constraints":{"*":{"groups":[{"attribute_constraints":[{"selector":{"attribute_name":"a"},"predicate":{"text_equals":{"value":"b"}}}]}]}}}}}',
  `{"framework_id":{"value":"f"},"type":"ACCEPT","accept":{"offer_ids":[{"value":"o"}],"operations":[{"type":"LAUNCH","launch":{"task_infos":[${TASK}]}}],"filters":{"refuse_seconds":5}}}`,
  `{"type":"ACCEPT","accept":{"operations":[{"type":"LAUNCH_GROUP","launch_group":{"executor":{"executor_id":{"value":"e"}},"task_group":{"tasks":[${TASK}]}}}]}}`,
  '{"type":"DECLINE","decline":{"offer_ids":[{"value":"o"},{"value":"p"}],"filters":{"refuse_seconds":-1}}}',
  '{"type":"ACKNOWLEDGE","acknowledge":{"agent_id":{"value":"m"},"task_id":{"value":"t"},"uuid":"AAAA"}}',
  '{"type":"KILL","kill":{"task_id":{"value":"t"},"kill_policy":{"grace_period":{"nanoseconds":5000000000}}}}',
];

test(`${COUNT} mutated calls of frameworks are refused in words or within their bounds [KB2] [Z3]`, { timeout: TIMEOUT_MS }, (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = new Random(SEED);
  const [reader, check] = [new MesosReader(CallSchema), checker(CallSchema)];
  const binaries = CALLS.map((text) => {
    const read = fromMesosJson(CallSchema, JSON.parse(text));
    assert.ok(read.ok && check(read.value) === undefined, text);
    return encode(CallSchema, read.value);
  });
  let [refused, taken] = [0, 0];
  for (let i = 0; i < COUNT; i++) {
    const json = random.chance(0.5);
    const bytes = json
      ? Buffer.from(mutateText(random.pick(CALLS), random.pick(CALLS), random), "latin1")
      : mutateBytes(random.pick(binaries), random.pick(binaries), random);
    const read = reader.read(bytes, json ? "json" : "protobuf", BOUNDS);
    if (!read.ok) {
      refused += 1;
      assert.ok(read.reason.length > 10 && read.reason.length < 1000, read.reason);
      continue;
    }
    taken += 1;
    assert.equal(check(read.value), undefined);
    const text = toMesosJson(CallSchema, read.value);
    assert.match(text, /^[\x20-\x7e]*$/);
    const again = fromMesosJson(CallSchema, JSON.parse(text));
    // Not the same always: an entry of a map may have no key as protobuf, and come twice.
    assert.ok(again.ok && check(again.value) === undefined, text);
  }
  assert.ok(refused > 0 && taken > 0);
});

test(`${COUNT} streams of bytes that are no records end in an error or in records within the bound [KB2]`, (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = new Random(SEED);
  for (let i = 0; i < COUNT; i++) {
    const reader = new RecordReader(100);
    const bytes = mutateBytes(Buffer.from("3\nabc12\nabcdefghijkl0\n"), Buffer.from("99999\n\n7\n"), random);
    try {
      for (const record of reader.push(bytes)) assert.ok(record.length <= 100);
    } catch (error) {
      assert.match((error as Error).message, /^Expected a record/);
    }
  }
});
