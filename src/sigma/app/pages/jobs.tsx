/** Jobs, what is wrong first. */
import { useState } from "preact/hooks";
import { listCommand, viewRequest } from "../commands.ts";
import { Filter, Pick } from "../filter.tsx";
import { useCell, useNow } from "../hooks.ts";
import { Changing, cpuOf, Empty, ramOf, Share, State, Strip, Terminal } from "../parts.tsx";
import { goWith, jobPath } from "../place.ts";
import type { JobRow, Resources } from "../shapes.ts";
import { type Column, List } from "../table.tsx";
import { age, bandWord, figure, jobWords, plural, restartsWord, shortName } from "../words.ts";

const GIB = 2 ** 30;
export const showCores = (milli: number): string => figure(milli / 1000);
export const showGib = (bytes: number): string => figure(bytes / GIB);

/** Of tasks that are on machines what they have, of others what they ask for. */
export const askedFor = ({ job, limit }: JobRow, of: (amount: Resources | undefined) => number): number =>
  job.state === "dead" ? 0 : Math.max(of(limit), of(job.limit) * (job.count ?? 0));

const STATES = [
  ["", "alive"],
  ["wrong", "needs a look"],
  ["pending", "pending"],
  ["running", "running"],
  ["dead", "ended"],
  ["any", "all"],
] as const;

const columns = (user: string, nowMs: number, restarts: string): readonly Column<JobRow>[] => [
  { head: "job", sort: "name", kind: "grow", show: ({ job }) => <JobName name={job.name} user={user} look={jobWords(job).look} /> },
  { head: "tasks", sort: "tasks", show: ({ job }) => <Strip job={job} /> },
  { head: "running", kind: "number", show: ({ job }) => <Changing value={`${job.running ?? 0}/${job.count ?? 0}`} /> },
  {
    head: "cpu, cores",
    sort: "cpu",
    kind: "wide number",
    show: (row) => <Share used={cpuOf(row.usage)} limit={askedFor(row, cpuOf)} show={showCores} />,
  },
  {
    head: "ram, GiB",
    sort: "ram",
    kind: "wide number",
    show: (row) => <Share used={ramOf(row.usage)} limit={askedFor(row, ramOf)} show={showGib} />,
  },
  {
    head: restarts,
    kind: "wide number",
    show: ({ restartsHour = 0, restarts: all = 0 }) => (
      <span class={restartsHour === 0 ? "quiet" : ""} title={`${all} since it was submitted`}>
        <Changing value={String(restartsHour)} />
      </span>
    ),
  },
  { head: "band", sort: "priority", kind: "wide", show: ({ job }) => bandWord(job.band) },
  { head: "age", sort: "age", kind: "number", show: ({ job }) => age(nowMs - (job.submittedMs ?? nowMs)) },
];

const JobName = ({
  name,
  user,
  look,
}: {
  readonly name: string;
  readonly user: string;
  readonly look: ReturnType<typeof jobWords>["look"];
}) => (
  <a href={jobPath(name)} data-row title={name}>
    <State look={look}>{shortName(name, user)}</State>
  </a>
);

export function JobsPage({ query }: { readonly query: URLSearchParams }) {
  const nowMs = useNow(5000);
  const cell = useCell();
  const [total, setTotal] = useState(0);
  const get = (name: string): string => query.get(name) ?? "";
  const user = get("user");
  const isAlloc = get("kind") === "alloc";
  const parts = [
    user === "" ? "" : `user:${user}`,
    get("state") === "" ? "" : `state:${get("state")}`,
    isAlloc ? "kind:alloc" : "",
    get("q"),
  ];
  const text = parts.filter((part) => part !== "").join(" ");
  const sort = get("sort") || "wrong";
  const own = user === "me" ? (cell?.user ?? "") : user;
  const title = isAlloc ? "Alloc sets" : user === "me" ? "My jobs" : user === "" ? "Jobs" : `Jobs of ${user}`;
  return (
    <>
      <div class="title">
        <h1>{title}</h1>
        <span class="quiet">{plural(total, isAlloc ? "alloc set" : "job")}</span>
        <Filter value={get("q")} label="Filter by name" />
        <Pick label="State" value={get("state")} choices={STATES} onPick={(value) => goWith("state", value)} />
        <Pick
          label="Whose"
          value={user}
          choices={[["", "everyone"], ["me", "mine"], ...(user !== "" && user !== "me" ? ([[user, user]] as const) : [])]}
          onPick={(value) => goWith("user", value)}
        />
      </div>
      <List<JobRow>
        label="jobs"
        view={{ kind: "JOBS", query: text }}
        columns={columns(own, nowMs, restartsWord(cell?.countedSinceMs ?? nowMs, nowMs))}
        sort={sort}
        onTotal={setTotal}
        empty={<NoJobs isFiltered={text !== ""} isAlloc={isAlloc} />}
      />
      <Terminal command={listCommand("jobs", text)} method="WatchViews" request={viewRequest("jobs", text, sort)} />
    </>
  );
}

const NoJobs = ({ isFiltered, isAlloc }: { readonly isFiltered: boolean; readonly isAlloc: boolean }) =>
  isAlloc ? (
    <Empty
      words="There is no alloc set. An alloc set is room that tasks share on a machine; it is described in a file:"
      command="borg submit FILE.bcl"
    />
  ) : isFiltered ? (
    <Empty words="No job is like that. Others may be: take something out of the filter." />
  ) : (
    <Empty words="No jobs yet. This starts one, which appears here by itself:" command="borg run hi -- /bin/sh -c 'echo hi; sleep 600'" />
  );
