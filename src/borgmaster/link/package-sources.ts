/**
 * Who fetches a package from whom. A few machines get it from the master; the others wait until those have it, and get it from them, a few at a time, and
 * so on like a tree: the master sends each byte about three times however many machines want it. It only decides; whoever asks says what came of it. [S6]
 */
import type { MachineId } from "../../base/id.ts";

/** Machines that get one package from the master at a time. */
export const FROM_MASTER_MAX = 3;
/** Machines that get packages from one other machine at a time. */
export const FROM_MACHINE_MAX = 2;
/** A fetch that nobody heard of for so long is over. */
export const QUIET_MS = 30_000;

/** Empty: the master. */
export type Source = MachineId | "";

export interface Asks {
  readonly machine: MachineId;
  readonly digest: string;
  /** Another machine will do as well. */
  readonly peers: boolean;
  /** Not these. */
  readonly failed: readonly string[];
}

interface Fetch {
  readonly digest: string;
  readonly source: Source;
  heardMs: number;
}

export class PackageSources {
  /** Which machines have a package, by its hash; and what each said last. */
  readonly #holders = new Map<string, Set<MachineId>>();
  readonly #has = new Map<MachineId, readonly string[]>();
  /** Machines that give packages to others. */
  readonly #givers = new Set<MachineId>();
  /** One for each machine: it fetches one package after the other. */
  readonly #fetches = new Map<MachineId, Fetch>();
  readonly #busy = new Map<string, number>();

  /** `names`: user/name@hash, as a machine's facts have them. */
  told(machine: MachineId, names: readonly string[]): void {
    const before = this.#has.get(machine);
    if (before?.length === names.length && names.every((name, i) => name === before[i])) return;
    const digests = [...new Set(names.map((name) => name.slice(name.indexOf("@") + 1)))];
    this.#forgetHolder(machine);
    this.#has.set(machine, names);
    for (const digest of digests) this.#holders.set(digest, (this.#holders.get(digest) ?? new Set()).add(machine));
    const digest = this.#fetches.get(machine)?.digest;
    if (digest !== undefined && digests.includes(digest)) this.end(machine);
  }

  gives(machine: MachineId, does: boolean): void {
    if (does) this.#givers.add(machine);
    else this.#givers.delete(machine);
  }

  /** It said that it has no bytes of that package to give. */
  lacks(machine: MachineId, digest: string): void {
    this.#forget(machine, digest);
  }

  gone(machine: MachineId): void {
    this.#forgetHolder(machine);
    this.#has.delete(machine);
    this.#givers.delete(machine);
    this.end(machine);
  }

  of(machine: MachineId): Readonly<Fetch> | undefined {
    return this.#fetches.get(machine);
  }

  heard(machine: MachineId, nowMs: number): void {
    const going = this.#fetches.get(machine);
    if (going !== undefined) going.heardMs = nowMs;
  }

  begin(machine: MachineId, digest: string, source: Source, nowMs: number): void {
    this.end(machine);
    this.#fetches.set(machine, { digest, source, heardMs: nowMs });
    this.#count(source, digest, 1);
  }

  end(machine: MachineId): void {
    const going = this.#fetches.get(machine);
    if (!this.#fetches.delete(machine) || going === undefined) return;
    this.#count(going.source, going.digest, -1);
  }

  endQuiet(nowMs: number): void {
    for (const [machine, { heardMs }] of this.#fetches) if (nowMs - heardMs > QUIET_MS) this.end(machine);
  }

  /** Undefined: it has to wait. The master gives only what nobody else has to give. */
  choose({ machine, digest, peers, failed }: Asks): Source | undefined {
    let best: MachineId | undefined;
    for (const each of (peers && this.#holders.get(digest)) || []) {
      if (!this.#mayGive(each, machine, failed)) continue;
      if (best === undefined || this.#load(each, digest) < this.#load(best, digest)) best = each;
      if (this.#load(best, digest) === 0) return best;
    }
    if (best === undefined) return this.#load("", digest) < FROM_MASTER_MAX ? "" : undefined;
    return this.#load(best, digest) < FROM_MACHINE_MAX ? best : undefined;
  }

  #mayGive(giver: MachineId, asker: MachineId, failed: readonly string[]): boolean {
    return giver !== asker && this.#givers.has(giver) && !failed.includes(giver);
  }

  #load(source: Source, digest: string): number {
    return this.#busy.get(keyOf(source, digest)) ?? 0;
  }

  #count(source: Source, digest: string, by: 1 | -1): void {
    const key = keyOf(source, digest);
    const count = (this.#busy.get(key) ?? 0) + by;
    if (count === 0) this.#busy.delete(key);
    else this.#busy.set(key, count);
  }

  #forgetHolder(machine: MachineId): void {
    for (const name of this.#has.get(machine) ?? []) this.#forget(machine, name.slice(name.indexOf("@") + 1));
  }

  #forget(machine: MachineId, digest: string): void {
    const holders = this.#holders.get(digest);
    holders?.delete(machine);
    if (holders?.size === 0) this.#holders.delete(digest);
  }
}

/** A machine is counted whatever it gives, the master for each package. */
const keyOf = (source: Source, digest: string): string => (source === "" ? ` ${digest}` : source);
