/**
 * A simulated client: one call at a time, and the same request id again, at another master, until there is a final answer. What it
 * asks comes from its workload; what it heard goes into the history.
 */
import type { Actor, Address, Env, TimerHandle } from "../base/env.ts";
import type { ClientAnswer, ClientRequest } from "../borgmaster/message.ts";
import type { Asked, Call, History } from "./history.ts";

/** Without an answer for so long, it asks somebody else. */
const ATTEMPT_MS = 3000;
/** After so long it stops asking; request ids are remembered for ten minutes. */
const CALL_MS = 240_000;
const RETRY_MS = 200;
const RETRY_MS_MAX = 5000;

export interface ClientOptions {
  readonly name: string;
  readonly masters: readonly Address[];
  /** The next thing to ask; undefined: nothing just now. */
  readonly next: (id: string) => Asked | undefined;
  readonly history: History;
  /** Between two calls, on average. */
  readonly thinkMs: number;
}

export class SimulatedClient implements Actor<ClientAnswer> {
  readonly #env: Env<ClientRequest>;
  readonly #options: ClientOptions;
  #master = 0;
  #call: Call | undefined;
  #sinceMs = 0;
  #timer: TimerHandle | undefined;

  constructor(env: Env<ClientRequest>, options: ClientOptions) {
    this.#env = env;
    this.#options = options;
  }

  start(): void {
    this.#master = Math.floor(this.#env.random() * this.#options.masters.length);
    this.#think();
  }

  onTimer(tag: string): void {
    if (tag === "think") this.#next();
    else if (this.#call !== undefined) {
      this.#master += 1;
      this.#attempt(this.#call);
    }
  }

  onMessage(_from: Address, message: ClientAnswer): void {
    const call = this.#call;
    if (call === undefined || message.id !== call.id) return;
    if (message.type === "job") this.#done(call, { type: "job", position: message.position, found: message.found });
    else if (message.type === "not-read") this.#retryAfter(message.retryAfterMs);
    else if (message.result === "done") this.#done(call, { type: "done", position: message.position, answer: message.answer });
    else if (message.result === "refused") this.#done(call, { type: "refused", position: message.position, reason: message.reason });
    else this.#retryAfter(message.result === "unavailable" ? message.retryAfterMs : RETRY_MS);
  }

  #think(): void {
    this.#env.timer(1 + this.#env.random() * 2 * this.#options.thinkMs, "think");
  }

  #next(): void {
    const id = this.#env.id();
    const asked = this.#options.next(id);
    if (asked === undefined) {
      this.#think();
      return;
    }
    this.#call = this.#options.history.invoke(this.#options.name, id, asked);
    this.#sinceMs = this.#env.now();
    this.#attempt(this.#call);
  }

  #attempt(call: Call): void {
    if (this.#env.now() - this.#sinceMs > CALL_MS) {
      this.#env.log("No answer for too long");
      this.#call = undefined;
      this.#think();
      return;
    }
    call.attempts += 1;
    const { masters } = this.#options;
    const master = masters[this.#master % masters.length] as Address;
    const { asked, id } = call;
    this.#env.send(master, asked.type === "read" ? { type: "read-job", id, job: asked.job } : { type: "request", id, op: asked.op });
    this.#again(ATTEMPT_MS);
  }

  #retryAfter(ms: number): void {
    this.#again(Math.min(RETRY_MS_MAX, Math.max(RETRY_MS, ms) * (0.5 + this.#env.random())));
  }

  #again(ms: number): void {
    if (this.#timer !== undefined) this.#env.cancel(this.#timer);
    this.#timer = this.#env.timer(ms, "attempt");
  }

  #done(call: Call, heard: Parameters<History["answer"]>[1]): void {
    this.#options.history.answer(call, heard);
    this.#call = undefined;
    if (this.#timer !== undefined) this.#env.cancel(this.#timer);
    this.#think();
  }
}
