/**
 * Cycles per instruction of tasks (Borg §5.2): every five minutes perf(1) counts both for ten seconds in the tasks' control groups, for some of them at a time. Where the
 * kernel counts neither, where there is no perf, or where groups are not of version 2, nothing is told. It costs nothing between two counts. [borglet.U7]
 */
import { execFile } from "node:child_process";
import { SHIM_ENVIRONMENT } from "./shim.ts";

const EVERY_MS = 300_000;
const FOR_SECONDS = 10;
/** Each is two counters on every processor. */
const AT_A_TIME = 32;
/** Of fewer instructions nothing can be said. */
const INSTRUCTIONS_MIN = 1_000_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const EVENTS = "cycles,instructions";

export interface CycleOptions {
  readonly perf?: string;
  /** Two, the first to be divided by the second. */
  readonly events?: string;
  readonly seconds?: number;
  readonly least?: number;
}

export interface CountedGroup {
  readonly instance: string;
  /** Below the mount of control groups. */
  readonly group: string;
}

/** The two counts of each group, in perf's lines `value,unit,event,group,...`. A group of which one was not counted is left out. */
export function parseCounts(text: string): ReadonlyMap<string, readonly [number, number]> {
  const found = new Map<string, number[]>();
  for (const line of text.split("\n")) {
    const [value = "", , event = "", group = ""] = line.split(",");
    if (event === "" || !/^\d+(\.\d+)?$/.test(value)) continue;
    found.set(group, [...(found.get(group) ?? []), Number(value)]);
  }
  return new Map(
    [...found].flatMap(([group, [first, second, ...more]]) => (second === undefined || more.length > 0 ? [] : [[group, [first!, second]]])),
  );
}

export class Cycles {
  readonly #perf: string;
  readonly #events: string;
  readonly #seconds: number;
  readonly #least: number;
  readonly #known = new Map<string, number>();
  #state: "untried" | "busy" | "ready" | "absent" = "untried";
  #countedMs = Number.NEGATIVE_INFINITY;
  #next = 0;

  constructor({ perf = "perf", events = EVENTS, seconds = FOR_SECONDS, least = INSTRUCTIONS_MIN }: CycleOptions = {}) {
    [this.#perf, this.#events, this.#seconds, this.#least] = [perf, events, seconds, least];
  }

  /** Undefined: not counted, or it hardly ran. */
  of(instance: string): number | undefined {
    return this.#known.get(instance);
  }

  forget(instance: string): void {
    this.#known.delete(instance);
  }

  /** To be called once a second or so. The more tasks there are, the more often some of them are counted: each has its turn within five minutes, as far as counts fit. */
  tick(nowMs: number, tasks: readonly CountedGroup[]): void {
    if (this.#state === "untried") this.#try();
    const turns = Math.ceil(tasks.length / AT_A_TIME);
    if (this.#state !== "ready" || turns === 0 || nowMs - this.#countedMs < EVERY_MS / turns) return;
    this.#countedMs = nowMs;
    if (this.#next >= tasks.length) this.#next = 0;
    this.#count(tasks.slice(this.#next, this.#next + AT_A_TIME));
    this.#next += AT_A_TIME;
  }

  #try(): void {
    this.#run(["-e", this.#events, "--", "/bin/true"], (text) => {
      this.#state = parseCounts(text).size > 0 ? "ready" : "absent";
    });
  }

  #count(tasks: readonly CountedGroup[]): void {
    const groups = tasks.map(({ group }) => group).join(",");
    this.#run(["-a", "-e", this.#events, "--for-each-cgroup", groups, "--", "sleep", String(this.#seconds)], (text) => {
      this.#state = "ready";
      const counts = parseCounts(text);
      for (const { instance, group } of tasks) {
        const [cycles, instructions] = counts.get(group) ?? [0, 0];
        if (instructions < this.#least) this.#known.delete(instance);
        else this.#known.set(instance, Math.round((cycles / instructions) * 1000) / 1000);
      }
    });
  }

  /** A group that goes meanwhile makes perf fail: then there is no count this time. */
  #run(words: readonly string[], then: (text: string) => void): void {
    this.#state = "busy";
    const options = { env: { ...SHIM_ENVIRONMENT }, timeout: (this.#seconds + 20) * 1000, maxBuffer: ANSWER_BYTES_MAX };
    execFile(this.#perf, ["stat", "-x,", ...words], options, (_error, _stdout, stderr) => then(stderr));
  }
}
