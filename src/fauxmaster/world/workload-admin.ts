/** What an administrator does now and then, beside quota and drains: limits of schedulers, quota that ends, how far reservations fall, machines that leave, machines that may come. */
import type { Random } from "../../base/random.ts";
import type { Init } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { OfferModule, Reclamation } from "../../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { type ClientCall, change, setQuota } from "./workload-changes.ts";

const GI = 1024 ** 3;

export interface Administered {
  readonly users: readonly string[];
  readonly machines: readonly string[];
  readonly schedulers: readonly string[];
  /** The scheduler that nobody needs: whatever its limits are, everything is placed by the others. */
  readonly bounded: string;
  /** What a good clock shows. */
  readonly wallMs: () => number;
}

export function unusualAdministration(random: Random, cell: Administered): ClientCall {
  const kind = random.pick(["bounds", "bounds", "coarse", "ends", "leave", "leave", "approve", "reclamation", "offers"] as const);
  if (kind === "bounds") return setScheduler(cell.bounded, bounds(random));
  if (kind === "coarse") return setScheduler(random.pick(cell.schedulers), { priorityMax: 450, coarse: random.chance(0.5) });
  if (kind === "reclamation")
    return change("setReclamation", api.SetReclamationRequestSchema, {
      reclamation: random.int(Reclamation.OFF, Reclamation.AGGRESSIVE + 1),
    });
  if (kind === "offers")
    return change("setOffers", api.SetOffersRequestSchema, {
      module: random.int(OfferModule.DRF, OfferModule.LOTTERY + 1),
      shortPermille: random.pick([0, 0, 300]),
    });
  if (kind === "approve") return approve(random, cell);
  if (kind === "leave" && random.chance(0.2))
    return change("removeMachine", api.RemoveMachineRequestSchema, { machine: random.pick(GUESTS) });
  if (kind === "leave") return change("removeMachine", api.RemoveMachineRequestSchema, { machine: random.pick(cell.machines) });
  const untilMs = random.chance(0.5) ? 0 : cell.wallMs() + random.int(5_000, 60_000);
  return batchQuota(random.pick(cell.users), untilMs);
}

/** Machines from elsewhere, of which none ever comes; of the cell's own nothing is approved that could keep them out. */
const GUESTS = ["guest-1", "guest-2", "guest-3"];

function approve(random: Random, { machines }: Administered): ClientCall {
  const [hash, isGuest] = [random.pick(["a", "b"]).repeat(64), random.chance(0.8)];
  const who = isGuest ? random.pick(["token", "key", "neither"] as const) : "neither";
  return change("approveMachine", api.ApproveMachineRequestSchema, {
    machine: random.pick(isGuest ? GUESTS : machines),
    approval: { capacity: { cpuMilli: 4000, ramBytes: GI }, key: who === "key" ? hash : "" },
    tokenHash: who === "token" ? hash : "",
    ttlMs: random.pick([0, 30_000]),
  });
}

/** Priorities, a cap, a number of jobs, coarse detection: any of them, or none. */
function bounds(random: Random) {
  const cap = { cpuMilli: random.pick([1000, 4000]), ramBytes: random.pick([1, 8]) * GI };
  return {
    priorityMin: random.pick([0, 0, 100]),
    priorityMax: random.pick([450, 450, 119]),
    coarse: random.chance(0.2),
    ...(random.chance(0.4) ? { cap } : {}),
    ...(random.chance(0.4) ? { jobsMax: random.int(0, 3) } : {}),
  };
}

const setScheduler = (name: string, limits: object): ClientCall => change("setScheduler", api.SetSchedulerRequestSchema, { name, limits });

export const batchQuota = (user: string, untilMs: number): ClientCall => setQuota(user, Band.BATCH, { unlimited: true, untilMs });

const pace = (downMax: number): { readonly downMax: number; readonly drainEveryMs?: number } => ({
  downMax,
  ...(downMax > 1 ? { drainEveryMs: 5000 } : {}),
});

/** How many tasks may be down for maintenance at a time, and how often one more, and how much notice the job grants to whom it evicts. */
export const manners = (random: Random): Pick<Init<typeof JobSpecSchema>, "downMax" | "drainEveryMs" | "victimNoticeMs"> => ({
  ...(random.chance(0.5) ? pace(random.int(1, 3)) : {}),
  ...(random.chance(0.2) ? { victimNoticeMs: random.pick([0, 1000]) } : {}),
});
