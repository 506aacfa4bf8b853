/**
 * What a call can come to besides an answer, the same on both sides of the wire. Server and client share this file, so it
 * imports nothing: the command line must start quickly. It never says anything about transport.
 */

/**
 * - `refused`: the cell said no, and will again. `not-found`, `not-permitted`, `bad-request`, `too-large`: the same, more exactly.
 * - `unauthenticated`: the cell does not know the caller.
 * - `unavailable`: nothing was done; try again after `retryAfterMs`.
 * - `unknown`: no answer in time, or the answer was lost. A retry with the same request id tells the outcome.
 * - `unreachable`: nobody answers at that address. Only a client says so; nothing was done.
 * - `unimplemented`: the cell has no such method. `cancelled`: the caller no longer wants it. `internal`: a bug of the cell.
 */
export type CallCode = keyof typeof CONNECT_CODES;

/** Each with the code of the Connect protocol that stands for it, one to one but for `unreachable`, which is never read from the wire. */
export const CONNECT_CODES = {
  unreachable: "unavailable",
  refused: "failed_precondition",
  "not-found": "not_found",
  "not-permitted": "permission_denied",
  unauthenticated: "unauthenticated",
  "bad-request": "invalid_argument",
  "too-large": "resource_exhausted",
  unavailable: "unavailable",
  unknown: "deadline_exceeded",
  unimplemented: "unimplemented",
  cancelled: "canceled",
  internal: "internal",
} as const;

const CALL_CODES: ReadonlyMap<string, CallCode> = new Map(
  Object.entries(CONNECT_CODES).map(([code, connect]) => [connect, code as CallCode]),
);

/** A code that this vocabulary does not use comes from something between us and the cell. */
export const callCode = (connect: unknown): CallCode => CALL_CODES.get(String(connect)) ?? "internal";

export interface CallErrorOptions {
  /** What to do next, as a sentence for people. */
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class CallError extends Error {
  readonly code: CallCode;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: CallCode, message: string, options: CallErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CallError";
    this.code = code;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}
