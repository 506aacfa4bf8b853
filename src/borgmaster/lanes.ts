/**
 * Ops that wait for their entry, in three lanes that the table of ops names: news, then claims, then everything else. Inside
 * a lane it is first come, first served.
 */
import type { Address } from "../base/env.ts";
import type { SealedOp } from "../cell/op.ts";
import { type Lane, laneOf, type OpCase } from "../cell/ops/table.ts";

/** Who gets the answer. Nobody asks for one about a report. */
export type Reply =
  | { readonly kind: "client"; readonly to: Address; readonly id: string }
  | { readonly kind: "scheduler"; readonly to: Address; readonly id: string }
  | { readonly kind: "none" };

export interface WaitingOp extends SealedOp {
  readonly reply: Reply;
}

const ORDER: Readonly<Record<Lane, 0 | 1 | 2>> = { news: 0, claims: 1, rest: 2 };

export class Lanes {
  readonly #lanes: [WaitingOp[], WaitingOp[], WaitingOp[]] = [[], [], []];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#lanes[0].length + this.#lanes[1].length + this.#lanes[2].length;
  }

  /** False when full: the caller answers `unavailable`. The first lane may use a tenth more, so that news gets through. */
  push(waiting: WaitingOp): boolean {
    const lane = ORDER[laneOf(waiting.op)];
    if (this.size >= (lane === 0 ? this.#max * 1.1 : this.#max)) return false;
    this.#lanes[lane].push(waiting);
    return true;
  }

  /** The ops of the next entry, at most so many and so many bytes; at least one if there is one. */
  take(opsMax: number, bytesMax: number): WaitingOp[] {
    const taken: WaitingOp[] = [];
    let bytes = 0;
    for (const lane of this.#lanes) {
      let used = 0;
      for (const waiting of lane) {
        if (taken.length >= opsMax || (taken.length > 0 && bytes + waiting.bytes.length > bytesMax)) break;
        taken.push(waiting);
        bytes += waiting.bytes.length;
        used += 1;
      }
      lane.splice(0, used);
    }
    return taken;
  }

  /** Takes ops of one kind out of the first lane: they were right when they came, and no longer are. */
  drop(kind: OpCase): void {
    this.#lanes[0] = this.#lanes[0].filter(({ op }) => op.body.case !== kind);
  }

  waits(kind: OpCase): boolean {
    return this.#lanes[0].some(({ op }) => op.body.case === kind);
  }

  /** Everything that waits, when this master is no longer the one to do it. */
  drain(): WaitingOp[] {
    return this.#lanes.flatMap((lane) => lane.splice(0));
  }
}
