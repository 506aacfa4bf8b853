/**
 * Ops that wait for their entry, in three lanes: reports and kills, then claims, then everything else. Under overload the
 * machines' news and the wish to stop something come first; inside a lane it is first come, first served.
 */
import type { Address } from "../base/env.ts";
import type { Op } from "../cell/op.ts";
import type { OpCase } from "../cell/ops/users.ts";

/** Who gets the answer. Nobody asks for one about a report. */
export type Reply =
  | { readonly kind: "client"; readonly to: Address; readonly id: string }
  | { readonly kind: "scheduler"; readonly to: Address; readonly id: string }
  | { readonly kind: "none" };

export interface WaitingOp {
  readonly op: Op;
  readonly bytes: number;
  readonly reply: Reply;
}

const FIRST: ReadonlySet<OpCase> = new Set<OpCase>([
  "jobKill",
  "machineJoin",
  "machineLeave",
  "machineFacts",
  "machineMark",
  "machineReport",
  "taskLost",
  "taskEvict",
  "taskExpire",
  "barrier",
]);

const laneOf = (op: Op): 0 | 1 | 2 => (FIRST.has(op.body.case as OpCase) ? 0 : op.body.case === "taskClaims" ? 1 : 2);

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
    const lane = laneOf(waiting.op);
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
        if (taken.length >= opsMax || (taken.length > 0 && bytes + waiting.bytes > bytesMax)) break;
        taken.push(waiting);
        bytes += waiting.bytes;
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
