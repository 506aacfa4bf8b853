/**
 * Links between borglets and masters, as the shell keeps them (rpc/link-client.ts): a borglet dials every master until it has a link, and is told
 * when there is one. A link ends with either process, and when the other end was silent for long; then the master's link shard is told. What is said
 * over them is the network's.
 */
import type { Address } from "../../base/env.ts";
import type { Random } from "../../base/random.ts";
import type { Disconnected } from "../../borgmaster/message.ts";
import type { Kernel } from "./kernel.ts";
import type { Network } from "./network.ts";
import type { Birth, Process } from "./process.ts";

/** Pauses between dials, each drawn between half of it and all of it; the first dial of a new borglet is quick. */
const FIRST_MS = 100;
const PAUSE_MS = 5000;
/** Without a byte for so long a link is given up and dialled again; that is looked at this often. */
const SILENT_MS = 60_000;
const LOOK_MS = 10_000;

interface Cable {
  readonly borglet: Process;
  readonly machine: string;
  readonly master: Process;
  /** The master's end. */
  readonly address: Address;
  /** Lives of the two between which it is open; empty: it is not. */
  open: string;
  cutSinceMs: number | undefined;
}

export class Links {
  readonly #kernel: Kernel;
  readonly #network: Network;
  readonly #random: Random;
  readonly #cables: Cable[] = [];
  /** Tells the present life of a borglet. */
  readonly #tell = new Map<string, (master: Address) => void>();
  /** The present lives of masters. */
  readonly #masters = new Map<string, Birth>();

  constructor(kernel: Kernel, network: Network) {
    this.#kernel = kernel;
    this.#network = network;
    this.#random = kernel.streams.of("links");
    kernel.every(LOOK_MS, () => this.#look());
  }

  add({ borglet, machine }: { readonly borglet: Process; readonly machine: string }, master: Process, address: Address): void {
    this.#cables.push({ borglet, machine, master, address, open: "", cutSinceMs: undefined });
  }

  /** A borglet began; `tell` says "connected" in a master's name. */
  borgletUp(name: string, tell: (master: Address) => void): void {
    this.#tell.set(name, tell);
    for (const cable of this.#cables) if (cable.borglet.name === name) this.#dial(cable, FIRST_MS);
  }

  /** Its sockets close with it. */
  borgletDown(name: string): void {
    for (const cable of this.#cables) if (cable.borglet.name === name) this.#close(cable);
  }

  masterUp(birth: Birth): void {
    const name = birth.process;
    this.#masters.set(name, birth);
    for (const cable of this.#cables) {
      if (cable.master.name !== name) continue;
      cable.open = "";
      this.#dial(cable, PAUSE_MS);
    }
  }

  #dial(cable: Cable, waitMs: number): void {
    this.#kernel.after(this.#random.int(waitMs / 2, waitMs), () => {
      const { borglet, master, address } = cable;
      const lives = `${borglet.incarnation} ${master.incarnation}`;
      // Whoever is dead now dials, or is dialled, when it begins again.
      if (!borglet.alive || !master.alive || cable.open === lives) return;
      if (this.#isCut(cable)) return this.#dial(cable, PAUSE_MS);
      cable.open = lives;
      this.#tell.get(borglet.name)?.(address);
    });
  }

  #look(): void {
    for (const cable of this.#cables) {
      if (cable.open === "" || !this.#isCut(cable)) {
        cable.cutSinceMs = undefined;
        continue;
      }
      cable.cutSinceMs ??= this.#kernel.nowMs;
      if (this.#kernel.nowMs - cable.cutSinceMs < SILENT_MS) continue;
      this.#kernel.probes.add("a link was silent for long and is dialled again");
      this.#close(cable);
      this.#dial(cable, PAUSE_MS);
    }
  }

  #close(cable: Cable): void {
    if (cable.open === "") return;
    cable.open = "";
    const { borglet, machine, master, address } = cable;
    const message: Disconnected = { type: "disconnected", machine };
    if (master.alive) this.#masters.get(master.name)?.deliver(address, borglet.name, message);
  }

  #isCut({ borglet, master }: Cable): boolean {
    return this.#network.isCut(borglet.name, master.name) || this.#network.isCut(master.name, borglet.name);
  }
}
