/**
 * Ops of frameworks on their way to the master. One that gets no answer is sent again; an answer counts when the copy of the cell shows what it speaks of, so that
 * nobody acts on less than was decided. When the master does not lead any more, all of them are told so.
 */
import type { Answer } from "../cell/answer.ts";
import { encodeOp, masterOp, userOp } from "../cell/op.ts";
import type { Init } from "../wire/codec.ts";
import type { OpSchema } from "../wire/gen/borg/v1/op_pb.ts";

export type OpBody = NonNullable<Init<typeof OpSchema>["body"]>;

/** What the master says to an op. */
export type OpAnswer =
  | { readonly id: string; readonly result: "done"; readonly position: number; readonly answer: Answer }
  | { readonly id: string; readonly result: "refused"; readonly position: number; readonly reason: string }
  | { readonly id: string; readonly result: "unavailable"; readonly reason: string; readonly retryAfterMs: number }
  | { readonly id: string; readonly result: "unknown"; readonly reason: string };

export type Decided =
  | { readonly kind: "done"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly reason: string }
  /** Nobody knows whether it was done: this master does not lead, or does not answer. */
  | { readonly kind: "gone"; readonly reason: string };

export interface AskingHost {
  now(): number;
  id(): string;
  /** The position that the copy of the cell is at. */
  position(): number;
  request(id: string, op: Uint8Array): void;
  timer(afterMs: number, tag: string): void;
}

/** Answers to requests and timers with this before their names are ours. */
export const ASK_PREFIX = "offers/";

const RESEND_MS = 1_000;
const GIVE_UP_MS = 8_000;

interface Pending {
  readonly op: Uint8Array;
  readonly sinceMs: number;
  readonly take: (decided: Decided) => void;
}

interface Waiting {
  readonly position: number;
  readonly go: () => void;
}

export class Asking {
  readonly #host: AskingHost;
  readonly #pending = new Map<string, Pending>();
  #waiting: Waiting[] = [];
  #last = 0;

  constructor(host: AskingHost) {
    this.#host = host;
  }

  /** `once`: doing it twice would do something else, so the cell remembers it. */
  ask(user: string, body: OpBody, once: boolean, take: (decided: Decided) => void): void {
    this.#begin(encodeOp(userOp(user, once ? this.#host.id() : "", body)), take);
  }

  /** The master's own. Only what is done already when it is sent twice. */
  askAsMaster(body: OpBody, take: (decided: Decided) => void): void {
    this.#begin(encodeOp(masterOp(body)), take);
  }

  #begin(op: Uint8Array, take: (decided: Decided) => void): void {
    this.#last += 1;
    const id = `${ASK_PREFIX}${this.#last}`;
    this.#pending.set(id, { op, sinceMs: this.#host.now(), take });
    this.#send(id, op);
  }

  #send(id: string, op: Uint8Array): void {
    this.#host.request(id, op);
    this.#host.timer(RESEND_MS, id);
  }

  told(answer: OpAnswer): void {
    const { id } = answer;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    // It was not appended: the timer that is set already sends it again.
    if (answer.result === "unavailable" && this.#host.now() - pending.sinceMs < GIVE_UP_MS) return;
    this.#pending.delete(id);
    if (answer.result === "done") this.#reached(answer.position, () => pending.take({ kind: "done", answer: answer.answer }));
    else if (answer.result === "refused") this.#reached(answer.position, () => pending.take({ kind: "refused", reason: answer.reason }));
    else pending.take({ kind: "gone", reason: answer.reason });
  }

  #reached(position: number, go: () => void): void {
    if (position <= this.#host.position()) go();
    else this.#waiting.push({ position, go });
  }

  /** The copy got further. */
  moved(): void {
    const position = this.#host.position();
    const due = this.#waiting.filter((each) => each.position <= position);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => each.position > position);
    for (const { go } of due) go();
  }

  onTimer(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (this.#host.now() - pending.sinceMs < GIVE_UP_MS) return this.#send(id, pending.op);
    this.#pending.delete(id);
    pending.take({ kind: "gone", reason: "The master does not answer" });
  }

  /** Another master leads, or this one anew. */
  clear(): void {
    this.#pending.clear();
    this.#waiting = [];
  }
}
