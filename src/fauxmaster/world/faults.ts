/**
 * Makes things go wrong during the safety phase, class by class, each from its own random stream, and ends everything before the
 * healing phase. It does only what the pieces of the world offer: the pieces count how often each fault really struck.
 */
import type { Random } from "../../base/random.ts";
import { make } from "../../wire/codec.ts";
import { type MachineFacts, MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { FaultKind, Options } from "../options.ts";
import { RATE_MAX } from "./clock.ts";
import type { EmbeddedJournals, SharedStore } from "./journals.ts";
import type { Event, Kernel } from "./kernel.ts";
import type { Network } from "./network.ts";
import type { Process } from "./process.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

/** What can be hurt. */
export interface Targets {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly masters: readonly Process[];
  readonly clients: readonly Process[];
  readonly lock: Process | undefined;
  /** A machine and its borglet, at the same index. */
  readonly machines: readonly SimulatedMachine[];
  readonly borglets: readonly Process[];
  readonly shared: SharedStore | undefined;
  /** By master. */
  readonly embedded: readonly EmbeddedJournals[];
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** How long it takes, on average, until a class strikes again. */
const GAP_MS: Readonly<Record<FaultKind, number>> = {
  crash: 15 * SECOND,
  pause: 20 * SECOND,
  partition: 25 * SECOND,
  loss: 40 * SECOND,
  duplicate: 40 * SECOND,
  store: 20 * SECOND,
  disk: 20 * SECOND,
  rot: 25 * SECOND,
  clock: 20 * SECOND,
  machine: 30 * SECOND,
  usage: 15 * SECOND,
  mass: 90 * SECOND,
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
    for (const disk of embedded) {
      disk.heal();
      disk.restore();
    }
    for (const machine of machines) {
      machine.spike = 1;
      machine.disk.heal();
    }
    for (const each of [...masters, ...clients, ...borglets, ...(lock === undefined ? [] : [lock])]) {
      each.clock.setRate(this.#kernel.nowMs, 1);
      each.start();
      each.wake();
    }
  }

  #series(name: FaultKind, random: Random): void {
    const waitMs = Math.ceil(-Math.log(1 - random.float()) * GAP_MS[name]);
    this.#kernel.after(waitMs, () => {
      if (this.#stopped) return;
      if (this.#strike(name, random)) this.#kernel.faults.add(`class.${name}`);
      this.#series(name, random);
    });
  }

  /** Whether it struck: there may be nothing to hit just now. */
  #strike(name: FaultKind, random: Random): boolean {
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
      case "rot":
        return this.#rot(random);
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

  #crash(random: Random): boolean {
    const victim = this.#victim(random);
    const index = this.#targets.masters.indexOf(victim);
    const power = index >= 0 && this.#targets.embedded.length > 0 && random.chance(0.5);
    const { alive } = victim;
    victim.crash(power);
    this.#during(random.pick([50, 500, 5000, 20_000]) + random.int(0, 500), () => victim.start());
    return alive;
  }

  #pause(random: Random): boolean {
    const { lock } = this.#targets;
    const victim = lock !== undefined && random.chance(0.1) ? lock : this.#victim(random);
    victim.pause(random.pick([100, 1000, 5000, 30_000]) + random.int(0, 500));
    return victim.alive;
  }

  /** Two sides of the world, or one process alone; one way or both; lost or held; steady or flapping. */
  #partition(random: Random): boolean {
    const { network, masters, borglets, clients, lock, shared } = this.#targets;
    const all = [...masters, ...borglets, ...clients, ...(lock === undefined ? [] : [lock])].map(({ name }) => name);
    const alone = random.pick(masters).name;
    if (shared !== undefined && random.chance(0.3)) {
      shared.cutOff(alone);
      this.#during(random.int(500, 30 * SECOND), () => shared.reconnect(alone));
      if (random.chance(0.5)) return true;
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
    return true;
  }

  /** Weather of both classes may overlap: a change touches only its own chances. */
  #weather(random: Random, change: Partial<Network["weather"]>): boolean {
    const { network } = this.#targets;
    network.weather = { ...network.weather, ...change };
    const calm = { ...change };
    for (const key of Object.keys(calm) as (keyof typeof calm)[]) (calm as Record<string, number>)[key] = 0;
    this.#during(random.int(2 * SECOND, 40 * SECOND), () => {
      network.weather = { ...network.weather, ...calm };
    });
    return true;
  }

  #store(random: Random): boolean {
    const { shared } = this.#targets;
    if (shared === undefined) return false;
    const what = random.pick(["slow", "unknown", "unavailable"] as const);
    shared[what] = what === "unavailable" ? random.pick([0.3, 1]) : random.pick([0.05, 0.3]);
    this.#during(random.int(500, 15 * SECOND), () => {
      shared[what] = 0;
    });
    return true;
  }

  /** A master's disk or a borglet's. */
  #disk(random: Random): boolean {
    if (random.chance(0.5) || this.#targets.embedded.length === 0) return this.#borgletDisk(random);
    const disk = random.pick(this.#targets.embedded);
    const what = random.pick(["slow", "sync", "full"] as const);
    if (what === "slow") disk.slowMs = random.pick([50, 500, 3000]);
    if (what === "sync") disk.syncFailure = random.pick([0.05, 0.5]);
    if (what === "full") disk.full = true;
    this.#during(random.int(500, 15 * SECOND), () => disk.heal());
    return true;
  }

  /** The master goes down, and a byte on its disk changes by itself. It must notice; then somebody brings the byte back from a backup. */
  #rot(random: Random): boolean {
    const index = random.int(0, Math.max(1, this.#targets.embedded.length));
    const disk = this.#targets.embedded[index];
    const master = this.#targets.masters[index];
    if (disk === undefined || master === undefined || disk.isRotten) return false;
    master.crash(random.chance(0.5));
    const struck = disk.rot();
    const downMs = random.int(SECOND, 5 * SECOND);
    this.#during(downMs, () => master.start());
    this.#during(downMs + random.int(5 * SECOND, 15 * SECOND), () => disk.restore());
    return struck;
  }

  #borgletDisk(random: Random): boolean {
    const { disk } = random.pick(this.#targets.machines);
    if (random.chance(0.4)) disk.full = true;
    else disk.syncFailure = random.pick([0.05, 0.5, 1]);
    this.#during(random.int(500, 15 * SECOND), () => disk.heal());
    return true;
  }

  #skew(random: Random): void {
    const { masters, borglets, clients, lock } = this.#targets;
    for (const each of [...masters, ...borglets, ...clients, ...(lock === undefined ? [] : [lock])]) {
      each.clock.setRate(this.#kernel.nowMs, random.pick([1, 1, 0.9995, 1.0005, 0.98, 1.02]));
      each.clock.setWallOffset(random.pick([0, 0, 200, -3000, HOUR, -HOUR]));
    }
  }

  #clock(random: Random): boolean {
    const victim = this.#victim(random);
    if (random.chance(0.6)) {
      victim.clock.jumpWall(random.pick([-1, 1]) * random.pick([50, 5000, HOUR]));
      return true;
    }
    victim.clock.setRate(this.#kernel.nowMs, random.pick([0.9, RATE_MAX]));
    this.#during(random.int(SECOND, 30 * SECOND), () => victim.clock.setRate(this.#kernel.nowMs, 1));
    return true;
  }

  /** Power fails, or the machine is replaced by an empty one; now and then by one of another size. */
  #machine(random: Random, index: number, downMs: number): boolean {
    const machine = this.#targets.machines[index]!;
    const borglet = this.#targets.borglets[index]!;
    const isReplaced = random.chance(0.2);
    const isChanged = random.chance(0.3);
    const fail = (): void => {
      if (this.#stopped) return;
      borglet.crash(true);
      if (isReplaced) machine.wipe();
      else machine.reboot();
      if (isChanged) machine.facts = otherFacts(machine.facts, random);
      this.#during(downMs, () => borglet.start());
    };
    // Now, or in the middle of what its borglet saves next.
    if (random.chance(0.5)) fail();
    else machine.disk.atNextSync = fail;
    return true;
  }

  #usage(random: Random): boolean {
    const machine = random.pick(this.#targets.machines);
    machine.spike = random.pick([1.3, 2, 4]);
    this.#during(random.int(SECOND, 60 * SECOND), () => {
      machine.spike = 1;
    });
    return true;
  }

  /** Half of the machines vanish together: cut off, or without power. */
  #mass(random: Random): boolean {
    const { machines, borglets, masters, network } = this.#targets;
    const half = random.shuffle(machines.map((_, index) => index)).slice(0, Math.ceil(machines.length / 2));
    const ms = random.int(10 * SECOND, 90 * SECOND);
    if (random.chance(0.3)) {
      for (const index of half) this.#machine(random, index, ms + random.int(0, 5000));
      return true;
    }
    const from = half.map((index) => borglets[index]!.name);
    const cut = network.cut({ from, to: masters.map(({ name }) => name), bothWays: true });
    this.#during(ms, () => network.lift(cut));
    return true;
  }
}

/** More memory or less, a new kernel. */
function otherFacts({ $typeName: _, capacity, ...facts }: MachineFacts, random: Random): MachineFacts {
  const sizes = { cpuMilli: random.pick([4000, 6000, 8000]), ramBytes: random.pick([6, 8, 16]) * 1024 ** 3 };
  return make(MachineFactsSchema, {
    ...facts,
    capacity: { ...sizes, diskBytes: capacity?.diskBytes ?? 0, extras: capacity?.extras ?? [] },
    attributes: [{ key: "kernel", value: random.pick(["6.1", "6.12"]) }],
  });
}
