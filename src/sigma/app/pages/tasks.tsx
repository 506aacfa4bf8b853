/** Tasks, what is wrong first. */
import { useState } from "preact/hooks";
import { listCommand, viewRequest } from "../commands.ts";
import { Filter, Pick } from "../filter.tsx";
import { useNow } from "../hooks.ts";
import { cpuOf, Empty, ramOf, Share, State, Terminal } from "../parts.tsx";
import { goWith, machinePath, taskPath } from "../place.ts";
import type { Task } from "../shapes.ts";
import { type Column, List } from "../table.tsx";
import { age, plural, stateWord, taskLook } from "../words.ts";
import { showCores, showGib } from "./jobs.tsx";

const STATES = [
  ["", "alive"],
  ["pending", "pending"],
  ["starting", "starting"],
  ["running", "running"],
  ["backing-off", "failing"],
  ["dead", "ended"],
  ["any", "all"],
] as const;

/** `isShort`: of one job, where its name is known. */
export const taskColumns = (nowMs: number, isShort: boolean): readonly Column<Task>[] => [
  {
    head: "task",
    sort: "name",
    kind: "grow",
    show: ({ name }) => (
      <a href={taskPath(name)} data-row title={name}>
        {isShort ? name.split("/").at(-1) : name}
      </a>
    ),
  },
  { head: "state", show: (task) => <State look={taskLook(task)}>{task.unreachable ? "out of reach" : stateWord(task.state)}</State> },
  {
    head: "machine",
    kind: "wide",
    show: ({ machine = "" }) => (machine === "" ? <span class="quiet">none</span> : <a href={machinePath(machine)}>{machine}</a>),
  },
  {
    head: "cpu, cores",
    sort: "cpu",
    kind: "wide number",
    show: (row) => <Share used={cpuOf(row.usage)} limit={cpuOf(row.limit)} show={showCores} />,
  },
  {
    head: "ram, GiB",
    sort: "ram",
    kind: "wide number",
    show: (row) => <Share used={ramOf(row.usage)} limit={ramOf(row.limit)} show={showGib} />,
  },
  { head: "starts", sort: "restarts", kind: "wide number", show: ({ starts = 0, run = 1 }) => starts + Math.max(0, run - 1) },
  { head: "since", sort: "age", kind: "number", show: ({ sinceMs = nowMs }) => age(nowMs - sinceMs) },
];

export function TasksPage({ query }: { readonly query: URLSearchParams }) {
  const nowMs = useNow(5000);
  const [total, setTotal] = useState(0);
  const get = (name: string): string => query.get(name) ?? "";
  const sort = get("sort") || "wrong";
  const keys = ["user", "state", "machine"].map((name) => (get(name) === "" ? "" : `${name}:${get(name)}`));
  const text = [...keys, get("q")].filter((part) => part !== "").join(" ");
  return (
    <>
      <div class="title">
        <h1>Tasks</h1>
        <span class="quiet">{plural(total, "task")}</span>
        <Filter value={get("q")} label="Filter by name" />
        <Pick label="State" value={get("state")} choices={STATES} onPick={(value) => goWith("state", value)} />
      </div>
      <List<Task>
        label="tasks"
        view={{ kind: "TASKS", query: text }}
        columns={taskColumns(nowMs, false)}
        sort={sort}
        onTotal={setTotal}
        empty={<Empty words="No task is like that." />}
      />
      <Terminal command={listCommand("tasks", text)} method="WatchViews" request={viewRequest("tasks", text, sort)} />
    </>
  );
}
