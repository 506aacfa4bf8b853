/** Resources as people read them, and the options they are typed with, dimension by dimension (base/dimension.ts). */
import { MEASURES, SIZED, type Sized } from "../../base/dimension.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { LIMIT_DEFAULTS } from "../../wire/spec-defaults.ts";
import { bytesText, cpuText, cpuWords } from "./units.ts";

/** What every task asks for, said or not. */
export type Asked = { [D in Sized]: (typeof MEASURES)[D]["field"] extends keyof typeof LIMIT_DEFAULTS ? D : never }[Sized];

export const ASKED = SIZED.filter((dimension): dimension is Asked => MEASURES[dimension].field in LIMIT_DEFAULTS);

/** What a quota that does not name it has nothing of. */
export const BOUND = SIZED.filter((dimension) => MEASURES[dimension].quota === undefined);

type Sizes = Partial<Omit<Resources, "$typeName">>;

export const sizeOf = (resources: Sizes | undefined, dimension: Sized): number => resources?.[MEASURES[dimension].field] ?? 0;

/** `500m`, `2.5 GiB`, `10 MiB/s`. */
export function sizeText(dimension: Sized, amount: number): string {
  const { written } = MEASURES[dimension];
  return written === "cores" ? cpuText(amount) : `${bytesText(amount)}${written === "rate" ? "/s" : ""}`;
}

/** `2 cores`, `2.5 GiB ram`. */
export function sizeWords(dimension: Sized, amount: number): string {
  const { noun, written } = MEASURES[dimension];
  return written === "cores" ? cpuWords(amount) : `${sizeText(dimension, amount)} ${noun}`;
}

/** Worth a line: what everybody asks for, and what there is some of. */
export const toldOf = (...resources: readonly (Sizes | undefined)[]): readonly Sized[] =>
  SIZED.filter((dimension) => ASKED.includes(dimension as Asked) || resources.some((each) => sizeOf(each, dimension) > 0));

/** `--cpu`, and with what stands behind it: `--ram <bytes>`. */
export const optionOf = (dimension: Sized): string => `--${dimension}`;

export const flagsOf = (dimension: Sized): string =>
  `${optionOf(dimension)} <${MEASURES[dimension].written === "cores" ? "cores" : "bytes"}>`;
