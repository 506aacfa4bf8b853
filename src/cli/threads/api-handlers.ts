/** The API's calls, put together: reads from this thread's own copy of the cell, changes through the master, logs through the link thread. */
import { splitTask } from "../../base/id.ts";
import { accessProblem } from "../../borgmaster/access.ts";
import * as asks from "../../borgmaster/asks.ts";
import type { Copy } from "../../borgmaster/copy.ts";
import type { ClientAnswer } from "../../borgmaster/message.ts";
import * as reads from "../../borgmaster/reads.ts";
import { refusalKind } from "../../borgmaster/refusal.ts";
import type { Answer } from "../../cell/cell.ts";
import { type Op, userOp } from "../../cell/op.ts";
import { CallError } from "../../rpc/call-error.ts";
import type { Call, CellHandlers } from "../../rpc/service.ts";
import type { ToScheduler } from "../../scheduler/message.ts";
import { decode, encode, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { LogChunkSchema, LogRequestSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import { JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { FOLLOWER, LINK, MASTER, PROCESS } from "./addresses.ts";
import type { LogAnswer } from "./link.ts";
import type { Questions } from "./questions.ts";

export interface ApiParts {
  readonly copy: Copy;
  readonly questions: Questions;
  /** The schedulers that are threads of this process. */
  readonly threads: readonly string[];
  /** Sends to another thread. */
  readonly send: (to: string, message: object) => void;
  /** Resolves when an entry was applied here, or after so long. */
  readonly nextEntry: (withinMs: number, signal: AbortSignal) => Promise<void>;
}

const PROCESS_MS = 5_000;
const LOG_MARGIN_MS = 5_000;
const LOG_BYTES_DEFAULT = 65_536;
const BYTES_MAX = 16 * 1024 * 1024;
/** A change is answered well before the caller's own deadline, so that "unknown" comes from us and says what to do. */
const ANSWER_MARGIN_MS = 200;

export function apiHandlers(parts: ApiParts): CellHandlers {
  const { copy } = parts;
  const allowed = (method: keyof CellHandlers, call: Call, about = ""): void => {
    if (copy.state.name === "") throw new CallError("unavailable", "The cell is not ready yet", { retryAfterMs: 500 });
    const problem = accessProblem(copy.state, method, call.user, about);
    if (problem !== undefined) throw new CallError("not-permitted", problem);
  };
  const change = (method: keyof CellHandlers, call: Call, body: asks.OpBody) => {
    allowed(method, call);
    return changed(parts, call, userOp(call.user, call.requestId ?? crypto.randomUUID(), body));
  };
  const read = <T>(method: keyof CellHandlers, call: Call, answer: () => T, about = ""): T => {
    allowed(method, call, about);
    return answer();
  };
  return {
    submitJob: (request, call) => change("submitJob", call, asks.submitJob(request)),
    submitAllocSet: (request, call) => change("submitAllocSet", call, asks.submitAllocSet(request)),
    killJob: (request, call) => change("killJob", call, asks.killJob(request)),
    restartJob: (request, call) => change("restartJob", call, asks.restartJob(request)),
    resizeJob: (request, call) => change("resizeJob", call, asks.resizeJob(request)),
    drainMachine: (request, call) => change("drainMachine", call, asks.drainMachine(request)),
    removeMachine: (request, call) => change("removeMachine", call, asks.removeMachine(request)),
    setQuota: (request, call) => change("setQuota", call, asks.setQuota(request)),
    grantUser: (request, call) => change("grantUser", call, asks.grantUser(request)),
    createToken: (request, call) => change("createToken", call, asks.createToken(request, Date.now())),
    revokeToken: (request, call) => change("revokeToken", call, asks.revokeToken(request)),
    setScheduler: (request, call) => change("setScheduler", call, asks.setScheduler(request)),
    getCell: (request, call) => read("getCell", call, () => reads.getCell(copy, request, call.user)),
    getMaster: (_request, call) => read("getMaster", call, () => masterView(parts)),
    listJobs: (request, call) => read("listJobs", call, () => reads.listJobs(copy, request)),
    getJob: (request, call) => read("getJob", call, () => found(reads.getJob(copy, request))),
    listTasks: (request, call) => read("listTasks", call, () => reads.listTasks(copy, request)),
    getTask: (request, call) => read("getTask", call, () => found(reads.getTask(copy, request))),
    listMachines: (request, call) => read("listMachines", call, () => reads.listMachines(copy, request)),
    getMachine: (request, call) => read("getMachine", call, () => found(reads.getMachine(copy, request))),
    listQuota: (request, call) => read("listQuota", call, () => reads.listQuota(copy, request)),
    listUsers: (_request, call) => read("listUsers", call, () => reads.listUsers(copy)),
    listTokens: (request, call) => read("listTokens", call, () => reads.listTokens(copy, request), request.user),
    explain: (request, call) =>
      read("explain", call, () => askFollower(parts, call, api.ExplanationSchema, { type: "explain", name: request.name })),
    checkJob: (request, call) =>
      read("checkJob", call, () => {
        const spec = encode(JobSpecSchema, request.spec ?? make(JobSpecSchema, {}));
        return askFollower(parts, call, api.CheckJobResponseSchema, { type: "check-job", user: call.user, spec });
      }),
    readEvents: (request, call) => read("readEvents", call, () => readEvents(parts, request, call)),
    readLog: (request, call) => read("readLog", call, () => readLog(parts, request, call), ownerOf(request.task)),
    listSchedulers: (_request, call) => read("listSchedulers", call, async () => reads.listSchedulers(copy, await busyThreads(parts))),
    readFeed: (request, call) => read("readFeed", call, () => readFeed(parts, request, call)),
    claimTasks: (request, call) => read("claimTasks", call, () => claimTasks(parts, request, call)),
  };
}

const ownerOf = (task: string): string => splitTask(task).job.split("/")[0] ?? "";

function found<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }): T {
  if (!result.ok) throw new CallError("not-found", result.reason);
  return result.value;
}

async function changed({ copy, questions, send }: ApiParts, call: Call, op: Op): Promise<api.Changed> {
  const told = await questions.ask(Math.max(call.deadlineMs - ANSWER_MARGIN_MS, 1), (id) => send(MASTER, { type: "request", id, op }));
  const answer = told as unknown as Extract<ClientAnswer, { readonly type: "answer" }>;
  switch (answer.result) {
    case "done":
      return make(api.ChangedSchema, { position: answer.position, ...doneView(answer.answer) });
    case "refused":
      throw new CallError(refusalKind(copy.state, op), answer.reason);
    case "unavailable":
      throw new CallError("unavailable", answer.reason, { retryAfterMs: answer.retryAfterMs });
    case "unknown":
      throw new CallError("unknown", `${answer.reason}: the same request id, sent again, tells the outcome`);
  }
}

function doneView(answer: Answer): { readonly repeated?: boolean; readonly already?: boolean; readonly position?: number } {
  if (answer.type === "repeated") return { repeated: true, position: answer.position };
  return answer.type === "submitted" ? { already: answer.already } : {};
}

async function askFollower<Desc extends typeof api.ExplanationSchema | typeof api.CheckJobResponseSchema>(
  { questions, send }: ApiParts,
  call: Call,
  schema: Desc,
  question: object,
) {
  const told = await questions.ask(call.deadlineMs, (id) => send(FOLLOWER, { ...question, id }));
  if (told["type"] === "not-explained") throw new CallError("not-found", String(told["reason"]));
  return found(decode(schema, told["payload"] as Uint8Array, BYTES_MAX));
}

async function masterView({ questions, send }: ApiParts): Promise<api.MasterView> {
  const [main, links] = await Promise.all([
    questions.ask(PROCESS_MS, (id) => send(PROCESS, { type: "count-process", id })),
    questions.ask(PROCESS_MS, (id) => send(LINK, { type: "count-links", id })),
  ]);
  return make(api.MasterViewSchema, { ...(main["view"] as object), links: Number(links["links"]), polls: Number(links["polls"]) });
}

/** Only schedulers that are threads of this process can be asked; the others answer for themselves. */
async function busyThreads({ questions, send, threads }: ApiParts): Promise<ReadonlyMap<string, { busyMs: number; upMs: number }>> {
  const told = await Promise.all(threads.map((name) => questions.ask(PROCESS_MS, (id) => send(name, { type: "count-turns", id }))));
  return new Map(threads.map((name, i) => [name, { busyMs: Number(told[i]?.["busyMs"]), upMs: Number(told[i]?.["upMs"]) }]));
}

/** With nothing to tell it waits for the next entry, as long as the caller wants to. */
async function readEvents({ copy, nextEntry }: ApiParts, request: api.ReadEventsRequest, call: Call): Promise<api.ReadEventsResponse> {
  const until = performance.now() + Math.min(request.waitMs, call.deadlineMs - ANSWER_MARGIN_MS);
  for (;;) {
    const page = reads.readEvents(copy, request);
    const leftMs = until - performance.now();
    if (page.events.length > 0 || leftMs <= 0 || call.signal.aborted) return page;
    await nextEntry(leftMs, call.signal);
  }
}

async function readFeed({ copy, nextEntry }: ApiParts, request: api.ReadFeedRequest, call: Call): Promise<api.ReadFeedResponse> {
  const until = performance.now() + Math.min(request.waitMs, call.deadlineMs - ANSWER_MARGIN_MS);
  for (;;) {
    const page = reads.readFeed(copy, request);
    const leftMs = until - performance.now();
    if (page.items.length > 0 || leftMs <= 0 || call.signal.aborted) return page;
    await nextEntry(leftMs, call.signal);
  }
}

/** Judged by the cell like any other scheduler's. A lost answer is no harm: the feed shows what became of the claims. */
async function claimTasks({ questions, send }: ApiParts, request: api.ClaimTasksRequest, call: Call): Promise<api.ClaimTasksResponse> {
  const { scheduler, claims, allOrNothing } = request;
  const told = (await questions.ask(Math.max(call.deadlineMs - ANSWER_MARGIN_MS, 1), (id) =>
    send(MASTER, { type: "claim", scheduler, id, claims, allOrNothing }),
  )) as unknown as Extract<ToScheduler, { readonly type: "claimed" | "not-claimed" }>;
  if (told.type === "not-claimed") throw new CallError("refused", told.reason);
  return make(api.ClaimTasksResponseSchema, {
    position: told.position,
    verdicts: told.answers.map((answer) =>
      answer.ok
        ? { task: answer.task, instance: answer.instance, victims: [...answer.victims] }
        : { task: answer.task, refusal: answer.reason },
    ),
  });
}

async function readLog({ copy, questions, send }: ApiParts, request: api.ReadLogRequest, call: Call): Promise<api.ReadLogResponse> {
  const place = found(reads.findLog(copy, request));
  const waitMs = Math.min(request.waitMs, Math.max(call.deadlineMs - LOG_MARGIN_MS, 0));
  const wanted = make(LogRequestSchema, {
    instance: place.instance,
    stream: request.stream,
    offset: request.offset,
    fromEnd: request.fromEnd,
    bytesMax: request.bytesMax === 0 ? LOG_BYTES_DEFAULT : request.bytesMax,
    waitMs,
  });
  const bytes = encode(LogRequestSchema, wanted);
  const told = (await questions.ask(waitMs + LOG_MARGIN_MS, (id) =>
    send(LINK, { type: "log", id, machine: place.machine, request: bytes }),
  )) as unknown as LogAnswer;
  if (told.type === "no-log") throw new CallError("unavailable", told.reason, { retryAfterMs: 1000 });
  const chunk = found(decode(LogChunkSchema, told.chunk, BYTES_MAX));
  if (chunk.unknown) throw new CallError("not-found", `Nothing is kept of instance "${place.instance}" on machine "${place.machine}"`);
  if (chunk.problem !== "") throw new CallError("refused", chunk.problem);
  const again = reads.findLog(copy, { ...request, instance: place.instance });
  return make(api.ReadLogResponseSchema, {
    instance: place.instance,
    machine: place.machine,
    offset: chunk.offset,
    data: chunk.data,
    nextOffset: chunk.offset + chunk.data.length,
    ended: chunk.ended,
    newerInstance: again.ok ? again.value.newer : place.newer,
  });
}
