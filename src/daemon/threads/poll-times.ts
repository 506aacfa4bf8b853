/** How often machines are really polled: for each that is linked the time between its last two polls, or since the last one where that is longer already. For people. */

interface Polled {
  lastMs: number;
  betweenMs: number;
}

export interface PollPace {
  /** 0: no machine was polled twice yet. */
  readonly pollMsMedian: number;
  readonly pollMsMax: number;
}

export class PollTimes {
  readonly #polled = new Map<string, Polled>();

  polled(machine: string, nowMs: number): void {
    const found = this.#polled.get(machine);
    if (found === undefined) this.#polled.set(machine, { lastMs: nowMs, betweenMs: 0 });
    else [found.betweenMs, found.lastMs] = [nowMs - found.lastMs, nowMs];
  }

  /** Its link is closed. */
  gone(machine: string): void {
    this.#polled.delete(machine);
  }

  pace(nowMs: number): PollPace {
    const all = [...this.#polled.values()].map(({ lastMs, betweenMs }) => Math.max(betweenMs, nowMs - lastMs)).sort((a, b) => a - b);
    return { pollMsMedian: all[Math.floor(all.length / 2)] ?? 0, pollMsMax: all.at(-1) ?? 0 };
  }
}
