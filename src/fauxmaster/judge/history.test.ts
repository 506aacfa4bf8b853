import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellMethod } from "../../borgmaster/api/access.ts";
import type { FailureCode } from "../../borgmaster/api/message.ts";
import { encodeEntry, makeEntry, masterOp, type Op, userOp } from "../../cell/op.ts";
import { REQUESTS_SURE } from "../../cell/ops/requests.ts";
import { make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import { type Asked, type Call, type Heard, History } from "./history.ts";
import { replay } from "./history-journal.ts";
import { JOB_MODEL, type JobAsked, type JobCall, unexplained } from "./job-model.ts";
import { linearizable, type Timed } from "./linearizable.ts";

const submit = (spec = "s", count = 2, mortal = false): JobAsked => ({ type: "submit", spec, count, mortal });
const kill: JobAsked = { type: "kill" };
const read: JobAsked = { type: "read" };
const changed = (more: object = {}) => make(api.ChangedSchema, { position: 1, ...more });
const done = { type: "done", position: 1, changed: changed({ already: true }) } as const;
const made = { type: "done", position: 1, changed: changed() } as const;
const refused = { type: "refused", code: "refused", position: 1, reason: "no" } as const;
const open = { type: "open" } as const;
const jobFound = (state: string | undefined, count = 2) =>
  state === undefined ? undefined : make(api.GetJobResponseSchema, { job: { state, count } });
const saw = (state: "pending" | "running" | "dead" | undefined, count = 2): Heard => ({
  type: "read",
  position: 1,
  ageMs: undefined,
  found: jobFound(state, count),
});

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
    [call(0, 5, submit(), done), call(6, 7, submit(), made)],
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

const asks = (method: CellMethod, request: object, requestId = "", more: Partial<Asked> = {}): Asked => ({
  user: "ann",
  method,
  request,
  requestId,
  stale: false,
  again: false,
  ...more,
});
const submits = (id: string, name = "web"): Asked => asks("submitJob", make(api.SubmitJobRequestSchema, { spec: spec(name) }), id);
const kills = (id: string, more: Partial<Asked> = {}): Asked =>
  asks("killJob", make(api.KillJobRequestSchema, { job: "ann/web" }), id, more);
const reads = (more: Partial<Asked> = {}): Asked => asks("listUsers", make(api.ListUsersRequestSchema, {}), "", more);
const told = (position: number, more: object = {}): Heard => ({
  type: "done",
  position,
  changed: make(api.ChangedSchema, { position, ...more }),
});
const no = (position: number, reason: string, code: FailureCode = "refused"): Heard => ({ type: "refused", code, position, reason });

type Final = Parameters<History["answer"]>[1];

/** Calls as [asked, from, to, heard]; without an end they stay open. */
function recorded(...calls: readonly (readonly [asked: Asked, fromMs: number, toMs?: number, heard?: Heard])[]): History {
  let now = 0;
  const history = new History(() => now);
  for (const [index, [asked, fromMs, toMs, heard]] of calls.entries()) {
    now = fromMs;
    const call: Call = history.invoke("client/0", `c${index}`, asked);
    call.attempts = 2;
    if (toMs === undefined || heard === undefined) continue;
    now = toMs;
    history.answer(call, heard as Final);
  }
  return history;
}

const violated = (ops: readonly Op[], history: History): string => {
  const [violation] = replay(journal(...ops), history).violations;
  return violation === undefined ? "" : `${violation.id}: ${violation.text}`;
};

const USERS = {
  users: [
    { name: "admin", roles: [Role.USER, Role.CELL_ADMIN], jobs: 0 },
    { name: "ann", roles: [Role.USER], jobs: 1 },
  ],
};
const users = (position: number, more: object = USERS): Heard => ({
  type: "read",
  position,
  ageMs: undefined,
  found: make(api.ListUsersResponseSchema, more),
});

test("a submit that came too early is refused; a copy of it that the network held back may take effect later [KD3]", () => {
  const early = (heard: Heard) => recorded([submits("q1"), 10, 20, heard], [kills("q2"), 40, 50, told(5)]);
  const known = { effects: new Map([["ann q1", { op: submitOp("q1") }]]), forgotten: new Set<string>() };
  const history = early(no(2, 'User "ann" has no role', "not-permitted"));
  assert.deepEqual(unexplained(history, known), []);
  assert.equal(unexplained(history, { ...known, effects: new Map() }).length, 1, "nobody can have killed what was never there");
});

test("replay() accepts a history that the journal bears out", () => {
  const history = recorded(
    [submits("q1"), 10, 20, told(4)],
    [kills("q1", { user: "bob" }), 22, 24, no(5, 'User "bob" may not ask for jobKill for user "ann"', "not-permitted")],
    [{ ...submits("q1"), again: true }, 30, 40, told(4, { repeated: true })],
    [reads(), 42, 44, users(6)],
    [submits("q9", "never"), 50],
  );
  const ops = [...BEGIN, submitOp("q1"), userOp("bob", "q1", { case: "jobKill", value: { job: "ann/web" } }), submitOp("q1")];
  const { violations, state } = replay(journal(...ops), history);
  assert.deepEqual(violations, []);
  assert.equal(state.position, 6);
  assert.deepEqual(unexplained(history), []);
});

test("an answer is the outcome that the journal has for its position [KD1] [KD3]", () => {
  const ops = [...BEGIN, submitOp("q1"), submitOp("q1")];
  const answered = (heard: Heard): string => violated(ops, recorded([submits("q1"), 10, 20, heard]));
  assert.equal(answered(told(4)), "");
  assert.equal(answered(told(4, { repeated: true })), "");
  assert.match(answered(told(3)), /^KD1: .* at position 3/);
  assert.match(answered(told(5)), /^KD3: .* told "done" at position 5/);
  assert.match(answered(told(4, { already: true })), /^KD3: .* "already there"/);
  assert.match(answered(no(4, "No")), /^KD3: .* was refused at 4 with "No"/);
  assert.match(violated(ops, recorded([submits("q2"), 10, 20, told(4)])), /^KD1: .* the journal does not have it/);
  // Ids of different users never meet: bob's q1 is another request, and was never done.
  assert.match(violated(ops, recorded([{ ...submits("q1"), user: "bob" }, 10, 20, told(4)])), /^KD1/);
});

test("what was told to be unavailable is not in the journal [KD3]", () => {
  const history = recorded([submits("q1"), 10]);
  history.calls[0]!.unavailable.add("c0/1").add("c0/2");
  assert.match(violated([...BEGIN, submitOp("q1")], history), /^KD3: Request ann q1 stands 1 times/);
  history.twice.add("c0/2");
  assert.equal(violated([...BEGIN, submitOp("q1")], history), "", "its twin was done");
  history.twice.clear();
  history.calls[0]!.attempts = 3;
  assert.equal(violated([...BEGIN, submitOp("q1")], history), "");
});

test("a read shows the state at its position, and none older than what anyone was told before [KD3]", () => {
  const ops = [...BEGIN, submitOp("q1")];
  assert.equal(violated(ops, recorded([reads(), 10, 20, users(4)])), "");
  assert.match(violated(ops, recorded([reads(), 10, 20, users(3)])), /^KD3: Call c0, listUsers at 3, was told/);
  assert.match(violated(ops, recorded([reads(), 10, 20, users(9)])), /^KD1: .* the journal ends at 4/);
  const early = { users: [USERS.users[0], { ...USERS.users[1], jobs: 0 }] };
  const stale = recorded([submits("q1"), 10, 20, told(4)], [reads(), 30, 40, users(3, early)]);
  assert.match(violated(ops, stale), /^KD3: Call c1, invoked at 30, has position 3/);
  const aged = (ageMs: number): History =>
    recorded([submits("q1"), 10, 20, told(4)], [reads({ stale: true }), 300, 310, { ...users(3, early), ageMs } as Heard]);
  assert.equal(violated(ops, aged(290)), "");
  assert.match(violated(ops, aged(100)), /^KD3: .* position 3, is 100 ms old; 4 had been told before/);
});

test("who has no right changes nothing, who has no role reads nothing, and no no is said without a reason [KA2] [KD3]", () => {
  const foreign = userOp("bob", "b1", { case: "jobKill", value: { job: "ann/web" } });
  const ops = [...BEGIN, submitOp("q1"), foreign];
  assert.equal(violated(ops, recorded()), "");
  const nobody = (position: number): Heard => no(position, 'User "ann" has no role in this cell: ask its owner for one', "not-permitted");
  assert.equal(violated(ops, recorded([reads(), 0, 5, nobody(1)])), "");
  assert.match(violated(ops, recorded([reads(), 10, 20, nobody(2)])), /^KD3: .* "ann" has no role in this cell: .*; they have one/);
  assert.match(violated(ops, recorded([reads({ user: "bob" }), 10, 20, users(4)])), /^KA2: .* was answered/);
});

test("replay() finds a forgotten request id, an order turned round [KD3], a falling term [KL1]", () => {
  const none = recorded();
  const forgotten = journal(...BEGIN, submitOp("q1"));
  const killOps = Array.from({ length: 2 * REQUESTS_SURE }, (_, i) =>
    userOp("ann", `k${i}`, { case: "jobKill", value: { job: "ann/web" } }),
  );
  const again = [...killOps, submitOp("q1")].map((op, i) => ({
    position: 5 + i,
    term: 1,
    payload: encodeEntry(makeEntry(10_000_000, [op])),
  }));
  const replayed = replay([...forgotten, ...again], none);
  assert.deepEqual([replayed.violations, [...replayed.forgotten]], [[], ["ann q1"]]);

  const turned = recorded([submits("q2", "b"), 10, 20, told(5)], [submits("q1", "a"), 30, 40, told(4)]);
  assert.match(violated([...BEGIN, submitOp("q1", "a"), submitOp("q2", "b")], turned), /Call c1, invoked at 30/);

  const falling = journal(...BEGIN).map((entry, i) => ({ ...entry, term: 5 - i }));
  assert.equal(replay(falling, none).violations[0]?.id, "KL1");
});
