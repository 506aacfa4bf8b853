/** The real master in a simulated world: the very actors of production, put together as one process of a master is. */
import type { Actor, Address, Env } from "../base/env.ts";
import { type NewHash, newSha256 } from "../base/sha256.ts";
import type { FromApi } from "../borgmaster/api/message.ts";
import { Api } from "../borgmaster/api.ts";
import { DEFAULT_LINK, DEFAULT_MASTER, type EstimatorOptions, type MasterOptions, type ReclamationPreset } from "../borgmaster/defaults.ts";
import { Follower } from "../borgmaster/follower.ts";
import { LinkShard, type ShardOptions } from "../borgmaster/link.ts";
import { Master } from "../borgmaster/master.ts";
import type { FromScheduler } from "../scheduler/message.ts";
import { ownJobs, schedulerNames, startOf } from "../scheduler/responsibility.ts";
import { SchedulerActor } from "../scheduler/scheduler.ts";
import type { JournalAnswer } from "../wire/journal.ts";
import { unheardEnds } from "./judge/executors.ts";
import { Hanging } from "./judge/hanging.ts";
import { Observer } from "./judge/observer.ts";
import type { Options } from "./options.ts";
import { WALL_START_MS } from "./world/clock.ts";
import { ExecutorMail } from "./world/executor-mail.ts";
import { type Remembered, remembered, SimulatedFrameworks } from "./world/frameworks.ts";
import { PackageShelf } from "./world/package-shelf.ts";
import type { Birth } from "./world/process.ts";
import { RogueScheduler } from "./world/rogue.ts";
import { ToyVault } from "./world/toy-vault.ts";
import { ADMIN } from "./world/workload.ts";
import { CELL, type MasterPlace, type Parts, USERS, type World } from "./world.ts";

/** A task of a simulated cell is old after seconds. */
const sooner = (presets: EstimatorOptions["presets"]): EstimatorOptions["presets"] => {
  const soon = (preset: ReclamationPreset): ReclamationPreset => ({ ...preset, youngMs: 20_000, decayMs: 60_000 });
  return { baseline: soon(presets.baseline), medium: soon(presets.medium), aggressive: soon(presets.aggressive) };
};

/** Small numbers, so that a run of five minutes meets what takes hours in production. */
const SIMULATED: Partial<MasterOptions> = {
  snapshotEvery: 60,
  compareEvery: 60,
  feedItemsMax: 64,
  estimator: { ...DEFAULT_MASTER.estimator, presets: sooner(DEFAULT_MASTER.estimator.presets), decayEveryMs: 10_000 },
};

export const apiOf = (master: Address): Address => `${master}/api`;

export const linkOf = (master: Address): Address => `${master}/link`;

/** Who keeps the bytes of packages. */
const packagesOf = (master: Address): Address => `${master}/packages`;

/**
 * One master process: master, API, link shard, follower, packages and schedulers. `hears` is told every answer of the journal before the master is. While it
 * `isBad`, packages cannot be relied on.
 */
