/**
 * Resource vectors: what a task may use, what a machine has. Whole numbers only, so that sums are exact and the same
 * on every replica: millicores, KiB, KiB of disk, bytes a second, ports by count, and named extras (gpu...).
 * Vectors never change; arithmetic makes new ones.
 *
 * Here, and nowhere else, the dimensions are spelled out: a loop over their names takes six times as long, and these functions are called a million
 * times. One that a new dimension is missing in does not compile, or fails vector.test.ts.
 */
import { assert } from "./assert.ts";
import { DIMENSIONS, type Dimension, isDimension } from "./dimension.ts";

export interface Extra {
  readonly name: string;
  readonly amount: number;
}

export interface Vector extends Readonly<Record<Dimension, number>> {
  /** Sorted by name, no zero amounts. */
  readonly extras: readonly Extra[];
}

const NO_EXTRAS: readonly Extra[] = [];

/** The vector with these amounts. */
export const vectorOf = (amount: (dimension: Dimension) => number, extras: readonly Extra[] = NO_EXTRAS): Vector => ({
  cpu: amount("cpu"),
  ram: amount("ram"),
  disk: amount("disk"),
  bandwidth: amount("bandwidth"),
  ports: amount("ports"),
  extras,
});

/** The same amounts, of a record that names them as vectors do. */
export const copyOf = (
  { cpu, ram, disk, bandwidth, ports }: Readonly<Record<Dimension, number>>,
  extras: readonly Extra[] = NO_EXTRAS,
): Vector => ({ cpu, ram, disk, bandwidth, ports, extras });

export const ZERO: Vector = vectorOf(() => 0);

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

/** `used` without `freed` and with `more` is at most `capacity`. Makes no objects. */
export function fitsWith(used: Vector, freed: Vector, more: Vector, capacity: Vector): boolean {
  if (used.cpu - freed.cpu + more.cpu > capacity.cpu || used.ram - freed.ram + more.ram > capacity.ram) return false;
  if (used.disk - freed.disk + more.disk > capacity.disk) return false;
  if (used.bandwidth - freed.bandwidth + more.bandwidth > capacity.bandwidth) return false;
  if (used.ports - freed.ports + more.ports > capacity.ports) return false;
  return more.extras.length === 0 || shortfall(plus(minus(used, freed), more), capacity) === undefined;
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
  return vectorOf(
    (d) => Math.max(a[d], b[d]),
    names.map((name) => ({ name, amount: Math.max(amountOf(a, name), amountOf(b, name)) })),
  );
}

/** The smaller of both, of what `a` has. */
export const lowest = (a: Vector, b: Vector): Vector =>
  vectorOf(
    (d) => Math.min(a[d], b[d]),
    a.extras.map(({ name, amount }) => ({ name, amount: Math.min(amount, amountOf(b, name)) })),
  );

/** What is left of `whole`; nothing where more is used. */
export const rest = (whole: Vector, used: Vector): Vector =>
  vectorOf(
    (d) => Math.max(0, whole[d] - used[d]),
    whole.extras.map(({ name, amount }) => ({ name, amount: Math.max(0, amount - amountOf(used, name)) })),
  );

/** By its place in DIMENSIONS. */
export function amountAt(vector: Vector, number: number): number {
  switch (number) {
    case 0:
      return vector.cpu;
    case 1:
      return vector.ram;
    case 2:
      return vector.disk;
    case 3:
      return vector.bandwidth;
    default:
      return vector.ports;
  }
}

/** The same text for the same amounts. */
export function keyOf({ cpu, ram, disk, bandwidth, ports, extras }: Vector): string {
  const more = extras.length === 0 ? "" : ` ${extras.map(({ name, amount }) => `${name} ${amount}`).join(" ")}`;
  return `${cpu} ${ram} ${disk} ${bandwidth} ${ports}${more}`;
}

/** Of a dimension, or of an extra. */
export const amountIn = (vector: Vector, name: string): number => (isDimension(name) ? vector[name] : amountOf(vector, name));

/** All that a vector has amounts of: every dimension, and its extras. */
export const namesIn = ({ extras }: Vector): readonly string[] => [...DIMENSIONS, ...extras.map(({ name }) => name)];

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
