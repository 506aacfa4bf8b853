/**
 * A small cell for stories: the real masters, link shards, followers and schedulers with simulated machines, in a calm world where nothing goes
 * wrong unless the story says so, and where time stands still between its lines.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import { DiskError } from "../../base/env.ts";
import type { CellMethod } from "../../borgmaster/api/access.ts";
import type { ApiAnswer, ApiCall } from "../../borgmaster/api/message.ts";
import { DEFAULT_MASTER, type MasterOptions } from "../../borgmaster/defaults.ts";
import { Follower } from "../../borgmaster/follower.ts";
import { Master } from "../../borgmaster/master.ts";
import { stateHash } from "../../cell/checkpoint/checkpoint.ts";
import type { CellState } from "../../cell/state.ts";
import { VERSION_MAX } from "../../cell/version.ts";
import { schedulerNames } from "../../scheduler/responsibility.ts";
import { Log } from "../../store/log.ts";
import type { JournalFault } from "../../store/memory-store.ts";
import { make } from "../../wire/codec.ts";
import { SetSchedulerRequestSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Journal, JournalAnswer, JournalEntry, JournalListener } from "../../wire/journal.ts";
import { apiOf, linkOf, masterActors } from "../cell.ts";
import { Obedience } from "../judge/obedience.ts";
import { borgletProcess } from "../world/borglet-process.ts";
import { EmbeddedJournals, SharedJournals } from "../world/journals.ts";
import { Links } from "../world/links.ts";
import { LockService, newLockMemory } from "../world/lock.ts";
import { type Cut, Network } from "../world/network.ts";
import { type Birth, Process } from "../world/process.ts";
import { LOCK } from "../world.ts";
import { CalmKernel } from "./calm.ts";
import { Narrator } from "./narrator.ts";
import { Person } from "./person.ts";
import { StageMachine } from "./stage-machine.ts";

export const CELL = "story";
export const ADMIN = "admin";
const PERSON: Address = "person";
/** Seeded runs hurry some things along; stories take the time that things take. */
const AS_IN_PRODUCTION: Partial<MasterOptions> = { estimator: DEFAULT_MASTER.estimator, create: { cell: CELL, owner: ADMIN } };
/** How long somebody waits for an answer before the story goes on, and how long the API may take for it. */
const PATIENCE_MS = 3000;
const CALL_MS = 30_000;

/** A call as somebody in a story makes it. */
export interface Wish {
  readonly user: string;
  readonly method: CellMethod;
  readonly request: object;
  readonly requestId: string;
  readonly stale?: boolean;
}

export interface StageOptions {
  readonly kind: "embedded" | "replicated";
  readonly masters: number;
  /** Off: somebody in the story speaks as a scheduler. */
  readonly schedulers: boolean;
  /** The highest cell version that masters can do before they are upgraded. */
  readonly versionMax?: number;
}

/** A machine, the process of its borglet, and what cuts it off. */
export interface Post {
  readonly machine: StageMachine;
  readonly borglet: Process;
  cut: Cut | undefined;
}

interface Office {
  readonly address: Address;
  readonly process: Process;
  /** The actors of its present life. */
  actors: ReadonlyMap<Address, Actor<never>>;
  cut: Cut | undefined;
  versionMax: number;
}

export class Stage {
  readonly options: StageOptions;
  readonly kernel = new CalmKernel();
  readonly network = new Network(this.kernel);
  readonly links = new Links(this.kernel, this.network);
  readonly narrator = new Narrator();
  readonly offices: readonly Office[];
  readonly posts = new Map<string, Post>();
  readonly lock: Process | undefined;
  readonly shared: SharedJournals | undefined;
  readonly embedded: EmbeddedJournals | undefined;
  /** What the next appends meet, one each. */
  readonly appendFaults: JournalFault[] = [];
  readonly #watch = new Obedience(this.kernel);
  /** When each entry was first heard to be durable: the clocks of masters may lie. */
  readonly #durableMs = new Map<number, number>();
  #person!: Person;
  #requests = 0;
  #calls = 0;

