/**
 * A simulated operating-system process: the unit that crashes, pauses and restarts. It holds several actors, made anew
 * by its factory at every start, and one pair of clocks. What a dead incarnation started (timers, messages to itself,
 * journal answers) never arrives.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import type { Random } from "../../base/random.ts";
import { Clock } from "./clock.ts";
import { Incarnation } from "./incarnation.ts";
import type { Kernel } from "./kernel.ts";
import type { Network } from "./network.ts";

/** An actor asks for the end of its process: `env.send(SHELL, { type: "exit", reason })`. A supervisor starts it again. */
export const SHELL: Address = "shell";
/** Deliveries that wait for a paused process; beyond this messages are lost, as from a full socket. */
export const BACKLOG_MAX = 20_000;

/** What a factory gets to make its actors with. */
export interface Birth {
  readonly process: string;
  readonly incarnation: number;
  envFor(address: Address): Env<unknown>;
  /** Wraps a callback: it runs as part of this incarnation (late after a pause, never after its death), and a throw is reported. */
  callback<A extends readonly unknown[]>(what: string, act: (...args: A) => void): (...args: A) => void;
  /** Hands a message to one of this process's actors now, as a callback would. */
  deliver(to: Address, from: Address, message: unknown): void;
}

/** Called at every start. Actors are started in the order of the map. */
export type Factory = (birth: Birth) => ReadonlyMap<Address, Actor<never>>;

export interface ProcessOptions {
  readonly name: string;
  readonly factory: Factory;
  /** Told after every death; `power`: the whole host lost power. */
  readonly onDeath?: (power: boolean) => void;
  /** Told why, when it goes by itself. */
  readonly onExit?: (reason: string) => void;
  /** Faults of the world that a factory may throw without being wrong, e.g. a disk error: the supervisor tries again. */
  readonly mayFail?: (error: unknown) => boolean;
}

/** How long a supervisor waits before it starts a process again that went by itself. */
const SUPERVISOR_MIN_MS = 200;
const SUPERVISOR_MAX_MS = 3000;

export class Process {
  readonly name: string;
  readonly clock = new Clock();
  readonly random: Random;
  readonly #kernel: Kernel;
  readonly #network: Network;
  readonly #options: ProcessOptions;
  #incarnation: Incarnation | undefined;
  #incarnations = 0;
  #pausedUntilMs = 0;

  constructor(kernel: Kernel, network: Network, options: ProcessOptions) {
    this.name = options.name;
    this.random = kernel.streams.of(`process/${options.name}`);
    this.#kernel = kernel;
    this.#network = network;
    this.#options = options;
    network.attach(this);
  }

  get alive(): boolean {
    return this.#incarnation !== undefined;
  }

  get paused(): boolean {
    return this.#kernel.nowMs < this.#pausedUntilMs;
  }

  /** Rises with every start. */
  get incarnation(): number {
    return this.#incarnations;
  }

  start(): void {
    if (this.alive) return;
    this.#incarnations += 1;
    this.clock.restart(this.#kernel.nowMs, this.random.int(0, 10_000));
    this.#kernel.note("start", this.name, "", `incarnation ${this.#incarnations}`);
    const incarnation = new Incarnation({ kernel: this.#kernel, network: this.#network, process: this, number: this.#incarnations });
    this.#incarnation = incarnation;
    try {
      incarnation.begin(this.#options.factory);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Ends at once, wherever it is. `power`: so does its host. */
  crash(power = false): void {
    if (!this.alive) return;
    this.#kernel.note("crash", this.name, "", power ? "power" : "kill");
    this.#end(power);
  }

  /** It goes by itself, and is started again soon. */
  exit(reason: string): void {
    if (!this.alive) return;
    this.#kernel.note("exit", this.name, "", reason);
    this.#options.onExit?.(reason);
    this.#end(false);
    const waitMs = this.#kernel.streams.of("supervisor").int(SUPERVISOR_MIN_MS, SUPERVISOR_MAX_MS);
    this.#kernel.after(waitMs, () => this.start());
  }

  /** Stops for a while, as under SIGSTOP: everything that arrives meanwhile is seen afterwards, late. */
  pause(ms: number): void {
    if (!this.alive) return;
    this.#kernel.note("pause", this.name, "", `${ms} ms`);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#kernel.nowMs + ms);
    this.#kernel.at(this.#pausedUntilMs, () => this.resume());
  }

  resume(): void {
    if (!this.alive || this.#pausedUntilMs === 0 || this.paused) return;
    this.#pausedUntilMs = 0;
    this.#kernel.note("resume", this.name, "", undefined);
    this.#incarnation?.drain(this.#kernel.streams.of("faults/pause").chance(0.5));
  }

  /** Ends a pause before its time. */
  wake(): void {
    if (this.paused) this.#pausedUntilMs = this.#kernel.nowMs;
    this.resume();
  }

  /** A message from the network. */
  receive(to: Address, from: Address, message: unknown): void {
    if (this.#incarnation === undefined) this.#kernel.faults.add("net.to-dead");
    else this.#incarnation.receive(to, from, message);
  }

  /** An exception out of an actor is a bug, whatever the world did to it. */
  threw(where: Address, error: unknown): void {
    this.#kernel.violate({ id: "throw", text: `"${where}" threw ${words(error)}`, cause: error });
  }

  #failed(error: unknown): void {
    if (this.#options.mayFail?.(error) === true) this.exit(`Cannot start: ${words(error)}`);
    else this.threw(this.name, error);
  }

  #end(power: boolean): void {
    this.#incarnation?.end();
    this.#incarnation = undefined;
    this.#pausedUntilMs = 0;
    this.#options.onDeath?.(power);
  }
}

const words = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
