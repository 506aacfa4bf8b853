/**
 * `borg apply`: makes the cell hold what a file says. New jobs are submitted, counts are changed, jobs that run are updated, and that is committed when all is well.
 * A job that has ended by itself was done: it runs again only when the file has changed since, or when that is asked for.
 */

import { CallError } from "../../rpc/call-error.ts";
import { sameDigest, specDigest } from "../../wire/digest.ts";
import type { GetJobResponse, JobView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { type Wanted, wantedIn } from "../sources.ts";
import { countWords } from "../text/states.ts";
import { plural } from "../text/units.ts";
import { specDifferences } from "./spec-difference.ts";
import { checkOf, type Done, each, finish, type SubmitOptions, submitOne, timeoutOf, waitable } from "./submit.ts";
import type { Planned } from "./update.ts";

export interface ApplyOptions extends SubmitOptions {
  readonly rerun?: boolean;
}

export async function apply(context: Context, file: string, options: ApplyOptions): Promise<number> {
  const timeoutMs = timeoutOf(options);
  const wanted = await wantedIn(context, file, options.set);
  if (wanted === undefined) return EXIT.usage;
  const plans = await Promise.all(wanted.map((one) => planFor(context, one, options.rerun ?? false)));
  // Looked at as a whole first: nothing of a file is done when a part of it cannot be.
  const blocked = plans.filter((plan) => plan.kind === "blocked");
  if (blocked.length > 0) throw refusal(blocked);
  const updating = plans.find((plan) => plan.kind === "updating");
  if (updating !== undefined) throw notSettled(updating);
  const looks = await Promise.all(plans.map((plan) => lookAt(context, plan)));
  if (options.dryRun === true) return tellPlans(context, plans, looks);
  const done = await each(context, wanted, (one) => {
    const at = wanted.indexOf(one);
    return carryOut(context, plans[at]!, looks[at], timeoutMs);
  });
  return finish(context, { done, names: waitable(wanted), wait: options.wait ?? false, timeoutMs });
}

export type Decision =
  | { readonly kind: "submit" | "same"; readonly one: Wanted }
  /** `changed`: it ran before, and the file or its count was another then. */
  | { readonly kind: "again"; readonly one: Wanted; readonly changed: boolean }
  | { readonly kind: "ended"; readonly one: Wanted; readonly job: JobView }
  | { readonly kind: "resize"; readonly one: Exclude<Wanted, { kind: "quota" }>; readonly from: number; readonly to: number }
  | { readonly kind: "update"; readonly one: Exclude<Wanted, { kind: "quota" }> }
  /** It has two specs: the one that it had, and the one that an update brings. */
  | { readonly kind: "updating"; readonly one: Wanted; readonly phase: string }
  /** The name is another kind of thing in the cell. */
  | { readonly kind: "blocked"; readonly one: Wanted; readonly held: string };

async function planFor(context: Context, one: Wanted, rerun: boolean): Promise<Decision> {
  if (one.kind === "quota") return { kind: "submit", one };
  const found = await known(context, one.name);
  if (found?.job === undefined) return { kind: "submit", one };
  return found.job.state === "dead" ? afterEnd(one, found, rerun) : compare(one, found);
}

/** What was killed is not there by somebody's wish, which the file overrules. */
function afterEnd(one: Exclude<Wanted, { kind: "quota" }>, found: GetJobResponse, rerun: boolean): Decision {
  const { job } = found;
  if (one.kind !== "job" || job === undefined || found.spec === undefined || job.killed > 0) return { kind: "submit", one };
  // The spec of a dead job is whole only where nothing stands in for it.
  const ran = found.specDigest.length > 0 ? found.specDigest : specDigest(found.spec);
  const changed = job.count !== one.spec.count || !sameDigest(ran, specDigest(one.spec));
  return changed || rerun ? { kind: "again", one, changed } : { kind: "ended", one, job };
}

async function known(context: Context, job: string): Promise<GetJobResponse | undefined> {
  try {
    return await context.ask((client) => client.getJob({ job }));
  } catch (error) {
    if (error instanceof CallError && error.code === "not-found") return undefined;
    throw error;
  }
}

export function compare(one: Exclude<Wanted, { kind: "quota" }>, found: GetJobResponse): Decision {
  const held = one.kind === "job" ? found.spec : found.allocSetSpec;
  if (held === undefined) {
    const held = found.framework !== undefined ? "a framework" : one.kind === "job" ? "an alloc set" : "a job";
    return { kind: "blocked", one, held };
  }
  // With two specs it is as no file says: what it becomes is for whoever began the update.
  if (found.update !== "") return { kind: "updating", one, phase: found.update };
  const count = found.job?.count ?? held.count;
  const differences = specDifferences(held, one.spec, count);
  const others = differences.filter(({ field }) => field !== "count");
  if (others.length > 0) return { kind: "update", one };
  if (differences.length === 0) return { kind: "same", one };
  return { kind: "resize", one, from: count, to: one.spec.count };
}

/** What the cell says of an update: one that it would refuse ends all here. A new job is asked about only where nothing else is done. */
async function lookAt(context: Context, plan: Decision): Promise<Planned | undefined> {
  if (plan.kind !== "update") return undefined;
  const { planFor: look } = await import("./update.ts");
  return look(context, plan.one, []);
}

async function carryOut(context: Context, plan: Decision, planned: Planned | undefined, timeoutMs: number | undefined): Promise<Done> {
  const { name } = plan.one;
  if (plan.kind === "update") return updateNow(context, planned!, timeoutMs);
  if (plan.kind === "same")
    return { sentence: `${calledOf(plan.one)} is as the file says`, plain: { ...changePlain(plan), position: null } };
  if (plan.kind === "ended") return { sentence: endedSentence(plan), plain: { ...changePlain(plan), position: null } };
  if (plan.kind === "resize") {
    const { from, to } = plan;
    const { position } = await change(context, `scale ${name} to ${to}`, (client, requestId) =>
      client.resizeJob({ requestId, job: name, count: to }),
    );
    return {
      sentence: `${calledOf(plan.one)} has ${plural(to, plan.one.kind === "job" ? "task" : "alloc")} now, ${from} before`,
      plain: { ...changePlain(plan), position },
    };
  }
  const done = await submitOne(context, plan.one);
  return { ...done, plain: { ...done.plain, ...changePlain(plan) } };
}

/** Says what differs and what becomes of each task, changes them, and commits when all are well. */
async function updateNow(context: Context, planned: Planned, timeoutMs: number | undefined): Promise<Done> {
  const { carryOut: start, planText } = await import("./update.ts");
  const { one } = planned;
  if (!context.json) context.terminal.print(planText(planned));
  const { position } = await start(context, planned, { wait: true, commit: true }, timeoutMs);
  const kind = one.kind === "job" ? "job" : "alloc-set";
  return {
    sentence: `${calledOf(one)} is as the file says now`,
    plain: { job: one.name, kind, change: "update", position },
  };
}

const calledOf = ({ kind, name }: Wanted): string => `${kind === "job" ? "Job" : "Alloc set"} ${name}`;

function endedSentence({ one, job }: Extract<Decision, { kind: "ended" }>): string {
  const how = job.finished === job.count ? "has finished" : `has ended (${countWords(job)})`;
  return `Job ${one.name} ${how}, and the file is as it was: --rerun runs it again`;
}

const CHANGES: Readonly<Record<Decision["kind"], string>> = {
  submit: "submitted",
  again: "submitted",
  same: "none",
  ended: "none",
  resize: "count",
  update: "update",
  updating: "refused",
  blocked: "refused",
};

/** The same words for what was done and for what would be. */
function changePlain(plan: Decision): Readonly<Record<string, unknown>> {
  const { kind, name } = plan.one;
  const what = kind === "quota" ? { user: name } : { job: name, kind: kind === "job" ? "job" : "alloc-set" };
  return { ...what, change: CHANGES[plan.kind], ...(plan.kind === "resize" ? { from: plan.from, to: plan.to } : {}) };
}

/** Refused when something of the file would be. */
async function tellPlans(context: Context, plans: readonly Decision[], looks: readonly (Planned | undefined)[]): Promise<number> {
  const told = await Promise.all(plans.map((plan, k) => tell(context, plan, looks[k])));
  if (context.json) context.printJson(told.length === 1 ? told[0]!.plain : told.map(({ plain }) => plain));
  else for (const { text } of told) context.terminal.print(text);
  return told.some(({ refused }) => refused) ? EXIT.refused : EXIT.done;
}

interface Told {
  readonly text: string;
  readonly plain: Readonly<Record<string, unknown>>;
  readonly refused: boolean;
}

async function tell(context: Context, plan: Decision, planned: Planned | undefined): Promise<Told> {
  const { kind, name } = plan.one;
  const would = `${kind} ${name}: would ${planWords(plan)}\n`;
  if (plan.kind === "update") {
    const { planPlain, planText } = await import("./update.ts");
    return { text: planText(planned!), plain: { ...planPlain(planned!), ...changePlain(plan) }, refused: false };
  }
  if (plan.one.kind !== "job" || (plan.kind !== "submit" && plan.kind !== "again"))
    return { text: would, plain: changePlain(plan), refused: false };
  const { sentence, refusal } = await checkOf(context, plan.one);
  const changed = refusal === null ? {} : { change: "refused", refusal };
  return {
    text: `${plan.kind === "again" ? would : ""}${sentence}\n`,
    plain: { ...changePlain(plan), ...changed },
    refused: refusal !== null,
  };
}

function planWords(plan: Decision): string {
  switch (plan.kind) {
    case "resize":
      return `change the count from ${plan.from} to ${plan.to}`;
    case "same":
      return "change nothing";
    case "ended":
      return "change nothing: it has ended, and the file is as it was";
    case "again":
      return `run it again: ${plan.changed ? "it is another than the one that has ended" : "--rerun"}`;
    default:
      return "submit it";
  }
}

function notSettled({ one: { name }, phase }: Extract<Decision, { kind: "updating" }>): Failure {
  const message = `Cannot apply ${name} while it is being updated (${phase}): nothing of the file was done`;
  const next =
    phase === "undoing"
      ? `wait for its end: borg update show ${name} -f`
      : `borg update commit ${name} or undo it first; borg update show ${name}`;
  return new Failure("refused", message, next);
}

/** No update makes one of the other, and what runs is not ended by accident. */
function refusal(blocked: readonly Extract<Decision, { kind: "blocked" }>[]): Failure {
  const words = blocked.map(
    ({ one, held }) => `${one.name} is ${held} in the cell, and ${one.kind === "job" ? "a job" : "an alloc set"} in the file`,
  );
  const message = `Cannot change what kind of thing a name is: ${words.join("; ")}`;
  return new Failure("refused", message, `take another name, or end what is there first: borg kill ${blocked[0]!.one.name}`);
}
