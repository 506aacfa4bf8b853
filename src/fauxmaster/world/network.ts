/**
 * The network between processes: every message is delayed; it may be lost, doubled, overtaken, cut off or held. Messages are
 * opaque values that nobody changes. Without faults it is like a set of good connections: nothing is lost, and what one process
 * sends another stays in order.
 */
import type { Address } from "../../base/env.ts";
import type { Random } from "../../base/random.ts";
import type { Kernel } from "./kernel.ts";

/** Chances per message. */
export interface Weather {
  readonly loss: number;
  readonly duplicate: number;
  readonly reorder: number;
  /** The chance that a message takes `slowMsMax` at worst. */
  readonly slow: number;
  readonly slowMsMax: number;
}

export const FAIR: Weather = { loss: 0, duplicate: 0, reorder: 0, slow: 0, slowMsMax: 0 };

/** Messages that one held cut keeps; what comes on top is lost. */
const HELD_MAX = 5000;
/** A process that died takes what it had sent last down with it, half of the time. */
const LOST_WITH_SENDER = 0.5;

/** A process, as the network sees it. */
export interface Endpoint {
  readonly name: string;
  readonly alive: boolean;
  readonly incarnation: number;
  receive(to: Address, from: Address, message: unknown): void;
}

export interface CutOptions {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly bothWays: boolean;
  /** Messages wait until the cut ends, as on a connection that hangs, instead of being lost. */
  readonly hold?: boolean;
}

export class Cut {
  readonly #from: ReadonlySet<string>;
  readonly #to: ReadonlySet<string>;
  readonly #bothWays: boolean;
  readonly hold: boolean;
  readonly held: (() => void)[] = [];

  constructor({ from, to, bothWays, hold = false }: CutOptions) {
    this.#from = new Set(from);
    this.#to = new Set(to);
    this.#bothWays = bothWays;
    this.hold = hold;
  }

  between(from: string, to: string): boolean {
    return (this.#from.has(from) && this.#to.has(to)) || (this.#bothWays && this.#from.has(to) && this.#to.has(from));
  }
}

/** One direction between two processes. */
interface Route {
  readonly baseMs: number;
  readonly jitterMs: number;
  lastMs: number;
}

export class Network {
  /** Told of every message that is sent a second time. */
  onTwice: (message: unknown) => void = () => {};
  weather: Weather = FAIR;
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #owners = new Map<Address, string>();
  readonly #routes = new Map<string, Map<string, Route>>();
  readonly #cuts = new Set<Cut>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = kernel.streams.of("net");
  }

  attach(endpoint: Endpoint): void {
    this.#endpoints.set(endpoint.name, endpoint);
    this.claim(endpoint.name, endpoint.name);
  }

  /** From now on this address is of that process. */
  claim(address: Address, owner: string): void {
    this.#owners.set(address, owner);
  }

  send(sender: Endpoint, from: Address, to: Address, message: unknown): void {
    const receiver = this.#ownerOf(to);
    if (receiver === undefined) {
      this.#kernel.faults.add("net.nobody");
      return;
    }
    if (this.#hits(this.weather.loss, "net.lost")) return;
    this.#carry(sender, receiver, from, to, message);
    if (!this.#hits(this.weather.duplicate, "net.duplicated")) return;
    this.onTwice(message);
    this.#carry(sender, receiver, from, to, message, true);
  }

  /** Stops messages between two sets of processes until `lift`; also those under way. */
  cut(options: CutOptions): Cut {
    const cut = new Cut(options);
    this.#cuts.add(cut);
    this.#kernel.note("cut", options.to.join(" "), options.from.join(" "), options.bothWays ? "both ways" : "one way");
    return cut;
  }

  lift(cut: Cut): void {
    if (!this.#cuts.delete(cut)) return;
    this.#kernel.note("lift", "", "", `${cut.held.length} held`);
    for (const go of cut.held.splice(0)) go();
  }

  /** No cuts, and fair weather. What is under way arrives late as it will. */
  heal(): void {
    this.weather = FAIR;
    for (const cut of [...this.#cuts]) this.lift(cut);
  }

  isCut(from: string, to: string): boolean {
    return this.#cutBetween(from, to) !== undefined;
  }

  #carry(sender: Endpoint, receiver: Endpoint, from: Address, to: Address, message: unknown, late = false): void {
    const { incarnation } = sender;
    const arrive = () => {
      if (this.#stopped(sender.name, receiver.name, arrive)) return;
      const senderGone = !sender.alive || sender.incarnation !== incarnation;
      if (senderGone && this.#hits(LOST_WITH_SENDER, "net.lost-with-sender")) return;
      receiver.receive(to, from, message);
    };
    if (this.#stopped(sender.name, receiver.name, arrive)) return;
    this.#kernel.at(this.#arrivalMs(sender.name, receiver.name, late), arrive);
  }

  /** Whether a cut keeps a message from going on; if it only holds it, `go` is called when the cut ends. */
  #stopped(from: string, to: string, go: () => void): boolean {
    const cut = this.#cutBetween(from, to);
    if (cut === undefined) return false;
    const holds = cut.hold && cut.held.length < HELD_MAX;
    if (holds) cut.held.push(() => this.#kernel.after(this.#random.int(0, 50), go));
    this.#kernel.faults.add(holds ? "net.held" : "net.cut");
    return true;
  }

  #cutBetween(from: string, to: string): Cut | undefined {
    for (const cut of this.#cuts) if (cut.between(from, to)) return cut;
    return undefined;
  }

  #arrivalMs(from: string, to: string, late: boolean): number {
    const route = this.#route(from, to);
    const random = this.#random;
    // Squared, so that most are quick and a few are not.
    let delayMs = route.baseMs + Math.floor(random.float() ** 2 * route.jitterMs);
    if (late) delayMs += random.int(0, 3000);
    if (this.#hits(this.weather.slow, "net.slow")) delayMs += random.int(0, this.weather.slowMsMax);
    const atMs = this.#kernel.nowMs + delayMs;
    if (late || this.#hits(this.weather.reorder, "net.reordered")) return atMs + random.int(0, 200);
    route.lastMs = Math.max(route.lastMs, atMs);
    return route.lastMs;
  }

  #route(from: string, to: string): Route {
    let routes = this.#routes.get(from);
    if (routes === undefined) {
      routes = new Map();
      this.#routes.set(from, routes);
    }
    let route = routes.get(to);
    if (route === undefined) {
      route = { baseMs: this.#random.int(0, 3), jitterMs: this.#random.int(1, 20), lastMs: 0 };
      routes.set(to, route);
    }
    return route;
  }

  /** An address that nobody claimed yet is of the process whose name is the longest beginning of it. */
  #ownerOf(address: Address): Endpoint | undefined {
    for (let name = address; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("/")))) {
      const owner = this.#endpoints.get(this.#owners.get(name) ?? name);
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  /** No draw for what is switched off: a chance of nothing shifts nothing. */
  #hits(chance: number, name: string): boolean {
    if (chance === 0 || !this.#random.chance(chance)) return false;
    this.#kernel.faults.add(name);
    return true;
  }
}
