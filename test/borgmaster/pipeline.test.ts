import assert from "node:assert/strict";
import { test } from "node:test";
import { CellClock } from "../../src/borgmaster/cell-clock.ts";
import type { WaitingOp } from "../../src/borgmaster/lanes.ts";
import { type DurableEntry, Pipeline, type PipelineHost } from "../../src/borgmaster/pipeline.ts";
import { decodeEntry, makeEntry, masterOp, type Op, schedulerOp, seal, userOp } from "../../src/cell/op.ts";
import { ActorKind } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { AppendFault, Journal, JournalEntry } from "../../src/wire/journal.ts";
import { TestEnv } from "./test-env.ts";

const BOUNDS = { waitingMax: 10, waitingBytesMax: 10_000, userBytesMax: 5_000, entryOpsMax: 3, entryBytesMax: 1000, newsMs: 40 };

class Host implements PipelineHost {
  keepsUp = true;
  readonly heard: string[] = [];
  committed = ({ position, timeMs, payload, ops }: DurableEntry): void => {
    const entry = decodeEntry(payload);
    assert.ok(entry.ok);
    assert.deepEqual(
      entry.value,
      makeEntry(
        timeMs,
        ops.map(({ op }) => op),
      ),
      "what is applied is what the bytes hold",
    );
    this.heard.push(`committed ${position}: ${ops.map((waiting) => waiting.op.body.case).join(" ")}`);
  };
  stalled = (): void => void this.heard.push("stalled");
  refusedAppend = (ops: readonly WaitingOp[], reason: string): void => void this.heard.push(`never ${ops.length}: ${reason}`);
  deposed = (reason: string, exit: boolean): void => void this.heard.push(`${exit ? "exit" : "deposed"}: ${reason}`);
}

/** Keeps the calls; the test answers them. */
function setUp() {
  const calls: string[] = [];
  const appended: JournalEntry[] = [];
  const journal = {
    append: (term: number, position: number, payload: Uint8Array) => {
      calls.push(`append ${position} in ${term}`);
      appended.push({ term, position, payload });
    },
    read: (from: number) => calls.push(`read ${from}`),
  } as unknown as Journal;
  const host = new Host();
  const env = new TestEnv<never>();
  const pipeline = new Pipeline(env, new CellClock(env), journal, host, BOUNDS);
  const push = (op: Op): boolean => {
    const user = op.actor?.kind === ActorKind.USER ? op.actor.name : "";
    return pipeline.lanes.push({ ...seal(op), reply: { kind: "none" }, user, tasks: 0 }) === undefined;
  };
  const notAppended = (position: number, fault: AppendFault) => pipeline.onAnswer({ type: "not-appended", position, fault, reason: fault });
  return { calls, appended, env, host, pipeline, push, notAppended };
}

const barrier = masterOp({ case: "barrier", value: {} });
const report = masterOp({ case: "machineReport", value: { machine: "m1", instances: [] } });
const submit = userOp("u", "1", { case: "jobSubmit", value: { spec: { user: "u", name: "j", count: 1, task: { command: ["x"] } } } });
const kill = userOp("u", "2", { case: "jobKill", value: { job: "u/j" } });
const claim = schedulerOp("s", { case: "taskClaims", value: { claims: [{ task: "u/j/0", place: "m1" }] } });

test("one entry is in flight; kills and reports go first, then claims, then submits", () => {
  const { calls, host, pipeline, push } = setUp();
  push(submit);
  push(claim);
  push(kill);
  push(barrier);
  pipeline.pump();
  assert.deepEqual(calls, [], "not before it is open");
  pipeline.open(7, 4);
  pipeline.pump();
  assert.deepEqual(calls, ["append 5 in 7"]);
  pipeline.onAnswer({ type: "appended", position: 5 });
  pipeline.onAnswer({ type: "appended", position: 6 });
  assert.deepEqual(host.heard, ["committed 5: barrier jobKill taskClaims", "committed 6: jobSubmit"]);
});

test("reports wait for an entry that goes anyway, and go by themselves after a moment", () => {
  const { calls, env, host, pipeline, push } = setUp();
  pipeline.open(7, 4);
  push(report);
  pipeline.pump();
  push(report);
  pipeline.pump();
  assert.deepEqual([calls, env.timers], [[], [{ atMs: 40, tag: "news" }]], "nobody waits for them");
  push(kill);
  pipeline.pump();
  pipeline.onAnswer({ type: "appended", position: 5 });
  assert.deepEqual(host.heard, ["committed 5: machineReport machineReport jobKill"]);
  env.nowMs = 50;
  push(report);
  pipeline.pump();
  assert.deepEqual([calls.length, env.timers.at(-1)], [1, { atMs: 90, tag: "news" }], "a moment of its own");
  pipeline.pump(true);
  assert.deepEqual(calls, ["append 5 in 7", "append 6 in 7"]);
});

