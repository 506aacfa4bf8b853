/** What people ask of a cell: users, quota, jobs, alloc sets, machines to be drained. */
import type { CellMethod } from "../../borgmaster/api/access.ts";
import type { ApiAnswer } from "../../borgmaster/api/message.ts";
import { BANDS, type BandName, wireBand } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import {
  type AfterFailure,
  type AllocSetSpecSchema,
  AppClass,
  type JobSpecSchema,
  Operator,
  RestartWhen,
  SchedulingMode,
  Spread,
} from "../../wire/gen/borg/v1/spec_pb.ts";
import { answerWords, type Command, type Line } from "./session.ts";
import { ADMIN } from "./stage.ts";
import { Misspoken, type Words } from "./words.ts";

type Schema = typeof api.KillJobRequestSchema;

/** Sends it, and says what the answer was; after "send" it waits for none. */
function ask({ session, stage, words, later }: Line, user: string, method: CellMethod, schema: unknown, init: object): readonly string[] {
  const requestId = words.text("id") ?? stage.requestId();
  const at = words.text("at");
  words.done();
  const request = make(schema as Schema, { ...init, requestId } as Init<Schema>);
  const id = stage.call({ user, method, request, requestId }, at);
  if (later) {
    session.open.push({ id, what: `${words.command} ${words.names[0] ?? ""}` });
    return [];
  }
  return [answerWords(stage.hear(id) as ApiAnswer | undefined)];
}

const ownerOf = (job: string): string => job.slice(0, Math.max(0, job.indexOf("/")));

function jobName(words: Words): { readonly user: string; readonly name: string } {
  const job = words.name(0, "a job such as ann/web");
  return { user: ownerOf(job), name: job.slice(job.indexOf("/") + 1) };
}

export function bandNamed(text: string): BandName {
  const band = BANDS.find((each) => each.name === text);
  if (band === undefined) throw new Misspoken(`Expected a band such as production, found "${text}"`);
  return band.name;
}

function priority(words: Words): number {
  const text = words.text("priority") ?? "free";
  return BANDS.find((band) => band.name === text)?.lowest ?? Number(text);
}

const RESTARTS: ReadonlyMap<string, RestartWhen> = new Map([
  ["never", RestartWhen.NEVER],
  ["always", RestartWhen.ALWAYS],
  ["on-failure", RestartWhen.ON_FAILURE],
]);

function restartPolicy(words: Words): NonNullable<Init<typeof JobSpecSchema>["restart"]> {
  const inPlaceMax = words.number("in-place");
  const failuresMax = words.number("failures");
  return {
    when: RESTARTS.get(words.text("restart") ?? "") ?? RestartWhen.UNSPECIFIED,
    ...(inPlaceMax === undefined ? {} : { inPlaceMax }),
    ...(failuresMax === undefined ? {} : { failuresMax }),
    backoffMinMs: words.ms("backoff") ?? 0,
    backoffMaxMs: words.ms("backoff-max") ?? 0,
  };
}

/** What the simulated process does (program.ts). */
function program(words: Words): string[] {
  const works = words.ms("works");
  const crashes = words.ms("crashes");
  if (works !== undefined) return ["work", String(works)];
  return crashes === undefined ? [words.text("program") ?? "serve"] : ["crash", String(crashes)];
}

function taskSpec(words: Words): NonNullable<Init<typeof JobSpecSchema>["task"]> {
  const noticeMs = words.ms("notice");
  return {
    command: program(words),
    limit: words.amounts(),
    ports: [...words.list("ports")],
    ...(noticeMs === undefined ? {} : { noticeMs }),
  };
}

function downMax(words: Words): { readonly downMax?: number } {
  const most = words.number("down-max");
  return most === undefined ? {} : { downMax: most };
}

const SPREADS: ReadonlyMap<string, Spread> = new Map([
  ["hard", Spread.HARD],
  ["rack", Spread.RACK],
  ["power", Spread.POWER],
]);

/** What jobs and alloc sets have in common. */
function placing(words: Words) {
  return {
    ...jobName(words),
    priority: priority(words),
    spread: SPREADS.get(words.text("spread") ?? "") ?? Spread.UNSPECIFIED,
    mode: words.has("gang") ? SchedulingMode.GANG : SchedulingMode.UNSPECIFIED,
    scheduler: words.text("scheduler") ?? "",
    ...downMax(words),
    drainEveryMs: words.ms("drain-every") ?? 0,
    constraints: words.list("where").map((pair) => {
      const [attribute = "", value = ""] = pair.split(":");
      return { attribute, operator: Operator.EQUAL, values: [value] };
    }),
  };
}

function jobSpec(words: Words): Init<typeof JobSpecSchema> {
  const victimNoticeMs = words.ms("victim-notice");
  const perMachine = words.has("per-machine");
  return {
    ...placing(words),
    count: perMachine ? 0 : (words.number("count") ?? 1),
    perMachine,
    task: taskSpec(words),
    restart: restartPolicy(words),
    startAfter: words.text("start-after") ?? "",
    afterFailure: ["", "start", "wait", "fail"].indexOf(words.text("after-failure") ?? "") as AfterFailure,
    allocSet: words.text("in") ?? "",
    appClass: words.text("class") === "latency" ? AppClass.LATENCY_SENSITIVE : AppClass.UNSPECIFIED,
    ...(victimNoticeMs === undefined ? {} : { victimNoticeMs }),
  };
}

