/** One task: what happened to it on one time line, what it uses, and what it writes. */

import { useState } from "preact/hooks";
import { axisOf, SPANS } from "../axis.ts";
import { commandLine } from "../commands.ts";
import { Pick } from "../filter.tsx";
import { useNow, useRead, useView } from "../hooks.ts";
import { Logs } from "../logs.tsx";
import { MadeWay } from "../made-way.tsx";
import { awaited, Empty, Events, Section, State, Terminal } from "../parts.tsx";
import { goWith, jobPath, machinePath } from "../place.ts";
import type { Happened, Task } from "../shapes.ts";
import { Shell, ShellButton } from "../shell/terminal.tsx";
import { barsOf, Timeline } from "../timeline.tsx";
import { UsagePlots } from "../usage.tsx";
import { Why } from "../why.tsx";
import { age, exitWords, stateWord, taskLook } from "../words.ts";

const HISTORY_MS = 4000;

interface Detail {
  readonly history?: readonly Happened[];
  readonly spec?: { readonly command?: readonly string[] };
  readonly scheduler?: string;
  readonly preemptor?: string;
  readonly veiled?: boolean;
}

export function TaskPage({ name, query }: { readonly name: string; readonly query: URLSearchParams }) {
  const nowMs = useNow(1000);
  const view = useView({ kind: "TASKS", query: `task:${name}`, limit: 1 });
  const { answer } = useRead<Detail>("GetTask", { task: name }, HISTORY_MS);
  const task = view?.rows.get(name) as Task | undefined;
  const [shell, setShell] = useState("");
  if (view === undefined) return awaited(name);
  if (task === undefined) return <Empty words={`There is no task ${name}.`} command="borg ls tasks --all" />;
  const isRunning = task.state === "running";
  const history = answer?.history ?? [];
  const bars = barsOf(history, task);
  const axis = axisOf(query.get("span") ?? "", Math.min(nowMs, ...bars.map(({ fromMs }) => fromMs)), nowMs);
  const span = <Pick label="Time shown" isBare value={query.get("span") ?? ""} choices={SPANS} onPick={(value) => goWith("span", value)} />;
  return (
    <>
      <TaskHead task={task} detail={answer} nowMs={nowMs} onShell={shell === "" ? () => setShell(task.instance ?? "") : undefined} />
      {shell !== "" && <Shell key={shell} task={name} instance={shell} onClose={() => setShell("")} />}
      {!isRunning && task.state !== "dead" && <Why name={name} />}
      <div class="over-time">
        <Section title="Where it was" more={span}>
          {answer === undefined ? awaited("its history") : <Timeline bars={bars} history={history} axis={axis} />}
        </Section>
        {task.alloc !== true && <UsagePlots task={task} axis={axis} />}
      </div>
      {task.alloc !== true && <Logs task={name} query={query} />}
      <MadeWay name={name} events={history} nowMs={nowMs} />
      <Section title="Events">
        {answer !== undefined && (
          <Events events={[...history].reverse()} nowMs={nowMs} empty="Nothing has happened to it since this master began." />
        )}
      </Section>
      {isRunning && <Why name={name} />}
      <Terminal command={commandLine("borg show", name)} method="GetTask" request={{ task: name }} />
    </>
  );
}

interface HeadProps {
  readonly task: Task;
  readonly detail: Detail | undefined;
  readonly nowMs: number;
  /** Undefined: one is open. */
  readonly onShell: (() => void) | undefined;
}

function TaskHead({ task, detail, nowMs, onShell }: HeadProps) {
  const { name, machine = "", host = "", ports = [], problem = "", waiting = "" } = task;
  const job = name.slice(0, name.lastIndexOf("/"));
  const words = [
    `${task.unreachable ? "on a machine that does not answer" : stateWord(task.state)} for ${age(nowMs - (task.sinceMs ?? nowMs))}`,
    waiting,
    problem,
    task.state === "running" ? "" : exitWords(task),
  ].filter((part) => part !== "");
  return (
    <>
      <div class="title">
        <h1>
          <a href={jobPath(job)}>{job}</a>/{name.slice(job.length + 1)}
        </h1>
        <State look={taskLook(task)}>{words.join("; ")}</State>
        <span class="actions">
          {task.state === "running" && task.alloc !== true && onShell !== undefined && <ShellButton task={name} onOpen={onShell} />}
        </span>
      </div>
      <dl class="facts">
        {machine !== "" && (
          <div>
            <dt>machine</dt>
            <dd>
              <a href={machinePath(machine)}>{machine}</a>
            </dd>
          </div>
        )}
        {ports.length > 0 && (
          <div>
            <dt>ports</dt>
            <dd>{ports.map((port) => `${port.name} ${host}:${port.number}`).join(", ")}</dd>
          </div>
        )}
        <div>
          <dt>starts</dt>
          <dd>{(task.starts ?? 0) + Math.max(0, (task.run ?? 1) - 1)}</dd>
        </div>
        {(detail?.scheduler ?? "") !== "" && (
          <div>
            <dt>scheduler</dt>
            <dd>{detail?.scheduler}</dd>
          </div>
        )}
        {(detail?.preemptor ?? "") !== "" && (
          <div>
            <dt>makes room for</dt>
            <dd>{detail?.preemptor}</dd>
          </div>
        )}
        {detail?.spec?.command !== undefined && (
          <div>
            <dt>command</dt>
            <dd>
              <code>{detail.spec.command.join(" ").slice(0, 400)}</code>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
