/** Sums that pages show: millicores and bytes, in numbers that are added and taken away again as records change. */
import type { Init } from "../../wire/codec.ts";
import type { ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";

export interface Amount {
  cpu: number;
  ram: number;
  disk: number;
}

export interface Level {
  readonly limit: Amount;
  readonly reserved: Amount;
  readonly used: Amount;
}

export const noAmount = (): Amount => ({ cpu: 0, ram: 0, disk: 0 });
export const noLevel = (): Level => ({ limit: noAmount(), reserved: noAmount(), used: noAmount() });

/** `sign` -1: takes it away. */
export function addAmount(sum: Amount, { cpu, ram, disk }: Readonly<Amount>, sign = 1): void {
  sum.cpu += sign * cpu;
  sum.ram += sign * ram;
  sum.disk += sign * disk;
}

export function addLevel(sum: Level, { limit, reserved, used }: Level, sign = 1): void {
  addAmount(sum.limit, limit, sign);
  addAmount(sum.reserved, reserved, sign);
  addAmount(sum.used, used, sign);
}

export const resourcesOfAmount = ({ cpu, ram, disk }: Readonly<Amount>): Init<typeof ResourcesSchema> => ({
  cpuMilli: cpu,
  ramBytes: ram,
  diskBytes: disk,
});
