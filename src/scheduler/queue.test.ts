import assert from "node:assert/strict";
import { test } from "node:test";
import { newJob } from "../cell/ops/admission.ts";
import { readTask } from "../cell/record/read.ts";
import type { Task } from "../cell/state.ts";
import { make } from "../wire/codec.ts";
import { TaskRecordSchema, TaskState } from "../wire/gen/borg/v1/record_pb.ts";
import { JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { Mirror } from "./mirror/mirror.ts";
import { Queue, REFUSED_MAX, REFUSED_MS_MAX } from "./queue.ts";

function pendingTask(notBeforeMs = 0): Task {
  const spec = make(JobSpecSchema, { user: "ubar", name: "web", count: 1, task: { command: ["true"] } });
  const job = newJob({ kind: "job", job: spec }, 0);
  return readTask(job, 0, make(TaskRecordSchema, { state: TaskState.PENDING, incarnation: 7, notBeforeMs }));
}

const queueOf = (): Queue => new Queue({ mine: () => true, retryMs: 10_000 });

test("a refused task comes again when the mirror knows what the judge knew [scheduler.Q5]", () => {
  const [mirror, queue, task] = [new Mirror("service"), queueOf(), pendingTask()];
  mirror.position = 10;
  assert.equal(queue.readyMs(mirror, task, 1_000), 0);
  queue.refused(task, task.incarnation, 12, 1_000);
  assert.ok(queue.readyMs(mirror, task, 1_000) > 1_000);
  assert.ok(queue.readyMs(mirror, task, 9_000) > 9_000, "however long that takes");
  mirror.position = 12;
  assert.ok(queue.readyMs(mirror, task, 1_000) <= 1_000);
});

test("who is refused again and again waits longer each time, up to a bound; another incarnation starts anew [scheduler.Q5]", () => {
  const [mirror, queue, task] = [new Mirror("service"), queueOf(), pendingTask()];
  mirror.position = 99;
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    queue.refused(task, task.incarnation, 12, 1_000);
    waits.push(queue.readyMs(mirror, task, 1_000) - 1_000);
  }
  assert.deepEqual(waits, [0, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000]);
  assert.equal(REFUSED_MS_MAX, 5_000);
  assert.equal(queue.readyMs(mirror, { ...task, incarnation: 8 }, 1_000), 0);
  queue.accepted(`${task.id}:${task.incarnation}`);
  assert.equal(queue.readyMs(mirror, task, 1_000), 0);
});

test("a refusal without a position waits a little, and back-off is never cut short [scheduler.Q4] [scheduler.Q5]", () => {
  const [mirror, queue, task] = [new Mirror("service"), queueOf(), pendingTask(5_000)];
  assert.equal(queue.readyMs(mirror, task, 1_000), 5_000);
  queue.refused(task, task.incarnation, 0, 1_000);
  assert.equal(queue.readyMs(mirror, task, 1_000), 5_000);
  assert.ok(queue.readyMs(mirror, { ...task, notBeforeMs: 0 }, 1_000) > 1_000);
});

test("refusals that are remembered are bounded [scheduler.Q5]", () => {
  const [mirror, queue, task] = [new Mirror("service"), queueOf(), pendingTask()];
  for (let i = 0; i <= REFUSED_MAX; i++) queue.refused(task, i, 0, 1_000);
  assert.equal(queue.readyMs(mirror, { ...task, incarnation: 0 }, 1_000), 0, "the oldest is forgotten");
  assert.ok(queue.readyMs(mirror, { ...task, incarnation: 1 }, 1_000) > 1_000);
});
