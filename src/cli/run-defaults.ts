/** What `borg run` asks for when nothing is said, as people would type it: the same that BCL asks for. */

import { MEASURES } from "../base/dimension.ts";
import { quantityText } from "../bcl/quantity.ts";
import { BAND_DEFAULT, COUNT_DEFAULT, LIMIT_DEFAULTS } from "../wire/spec-defaults.ts";
import { ASKED, type Asked } from "./text/resources.ts";

const typedBytes = (amount: number): string => `${quantityText({ amount, dimension: "bytes" })}B`;

const typed = (dimension: Asked): string => {
  const { field, written } = MEASURES[dimension];
  return written === "cores" ? String(LIMIT_DEFAULTS[field] / 1000) : typedBytes(LIMIT_DEFAULTS[field]);
};

export const RUN_DEFAULTS = {
  ...(Object.fromEntries(ASKED.map((dimension) => [dimension, typed(dimension)])) as Readonly<Record<Asked, string>>),
  count: String(COUNT_DEFAULT),
  priority: BAND_DEFAULT,
} as const;
