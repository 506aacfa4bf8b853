/** What `borg run` asks for when nothing is said, as people would type it: the same that BCL asks for. */
import { quantityText } from "../bcl/quantity.ts";
import { BAND_DEFAULT, COUNT_DEFAULT, LIMIT_DEFAULTS } from "../wire/spec-defaults.ts";

const typedBytes = (amount: number): string => `${quantityText({ amount, dimension: "bytes" })}B`;

export const RUN_DEFAULTS = {
  cpu: String(LIMIT_DEFAULTS.cpuMilli / 1000),
  ram: typedBytes(LIMIT_DEFAULTS.ramBytes),
  disk: typedBytes(LIMIT_DEFAULTS.diskBytes),
  count: String(COUNT_DEFAULT),
  priority: BAND_DEFAULT,
} as const;
