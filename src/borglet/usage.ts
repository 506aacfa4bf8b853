/** The last five minutes of one instance's use, change by change, and whether it is above its memory limit. Silence means: as before. */
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
}

interface Movement extends Amounts {
  readonly sinceMs: number;
}

export class UsageWindow {
  #changes: Movement[] = [];
  #over = 0;
  #clearly = 0;

  add(nowMs: number, used: Amounts, ramLimit: number): void {
    const cpuMilli = Math.max(0, Math.round(used.cpuMilli));
    const ramBytes = Math.max(0, Math.round(used.ramBytes));
    this.#changes.push({ sinceMs: nowMs, cpuMilli, ramBytes });
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
    const peak = { cpuMilli: 0, ramBytes: 0 };
    for (const { cpuMilli, ramBytes } of this.#changes) {
      peak.cpuMilli = Math.max(peak.cpuMilli, cpuMilli);
      peak.ramBytes = Math.max(peak.ramBytes, ramBytes);
    }
    const { cpuMilli, ramBytes } = last;
    return { last: { cpuMilli, ramBytes }, average: this.#average(fromMs, nowMs, last), peak };
  }

  #average(fromMs: number, nowMs: number, last: Amounts): Amounts {
    let [cpu, ram, wholeMs] = [0, 0, 0];
    for (const [i, change] of this.#changes.entries()) {
      const ms = (this.#changes[i + 1]?.sinceMs ?? nowMs) - Math.max(change.sinceMs, fromMs);
      cpu += change.cpuMilli * ms;
      ram += change.ramBytes * ms;
      wholeMs += ms;
    }
    if (wholeMs === 0) return { cpuMilli: last.cpuMilli, ramBytes: last.ramBytes };
    return { cpuMilli: Math.round(cpu / wholeMs), ramBytes: Math.round(ram / wholeMs) };
  }
}

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
  `Killed: used ${bytesWords(usedBytes)} of memory, more than its limit of ${bytesWords(limitBytes)}`;
