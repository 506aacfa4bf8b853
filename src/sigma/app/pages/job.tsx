/** One job: its tasks, its update, why it does not run, and what happened to it. */

import { useState } from "preact/hooks";
import { commandLine } from "../commands.ts";
import { EventsOf, eventsView } from "../events-of.tsx";
import { useCell, useNow, usePlace, useRead, useView } from "../hooks.ts";
import { MadeWay } from "../made-way.tsx";
import { awaited, cpuOf, Empty, type Fact, Facts, ramOf, Section, State, Strip, Terminal } from "../parts.tsx";
import type { Job, JobRow, Task, Update } from "../shapes.ts";
import { ChangeButton } from "../sheet.tsx";
import { List } from "../table.tsx";
import { Why } from "../why.tsx";
import { age, bandWord, clock, jobWords, plural, restartsWord } from "../words.ts";
import { askedFor, showCores, showGib } from "./jobs.tsx";
import { taskColumns } from "./tasks.tsx";

const UPDATE_MS = 1500;
const EVENTS = 50;

export function JobPage({ name }: { readonly name: string }) {
  const nowMs = useNow(5000);
  const { query } = usePlace();
  const view = useView({ kind: "JOBS", query: `job:${name} state:any`, limit: 1 });
  const happened = useView(eventsView(name, EVENTS));
  const row = view?.rows.get(name) as JobRow | undefined;
  if (view === undefined) return awaited(name);
  if (row === undefined)
    return <Empty words={`There is no job ${name}: it was never there, or it ended and was forgotten.`} command="borg ls --all" />;
  const { job } = row;
  return (
    <>
      <JobHead row={row} nowMs={nowMs} />
      {row.update !== undefined && row.update !== "" && <UpdatePanel name={name} phase={row.update} nowMs={nowMs} />}
      {isWrong(job) && <Why name={name} />}
      <Section title={job.allocSet ? "Allocs" : "Tasks"}>
        <List<Task>
          label={job.allocSet ? "allocs" : "tasks"}
          view={{ kind: "TASKS", query: `job:${name}` }}
          columns={taskColumns(nowMs, true)}
          sort={query.get("sort") ?? "wrong"}
          empty={<p class="quiet">It has no tasks.</p>}
        />
      </Section>
      <MadeWay name={name} events={happened?.events ?? []} nowMs={nowMs} />
      <EventsOf name={name} limit={EVENTS} nowMs={nowMs} />
      <Terminal command={commandLine("borg show", name)} method="GetJob" request={{ job: name }} />
    </>
  );
}

const isWrong = ({ state, pending = 0, backingOff = 0, failures = 0, held = false }: Job): boolean =>
  state !== "dead" && (pending > 0 || backingOff > 0 || failures > 0 || held);

function JobHead({ row, nowMs }: { readonly row: JobRow; readonly nowMs: number }) {
  const cell = useCell();
  const { job, restarts = 0, restartsHour = 0 } = row;
  const { look, words } = jobWords(job);
  const facts: readonly Fact[] = [
    ["band", `${bandWord(job.band)}, priority ${job.priority ?? 0}`],
    [
      "cpu",
      `${showCores(cpuOf(row.usage))} used, ${showCores(cpuOf(row.reservation))} reserved, ${showCores(askedFor(row, cpuOf))} cores limit`,
    ],
    ["ram", `${showGib(ramOf(row.usage))} used, ${showGib(ramOf(row.reservation))} reserved, ${showGib(askedFor(row, ramOf))} GiB limit`],
    [restartsWord(cell?.countedSinceMs ?? nowMs, nowMs), `${restartsHour}, ${restarts} in all`],
    ["submitted", `${age(nowMs - (job.submittedMs ?? nowMs))} ago`],
    ...(job.labels ?? []).map(({ key, value = "" }) => [key, value] as const),
  ];
  return (
    <>
      <div class="title">
        <h1>{job.name}</h1>
        <State look={look}>{words}</State>
        <span class="actions">{job.state !== "dead" && <JobActions job={job} />}</span>
      </div>
      <Strip job={job} />
      <Facts facts={facts} />
    </>
  );
}

