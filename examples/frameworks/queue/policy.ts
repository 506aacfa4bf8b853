/** First come, first served, as Torque does it: nobody passes the head of the queue, so that a wide job is not starved by narrow ones. */
import type { Offer, Task, Update } from "../../../clients/framework/framework.ts";

export interface Job {
  readonly name: string;
  readonly cpus: number;
  readonly mem: number;
  readonly command: string;
}

/** What a job lost to its machine, or to somebody of a higher priority, is tried again so often. */
const TRIES_MAX = 3;

export class Queue {
  readonly #waiting: Job[];
  readonly #running = new Map<string, Job>();
  readonly #tries = new Map<string, number>();
  readonly done: string[] = [];
  readonly failed: string[] = [];

  constructor(jobs: readonly Job[]) {
    this.#waiting = [...jobs];
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  get wantsOffers(): boolean {
    return this.#waiting.length > 0;
  }

  /** What runs on an offer: from the head of the queue on, as long as the next one fits. */
  take(offer: Offer): readonly Task[] {
    const tasks: Task[] = [];
    let { cpus, mem } = offer;
    for (let job = this.#waiting[0]; job !== undefined && job.cpus <= cpus && job.mem <= mem; job = this.#waiting[0]) {
      this.#waiting.shift();
      cpus -= job.cpus;
      mem -= job.mem;
      const tried = (this.#tries.get(job.name) ?? 0) + 1;
      this.#tries.set(job.name, tried);
      const id = `${job.name}-${tried}`;
      this.#running.set(id, job);
      tasks.push({ id, command: job.command, cpus: job.cpus, mem: job.mem });
    }
    return tasks;
  }

  /** True: something changed that is worth a word. */
  heard({ task, state, isOver }: Update): boolean {
    const job = this.#running.get(task);
    if (job === undefined || !isOver) return false;
    this.#running.delete(task);
    if (state === "TASK_FINISHED") this.done.push(job.name);
    else if (isLoss(state) && (this.#tries.get(job.name) ?? 0) < TRIES_MAX) this.#waiting.unshift(job);
    else this.failed.push(job.name);
    return true;
  }
}

/** It is no fault of the job's. */
const isLoss = (state: string): boolean => ["TASK_LOST", "TASK_GONE", "TASK_DROPPED"].includes(state);

/** A job a line: name, cores, MB, and the command. Empty lines and those after a # are none. */
export function jobsIn(text: string): readonly Job[] {
  const jobs: Job[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const found = /^\s*([a-z0-9-]+)\s+([0-9.]+)\s+([0-9]+)\s+(.+)$/.exec(line);
    if (found === null) throw new Error(`Cannot read line ${i + 1}: expected "name cores MB command", found "${line}"`);
    const [, name = "", cpus = "", mem = "", command = ""] = found;
    if (jobs.some((job) => job.name === name)) throw new Error(`Line ${i + 1}: job "${name}" is there already`);
    jobs.push({ name, cpus: Number(cpus), mem: Number(mem), command });
  }
  return jobs;
}
