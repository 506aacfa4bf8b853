import type { ApiCall, FromApi } from "../../../src/borgmaster/api/message.ts";
import { OPEN_MAX } from "../../../src/borgmaster/api/open-calls.ts";
import { Api } from "../../../src/borgmaster/api.ts";
import { ToyVault } from "../../../src/fauxmaster/world/toy-vault.ts";
import { encode, make } from "../../../src/wire/codec.ts";
import { CellService } from "../../../src/wire/gen/borg/v1/api_pb.ts";
import { LogChunkSchema } from "../../../src/wire/gen/borg/v1/link_pb.ts";
import { AttackedCell } from "../../attack/desk.ts";
import { TestEnv } from "../../borgmaster/test-env.ts";
import { type Group, row } from "./row.ts";

const call =
  (method: ApiCall["method"], by: string, request: object, prepare: (cell: AttackedCell) => void = () => {}) =>
  () => {
    const cell = new AttackedCell();
    prepare(cell);
    const answer = cell.call(method, by, make(CellService.method[method].input as never, request as never) as object);
    return answer.type === "answered" ? ((answer.response as { refusal?: string }).refusal ?? "ok") : answer.reason;
  };

/** A call that others answer as told; what nobody answers is late. */
const told =
  (method: ApiCall["method"], by: string, request: object, answers: Readonly<Record<string, object>> = {}, crowd = 1) =>
  () => {
    const cell = new AttackedCell();
    const asked = cell.api;
    const message = make(CellService.method[method].input as never, request as never) as object;
    for (let i = 0; i < crowd; i++)
      asked.onMessage("caller", {
        type: "call",
        id: `c${i}`,
        method,
        user: by,
        request: message,
        requestId: "",
        deadlineMs: 5000,
        stale: false,
      });
    const heard: string[] = [];
    const listen = (): void => {
      for (const { to, message: said } of cell.env.take()) {
        if (to === "caller" && said.type === "failed") heard.push(said.reason);
        const answer = answers[said.type];
        if (answer !== undefined) asked.onMessage(to, { ...answer, id: (said as { id: string }).id } as never);
      }
    };
    for (let round = 0; round < 5; round++) listen();
    cell.env.nowMs += 10_000;
    for (const { tag } of [...cell.env.timers]) asked.onTimer(tag);
    listen();
    return heard[0] ?? "ok";
  };

const CONFIRMED = { confirm: { type: "confirmed", position: 0 } };
const NEWS = { spec: { user: "ann", name: "aset", count: 1, limit: { cpuMilli: 1 } } };

/** Its task is on no machine, and never was. */
function submitsWaiting(cell: AttackedCell): void {
  const spec = { user: "ann", name: "wait", count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } };
  cell.call("submitJob", "ann", make(CellService.method.submitJob.input, { spec }));
}

function notReady(): string {
  const env = new TestEnv<FromApi>();
  const api = new Api(env, {
    master: "m",
    follower: "f",
    link: "l",
    packages: "p",
    counters: "c",
    threads: [],
    vault: new ToyVault(() => 0.5),
  });
  const request = make(CellService.method.getCell.input, {});
  api.onMessage("caller", { type: "call", id: "c", method: "getCell", user: "ann", request, requestId: "", deadlineMs: 5000, stale: true });
  const [answer] = env.take();
  return answer?.message.type === "failed" ? answer.message.reason : "ok";
}

