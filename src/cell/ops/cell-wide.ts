/** Ops about the cell as a whole: that it exists, its version, its configuration, its time, its schedulers. */
import { assert } from "../../base/assert.ts";
import { userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ZERO } from "../../base/vector.ts";
import { make } from "../../wire/codec.ts";
import {
  type CellClock,
  type CellConfigure,
  type CellInit,
  type CellRestored,
  type CellVersion,
  type OfferModule,
  OfferPolicySchema,
  type OffersSet,
  type Reclamation,
  type ReclamationSet,
  Role,
  type SchedulerSet,
} from "../../wire/gen/borg/v1/op_pb.ts";
import { weigh } from "../bounds.ts";
import { CLOCK_GRACE_MS, expiryAt } from "../expiry.ts";
import type { Turn } from "../turn.ts";
import { DIGESTS_AND_CLOCK, MEASURED_BOUNDS, OFFER_POLICY, RECLAMATION, RESTORES, VERSION_MAX, WANTED_ENDS } from "../version.ts";
import { releaseAll } from "./lifecycle.ts";
import { newUser } from "./users.ts";

export function initCell(turn: Turn, op: CellInit): Result<undefined> {
  const owner = newUser(userId(op.owner));
  owner.roles.add(Role.USER).add(Role.CELL_ADMIN);
  turn.state.name = op.cell;
  turn.state.users.set(owner.id, owner);
  turn.touch.cell();
  turn.touch.user(owner);
  turn.emit({ kind: "cell.changed", subject: op.cell, detail: "created" });
  return ok(undefined);
}

/** New behaviour is switched on one version at a time, when all replicas can do it; one that cannot must stop, not guess. */
export function setVersion(turn: Turn, op: CellVersion): Result<undefined> {
  if (op.version !== turn.state.version + 1)
    return refused(`The cell has version ${turn.state.version}: the next one is ${turn.state.version + 1}`);
  assert(op.version <= VERSION_MAX, `This build cannot do cell version ${op.version}: upgrade it before it may go on`);
  turn.state.version = op.version;
  // From here on specs weigh more, as they do for a replica that reads a checkpoint of this version.
  if (op.version === MEASURED_BOUNDS) for (const job of turn.state.jobs.values()) weigh(turn.state, job);
  if (op.version === WANTED_ENDS) releaseAll(turn);
  turn.touch.cell();
  turn.emit({ kind: "cell.changed", subject: turn.state.name, detail: `version ${op.version}` });
  return ok(undefined);
}

/** Reclamation and offers have ops of their own: whoever changes something else, with a configuration read before, does not undo them. */
export function configureCell(turn: Turn, op: CellConfigure): Result<undefined> {
  const { config } = turn.state;
  const { reclamation, offers } = config;
  const { offers: _, ...asked } = op.config ?? config;
  turn.state.config = { ...asked, reclamation, ...(offers === undefined ? {} : { offers }) };
  turn.touch.cell();
  turn.emit({ kind: "cell.changed", subject: turn.state.name, detail: "configuration" });
  return ok(undefined);
}

/** How far reservations fall below limits from now on; the estimator goes by it. [R5] */
export function setReclamation(turn: Turn, { reclamation }: ReclamationSet): Result<undefined> {
  const { state } = turn;
  if (state.version < RECLAMATION)
    return refused(`The cell has version ${state.version}: reclamation is chosen from version ${RECLAMATION} on`);
  state.config = { ...state.config, reclamation };
  turn.touch.cell();
  turn.emit({ kind: "cell.changed", subject: state.name, detail: `reclamation ${RECLAMATION_NAMES[reclamation]}` });
  return ok(undefined);
}

const RECLAMATION_NAMES: Readonly<Record<Reclamation, string>> = ["medium", "off", "baseline", "medium", "aggressive"];

/** Whom the master offers room first, and on which machines only to tasks that say how long they take. [Z7] [Z9] */
export function setOffers(turn: Turn, { module, shortPermille, shortMs }: OffersSet): Result<undefined> {
  const { state } = turn;
  if (state.version < OFFER_POLICY)
    return refused(`The cell has version ${state.version}: how room is offered is chosen from version ${OFFER_POLICY} on`);
  if (module === undefined && shortPermille === undefined && shortMs === undefined)
    return refused("Nothing of how room is offered is to be changed: name the order, the part of the machines or the longest duration");
  const before = state.config.offers ?? make(OfferPolicySchema, {});
  const offers = {
    ...before,
    ...(module === undefined ? {} : { module }),
    ...(shortPermille === undefined ? {} : { shortPermille }),
    ...(shortMs === undefined ? {} : { shortMs }),
  };
  state.config = { ...state.config, offers };
  turn.touch.cell();
  const kept = offers.shortPermille === 0 ? "" : `, short on ${offers.shortPermille / 10} %`;
  turn.emit({ kind: "cell.changed", subject: state.name, detail: `offers by ${OFFER_NAMES[offers.module]}${kept}` });
  return ok(undefined);
}

const OFFER_NAMES: Readonly<Record<OfferModule, string>> = ["drf", "drf", "priority", "lottery"];

/**
 * A clock that the leader came to believe although it is far ahead. Time goes there at once, because everything is stamped with it; but what ends
 * by the clock (expiry.ts) ends no sooner for a while, so that people who read the event can act before an hour's quota is gone in a second.
 */
export function setClock(turn: Turn, op: CellClock): Result<undefined> {
  const { state } = turn;
  if (state.version < DIGESTS_AND_CLOCK)
    return refused(`The cell has version ${state.version}: its clock is set from version ${DIGESTS_AND_CLOCK} on`);
  const aheadMs = op.toMs - state.timeMs;
  if (aheadMs <= 0) return refused(`Cell time is ${state.timeMs} already`);
  state.expiryLagMs = state.timeMs - expiryAt(state, state.timeMs) + aheadMs;
  state.expiryLagUntilMs = op.toMs + CLOCK_GRACE_MS;
  state.timeMs = op.toMs;
  turn.touch.cell();
  turn.emit({ kind: "cell.clock", subject: state.name, detail: `set ahead by ${Math.round(aheadMs / 1000)} s` });
  return ok(undefined);
}

/** Numbers of instances that are alive somewhere are never given again, though nothing in the cell knows of them. */
export function restoreCell(turn: Turn, op: CellRestored): Result<undefined> {
  const { state } = turn;
  if (state.version < RESTORES) return refused(`The cell has version ${state.version}: it can be restored from version ${RESTORES} on`);
  state.incarnations = Math.max(state.incarnations, op.incarnations);
  // The shards that shared them belong to a journal that is gone.
  if (state.links !== undefined) {
    state.links = undefined;
    turn.touch.cell();
  }
  turn.emit({ kind: "cell.changed", subject: state.name, detail: "restored from a backup; what came after it is not known" });
  return ok(undefined);
}

export function setScheduler(turn: Turn, op: SchedulerSet): Result<undefined> {
  const { limits } = op;
  if (limits === undefined) return refused("A scheduler needs limits: name its priorities");
  if (limits.priorityMin > limits.priorityMax)
    return refused(`Priorities ${limits.priorityMin} to ${limits.priorityMax} are no range: name the lower one first`);
  const scheduler = turn.state.schedulers.get(op.name) ?? { name: op.name, limits, claimed: ZERO, claimedJobs: new Map() };
  scheduler.limits = limits;
  turn.state.schedulers.set(op.name, scheduler);
  turn.touch.scheduler(scheduler);
  turn.emit({ kind: "scheduler.changed", subject: op.name });
  return ok(undefined);
}
