/** Questions that the API thread has put to other threads, until they are answered or nobody waits any more. */
import { randomUUID } from "node:crypto";
import { CallError } from "../../rpc/call-error.ts";

/** Open at a time; beyond it a call is told to come again. */
const OPEN_MAX = 20_000;

interface Open {
  readonly resolve: (answer: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: CallError) => void;
  readonly timer: NodeJS.Timeout;
}

export class Questions {
  readonly #open = new Map<string, Open>();

  /** `put` sends the question with the id under which its answer will come. */
  ask(withinMs: number, put: (id: string) => void): Promise<Readonly<Record<string, unknown>>> {
    if (this.#open.size >= OPEN_MAX)
      return Promise.reject(new CallError("unavailable", "Too many calls wait for an answer", { retryAfterMs: 500 }));
    const id = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    const late = (): void => {
      this.#open.delete(id);
      reject(new CallError("unknown", "No answer in time: the same request id, sent again, tells the outcome"));
    };
    this.#open.set(id, { resolve, reject, timer: setTimeout(late, withinMs) });
    put(id);
    return promise;
  }

  /** An answer that nobody waits for any more is dropped. */
  answer(body: Readonly<Record<string, unknown>>): void {
    const id = String(body["id"]);
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    clearTimeout(open.timer);
    open.resolve(body);
  }
}