const READS: Group = {
  title: "What is asked of the API",
  rows: [
    row("call.no-role", "anything, by a user without a role", call("getCell", "nobody", {})),
    row("call.hash", "the hash of the whole cell, by no admin", call("getCell", "ann", { hash: true })),
    row("call.joins", "who wants to join, by no admin", call("listJoins", "ann", {})),
    row("call.others", "another user's log", call("readLog", "ann1", { task: "ann/web/0" })),
    row("call.scheduler", "claims, without the capability", call("claimTasks", "ann", { scheduler: "mine" })),
    row("call.scheduler-of", "claims in the name of another's scheduler", call("claimTasks", "other-sched", { scheduler: "mine" })),
    row("call.job", "a job that is not there", call("getJob", "ann", { job: "ann/none" })),
    row("call.task", "a task that is not there", call("getTask", "ann", { task: "ann/web/9" })),
    row("call.machine", "a machine that is not there", call("getMachine", "ann", { machine: "m9" })),
    row("call.update", "the update of a job that is not there", call("getUpdate", "ann", { job: "ann/none" })),
    row("call.why", "why, of nothing", call("explain", "ann", { name: "ann/none" })),
    row(
      "call.why-empty",
      "why, of a framework without tasks",
      call("explain", "ann", { name: "ann/empty" }, (cell) => {
        const spec = { user: "ann", name: "empty", role: "*", priority: 100 };
        cell.call("subscribeFramework", "ann", make(CellService.method.subscribeFramework.input, { spec, session: 1 }));
      }),
    ),
    row("call.log-never", "the log of a task that never ran", call("readLog", "ann", { task: "ann/wait/0" }, submitsWaiting)),
    row(
      "call.log-alloc",
      "the log of an alloc",
      call("readLog", "ann", { task: "ann/set/0" }, (cell) => {
        cell.call(
          "submitAllocSet",
          "ann",
          make(CellService.method.submitAllocSet.input, { spec: { user: "ann", name: "set", count: 1, limit: { cpuMilli: 1 } } }),
        );
      }),
    ),
    row(
      "call.usage-nowhere",
      "what a task uses that waits for a machine",
      call("readUsage", "ann", { task: "ann/wait/0" }, submitsWaiting),
    ),
    row("call.shell", "a shell that is not open", call("useShell", "ann", { shell: "none", use: {} })),
    row(
      "call.check-under-way",
      "what an update would do, while there is one",
      call("checkUpdate", "ann", { spec: { user: "ann", name: "web", count: 2, task: { command: ["x"] } } }),
    ),
    row("call.upload", "bytes of a package, by another name than their hash", call("uploadPackage", "ann", { digest: "x", bytes: 1 })),
    row("call.pages", "a page of a cell without pages", call("openUi", "ann", {})),
    row("call.history", "a question to a master that keeps no history", call("runQuery", "ann", { sql: "select 1" })),
    row(
      "call.update-allocs",
      "what an update of an alloc set to a job would do",
      call("checkUpdate", "ann", { spec: { user: "ann", name: "aset", count: 2, task: { command: ["x"] } } }, (cell) => {
        cell.call("submitAllocSet", "ann", make(CellService.method.submitAllocSet.input, NEWS));
      }),
    ),
    row(
      "call.log-gone",
      "the log of a task that its machine no longer keeps",
      told(
        "readLog",
        "ann",
        { task: "ann/web/0" },
        { ...CONFIRMED, "ask-borglet": { type: "borglet-said", chunk: encode(LogChunkSchema, make(LogChunkSchema, { unknown: true })) } },
      ),
    ),
    row(
      "call.package-bytes",
      "to add a package whose bytes are not there",
      told(
        "addPackage",
        "ann",
        { user: "ann", name: "new", digest: "ab".repeat(32), bytes: 9 },
        { "package-kept": { type: "package-received", received: 0, kept: false } },
      ),
    ),
    row("call.late", "a read that nobody answers", told("listJobs", "ann", {})),
    row("call.unknown", "a change that nobody answers", told("killJob", "ann", { job: "ann/web" })),
    row(
      "call.claims-unknown",
      "claims that nobody answers",
      told("claimTasks", "sched", { scheduler: "mine", claims: [{ task: "ann/web/0", place: "m1" }] }),
    ),
    row("call.full", "a call while 20,000 wait", told("listJobs", "ann", {}, {}, OPEN_MAX + 1)),
    row("call.not-ready", "a call before the cell is read", () => notReady()),
    row("selector.quote", "a selector with an open quote", call("listTasks", "ann", { selector: 'app="web' })),
    row("selector.condition", "a selector that is none", call("listTasks", "ann", { selector: "app web" })),
  ],
};

export const API_GROUPS: readonly Group[] = [READS];
