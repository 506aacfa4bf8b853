/** Numbers, times and states as people read them. Pure: it knows no page. */
import type { Cell, Job, Resources, Sums, Task } from "./shapes.ts";

const GIB = 2 ** 30;

const HOUR_MS = 3_600_000;

/** Which restarts are counted: those of an hour, if somebody has counted for so long. */
export const restartsWord = (countedSinceMs: number, nowMs: number): string =>
  nowMs - countedSinceMs >= HOUR_MS ? "restarts, 1 h" : `restarts since ${clock(countedSinceMs, nowMs)}`;

export const plural = (count: number, one: string, many = `${one}s`): string => `${grouped(count)} ${count === 1 ? one : many}`;
export const grouped = (count: number): string => count.toLocaleString("en");

/** Three figures are enough to see what is going on. */
export function figure(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  if (value >= 1000) return grouped(Math.round(value));
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value >= 0.01 ? value.toFixed(2) : value.toPrecision(1);
}

export const cores = (amount: Resources | undefined): string => figure((amount?.cpuMilli ?? 0) / 1000);
export const ramGib = (amount: Resources | undefined): string => figure((amount?.ramBytes ?? 0) / GIB);
export const diskGib = (amount: Resources | undefined): string => figure((amount?.diskBytes ?? 0) / GIB);

/** Of a task's current run; empty: its machine cannot tell. */
export const trafficWords = ({ diskTraffic }: Pick<Task, "diskTraffic">): string =>
  diskTraffic === undefined
    ? ""
    : `${figure((diskTraffic.readBytes ?? 0) / GIB)} GiB read from disks and ${figure((diskTraffic.writtenBytes ?? 0) / GIB)} GiB written since its run began`;

