/** How a machine did in its last reports: some five minutes of them, at one every five seconds. Kept as bare numbers, because a cell has ten thousand machines. */
import { type Init, make } from "../../wire/codec.ts";
import { type MachineMoment, MachineMomentSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Strain } from "../../wire/gen/borg/v1/machine_pb.ts";

/** Beyond it the oldest falls out. */
export const MOMENTS_MAX = 60;
const FIELDS = 5;
/** Of a strain, and of the cores that were waited for: not told. */
const UNTOLD = -1;

export class MachineMoments {
  readonly #times = new Float64Array(MOMENTS_MAX);
  readonly #values = new Float32Array(FIELDS * MOMENTS_MAX);
  #count = 0;

  /** What its tasks use together, and what is told of its host. */
  add(timeMs: number, cpuMilli: number, ramBytes: number, strain: Strain | undefined): void {
    const at = this.#count % MOMENTS_MAX;
    this.#times[at] = timeMs;
    const { cpuWaitingPermille = UNTOLD, ramUsedBytes = UNTOLD, ramBytes: wholeBytes = 0 } = strain ?? {};
    this.#values.set([cpuMilli, ramBytes, cpuWaitingPermille, ramUsedBytes, wholeBytes], FIELDS * at);
    this.#count += 1;
  }

  /** Oldest first. */
  list(): MachineMoment[] {
    const first = Math.max(0, this.#count - MOMENTS_MAX);
    return Array.from({ length: this.#count - first }, (_, i) => this.#at((first + i) % MOMENTS_MAX));
  }

  #at(at: number): MachineMoment {
    const [cpuMilli = 0, ramBytes = 0, waiting = UNTOLD, usedBytes = UNTOLD, wholeBytes = 0] = this.#values.subarray(FIELDS * at);
    const told: Init<typeof MachineMomentSchema> = { timeMs: this.#times[at] ?? 0, cpuMilli, ramBytes };
    if (usedBytes === UNTOLD) return make(MachineMomentSchema, told);
    const ram = { ramUsedBytes: usedBytes, ramBytes: wholeBytes };
    return make(MachineMomentSchema, { ...told, strain: waiting === UNTOLD ? ram : { ...ram, cpuWaitingPermille: waiting } });
  }
}
