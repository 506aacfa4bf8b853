/**
 * Makes things go wrong during the safety phase, class by class, each from its own random stream, and ends everything before the
 * healing phase. It does only what the pieces of the world offer: the pieces count how often each fault really struck.
 */
import type { Random } from "../base/random.ts";
import type { EmbeddedJournals, SharedJournals } from "./journals.ts";
import type { Event, Kernel } from "./kernel.ts";
import type { Machine } from "./machine.ts";
import type { Network } from "./network.ts";
import type { FaultClass, Options } from "./options.ts";
import type { Process } from "./process.ts";

/** What can be hurt. */
export interface Targets {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly masters: readonly Process[];
  readonly clients: readonly Process[];
  readonly lock: Process | undefined;
  /** A machine and its borglet, at the same index. */
  readonly machines: readonly Machine[];
  readonly borglets: readonly Process[];
  readonly shared: SharedJournals | undefined;
  /** By master. */
  readonly embedded: readonly EmbeddedJournals[];
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** How long it takes, on average, until a class strikes again. */
const GAP_MS: Readonly<Record<FaultClass, number>> = {
  crash: 15 * SECOND,
  pause: 20 * SECOND,
  partition: 25 * SECOND,
  loss: 40 * SECOND,
  duplicate: 40 * SECOND,
  store: 20 * SECOND,
  disk: 20 * SECOND,
  clock: 20 * SECOND,
  machine: 30 * SECOND,
  usage: 15 * SECOND,
  mass: 140 * SECOND,
};

export class Injector {
  readonly #targets: Targets;
  readonly #kernel: Kernel;
  readonly #options: Options;
  /** What ends the faults that last just now. */
  readonly #ends = new Map<() => void, Event>();
  #stopped = false;

  constructor(targets: Targets, options: Options) {
    this.#targets = targets;
    this.#kernel = targets.kernel;
    this.#options = options;
  }

  start(): void {
    for (const name of this.#options.faults) {
      const random = this.#kernel.streams.of(`faults/${name}`);
      if (name === "clock") this.#skew(random);
      this.#series(name, random);
    }
  }

  /** The end of all faults: what is cut is joined, what is down is up, what is paused goes on. */
  stop(): void {
    this.#stopped = true;
    const { network, shared, embedded, masters, clients, borglets, machines, lock } = this.#targets;
    for (const [end, event] of [...this.#ends]) {
      event.cancel();
      end();
    }
    this.#ends.clear();
    network.heal();
    shared?.heal();
    for (const disk of embedded) disk.heal();
    for (const machine of machines) machine.spike = 1;
    for (const each of [...masters, ...clients, ...borglets, ...(lock === undefined ? [] : [lock])]) {
      each.clock.setRate(this.#kernel.nowMs, 1);
      each.start();
      each.wake();
    }
  }

  #series(name: FaultClass, random: Random): void {
    const waitMs = Math.ceil(-Math.log(1 - random.float()) * GAP_MS[name]);
    this.#kernel.after(waitMs, () => {
      if (this.#stopped) return;
      this.#kernel.faults.add(`class.${name}`);
      this.#strike(name, random);
      this.#series(name, random);
    });
  }

  #strike(name: FaultClass, random: Random): void {
    switch (name) {
      case "crash":
        return this.#crash(random);
      case "pause":
        return this.#pause(random);
      case "partition":
        return this.#partition(random);
      case "loss":
        return this.#weather(random, { loss: random.pick([0.02, 0.1, 0.5]), slow: 0.05, slowMsMax: random.pick([200, 5000]) });
      case "duplicate":
        return this.#weather(random, { duplicate: random.pick([0.02, 0.2]), reorder: random.pick([0.05, 0.5]) });
      case "store":
        return this.#store(random);
      case "disk":
        return this.#disk(random);
      case "clock":
        return this.#clock(random);
      case "machine":
        return this.#machine(random, random.int(0, this.#targets.machines.length), random.int(1, 60 * SECOND));
      case "usage":
        return this.#usage(random);
      case "mass":
        return this.#mass(random);
    }
  }

