/** Which machines a link shard has, since when, and under which (term, epoch) it orders: by the journal where it shares them out, else all of them while its own master leads. */
import type { MachineId } from "../../base/id.ts";
import type { LinkPartition } from "../../wire/gen/borg/v1/op_pb.ts";
import { Share } from "./partition.ts";

/** Under which orders go. */
export interface Reign {
  readonly term: number;
  /** 0: machines are not shared out. */
  readonly epoch: number;
}

export class Realm {
  /** Empty: this shard is alone. */
  readonly #life: string;
  #reign: Reign | undefined;
  #share: Share | undefined;
  #reckonedMs = 0;
  /** Of machines that were known when it was reckoned. */
  #sinceMs = new Map<MachineId, number>();

  constructor(life: string) {
    this.#life = life;
  }

  /** Undefined: it polls nobody. */
  get reign(): Reign | undefined {
    return this.#reign;
  }

  has(machine: string): boolean {
    return this.#reign !== undefined && (this.#share?.has(machine) ?? true);
  }

  /** Since when it has this machine; undefined: it has not. */
  sinceMs(machine: MachineId): number | undefined {
    return this.has(machine) ? (this.#sinceMs.get(machine) ?? this.#reckonedMs) : undefined;
  }

  /** Whether anything is other than before. A machine that stays is its own since it came. */
  reckon(links: LinkPartition | undefined, ledTerm: number, machines: Iterable<MachineId>, nowMs: number): boolean {
    const partition = this.#life === "" ? undefined : links;
    const reign = partition === undefined ? alone(ledTerm) : this.#partOf(partition);
    const before = this.#reign;
    if (before?.term === reign?.term && before?.epoch === reign?.epoch) return false;
    this.#reign = reign;
    this.#share = reign === undefined || partition === undefined ? undefined : new Share(partition, this.#life);
    const stays = before !== undefined && before.epoch > 0 && reign !== undefined && reign.epoch > 0;
    const since = new Map<MachineId, number>();
    for (const machine of machines) if (this.has(machine)) since.set(machine, (stays ? this.#sinceMs.get(machine) : undefined) ?? nowMs);
    [this.#sinceMs, this.#reckonedMs] = [since, nowMs];
    return true;
  }

  #partOf({ term, epoch, shards }: LinkPartition): Reign | undefined {
    return shards.some(({ life }) => life === this.#life) ? { term, epoch } : undefined;
  }
}

const alone = (term: number): Reign | undefined => (term === 0 ? undefined : { term, epoch: 0 });
