/** Machines, what is wrong first. */
import { useState } from "preact/hooks";
import { listCommand, viewRequest } from "../commands.ts";
import { Filter, Pick } from "../filter.tsx";
import { useNow } from "../hooks.ts";
import { Changing, cpuOf, Empty, ramOf, Share, State, Terminal } from "../parts.tsx";
import { goWith, machinePath } from "../place.ts";
import type { Machine } from "../shapes.ts";
import { type Column, List } from "../table.tsx";
import { age, lookOf, plural } from "../words.ts";
import { showCores, showGib } from "./jobs.tsx";

const STATES = [
  ["", "all"],
  ["up", "up"],
  ["unreachable", "unreachable"],
  ["draining", "draining"],
  ["drained", "drained"],
] as const;

const columns = (nowMs: number): readonly Column<Machine>[] => [
  {
    head: "machine",
    sort: "name",
    kind: "grow",
    show: ({ name }) => (
      <a href={machinePath(name)} data-row>
        {name}
      </a>
    ),
  },
  { head: "state", show: ({ state }) => <State look={lookOf(state)}>{state}</State> },
  { head: "tasks", sort: "tasks", kind: "number", show: ({ tasks = 0 }) => <Changing value={String(tasks)} /> },
  {
    head: "cpu used, cores",
    sort: "cpu",
    kind: "wide number",
    show: (row) => <Share used={cpuOf(row.usage)} limit={cpuOf(row.capacity)} show={showCores} />,
  },
  { head: "reserved", kind: "wide number", show: (row) => showCores(cpuOf(row.reservation)) },
  { head: "limits", kind: "wide number", show: (row) => showCores(cpuOf(row.limit)) },
  {
    head: "ram used, GiB",
    sort: "ram",
    kind: "wide number",
    show: (row) => <Share used={ramOf(row.usage)} limit={ramOf(row.capacity)} show={showGib} />,
  },
  { head: "rack", kind: "wide", show: ({ rack = "" }) => rack },
  { head: "since", sort: "age", kind: "number", show: ({ sinceMs = 0 }) => age(nowMs - sinceMs) },
];

export function MachinesPage({ query }: { readonly query: URLSearchParams }) {
  const nowMs = useNow(5000);
  const [total, setTotal] = useState(0);
  const get = (name: string): string => query.get(name) ?? "";
  const sort = get("sort") || "wrong";
  const parts = [get("state") === "" ? "" : `state:${get("state")}`, get("rack") === "" ? "" : `rack:${get("rack")}`, get("q")];
  const text = parts.filter((part) => part !== "").join(" ");
  return (
    <>
      <div class="title">
        <h1>Machines</h1>
        <span class="quiet">{plural(total, "machine")}</span>
        <Filter value={get("q")} label="Filter by name" />
        <Pick label="State" value={get("state")} choices={STATES} onPick={(value) => goWith("state", value)} />
      </div>
      <List<Machine>
        label="machines"
        view={{ kind: "MACHINES", query: text }}
        columns={columns(nowMs)}
        sort={sort}
        onTotal={setTotal}
        empty={<Empty words="No machine is like that." />}
      />
      <Terminal command={listCommand("machines", text)} method="WatchViews" request={viewRequest("machines", text, sort)} />
    </>
  );
}
