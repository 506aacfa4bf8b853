/**
 * One job as clients may see it, for the linearizability check. States: "absent", "dead", and "alive" with its spec and count.
 * A job whose tasks may end dies by itself, and a dead one may be forgotten. Refusals that rest on more than this job
 * (quota, another spec under the name) are always allowed; those that rest on the job alone are not.
 */
import type { Op } from "../cell/op.ts";
import { encode } from "../wire/codec.ts";
import { AllocSetSpecSchema, type JobSpec, JobSpecSchema, RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Call, Heard, History } from "./history.ts";
import { linearizable, type Model, type Timed, type Verdict } from "./linearizable.ts";
import { mayEnd } from "./program.ts";

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
  if (asked.type === "read") return heard.type === "job" && matches(state, heard.found) ? [state] : [];
  const after = effect(state, asked);
  if (heard.type === "refused") return mayRefuse(state, asked) ? [state] : [];
  if (after === undefined) return [];
  // "Already there" may mean its own first attempt, but a job that was made now was not there before.
  if (heard.type === "done" && heard.answer?.type === "submitted" && !heard.answer.already && after === state) return [];
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

function matches(state: string, found: { readonly state: string; readonly count: number } | undefined): boolean {
  const [what, , count] = state.split("/");
  if (found === undefined) return what === ABSENT;
  if (found.state === "dead") return what === DEAD;
  return what === "alive" && Number(count) === found.count;
}

/** What the journal tells about requests whose outcome the clients do not know for sure. */
export interface Known {
  /** Request ids that took effect, and those that did so twice because the cell had forgotten them. */
  readonly effects: ReadonlySet<string>;
  readonly forgotten: ReadonlySet<string>;
}

/** The calls of a history about each job. Without a journal every doubt stays open, and the search may take long. */
export function jobCalls(history: History, known?: Known): ReadonlyMap<string, readonly Timed<JobCall>[]> {
  const byJob = new Map<string, Timed<JobCall>[]>();
  for (const call of history.calls) {
    const about = call.asked.type === "read" ? { job: call.asked.job, asked: { type: "read" } as const } : jobAsked(call.asked.op);
    if (about === undefined || (about.asked.type === "read" && call.heard.type === "open")) continue;
    const calls = byJob.get(about.job) ?? [];
    byJob.set(about.job, calls);
    calls.push(...timed(call, about.asked, known));
  }
  return byJob;
}

/**
 * A refusal is not remembered by the cell, so a copy of the same request that was under way longer (an earlier attempt, a
 * duplicate) may be done after the client was told "refused"; so may one of a request that the cell forgot too early. Such a
 * copy counts as a call of its own without an answer. What the journal says never took effect need not be tried.
 */
function timed(call: Call, asked: JobAsked, known: Known | undefined): Timed<JobCall>[] {
  const { heard, invokedMs, returnedMs, id } = call;
  const mayHaveEffect = known === undefined || known.effects.has(id);
  const out: Timed<JobCall>[] = [];
  if (heard.type !== "open") out.push({ input: { asked, heard, id }, invokedMs, returnedMs });
  const silent = (heard.type === "open" || heard.type === "refused") && mayHaveEffect;
  if (silent || known?.forgotten.has(id) === true) {
    out.push({ input: { asked, heard: { type: "open" }, id }, invokedMs, returnedMs: Number.POSITIVE_INFINITY });
  }
  return out;
}

function jobAsked({ body }: Op): { readonly job: string; readonly asked: JobAsked } | undefined {
  switch (body.case) {
    case "jobSubmit": {
      const { spec } = body.value;
      if (spec === undefined) return undefined;
      return {
        job: `${spec.user}/${spec.name}`,
        asked: { type: "submit", spec: fingerprint(encode(JobSpecSchema, spec)), count: spec.count, mortal: isMortal(spec) },
      };
    }
    case "allocSetSubmit": {
      const { spec } = body.value;
      if (spec === undefined) return undefined;
      const print = fingerprint(encode(AllocSetSpecSchema, spec));
      return { job: `${spec.user}/${spec.name}`, asked: { type: "submit", spec: print, count: spec.count, mortal: false } };
    }
    case "jobKill":
      return { job: body.value.job, asked: { type: "kill" } };
    case "jobResize":
      return { job: body.value.job, asked: { type: "resize", count: body.value.count } };
    case "jobRestart":
      return { job: body.value.job, asked: { type: "restart" } };
    default:
      return undefined;
  }
}

/** Equal for equal specs. */
function fingerprint(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Whether its tasks may all end without being killed. */
const isMortal = ({ task, restart }: JobSpec): boolean => mayEnd(task?.command ?? []) || restart?.when === RestartWhen.NEVER;

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
