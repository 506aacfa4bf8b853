/** Priority bands (Borg §2.5; the numbers are those of the public 2019 trace). Plain numbers and types: a command can read them before it loads anything else. */
import type { Band as WireBand } from "./gen/borg/v1/resource_pb.ts";

type WireBands = typeof WireBand;

/** By their numbers on the wire. It does not compile unless these are the values of resource.proto's enum. */
const WIRE = { free: 1, batch: 2, production: 3, monitoring: 4 } as const satisfies {
  readonly [Name in Exclude<keyof WireBands, "UNSPECIFIED"> as Lowercase<Name>]: WireBands[Name];
};

export type BandName = keyof typeof WIRE;

/** Where each begins; it ends below the next. The name of a band stands for this priority. */
export const LOWEST = { free: 0, batch: 100, production: 120, monitoring: 360 } as const satisfies Readonly<Record<BandName, number>>;

export const PRIORITY_MAX = 450;

interface Band {
  readonly name: BandName;
  readonly lowest: number;
  readonly highest: number;
  readonly wire: (typeof WIRE)[BandName];
}

/** From low to high. */
export const BANDS: readonly Band[] = (Object.keys(WIRE) as BandName[]).map((name, i, names) => {
  const next = names[i + 1];
  return { name, lowest: LOWEST[name], highest: next === undefined ? PRIORITY_MAX : LOWEST[next] - 1, wire: WIRE[name] };
});

const { batch: BATCH, production: PRODUCTION, monitoring: MONITORING } = LOWEST;

export function bandOf(priority: number): BandName {
  return priority >= MONITORING ? "monitoring" : priority >= PRODUCTION ? "production" : priority >= BATCH ? "batch" : "free";
}

export const bandOfWire = (wire: WireBand): BandName | undefined => BANDS.find((band) => band.wire === wire)?.name;

export const wireBand = (name: BandName): (typeof WIRE)[BandName] => WIRE[name];

/** prod = production + monitoring. */
export const isProd = (priority: number): boolean => priority >= PRODUCTION;
