/**
 * What tasks do to each other when their machine is full. Once a second: which band gets a turn on the processors, who goes without them; and, more
 * often the fuller it is, how much memory all tasks together use, so that the borglet chooses who goes before the kernel does. [I3] [I6]
 */
import { Leftovers, LOWER, type Lower } from "../leftovers.ts";
import { isShort, type Shortage } from "../out-of-resources.ts";
import { isHungry } from "../starvation.ts";
import { BANDS, type Band, type Cgroups, type GroupPlace } from "./cgroup.ts";
import { CoreKeeper } from "./core-keeper.ts";
import type { Capacity, TaskLimits } from "./group-limits.ts";

/** Memory is looked at this often, and so often above this share of it. */
const LOOK_MS = 1000;
const CLOSE_LOOK_MS = 100;
const CLOSE_SHARE = 0.75;
/** Limits that wait are tried so many a second: after a restart of the borglet all tasks have some. */
const ADJUSTS_MAX = 200;
/** Waiting is looked at only on a machine as busy as this. */
const BUSY_SHARE = 0.9;

export interface SqueezeOptions {
  readonly cgroups: Cgroups;
  readonly capacity: Capacity;
  readonly short: (shortage: Shortage) => void;
}

interface SqueezedRun extends GroupPlace {
  readonly instance: string;
  readonly limits: TaskLimits;
}

interface Counted {
  readonly atMs: number;
  readonly amount: number;
}

export class Squeeze {
  readonly #options: SqueezeOptions;
  readonly #leftovers = new Leftovers();
  readonly #cores: CoreKeeper | undefined;
  readonly #cpuNs = new Map<Band, Counted>();
  readonly #waitedNs = new Map<string, Counted>();
  /** Limits that could not be set yet, by instance. */
  readonly #unset = new Map<string, SqueezedRun>();
  #turns: ReadonlySet<Lower> = new Set();
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SqueezeOptions) {
    this.#options = options;
    const { cgroups, capacity } = options;
    const all = cgroups.cores();
    // Processors of a host that others have a share of are nobody's own.
    this.#cores = all.length > 1 && capacity.cpuMilli >= all.length * 1000 ? new CoreKeeper(cgroups, all) : undefined;
  }

  begin(): void {
    this.#timer = setTimeout(() => this.#lookAtMemory(), LOOK_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Called with all that run, whenever that changed. */
  share(runs: readonly SqueezedRun[]): void {
    this.#cores?.share(runs);
  }

  adjust(run: SqueezedRun): void {
    const { cgroups } = this.#options;
    const { group, alloc } = run.limits;
    // The alloc first: what grows in it may need the room.
    const isAllocSet = alloc === undefined || run.alloc === "" || cgroups.adjustAlloc(run, alloc);
    // Who could not be helped is behind all others that wait.
    this.#unset.delete(run.instance);
    if (!cgroups.adjust(run, group, run.alloc === "" ? undefined : alloc) || !isAllocSet) this.#unset.set(run.instance, run);
  }

  /** What an earlier borglet had saved and may not have come to do is done with the next tick. */
  adjustSoon(run: SqueezedRun): void {
    this.#unset.set(run.instance, run);
  }

  forget(instance: string): void {
    this.#waitedNs.delete(instance);
    this.#unset.delete(instance);
  }

  /** Once a second. */
  tick(): void {
    for (const run of [...this.#unset.values()].slice(0, ADJUSTS_MAX)) this.adjust(run);
    const used = Object.fromEntries(BANDS.map((band) => [band, this.#cpuMilli(band)])) as Record<Band, number>;
    const { cpuMilli } = this.#options.capacity;
    this.#isBusy = cpuMilli > 0 && used.prod + used.batch + used.free >= cpuMilli * BUSY_SHARE;
    if (!this.#isBusy) this.#waitedNs.clear();
    const turns = this.#leftovers.next(used, cpuMilli);
    for (const band of LOWER) if (turns.has(band) !== this.#turns.has(band)) this.#options.cgroups.giveTurn(band, turns.has(band));
    this.#turns = turns;
  }

  /** Whether a task wants to run and hardly can. Nobody waits on a machine that is not busy. */
  isHungry(run: SqueezedRun, cpuMilli: number): boolean {
    if (!this.#isBusy) return false;
    const amount = this.#options.cgroups.waitedNs(run);
    if (amount === undefined) return false;
    const share = rate(this.#waitedNs.get(run.instance), { atMs: performance.now(), amount }, (now) =>
      this.#waitedNs.set(run.instance, now),
    );
    return isHungry(share, cpuMilli, run.limits.group.cpuMilli);
  }

  #cpuMilli(band: Band): number {
    const amount = this.#options.cgroups.useOfAll(band)?.cpuNs ?? 0;
    return 1000 * rate(this.#cpuNs.get(band), { atMs: performance.now(), amount }, (now) => this.#cpuNs.set(band, now));
  }

  #lookAtMemory(): void {
    const { cgroups, capacity, short } = this.#options;
    const usedBytes = cgroups.useOfAll()?.ramBytes ?? 0;
    const isClose = capacity.ramBytes > 0 && usedBytes > capacity.ramBytes * CLOSE_SHARE;
    this.#timer = setTimeout(() => this.#lookAtMemory(), isClose ? CLOSE_LOOK_MS : LOOK_MS);
    if (isShort(usedBytes, capacity.ramBytes)) short({ of: "ram", usedBytes, capacityBytes: capacity.ramBytes });
  }
}

/** Nanoseconds for each of the last, as a share of time: 1 is one processor. Nothing at the first look. */
function rate(before: Counted | undefined, now: Counted, keep: (now: Counted) => void): number {
  keep(now);
  if (before === undefined || now.atMs <= before.atMs) return 0;
  return Math.max(0, now.amount - before.amount) / 1e6 / (now.atMs - before.atMs);
}
