import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallCode, CallError } from "../rpc/call-error.ts";
import { EXIT } from "./exit.ts";
import { borg } from "./fixture.test.ts";

/** Fails with these codes one after the other, the last one for ever, or then answers. */
function failing(codes: readonly CallCode[], then?: "answers") {
  let calls = 0;
  return () => {
    const code = codes[calls++] ?? (then === "answers" ? undefined : codes.at(-1));
    if (code !== undefined) throw new CallError(code, `It is ${code}`, code === "unavailable" ? { retryAfterMs: 2000 } : {});
    return { position: 7 };
  };
}

const ids = (asked: readonly { readonly method: string; readonly request: Readonly<Record<string, unknown>> }[]) =>
  asked.filter(({ method }) => method === "killJob").map(({ request }) => request["requestId"]);

test("a change is asked for again with the same request id until the cell says what became of it [D7]", async () => {
  const killJob = failing(["unavailable", "unreachable", "unknown", "unknown"], "answers");
  const { code, out, asked, terminal } = await borg(["kill", "web"], { killJob });
  assert.equal(code, EXIT.done);
  assert.equal(out, "Killed job ann/web\n");
  assert.equal(ids(asked).length, 5);
  assert.equal(new Set(ids(asked)).size, 1);
  assert.match(String(ids(asked)[0]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(terminal.slept, [2000, 200, 400, 800]);
});

test("when the deadline passes it says what is known: nothing was changed, or that nobody can tell and how to ask again [D7]", async () => {
  const away = await borg(["kill", "web", "--deadline", "3s"], { killJob: failing(["unreachable"]) });
  assert.equal(away.code, EXIT.unreachable);
  assert.match(away.err, /Cannot kill ann\/web: It is unreachable \(tried for 3 s\); nothing was changed/);
  const lost = await borg(["kill", "web", "--deadline", "3s"], { killJob: failing(["unknown", "unreachable"]) });
  assert.equal(lost.code, EXIT.unreachable);
  assert.match(lost.err, /Cannot tell whether this was done: kill ann\/web/);
  assert.match(lost.err, new RegExp(`--request-id ${ids(lost.asked)[0]}`));
});

test("--request-id repeats a command, each change of it with its own id", async () => {
  const { asked } = await borg(["kill", "web", "--request-id", "abc"], { killJob: failing([], "answers") });
  assert.deepEqual(ids(asked), ["abc"]);
});

test("every code of a call has an exit code, and errors as JSON have a hint", async () => {
  const expected: Readonly<Record<CallCode, number>> = {
    refused: 1,
    unimplemented: 1,
    "bad-request": 2,
    "too-large": 2,
    "not-found": 3,
    unreachable: 5,
    unavailable: 5,
    unknown: 5,
    "not-permitted": 6,
    unauthenticated: 6,
    internal: 70,
    cancelled: 130,
  };
  for (const [code, exit] of Object.entries(expected)) {
    const found = await borg(["scale", "web", "2", "--json", "--deadline", "1s"], { resizeJob: failing([code as CallCode]) as never });
    assert.equal(found.code, exit, code);
    assert.deepEqual(Object.keys(JSON.parse(found.err)), ["error", "hint"]);
    assert.equal(found.out, "");
  }
});

test("reads fail at once where nobody answers, and wait where the cell is only busy", async () => {
  const away = await borg(["ls"], { listJobs: failing(["unreachable"]) as never });
  assert.deepEqual([away.code, away.terminal.slept.length], [EXIT.unreachable, 0]);
  const busy = await borg(["ls", "--json"], { listJobs: failing(["unavailable", "unknown"], "answers") as never });
  assert.deepEqual([busy.code, busy.out], [EXIT.done, "[]\n"]);
});

test("who kills what is dead, or scales to what is there, is told so [D7]", async () => {
  const killed = await borg(["kill", "web"], { killJob: () => ({ position: 7, already: true }) });
  assert.deepEqual([killed.code, killed.out], [EXIT.done, "Job ann/web was dead already\n"]);
  const framework = await borg(["kill", "fw"], { killJob: () => ({ position: 7, already: true, framework: true }) });
  assert.deepEqual([framework.code, framework.out], [EXIT.done, "Framework ann/fw was dead already\n"]);
  const scaled = await borg(["scale", "web", "3"], { resizeJob: () => ({ position: 7, already: true }) });
  assert.deepEqual([scaled.code, scaled.out], [EXIT.done, "Job ann/web had 3 tasks already\n"]);
});

test("kill, restart and scale call an alloc set so, and what it has allocs [A5]", async () => {
  const is = (more: object) => () => ({ position: 7, allocSet: true, ...more });
  const said = async (words: string[], more: object = {}): Promise<string> =>
    (await borg(words, { killJob: is(more), restartJob: is(more), resizeJob: is(more) })).out;
  assert.equal(await said(["kill", "room"]), "Killed alloc set ann/room\n");
  assert.equal(await said(["kill", "room"], { already: true }), "Alloc set ann/room was dead already\n");
  assert.equal(await said(["restart", "room"]), "Restarting every alloc of alloc set ann/room\n");
  assert.equal(await said(["restart", "room/1"]), "Restarting alloc ann/room/1\n");
  assert.equal(await said(["scale", "room", "1"]), "Alloc set ann/room has 1 alloc now\n");
  assert.equal(await said(["scale", "room", "2"], { already: true }), "Alloc set ann/room had 2 allocs already\n");
});
