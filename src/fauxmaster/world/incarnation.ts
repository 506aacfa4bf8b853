/** One life of a process: its actors, their Envs, and what waits while it is paused. Everything ends with it. */
import type { Actor, Address, Env, TimerHandle } from "../../base/env.ts";
import type { Event, Kernel } from "./kernel.ts";
import type { Network } from "./network.ts";
import { probeName } from "./probe.ts";
import { BACKLOG_MAX, type Birth, type Factory, type Process, SHELL } from "./process.ts";

export interface Life {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly process: Process;
  readonly number: number;
}

type Kind = "message" | "timer" | "callback";

interface Waiting {
  readonly kind: Kind;
  readonly to: Address;
  readonly from: Address;
  readonly detail: unknown;
  readonly act: () => void;
}

export class Incarnation implements Birth {
  readonly life: Life;
  readonly process: string;
  readonly incarnation: number;
  #alive = true;
  #actors: ReadonlyMap<Address, Actor<never>> = new Map();
  #backlog: Waiting[] = [];
  /** When the last message of each pair inside this process arrives: they never overtake each other. */
  readonly #lastLocalMs = new Map<Address, Map<Address, number>>();

  constructor(life: Life) {
    this.life = life;
    this.process = life.process.name;
    this.incarnation = life.number;
  }

