/** Health in the cell's words, by its numbers in messages and records. A value of machine.proto's enum without a row does not compile. */
import type { Health } from "../wire/gen/borg/v1/machine_pb.ts";

type WireHealth = typeof Health;

export const HEALTH = { unknown: 1, good: 2, bad: 3 } as const satisfies {
  readonly [Name in Exclude<keyof WireHealth, "UNSPECIFIED"> as Lowercase<Name>]: WireHealth[Name];
};

export type HealthName = keyof typeof HEALTH;

const NAMES: ReadonlyMap<Health, HealthName> = new Map((Object.keys(HEALTH) as HealthName[]).map((name) => [HEALTH[name], name]));

/** Undefined where nothing was said. */
export const healthOf = (wire: Health): HealthName | undefined => NAMES.get(wire);
