/** The API's actor call by call: who is asked what, what a caller is told, and what happens at every bound. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiAnswer, ApiCall, FromApi, ToApi } from "../../src/borgmaster/api/message.ts";
import { OPEN_MAX } from "../../src/borgmaster/api/open-calls.ts";
import { Confirmations } from "../../src/borgmaster/confirmations.ts";
import type { FromMaster } from "../../src/borgmaster/message.ts";
import { masterOp, unseal, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import * as wire from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Capability, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { Journal } from "../../src/wire/journal.ts";
import { TestApi } from "./test-api.ts";
import { TestEnv } from "./test-env.ts";

const DEADLINE_MS = 5_000;
const spec = { user: "ann", name: "web", count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } };

class Desk extends TestApi {
  #calls = 0;

  call(method: ApiCall["method"], request: object, more: Partial<ApiCall> = {}): string {
    this.#calls += 1;
    const id = `c${this.#calls}`;
    this.hear({ type: "call", id, method, user: "ann", request, requestId: "", deadlineMs: DEADLINE_MS, stale: false, ...more });
    return id;
  }

  /** Lets time pass, with the timers in it. */
  wait(ms: number): void {
    this.env.nowMs += ms;
    for (const timer of this.env.timers.splice(0)) {
      if (timer.atMs <= this.env.nowMs) this.api.onTimer(timer.tag);
      else this.env.timers.push(timer);
    }
  }
}

const getJob = make(wire.GetJobRequestSchema, { job: "ann/web" });
const listUsers = make(wire.ListUsersRequestSchema, {});
const kill = make(wire.KillJobRequestSchema, { job: "ann/web", requestId: "r1" });
const submitOp = userOp("ann", "s1", { case: "jobSubmit", value: { spec } });
const only = <T>(all: readonly T[]): T => {
  assert.equal(all.length, 1, JSON.stringify(all));
  return all[0] as T;
};

test("a read waits for a confirmation that was asked for after it came, and for the copy to get there [KD3]", () => {
  const desk = new Desk();
  desk.call("getJob", getJob);
  const first = only(desk.sent("master")) as { readonly type: string; readonly id: string };
  assert.equal(first.type, "confirm");
  desk.call("listUsers", listUsers);
  desk.call("listUsers", listUsers);
  assert.deepEqual(desk.env.take(), [], "one confirmation is on its way");
  desk.hear({ type: "confirmed", id: first.id, position: desk.position + 1 });
  const second = only(desk.sent("master")) as { readonly id: string };
  assert.notEqual(second.id, first.id);
  desk.hear({ type: "confirmed", id: second.id, position: desk.position });
  assert.deepEqual(
    desk.answers().map((answer) => answer.id),
    ["c2", "c3"],
  );
  desk.entry(submitOp);
  const answer = only(desk.answers());
  assert.ok(answer.type === "answered" && answer.position === desk.position && answer.ageMs === undefined);
  assert.equal((answer.response as wire.GetJobResponse).job?.count, 1);
});

test("a read that cannot be confirmed is unavailable: at once when the master says so, else at its deadline [KB1]", () => {
  const desk = new Desk();
  desk.call("listUsers", listUsers);
  const { id } = only(desk.sent("master")) as { readonly id: string };
  desk.hear({ type: "not-confirmed", id, reason: "This master does not lead" });
  const told = only(desk.answers());
  assert.ok(told.type === "failed" && told.code === "unavailable" && told.reason === "This master does not lead");
  assert.ok(told.retryAfterMs !== undefined && told.retryAfterMs > 0);
  desk.call("listUsers", listUsers);
  desk.env.take();
  desk.wait(DEADLINE_MS - 201);
  assert.deepEqual(desk.answers(), []);
  desk.wait(1);
  const late = only(desk.answers());
  assert.ok(late.type === "failed" && late.code === "unavailable");
  // A confirmation that never comes does not stop those that come later.
  desk.wait(10_000);
  desk.call("listUsers", listUsers);
  assert.equal(desk.sent("master").length, 1);
});

