/**
 * A simulated client: one call at a time, and the same request id again, at another master's API, until there is a final answer. What it
 * asks comes from its workload; what it heard goes into the history.
 */
import type { Actor, Address, Env, TimerHandle } from "../../base/env.ts";
import type { ApiAnswer, ApiCall } from "../../borgmaster/api/message.ts";
import type { Changed } from "../../wire/gen/borg/v1/api_pb.ts";
import { type Asked, attemptId, type Call, type Heard, type History } from "../judge/history.ts";

/** Without an answer for so long, it asks somebody else. The API is told so, and answers a little sooner. */
const ATTEMPT_MS = 3000;
/** After so long it stops asking; request ids are remembered for ten minutes. */
const CALL_MS = 240_000;
const RETRY_MS = 200;
const RETRY_MS_MAX = 5000;

export interface ClientOptions {
  readonly name: string;
  readonly apis: readonly Address[];
  /** The next thing to ask; undefined: nothing just now. */
  readonly next: (id: string) => Asked | undefined;
  /** What came of it. */
  readonly heard?: (asked: Asked, heard: Heard) => void;
  readonly history: History;
  /** Between two calls, on average. */
  readonly thinkMs: number;
}

export class SimulatedClient implements Actor<ApiAnswer> {
  readonly #env: Env<ApiCall>;
  readonly #options: ClientOptions;
  #api = 0;
  #call: Call | undefined;
  #sinceMs = 0;
  #timer: TimerHandle | undefined;

  constructor(env: Env<ApiCall>, options: ClientOptions) {
    this.#env = env;
    this.#options = options;
  }

  start(): void {
    this.#options.history.died(this.#options.name);
    this.#api = Math.floor(this.#env.random() * this.#options.apis.length);
    this.#think();
  }

  onTimer(tag: string): void {
    if (tag === "think") this.#next();
    else if (this.#call !== undefined) {
      this.#api += 1;
      this.#attempt(this.#call);
    }
  }

  /** The answer to an earlier attempt is as good as one to the last. */
  onMessage(_from: Address, answer: ApiAnswer): void {
    const call = this.#call;
    if (call === undefined || !answer.id.startsWith(`${call.id}/`)) return;
    if (answer.type === "failed" && answer.code === "unavailable") call.unavailable.add(answer.id);
    const heard = heardOf(call.asked, answer);
    if (heard !== undefined) this.#done(call, heard);
    else if (answer.id === attemptId(call, call.attempts))
      this.#retryAfter(answer.type === "failed" ? (answer.retryAfterMs ?? RETRY_MS) : RETRY_MS);
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
      this.#options.history.abandon(call);
      this.#call = undefined;
      this.#think();
      return;
    }
    call.attempts += 1;
    const { apis } = this.#options;
    const { user, controller, method, request, requestId, stale } = call.asked;
    this.#env.send(apis[this.#api % apis.length] as Address, {
      type: "call",
      id: attemptId(call, call.attempts),
      method,
      user,
      ...(controller === undefined ? {} : { controller }),
      request,
      requestId,
      stale,
      deadlineMs: ATTEMPT_MS,
    });
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
    this.#options.heard?.(call.asked, heard);
    this.#call = undefined;
    if (this.#timer !== undefined) this.#env.cancel(this.#timer);
    this.#think();
  }
}

/** Undefined: not final, ask again. */
function heardOf({ requestId }: Asked, answer: ApiAnswer): Exclude<Heard, { readonly type: "open" | "gone" }> | undefined {
  const { position } = answer;
  const isRead = requestId === "";
  if (answer.type === "answered") {
    if (isRead) return { type: "read", position, ageMs: answer.ageMs, found: answer.response };
    return { type: "done", position, changed: answer.response as Changed };
  }
  const { code, reason } = answer;
  if (code === "unavailable" || code === "unknown") return undefined;
  if (isRead && code === "not-found") return { type: "read", position, ageMs: undefined, found: undefined };
  return { type: "refused", code, position, reason };
}
