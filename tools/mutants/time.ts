/** Bugs in cell time and versions, and in who is left waiting. */
import type { Mutant } from "./mutant.ts";

export const TIME_BUGS: readonly Mutant[] = [
  {
    name: "cell time stands still",
    file: "src/borgmaster/cell-clock.ts",
    text: "this.#timeMs + Math.floor(this.#env.now() - this.#shownMs)",
    replacement: "this.#timeMs",
    caughtBy: ["KS3", "KS4"],
  },
  {
    name: "gangs never planned",
    file: "src/scheduler/pass.ts",
    text: "(isGang(line.face) ? this.#gang(line) : this.#some(line))",
    replacement: "!isGang(line.face) && this.#some(line)",
    caughtBy: ["KS3", "KS4"],
  },
  {
    name: "no victims found",
    file: "src/scheduler/evict/preempt.ts",
    text: "return victims === undefined ? undefined : measured(spare(mirror, need, place, victims, freed));",
    replacement: "return undefined;",
    caughtBy: ["KS4"],
  },
  {
    name: "version raised before all can do it",
    file: "src/borgmaster/lease.ts",
    text: "return masters < this.#options.replicas ? 0 : Math.min(lowest, this.#options.versionMax);",
    replacement: "return masters < 0 ? lowest : this.#options.versionMax;",
    caughtBy: ["KD7"],
  },
];
