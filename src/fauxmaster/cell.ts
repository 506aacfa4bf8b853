/** The real master in a simulated world: the very actors of production, put together as one process of a master is. */
import type { Actor, Address, Env } from "../base/env.ts";
import { DEFAULT_LINK, DEFAULT_MASTER, type MasterOptions } from "../borgmaster/defaults.ts";
import { Follower } from "../borgmaster/follower.ts";
import { LinkShard } from "../borgmaster/link.ts";
import { Master } from "../borgmaster/master.ts";
import type { FromScheduler } from "../scheduler/message.ts";
import { ownJobs, schedulerNames, startOf } from "../scheduler/responsibility.ts";
import { SchedulerActor } from "../scheduler/scheduler.ts";
import type { JournalAnswer } from "../wire/journal.ts";
import { Observer } from "./observer.ts";
import type { Birth } from "./process.ts";
import { RogueScheduler } from "./rogue.ts";
import { ADMIN } from "./workload.ts";
import { CELL, type MasterPlace, type Parts } from "./world.ts";

/** Small numbers, so that a run of five minutes meets what takes hours in production. */
const SIMULATED: Partial<MasterOptions> = {
  snapshotEvery: 60,
  compareEvery: 20,
  feedItemsMax: 64,
  estimator: { ...DEFAULT_MASTER.estimator, youngMs: 20_000, decayMs: 60_000, decayEveryMs: 10_000 },
};

export const linkOf = (master: Address): Address => `${master}/link`;

/** One master process: master, link shard, follower and schedulers. `hears` is told every answer of the journal before the master is. */
export function masterActors(
  birth: Birth,
  place: MasterPlace,
  told: Partial<MasterOptions> = {},
  hears: (answer: JournalAnswer) => void = () => {},
  batch = 1,
): ReadonlyMap<Address, Actor<never>> {
  const { address } = place;
  const options: MasterOptions = {
    ...DEFAULT_MASTER,
    ...SIMULATED,
    name: address,
    create: { cell: CELL, owner: ADMIN },
    link: linkOf(address),
    follower: `${address}/follower`,
    schedulers: schedulerNames(batch).map((name) => ({ name, address: `${address}/${name}` })),
    lock: place.lock,
    ...told,
  };
  const env = <Out>(name: Address): Env<Out> => birth.envFor(name) as Env<Out>;
  const journal = place.openJournal((answer) => {
    hears(answer);
    birth.deliver(address, "journal", { type: "journal", answer });
  });
  return new Map<Address, Actor<never>>([
    [address, new Master(env(address), journal, options)],
    [options.follower, new Follower(env(options.follower), address)],
    [options.link, new LinkShard(env(options.link), address, DEFAULT_LINK, options.settleMs)],
    ...options.schedulers.map(({ name, address: own }): [Address, Actor<never>] => [
      own,
      new SchedulerActor(env(own), {
        name,
        master: address,
        mine: ownJobs(name, schedulerNames(batch)),
        start: startOf(name, schedulerNames(batch)),
      }),
    ]),
  ]);
}

export const ROGUE = "rogue";

/** The parts of one world, with an observer that sees what no actor may. Make them anew for every world. */
export function cellParts(batch = 1): Parts {
  const observer = new Observer();
  return {
    master: (birth, place) =>
      new Map([...masterActors(birth, place, {}, (answer) => observer.heard(answer), batch), rogueOf(birth, place)]),
    linkOf,
    schedulers: [...schedulerNames(batch), ROGUE],
    watch: (world) => observer.watch(world),
    converged: (world, state) => observer.judge(world, state),
  };
}

/** A scheduler nobody should trust, beside the good ones. */
function rogueOf(birth: Birth, place: MasterPlace): [Address, Actor<never>] {
  const address = `${place.address}/${ROGUE}`;
  return [address, new RogueScheduler(birth.envFor(address) as Env<FromScheduler>, ROGUE, place.address)];
}
