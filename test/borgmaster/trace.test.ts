import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobId } from "../../src/base/id.ts";
import { traceOf } from "../../src/base/trace.ts";
import { loggedEvents } from "../../src/borgmaster/api/event-log.ts";
import { eventView } from "../../src/borgmaster/api/views.ts";
import { ordersFor } from "../../src/borgmaster/link/comparison.ts";
import { Desired, type Wanted } from "../../src/borgmaster/link/desired.ts";
import { Packer, unpack } from "../../src/borgmaster/packing.ts";
import type { Outcome } from "../../src/cell/cell.ts";
import { type FeedItem, tracesOf } from "../../src/cell/feed.ts";
import { feedRecord } from "../../src/cell/feed-piece.ts";
import { masterOp, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import { JobRecordSchema, TaskState, TasksRecordSchema } from "../../src/wire/gen/borg/v1/record_pb.ts";

const BODY = { case: "jobKill", value: { job: "ann/web" } } as never;
const outcome = (kind: string, subject: string, ok = true): Outcome => ({ ok, events: [{ kind, subject }] }) as unknown as Outcome;
const OPS = [
  userOp("ann", "request-1", BODY),
  userOp("bob", "request-2", BODY),
  userOp("ann", "request-3", BODY),
  masterOp({ case: "barrier", value: { master: "m" } }),
  userOp("ann", "request-4", BODY),
];
const OUTCOMES = [
  outcome("job.submitted", "ann/web"),
  outcome("job.submitted", "bob/db", false),
  outcome("job.killed", "ann/old"),
  outcome("job.submitted", "ann/own"),
  outcome("job.updated", "ann/api"),
];
const TRACES = [
  { job: "ann/web", trace: traceOf("ann", "request-1") },
  { job: "ann/api", trace: traceOf("ann", "request-4") },
];

test("an entry tells which request made a job what it is: of users, and only where it was done [N9] [L6]", () => {
  assert.deepEqual(tracesOf(OPS, OUTCOMES), TRACES);
});

test("events have the trace of their request and never the request id; what the cell did by itself has none [N9] [L6]", () => {
  const views = loggedEvents(7, 1000, OPS, OUTCOMES).map(eventView);
  assert.deepEqual(
    views.map(({ event }) => event?.trace),
    ["request-1", "request-3", "", "request-4"].map((id) => traceOf("ann", id)),
  );
  assert.doesNotMatch(JSON.stringify(views), /request-/);
});

const item = (traces: FeedItem["traces"] & object, place = "m1"): FeedItem => ({
  ...{ position: 7, timeMs: 1000, events: [], removed: [], traces },
  records: [
    feedRecord({
      case: "job",
      value: make(JobRecordSchema, { generation: 1, spec: { case: "job", value: { user: "ann", name: "web", task: { command: ["x"] } } } }),
    }),
    feedRecord({
      case: "tasks",
      value: make(TasksRecordSchema, {
        job: "ann/web",
        first: 0,
        tasks: [{ state: TaskState.STARTING, instance: { incarnation: 3, place, generation: 1 } }],
      }),
    }),
  ],
});

test("a start order names the request of its job, also out of another thread; an unknown one is empty [N9] [L6]", () => {
  const traceOn = (desired: Desired): unknown => {
    const [order] = ordersFor(desired, "m1", undefined, 10);
    return order?.body.case === "start" ? order.body.value.trace : "no start";
  };
  const desired = new Desired();
  const { body } = new Packer().pack({ type: "items", items: [item(TRACES as never)] });
  const [sent] = (unpack(body) as { readonly items: readonly FeedItem[] }).items;
  desired.follow(sent!);
  assert.equal(traceOn(desired), traceOf("ann", "request-1"));
  const fresh = new Desired();
  fresh.follow(item([]));
  assert.equal(traceOn(fresh), "");
});

test("so many jobs have their request remembered; the oldest is forgotten, and so is that of a job that is no more [N9]", () => {
  const desired = new Desired();
  const known = (job: string): string => desired.traceOf({ job } as unknown as Wanted);
  desired.follow({ ...item([]), traces: Array.from({ length: 10_001 }, (_, i) => ({ job: `ann/j${i}` as JobId, trace: `t${i}` })) });
  assert.deepEqual([known("ann/j0"), known("ann/j1"), known("ann/j10000")], ["", "t1", "t10000"]);
  desired.follow({ ...item([]), removed: [{ kind: "job", id: "ann/j5" as JobId }] });
  assert.equal(known("ann/j5"), "");
});
