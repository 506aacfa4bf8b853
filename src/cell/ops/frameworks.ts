/** Frameworks come, are led by one scheduler or another, and end (Mesos §3.2, §3.6). */
import { jobId, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ZERO } from "../../base/vector.ts";
import { PRIORITY_MAX } from "../../wire/band.ts";
import { make } from "../../wire/codec.ts";
import {
  ActorKind,
  type FrameworkDisconnect,
  type FrameworkSubscribe,
  type FrameworkTeardown,
  SchedulerLimitsSchema,
} from "../../wire/gen/borg/v1/op_pb.ts";
import type { FrameworkSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { boundProblem, outgrown, recount, weigh } from "../bounds.ts";
import { expiryAt } from "../expiry.ts";
import { frameworkId, jobOfFrameworkId, OFFERS } from "../framework.ts";
import { kindText, setSpec } from "../spec.ts";
import { specBytesOf } from "../spec-weight.ts";
import type { Job, Led, Spec } from "../state.ts";
import type { Turn } from "../turn.ts";
import { FRAMEWORKS } from "../version.ts";
import { hasInstances, lastWords, newJob, replaceJob } from "./admission.ts";
import { dropJob, killJob } from "./jobs.ts";
import { type Framework, findFramework, leading } from "./leading.ts";
import { quotaProblem } from "./quota.ts";
import { roleProblem } from "./roles.ts";

export function subscribe(turn: Turn, op: FrameworkSubscribe): Result<Answer> {
  const { spec, id, session } = op;
  if (turn.state.version < FRAMEWORKS)
    return refused(`The cell has version ${turn.state.version}: it has frameworks from version ${FRAMEWORKS} on`);
  if (spec === undefined) return refused("A framework needs a spec: its user, its name and its role");
  const problem = roleProblem(turn.state, spec);
  if (problem !== undefined) return refused(problem);
  const found = id === "" ? begin(turn, spec) : again(turn, spec, id);
  if (!found.ok) return found;
  const { job, led } = found.value;
  const isSame = led.session === session && led.disconnectedMs === 0;
  if (!isSame) {
    Object.assign(led, { session, sessionMs: turn.timeMs, disconnectedMs: 0 });
    turn.emit({ kind: "framework.changed", subject: job.id, detail: "a scheduler subscribed" });
  }
  turn.touch.job(job);
  return ok({ type: "framework", id: frameworkId(job), session });
}

/** A new one. A name that a living job has is not free; of a dead one nothing is taken over. */
function begin(turn: Turn, framework: FrameworkSpec): Result<Framework> {
  const { state } = turn;
  const user = state.users.get(userId(framework.user));
  if (user === undefined) return refused(`User "${framework.user}" is unknown: grant a role first`);
  const old = state.jobs.get(jobId(framework.user, framework.name));
  const taken = old === undefined ? undefined : takenProblem(old);
  if (taken !== undefined) return refused(taken);
  const spec: Spec = { kind: "framework", framework };
  const growth = { jobs: 1, tasks: 0, specBytes: specBytesOf(state, spec) };
  const gone = outgrown(state, user, growth, old);
  const problem = quotaProblem(state, user, framework.priority, ZERO, ZERO)?.reason ?? boundProblem(state, user, growth, gone);
  if (problem !== undefined) return refused(problem);
  for (const each of gone) dropJob(turn, each);
  if (old !== undefined) replaceJob(turn, old);
  return ok(made(turn, spec));
}

function made(turn: Turn, spec: Spec): Framework {
  const { state } = turn;
  const job = newJob(spec, turn.timeMs);
  const led = job.led as Led;
  led.number = turn.nextIncarnation();
  state.jobs.set(job.id, job);
  weigh(state, job);
  recount(state, job);
  setOffers(turn);
  turn.emit({ kind: "job.submitted", subject: job.id, detail: `as framework ${frameworkId(job)}` });
  return { job, led };
}

/** Frameworks' tasks are claimed in the name of this scheduler; an admin may give it limits. */
function setOffers(turn: Turn): void {
  const { schedulers } = turn.state;
  if (schedulers.has(OFFERS)) return;
  const scheduler = {
    name: OFFERS,
    limits: make(SchedulerLimitsSchema, { priorityMax: PRIORITY_MAX }),
    claimed: ZERO,
    claimedJobs: new Map(),
  };
  schedulers.set(OFFERS, scheduler);
  turn.touch.scheduler(scheduler);
}

function takenProblem(old: Job): string | undefined {
  if (old.state === "dead") return hasInstances(old) ? lastWords(old) : undefined;
  return old.led === undefined || old.killed
    ? `"${old.id}" is ${kindText(old.spec)} already: take another name, or kill that first`
    : `Framework "${old.id}" is there already: subscribe with its id ${frameworkId(old)}, take another name, or tear it down (borg kill ${old.id})`;
}

/** Another scheduler of one that is there, or the same one again. What quota and shares rest on stays as it is. */
function again(turn: Turn, framework: FrameworkSpec, id: string): Result<Framework> {
  const found = findFramework(turn.state, jobOfFrameworkId(id));
  if (!found.ok) return found;
  const { job } = found.value;
  if (frameworkId(job) !== id)
    return refused(`Framework ${id} was torn down, and "${job.id}" is another one now: subscribe without an id, as a new one`);
  const was = job.spec.kind === "framework" ? job.spec.framework : framework;
  if (was.user !== framework.user) return refused(`Framework ${id} is of another user: subscribe without an id, as a new one of your own`);
  const fixed = (["name", "role", "priority", "principal"] as const).find((field) => was[field] !== framework[field]);
  if (fixed !== undefined)
    return refused(
      `Framework ${id} has ${fixed} "${was[fixed]}", not "${framework[fixed]}": that stays while it lives; subscribe as it was, or tear it down first (borg kill ${job.id})`,
    );
  setSpec(job, { kind: "framework", framework });
  weigh(turn.state, job);
  return found;
}

/** Its failover timeout begins. Of a session that no longer leads there is nothing to say. */
export function disconnect(turn: Turn, op: FrameworkDisconnect): Result<Answer> {
  const found = findFramework(turn.state, op.framework);
  if (!found.ok) return found;
  const { job, led } = found.value;
  if (led.session !== op.session || led.disconnectedMs !== 0) return ok(ALREADY);
  led.disconnectedMs = turn.timeMs;
  turn.touch.job(job);
  turn.emit({ kind: "framework.changed", subject: job.id, detail: "its scheduler is gone" });
  return ok(DONE);
}

/** When it ends because nobody leads it; infinity: somebody does. */
export function failoverOf({ led, spec, killed }: Job): number {
  if (led === undefined || led.disconnectedMs === 0 || killed || spec.kind !== "framework") return Number.POSITIVE_INFINITY;
  return led.disconnectedMs + spec.framework.failoverMs;
}

/** The framework's own wish, or the master's when nobody came back in time. */
export function teardown(turn: Turn, op: FrameworkTeardown): Result<Answer> {
  const { state, actor } = turn;
  const found = op.session === 0 ? findFramework(state, op.framework) : leading(state, op);
  if (!found.ok) return found;
  const { job, led } = found.value;
  if (actor.kind !== ActorKind.MASTER) return killJob(turn, job.id);
  if (led.disconnectedMs === 0) return refused(`Framework "${job.id}" has a scheduler: it ends when that says so`);
  const leftMs = failoverOf(job) - expiryAt(state, state.timeMs);
  return leftMs > 0
    ? refused(`Framework "${job.id}" waits for its scheduler for ${leftMs} ms more: ask again then`)
    : killJob(turn, job.id);
}
