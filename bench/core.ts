/** The cell and its journal at full size: how fast ops apply, how fast they are durable, what a task costs in memory, what a checkpoint takes. */
import assert from "node:assert/strict";
import { applyEntry, newState, type Outcome } from "../src/cell/cell.ts";
import { encodeCheckpoint, stateHash } from "../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../src/cell/checkpoint/decode.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { decodeEntry } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { type MadeCell, makeCell } from "./cell.ts";
import { type Figures, rounded } from "./figures.ts";
import { BenchJournal } from "./journal.ts";

export interface CoreArgs {
  readonly machines: number;
  readonly tasks: number;
  readonly seed: number;
  readonly directory: string;
}

export async function benchCore(args: CoreArgs): Promise<Figures> {
  const cell = makeCell(args.machines, args.tasks, args.seed);
  const bytes = cell.entries.reduce((sum, entry) => sum + entry.length, 0);
  replay(cell);
  const applied = timed(() => replay(cell));
  const memory = heapOf(() => replay(cell));
  assert.deepEqual(stateViolations(memory.value), []);
  const encoded = timed(() => encodeCheckpoint(memory.value));
  const decoded = timed(() => decodeCheckpoint(encoded.value.bytes));
  assert.ok(decoded.value.ok && stateHash(decoded.value.value) === encoded.value.hash);
  const durable = await durableSeconds(cell, args.directory);
  return {
    machines: args.machines,
    tasks: args.tasks,
    ops: cell.ops,
    appliedOpsPerSecond: Math.round(cell.ops / applied.seconds),
    durableOpsPerSecond: Math.round(cell.ops / durable),
    heapBytesPerTask: Math.round((memory.bytes - machinesHeap(cell, args.machines)) / args.tasks),
    heapMiB: Math.round(memory.bytes / 2 ** 20),
    journalBytesPerOp: Math.round(bytes / cell.ops),
    checkpointMiB: rounded(encoded.value.bytes.length / 2 ** 20),
    checkpointEncodeSeconds: rounded(encoded.seconds),
    checkpointDecodeSeconds: rounded(decoded.seconds),
  };
}

function replay(cell: MadeCell): CellState {
  const state = newState();
  for (const [i, bytes] of cell.entries.entries()) {
    const entry = decodeEntry(bytes);
    assert.ok(entry.ok);
    expectDone(applyEntry(state, i + 1, entry.value));
  }
  return state;
}

/** A refusal would make the figures a lie. */
function expectDone(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.reason);
    if (outcome.answer.type === "claims")
      assert.ok(
        outcome.answer.claims.every((claim) => claim.ok),
        JSON.stringify(outcome.answer),
      );
  }
}

/** Appends every entry to real files, each synced before it is applied and the next one goes: what one master does. */
async function durableSeconds(cell: MadeCell, parent: string): Promise<number> {
  const journal = await BenchJournal.open(parent);
  try {
    const state = newState();
    const started = performance.now();
    for (const [i, bytes] of cell.entries.entries()) {
      await journal.append(bytes.slice());
      const entry = decodeEntry(bytes);
      assert.ok(entry.ok);
      expectDone(applyEntry(state, i + 1, entry.value));
    }
    return (performance.now() - started) / 1000;
  } finally {
    await journal.close();
  }
}

/** What the cell without any job takes, so that a task's cost is a task's. */
function machinesHeap(cell: MadeCell, machines: number): number {
  const setUpOps = machines + 1002;
  return heapOf(() => {
    const state = newState();
    let left = setUpOps;
    for (const [i, bytes] of cell.entries.entries()) {
      const entry = decodeEntry(bytes);
      assert.ok(entry.ok);
      entry.value.ops = entry.value.ops.slice(0, left);
      left -= entry.value.ops.length;
      applyEntry(state, i + 1, entry.value);
      if (left === 0) break;
    }
    return state;
  }).bytes;
}

function heapOf<T>(make: () => T): { readonly value: T; readonly bytes: number } {
  collect();
  const before = process.memoryUsage().heapUsed;
  const value = make();
  collect();
  return { value, bytes: process.memoryUsage().heapUsed - before };
}

function collect(): void {
  assert.ok(globalThis.gc, "Run node with --expose-gc");
  globalThis.gc();
  globalThis.gc();
}

function timed<T>(make: () => T): { readonly value: T; readonly seconds: number } {
  const started = performance.now();
  const value = make();
  return { value, seconds: (performance.now() - started) / 1000 };
}