function JobActions({ job: { name, count = 0, running = 0, allocSet = false } }: { readonly job: Job }) {
  const what = allocSet ? "alloc" : "task";
  return (
    <>
      {!allocSet && (
        <ChangeButton
          change={{
            verb: "Restart",
            words: `${plural(running, "running task")} of ${name} would be stopped, each with its notice, and started again where it is.`,
            command: commandLine("borg restart", name),
            method: "RestartJob",
            request: { job: name },
          }}
        />
      )}
      <ChangeButton
        change={{
          verb: "Kill",
          words: `All ${plural(count, what)} of ${name} would be stopped, each with its notice, and the job would end. It cannot be taken back; the job can be submitted again.`,
          command: commandLine("borg kill", name),
          method: "KillJob",
          request: { job: name },
          isGrave: true,
        }}
      />
    </>
  );
}

const PHASES: Readonly<Record<string, string>> = {
  rolling: "An update rolls through its tasks",
  paused: "An update is paused",
  undoing: "An update is being undone",
  rolled: "An update has reached all tasks, and waits to be committed",
};

function UpdatePanel({ name, phase, nowMs }: { readonly name: string; readonly phase: string; readonly nowMs: number }) {
  const { answer, again } = useRead<Update>("GetUpdate", { job: name }, UPDATE_MS);
  const [turn, setTurn] = useState(0);
  const done = (): void => {
    setTurn(turn + 1);
    again();
  };
  const { passed = 0, waiting = 0, failed = 0, skipped = 0, left = 0, reason = "", startedMs = nowMs } = answer ?? {};
  const all = passed + waiting + failed + skipped + left;
  const parts = [
    ["runs", passed, "passed"],
    ["starts", waiting, "have to show that they are well"],
    ["failed", failed, "failed"],
    ["gone", skipped, "skipped"],
    ["waits", left, "to come"],
  ] as const;
  return (
    <Section title="Update">
      <p>
        <State look={failed > 0 || phase === "undoing" ? "failed" : phase === "paused" ? "waits" : "starts"}>
          {PHASES[phase] ?? phase}
        </State>
        <span class="quiet"> since {clock(startedMs, nowMs)}</span>
      </p>
      {reason !== "" && <p>{reason}</p>}
      {answer !== undefined && (
        <p class="update-parts">
          <span class="strip long" role="img" aria-label={parts.map(([, count, word]) => `${count} ${word}`).join(", ")}>
            {parts.map(([look, count]) => count > 0 && <i key={look} class={`part ${look}`} style={{ flexGrow: count }} />)}
          </span>
          <span>{`${passed + skipped} of ${all}: ${parts
            .filter(([, count]) => count > 0)
            .map(([, count, word]) => `${count} ${word}`)
            .join(", ")}`}</span>
        </p>
      )}
      <p class="buttons left">
        <UpdateActions name={name} phase={phase} done={done} count={all} passed={passed} />
      </p>
      <Terminal command={commandLine("borg update show", name)} method="GetUpdate" request={{ job: name }} />
    </Section>
  );
}

interface UpdateActionsProps {
  readonly name: string;
  readonly phase: string;
  readonly done: () => void;
  readonly count: number;
  readonly passed: number;
}

function UpdateActions({ name, phase, done, count, passed }: UpdateActionsProps) {
  const request = { job: name };
  const resume = {
    verb: "Resume",
    words: `The update goes on with the ${plural(count - passed, "task")} that are left.`,
    command: commandLine("borg update resume", name),
    method: "PauseUpdate",
    request: { ...request, paused: false },
  };
  const pause = {
    verb: "Pause",
    words: "No other task is changed until it is resumed. Those that were changed stay so.",
    command: commandLine("borg update pause", name),
    method: "PauseUpdate",
    request: { ...request, paused: true },
  };
  const undo = {
    verb: "Undo",
    words: "Every task that has the new spec gets its old one back, in the same steps as it came.",
    command: commandLine("borg update undo", name),
    method: "UndoUpdate",
    request,
    isGrave: true,
  };
  const commit = {
    verb: "Commit",
    words: "What the update brought becomes the job. It cannot be undone any more, only updated again.",
    command: commandLine("borg update commit", name),
    method: "CommitUpdate",
    request,
  };
  if (phase === "undoing") return null;
  return (
    <>
      {phase === "paused" && <ChangeButton change={resume} onDone={done} />}
      {phase === "rolling" && <ChangeButton change={pause} onDone={done} />}
      <ChangeButton change={undo} onDone={done} />
      {phase === "rolled" && <ChangeButton change={commit} onDone={done} />}
    </>
  );
}
