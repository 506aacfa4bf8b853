/** What clients asked and what they were told, with times of the world. It outlives the clients, and judges nothing itself. */

import type { JobView } from "../borgmaster/message.ts";
import type { Answer } from "../cell/cell.ts";
import type { Op } from "../cell/op.ts";

export type Asked = { readonly type: "mutate"; readonly op: Op } | { readonly type: "read"; readonly job: string };

/** Open: the client heard no final answer. It may have happened, may still happen, or never. */
export type Heard =
  | { readonly type: "open" }
  | { readonly type: "done"; readonly position: number; readonly answer: Answer | undefined }
  | { readonly type: "refused"; readonly position: number | undefined; readonly reason: string }
  | { readonly type: "job"; readonly position: number; readonly found: JobView | undefined };

export interface Call {
  readonly client: string;
  /** The request id, the same in every attempt. */
  readonly id: string;
  readonly asked: Asked;
  readonly invokedMs: number;
  /** Infinity while open. */
  returnedMs: number;
  heard: Heard;
  attempts: number;
}

export class History {
  readonly calls: Call[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  invoke(client: string, id: string, asked: Asked): Call {
    const call: Call = {
      client,
      id,
      asked,
      invokedMs: this.#now(),
      returnedMs: Number.POSITIVE_INFINITY,
      heard: { type: "open" },
      attempts: 0,
    };
    this.calls.push(call);
    return call;
  }

  answer(call: Call, heard: Exclude<Heard, { readonly type: "open" }>): void {
    call.heard = heard;
    call.returnedMs = this.#now();
  }

  /** How many calls ended in which way. */
  count(type: Heard["type"]): number {
    return this.calls.filter((call) => call.heard.type === type).length;
  }
}
