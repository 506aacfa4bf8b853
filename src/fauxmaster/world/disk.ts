/** A disk of the simulated world: it survives its process, as files do, and fails as disks do. */
import type { Random } from "../../base/random.ts";
import { type DiskOperation, type InjectedFault, MemoryDisk } from "../../store/memory-disk.ts";
import type { Kernel } from "./kernel.ts";

export class SimulatedDisk {
  readonly disk = new MemoryDisk();
  /** The chance that a sync fails. */
  syncFailure = 0;
  /** Nothing more fits. */
  full = false;
  /** The power goes in the middle of the next sync, and this happens. */
  atNextSync: (() => void) | undefined;
  protected readonly kernel: Kernel;
  protected readonly random: Random;
  readonly #name: string;

  /** `name`: under which its faults are counted. */
  constructor(kernel: Kernel, random: Random, name: string) {
    this.kernel = kernel;
    this.random = random;
    this.#name = name;
    this.disk.fault = (operation) => this.#fault(operation);
  }

  /** The host lost power: what was not synced may be there, torn, or gone. */
  powerCut(): void {
    this.kernel.faults.add(`${this.#name}.power-cut`);
    this.disk.crash(this.random);
  }

  heal(): void {
    this.syncFailure = 0;
    this.full = false;
    this.atNextSync = undefined;
  }

  #fault(operation: DiskOperation): InjectedFault | undefined {
    const { type } = operation;
    if (this.full && (type === "create" || type === "write")) {
      if (type === "write" && operation.offset + operation.bytes.length <= this.disk.size(operation.name)) return undefined;
      this.kernel.faults.add(`${this.#name}.full`);
      return "full";
    }
    if (type === "sync" && this.atNextSync !== undefined) {
      this.kernel.after(0, this.atNextSync);
      this.atNextSync = undefined;
      this.powerCut();
      return "io";
    }
    if (type === "sync" && this.syncFailure > 0 && this.random.chance(this.syncFailure)) {
      // Half of them are the moment in which the power goes: what was on its way is there, torn, or gone.
      if (this.random.chance(0.5)) this.powerCut();
      this.kernel.faults.add(`${this.#name}.sync-failed`);
      return "io";
    }
    return undefined;
  }
}
