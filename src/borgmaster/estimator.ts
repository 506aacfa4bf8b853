/**
 * Reservations (Borg §5.5): the master's estimate of what a task will use. It starts at the limit; after the first five minutes of a task's life
 * it falls slowly towards its use plus a margin, and rises at once when use exceeds it. Usage itself is never journaled, so a new leader
 * learns it anew; until then reservations stay as they are. How far they fall is chosen for the cell (`reclamationSet`); switched off, they go back to the limits
 * at once, and what ran in reclaimed resources has to leave.
 */
import { type Dimension, MEASURES } from "../base/dimension.ts";
import type { Env } from "../base/env.ts";
import type { InstanceId, MachineId } from "../base/id.ts";
import { equal, fits, type Vector, vectorOf } from "../base/vector.ts";
import { amounts, sizesOf } from "../cell/amounts.ts";
import { masterOp, type Op } from "../cell/op.ts";
import type { CellState, Instance, Machine } from "../cell/state.ts";
import type { Usage } from "../wire/gen/borg/v1/machine_pb.ts";
import { Reclamation } from "../wire/gen/borg/v1/op_pb.ts";
import type { EstimatorOptions, PresetName, ReclamationPreset } from "./defaults.ts";

interface Seen {
  /** As it was told; what did not change is told with the same object again and again. */
  readonly told: Usage;
  readonly peak: Vector;
  atMs: number;
  /** The estimate between its steps, which are what is journaled. */
  estimate: Vector;
  estimatedMs: number;
}

interface NewReservation {
  readonly instance: Instance;
  readonly amount: Vector;
}

const PRESET_OF: Readonly<Record<Reclamation, PresetName | undefined>> = {
  [Reclamation.UNSPECIFIED]: "medium",
  [Reclamation.OFF]: undefined,
  [Reclamation.BASELINE]: "baseline",
  [Reclamation.MEDIUM]: "medium",
  [Reclamation.AGGRESSIVE]: "aggressive",
};

export class Estimator {
  readonly #env: Env<never>;
  readonly #options: EstimatorOptions;
  readonly #seen = new Map<InstanceId, Seen>();
  readonly #decayedMs = new Map<MachineId, number>();
  #nextMs = 0;

  constructor(env: Env<never>, options: EstimatorOptions) {
    this.#env = env;
    this.#options = options;
  }

  reset(): void {
    this.#seen.clear();
    this.#decayedMs.clear();
    this.#nextMs = this.#env.now();
  }

  /** What a machine's borglet measured. `peak` is that of the last five minutes. */
  learn(usage: readonly Usage[]): void {
    const now = this.#env.now();
    for (const told of usage) {
      const instance = told.instance as InstanceId;
      const known = this.#seen.get(instance);
      if (known?.told === told) {
        known.atMs = now;
        continue;
      }
      const vector = amounts(told.peak, 0, "up");
      this.#seen.set(instance, {
        told,
        peak: vector,
        atMs: now,
        estimate: known?.estimate ?? vector,
        estimatedMs: known?.estimatedMs ?? 0,
      });
    }
  }

  /** The reservations to journal now: one op for each machine where something changes. `nowMs`: cell time, which moves on in a cell without entries. */
  tick(state: CellState, nowMs: number): Op[] {
    if (this.#env.now() < this.#nextMs) return [];
    this.#nextMs = this.#env.now() + this.#options.everyMs;
    this.#forget(state);
    const name = PRESET_OF[state.config.reclamation];
    const preset = name === undefined ? undefined : this.#options.presets[name];
    const ops: Op[] = [];
    const most = (this.#options.opsPerSecond * this.#options.everyMs) / 1000;
    for (const machine of state.machines.values()) {
      if (ops.length >= most) break;
      const changes = [...machine.place.occupants.values()].flatMap((instance) => this.#change(nowMs, machine, instance, preset));
      if (changes.length === 0) continue;
      const reservations = changes.map(({ instance, amount }) => ({ instance: instance.id, amount: sizesOf(amount) }));
      ops.push(masterOp({ case: "reservations", value: { machine: machine.id, reservations } }));
      if (changes.some(({ instance, amount }) => fits(amount, instance.reservation))) this.#decayedMs.set(machine.id, this.#env.now());
    }
    return ops;
  }

  #forget(state: CellState): void {
    for (const [id, seen] of this.#seen) if (this.#env.now() - seen.atMs > this.#options.peakMs) this.#seen.delete(id);
    for (const id of this.#decayedMs.keys()) if (!state.machines.has(id)) this.#decayedMs.delete(id);
  }

  /** A raise goes with the next entry; a fall at most once a minute for its machine. */
  #change(nowMs: number, machine: Machine, instance: Instance, preset: ReclamationPreset | undefined): NewReservation[] {
    const seen = this.#seen.get(instance.id);
    if (!instance.reclaimable || instance.stop !== undefined) return [];
    if (preset === undefined) return this.#wholeLimit(instance, seen);
    if (seen === undefined) return [];
    this.#estimate(nowMs, instance, seen, preset);
    const next = stepped(seen.estimate, instance.limit, this.#options.steps);
    if (equal(next, instance.reservation)) return [];
    const falls = fits(next, instance.reservation);
    const waits = this.#env.now() - (this.#decayedMs.get(machine.id) ?? Number.NEGATIVE_INFINITY) < this.#options.decayEveryMs;
    return falls && waits ? [] : [{ instance, amount: next }];
  }

  /** Also of those of which nothing was heard. Switched on again, estimates fall from there. */
  #wholeLimit(instance: Instance, seen: Seen | undefined): NewReservation[] {
    if (seen !== undefined) Object.assign(seen, { estimate: instance.limit, estimatedMs: this.#env.now() });
    return equal(instance.limit, instance.reservation) ? [] : [{ instance, amount: instance.limit }];
  }

  #estimate(nowMs: number, instance: Instance, seen: Seen, { margin, youngMs, decayMs }: ReclamationPreset): void {
    const now = this.#env.now();
    const isYoung = instance.startedMs === 0 || nowMs - instance.startedMs < youngMs;
    const before = seen.estimatedMs === 0 ? instance.reservation : seen.estimate;
    const share = seen.estimatedMs === 0 || isYoung ? 0 : Math.min(1, (now - seen.estimatedMs) / decayMs);
    seen.estimate = mapVector(instance.limit, (name) => {
      const target = Math.min(instance.limit[name], Math.ceil(seen.peak[name] * (1 + margin)));
      return target >= before[name] ? target : before[name] - (before[name] - target) * share;
    });
    seen.estimatedMs = now;
  }
}

/** Ports and devices always count whole. */
const mapVector = (limit: Vector, value: (dimension: Dimension) => number): Vector =>
  vectorOf((dimension) => (MEASURES[dimension].lent ? value(dimension) : limit[dimension]), limit.extras);

/** Rounded up to a sixteenth of the limit, so that the journal does not hear of every breath. */
function stepped(estimate: Vector, limit: Vector, steps: number): Vector {
  return mapVector(limit, (name) =>
    Math.min(limit[name], Math.ceil((limit[name] * Math.ceil((estimate[name] / Math.max(limit[name], 1)) * steps)) / steps)),
  );
}
