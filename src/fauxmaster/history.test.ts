import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeEntry, makeEntry, masterOp, type Op, userOp } from "../cell/op.ts";
import { REQUESTS_SURE } from "../cell/requests.ts";
import { Role } from "../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../wire/gen/borg/v1/resource_pb.ts";
import { type Call, History } from "./history.ts";
import { replay } from "./history-journal.ts";
import { JOB_MODEL, type JobAsked, type JobCall, unexplained } from "./job-model.ts";
import { linearizable, type Timed } from "./linearizable.ts";

const submit = (spec = "s", count = 2, mortal = false): JobAsked => ({ type: "submit", spec, count, mortal });
const kill: JobAsked = { type: "kill" };
const read: JobAsked = { type: "read" };
const done = { type: "done", position: 1, answer: undefined } as const;
const refused = { type: "refused", position: undefined, reason: "no" } as const;
const open = { type: "open" } as const;
const saw = (state: "pending" | "running" | "dead" | undefined, count = 2) =>
  ({ type: "job", position: 1, found: state && { state, count, priority: 0, submittedMs: 0, tasks: [] } }) as const;

/** Calls as "from to asked heard", where `to` may be missing. */
const call = (invokedMs: number, returnedMs: number, asked: JobAsked, heard: JobCall["heard"]): Timed<JobCall> => ({
  input: { asked, heard, id: `${invokedMs}` },
  invokedMs,
  returnedMs,
});
const NEVER = Number.POSITIVE_INFINITY;
const verdict = (...calls: Timed<JobCall>[]): string => linearizable(calls, JOB_MODEL).type;

test("A history that one order explains is linearizable [KD3]", () => {
  assert.equal(verdict(), "linearizable");
  assert.equal(verdict(call(0, 5, submit(), done), call(6, 7, read, saw("pending"))), "linearizable");
  // The read overlaps the kill: it may see either.
  for (const state of ["running", "dead"] as const) {
    assert.equal(verdict(call(0, 5, submit(), done), call(6, 20, kill, done), call(8, 12, read, saw(state))), "linearizable");
  }
  // A kill without an answer may have happened, late, or not at all.
  assert.equal(verdict(call(0, 5, submit(), done), call(6, NEVER, kill, open), call(100, 110, read, saw("dead"))), "linearizable");
  assert.equal(verdict(call(0, 5, submit(), done), call(6, NEVER, kill, open), call(100, 110, read, saw("running"))), "linearizable");
  // A job whose tasks end dies by itself; then the name is free.
  assert.equal(
    verdict(call(0, 5, submit("s", 2, true), done), call(6, 7, read, saw("dead")), call(8, 9, submit("t"), done)),
    "linearizable",
  );
  assert.equal(
    verdict(call(0, 5, submit(), done), call(6, 7, { type: "resize", count: 5 }, done), call(8, 9, read, saw("running", 5))),
    "linearizable",
  );
});

test("A history that no order explains is illegal [KD3]", () => {
  const illegal: Timed<JobCall>[][] = [
    // A lost submit, a lost kill, a job out of nothing, a stale read, a resize undone.
    [call(0, 5, submit(), done), call(6, 7, read, saw(undefined))],
    [call(0, 5, submit(), done), call(6, 7, kill, done), call(8, 9, read, saw("running"))],
    [call(0, 1, read, saw("pending"))],
    [call(0, 5, submit(), done), call(6, 20, kill, done), call(8, 9, read, saw("dead")), call(10, 11, read, saw("running"))],
    [call(0, 5, submit(), done), call(6, 7, { type: "resize", count: 5 }, done), call(8, 9, read, saw("running", 2))],
    // A kill refused although the job is there; one done although there is none.
    [call(0, 5, submit(), done), call(6, 7, kill, refused)],
    [call(0, 5, kill, done)],
    // Done twice: the second submit says that it made a job, and one was there.
    [call(0, 5, submit(), done), call(6, 7, submit(), { type: "done", position: 2, answer: { type: "submitted", already: false } })],
    // A lasting job does not die by itself.
    [call(0, 5, submit(), done), call(6, 7, read, saw("dead"))],
  ];
  for (const [i, calls] of illegal.entries()) assert.equal(verdict(...calls), "illegal", `history ${i}`);
});

test("A search that runs into its bound is undecided, never a yes", () => {
  const calls: Timed<JobCall>[] = [];
  for (let i = 0; i < 14; i++) calls.push(call(i, 1000, submit(`s${i}`), open), call(i, NEVER, kill, open));
  calls.push(call(2000, 2001, read, saw("running", 99)));
  assert.equal(linearizable(calls, JOB_MODEL, 5000).type, "undecided");
});

