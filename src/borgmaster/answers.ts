/** What callers are told about an applied op. */
import type { Outcome } from "../cell/cell.ts";
import type { ToScheduler } from "../scheduler/message.ts";
import type { ClientAnswer } from "./message.ts";

/** A repeated request was done where it was done first. */
export function answerClient(id: string, position: number, outcome: Outcome): ClientAnswer {
  if (!outcome.ok) return { type: "answer", id, result: "refused", position, reason: outcome.reason };
  const at = outcome.answer.type === "repeated" ? outcome.answer.position : position;
  return { type: "answer", id, result: "done", position: at, answer: outcome.answer };
}

export function answerScheduler(id: string, position: number, outcome: Outcome): ToScheduler {
  if (!outcome.ok) return { type: "not-claimed", id, reason: outcome.reason };
  const answers = outcome.answer.type === "claims" ? outcome.answer.claims : [];
  return { type: "claimed", id, position, answers };
}
