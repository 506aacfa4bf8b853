/**
 * What quota costs (Borg §2.5: "higher-priority quota costs more"), in credits an hour: one credit is an hour of one core in the batch band. The formula,
 * and these numbers, stand in docs/cli.md.
 */
import type { Vector } from "../base/vector.ts";
import type { BandName } from "../wire/band.ts";

/** Everyone has free quota without end, so it costs nothing; prod is a promise of machines. */
export const BAND_PRICES: Readonly<Record<BandName, number>> = { free: 0, batch: 1, production: 3, monitoring: 4 };

/** So much of each costs as much as a core. */
export const CORE_WORTH = { cpuMilli: 1000, ramKib: 4 * 2 ** 20, diskKib: 256 * 2 ** 20 } as const;

export const costOf = (band: BandName, { cpu, ram, disk }: Vector): number =>
  BAND_PRICES[band] * (cpu / CORE_WORTH.cpuMilli + ram / CORE_WORTH.ramKib + disk / CORE_WORTH.diskKib);
