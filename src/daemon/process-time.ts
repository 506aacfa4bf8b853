/**
 * A moment that one thread tells another. Each thread counts its own milliseconds, so what goes between them is counted by the clock that all of them share: a letter that
 * lay in a queue, or a process that was stopped, must not make a lease look younger than it is.
 */
import type { ToLink } from "../borgmaster/message.ts";

export type LeaseLetter = Extract<ToLink, { readonly type: "lease" }>;

export const isLease = (message: object): message is LeaseLetter => "type" in message && message.type === "lease";

const NANOS = 1e6;
const processMs = (): number => Number(process.hrtime.bigint()) / NANOS;

export const inProcessTime = (letter: LeaseLetter): LeaseLetter => ({
  ...letter,
  untilMs: letter.untilMs - performance.now() + processMs(),
});

export const inThreadTime = (letter: LeaseLetter): LeaseLetter => ({
  ...letter,
  untilMs: letter.untilMs - processMs() + performance.now(),
});
