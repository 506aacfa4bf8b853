/** Health in the cell's words, and its number in messages and records. */
import { Health } from "../wire/gen/borg/v1/machine_pb.ts";

export type HealthName = "unknown" | "good" | "bad";

export const HEALTH: Readonly<Record<HealthName, Health>> = { unknown: Health.UNKNOWN, good: Health.GOOD, bad: Health.BAD };

/** Undefined where nothing was said. */
export const healthOf = (wire: Health): HealthName | undefined =>
  (Object.keys(HEALTH) as HealthName[]).find((name) => HEALTH[name] === wire);