export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 172_800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86_400)} d`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The time of a day, and the day if that is not today. */
export function clock(ms: number, nowMs: number, withSeconds = false): string {
  const at = new Date(ms);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}${withSeconds ? `:${two(at.getSeconds())}` : ""}`;
  return at.toDateString() === new Date(nowMs).toDateString() ? time : `${at.getDate()} ${MONTHS[at.getMonth()]} ${time}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** How a state looks: a colour and a shape of its own. */
export type Look = "runs" | "starts" | "waits" | "failed" | "gone" | "away";

const LOOKS: Readonly<Record<string, Look>> = {
  running: "runs",
  up: "runs",
  starting: "starts",
  pending: "waits",
  draining: "waits",
  stopping: "gone",
  ending: "gone",
  drained: "gone",
  dead: "gone",
  "backing-off": "failed",
  unreachable: "away",
  connected: "runs",
  disconnected: "waits",
};

export const lookOf = (state: string): Look => LOOKS[state] ?? "waits";

/** "backing-off" is the cell's word; people say that it fails. */
export const stateWord = (state: string): string => (state === "backing-off" ? "fails, will retry" : state);

export function taskLook({ state, unreachable = false, cause = "" }: Task): Look {
  if (unreachable) return "away";
  return state === "dead" && (cause === "failed" || cause === "lost") ? "failed" : lookOf(state);
}

export interface Said {
  readonly look: Look;
  readonly words: string;
}

const BANDS: Readonly<Record<string, string>> = {
  BAND_FREE: "free",
  BAND_BATCH: "batch",
  BAND_PRODUCTION: "production",
  BAND_MONITORING: "monitoring",
};

export const bandWord = (band: string | undefined): string => BANDS[band ?? ""] ?? "";

export const tasksOf = ({ running = 0, starting = 0, pending = 0, failing = 0, stopping = 0 }: Sums): number =>
  running + starting + pending + failing + stopping;

/** The one sentence: what is well first, then what is not. Only what is true is said, and nothing that is nothing. */
export function cellSentence(cell: Cell, nowMs: number): Said {
  const { production = {}, rest = {}, machines = 0, unreachable = 0, unreachableMs = 0 } = cell;
  if (machines === 0) return { look: "waits", words: "No machine has joined this cell yet." };
  const away =
    unreachable === 0
      ? ""
      : `${plural(unreachable, "machine")} ${unreachable === 1 ? "does" : "do"} not answer since ${clock(unreachableMs, nowMs)}`;
  const work = workWords(production, rest);
  const answer = away === "" ? (machines === 1 ? "its machine answers" : `all ${grouped(machines)} machines answer`) : away;
  const failing = (production.jobsFailing ?? 0) + (rest.jobsFailing ?? 0);
  const pending = (production.pending ?? 0) + (rest.pending ?? 0);
  const look: Look = unreachable > 0 || failing > 0 ? "failed" : pending > 0 ? "waits" : "runs";
  return { look, words: `${work}; ${answer}.` };
}

function workWords(production: Sums, rest: Sums): string {
  const prod = tasksOf(production);
  const others = tasksOf(rest);
  if (prod + others === 0) return "No tasks yet";
  const parts = [
    prod === 0 ? "" : runWords(production, prod, "production task"),
    others === 0 ? "" : runWords(rest, others, prod === 0 ? "task" : "other task"),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function runWords({ running = 0 }: Sums, all: number, what: string): string {
  if (running === all) return all === 1 ? `The only ${what} runs` : `All ${plural(all, what)} run`;
  return `${grouped(running)} of ${plural(all, what)} ${running === 1 ? "runs" : "run"}`;
}

export function jobWords(job: Job): Said {
  const {
    state,
    count = 0,
    running = 0,
    pending = 0,
    starting = 0,
    backingOff = 0,
    stopping = 0,
    held = false,
    startAfter = "",
    failures = 0,
  } = job;
  if (state === "dead") return deadWords(job);
  if (held) return { look: "waits", words: `Waits for the end of ${startAfter}` };
  const what = job.allocSet ? "alloc" : "task";
  const wrong = [
    backingOff > 0 ? `${grouped(backingOff)} ${backingOff === 1 ? "fails" : "fail"} and will be tried again` : "",
    pending > 0 ? `${grouped(pending)} ${pending === 1 ? "waits" : "wait"} for a machine` : "",
    starting > 0 ? `${grouped(starting)} ${starting === 1 ? "starts" : "start"}` : "",
    stopping > 0 ? `${grouped(stopping)} ${stopping === 1 ? "stops" : "stop"}` : "",
  ].filter((part) => part !== "");
  const runs = count === 1 ? `Its ${what} ${running === 1 ? "runs" : "does not run"}` : runWords({ running }, count, what);
  const look: Look = backingOff > 0 || failures > 0 ? "failed" : pending > 0 ? "waits" : starting > 0 ? "starts" : "runs";
  return {
    look,
    words: wrong.length > 0 && count === 1 && running === 0 ? `Its ${what} ${singleWords(job)}` : [runs, ...wrong].join(", "),
  };
}

/** Of a job with one task: what that does instead of running. */
function singleWords({ backingOff = 0, pending = 0, starting = 0 }: Job): string {
  if (backingOff > 0) return "fails and will be tried again";
  if (pending > 0) return "waits for a machine";
  return starting > 0 ? "starts" : "stops";
}

function deadWords({ finished = 0, failed = 0, killed = 0, lost = 0 }: Job): Said {
  const parts = [
    finished > 0 ? `${grouped(finished)} finished` : "",
    failed > 0 ? `${grouped(failed)} failed` : "",
    killed > 0 ? `${grouped(killed)} ${killed === 1 ? "was" : "were"} killed` : "",
    lost > 0 ? `${grouped(lost)} ${lost === 1 ? "was" : "were"} lost` : "",
  ].filter((part) => part !== "");
  return { look: failed + lost > 0 ? "failed" : "gone", words: parts.length === 0 ? "Ended" : `Ended: ${parts.join(", ")}` };
}

/** How a process ended. */
export function exitWords({ exited = false, exitCode = 0, signal = 0, message = "" }: Task): string {
  if (!exited) return "";
  const how = signal > 0 ? `by signal ${signal}` : `with code ${exitCode}`;
  return `last ended ${how}${message === "" ? "" : `: ${message}`}`;
}

export const shortName = (name: string, user: string): string => (name.startsWith(`${user}/`) ? name.slice(user.length + 1) : name);