export function masterActors(
  birth: Birth,
  place: MasterPlace,
  told: Partial<MasterOptions> = {},
  hears: (answer: JournalAnswer) => void = () => {},
  batch = 1,
  isBad: () => boolean = () => false,
): ReadonlyMap<Address, Actor<never>> {
  const { address } = place;
  const options: MasterOptions = {
    ...DEFAULT_MASTER,
    ...SIMULATED,
    name: address,
    create: { cell: CELL, owner: ADMIN },
    link: linkOf(address),
    follower: `${address}/follower`,
    copies: [apiOf(address)],
    schedulers: schedulerNames(batch).map((name) => ({ name, address: `${address}/${name}` })),
    lock: place.lock,
    sharesLinks: place.lock !== undefined,
    replicas: place.masters.length,
    versionMax: place.versionMax,
    ...told,
  };
  const env = <Out>(name: Address): Env<Out> => birth.envFor(name) as Env<Out>;
  const journal = place.openJournal((answer) => {
    hears(answer);
    birth.deliver(address, "journal", { type: "journal", answer });
  });
  const api = apiActor(env(apiOf(address)), options);
  const link = new LinkShard(env(options.link), shardOptions(place, options));
  return new Map<Address, Actor<never>>([
    [address, new Master(env(address), journal, options)],
    [apiOf(address), api],
    [options.follower, new Follower(env(options.follower), address, options.newHash)],
    [options.link, new ExecutorMail(env(options.link), link, apiOf(address)) as Actor<never>],
    [packagesOf(address), new PackageShelf(env(packagesOf(address)), isBad)],
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

/** Every borglet dials all masters, so every shard has all links, and polls its own machines. */
const shardOptions = ({ address, masters, versionMax }: MasterPlace, { sharesLinks, settleMs }: MasterOptions): ShardOptions => ({
  master: address,
  packages: packagesOf(address),
  secrets: apiOf(address),
  options: DEFAULT_LINK,
  settleMs,
  place: sharesLinks ? { replica: address, masters, versionMax } : undefined,
});

/** No thread of its own can be asked how busy it is: there are none here. */
function apiActor(env: Env<FromApi>, { name, link, follower, newHash }: MasterOptions): Api {
  const vault = new ToyVault(() => env.random());
  return new Api(env, { master: name, link, follower, packages: packagesOf(name), vault, counters: "", threads: [], newHash });
}

export const ROGUE = "rogue";

/** The store that fails call by call may answer after minutes, so only etcd's own deadlines are a bound. */
function hangingOf(birth: Birth, { address }: MasterPlace, master: Master, world: () => World | undefined): [Address, Actor<never>][] {
  const name = `${address}/hanging`;
  const violate = (text: string): void => {
    const { kernel, options } = world() ?? {};
    if (options?.store === "etcd" && options.masters > 1) kernel?.violate({ id: "KL3", text: `"${address}": ${text}` });
  };
  return [[name, new Hanging(birth.envFor(name) as Env<never>, () => master.heldMs, violate) as unknown as Actor<never>]];
}

/** The parts of one world, with an observer that sees what no actor may. Make them anew for every world. `newHash`: the machine's own is much faster. */
export function cellParts(
  { seed, batch, frameworks, safetyMs }: Pick<Options, "seed" | "batch" | "frameworks" | "safetyMs">,
  newHash: NewHash = newSha256,
): Parts {
  const observer = new Observer();
  let world: World | undefined;
  const open = (): boolean => world?.open !== false;
  const memory = remembered(USERS, seed).slice(0, frameworks);
  return {
    master: (birth, place) => {
      const actors = masterActors(birth, place, { newHash }, (answer) => observer.heard(answer), batch, open);
      const api = actors.get(apiOf(place.address)) as unknown as Api;
      const hanging = hangingOf(birth, place, actors.get(place.address) as unknown as Master, () => world);
      return new Map([
        ...actors,
        ...hanging,
        rogueOf(birth, place, open),
        frameworksOf(birth, place, api, { memory, safetyMs }, () => world),
      ]);
    },
    newHash,
    linkOf,
    apiOf,
    schedulers: [...schedulerNames(batch), ROGUE],
    administered: ({ kernel, machines }) => ({
      users: USERS,
      machines: machines.map(({ name }) => name),
      schedulers: schedulerNames(batch),
      bounded: ROGUE,
      wallMs: () => WALL_START_MS + kernel.nowMs,
    }),
    watch: (watched) => {
      world = watched;
      observer.watch(watched);
    },
    converged: (judged, state) => [...observer.judge(judged, state), ...unheardEnds(state, memory)],
  };
}

/** Programs that speak Mesos, at the desk of each master. */
function frameworksOf(
  birth: Birth,
  place: MasterPlace,
  { frameworks: desk }: Api,
  own: { readonly memory: readonly Remembered[]; readonly safetyMs: number },
  world: () => World | undefined,
): [Address, Actor<never>] {
  const address = `${place.address}/frameworks`;
  const actor = new SimulatedFrameworks(birth.envFor(address) as Env<never>, {
    desk,
    ...own,
    open: () => world()?.open !== false,
    sizes: (agent) => world()?.machines.find(({ name }) => name === agent)?.sizes ?? [],
    violate: (violation) => world()?.kernel.violate(violation),
    probe: (what) => world()?.kernel.probes.add(what),
  });
  return [address, actor];
}

/** A scheduler nobody should trust, beside the good ones. */
function rogueOf(birth: Birth, place: MasterPlace, open: () => boolean): [Address, Actor<never>] {
  const address = `${place.address}/${ROGUE}`;
  return [address, new RogueScheduler(birth.envFor(address) as Env<FromScheduler>, ROGUE, place.address, open)];
}
