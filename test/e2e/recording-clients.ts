/**
 * Clients of a real replicated cell that write down every call in the form that the simulation's judge reads: submits, kills, resizes, quota, and reads from every replica,
 * confirmed and stale. Each asks one thing at a time, and the same request id again until it has a final answer. A refusal's place in the journal is not told to clients,
 * so a call that was refused counts as one whose outcome its client does not know. Beside them readers that stay at one replica ask it for confirmed reads without a pause:
 * what leads no longer and has not noticed is found by nothing else.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/base/random.ts";
import { replicasOf } from "../../src/daemon/replicas.ts";
import { type Asked, attemptId, type Call, type History } from "../../src/fauxmaster/judge/history.ts";
import { CallError } from "../../src/rpc/call-error.ts";
import type { CellClient } from "../../src/rpc/client.ts";
import type { CallOptions } from "../../src/rpc/service.ts";
import { make } from "../../src/wire/codec.ts";
import {
  type Changed,
  GetCellRequestSchema,
  GetJobRequestSchema,
  KillJobRequestSchema,
  ListJobsRequestSchema,
  ListQuotaRequestSchema,
  ResizeJobRequestSchema,
  SetQuotaRequestSchema,
  SubmitJobRequestSchema,
} from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import type { ReplicatedCell } from "./replicated-cell.ts";

const JOBS = ["one", "two", "three"];
const ATTEMPT_MS = 2000;
const CALL_MS = 20_000;
const RETRY_MS = 100;
const THINK_MS = 300;
const READER_THINK_MS = 20;
/** Asked again: nobody knows, or nothing was done. */
const NEVER_DONE: ReadonlySet<string> = new Set(["unavailable", "unreachable"]);

type Method = (request: object, options: CallOptions) => Promise<object>;

/** Until the signal; a call that is open then is finished first. Changes go to whoever is there, reads to any replica too. */
export async function live(cell: ReplicatedCell, history: History, name: string, random: Random, signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    const call = history.invoke(name, `${name}-${count}`, askedBy(cell, random, `${name}-${count}`));
    await finish(cell, history, call, () => (isRead(call) && random.chance(0.8) ? random.pick(replicasOf(cell.cell)) : undefined));
    await sleep(random.int(1, 2 * THINK_MS));
  }
}

/** Until the signal, at one replica. A read that it does not answer is asked again there. */
export async function read(cell: ReplicatedCell, history: History, replica: number, random: Random, signal: AbortSignal): Promise<void> {
  const name = `reader-${replica}`;
  const asked: Asked = {
    ...{ user: cell.cell.owner, method: "getCell", request: make(GetCellRequestSchema, {}), requestId: "", stale: false, again: false },
  };
  for (let count = 1; !signal.aborted; count++) {
    const call = history.invoke(name, `${name}-${count}`, asked);
    await finish(cell, history, call, () => replica);
    await sleep(random.int(1, 2 * READER_THINK_MS));
  }
}

function askedBy({ cell: { owner } }: ReplicatedCell, random: Random, id: string): Asked {
  const job = `${owner}/${random.pick(JOBS)}`;
  const change = (method: Asked["method"], request: object): Asked => ({
    ...{ user: owner, method, request, requestId: id, stale: false, again: false },
  });
  const read = (method: Asked["method"], request: object): Asked => ({
    ...{ user: owner, method, request, requestId: "", stale: random.chance(0.2), again: false },
  });
  const pick = random.int(0, 10);
  if (pick < 2) return change("submitJob", make(SubmitJobRequestSchema, { requestId: id, spec: specOf(job) }));
  if (pick < 3) return change("killJob", make(KillJobRequestSchema, { requestId: id, job }));
  if (pick < 5) return change("resizeJob", make(ResizeJobRequestSchema, { requestId: id, job, count: random.int(1, 4) }));
  if (pick < 6) {
    const quota = { limit: { cpuMilli: random.int(1, 100), ramBytes: 2 ** 20, diskBytes: 2 ** 20 } };
    return change("setQuota", make(SetQuotaRequestSchema, { requestId: id, user: owner, band: Band.BATCH, quota }));
  }
  if (pick < 8) return read("getJob", make(GetJobRequestSchema, { job }));
  if (pick < 9) return read("listJobs", make(ListJobsRequestSchema, { dead: true }));
  return random.chance(0.5) ? read("listQuota", make(ListQuotaRequestSchema, {})) : read("getCell", make(GetCellRequestSchema, {}));
}

function specOf(job: string) {
  const [user, name] = job.split("/") as [string, string];
  const limit = { cpuMilli: 1, ramBytes: 8 * 2 ** 20, diskBytes: 2 ** 20 };
  return { user, name, count: 1, task: { command: ["/bin/sleep", "100000"], limit } };
}

/** `where`: which replica is asked, or whoever is there. */
async function finish(cell: ReplicatedCell, history: History, call: Call, where: () => number | undefined): Promise<void> {
  for (const end = performance.now() + CALL_MS; performance.now() < end; await sleep(RETRY_MS)) {
    call.attempts += 1;
    try {
      return await attempt(cell, history, call, where());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (NEVER_DONE.has(error.code)) call.unavailable.add(attemptId(call, call.attempts));
      else if (error.code !== "unknown") break;
    }
  }
  history.abandon(call);
}

const isRead = ({ asked }: Call): boolean => asked.requestId === "";

async function attempt(cell: ReplicatedCell, history: History, call: Call, replica: number | undefined): Promise<void> {
  const { method, request, stale } = call.asked;
  let shown = { position: 0, ageMs: undefined as number | undefined };
  const ask = (client: CellClient): Promise<object> =>
    (client[method] as unknown as Method)(request, {
      ...{ stale, timeoutMs: ATTEMPT_MS },
      shown: (position, ageMs) => {
        shown = { position, ageMs };
      },
    });
  const found = await cell.call(ask, replica, ATTEMPT_MS);
  if (isRead(call)) history.answer(call, { type: "read", ...shown, found });
  else history.answer(call, { type: "done", position: (found as Changed).position, changed: found as Changed });
}
