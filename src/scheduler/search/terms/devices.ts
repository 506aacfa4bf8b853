/** What it costs to open a device that nobody had, and to leave a rest of one (scheduler.S12). A place without the devices takes no task that asks for them. */
import { deviceCost } from "../../../cell/device.ts";
import type { CostTerm } from "../term.ts";

export const devices: CostTerm = {
  /** For a part of a device that nobody had and of which nearly all is left. */
  points: 10,
  isCost: true,
  costs: ({ limit }) => (limit.extras.length === 0 ? undefined : (place) => deviceCost(place, limit) ?? Number.POSITIVE_INFINITY),
};