  constructor(options: StageOptions) {
    this.options = options;
    const replicated = options.kind === "replicated";
    this.shared = replicated ? this.#openShared() : undefined;
    this.embedded = replicated ? undefined : new EmbeddedJournals(this.kernel, CELL);
    this.lock = replicated ? this.#lockProcess() : undefined;
    const addresses = Array.from({ length: options.masters }, (_, i) => `master/${i}`);
    this.offices = addresses.map((address, index) => this.#office(address, index, addresses));
    const person = new Process(this.kernel, this.network, { name: PERSON, factory: (birth) => this.#personActors(birth) });
    for (const each of [this.lock, person, ...this.offices.map((office) => office.process)]) each?.start();
  }

  /** Until a master leads, the cell exists and its schedulers are known. */
  open(): void {
    this.runUntil(() => this.leader() !== undefined, 30_000);
    this.runUntil(() => this.look().name === CELL, PATIENCE_MS);
    for (const name of this.options.schedulers ? schedulerNames(1) : []) {
      const requestId = this.requestId();
      const request = make(SetSchedulerRequestSchema, { requestId, name, limits: { priorityMax: 450 } });
      this.ask({ user: ADMIN, method: "setScheduler", request, requestId });
    }
  }

  get nowMs(): number {
    return this.kernel.nowMs;
  }

  run(ms: number): void {
    this.kernel.run(this.kernel.nowMs + ms);
  }

  runUntil(done: () => boolean, mostMs: number): boolean {
    for (const endMs = this.nowMs + mostMs; !done() && this.nowMs < endMs && this.kernel.violation === undefined; ) this.run(1);
    return done();
  }

  // Machines

  addMachine(name: string, facts: MachineFacts): Post {
    const machine = new StageMachine(this.kernel, name, facts);
    const masters = this.offices.map((office) => linkOf(office.address));
    const { kernel, network, links } = this;
    const calm = { ramEnforced: true, gives: true, isBad: () => false };
    const borglet = borgletProcess({ kernel, network, machine, masters, links, watch: this.#watch, ...calm });
    for (const office of this.offices) links.add({ borglet, machine: name }, office.process, linkOf(office.address));
    const post: Post = { machine, borglet, cut: undefined };
    this.posts.set(name, post);
    post.borglet.start();
    return post;
  }

  /** Nothing goes to or from a process any more, until the cut is lifted. */
  isolate(name: string): Cut {
    const others = [
      LOCK,
      PERSON,
      ...this.offices.map(({ address }) => address),
      ...[...this.posts.keys()].map((each) => `borglet/${each}`),
    ];
    return this.network.cut({ from: [name], to: others.filter((other) => other !== name), bothWays: true });
  }

  // Masters

  office(address: Address): Office | undefined {
    return this.offices.find((office) => office.address === address);
  }

  masterOf({ address, actors, process: own }: Office): Master | undefined {
    const actor: unknown = actors.get(address);
    return own.alive && actor instanceof Master ? actor : undefined;
  }

  /** Whoever leads in the highest term. */
  leader(): { readonly office: Office; readonly master: Master } | undefined {
    const leading = this.offices.flatMap((office) => {
      const master = this.masterOf(office);
      return master?.role === "leading" ? [{ office, master }] : [];
    });
    return leading.sort((a, b) => b.master.term - a.master.term)[0];
  }

  /** Every copy of the cell that somebody holds in memory. */
  copies(): readonly { readonly name: string; readonly state: CellState }[] {
    return this.offices.flatMap((office) => {
      const master = this.masterOf(office);
      if (master === undefined) return [];
      const follower: unknown = office.actors.get(`${office.address}/follower`);
      const own = [{ name: office.address, state: master.state }];
      return follower instanceof Follower ? [...own, { name: `${office.address}/follower`, state: follower.state }] : own;
    });
  }

  // Speaking

  requestId(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  /** Speaks to a master as a scheduler does, by default to the one that leads. */
  send(message: { readonly id: string } & Record<string, unknown>, to?: Address): void {
    const address = to ?? this.#someone();
    if (address !== undefined) this.#person.say(address, message);
  }

  /** Calls the API of a master, by default of the one that leads; the answer comes under the id that is returned. */
  call({ stale = false, ...wish }: Wish, to?: Address): string {
    this.#calls += 1;
    const id = `call-${this.#calls}`;
    const address = to ?? this.#someone();
    const call: ApiCall = { type: "call", id, ...wish, stale, deadlineMs: CALL_MS };
    if (address !== undefined) this.#person.say(apiOf(address), call);
    return id;
  }

  /** Waits for the answer, but not for ever. */
  hear(id: string): unknown {
    this.runUntil(() => this.#person.heard(id) !== undefined, PATIENCE_MS);
    return this.#person.heard(id);
  }

  ask(wish: Wish, to?: Address): ApiAnswer | undefined {
    return this.hear(this.call(wish, to)) as ApiAnswer | undefined;
  }

  #someone(): Address | undefined {
    return this.leader()?.office.address ?? this.offices.find((office) => office.process.alive)?.address;
  }

  // The journal

  entries(from: number): readonly JournalEntry[] {
    if (this.shared !== undefined) return this.shared.store.read(from, Number.POSITIVE_INFINITY) ?? [];
    const disk = this.embedded?.disk.clone();
    if (disk === undefined || disk.list().length === 0) return [];
    const read = Log.open(disk, { cell: CELL, wall: () => 0 }).read(from, Number.POSITIVE_INFINITY);
    return read.ok ? read.value : [];
  }

  /** The narrator comes up to date. */
  look(): CellState {
    this.narrator.hear(this.kernel.noted.splice(0));
    this.narrator.read(this.entries(this.narrator.state.position + 1), this.#durableMs);
    return this.narrator.state;
  }

  hashOf(state: CellState): string {
    return stateHash(state);
  }

  #hears(answer: JournalAnswer): void {
    const position = answer.type === "appended" ? answer.position : answer.type === "followed" ? answer.entry.position : 0;
    if (position > 0 && !this.#durableMs.has(position)) this.#durableMs.set(position, this.nowMs);
  }

  #openShared(): SharedJournals {
    const shared = new SharedJournals(this.kernel);
    const usual = shared.store.fault;
    shared.store.fault = (call, handle) => (call === "append" ? this.appendFaults.shift() : undefined) ?? usual?.(call, handle);
    return shared;
  }

  #office(address: Address, index: number, masters: readonly Address[]): Office {
    const factory = (birth: Birth) => {
      const env = birth.envFor(address);
      this.links.masterUp(birth);
      const openJournal = (listener: JournalListener): Journal =>
        this.embedded === undefined ? this.shared!.open(birth, listener) : this.embedded.open(birth, () => env.wall(), listener);
      const lock = this.lock === undefined ? undefined : LOCK;
      const place = { index, address, masters, versionMax: office.versionMax, lock, openJournal };
      const actors = new Map(masterActors(birth, place, AS_IN_PRODUCTION, (answer) => this.#hears(answer)));
      if (!this.options.schedulers) for (const name of schedulerNames(1)) actors.delete(`${address}/${name}`);
      office.actors = actors;
      return actors;
    };
    const onDeath = (power: boolean) => {
      this.shared?.abandon(address);
      if (power) this.embedded?.powerCut();
    };
    const mayFail = (error: unknown) => error instanceof DiskError;
    const own = new Process(this.kernel, this.network, { name: address, factory, onDeath, mayFail });
    const office: Office = { address, process: own, actors: new Map(), cut: undefined, versionMax: this.options.versionMax ?? VERSION_MAX };
    return office;
  }

  #lockProcess(): Process {
    const memory = newLockMemory();
    const factory = (birth: Birth) => new Map([[LOCK, new LockService(birth.envFor(LOCK), memory)]]);
    return new Process(this.kernel, this.network, { name: LOCK, factory });
  }

  #personActors(birth: Birth): ReadonlyMap<Address, Actor<never>> {
    this.#person = new Person(birth.envFor(PERSON) as Env<unknown>);
    return new Map([[PERSON, this.#person]]);
  }
}
