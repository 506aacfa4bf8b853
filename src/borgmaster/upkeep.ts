/** What a leader does by itself, tick by tick: gives up what does not answer, keeps the cell in order, relieves machines and estimates reservations. What it learnt of machines is forgotten with its lead. */
import type { Env } from "../base/env.ts";
import type { Op } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import type { MasterOptions } from "./defaults.ts";
import { Estimator } from "./estimator.ts";
import { housekeeping } from "./housekeeping.ts";
import type { MachineUsage } from "./message.ts";
import { Reach } from "./reach.ts";
import { Relief } from "./relief.ts";

export class Upkeep {
  readonly #env: Env<never>;
  readonly #settleMs: number;
  readonly #reach: Reach;
  readonly #estimator: Estimator;
  readonly #relief = new Relief();
  #ledSinceMs = 0;

  constructor(env: Env<never>, { reach, estimator, settleMs }: MasterOptions) {
    this.#env = env;
    this.#settleMs = settleMs;
    this.#reach = new Reach(env, reach);
    this.#estimator = new Estimator(env, estimator);
  }

  /** It begins to lead. */
  reset(): void {
    this.#ledSinceMs = this.#env.now();
    this.#reach.reset();
    this.#estimator.reset();
    this.#relief.clear();
  }

  /** A new leader marks nobody unreachable before links had time to come. */
  isEarly({ body }: Op): boolean {
    return body.case === "machineMark" && !body.value.reachable && !this.#isSettled;
  }

  get #isSettled(): boolean {
    return this.#env.now() - this.#ledSinceMs >= this.#settleMs;
  }

  learn(machines: readonly MachineUsage[]): void {
    for (const { usage } of machines) this.#estimator.learn(usage);
    for (const machine of machines) this.#relief.learn(machine);
  }

  /** Whether too much is gone for giving anybody up. */
  freezes(state: CellState): boolean {
    return this.#reach.freezes(state);
  }

  /** `cellMs`: cell time. */
  tick(state: CellState, cellMs: number): Op[] {
    return [
      ...(this.#isSettled ? this.#reach.tick(state) : []),
      ...housekeeping(state, cellMs),
      ...this.#relief.tick(state, this.#env.now()),
      ...this.#estimator.tick(state, cellMs),
    ];
  }
}
