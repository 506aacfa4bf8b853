/**
 * Giving up on machines that do not answer (Borg §3.3, §4). A machine that is marked unreachable keeps its tasks; their instances are
 * given up under a rate, because many machines that vanish together are more likely cut off than dead; and not at all while too much of
 * the cell, of a rack or of a power domain is gone: then somebody is told, and everything stays as it is. [KP3]
 */
import type { Env } from "../base/env.ts";
import type { MachineId } from "../base/id.ts";
import { masterOp, type Op } from "../cell/op.ts";
import { everythingOn } from "../cell/place.ts";
import type { CellState, Machine } from "../cell/state.ts";
import type { ReachOptions } from "./defaults.ts";

/** Instances given up by one op; the rest of a machine goes with the next tick. */
const INSTANCES_MAX = 1000;
const MINUTE_MS = 60_000;

export class Reach {
  readonly #env: Env<never>;
  readonly #options: ReachOptions;
  /** Machines that may be given up now; fractions count up to the next whole one. */
  #tokens = 1;
  #filledMs = 0;
  /** Machines whose token was paid; all of their instances go. */
  readonly #paid = new Set<MachineId>();
  frozen = false;
  #frozenMs = Number.NEGATIVE_INFINITY;

  constructor(env: Env<never>, options: ReachOptions) {
    this.#env = env;
    this.#options = options;
  }

  /** A new leader begins with one token, like any other. */
  reset(): void {
    this.#tokens = 1;
    this.#filledMs = this.#env.now();
    this.#paid.clear();
    this.frozen = false;
    this.#frozenMs = Number.NEGATIVE_INFINITY;
  }

  /** The ops to give up now. */
  tick(state: CellState): Op[] {
    this.#refill(state.machines.size);
    for (const id of this.#paid) if (state.machines.get(id)?.reachable !== false) this.#paid.delete(id);
    const silent = [...state.machines.values()].filter((machine) => !machine.reachable && machine.place.occupants.size > 0);
    this.freezes(state);
    if (this.#env.now() - this.#frozenMs < this.#options.thawMs) {
      this.#env.log("~give-up-frozen");
      return [];
    }
    const inTurn = silent.sort((a, b) => a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1));
    return inTurn.filter((machine) => this.#pay(machine)).map(giveUp);
  }

  /** Whether too much is gone for giving anybody up. Asked again before what was decided earlier, on an older state, goes into the journal. */
  freezes(state: CellState): boolean {
    this.frozen = this.#isFrozen(state);
    if (this.frozen) this.#frozenMs = this.#env.now();
    return this.frozen;
  }

  #refill(machines: number): void {
    const now = this.#env.now();
    const perMinute = Math.max(1, Math.floor(machines * this.#options.giveUpShare));
    this.#tokens = Math.min(Math.max(1, perMinute), this.#tokens + ((now - this.#filledMs) / MINUTE_MS) * perMinute);
    this.#filledMs = now;
  }

  #pay(machine: Machine): boolean {
    if (this.#paid.has(machine.id)) return true;
    if (this.#tokens < 1) {
      this.#env.log("~give-up-waits");
      return false;
    }
    this.#tokens -= 1;
    this.#paid.add(machine.id);
    return true;
  }

  #isFrozen(state: CellState): boolean {
    const groups = new Map<string, { all: number; silent: number }>();
    for (const machine of state.machines.values()) {
      for (const group of ["cell", `rack ${machine.facts.rack}`, `power ${machine.facts.powerDomain}`]) {
        const counted = groups.get(group) ?? { all: 0, silent: 0 };
        groups.set(group, counted);
        counted.all += 1;
        counted.silent += Number(!machine.reachable);
      }
    }
    const { freezeShare, freezeMin } = this.#options;
    return [...groups.values()].some(({ all, silent }) => silent >= freezeMin && silent > all * freezeShare);
  }
}

function giveUp(machine: Machine): Op {
  const instances = [...everythingOn(machine)].map((instance) => instance.id).sort();
  return masterOp({ case: "taskLost", value: { machine: machine.id, instances: instances.slice(0, INSTANCES_MAX) } });
}
