/** The state that benches of pages look at, and what happens in it: the recorded cell (BORG_TRACE_DIR) or one that is made, whose tasks start again and use another amount each time. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { MachineUsage } from "../src/borgmaster/message.ts";
import { applyEntry, newState } from "../src/cell/cell.ts";
import { decodeEntry, masterOp, type Op } from "../src/cell/op.ts";
import type { CellState, Instance } from "../src/cell/state.ts";
import { make } from "../src/wire/codec.ts";
import { Phase, UsageSchema } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { makeCell } from "./cell.ts";
import { readCell } from "./cells/csv.ts";
import { build } from "./cells/plan.ts";
import { placeInRounds, step } from "./cells/traced.ts";

export const uiState = (machines: number, tasks: number, seed: number): CellState => recordedState() ?? madeState(machines, tasks, seed);

function madeState(machines: number, tasks: number, seed: number): CellState {
  const state = newState();
  for (const [i, bytes] of makeCell(machines, tasks, seed).entries.entries()) {
    const entry = decodeEntry(bytes);
    assert.ok(entry.ok);
    applyEntry(state, i + 1, entry.value);
  }
  return state;
}

/** The recorded cell. Who finds no room by our rules where it ran waits. Undefined: it is not known where the record is. */
function recordedState(): CellState | undefined {
  const directory = process.env["BORG_TRACE_DIR"] ?? "";
  if (directory === "") return undefined;
  const plan = readCell(join(directory, "machines.csv.gz"), join(directory, "tasks.csv.gz"));
  const state = build(plan);
  placeInRounds(state, plan);
  for (const { id, place } of state.machines.values()) {
    const instances = [...place.occupants.keys()].map((instance) => ({ instance, phase: Phase.RUNNING, run: 1 }));
    if (instances.length > 0) step(state, masterOp({ case: "machineReport", value: { machine: id, instances } }));
  }
  return state;
}

export class Happenings {
  readonly #instances: readonly Instance[];
  readonly #machines: readonly (readonly [machine: string, instances: readonly Instance[]])[];
  #next = 0;
  #run = 1;

  constructor(state: CellState) {
    this.#instances = [...state.machines.values()].flatMap(({ place }) => [...place.occupants.values()]);
    this.#machines = [...state.machines.values()].map(({ id, place }) => [id, [...place.occupants.values()]]);
  }

  /** So many tasks were started again, one after the other. */
  runs(count: number): Op[] {
    this.#run += 1;
    return Array.from({ length: count }, () => {
      const { id, place } = this.#instances[this.#next % this.#instances.length]!;
      this.#next += 1;
      const instances = [{ instance: id, phase: Phase.RUNNING, run: this.#run }];
      return masterOp({ case: "machineReport", value: { machine: place.machine.id, instances } });
    });
  }

  /** One of so many parts of the machines says what is used. */
  usage(part: number, parts: number): MachineUsage[] {
    const some = this.#machines.filter((_, i) => i % parts === part);
    return some.map(([machine, instances]) => ({
      machine,
      usage: instances.map(({ id, limit }) =>
        make(UsageSchema, { instance: id, last: { cpuMilli: Math.round(limit.cpu * Math.random()), ramBytes: limit.ram * 700 } }),
      ),
      waiting: [],
    }));
  }
}
