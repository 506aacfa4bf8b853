/** An Env whose clock a test turns by hand; it keeps what was sent and logged. */
import type { Address, Env, TimerHandle } from "../../src/base/env.ts";

export class TestEnv<Out> implements Env<Out> {
  nowMs = 0;
  wallMs = 1_000_000;
  readonly sent: { readonly to: Address; readonly message: Out }[] = [];
  readonly lines: string[] = [];
  readonly timers: { readonly atMs: number; readonly tag: string }[] = [];
  #ids = 0;

  now = (): number => this.nowMs;
  wall = (): number => this.wallMs;
  random = (): number => 0.5;
  id = (): string => `id${++this.#ids}`;
  cancel = (): void => {};
  send = (to: Address, message: Out): void => void this.sent.push({ to, message });
  log = (line: string): void => void this.lines.push(line);

  timer(afterMs: number, tag: string): TimerHandle {
    this.timers.push({ atMs: this.nowMs + afterMs, tag });
    return { tag };
  }

  /** What was sent since the last call. */
  take(): { readonly to: Address; readonly message: Out }[] {
    return this.sent.splice(0);
  }
}
