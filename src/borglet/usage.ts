/** The last five minutes of one instance's use, change by change, and whether it is above its memory limit. Silence means: as before. */
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { DISK_DEPTH_MAX, diskBound } from "./bounds.ts";
import type { DiskTraffic, Sample } from "./machine.ts";
import type { Amounts } from "./notice.ts";

export const WINDOW_MS = 300_000;
/** At one change a second: five minutes. Beyond it the oldest fall out. */
const CHANGES_MAX = 300;
/** Seen so often in a row above its memory limit, an instance is flagged; so often clearly above, it is ended where nothing else holds it. */
const OVER_TIMES = 2;
const CLEARLY_TIMES = 3;
/** Clearly above: by a tenth and by more than measuring can be wrong. */
const CLEARLY_RATIO = 1.1;
const CLEARLY_BYTES = 8 * 1024 * 1024;

export interface Use {
  readonly last: Amounts;
  readonly average: Amounts;
  readonly peak: Amounts;
  readonly cpi: number | undefined;
  readonly diskTraffic: DiskTraffic | undefined;
}

interface Movement extends Amounts {
  readonly sinceMs: number;
}

export class UsageWindow {
  #changes: Movement[] = [];
  #over = 0;
  #clearly = 0;
  #cpi: number | undefined;
  #diskTraffic: DiskTraffic | undefined;

  add(nowMs: number, used: Amounts & Pick<Sample, "cpi" | "diskTraffic">, ramLimit: number): void {
    this.#cpi = used.cpi;
    this.#diskTraffic = used.diskTraffic;
    const cpuMilli = Math.max(0, Math.round(used.cpuMilli));
    const ramBytes = Math.max(0, Math.round(used.ramBytes));
    this.#changes.push({ sinceMs: nowMs, cpuMilli, ramBytes, diskBytes: used.diskBytes });
    if (this.#changes.length > CHANGES_MAX) this.#changes.shift();
    this.#over = ramLimit > 0 && ramBytes > ramLimit ? this.#over + 1 : 0;
    const clearly = ramLimit > 0 && ramBytes > Math.max(ramLimit * CLEARLY_RATIO, ramLimit + CLEARLY_BYTES);
    this.#clearly = clearly ? this.#clearly + 1 : 0;
  }

  get isOver(): boolean {
    return this.#over >= OVER_TIMES;
  }

  get isClearlyOver(): boolean {
    return this.#clearly >= CLEARLY_TIMES;
  }

  /** Memory at the last sample. */
  get ramBytes(): number {
    return this.#changes.at(-1)?.ramBytes ?? 0;
  }

  /** Undefined before the first sample. */
  use(nowMs: number): Use | undefined {
    const fromMs = nowMs - WINDOW_MS;
    // The one that held when the window begins counts from there.
    const first = this.#changes.findLastIndex(({ sinceMs }) => sinceMs <= fromMs);
    if (first > 0) this.#changes.splice(0, first);
    const last = this.#changes.at(-1);
    if (last === undefined) return undefined;
    const peak = amountsOf((name) => this.#changes.reduce((most, change) => Math.max(most, change[name]), 0));
    const average = this.#average(fromMs, nowMs, last);
    return { last: amountsOf((name) => last[name]), average, peak, cpi: this.#cpi, diskTraffic: this.#diskTraffic };
  }

  /** What was measured in it and how long ago, oldest first; the first one held when it began. */
  changes(nowMs: number): readonly (Amounts & { readonly agoMs: number })[] {
    this.use(nowMs);
    return this.#changes.map(({ sinceMs, ...amounts }) => ({ agoMs: Math.round(Math.min(nowMs - sinceMs, WINDOW_MS)), ...amounts }));
  }

  #average(fromMs: number, nowMs: number, last: Amounts): Amounts {
    const forMs = this.#changes.map(({ sinceMs }, i) => (this.#changes[i + 1]?.sinceMs ?? nowMs) - Math.max(sinceMs, fromMs));
    const wholeMs = forMs.reduce((sum, ms) => sum + ms, 0);
    if (wholeMs === 0) return amountsOf((name) => last[name]);
    return amountsOf((name) => Math.round(this.#changes.reduce((sum, change, i) => sum + change[name] * forMs[i]!, 0) / wholeMs));
  }
}

const amountsOf = (value: (name: keyof Amounts) => number): Amounts => ({
  cpuMilli: value("cpuMilli"),
  ramBytes: value("ramBytes"),
  diskBytes: value("diskBytes"),
});

/** How it is told of a run that it was ended because it took more than its own limit. */
export const OVER_LIMIT = "Killed: used";

/** "128 MiB", "1.5 GiB": for sentences. */
export function bytesWords(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Math.round(amount * 10) / 10} ${units[unit]}`;
}

/** Where nothing else holds a task to its limit, this is why it is ended; with a cgroup the kernel does it. [I9] */
export const overRamWords = (usedBytes: number, limitBytes: number): string =>
  `${OVER_LIMIT} ${bytesWords(usedBytes)} of memory, more than its limit of ${bytesWords(limitBytes)}`;

/** Why a task cannot go on for what is on the disk: its own files, or those that it shares with the others of its alloc. */
export function fullWords(
  order: StartOrder,
  { diskBytes, isTooDeep = false, sharedBytes = 0 }: Sample,
  wholeBytes: number,
): string | undefined {
  const limitBytes = diskBound(order.task?.limit?.diskBytes ?? 0, wholeBytes);
  return overDiskWords(diskBytes, limitBytes, isTooDeep) ?? overSharedWords(order, sharedBytes, wholeBytes);
}

function overSharedWords({ alloc, allocLimit }: StartOrder, usedBytes: number, wholeBytes: number): string | undefined {
  const limitBytes = diskBound(allocLimit?.diskBytes ?? 0, wholeBytes);
  if (alloc === "" || usedBytes <= limitBytes) return undefined;
  return `Killed: the directory of alloc "${alloc}" has ${bytesWords(usedBytes)}, more than the alloc's limit of ${bytesWords(limitBytes)} of disk`;
}

/** Files are looked at after the fact, whoever holds the memory. `isTooDeep`: not all of them could be counted. */
export function overDiskWords(usedBytes: number, limitBytes: number, isTooDeep: boolean): string | undefined {
  if (usedBytes > limitBytes) return `${OVER_LIMIT} ${bytesWords(usedBytes)} of disk, more than its limit of ${bytesWords(limitBytes)}`;
  return isTooDeep ? `Killed: its directories are more than ${DISK_DEPTH_MAX} deep, so what it uses of the disk cannot be told` : undefined;
}
