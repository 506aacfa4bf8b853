/**
 * Machines that are held for one framework until enough of them is free (Mesos §4.4: small tasks would take every piece as it comes free, and a large one
 * would never see a whole machine). A framework that was offered nothing it could use for a while gets one machine to itself; while it fills up with
 * free room nobody else is offered there. Every hold that led to nothing makes the next one come later and last longer, so a framework that
 * declines everything costs the others little, and a task of any length is outwaited in the end.
 */
import type { MachineId } from "../base/id.ts";
import { fits, highest, type Vector, ZERO } from "../base/vector.ts";

/** How long a framework gets nothing it can use before a machine is held for it, and how long that is then held; both double each time. */
export const HOLD_FIRST_MS = 30_000;
export const HOLD_MOST_MS = 24 * 3_600_000;
/** Of the cell's machines, at most this part is held at once, and one in any case. */
const HELD_PART = 0.1;

interface Hold {
  readonly machine: MachineId;
  readonly framework: string;
  readonly untilMs: number;
}

interface Patience {
  /** Since when it gets nothing. */
  readonly sinceMs: number;
  readonly waitMs: number;
  /** The most that it declined since then of a whole machine: one that has no more is not held for it. */
  readonly refused: Vector;
}

export class Holds {
  readonly #byMachine = new Map<MachineId, Hold>();
  readonly #byFramework = new Map<string, Hold>();
  readonly #patience = new Map<string, Patience>();

  holderOf(machine: MachineId): string | undefined {
    return this.#byMachine.get(machine)?.framework;
  }

  machineOf(framework: string): MachineId | undefined {
    return this.#byFramework.get(framework)?.machine;
  }

  /** It wants offers from now on, or got what it could use. */
  content(framework: string, nowMs: number): MachineId | undefined {
    this.#patience.set(framework, { sinceMs: nowMs, waitMs: HOLD_FIRST_MS, refused: ZERO });
    return this.#release(framework);
  }

  /** It left, or wants nothing. The machine that was held for it is everybody's again. */
  forget(framework: string): MachineId | undefined {
    this.#patience.delete(framework);
    return this.#release(framework);
  }

  /** The whole of its machine did not help it, or never came. */
  inVain(framework: string, nowMs: number): MachineId | undefined {
    const known = this.#patience.get(framework);
    const waitMs = Math.min(HOLD_MOST_MS, (known?.waitMs ?? 0) * 2);
    if (known !== undefined) this.#patience.set(framework, { sinceMs: nowMs, waitMs, refused: ZERO });
    return this.#release(framework);
  }

  /** It was offered so much, a whole machine that is not held for it, and had no use for it: perhaps for a larger one. */
  refuse(framework: string, amount: Vector): void {
    const known = this.#patience.get(framework);
    if (known !== undefined) this.#patience.set(framework, { ...known, refused: highest(known.refused, amount) });
  }

  /** Whether it declined a machine of that size. */
  hasRefused(framework: string, whole: Vector): boolean {
    return fits(whole, this.#patience.get(framework)?.refused ?? ZERO);
  }

  /** Frameworks that have waited long enough and have no machine yet, the longest waiting first. */
  impatient(nowMs: number): readonly string[] {
    const late = [...this.#patience].filter(([name, { sinceMs, waitMs }]) => !this.#byFramework.has(name) && nowMs - sinceMs >= waitMs);
    return late.sort(([a, left], [b, right]) => left.sinceMs - right.sinceMs || (a < b ? -1 : 1)).map(([name]) => name);
  }

  mayHoldMore(machines: number): boolean {
    return this.#byMachine.size < Math.max(1, Math.floor(machines * HELD_PART));
  }

  hold(machine: MachineId, framework: string, nowMs: number): void {
    const waitMs = this.#patience.get(framework)?.waitMs ?? HOLD_FIRST_MS;
    const hold = { machine, framework, untilMs: nowMs + waitMs };
    this.#byMachine.set(machine, hold);
    this.#byFramework.set(framework, hold);
  }

  expired(nowMs: number): readonly string[] {
    return [...this.#byFramework.values()].filter(({ untilMs }) => untilMs <= nowMs).map(({ framework }) => framework);
  }

  /** That machine is no more. */
  lost(machine: MachineId): void {
    const framework = this.holderOf(machine);
    if (framework !== undefined) this.#release(framework);
  }

  #release(framework: string): MachineId | undefined {
    const hold = this.#byFramework.get(framework);
    if (hold === undefined) return undefined;
    this.#byFramework.delete(framework);
    this.#byMachine.delete(hold.machine);
    return hold.machine;
  }
}
