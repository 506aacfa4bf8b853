/**
 * One job as clients may see it, for the linearizability check. States: "absent", "dead", and "alive" with its spec and count.
 * A job whose tasks may end dies by itself, and a dead one may be forgotten. Refusals that rest on more than this job
 * (quota, another spec under the name) are refusal-model.ts's; those that rest on the job alone are not.
 */
import type { Op } from "../../cell/op.ts";
import { encode } from "../../wire/codec.ts";
import type * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { AfterFailure, AllocSetSpecSchema, type JobSpec, JobSpecSchema, RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import { mayEnd } from "../world/program.ts";
import { type Asked, type Call, type Heard, type History, keyOf } from "./history.ts";
import { linearizable, type Model, type Timed, type Verdict } from "./linearizable.ts";

export type JobAsked =
  | { readonly type: "submit"; readonly spec: string; readonly count: number; readonly mortal: boolean }
  | { readonly type: "kill" }
  | { readonly type: "resize"; readonly count: number }
  | { readonly type: "restart" }
  | { readonly type: "read" };

export interface JobCall {
  readonly asked: JobAsked;
  readonly heard: Heard;
  readonly id: string;
}

const ABSENT = "absent";
const DEAD = "dead";
const alive = (spec: string, count: number, mortal: boolean): string => `alive/${spec}/${count}/${mortal ? "mortal" : "lasting"}`;

export const JOB_MODEL: Model<JobCall> = {
  initial: [ABSENT],
  step: (state, call) => later(state).flatMap((possible) => step(possible, call)),
  kind: ({ asked }) => JSON.stringify(asked),
};

/** What may have become of it by itself. */
function later(state: string): readonly string[] {
  if (state === DEAD) return [DEAD, ABSENT];
  return state.endsWith("/mortal") ? [state, DEAD, ABSENT] : [state];
}

function step(state: string, { asked, heard }: JobCall): readonly string[] {
  if (asked.type === "read") return heard.type === "read" && matches(state, heard.found) ? [state] : [];
  const after = effect(state, asked);
  if (heard.type === "refused") return mayRefuse(state, asked) ? [state] : [];
  if (after === undefined) return [];
  // "Already there" may mean its own first attempt, but a job that was made now was not there before.
  if (asked.type === "submit" && heard.type === "done" && !heard.changed.repeated && !heard.changed.already && after === state) return [];
  return [after];
}

/** The state after it was done; undefined: it cannot be done in this state. */
function effect(state: string, asked: JobAsked): string | undefined {
  const [what, spec = "", , mortality] = state.split("/");
  switch (asked.type) {
    case "submit":
      if (what !== "alive") return alive(asked.spec, asked.count, asked.mortal);
      return spec === asked.spec ? state : undefined;
    case "kill":
      return what === ABSENT ? undefined : DEAD;
    case "resize":
      return what === "alive" ? alive(spec, asked.count, mortality === "mortal") : undefined;
    default:
      return what === "alive" ? state : undefined;
  }
}

/** Only growth can lack quota; a kill is refused where there is nothing. */
function mayRefuse(state: string, asked: JobAsked): boolean {
  const [what, , count] = state.split("/");
  if (asked.type === "submit") return true;
  if (asked.type === "kill") return what === ABSENT;
  return what !== "alive" || (asked.type === "resize" && asked.count > Number(count));
}

function matches(state: string, found: object | undefined): boolean {
  const [what, , count] = state.split("/");
  const job = (found as api.GetJobResponse | undefined)?.job;
  if (job === undefined) return what === ABSENT;
  if (job.state === "dead") return what === DEAD;
  return what === "alive" && Number(count) === job.count;
}

/** What the journal tells about requests whose outcome the clients do not know for sure. */
export interface Known {
  /** Requests that took effect, and those that did so twice because the cell had forgotten them. */
  readonly effects: { has(key: string): boolean; get(key: string): { readonly op: Op } | undefined };
  readonly forgotten: ReadonlySet<string>;
}

/** The calls of a history about each job. Without a journal every doubt stays open, and the search may take long. */
export function jobCalls(history: History, known?: Known): ReadonlyMap<string, readonly Timed<JobCall>[]> {
  const byJob = new Map<string, Timed<JobCall>[]>();
  const seen = new Set<string>();
  const updated = new Set(history.calls.flatMap(({ asked }) => updatedBy(asked)));
  for (const call of history.calls) {
    const about = jobAsked(call.asked);
    if (about === undefined || updated.has(about.job)) continue;
    if (!isOfInterest(call, about.job) && !isLateCopy(call, about, known)) continue;
    const what = `${keyOf(call)} ${JSON.stringify(about)}`;
    const isFirst = !seen.has(what);
    seen.add(what);
    if (isRepetition(call) && !(isFirst && isDoneAs(about, keyOf(call), known))) continue;
    const calls = byJob.get(about.job) ?? [];
    byJob.set(about.job, calls);
    calls.push(...timed(call, about.asked, known));
  }
  return byJob;
}

/** What an update makes of a job's count, and when, is the master's doing: its steps are judged one by one (src/cell/invariants-updates.ts). */
function updatedBy({ method, request }: Pick<Asked, "method" | "request">): readonly string[] {
  if (method !== "startUpdate") return [];
  const { spec, allocSet } = request as api.StartUpdateRequest;
  const named = spec ?? allocSet;
  return named === undefined ? [] : [`${named.user}/${named.name}`];
}

/** It had no right when it was refused; a copy that the network held back came when it had one, and took effect. */
const isLateCopy = (call: Call, about: object, known: Known | undefined): boolean =>
  isNotPermitted(call) && isDoneAs(about, keyOf(call), known);

const isNotPermitted = ({ heard }: Call): boolean => heard.type === "refused" && heard.code === "not-permitted";

/** It was told that it had been done before, under an id that its user had used before. */
const isRepetition = ({ asked, heard }: Call): boolean => asked.again && heard.type === "done" && heard.changed.repeated;

/** Whether this, and nothing else under the same id, is what took effect: by the call's own first attempt, if no earlier call asked for it. */
function isDoneAs(about: object, key: string, known: Known | undefined): boolean {
  const op = known?.effects.get(key)?.op;
  const asked = op === undefined ? undefined : askedOf(op);
  return asked !== undefined && JSON.stringify(jobAsked(asked)) === JSON.stringify(about);
}

/** The call that an op came from. */
function askedOf({ body }: Op): Pick<Asked, "method" | "request"> | undefined {
  switch (body.case) {
    case "jobSubmit":
      return { method: "submitJob", request: body.value };
    case "allocSetSubmit":
      return { method: "submitAllocSet", request: body.value };
    case "jobKill":
      return { method: "killJob", request: body.value };
    case "jobResize":
      return { method: "resizeJob", request: body.value };
    case "jobRestart":
      return { method: "restartJob", request: body.value };
    default:
      return undefined;
  }
}

/** Reads that were answered from a current copy; changes by those who have a right to the job, unless their id was taken. */
function isOfInterest(call: Call, job: string): boolean {
  const { asked, heard } = call;
  if (asked.requestId === "") return heard.type === "read" && !asked.stale;
  if (isNotPermitted(call) || (heard.type === "refused" && heard.reason.startsWith("Request id"))) return false;
  return asked.user === job.split("/")[0];
}

/**
 * A refusal is not remembered by the cell, so a copy of the same request that was under way longer (an earlier attempt, a
 * duplicate) may be done after the client was told "refused"; so may one of a request that the cell forgot too early. Such a
 * copy counts as a call of its own without an answer. What the journal says never took effect need not be tried.
 */
function timed(call: Call, asked: JobAsked, known: Known | undefined): Timed<JobCall>[] {
  const { heard, invokedMs, returnedMs, id } = call;
  const key = keyOf(call);
  const isSilent = heard.type === "open" || heard.type === "gone";
  const mayHaveEffect = asked.type !== "read" && (known === undefined || known.effects.has(key));
  const out: Timed<JobCall>[] = [];
  if (!isSilent && !isNotPermitted(call)) out.push({ input: { asked, heard, id }, invokedMs, returnedMs });
  const silent = (isSilent || heard.type === "refused") && mayHaveEffect;
  if (silent || known?.forgotten.has(key) === true) {
    out.push({ input: { asked, heard: { type: "open" }, id }, invokedMs, returnedMs: Number.POSITIVE_INFINITY });
  }
  return out;
}

function jobAsked({ method, request }: Pick<Asked, "method" | "request">): { readonly job: string; readonly asked: JobAsked } | undefined {
  switch (method) {
    case "submitJob": {
      const { spec } = request as api.SubmitJobRequest;
      if (spec === undefined) return undefined;
      const print = fingerprint(encode(JobSpecSchema, spec));
      return {
        job: `${spec.user}/${spec.name}`,
        asked: { type: "submit", spec: print, count: spec.count, mortal: isMortal(spec) },
      };
    }
    case "submitAllocSet": {
      const { spec } = request as api.SubmitAllocSetRequest;
      if (spec === undefined) return undefined;
      const print = fingerprint(encode(AllocSetSpecSchema, spec));
      return { job: `${spec.user}/${spec.name}`, asked: { type: "submit", spec: print, count: spec.count, mortal: false } };
    }
    case "killJob":
      return { job: (request as api.KillJobRequest).job, asked: { type: "kill" } };
    case "resizeJob":
      return { job: (request as api.ResizeJobRequest).job, asked: { type: "resize", count: (request as api.ResizeJobRequest).count } };
    case "restartJob":
      return { job: (request as api.RestartJobRequest).job, asked: { type: "restart" } };
    case "getJob":
      return { job: (request as api.GetJobRequest).job, asked: { type: "read" } };
    default:
      return undefined;
  }
}

/** Equal for equal specs. Worked out here, for a judge shares no helper with the code that it judges. */
function fingerprint(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Whether it may end without being killed: its tasks may, or the job that it starts after may fail, and that is its end too. */
const isMortal = ({ task, restart, afterFailure }: JobSpec): boolean =>
  mayEnd(task?.command ?? []) || restart?.when === RestartWhen.NEVER || afterFailure === AfterFailure.FAIL;

export interface Unexplained {
  readonly job: string;
  readonly verdict: Exclude<Verdict<JobCall>, { readonly type: "linearizable" }>;
}

/** Jobs whose history no order explains; a search that ran into its bound is one. [KD3] */
export function unexplained(history: History, known?: Known, stepsMax?: number): readonly Unexplained[] {
  const out: Unexplained[] = [];
  for (const [job, calls] of jobCalls(history, known)) {
    const verdict = linearizable(calls, JOB_MODEL, stepsMax);
    if (verdict.type !== "linearizable") out.push({ job, verdict });
  }
  return out;
}

/** A refuted history in words: its last calls that still had an order, and those of which none can come next. */
export function explain(job: string, verdict: Unexplained["verdict"]): string {
  if (verdict.type === "undecided") return `The history of ${job} was not decided in ${verdict.steps} steps`;
  const told = (calls: readonly JobCall[]) =>
    calls.map(({ id, asked, heard }) => `${id} ${JSON.stringify(asked)} ${JSON.stringify(heard)}`).join("; ");
  return `No order explains the history of ${job}: after ${told(verdict.prefix.slice(-6))} none of these can follow: ${told(verdict.stuck)}`;
}
