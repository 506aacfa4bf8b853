/** `borg submit` and `borg apply`: what a file asks for becomes jobs, alloc sets and quota of the cell. */
import type { Changed, CheckJobResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { durationMsOf } from "../input.ts";
import { type Wanted, wantedIn } from "../sources.ts";
import { safeLine } from "../text/safe.ts";
import { plural } from "../text/units.ts";
import { explanationPlain } from "../text/views.ts";
import { BAND_WORDS, wordOf } from "../text/words.ts";
import { waitFor } from "../wait.ts";

export interface SubmitOptions {
  readonly set?: readonly string[];
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly dryRun?: boolean;
}

/** What was done with one thing of the file. */
export interface Done {
  readonly sentence: string;
  readonly plain: Readonly<Record<string, unknown>>;
}

export async function submit(context: Context, file: string, options: SubmitOptions): Promise<number> {
  const timeoutMs = timeoutOf(options);
  const wanted = await wantedIn(context, file, options.set);
  if (wanted === undefined) return EXIT.usage;
  if (options.dryRun === true) return dryRun(context, wanted);
  const done = await each(context, wanted, (one) => submitOne(context, one));
  return finish(context, { done, names: waitable(wanted), wait: options.wait ?? false, timeoutMs });
}

export function timeoutOf(options: { readonly wait?: boolean; readonly timeout?: string }): number | undefined {
  if (options.timeout === undefined) return undefined;
  if (options.wait !== true) throw new Failure("usage", "Cannot use --timeout without --wait");
  return durationMsOf("--timeout", options.timeout);
}

/** One after the other; the first that is refused ends it, and what comes after it is named as not done. */
export async function each(context: Context, wanted: readonly Wanted[], doOne: (one: Wanted) => Promise<Done>): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const one of wanted) {
    try {
      done.push(await doOne(one));
      if (!context.json) context.terminal.print(`${done.at(-1)!.sentence}\n`);
    } catch (error) {
      const left = wanted.slice(done.length + 1);
      if (left.length > 0 && !context.json)
        context.terminal.complain(`Not reached: ${left.map(({ kind, name }) => `${kind} ${name}`).join(", ")}\n`);
      if (done.length > 0 && context.json) context.printJson(done.map(({ plain }) => plain));
      throw error;
    }
  }
  return done;
}

export function submitOne(context: Context, one: Wanted): Promise<Done> {
  switch (one.kind) {
    case "job":
      return submitJob(context, one);
    case "alloc set":
      return submitAllocSet(context, one);
    case "quota":
      return setQuota(context, one);
  }
}

async function submitJob(context: Context, { name, spec }: Extract<Wanted, { kind: "job" }>): Promise<Done> {
  const changed = await change(context, `submit job ${name}`, (client, requestId) => client.submitJob({ requestId, spec }));
  const tasks = spec.perMachine ? "one task per machine" : plural(spec.count, "task");
  return submitted("job", name, changed, tasks, spec.count);
}

async function submitAllocSet(context: Context, { name, spec }: Extract<Wanted, { kind: "alloc set" }>): Promise<Done> {
  const changed = await change(context, `submit alloc set ${name}`, (client, requestId) => client.submitAllocSet({ requestId, spec }));
  return submitted("alloc set", name, changed, plural(spec.count, "alloc"), spec.count);
}

export function submitted(what: "job" | "alloc set", name: string, { position, already }: Changed, tasks: string, count: number): Done {
  const sentence = already ? `${capital(what)} ${name} was there already, just so` : `Submitted ${what} ${name} with ${tasks}`;
  return { sentence, plain: { job: name, kind: what === "job" ? "job" : "alloc-set", count, position, already } };
}

