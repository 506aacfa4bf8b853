import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { checker } from "./check.ts";
import { decode, encode, make, same } from "./codec.ts";
import { file_mesos_v1_executor_executor } from "./gen/mesos/v1/executor/executor_pb.ts";
import { file_mesos_v1_master_master } from "./gen/mesos/v1/master/master_pb.ts";
import {
  ContainerInfoSchema,
  FiltersSchema,
  file_mesos_v1_mesos,
  ResourceSchema,
  TaskState,
  TaskStatusSchema,
  Value_Type,
} from "./gen/mesos/v1/mesos_pb.ts";
import { CallSchema, file_mesos_v1_scheduler_scheduler, Call_Type as Type } from "./gen/mesos/v1/scheduler/scheduler_pb.ts";

const FILES = [file_mesos_v1_mesos, file_mesos_v1_scheduler_scheduler, file_mesos_v1_executor_executor, file_mesos_v1_master_master];

test("every message of Mesos' vocabulary has a bound on every field [KB1] [Z3]", () => {
  const messages = FILES.flatMap((file) => file.messages as DescMessage[]);
  assert.ok(messages.length > 40);
  for (const message of messages) assert.doesNotThrow(() => checker(message), message.typeName);
});

test("numbers of others may have fractions, but are finite and inside their bounds [KB2] [Z3]", () => {
  const check = checker(ResourceSchema);
  const problem = (value: number): string =>
    check(make(ResourceSchema, { name: "cpus", type: Value_Type.SCALAR, scalar: { value } })) ?? "";
  assert.equal(problem(0.5), "");
  assert.match(problem(-0.5), /scalar\.value: Expected 0 to/);
  assert.match(problem(Number.NaN), /found NaN/);
  assert.match(problem(Number.POSITIVE_INFINITY), /found Infinity/);
  assert.equal(checker(FiltersSchema)(make(FiltersSchema, { refuseSeconds: -1 })), undefined);
  const ports = make(ResourceSchema, { name: "ports", type: Value_Type.RANGES, ranges: { range: [{ begin: 2n ** 60n, end: 1n }] } });
  assert.match(check(ports) ?? "", /begin: Expected 0 to/);
});

test("0 is a value where a field says that it is there, unless Mesos has no such value [Z3]", () => {
  const status = checker(TaskStatusSchema);
  assert.equal(status(make(TaskStatusSchema, { taskId: { value: "a" }, state: TaskState.TASK_STARTING })), undefined);
  assert.match(status(make(TaskStatusSchema, { taskId: { value: "a" } })) ?? "", /state: Expected a value, found none/);
  assert.match(checker(ContainerInfoSchema)(make(ContainerInfoSchema, { type: 0 })) ?? "", /type: Expected a known Type/);
});

test("a call survives its trip through bytes, 64-bit numbers too [Z3]", () => {
  const call = make(CallSchema, {
    type: Type.KILL,
    frameworkId: { value: "f" },
    kill: { taskId: { value: "t" }, killPolicy: { gracePeriod: { nanoseconds: 5_000_000_000n } } },
  });
  const back = decode(CallSchema, encode(CallSchema, call), 1000);
  assert.ok(back.ok && same(CallSchema, back.value, call));
  // Field numbers are Mesos': framework_id 1, type 2, kill 6.
  const bytes = [...encode(CallSchema, make(CallSchema, { type: Type.KILL, kill: { taskId: { value: "t" } } }))];
  assert.deepEqual(bytes, [2 << 3, 6, (6 << 3) | 2, 5, (1 << 3) | 2, 3, (1 << 3) | 2, 1, 116]);
});
