/** What clients asked and what they were told, with times of the world. It outlives the clients, and judges nothing itself. */
import type { CellMethod } from "../../borgmaster/api/access.ts";
import type { FailureCode } from "../../borgmaster/api/message.ts";
import type { Changed } from "../../wire/gen/borg/v1/api_pb.ts";

/** A call as its client makes it; every attempt asks for the same. */
export interface Asked {
  readonly user: string;
  /** The instance whose token is shown. */
  readonly controller?: string;
  readonly method: CellMethod;
  readonly request: object;
  /** Empty: a read. */
  readonly requestId: string;
  /** A read that takes any replica's word at once. */
  readonly stale: boolean;
  /** The client had used this request id before, for just this or for something else. */
  readonly again: boolean;
}

/**
 * Open: the client heard no final answer. It may have happened, may still happen, or never. Gone: the same, and nobody waits any more: the client
 * died, or had asked for too long.
 */
export type Heard =
  | { readonly type: "open" }
  | { readonly type: "gone" }
  | { readonly type: "done"; readonly position: number; readonly changed: Changed }
  | { readonly type: "refused"; readonly code: FailureCode; readonly position: number; readonly reason: string }
  /** `found`: undefined when there is no such thing. */
  | { readonly type: "read"; readonly position: number; readonly ageMs: number | undefined; readonly found: object | undefined };

export interface Call {
  readonly client: string;
  readonly id: string;
  readonly asked: Asked;
  readonly invokedMs: number;
  /** Infinity while open. */
  returnedMs: number;
  heard: Heard;
  attempts: number;
  /** Attempts that were told `unavailable`: what they asked for was never done. */
  readonly unavailable: Set<string>;
}

export class History {
  readonly calls: Call[] = [];
  /** Attempts that the network may have delivered twice. */
  readonly twice = new Set<string>();
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
      unavailable: new Set(),
    };
    this.calls.push(call);
    return call;
  }

  answer(call: Call, heard: Exclude<Heard, { readonly type: "open" | "gone" }>): void {
    call.heard = heard;
    call.returnedMs = this.#now();
  }

  /** Nobody waits for its answer any more. */
  abandon(call: Call): void {
    call.heard = { type: "gone" };
  }

  /** A client began anew: it knows nothing of what it had asked. */
  died(client: string): void {
    for (const call of this.calls) if (call.client === client && call.heard.type === "open") this.abandon(call);
  }

  /** The network delivers a message a second time. */
  sentTwice(message: unknown): void {
    const { type, id } = message as { readonly type?: string; readonly id?: string };
    if (type === "call" && id !== undefined) this.twice.add(id);
  }

  /** How many calls ended in which way. */
  count(type: Heard["type"]): number {
    return this.calls.filter((call) => call.heard.type === type).length;
  }
}

export const attemptId = (call: Call, attempt: number): string => `${call.id}/${attempt}`;

/** Attempts of a call that may have been done: one that was told `unavailable` was not, but its twin may have been. */
export function mayBeDone({ twice }: History, call: Call): number {
  let most = 0;
  for (let attempt = 1; attempt <= call.attempts; attempt++) {
    const id = attemptId(call, attempt);
    most += twice.has(id) ? 2 : call.unavailable.has(id) ? 0 : 1;
  }
  return most;
}

/** What the journal knows a request by: ids of different users never meet. */
export const requestKey = (user: string, requestId: string): string => `${user} ${requestId}`;

export const keyOf = ({ asked }: Call): string => requestKey(asked.user, asked.requestId);
