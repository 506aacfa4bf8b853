/** What the owner of a cell says of its history, in `infrastore.json` beside the cell's other files: how long it is kept, and what use costs. */
import { existsSync, readFileSync } from "node:fs";
import type { BandName } from "../wire/band.ts";
import type { Prices } from "./views.ts";

export interface Settings {
  readonly keepDays: number;
  /** Credits for an hour of one core, or of 4 GiB, in each band. */
  readonly prices: Prices;
}

const KEEP_DAYS = 90;
const KEEP_DAYS_MAX = 10_000;
const PRICE_MAX = 1e9;
/** As quota costs (src/cell/prices.ts); free use is free. */
export const PRICES: Prices = { free: 0, batch: 1, production: 3, monitoring: 4 };

/** What is not said is as by default; a file that cannot be understood is told, and counts as none. */
export function readSettings(path: string, log: (line: string) => void): Settings {
  if (!existsSync(path)) return { keepDays: KEEP_DAYS, prices: PRICES };
  try {
    const said = JSON.parse(readFileSync(path, "utf8")) as { keepDays?: unknown; prices?: Readonly<Record<string, unknown>> };
    const prices = Object.keys(PRICES).map((band) => [band, numberOf(said.prices?.[band], PRICES[band as BandName], PRICE_MAX)]);
    return { keepDays: numberOf(said.keepDays, KEEP_DAYS, KEEP_DAYS_MAX), prices: Object.fromEntries(prices) as unknown as Prices };
  } catch (error) {
    log(`Cannot use "${path}": ${error instanceof Error ? error.message : String(error)}; the defaults hold`);
    return { keepDays: KEEP_DAYS, prices: PRICES };
  }
}

function numberOf(said: unknown, otherwise: number, most: number): number {
  if (said === undefined) return otherwise;
  if (typeof said === "number" && said >= 0 && said <= most) return said;
  throw new Error(`expected a number from 0 to ${most}, found ${JSON.stringify(said)}`);
}
