/**
 * Delay scheduling (Mesos §6.3): a map task runs where its block is. An offer elsewhere is declined until the job has waited for so long; then it takes what there
 * is, because one slow task more is better than a job that never ends. Every launch on a machine with the data begins the wait anew.
 */
export interface Block {
  readonly name: string;
  /** Where it is. */
  readonly machines: readonly string[];
}

export class DelayScheduler {
  readonly #waiting: Block[];
  readonly #delayMs: number;
  #sinceMs: number;
  local = 0;
  remote = 0;

  constructor(blocks: readonly Block[], delayMs: number, nowMs: number) {
    this.#waiting = [...blocks];
    this.#delayMs = delayMs;
    this.#sinceMs = nowMs;
  }

  get left(): number {
    return this.#waiting.length;
  }

  /** The block to run on that machine now; undefined: none, or not yet. */
  take(machine: string, nowMs: number): Block | undefined {
    const near = this.#waiting.findIndex(({ machines }) => machines.includes(machine));
    if (near >= 0) {
      this.#sinceMs = nowMs;
      this.local += 1;
    } else if (this.#waiting.length === 0 || nowMs - this.#sinceMs < this.#delayMs) return undefined;
    else this.remote += 1;
    return this.#waiting.splice(Math.max(0, near), 1)[0];
  }

  /** It has to run again. */
  again(block: Block): void {
    this.#waiting.unshift(block);
  }
}
