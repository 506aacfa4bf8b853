/**
 * The whole cell in pieces: records in the order of their kinds and names. Where a piece ends is a name, so nobody keeps anything between two pieces; what
 * changes meanwhile in what was sent already comes as items of the feed.
 */
import { compareIds, type JobId, splitTask } from "../base/id.ts";
import { make } from "../wire/codec.ts";
import { type FeedRecord, FeedRecordSchema } from "../wire/gen/borg/v1/feed_pb.ts";
import { UserGrantsSchema } from "../wire/gen/borg/v1/record_pb.ts";
import { grantsOf, jobRecord, machineRecord, schedulerRecord, settingsOf, taskRecords } from "./record/record.ts";
import type { CellState, Job, User } from "./state.ts";

export interface Piece {
  readonly records: readonly FeedRecord[];
  /** Where the next piece begins; empty: this was the last. */
  readonly more: string;
  /** Of its records: a task counts for one, and so does a KiB of a spec. */
  readonly weight: number;
}

/** Names in their order, from after one on. */
export interface Names {
  after(name: string): Iterable<string>;
}

/** What a spec of a KiB counts for, among records and tasks that count for one each. */
const SPEC_UNIT = 1024;
const KINDS = ["cell", "user", "scheduler", "role", "machine", "job"] as const;
type Kind = (typeof KINDS)[number];

interface Step {
  readonly record: FeedRecord;
  readonly weight: number;
  /** Where one goes on after it. */
  readonly at: string;
}

/**
 * The records after `more`, the first ones if it is empty, until they weigh `most`. Undefined: there is no such place. `jobs`: the names of all
 * jobs, by whoever keeps them in order.
 */
export function pieceOf(state: CellState, more: string, most: number, jobs: Names = namesOf(state.jobs)): Piece | undefined {
  const from = placeOf(more);
  if (from === undefined) return undefined;
  const records: FeedRecord[] = [];
  let weight = 0;
  for (const step of steps(state, jobs, from.kind, from.name)) {
    records.push(step.record);
    weight += step.weight;
    if (weight >= most) return { records, more: step.at, weight };
  }
  return { records, more: "", weight };
}

function placeOf(more: string): { readonly kind: Kind; readonly name: string } | undefined {
  if (more === "") return { kind: "cell", name: "" };
  const kind = KINDS.find((each) => more.startsWith(`${each} `));
  return kind === undefined ? undefined : { kind, name: more.slice(kind.length + 1) };
}

function* steps(state: CellState, jobs: Names, from: Kind, after: string): Generator<Step> {
  for (const kind of KINDS.slice(KINDS.indexOf(from))) {
    const name = kind === from ? after : "";
    if (kind === "job") yield* jobSteps(state, jobs, name);
    else if (kind !== "cell") yield* namedSteps(state, kind, name);
    else if (name === "") yield step({ case: "cell", value: settingsOf(state) }, 1, "cell .");
  }
}

const step = (body: FeedRecord["body"], weight: number, at: string): Step => ({ record: feedRecord(body), weight, at });

type NamedKind = Exclude<Kind, "cell" | "job">;

function* namedSteps(state: CellState, kind: NamedKind, after: string): Generator<Step> {
  const all: ReadonlyMap<string, unknown> = { user: state.users, scheduler: state.schedulers, role: state.roles, machine: state.machines }[
    kind
  ];
  for (const name of namesOf(all).after(after)) yield step(namedBody(state, kind, name), 1, `${kind} ${name}`);
}

function namedBody(state: CellState, kind: NamedKind, name: string): FeedRecord["body"] {
  if (kind === "user") return userBody(state.users.get(name as never)!);
  if (kind === "scheduler") return { case: "scheduler", value: schedulerRecord(state.schedulers.get(name)!) };
  if (kind === "role") return { case: "role", value: state.roles.get(name)! };
  return { case: "machine", value: machineRecord(state.machines.get(name as never)!) };
}

/** `after`: the last task that was sent, or the last job whose record was. */
function* jobSteps(state: CellState, jobs: Names, after: string): Generator<Step> {
  const begun = after.split("/").length === 3 ? splitTask(after) : { job: after as JobId, index: -1 };
  const job = state.jobs.get(begun.job);
  if (job !== undefined) yield* taskSteps(job, begun.index + 1);
  for (const name of jobs.after(begun.job)) {
    const next = state.jobs.get(name as JobId) as Job;
    yield step({ case: "job", value: jobRecord(next) }, 1 + Math.floor(next.specBytes / SPEC_UNIT), `job ${name}`);
    yield* taskSteps(next, 0);
  }
}

function* taskSteps(job: Job, from: number): Generator<Step> {
  const indexes = job.tasks.slice(from).map(({ index }) => index);
  for (const value of taskRecords(job, indexes))
    yield step({ case: "tasks", value }, value.tasks.length, `job ${job.id}/${value.first + value.tasks.length - 1}`);
}

const namesOf = (map: ReadonlyMap<string, unknown>): Names => ({
  after: (after) => [...map.keys()].filter((name) => after === "" || compareIds(name, after) > 0).sort(compareIds),
});

export const feedRecord = (body: FeedRecord["body"]): FeedRecord => make(FeedRecordSchema, { body });

export const userBody = (user: User): FeedRecord["body"] => ({ case: "user", value: make(UserGrantsSchema, grantsOf(user)) });
