/** Who made way for whom, why, and what it was worth: the receipts of preemptions (Borg §2.5). */
import { useRead } from "./hooks.ts";
import { Section } from "./parts.tsx";
import { machinePath, taskPath } from "./place.ts";
import { isOf, jobOf, type Receipt, receiptsOf, ruleWords, sumWords, worthWords } from "./receipts.ts";
import type { Happened, JobRow, ViewsAnswer } from "./shapes.ts";
import { clock, plural } from "./words.ts";

const SHOWN_MAX = 10;
/** Jobs that one call is asked about. */
const JOBS_MAX = 6;

export function MadeWay({ name, events, nowMs }: { readonly name: string; readonly events: readonly Happened[]; readonly nowMs: number }) {
  const all = receiptsOf(events);
  const shown = all.slice(0, SHOWN_MAX);
  const jobs = useJobs([...new Set(shown.flatMap(({ victim, preemptor }) => [jobOf(victim), jobOf(preemptor)]))].slice(0, JOBS_MAX));
  if (shown.length === 0) return null;
  return (
    <Section title="Who made way" more={<span class="quiet">{sumWords(all, name)}</span>}>
      <ol class="receipts">
        {shown.map((receipt) => (
          <ReceiptLine key={receipt.instance} name={name} receipt={receipt} jobs={jobs} nowMs={nowMs} />
        ))}
      </ol>
      {all.length > SHOWN_MAX && <p class="quiet">{`${plural(all.length - SHOWN_MAX, "older one")} of which this master knows.`}</p>}
    </Section>
  );
}

interface LineProps {
  readonly name: string;
  readonly receipt: Receipt;
  readonly jobs: ReadonlyMap<string, JobRow>;
  readonly nowMs: number;
}

function ReceiptLine({ name, receipt, jobs, nowMs }: LineProps) {
  const { victim, preemptor, machine, timeMs } = receipt;
  const row = jobs.get(jobOf(victim));
  return (
    <li>
      <time dateTime={new Date(timeMs).toISOString()}>{clock(timeMs, nowMs, true)}</time>
      <span>
        <a href={taskPath(victim)}>{victim}</a> made way for <a href={taskPath(preemptor)}>{preemptor}</a> on{" "}
        <a href={machinePath(machine)}>{machine}</a>
        <span class="quiet">{`: ${ruleWords(jobs.get(jobOf(preemptor))?.job, row?.job)} ${worthWords(receipt, row, isOf(victim, name))}`}</span>
      </span>
    </li>
  );
}

/** Priorities and limits of both sides, as they are now; a job that was forgotten is not among them. */
function useJobs(names: readonly string[]): ReadonlyMap<string, JobRow> {
  const views = names.map((name) => ({ kind: "VIEW_KIND_JOBS", query: `job:${name} state:any`, limit: 1 }));
  const { answer } = useRead<ViewsAnswer>("WatchViews", names.length === 0 ? undefined : { watch: "receipts", views }, 0);
  return new Map((answer?.changes ?? []).flatMap(({ jobs = [] }) => jobs).map((row) => [row.job.name, row]));
}