test("reports that came while an entry was in flight wait no longer than if it had not been", () => {
  const { calls, env, pipeline, push } = setUp();
  pipeline.open(7, 4);
  push(kill);
  pipeline.pump();
  push(report);
  pipeline.pump();
  env.nowMs = 30;
  pipeline.onAnswer({ type: "appended", position: 5 });
  assert.deepEqual([calls.length, env.timers], [1, [{ atMs: 70, tag: "news" }]]);
  push(submit);
  pipeline.pump();
  push(report);
  env.nowMs = 60;
  pipeline.onAnswer({ type: "appended", position: 6 });
  pipeline.pump(true);
  assert.deepEqual(calls, ["append 5 in 7", "append 6 in 7", "append 7 in 7"], "an old timer only lets it go sooner");
});

test("beyond its bound nothing more may wait, but news gets a tenth more [KB1]", () => {
  const { push } = setUp();
  for (let i = 0; i < 10; i++) assert.ok(push(submit));
  assert.ok(!push(submit));
  assert.ok(push(kill));
  assert.ok(!push(kill));
});

test("an append that never happened is told so, and the next one goes at the same position", () => {
  const { calls, host, pipeline, push, notAppended } = setUp();
  pipeline.open(1, 0);
  push(kill);
  pipeline.pump();
  push(submit);
  notAppended(1, "unavailable");
  assert.deepEqual(host.heard, ["never 1: unavailable"]);
  assert.deepEqual(calls, ["append 1 in 1", "append 1 in 1"]);
});

test("an unknown append is read back before anything else: there, absent and sent again, or taken [KD1]", () => {
  const there = setUp();
  there.pipeline.open(1, 0);
  there.push(kill);
  there.pipeline.pump();
  there.push(submit);
  there.notAppended(1, "unknown");
  assert.deepEqual(there.calls, ["append 1 in 1", "read 1"]);
  there.pipeline.onAnswer({ type: "entries", from: 1, entries: [there.appended[0]!], last: 1 });
  assert.deepEqual(there.host.heard, ["committed 1: jobKill"]);
  assert.deepEqual(there.calls.slice(2), ["append 2 in 1"]);

  const absent = setUp();
  absent.pipeline.open(1, 0);
  absent.push(kill);
  absent.pipeline.pump();
  absent.notAppended(1, "unknown");
  absent.pipeline.onAnswer({ type: "not-read", from: 1, reason: "no quorum" });
  absent.pipeline.tick();
  absent.pipeline.onAnswer({ type: "entries", from: 1, entries: [], last: 0 });
  assert.deepEqual(absent.calls, ["append 1 in 1", "read 1", "read 1", "append 1 in 1"]);
  // The first copy came late after all: the second is refused because the position is taken, by ourselves.
  absent.notAppended(1, "fenced");
  absent.pipeline.onAnswer({ type: "entries", from: 1, entries: [absent.appended[0]!], last: 1 });
  assert.deepEqual(absent.host.heard, ["committed 1: jobKill"]);

  const taken = setUp();
  taken.pipeline.open(1, 0);
  taken.push(kill);
  taken.pipeline.pump();
  taken.notAppended(1, "unknown");
  taken.pipeline.onAnswer({ type: "entries", from: 1, entries: [{ term: 2, position: 1, payload: new Uint8Array() }], last: 1 });
  assert.deepEqual(taken.host.heard, ["deposed: Position 1 was taken in term 2"]);
});

test("fenced means another leads, failed means the disk lies; both stop it [KL1]", () => {
  for (const [fault, heard] of [
    ["fenced", "deposed: fenced"],
    ["failed", "exit: failed"],
  ] as const) {
    const { host, pipeline, push, notAppended } = setUp();
    pipeline.open(1, 0);
    push(kill);
    push(submit);
    pipeline.pump();
    push(claim);
    notAppended(1, fault);
    assert.deepEqual(host.heard, [heard]);
    const { unknown, never } = pipeline.close();
    assert.equal(unknown.length + never.length, 3);
  }
});

test("while a copy of the cell is too far behind only what goes before users is appended [KB1]", () => {
  const { calls, host, pipeline, push } = setUp();
  pipeline.open(1, 0);
  host.keepsUp = false;
  push(submit);
  push(kill);
  pipeline.pump();
  assert.deepEqual(calls, []);
  push(claim);
  pipeline.pump();
  pipeline.onAnswer({ type: "appended", position: 1 });
  assert.deepEqual(host.heard, ["committed 1: taskClaims"]);
  host.keepsUp = true;
  pipeline.pump();
  pipeline.onAnswer({ type: "appended", position: 2 });
  assert.deepEqual(host.heard.slice(1), ["committed 2: jobKill jobSubmit"]);
});