  begin(factory: Factory): void {
    this.#actors = factory(this);
    for (const address of this.#actors.keys()) this.life.network.claim(address, this.process);
    for (const [address, actor] of this.#actors) {
      this.#run({ kind: "callback", to: address, from: "", detail: "start", act: () => actor.start() });
    }
  }

  end(): void {
    this.#alive = false;
    this.#backlog = [];
    this.#actors = new Map();
  }

  envFor(address: Address): Env<unknown> {
    return new SimulatedEnv(this, address);
  }

  callback<A extends readonly unknown[]>(what: string, act: (...args: A) => void): (...args: A) => void {
    return (...args) => this.enter({ kind: "callback", to: this.process, from: "", detail: args[0] ?? what, act: () => act(...args) });
  }

  deliver(to: Address, from: Address, message: unknown): void {
    this.enter({ kind: "callback", to, from, detail: message, act: () => this.#hand(to, from, message) });
  }

  receive(to: Address, from: Address, message: unknown): void {
    if (this.#backlog.length >= BACKLOG_MAX) {
      this.life.kernel.faults.add("pause.overflow");
      return;
    }
    this.enter({ kind: "message", to, from, detail: message, act: () => this.#hand(to, from, message) });
  }

  /** Runs now, after the pause, or (this life is over) never. */
  enter(waiting: Waiting): void {
    if (!this.#alive) this.life.kernel.faults.add("epoch.dropped");
    else if (this.life.process.paused || this.#backlog.length > 0) this.#backlog.push(waiting);
    else this.#run(waiting);
  }

  /** After a pause: what waited, in the order of its arrival; or timers first, as an event loop may have it. */
  drain(timersFirst: boolean): void {
    const waiting = this.#backlog;
    if (timersFirst) this.#backlog = [...waiting.filter((w) => w.kind === "timer"), ...waiting.filter((w) => w.kind !== "timer")];
    this.#drainNext();
  }

  send(from: Address, to: Address, message: unknown): void {
    if (!this.#alive) return;
    if (to === SHELL) this.#toShell(from, message);
    else if (this.#actors.has(to)) this.#sendLocally(from, to, message);
    else this.life.network.send(this.life.process, from, to, message);
  }

  #drainNext(): void {
    const next = this.#backlog[0];
    if (next === undefined || !this.#alive || this.life.process.paused) return;
    this.#run(next);
    // What arrives while this runs goes behind it: the head leaves only now.
    this.#backlog.shift();
    if (this.#backlog.length > 0) this.life.kernel.after(0, () => this.#drainNext());
  }

  #sendLocally(from: Address, to: Address, message: unknown): void {
    const { kernel, process: owner } = this.life;
    let last = this.#lastLocalMs.get(from);
    if (last === undefined) {
      last = new Map();
      this.#lastLocalMs.set(from, last);
    }
    const atMs = Math.max(last.get(to) ?? 0, kernel.nowMs + owner.random.int(0, 2));
    last.set(to, atMs);
    kernel.at(atMs, () => this.enter({ kind: "callback", to, from, detail: message, act: () => this.#hand(to, from, message) }));
  }

  #toShell(from: Address, message: unknown): void {
    const { type, reason } = message as { readonly type?: string; readonly reason?: string };
    this.life.kernel.note("shell", this.process, from, message);
    if (type !== "exit") return;
    this.life.kernel.after(0, () => {
      if (this.#alive) this.life.process.exit(reason ?? "No reason given");
    });
  }

  #hand(to: Address, from: Address, message: unknown): void {
    const actor = this.#actors.get(to) as Actor<unknown> | undefined;
    if (actor === undefined) this.life.kernel.faults.add("net.no-actor");
    else actor.onMessage(from, message);
  }

  #run({ kind, to, from, detail, act }: Waiting): void {
    this.life.kernel.note(kind, to, from, detail);
    try {
      act();
    } catch (error) {
      this.life.process.threw(to, error);
    }
  }

  timer(address: Address, timer: SimulatedTimer): void {
    const { kernel, process: owner } = this.life;
    const lateMs = owner.random.chance(0.9) ? 0 : owner.random.int(0, 20);
    const waitMs = owner.clock.worldMs(Math.max(0, timer.dueMs - owner.clock.monotonic(kernel.nowMs)));
    timer.event = kernel.after(waitMs + lateMs, () => this.#ring(address, timer));
  }

  #ring(address: Address, timer: SimulatedTimer): void {
    const { kernel, process: owner } = this.life;
    if (!this.#alive) return;
    // The clock was slowed down meanwhile: not yet.
    if (owner.clock.monotonic(kernel.nowMs) < timer.dueMs) {
      this.timer(address, timer);
      return;
    }
    const ring = () => {
      if (!timer.cancelled) (this.#actors.get(address) as Actor<unknown> | undefined)?.onTimer(timer.tag);
    };
    this.enter({ kind: "timer", to: address, from: "", detail: timer.tag, act: ring });
  }
}

class SimulatedTimer implements TimerHandle {
  readonly tag: string;
  readonly dueMs: number;
  cancelled = false;
  event: Event | undefined;

  constructor(tag: string, dueMs: number) {
    this.tag = tag;
    this.dueMs = dueMs;
  }
}

class SimulatedEnv implements Env<unknown> {
  readonly #incarnation: Incarnation;
  readonly #life: Life;
  readonly #address: Address;

  constructor(incarnation: Incarnation, address: Address) {
    this.#incarnation = incarnation;
    this.#life = incarnation.life;
    this.#address = address;
  }

  now(): number {
    return this.#life.process.clock.monotonic(this.#life.kernel.nowMs);
  }

  wall(): number {
    return this.#life.process.clock.wall(this.#life.kernel.nowMs);
  }

  random(): number {
    return this.#life.process.random.float();
  }

  /** 96 random bits: no two are the same in any world we shall ever run. */
  id(): string {
    const { random } = this.#life.process;
    return [random.uint32(), random.uint32(), random.uint32()].map((word) => word.toString(16).padStart(8, "0")).join("");
  }

  timer(afterMs: number, tag: string): TimerHandle {
    const timer = new SimulatedTimer(tag, this.now() + Math.ceil(afterMs));
    this.#incarnation.timer(this.#address, timer);
    return timer;
  }

  cancel(timer: TimerHandle): void {
    const simulated = timer as SimulatedTimer;
    simulated.cancelled = true;
    simulated.event?.cancel();
  }

  send(to: Address, message: unknown): void {
    this.#incarnation.send(this.#address, to, message);
  }

  log(line: string): void {
    const probe = probeName(line);
    if (probe !== undefined) this.#life.kernel.probes.add(probe);
    this.#life.kernel.note("log", this.#address, "", line);
  }
}