test("a stale read is answered at once and says how old it may be, by no clock that can be stepped, once the copy was confirmed [KD3]", () => {
  const desk = new Desk();
  /** What it was told, and whether the master was asked to confirm. */
  const stale = (): readonly [ageMs: number | undefined, asked: string | undefined] => {
    desk.call("listUsers", listUsers, { stale: true });
    const all = desk.env.take();
    const answer = all.find(({ to }) => to === "somebody")?.message as ApiAnswer;
    assert.ok(answer.type === "answered" && answer.position === desk.position);
    const asked = all.find(({ message }) => (message as { readonly type: string }).type === "confirm")?.message;
    return [answer.ageMs, (asked as { readonly id: string } | undefined)?.id];
  };
  desk.env.wallMs += 7_000;
  const [first, asked] = stale();
  assert.equal(first, undefined, "nobody knows before the first confirmation");
  assert.deepEqual(stale(), [undefined, undefined]);
  desk.hear({ type: "confirmed", id: asked!, position: 1 });
  desk.env.nowMs += 300;
  assert.deepEqual(stale(), [300, undefined], "at most once a second, and only for who reads so");
  desk.env.wallMs -= 60_000;
  desk.env.nowMs += 300;
  assert.deepEqual(stale(), [600, undefined], "a clock that runs back makes nothing younger");
  desk.env.nowMs += 400;
  const [old, again] = stale();
  assert.equal(old, 1_000);
  assert.ok(again !== undefined);
  desk.env.nowMs += 6_000;
  const [older, third] = stale();
  assert.equal(older, 7_000);
  assert.ok(third !== undefined && third !== again, "one whose answer was lost does not stop the next");
});

test("a change becomes one op of its caller; what the master says is what the caller is told [KD3]", () => {
  const told = (answer: object): ApiAnswer => {
    const desk = new Desk();
    desk.call("killJob", kill, { requestId: "r1" });
    const request = only(desk.sent("master")) as { readonly type: string; readonly id: string; readonly op: Uint8Array };
    const op = unseal(request.op);
    assert.ok(op.ok);
    assert.deepEqual([request.type, op.value.op.actor?.name, op.value.op.requestId], ["request", "ann", "r1"]);
    desk.hear({ type: "answer", id: request.id, ...answer } as ToApi);
    desk.hear({ type: "answer", id: request.id, ...answer } as ToApi);
    return only(desk.answers());
  };
  const done = told({ result: "done", position: 9, answer: { type: "done" } });
  assert.ok(done.type === "answered" && done.position === 9 && !(done.response as wire.Changed).repeated);
  const again = told({ result: "done", position: 4, answer: { type: "repeated", position: 4 } });
  assert.ok(again.type === "answered" && (again.response as wire.Changed).repeated && (again.response as wire.Changed).position === 4);
  const codes = [
    [{ result: "refused", position: 9, reason: "no" }, "not-found"],
    [{ result: "unavailable", reason: "no", retryAfterMs: 1 }, "unavailable"],
    [{ result: "unknown", reason: "no" }, "unknown"],
  ] as const;
  for (const [answer, code] of codes) {
    const failed = told(answer);
    assert.equal(failed.type === "failed" && failed.code, code);
  }
});

test("a change that the master has not answered by its deadline is unknown; one that was never sent is unavailable [KD3] [KB1]", () => {
  const desk = new Desk();
  desk.call("killJob", kill, { requestId: "r1" });
  desk.call("killJob", kill, { requestId: "r1", user: "nobody" });
  desk.env.take();
  desk.wait(DEADLINE_MS);
  assert.deepEqual(
    desk.answers().map((answer) => answer.type === "failed" && answer.code),
    ["unknown", "unavailable"],
  );
});

test("who is unknown to the copy is refused only when the copy is current: it may not have heard of them yet [KA2] [KD3]", () => {
  const desk = new Desk();
  desk.call("killJob", kill, { requestId: "r1", user: "bob" });
  const first = only(desk.sent("master")) as { readonly type: string; readonly id: string };
  assert.equal(first.type, "confirm");
  desk.hear({ type: "confirmed", id: first.id, position: desk.position + 1 });
  const capabilities = [Capability.MODIFY_ANY_JOB];
  desk.entry(userOp("admin", "", { case: "userGrant", value: { user: "bob", roles: [Role.USER], capabilities } }));
  assert.equal((only(desk.sent("master")) as { readonly type: string }).type, "request");
  desk.call("killJob", kill, { requestId: "r1", user: "eve" });
  desk.hear({ type: "confirmed", id: (only(desk.sent("master")) as { readonly id: string }).id, position: desk.position });
  const told = only(desk.answers());
  assert.ok(told.type === "failed" && told.code === "not-permitted");
});