async function setQuota(context: Context, { quota }: Extract<Wanted, { kind: "quota" }>): Promise<Done> {
  const { user, band } = quota;
  const word = wordOf(BAND_WORDS, band);
  const { position } = await change(context, `set the ${word} quota of ${user}`, (client, requestId) =>
    client.setQuota({ requestId, user, band, quota: quota.quota }),
  );
  return { sentence: `Set the ${word} quota of user ${user}`, plain: { user, band: word, position } };
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

export const waitable = (wanted: readonly Wanted[]): readonly string[] =>
  wanted.filter(({ kind }) => kind !== "quota").map(({ name }) => name);

interface Finish {
  readonly done: readonly Done[];
  /** Jobs and alloc sets to wait for. */
  readonly names: readonly string[];
  readonly wait: boolean;
  readonly timeoutMs: number | undefined;
}

/** Waits if it should, and prints one JSON value for all of it. A file with one thing prints that thing, not a list. */
export async function finish(context: Context, { done, names, wait, timeoutMs }: Finish): Promise<number> {
  const waited = wait && names.length > 0 ? await waitFor(context, names, { timeoutMs }) : undefined;
  if (context.json) {
    const merged = done.map(({ plain }) => ({
      ...plain,
      ...waited?.jobs.find((job) => job["name"] === plain["job"]),
    }));
    context.printJson(merged.length === 1 ? merged[0] : merged);
  }
  if (waited?.failure !== undefined) throw waited.failure;
  return waited?.code ?? EXIT.done;
}

/** Says what a submit would do; refused when something of the file would be. */
async function dryRun(context: Context, wanted: readonly Wanted[]): Promise<number> {
  const jobs = wanted.filter((one) => one.kind === "job");
  const checks = await Promise.all(jobs.map((job) => checkOf(context, job)));
  const refused = checks.find(({ refusal }) => refusal !== null);
  if (context.json) {
    const plain = checks.map((check) => check.plain);
    context.printJson(plain.length === 1 ? plain[0] : plain);
  } else {
    for (const { sentence } of checks) context.terminal.print(`${sentence}\n`);
    for (const { kind, name } of wanted) if (kind !== "job") context.terminal.print(`Would ask for ${kind} ${name}, which was not tried\n`);
  }
  return refused === undefined ? EXIT.done : EXIT.refused;
}

interface Checked {
  readonly sentence: string;
  /** Null: it would be taken. */
  readonly refusal: string | null;
  readonly plain: Readonly<Record<string, unknown>>;
}

/** What the cell would say of a job that is not there. */
export async function checkOf(context: Context, { name, spec }: Extract<Wanted, { kind: "job" }>): Promise<Checked> {
  const checked = await context.ask((client) => client.checkJob({ spec }));
  return { sentence: checkSentence(name, spec.count, checked), refusal: checked.refusal || null, plain: checkPlain(name, checked) };
}

function checkPlain(
  job: string,
  { refusal, already, exists, explanation, placed, partial, victims }: CheckJobResponse,
): Readonly<Record<string, unknown>> {
  const plain = explanation === undefined ? null : explanationPlain(explanation);
  return {
    job,
    wouldBe: refusal === "" ? (already ? "already" : "taken") : "refused",
    refusal: refusal || null,
    exists,
    explanation: plain,
    placed,
    partial,
    victims: victims.map(({ instance, priority, machine, noticeMs }) => ({ instance, priority, machine, noticeMs })),
  };
}

/** More victims are counted, not listed. */
const VICTIMS_SHOWN_MAX = 10;

function previewText(count: number, { placed, partial, victims }: CheckJobResponse): string {
  const some = placed > 0 && placed < count ? `, and room for ${partial ? "at least " : ""}${placed} of ${count} tasks` : "";
  if (victims.length === 0) return some;
  const shown = victims
    .slice(0, VICTIMS_SHOWN_MAX)
    .map(({ instance, priority, machine }) => `\n  ${safeLine(instance)} (priority ${priority}) on ${machine}`);
  const more = victims.length > VICTIMS_SHOWN_MAX ? `\n  and ${victims.length - VICTIMS_SHOWN_MAX} more (--json lists them)` : "";
  return `${some}; it would evict ${plural(victims.length, "task")}:${shown.join("")}${more}`;
}

function checkSentence(name: string, count: number, checked: CheckJobResponse): string {
  const { refusal, already, explanation } = checked;
  if (refusal !== "") return `Would refuse job ${name}: ${safeLine(refusal)}`;
  if (already) return `Job ${name} is there already, just so; nothing would change`;
  const tasks = count === 0 ? "" : ` with ${plural(count, "task")}`;
  if (explanation === undefined) return `Would take job ${name}${tasks}`;
  if (explanation.feasible > 0)
    return `Would take job ${name}${tasks}; ${plural(explanation.feasible, "machine")} could take its first task now${previewText(count, checked)}`;
  const reasons = explanation.reasons.map(({ reason, machines }) => `\n  ${plural(machines, "machine")}: ${safeLine(reason)}`).join("");
  const problem = explanation.problem === "" ? "" : ` (it ${safeLine(explanation.problem)})`;
  return `Would take job ${name}${tasks}, but no machine could take its first task now${problem}${reasons}`;
}
