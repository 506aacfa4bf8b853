/** Random numbers by concern: one more draw in the network does not shift what the workload or the disks draw. */
import { Random } from "../../base/random.ts";

/** The concerns of a world; processes and machines have streams of their own, under their names. */
export type Concern = "options" | "workload" | "net" | "disk" | "store" | "clock" | "faults" | "usage" | "supervisor" | (string & {});

export class Streams {
  readonly #seed: number;
  readonly #streams = new Map<Concern, Random>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  of(concern: Concern): Random {
    let stream = this.#streams.get(concern);
    if (stream === undefined) {
      stream = new Random(this.#seed, concern);
      this.#streams.set(concern, stream);
    }
    return stream;
  }
}