test("a poll waits for the next entry, and says after its time that there is nothing [U9]", () => {
  const desk = new Desk();
  const request = make(wire.ReadEventsRequestSchema, { afterPosition: desk.position, afterIndex: 99, waitMs: 1000 });
  desk.call("readEvents", request, { stale: true });
  desk.call("readEvents", request, { stale: true });
  desk.env.take();
  desk.hear({ type: "cancel", id: "c2" });
  desk.entry(submitOp);
  const page = only(desk.answers());
  assert.ok(page.type === "answered" && (page.response as wire.ReadEventsResponse).events.length > 0);
  const later = make(wire.ReadEventsRequestSchema, { afterPosition: desk.position, afterIndex: 99, waitMs: 1000 });
  desk.call("readEvents", later, { stale: true });
  desk.wait(999);
  assert.deepEqual(desk.answers(), []);
  desk.wait(1);
  const empty = only(desk.answers());
  assert.ok(empty.type === "answered" && (empty.response as wire.ReadEventsResponse).events.length === 0);
});

test("questions to others have one answer each: explain, logs, counters [N6] [N7]", () => {
  const desk = new Desk();
  desk.call("explain", make(wire.ExplainRequestSchema, { name: "ann/web" }), { stale: true });
  const asked = only(desk.sent("follower")) as { readonly id: string; readonly type: string };
  assert.equal(asked.type, "explain");
  desk.hear({ type: "not-explained", id: asked.id, reason: "no such thing" });
  const told = only(desk.answers());
  assert.ok(told.type === "failed" && told.code === "not-found");
  desk.call("getMaster", make(wire.GetMasterRequestSchema, {}));
  const sent = desk.env.take() as { readonly to: string; readonly message: { readonly id: string } }[];
  assert.deepEqual(
    sent.map(({ to }) => to),
    ["counters", "link"],
  );
  desk.hear({
    type: "links",
    id: sent[1]!.message.id,
    links: 3,
    linksFormer: 0,
    authority: "a",
    polls: 4,
    pollMsMedian: 5000,
    pollMsMax: 6000,
  });
  desk.hear({ type: "process", id: sent[0]!.message.id, view: { role: "leading" } });
  const view = only(desk.answers());
  assert.ok(view.type === "answered");
  const { links, role, pollMsMax } = view.response as wire.MasterView;
  assert.deepEqual([links, role, pollMsMax], [3, "leading", 6000]);
});

test("a copy of an open call is not answered twice; one call too many is told to come again [KB1]", () => {
  const desk = new Desk();
  desk.call("killJob", kill, { id: "same", requestId: "r1" });
  desk.call("killJob", kill, { id: "same", requestId: "r1" });
  assert.equal(desk.sent("master").length, 1);
  for (let i = 1; i < OPEN_MAX; i++) desk.call("killJob", kill, { requestId: "r1" });
  assert.deepEqual(desk.answers(), []);
  desk.call("killJob", kill, { requestId: "r1" });
  const told = only(desk.answers());
  assert.ok(told.type === "failed" && told.code === "unavailable");
});

test("a master asks the journal once for all who wait, and again for those who came meanwhile [KD3]", () => {
  const env = new TestEnv<FromMaster>();
  const terms: number[] = [];
  const confirmations = new Confirmations(env, { confirm: (term: number) => void terms.push(term) } as unknown as Journal);
  confirmations.ask("api", "a", 0, "no");
  assert.deepEqual(env.take(), [{ to: "api", message: { type: "not-confirmed", id: "a", reason: "no" } }]);
  for (const id of ["b", "c", "d"]) confirmations.ask("api", id, 3, "no");
  assert.deepEqual(terms, [3]);
  confirmations.onAnswer({ type: "confirmed", term: 2, position: 1 });
  assert.deepEqual(env.take(), [], "the answer to an earlier term is nobody's");
  confirmations.onAnswer({ type: "confirmed", term: 3, position: 7 });
  assert.deepEqual(env.take(), [{ to: "api", message: { type: "confirmed", id: "b", position: 7 } }]);
  assert.deepEqual(terms, [3, 3]);
  confirmations.drop("The lease ran out");
  assert.deepEqual(
    env.take().map(({ message }) => message.type),
    ["not-confirmed", "not-confirmed"],
  );
});

