/** Priority bands (Borg §2.5; the numbers are those of the public 2019 trace) and who may evict whom. */
import { Band as WireBand } from "../wire/gen/borg/v1/resource_pb.ts";
import type { Instance } from "./state.ts";

export type BandName = "free" | "batch" | "production" | "monitoring";

interface Band {
  readonly name: BandName;
  readonly lowest: number;
  readonly highest: number;
  readonly wire: WireBand;
}

export const BANDS: readonly Band[] = [
  { name: "free", lowest: 0, highest: 99, wire: WireBand.FREE },
  { name: "batch", lowest: 100, highest: 119, wire: WireBand.BATCH },
  { name: "production", lowest: 120, highest: 359, wire: WireBand.PRODUCTION },
  { name: "monitoring", lowest: 360, highest: 450, wire: WireBand.MONITORING },
];

export const PRIORITY_MAX = 450;

export function bandOf(priority: number): BandName {
  return priority >= 360 ? "monitoring" : priority >= 120 ? "production" : priority >= 100 ? "batch" : "free";
}

export const bandOfWire = (wire: WireBand): BandName | undefined => BANDS.find((band) => band.wire === wire)?.name;

export const wireBand = (name: BandName): WireBand => (BANDS.find((band) => band.name === name) as Band).wire;

/** prod = production + monitoring. */
export const isProd = (priority: number): boolean => priority >= 120;

/**
 * Victims have lower priority; production never evicts production and monitoring never monitoring, which stops cascades
 * (§2.5); a task over its memory limit goes first, whoever asks (§5.5). [KP1]
 */
export function mayEvict(priority: number, victim: Instance): boolean {
  if (victim.overRam) return true;
  if (victim.priority >= priority) return false;
  return !isProd(victim.priority) || bandOf(victim.priority) !== bandOf(priority);
}
