/** When the checks of tasks are asked, one after the other: the questions. What follows from the answers is the borglet's. */
import type { Env } from "../base/env.ts";
import { HealthWatch } from "./health.ts";
import type { Kept, Memory } from "./kept.ts";
import type { Live } from "./live.ts";
import type { About, BorgletMachine } from "./machine.ts";

export class CheckRounds {
  readonly #env: Pick<Env<never>, "now" | "timer">;
  readonly #machine: Pick<BorgletMachine, "check">;
  readonly #memory: Memory;
  readonly #lives: ReadonlyMap<string, Live>;

  constructor(
    env: Pick<Env<never>, "now" | "timer">,
    machine: Pick<BorgletMachine, "check">,
    memory: Memory,
    lives: ReadonlyMap<string, Live>,
  ) {
    this.#env = env;
    this.#machine = machine;
    this.#memory = memory;
    this.#lives = lives;
  }

  /** A run of it was seen alive. */
  begin(kept: Kept, live: Live, isAdopted: boolean): void {
    const { health, ready } = kept.order.task ?? {};
    if (health !== undefined) live.health = new HealthWatch(health, live.sinceMs, "health", isAdopted);
    if (ready !== undefined) live.ready = new HealthWatch(ready, live.sinceMs, "ready", isAdopted);
    for (const about of ["health", "ready"] as const) this.askLater(about, kept, live);
  }

  askLater(about: About, { order, run }: Kept, live: Live): void {
    const watch = live[about];
    if (watch !== undefined) this.#env.timer(watch.intervalMs(this.#env.now()), `${about} ${run} ${order.instance}`);
  }

  ask(about: About, instance: string, run: number): void {
    const kept = this.#memory.instances.get(instance);
    const watch = this.#lives.get(instance)?.[about];
    if (kept?.run !== run || kept.phase !== "running" || watch === undefined) return;
    const { order } = kept;
    const question = watch.question((port) => order.ports[order.task?.ports.indexOf(port) ?? -1]);
    if (question !== undefined) this.#machine.check(order, run, about, question);
  }
}
