/** Keeps latency-sensitive tasks off the processors that others of them reserved, as tasks come and go. It writes only what changes. [I7] */
import { shareCores } from "../cores.ts";
import type { Cgroups, GroupPlace } from "./cgroup.ts";
import type { TaskLimits } from "./group-limits.ts";

interface CoreRun extends GroupPlace {
  readonly limits: TaskLimits;
}

export class CoreKeeper {
  readonly #cgroups: Cgroups;
  readonly #all: readonly number[];
  /** What was written, by task; who is not here has all of them. */
  readonly #written = new Map<string, string>();

  constructor(cgroups: Cgroups, all: readonly number[]) {
    this.#cgroups = cgroups;
    this.#all = all;
  }

  /** Called with all that run, whenever that changed. */
  share(runs: readonly CoreRun[]): void {
    const sensitive = runs.filter(({ limits }) => limits.group.isLatencySensitive);
    const isReserved = sensitive.some(({ limits }) => limits.cores > 0);
    if (!isReserved && this.#written.size === 0) return;
    const asks = sensitive.map((run) => {
      const { key, limits } = run;
      return { key, cores: limits.cores, held: limits.cores === 0 ? [] : this.#cgroups.coresOf(run) };
    });
    const { reserved, rest } = shareCores(this.#all, asks);
    // First those that give up a processor, so that nobody finds another on its own.
    for (const run of sensitive) if (!reserved.has(run.key)) this.#write(run, rest);
    for (const run of sensitive) if (reserved.has(run.key)) this.#write(run, reserved.get(run.key)!);
    for (const key of this.#written.keys()) if (!sensitive.some((run) => run.key === key)) this.#letGo(key, runs);
  }

  /** It has ended, or runs on and is no longer one that keeps to some of them. */
  #letGo(key: string, runs: readonly CoreRun[]): void {
    const run = runs.find((each) => each.key === key);
    if (run !== undefined) this.#write(run, this.#all);
    this.#written.delete(key);
  }

  #write(run: CoreRun, cores: readonly number[]): void {
    const text = cores.join(",");
    if ((this.#written.get(run.key) ?? this.#all.join(",")) === text) return;
    this.#cgroups.setCores(run, cores);
    this.#written.set(run.key, text);
  }
}
