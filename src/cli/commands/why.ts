/** `borg why`: what keeps a task from running, or why it runs where it does, as a person would say it. */

import { CallError } from "../../rpc/call-error.ts";
import type { Explanation } from "../../wire/gen/borg/v1/api_pb.ts";
import { reasonPhrase } from "../../wire/reason-phrase.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { meanings } from "../names.ts";
import { jobsSelected, nameOr, type SelectionOptions, selectorOf } from "../selection.ts";
import { safeLine } from "../text/safe.ts";
import { plural } from "../text/units.ts";
import { explanationPlain } from "../text/views.ts";

/** More reasons are counted, not listed. */
const REASONS_SHOWN_MAX = 8;
const CHANGES_SHOWN_MAX = 5;

/** More jobs are for `borg ls tasks --state pending -l SELECTOR`. */
const JOBS_EXPLAINED_MAX = 50;

export async function why(context: Context, name: string | undefined, options: SelectionOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return whyMany(context, options);
  const found = await firstKnown(
    (await meanings(context, text)).filter(({ kind }) => kind !== "machine"),
    ({ name }) => context.ask((client) => client.explain({ name })),
  );
  if (context.json) context.printJson(explanationPlain(found));
  else context.terminal.print(whyText(found));
  return EXIT.done;
}

/** Of each job that is meant what its first pending task waits for, or why it runs where it does. */
async function whyMany(context: Context, options: SelectionOptions): Promise<number> {
  const jobs = await jobsSelected(context, options, false);
  if (jobs.length > JOBS_EXPLAINED_MAX)
    throw new Failure(
      "usage",
      `There are ${jobs.length} jobs with ${selectorOf(options)}, and ${JOBS_EXPLAINED_MAX} are explained at a time`,
      "select fewer of them",
    );
  const found: Explanation[] = [];
  for (const { name } of jobs) found.push(await context.ask((client) => client.explain({ name })));
  if (context.json) context.printJson(found.map(explanationPlain));
  else context.terminal.print(found.map(whyText).join("\n"));
  return EXIT.done;
}

/** Tries what a name may mean, in order; when the cell knows none, the first refusal stands. */
export async function firstKnown<Meaning, Answer>(
  choices: readonly Meaning[],
  ask: (meaning: Meaning) => Promise<Answer>,
): Promise<Answer> {
  let first: unknown;
  for (const choice of choices) {
    try {
      return await ask(choice);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "not-found") throw error;
      first ??= error;
    }
  }
  throw first;
}

export function whyText(found: Explanation): string {
  const { task, state, problem, summary } = found;
  const words = state === "backing-off" ? safeLine(problem) : `is ${state}${problem === "" ? "" : `: ${continued(problem)}`}`;
  const lines = [`Task ${task} ${words}.`];
  if (summary.length > 0) lines.push(...summary.map((line) => safeLine(line)));
  if (state === "running" || state === "starting") lines.push(...scoreLines(found));
  else if (state !== "dead") lines.push(...spaceLines(found), ...changeLines(found));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** The explainer's words continue our sentence; where they begin with a verb, "it" comes before them. */
const VERB = /^(backs|cannot|has|is|starts|still|waits|was|would)\b/;

const continued = (problem: string): string => {
  const text = safeLine(problem).replace(/\.$/, "");
  return VERB.test(text) ? `it ${text}` : text;
};

const placeOf = (inAlloc: boolean): string => (inAlloc ? "alloc" : "machine");

function spaceLines({ problem, feasible, reasons, inAlloc }: Explanation): readonly string[] {
  const place = placeOf(inAlloc);
  const without = reasons.reduce((sum, { machines }) => sum + machines, 0);
  const all = without + feasible;
  if (all === 0) return problem === "" ? ["There is no machine in the cell that it could go to."] : [];
  const lines =
    feasible === 0
      ? [`None of ${plural(all, place)} can take it:`]
      : [`${feasible} of ${plural(all, place)} could take it now${without === 0 ? "." : "; the others cannot:"}`];
  const width = String(reasons[0]?.machines ?? 0).length;
  const shown = reasons.slice(0, REASONS_SHOWN_MAX);
  lines.push(
    ...shown.map(({ reason, machines }) => `  ${String(machines).padStart(width)} ${reasonPhrase(safeLine(reason), machines, place)}`),
  );
  const left = reasons.slice(REASONS_SHOWN_MAX);
  const leftMachines = left.reduce((sum, { machines }) => sum + machines, 0);
  if (left.length > 0) lines.push(`  ${String(leftMachines).padStart(width)} for ${left.length} other reasons (--json lists them)`);
  return lines;
}

function changeLines({ changes, inAlloc }: Explanation): readonly string[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, CHANGES_SHOWN_MAX);
  const lines = shown.map(
    ({ change, machines }) => `  - ${safeLine(change)}${machines === 0 ? "" : ` (then ${plural(machines, placeOf(inAlloc))} would do)`}`,
  );
  return [changes.length === 1 ? "This would help:" : "Any one of these would help:", ...lines];
}

function scoreLines({ score }: Explanation): readonly string[] {
  if (score.length === 0) return [];
  const width = score.reduce((most, { part }) => Math.max(most, part.length), 0);
  return ["Its machine was chosen for:", ...score.map(({ part, value }) => `  ${safeLine(part).padEnd(width)}  ${safeLine(value)}`)];
}