test("a package is added when all its bytes are kept, and nobody uploads beyond what they may have [U8] [cell.G4]", () => {
  const desk = new Desk();
  for (const version of [2, 3, 4]) desk.entry(masterOp({ case: "cellVersion", value: { version } }));
  desk.entry(userOp("admin", "", { case: "userGrant", value: { user: "guest", roles: [Role.VIEWER] } }));
  const digest = "ab".repeat(32);
  const add = make(wire.AddPackageRequestSchema, { user: "ann", name: "web", digest, bytes: 9 });
  const asked = (): Extract<FromApi, { readonly type: "package-kept" | "package-put" }> => desk.sent("packages")[0] as never;
  desk.call("addPackage", add);
  const first = asked();
  assert.deepEqual([first.type, first.user, first.owned], ["package-kept", "ann", false]);
  desk.hear({ type: "package-received", id: first.id, received: 0, kept: false });
  const [refusal] = desk.answers();
  assert.ok(refusal?.type === "failed" && /are not all here: borg package push sends them first/.test(refusal.reason));
  desk.call("addPackage", add);
  desk.hear({ type: "package-received", id: asked().id, received: 0, kept: true });
  assert.equal(desk.sent("master").filter(({ type }) => type === "request").length, 1, "now the master is asked");
  desk.call("uploadPackage", make(wire.UploadPackageRequestSchema, { digest, bytes: 9, data: new Uint8Array(4) }));
  const put = asked();
  assert.ok(put.type === "package-put" && put.total === 9 && put.data.length === 4);
  desk.hear({ type: "package-received", id: put.id, received: 4, kept: false });
  const [received] = desk.answers();
  assert.ok(received?.type === "answered" && (received.response as wire.UploadPackageResponse).received === 4);
  desk.entry(userOp("admin", "", { case: "boundsSet", value: { user: "ann", bounds: { packageBytes: 8 } } }));
  desk.call("uploadPackage", make(wire.UploadPackageRequestSchema, { digest, bytes: 9 }));
  const [over] = desk.answers();
  assert.ok(over?.type === "failed" && over.code === "refused" && /would take/.test(over.reason));
  desk.call("uploadPackage", make(wire.UploadPackageRequestSchema, { digest, bytes: 1 }), { user: "guest" });
  const [denied] = desk.answers();
  assert.ok(denied?.type === "failed" && denied.code === "not-permitted");
});

test("a selector that cannot be read is a bad request, said in words, and reaches no read [L1]", () => {
  const desk = new Desk();
  desk.call("listJobs", make(wire.ListJobsRequestSchema, { selector: "a b" }), { stale: true });
  const told = only(desk.answers());
  assert.ok(told.type === "failed" && told.code === "bad-request" && told.reason.includes("as in app=web, tier!=db"));
  desk.call("readEvents", make(wire.ReadEventsRequestSchema, { selector: "!a=b", waitMs: 1000 }), { stale: true });
  const other = only(desk.answers());
  assert.ok(other.type === "failed" && other.code === "bad-request");
});

test("who changes an alloc set by its name is told that it is one, also when the call is a repeated one [A5]", () => {
  const desk = new Desk();
  const set = { user: "ann", name: "web", count: 2, limit: { cpuMilli: 1 } };
  desk.entry(userOp("ann", "s1", { case: "allocSetSubmit", value: { spec: set } }));
  for (const answer of [{ type: "done" }, { type: "repeated", position: 3 }] as const) {
    desk.call("killJob", kill, { requestId: "r1" });
    const { id } = only(desk.sent("master")) as { readonly id: string };
    desk.hear({ type: "answer", id, result: "done", position: desk.position, answer });
    const answered = only(desk.answers());
    assert.ok(answered.type === "answered" && (answered.response as wire.Changed).allocSet, answer.type);
  }
  const jobs = new Desk();
  jobs.entry(submitOp);
  jobs.call("killJob", kill, { requestId: "r1" });
  const { id } = only(jobs.sent("master")) as { readonly id: string };
  jobs.hear({ type: "answer", id, result: "done", position: jobs.position, answer: { type: "done" } });
  const answered = only(jobs.answers());
  assert.ok(answered.type === "answered" && !(answered.response as wire.Changed).allocSet);
});
