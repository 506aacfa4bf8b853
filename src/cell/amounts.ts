/** Resources as they are said at the edge, in the cell's own amounts, and back. */
import { MEASURES, type ResourceField, SIZED } from "../base/dimension.ts";
import { type Extra, type Vector, vectorOf, ZERO } from "../base/vector.ts";
import type { Quota, Resources } from "../wire/gen/borg/v1/resource_pb.ts";

type Rounding = "up" | "down";

const cellAmount = (amount: number, scale: number, rounding: Rounding): number =>
  scale === 1 ? amount : rounding === "up" ? Math.ceil(amount / scale) : Math.floor(amount / scale);

/** Limits are rounded up to whole KiB, capacities down, so that nothing fits that does not. */
export function amounts(resources: Resources | undefined, ports: number, rounding: Rounding): Vector {
  if (resources === undefined) return ports === 0 ? ZERO : { ...ZERO, ports };
  return vectorOf((dimension) => {
    const { field, scale } = MEASURES[dimension];
    return field === undefined ? ports : cellAmount(resources[field], scale, rounding);
  }, extrasOf(resources));
}

function extrasOf({ extras }: Resources): readonly Extra[] {
  if (extras.length === 0) return ZERO.extras;
  const some = extras.filter((e) => e.amount > 0).map((e) => ({ name: e.name, amount: e.amount }));
  return some.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a scheduler's cap allows one that has `held`. What quota limits only when said so is not capped. */
export function capOf(cap: Resources, held: Vector): Vector {
  const limits = amounts(cap, held.ports, "down");
  return vectorOf((dimension) => (MEASURES[dimension].quota === undefined ? limits[dimension] : held[dimension]), limits.extras);
}

/** What a quota allows; what it limits only when said so is otherwise as in `unlimited`. */
export function quotaVector(quota: Quota, unlimited: Vector): Vector {
  const limits = amounts(quota.limit, 0, "down");
  return vectorOf((dimension) => {
    const { quota: field, scale } = MEASURES[dimension];
    if (field === undefined) return limits[dimension];
    const own = quota[field];
    return own === undefined ? unlimited[dimension] : cellAmount(own, scale, "down");
  }, limits.extras);
}

/** What of a vector has a size, in the edge's units. */
export const sizesOf = (vector: Vector): Record<ResourceField, number> =>
  Object.fromEntries(SIZED.map((dimension) => [MEASURES[dimension].field, vector[dimension] * MEASURES[dimension].scale])) as Record<
    ResourceField,
    number
  >;

/** All of it but ports. */
export const resourcesOf = (vector: Vector): Record<ResourceField, number> & { extras: Extra[] } => ({
  ...sizesOf(vector),
  extras: vector.extras.map(({ name, amount }) => ({ name, amount })),
});