  /** Lets `end` happen after a while, or when all faults end. */
  #during(ms: number, end: () => void): void {
    const event = this.#kernel.after(ms, () => {
      this.#ends.delete(end);
      end();
    });
    this.#ends.set(end, event);
  }

  #victim(random: Random): Process {
    const { masters, borglets, clients } = this.#targets;
    return random.pick(random.pick([masters, masters, borglets, clients]));
  }

  #crash(random: Random): void {
    const victim = this.#victim(random);
    const index = this.#targets.masters.indexOf(victim);
    const power = index >= 0 && this.#targets.embedded.length > 0 && random.chance(0.5);
    victim.crash(power);
    this.#during(random.pick([50, 500, 5000, 20_000]) + random.int(0, 500), () => victim.start());
  }

  #pause(random: Random): void {
    const { lock } = this.#targets;
    const victim = lock !== undefined && random.chance(0.1) ? lock : this.#victim(random);
    victim.pause(random.pick([100, 1000, 5000, 30_000]) + random.int(0, 500));
  }

  /** Two sides of the world, or one process alone; one way or both; lost or held; steady or flapping. */
  #partition(random: Random): void {
    const { network, masters, borglets, clients, lock, shared } = this.#targets;
    const all = [...masters, ...borglets, ...clients, ...(lock === undefined ? [] : [lock])].map(({ name }) => name);
    const alone = random.pick(masters).name;
    if (shared !== undefined && random.chance(0.3)) {
      shared.cutOff(alone);
      this.#during(random.int(500, 30 * SECOND), () => shared.reconnect(alone));
      if (random.chance(0.5)) return;
    }
    const side = random.chance(0.4) ? [alone] : random.chance(0.3) ? [random.pick(all)] : all.filter(() => random.chance(0.3));
    const others = all.filter((name) => !side.includes(name));
    const [from, to] = random.chance(0.5) ? [side, others] : [others, side];
    const options = { from, to, bothWays: random.chance(0.6), hold: random.chance(0.2) };
    const times = random.chance(0.25) ? random.int(3, 12) : 1;
    const flap = (left: number): void => {
      if (left === 0 || this.#stopped) return;
      const cut = network.cut(options);
      this.#during(times === 1 ? random.int(500, 45 * SECOND) : random.int(100, 3000), () => network.lift(cut));
      if (left > 1) this.#kernel.after(random.int(3000, 6000), () => flap(left - 1));
    };
    flap(times);
  }

  /** Weather of both classes may overlap: a change touches only its own chances. */
  #weather(random: Random, change: Partial<Network["weather"]>): void {
    const { network } = this.#targets;
    network.weather = { ...network.weather, ...change };
    const calm = { ...change };
    for (const key of Object.keys(calm) as (keyof typeof calm)[]) (calm as Record<string, number>)[key] = 0;
    this.#during(random.int(2 * SECOND, 40 * SECOND), () => {
      network.weather = { ...network.weather, ...calm };
    });
  }

  #store(random: Random): void {
    const { shared } = this.#targets;
    if (shared === undefined) return;
    const what = random.pick(["slow", "unknown", "unavailable"] as const);
    shared[what] = what === "unavailable" ? random.pick([0.3, 1]) : random.pick([0.05, 0.3]);
    this.#during(random.int(500, 15 * SECOND), () => {
      shared[what] = 0;
    });
  }

  #disk(random: Random): void {
    if (this.#targets.embedded.length === 0) return;
    const disk = random.pick(this.#targets.embedded);
    const what = random.pick(["slow", "sync", "full"] as const);
    if (what === "slow") disk.slowMs = random.pick([50, 500, 3000]);
    if (what === "sync") disk.syncFailure = random.pick([0.05, 0.5]);
    if (what === "full") disk.full = true;
    this.#during(random.int(500, 15 * SECOND), () => disk.heal());
  }

  #skew(random: Random): void {
    const { masters, borglets, clients, lock } = this.#targets;
    for (const each of [...masters, ...borglets, ...clients, ...(lock === undefined ? [] : [lock])]) {
      each.clock.setRate(this.#kernel.nowMs, random.pick([1, 1, 0.9995, 1.0005, 0.98, 1.02]));
      each.clock.setWallOffset(random.pick([0, 0, 200, -3000, HOUR, -HOUR]));
    }
  }

  #clock(random: Random): void {
    const victim = this.#victim(random);
    if (random.chance(0.6)) {
      victim.clock.jumpWall(random.pick([-1, 1]) * random.pick([50, 5000, HOUR]));
      return;
    }
    victim.clock.setRate(this.#kernel.nowMs, random.pick([0.9, 1.1]));
    this.#during(random.int(SECOND, 30 * SECOND), () => victim.clock.setRate(this.#kernel.nowMs, 1));
  }

  /** Power fails, or the machine is replaced by an empty one. */
  #machine(random: Random, index: number, downMs: number): void {
    const machine = this.#targets.machines[index]!;
    const borglet = this.#targets.borglets[index]!;
    borglet.crash(true);
    if (random.chance(0.2)) machine.wipe();
    else machine.reboot();
    this.#during(downMs, () => borglet.start());
  }

  #usage(random: Random): void {
    const machine = random.pick(this.#targets.machines);
    machine.spike = random.pick([1.3, 2, 4]);
    this.#during(random.int(SECOND, 60 * SECOND), () => {
      machine.spike = 1;
    });
  }

  /** Half of the machines vanish together: cut off, or without power. */
  #mass(random: Random): void {
    const { machines, borglets, masters, network } = this.#targets;
    const half = random.shuffle(machines.map((_, index) => index)).slice(0, Math.ceil(machines.length / 2));
    const ms = random.int(10 * SECOND, 90 * SECOND);
    if (random.chance(0.3)) {
      for (const index of half) this.#machine(random, index, ms + random.int(0, 5000));
      return;
    }
    const from = half.map((index) => borglets[index]!.name);
    const cut = network.cut({ from, to: masters.map(({ name }) => name), bothWays: true });
    this.#during(ms, () => network.lift(cut));
  }
}
