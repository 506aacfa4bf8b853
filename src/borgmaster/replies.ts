/** Tells whoever asked for an op what became of it. The master itself asks for many, and hears nothing. */
import type { Address } from "../base/env.ts";
import type { Outcome } from "../cell/cell.ts";
import type { ToScheduler } from "../scheduler/message.ts";
import { answerClient, answerScheduler } from "./answers.ts";
import type { Reply } from "./lanes.ts";
import type { ClientAnswer } from "./message.ts";

const RETRY_AFTER_MS = 500;

export class Replies {
  readonly #send: (to: Address, answer: ClientAnswer | ToScheduler) => void;

  constructor(send: (to: Address, answer: ClientAnswer | ToScheduler) => void) {
    this.#send = send;
  }

  applied(reply: Reply, position: number, outcome: Outcome): void {
    if (reply.kind === "client") this.#send(reply.to, answerClient(reply.id, position, outcome));
    if (reply.kind === "scheduler") this.#send(reply.to, answerScheduler(reply.id, position, outcome));
  }

  unavailable(reply: Reply, reason: string, retryAfterMs = RETRY_AFTER_MS): void {
    if (reply.kind === "client") this.#send(reply.to, { type: "answer", id: reply.id, result: "unavailable", reason, retryAfterMs });
    if (reply.kind === "scheduler") this.#send(reply.to, { type: "not-claimed", id: reply.id, reason });
  }

  unknown(reply: Reply, reason: string): void {
    if (reply.kind === "client") this.#send(reply.to, { type: "answer", id: reply.id, result: "unknown", reason });
    else this.unavailable(reply, reason);
  }
}
