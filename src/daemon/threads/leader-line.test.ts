/** What a standby passes on to the leader by the owner's socket, where nobody asks who it is: the owner's pages, and only what a standby cannot do itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Leader } from "../../rpc/front-door.ts";
import type { Call, CellHandlers } from "../../rpc/service.ts";
import { LeaderLine } from "./leader-line.ts";

const ELSEWHERE: Leader = { owner: { kind: "unix", path: "/nowhere/api.sock" }, tls: { kind: "tcp", host: "127.0.0.1", port: 1 } };
const PAGE: Call = {
  user: "ann",
  isPage: true,
  deadlineMs: 1000,
  stale: false,
  shown: () => {},
  charge: () => {},
  signal: new AbortController().signal,
};

function lineTo(leader: Leader): LeaderLine {
  const line = new LeaderLine("ann");
  line.leads(leader);
  return line;
}

test("only the owner's pages are passed on as the owner, and only what the leader alone can do [M7] [KA2]", () => {
  const line = lineTo(ELSEWHERE);
  const taken = (method: keyof CellHandlers, call: Partial<Call> = {}): boolean => line.takes(method, { ...PAGE, ...call });
  for (const method of ["killJob", "drainMachine", "readLog", "readFile", "readUsage", "useShell"] as const)
    assert.equal(taken(method), true, method);
  for (const method of ["listJobs", "getCell", "watchViews", "explain", "readFeed"] as const)
    assert.equal(taken(method), false, `${method} is answered from the copy here`);
  assert.equal(taken("killJob", { user: "bob" }), false, "another user would become the owner");
  assert.equal(taken("killJob", { isPage: false }), false, "a program asks at the cell's own address");
  assert.equal(taken("killJob", { controller: "ann/boss/0" }), false);
});

test("who leads itself, or knows no leader, passes nothing on; a leader that is away is said in words [M7]", async () => {
  for (const leader of ["self", undefined] as const) assert.equal(lineTo(leader).takes("killJob", PAGE), false);
  await assert.rejects(() => lineTo(ELSEWHERE).ask("killJob", { requestId: "r", job: "ann/j" }, PAGE), {
    code: "unavailable",
    message: /The replica that leads does not answer: try again/,
  });
});