const allocSetSpec = (words: Words): Init<typeof AllocSetSpecSchema> => ({
  ...placing(words),
  count: words.number("count") ?? 1,
  limit: words.amounts(),
  ports: words.number("ports") ?? 0,
});

function submit(line: Line): readonly string[] {
  const spec = jobSpec(line.words);
  return ask(line, spec.user ?? "", "submitJob", api.SubmitJobRequestSchema, { spec });
}

function submitAllocSet(line: Line): readonly string[] {
  const spec = allocSetSpec(line.words);
  return ask(line, spec.user ?? "", "submitAllocSet", api.SubmitAllocSetRequestSchema, { spec });
}

function resize(line: Line): readonly string[] {
  const job = line.words.name(0, "a job");
  return ask(line, ownerOf(job), "resizeJob", api.ResizeJobRequestSchema, { job, count: line.words.number("count") ?? 0 });
}

function restart(line: Line): readonly string[] {
  const job = line.words.name(0, "a job");
  const tasks = line.words.list("tasks").map(Number);
  return ask(line, ownerOf(job), "restartJob", api.RestartJobRequestSchema, { job, tasks });
}

function kill(line: Line): readonly string[] {
  const job = line.words.name(0, "a job");
  return ask(line, line.words.text("by") ?? ownerOf(job), "killJob", api.KillJobRequestSchema, { job });
}

/** A user of the cell, with as much batch quota as there is. */
function user(line: Line): readonly string[] {
  const name = line.words.name(0, "a name");
  const granted = ask(line, ADMIN, "grantUser", api.GrantUserRequestSchema, { user: name, roles: [Role.USER] });
  const requestId = line.stage.requestId();
  const request = make(api.SetQuotaRequestSchema, { requestId, user: name, band: wireBand("batch"), quota: { unlimited: true } });
  line.stage.ask({ user: ADMIN, method: "setQuota", request, requestId });
  return granted;
}

function quota(line: Line): readonly string[] {
  const { words } = line;
  const band = wireBand(bandNamed(words.name(1, "a band")));
  const limit = words.amounts();
  const forMs = words.ms("for");
  const untilMs = forMs === undefined ? 0 : line.stage.look().timeMs + forMs;
  return ask(line, ADMIN, "setQuota", api.SetQuotaRequestSchema, { user: words.name(0, "a user"), band, quota: { limit, untilMs } });
}

const drain =
  (draining: boolean) =>
  (line: Line): readonly string[] =>
    ask(line, ADMIN, "drainMachine", api.DrainMachineRequestSchema, { machine: line.words.name(0, "a machine"), draining });

const remove = (line: Line): readonly string[] =>
  ask(line, ADMIN, "removeMachine", api.RemoveMachineRequestSchema, { machine: line.words.name(0, "a machine") });

/** A job as a user reads it: current, or with "stale" as old as it may be. */
function read({ stage, words }: Line): readonly string[] {
  const job = words.name(0, "a job");
  const wish = {
    user: words.text("by") ?? ownerOf(job),
    method: "getJob",
    request: make(api.GetJobRequestSchema, { job }),
    requestId: "",
  } as const;
  const at = words.text("at");
  words.done();
  const answer = stage.ask({ ...wish, stale: words.has("stale") }, at);
  if (answer?.type !== "answered") return [answerWords(answer)];
  const { job: view } = answer.response as api.GetJobResponse;
  const age = answer.ageMs === undefined ? "" : `, ${Math.round(answer.ageMs / 1000)}s old`;
  return [`${view?.name}: ${view?.state}, ${view?.running} of ${view?.count} running${age}`];
}

/** What became of everything that was sent. */
function answers({ session, stage }: Line): readonly string[] {
  return session.open.splice(0).map(({ id, what }) => `${what}: ${answerWords(stage.hear(id) as ApiAnswer | undefined)}`);
}

const JOB_WORDS =
  "[count=N] [priority=BAND|N] [cpu=N] [ram=N] [ports=a,b] [gang] [per-machine] [spread=hard|rack|power] [where=rack:r1] [down-max=N] [drain-every=T] [start-after=JOB] [in=ALLOC-SET]";
const TASK_WORDS =
  "[notice=5s] [victim-notice=1s] [restart=never|always] [in-place=N] [failures=N] [backoff=1s] [works=60s | crashes=3s | program=stubborn]";

export const ASK_COMMANDS: readonly (readonly [string, Command])[] = [
  ["user", { usage: "user NAME", run: user }],
  ["quota", { usage: "quota USER BAND cpu=N ram=N [for=TIME] [id=REQUEST]", run: quota }],
  ["submit", { usage: `submit USER/JOB ${JOB_WORDS} ${TASK_WORDS} [id=REQUEST]`, run: submit }],
  [
    "alloc-set",
    { usage: "alloc-set USER/NAME [count=N] [priority=BAND] cpu=N ram=N [ports=N] [spread=hard|rack|power]", run: submitAllocSet },
  ],
  ["kill", { usage: "kill USER/JOB [by=USER]", run: kill }],
  ["resize", { usage: "resize USER/JOB count=N", run: resize }],
  ["restart", { usage: "restart USER/JOB [tasks=0,2]", run: restart }],
  ["drain", { usage: "drain MACHINE", run: drain(true) }],
  ["undrain", { usage: "undrain MACHINE", run: drain(false) }],
  ["remove", { usage: "remove MACHINE", run: remove }],
  ["read", { usage: "read USER/JOB [stale] [by=USER] [at=MASTER]", run: read }],
  ["answers", { usage: "answers (to what was sent with `send`)", run: answers }],
];
