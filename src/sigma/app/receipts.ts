/** Who made way for whom, from what happened: one receipt for each instance that had to leave for another one. Pure: it knows no page. */
import { isProd } from "../../wire/band.ts";
import type { Happened, Job, JobRow } from "./shapes.ts";
import { age, bandWord, cores, plural, ramGib } from "./words.ts";

const PREEMPTION = "CAUSE_PREEMPTION";

export interface Receipt {
  readonly victim: string;
  readonly instance: string;
  readonly machine: string;
  readonly preemptor: string;
  readonly timeMs: number;
  /** How long it had been on the machine; undefined: nobody here remembers its beginning. */
  readonly ranMs: number | undefined;
  /** Where it went on; undefined: nowhere yet, as far as is known. */
  readonly next: { readonly machine: string; readonly afterMs: number } | undefined;
}

/** "ann/web/3:2" is an instance of ann/web/3. */
const taskOf = (instance: string): string => instance.split(":")[0] ?? "";
export const jobOf = (task: string): string => task.slice(0, task.lastIndexOf("/"));

/** Newest first; events in any order. */
export function receiptsOf(happened: readonly Happened[]): readonly Receipt[] {
  const events = happened
    .map(({ event }) => event)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || (a.index ?? 0) - (b.index ?? 0));
  const found = new Map<string, Receipt>();
  const placed = new Map<string, number>();
  for (const { kind = "", subject = "", instance = "", machine = "", cause = "", preemptor = "", to = "", timeMs = 0 } of events) {
    if (!kind.endsWith("TASK_STATE")) continue;
    if (to === "starting") placed.set(instance, timeMs);
    const open = [...found.values()].findLast(({ victim, next }) => victim === subject && next === undefined);
    if (to === "starting" && open !== undefined) found.set(open.instance, { ...open, next: { machine, afterMs: timeMs - open.timeMs } });
    if (cause !== PREEMPTION || preemptor === "" || instance === "" || found.has(instance)) continue;
    const from = placed.get(instance);
    const ranMs = from === undefined ? undefined : timeMs - from;
    found.set(instance, { victim: subject, instance, machine, preemptor: taskOf(preemptor), timeMs, ranMs, next: undefined });
  }
  return [...found.values()].reverse();
}

/** By which rule, with the priorities that both jobs have now. */
export function ruleWords(by: Job | undefined, victim: Job | undefined): string {
  if (by === undefined || victim === undefined) return "";
  const [first, second] = [by.priority ?? 0, victim.priority ?? 0];
  if (first <= second) return "It was over its memory limit, and such a task goes first.";
  const named = (job: Job): string => `${bandWord(job.band)} (priority ${job.priority ?? 0})`;
  return isProd(first) && !isProd(second)
    ? `${capital(named(by))} may take the place of ${named(victim)}.`
    : `Priority ${first} goes before priority ${second}.`;
}

/** What the place was worth, and what it cost its task: that only where the events are the victim's own. */
export function worthWords({ ranMs, next }: Receipt, row: JobRow | undefined, isVictims: boolean): string {
  const limit = row?.job.limit;
  const parts = [
    limit === undefined ? "" : `it freed ${cores(limit)} ${limit.cpuMilli === 1000 ? "core" : "cores"} and ${ramGib(limit)} GiB`,
    !isVictims || ranMs === undefined ? "" : `it had been there for ${age(ranMs)}`,
    !isVictims ? "" : next === undefined ? "it has no other machine yet" : `it went on at ${next.machine} ${age(next.afterMs)} later`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${capital(parts.join("; "))}.`;
}

/** Whether a task is this one, or of this job. */
export const isOf = (task: string, name: string): boolean => task === name || task.startsWith(`${name}/`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One sentence over all of them, seen from a job or a task. */
export function sumWords(receipts: readonly Receipt[], name: string): string {
  const left = receipts.filter(({ victim }) => isOf(victim, name)).length;
  const took = receipts.filter(({ preemptor }) => isOf(preemptor, name)).length;
  const times = (count: number): string => (count === 1 ? "once" : plural(count, "time"));
  return [left > 0 ? `It made way ${times(left)}` : "", took > 0 ? `${left > 0 ? "others" : "Others"} made way for it ${times(took)}` : ""]
    .filter((part) => part !== "")
    .join("; ");
}
