import assert from "node:assert/strict";
import { test } from "node:test";
import { traceOf } from "../../base/trace.ts";
import type { ApiAnswer } from "../../borgmaster/api/message.ts";
import { ChangeLog } from "./change-log.ts";

const DONE = { type: "answered", position: 12 } as unknown as ApiAnswer;
const refused = (reason: string): ApiAnswer => ({ type: "failed", code: "refused", reason }) as unknown as ApiAnswer;

function told(work: (log: ChangeLog) => void): readonly string[] {
  const lines: string[] = [];
  work(new ChangeLog((line) => lines.push(line)));
  return lines;
}

test("a change is one line with call, user, thing, trace and end; a read is none; what a request holds is not told [N9] [L6]", () => {
  const call = { user: "ann", requestId: "secret-id" };
  const spec = { user: "ann", name: "web", task: { environment: [{ key: "PASSWORD", value: "hunter2" }] } };
  const lines = told((log) => {
    log.ended({ method: "submitJob", request: { requestId: "secret-id", spec }, call }, DONE);
    log.ended({ method: "killJob", request: { job: "ann/web" }, call }, refused("no\nsuch trace 0123456789abcdef"));
    log.ended({ method: "getJob", request: { job: "ann/web" }, call: { user: "ann" } }, DONE);
  });
  assert.deepEqual(lines, [
    `submitJob ann/web by ann, trace ${traceOf("ann", "secret-id")}: done at 12`,
    `killJob ann/web by ann, trace ${traceOf("ann", "secret-id")}: refused: no?such trace?0123456789abcdef`,
  ]);
});

test("a flood of changes is counted, not written [N9]", () => {
  const call = { user: "ann", requestId: "r" };
  const lines = told((log) => {
    for (let i = 0; i < 1000; i++) log.ended({ method: "killJob", request: { job: "ann/web" }, call }, DONE);
  });
  assert.ok(lines.length >= 100 && lines.length < 500, `${lines.length} lines`);
});
