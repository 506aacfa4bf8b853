/** What a run needs before it can begin and the machine has to be given: packages and secrets. */
import type { Address } from "../base/env.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { BetweenBorglets, FromBorglet } from "../wire/link-message.ts";
import { packageBytes } from "./bounds.ts";
import type { Memory } from "./kept.ts";
import type { BorgletMachine } from "./machine.ts";
import { Packages, packagesInUse } from "./packages.ts";
import { Secrets } from "./secrets.ts";

export interface NeedsOptions {
  readonly name: string;
  readonly machine: BorgletMachine;
  readonly memory: Memory;
  readonly diskBytes: number;
  readonly now: () => number;
  /** Who polled last. */
  readonly master: () => Address;
  readonly say: (to: Address, frame: FromBorglet | BetweenBorglets) => void;
}

export class Needs {
  readonly packages: Packages;
  readonly secrets: Secrets;

  constructor({ name, machine, memory, diskBytes, now, master, say }: NeedsOptions) {
    const [files, bytesMax] = [machine.packages, packageBytes(diskBytes)];
    this.packages = new Packages({ machine: name, files, bytesMax, now, inUse: () => packagesInUse(memory), master, say });
    this.secrets = new Secrets({ machine: name, now, master, say });
  }

  /** True: all that this run needs is there. Else what is missing is on its way from now on; secrets come last, because they are for this run alone. */
  areMet(order: StartOrder, run: number): boolean {
    return this.packages.isReady(order) && this.secrets.isReady(order, run);
  }

  /** What an order waits for, in words; empty when it waits for nothing. */
  words(order: StartOrder): string {
    return this.packages.words(order) || this.secrets.words(order);
  }

  /** Asks for what is next, or again for what has not come. Answers when to be asked again; infinity: nothing is on its way. */
  go(): number {
    return Math.min(this.packages.go(), this.secrets.go());
  }

  /** A new link: what was asked over the old one does not come. */
  again(): void {
    this.packages.again();
    this.secrets.again();
  }
}
