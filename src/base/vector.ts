/**
 * Resource vectors: what a task may use, what a machine has. Whole numbers only, so that sums are exact and the same
 * on every replica: millicores, KiB, KiB of disk, bytes a second, ports by count, and named extras (gpu...).
 * Vectors never change; arithmetic makes new ones.
 */
import { assert } from "./assert.ts";

export interface Extra {
  readonly name: string;
  readonly amount: number;
}

export interface Vector {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
  readonly bandwidth: number;
  readonly ports: number;
  /** Sorted by name, no zero amounts. */
  readonly extras: readonly Extra[];
}

const NO_EXTRAS: readonly Extra[] = [];

export const ZERO: Vector = { cpu: 0, ram: 0, disk: 0, bandwidth: 0, ports: 0, extras: NO_EXTRAS };

/** The dimensions every vector has; extras come on top. */
export const DIMENSIONS = ["cpu", "ram", "disk", "bandwidth", "ports"] as const;

export const plus = (a: Vector, b: Vector): Vector => ({
  cpu: a.cpu + b.cpu,
  ram: a.ram + b.ram,
  disk: a.disk + b.disk,
  bandwidth: a.bandwidth + b.bandwidth,
  ports: a.ports + b.ports,
  extras: b.extras.length === 0 ? a.extras : mergeExtras(a.extras, b.extras, 1),
});

/** Never below zero: taking away what was not there is a bug. */
export function minus(a: Vector, b: Vector): Vector {
  assert(
    a.cpu >= b.cpu && a.ram >= b.ram && a.disk >= b.disk && a.bandwidth >= b.bandwidth && a.ports >= b.ports,
    "Cannot take away more than there is",
  );
  return {
    cpu: a.cpu - b.cpu,
    ram: a.ram - b.ram,
    disk: a.disk - b.disk,
    bandwidth: a.bandwidth - b.bandwidth,
    ports: a.ports - b.ports,
    extras: b.extras.length === 0 ? a.extras : mergeExtras(a.extras, b.extras, -1),
  };
}

export const times = (a: Vector, factor: number): Vector => ({
  cpu: a.cpu * factor,
  ram: a.ram * factor,
  disk: a.disk * factor,
  bandwidth: a.bandwidth * factor,
  ports: a.ports * factor,
  extras: factor === 0 ? NO_EXTRAS : a.extras.map((e) => ({ name: e.name, amount: e.amount * factor })),
});

/** Everything of `a` is at most what `b` has. */
export function fits(a: Vector, b: Vector): boolean {
  if (a.cpu > b.cpu || a.ram > b.ram || a.disk > b.disk || a.bandwidth > b.bandwidth || a.ports > b.ports) return false;
  for (const extra of a.extras) if (extra.amount > amountOf(b, extra.name)) return false;
  return true;
}

/** The first dimension in which `need` is more than `have`, and by how much. */
export function shortfall(need: Vector, have: Vector): { readonly dimension: string; readonly amount: number } | undefined {
  for (const dimension of DIMENSIONS) {
    const missing = need[dimension] - have[dimension];
    if (missing > 0) return { dimension, amount: missing };
  }
  for (const extra of need.extras) {
    const missing = extra.amount - amountOf(have, extra.name);
    if (missing > 0) return { dimension: extra.name, amount: missing };
  }
  return undefined;
}

export function equal(a: Vector, b: Vector): boolean {
  return a === b || (fits(a, b) && fits(b, a));
}

/** Sums beyond 2^53 would no longer be exact. */
export function exact(a: Vector): boolean {
  for (const dimension of DIMENSIONS) if (!Number.isSafeInteger(a[dimension])) return false;
  return a.extras.every((e) => Number.isSafeInteger(e.amount));
}

/** The larger of both in every dimension. */
export function highest(a: Vector, b: Vector): Vector {
  const names = [...new Set([...a.extras, ...b.extras].map((e) => e.name))].sort();
  return {
    cpu: Math.max(a.cpu, b.cpu),
    ram: Math.max(a.ram, b.ram),
    disk: Math.max(a.disk, b.disk),
    bandwidth: Math.max(a.bandwidth, b.bandwidth),
    ports: Math.max(a.ports, b.ports),
    extras: names.map((name) => ({ name, amount: Math.max(amountOf(a, name), amountOf(b, name)) })),
  };
}

export function amountOf(vector: Vector, name: string): number {
  for (const extra of vector.extras) if (extra.name === name) return extra.amount;
  return 0;
}

/** Both lists are sorted by name; so is the result, and without zeros. */
function mergeExtras(a: readonly Extra[], b: readonly Extra[], sign: 1 | -1): readonly Extra[] {
  const out: Extra[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    const name = right === undefined || (left !== undefined && left.name <= right.name) ? (left as Extra).name : right.name;
    let amount = 0;
    if (left?.name === name) amount += (a[i++] as Extra).amount;
    if (right?.name === name) amount += sign * (b[j++] as Extra).amount;
    assert(amount >= 0, `Cannot take away more "${name}" than there is`);
    if (amount > 0) out.push({ name, amount });
  }
  return out.length === 0 ? NO_EXTRAS : out;
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ["cpu", "millicores of cpu"],
  ["ram", "KiB of ram"],
  ["disk", "KiB of disk"],
  ["bandwidth", "bytes a second of disk bandwidth"],
  ["ports", "ports"],
]);

/** For people: "lacks 500 millicores of cpu", "lacks 2 gpu". */
export const unitOf = (dimension: string): string => UNITS.get(dimension) ?? dimension;