test("Long histories with many calls of unknown outcome are decided", () => {
  const calls: Timed<JobCall>[] = [];
  for (let i = 0; i < 300; i++) {
    const at = i * 20;
    calls.push(call(at, at + 9, submit(), done), call(at + 1, at + 16, read, saw("pending")), call(at + 12, at + 15, kill, done));
    calls.push(call(at + 2, at + 16, read, saw(i % 2 ? "pending" : "dead")), call(at + 17, at + 18, read, saw("dead")));
    if (i % 10 === 0) calls.push(call(at + 3, NEVER, kill, open));
  }
  assert.equal(verdict(...calls), "linearizable");
  assert.equal(verdict(...calls, call(6100, 6110, read, saw("running"))), "illegal");
});

const spec = (name: string) => ({ user: "ann", name, priority: 100, count: 2, task: { command: ["serve"], limit: { cpuMilli: 100 } } });
const BEGIN: Op[] = [
  masterOp({ case: "cellInit", value: { cell: "sim", owner: "admin" } }),
  userOp("admin", "g1", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }),
  userOp("admin", "g2", { case: "quotaSet", value: { user: "ann", band: Band.BATCH, quota: { unlimited: true } } }),
];
const submitOp = (id: string, name = "web"): Op => userOp("ann", id, { case: "jobSubmit", value: { spec: spec(name) } });

/** One op per entry, all of term 1. */
const journal = (...ops: Op[]) => ops.map((op, i) => ({ position: i + 1, term: 1, payload: encodeEntry(makeEntry(1000 + i, [op])) }));

function recorded(
  make: (
    invoke: (id: string, atMs: number, op: Op | string) => Call,
    answer: (call: Call, atMs: number, heard: Parameters<History["answer"]>[1]) => void,
  ) => void,
): History {
  let now = 0;
  const history = new History(() => now);
  make(
    (id, atMs, op) => {
      now = atMs;
      return history.invoke("client/0", id, typeof op === "string" ? { type: "read", job: op } : { type: "mutate", op });
    },
    (call, atMs, heard) => {
      now = atMs;
      history.answer(call, heard);
    },
  );
  return history;
}

test("replay() accepts a history that the journal bears out", () => {
  const history = recorded((invoke, answer) => {
    answer(invoke("q1", 10, submitOp("q1")), 20, { type: "done", position: 4, answer: { type: "submitted", already: false } });
    answer(invoke("r1", 30, "ann/web"), 40, {
      type: "job",
      position: 4,
      found: { state: "pending", count: 2, priority: 100, submittedMs: 0, tasks: [] },
    });
    invoke("q9", 50, submitOp("q9", "never"));
  });
  const { violations, state } = replay(journal(...BEGIN, submitOp("q1"), submitOp("q1")), history);
  assert.deepEqual(violations, []);
  assert.equal(state.position, 5);
  assert.deepEqual(unexplained(history), []);
});

test("replay() finds a lost acknowledgement [KD1], a wrong read, a forgotten request id, an order turned round [KD3], a falling term [KL1]", () => {
  const lost = recorded((invoke, answer) => answer(invoke("q1", 10, submitOp("q1")), 20, { type: "done", position: 4, answer: undefined }));
  assert.equal(replay(journal(...BEGIN, submitOp("q2")), lost).violations[0]?.id, "KD1");

  const wrong = recorded((invoke, answer) => answer(invoke("r1", 10, "ann/web"), 20, { type: "job", position: 4, found: undefined }));
  assert.match(replay(journal(...BEGIN, submitOp("q1")), wrong).violations[0]?.text ?? "", /read ann\/web at 4 as absent; it is pending/);

  const none = recorded(() => {});
  const forgotten = journal(...BEGIN, userOp("ann", "q1", { case: "jobSubmit", value: { spec: spec("web") } }));
  const kills = Array.from({ length: 2 * REQUESTS_SURE }, (_, i) => userOp("ann", `k${i}`, { case: "jobKill", value: { job: "ann/web" } }));
  const again = [...kills, submitOp("q1")].map((op, i) => ({
    position: 5 + i,
    term: 1,
    payload: encodeEntry(makeEntry(10_000_000, [op])),
  }));
  const replayed = replay([...forgotten, ...again], none);
  assert.deepEqual([replayed.violations, [...replayed.forgotten]], [[], ["q1"]]);

  const turned = recorded((invoke, answer) => {
    answer(invoke("q2", 10, submitOp("q2", "b")), 20, { type: "done", position: 5, answer: undefined });
    answer(invoke("q1", 30, submitOp("q1", "a")), 40, { type: "done", position: 4, answer: undefined });
  });
  assert.match(
    replay(journal(...BEGIN, submitOp("q1", "a"), submitOp("q2", "b")), turned).violations[0]?.text ?? "",
    /Call q1, invoked at 30/,
  );

  const falling = journal(...BEGIN).map((entry, i) => ({ ...entry, term: 5 - i }));
  assert.equal(replay(falling, none).violations[0]?.id, "KL1");
});
