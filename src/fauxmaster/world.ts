/**
 * A whole simulated cell: masters (made by whoever builds the world), machines with their borglets, clients, a lock service,
 * journals, network and faults. `run` takes it through the safety phase and the healing phase and then looks whether all came right.
 */

import type { Actor, Address } from "../base/env.ts";
import { DiskError } from "../base/env.ts";
import type { Random } from "../base/random.ts";
import type { NewHash } from "../base/sha256.ts";
import { DIVERGED, TOO_OLD } from "../borgmaster/role.ts";
import { encodeEntry, makeEntry, masterOp } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { VERSION_MAX } from "../cell/version.ts";
import { Log } from "../store/log.ts";
import { make } from "../wire/codec.ts";
import { type MachineFacts, MachineFactsSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Journal, JournalEntry, JournalListener } from "../wire/journal.ts";
import { IMAGES_ABLE } from "../wire/spec-defaults.ts";
import { copies, mismatches } from "./judge/checks.ts";
import { type Call, History } from "./judge/history.ts";
import { Replayer } from "./judge/history-journal.ts";
import { explain, unexplained } from "./judge/job-model.ts";
import { Obedience } from "./judge/obedience.ts";
import type { Options } from "./options.ts";
import { borgletProcess } from "./world/borglet-process.ts";
import { type ClientOptions, SimulatedClient } from "./world/client.ts";
import { WALL_START_MS } from "./world/clock.ts";
import { EtcdJournals, lockOf } from "./world/etcd.ts";
import { Injector, type Targets } from "./world/faults.ts";
import { EmbeddedJournals, SharedJournals } from "./world/journals.ts";
import { Kernel, type Violation } from "./world/kernel.ts";
import { Links } from "./world/links.ts";
import { LockService, newLockMemory } from "./world/lock.ts";
import { Network } from "./world/network.ts";
import { type Birth, Process } from "./world/process.ts";
import { SimulatedMachine } from "./world/simulated-machine.ts";
import { ADMIN, GPUS, Workload } from "./world/workload.ts";
import type { Administered } from "./world/workload-admin.ts";
import { offersOf } from "./world/workload-volumes.ts";

export const LOCK: Address = "lock";
export const CELL = "sim";
export const USERS: readonly string[] = ["ann", "bob"];
const GI = 1024 ** 3;
const DAY_MS = 86_400_000;

/** The first entry of a journal: a cell of the administrator. */
export const newCell = (): Uint8Array =>
  encodeEntry(makeEntry(WALL_START_MS - DAY_MS, [masterOp({ case: "cellInit", value: { cell: CELL, owner: ADMIN } })]));

/** What one master gets besides its Envs. */
export interface MasterPlace {
  readonly index: number;
  /** Also the name of its process. */
  readonly address: Address;
  /** All masters, this one too. */
  readonly masters: readonly Address[];
  /** The highest cell version it can do. */
  readonly versionMax: number;
  /** The lock service; an embedded cell has none. */
  readonly lock: Address | undefined;
  /** Call it once. Throws DiskError when the disk fails just now: let it through. */
  readonly openJournal: (listener: JournalListener) => Journal;
}

export interface Parts {
  /** Makes the actors of one master process, at every start. */
  readonly master: (birth: Birth, place: MasterPlace) => ReadonlyMap<Address, Actor<never>>;
  /** Where the borglets of a cell say hello, given a master. */
  readonly linkOf: (master: Address) => Address;
  /** Where its clients call, given a master. */
  readonly apiOf: (master: Address) => Address;
  /** For the judges. */
  readonly newHash?: NewHash;
  /** Schedulers that the administrator makes known. */
  readonly schedulers: readonly string[];
  /** What the administrator changes beside quota and drains. */
  readonly administered?: (world: World) => Administered;
  /** Entries that the journal holds before the world begins, e.g. the one that makes the cell (`newCell`). */
  readonly journal?: readonly Uint8Array[];
  /** Whether clients ask for nothing but plain jobs. */
  readonly plainWork?: boolean;
  /** More checks: called once before the run begins, to hook into the kernel. */
  readonly watch?: (world: World) => void;
  /** More checks at the end, with the state that the journal says. */
  readonly converged?: (world: World, state: CellState) => readonly Violation[];
  /** Whether machines must agree with the cell at the end (KT3). */
  readonly reconciles?: boolean;
}

/** At the end machines are looked at so often, with so long between: what differs every time differs for good. */
const LOOKS = 4;
const LOOK_MS = 5000;
/** By then a cell surely has left its first version, in which nobody looked at packages and secrets. Volumes begin with it, whether it has them or not. */
const PACKAGES_FROM_MS = 60_000;
/** Of the replayed journal, the whole state is checked after every so many entries; every step is checked in any case. */
const STATE_EVERY = 20;
/** A call takes no longer when nothing is wrong. */
const ANSWERED_MS = 30_000;

export class World implements Targets {
  readonly options: Options;
  readonly kernel: Kernel;
  readonly network: Network;
  readonly masters: readonly Process[];
  readonly clients: readonly Process[];
  readonly borglets: readonly Process[];
  readonly machines: readonly SimulatedMachine[];
  readonly lock: Process | undefined;
  readonly shared: SharedJournals | EtcdJournals | undefined;
  readonly embedded: readonly EmbeddedJournals[];
  readonly history: History;
  readonly #parts: Parts;
  readonly #addresses: readonly Address[];
  readonly #ids: { readonly user: string; readonly id: string }[] = [];
  readonly #usedIds = new Set<string>();
  readonly #links: Links;
  readonly #obedience: Obedience;
  #open = true;

  constructor(options: Options, parts: Parts) {
    this.options = options;
    this.#parts = parts;
    this.kernel = new Kernel(options);
    this.network = new Network(this.kernel);
    this.#links = new Links(this.kernel, this.network);
    this.#obedience = new Obedience(this.kernel);
    this.history = new History(() => this.kernel.nowMs);
    this.network.onTwice = (message) => this.history.sentTwice(message);
    const replicated = options.cell === "replicated";
    this.#addresses = names("master", options.masters);
    const isEtcd = options.store === "etcd";
    const make = () => (isEtcd ? new EtcdJournals(this.kernel, CELL, options.masters) : new SharedJournals(this.kernel));
    this.shared = replicated ? make() : undefined;
    this.embedded = replicated ? [] : this.#addresses.map(() => new EmbeddedJournals(this.kernel, CELL));
    this.shared?.begin(parts.journal ?? []);
    for (const disk of this.embedded) disk.begin(parts.journal ?? [], WALL_START_MS);
    this.lock = replicated && !isEtcd ? this.#lockProcess() : undefined;
    this.masters = this.#addresses.map((address, index) => this.#masterProcess(address, index));
    this.machines = Array.from({ length: options.machines }, (_, i) => new SimulatedMachine(this.kernel, `m${i + 1}`, this.#facts(i)));
    this.borglets = this.#borgletProcesses();
    this.clients = names("client", options.clients).map((name, index) => this.#clientProcess(name, index));
  }

  /** Whether anything new is begun: not while all heals. */
  get open(): boolean {
    return this.#open;
  }

  /** Through both phases, and the look at what came of it. The violation, if there is one, is the kernel's. */
  run(): this {
    const { kernel, options } = this;
    const injector = new Injector(this, options);
    this.lock?.start();
    for (const each of [...this.masters, ...this.borglets, ...this.clients]) each.start();
    for (const [index, atMs] of options.upgradesMs.entries()) if (atMs > 0) kernel.at(atMs, () => this.#upgrade(index));
    injector.start();
    this.#parts.watch?.(this);
    kernel.run(options.safetyMs);
    if (kernel.violation !== undefined) return this;
    kernel.note("heal", "", "", undefined);
    this.#open = false;
    injector.stop();
    kernel.run(options.safetyMs + options.healingMs);
    if (kernel.violation === undefined) this.#judge();
    return this;
  }

  /** It starts again with the newest code; one that is down does so when it comes up. */
  #upgrade(index: number): void {
    const master = this.masters[index]!;
    this.kernel.probes.add("upgraded");
    if (!master.alive) return;
    master.crash();
    master.start();
  }

  /** The journal as it is now, from its first entry on. */
  entries(): readonly JournalEntry[] {
    if (this.shared !== undefined) return this.shared.entries();
    const log = Log.open(this.embedded[0]!.disk.clone(), { cell: CELL, wall: () => 0 });
    const read = log.read(1, Number.POSITIVE_INFINITY);
    return read.ok ? read.value : [];
  }

  /** A journal that cannot be opened any more is a violation, not our end. */
  #readable(): readonly JournalEntry[] | undefined {
    try {
      return this.entries();
    } catch (cause) {
      this.kernel.violate({ id: "KD5", text: String(cause), cause });
      return undefined;
    }
  }

  #judge(): void {
    const { faults } = this.options;
    const replayer = new Replayer(this.history, { clocks: faults.has("clock") }, this.#parts.newHash);
    const entries = this.#readable();
    if (entries === undefined) return;
    replayer.advance(entries, STATE_EVERY);
    replayer.finish();
    const { state, violations, forgotten } = replayer;
    for (const violation of violations) this.kernel.violate(violation);
    if (this.kernel.violation !== undefined) return;
    for (const id of forgotten) this.kernel.violate({ id: "KD3", text: `Request "${id}" took effect again: the cell had forgotten it` });
    if (this.kernel.violation !== undefined) return;
    for (const call of unanswered(this.history, this.kernel.nowMs))
      this.kernel.violate({
        id: "KD3",
        text: `Call ${call.id} of ${call.client} (${call.asked.method}) is still open, long after all has healed`,
      });
    for (const { job, verdict } of unexplained(this.history, replayer)) this.kernel.violate({ id: "KD3", text: explain(job, verdict) });
    for (const violation of this.#parts.converged?.(this, state) ?? []) this.kernel.violate(violation);
    if (this.#parts.reconciles !== false && this.kernel.violation === undefined) this.#reconciled(replayer);
  }

  /** Looks several times: only what is wrong every time is wrong. */
  #reconciled(replayer: Replayer): void {
    let wrong: ReadonlySet<string> | undefined;
    for (let look = 0; look < LOOKS; look++) {
      if (look > 0) this.kernel.run(this.kernel.nowMs + LOOK_MS);
      replayer.advance(this.entries(), STATE_EVERY);
      for (const violation of replayer.violations) this.kernel.violate(violation);
      if (this.kernel.violation !== undefined) return;
      const now = mismatches(replayer.state, this.machines);
      for (const [task, where] of copies(this.machines)) now.add(`${task} has copies: ${where.join(", ")}`);
      wrong = wrong === undefined ? now : new Set([...wrong].filter((each) => now.has(each)));
    }
    if (wrong !== undefined && wrong.size > 0) this.kernel.violate({ id: "KT3", text: [...wrong].slice(0, 10).join("; ") });
  }

  #masterProcess(address: Address, index: number): Process {
    const disk = this.embedded[index];
    return new Process(this.kernel, this.network, {
      name: address,
      factory: (birth) => {
        const env = birth.envFor(address);
        this.#links.masterUp(birth);
        const etcd = this.shared instanceof EtcdJournals ? this.shared.open(birth) : undefined;
        const openJournal = (listener: JournalListener): Journal => {
          if (etcd !== undefined) return etcd.journal(listener);
          return disk === undefined ? (this.shared as SharedJournals).open(birth, listener) : disk.open(birth, () => env.wall(), listener);
        };
        const actors = this.#parts.master(birth, {
          index,
          address,
          masters: this.#addresses,
          versionMax: this.kernel.nowMs < (this.options.upgradesMs[index] ?? 0) ? VERSION_MAX - 1 : VERSION_MAX,
          lock: etcd !== undefined ? lockOf(address) : this.lock === undefined ? undefined : LOCK,
          openJournal,
        });
        return etcd === undefined ? actors : new Map([...actors, [lockOf(address), etcd.lock]]);
      },
      onDeath: (power) => {
        if (this.shared instanceof SharedJournals) this.shared.abandon(address);
        if (power) disk?.powerCut();
      },
      mayFail: (error) => error instanceof DiskError || disk?.refusesRightly(error) === true,
      onExit: (reason) => {
        this.kernel.expect(!reason.includes(DIVERGED), "KD4", () => `"${address}": ${reason}`);
        this.kernel.expect(!reason.includes(TOO_OLD), "KD7", () => `"${address}": ${reason}`);
      },
    });
  }

  #lockProcess(): Process {
    const memory = newLockMemory();
    const factory = (birth: Birth) => new Map([[LOCK, new LockService(birth.envFor(LOCK), memory)]]);
    return new Process(this.kernel, this.network, { name: LOCK, factory });
  }

  /** On every third machine nothing but the borglet holds tasks to their memory; every fourth gives no packages to others. */
  #borgletProcesses(): readonly Process[] {
    const { kernel, network } = this;
    const masters = this.#addresses.map(this.#parts.linkOf);
    const watch = this.#obedience;
    return this.machines.map((machine, i) => {
      const rest = { links: this.#links, watch, ramEnforced: i % 3 !== 0, gives: i % 4 !== 3, isBad: () => this.#open };
      const borglet = borgletProcess({ kernel, network, machine, masters, ...rest });
      for (const [at, master] of this.masters.entries()) this.#links.add({ borglet, machine: machine.name }, master, masters[at]!);
      return borglet;
    });
  }

  #clientProcess(name: string, index: number): Process {
    const capacity = this.machines.reduce(
      (sum, { facts: { capacity: own } }) => ({
        cpuMilli: sum.cpuMilli + (own?.cpuMilli ?? 0),
        ramBytes: sum.ramBytes + (own?.ramBytes ?? 0),
        diskBytes: sum.diskBytes + (own?.diskBytes ?? 0),
      }),
      { cpuMilli: 0, ramBytes: 0, diskBytes: 0 },
    );
    const [packages, secrets] = [this.kernel.streams.of(`packages/${name}`), this.kernel.streams.of(`secrets/${name}`)];
    const [volumes, frameworks] = [this.kernel.streams.of(`volumes/${name}`), this.kernel.streams.of(`frameworks/${name}`)];
    const later = (random: Random) => () => (this.kernel.nowMs < PACKAGES_FROM_MS ? undefined : random);
    const control = this.kernel.streams.of(`controllers/${name}`);
    const controllers = () => (this.kernel.nowMs < PACKAGES_FROM_MS ? undefined : { random: control, tokens: this.#obedience.tokens });
    const options = {
      users: USERS,
      machines: this.machines.map((machine) => machine.name),
      schedulers: this.#parts.schedulers,
      ...(this.#parts.administered === undefined ? {} : { administered: this.#parts.administered(this) }),
      plain: this.#parts.plainWork === true,
      capacity,
      ...(this.#parts.plainWork === true
        ? {}
        : { packages: later(packages), secrets: later(secrets), volumes: later(volumes), controllers, frameworks: later(frameworks) }),
      open: () => this.#open,
      ids: this.#ids,
      used: this.#usedIds,
    };
    const workload = new Workload(this.kernel.streams.of(`workload/${name}`), options, index);
    const {
      history,
      options: { thinkMs },
    } = this;
    const next = (id: string) => workload.next(id);
    const heard: ClientOptions["heard"] = (asked, told) => workload.heard(asked, told);
    const apis = this.#addresses.map(this.#parts.apiOf);
    const factory = (birth: Birth) =>
      new Map([[name, new SimulatedClient(birth.envFor(name), { name, apis, next, heard, history, thinkMs })]]);
    return new Process(this.kernel, this.network, { name, factory });
  }

  #facts(index: number): MachineFacts {
    const random = this.kernel.streams.of("machines");
    return make(MachineFactsSchema, {
      capacity: { cpuMilli: random.pick([4000, 8000]), ramBytes: random.pick([8, 16]) * GI, diskBytes: 100 * GI, ...gpusOf(index) },
      ...(index % 3 === 0 ? { devices: [GPU_UNITS] } : {}),
      portFirst: 20_000,
      portLast: 20_019,
      rack: `r${index % 4}`,
      // Every fifth has no jail.
      attributes: [{ key: IMAGES_ABLE.attribute, value: index % 5 === 4 ? "no" : IMAGES_ABLE.value }],
      powerDomain: `p${index % 2}`,
      host: `m${index + 1}.sim`,
      volumes: offersOf(index, USERS),
    });
  }
}

/** Every third machine has two gpus in units, and every third four that are only counted. */
const GPU_UNITS = { name: GPUS, unit: 1000 };
const gpusOf = (index: number) => (index % 3 === 2 ? {} : { extras: [{ name: GPUS, amount: index % 3 === 0 ? 2000 : 4000 }] });

/** Calls that should have ended by now: a client asks for as long as it takes, and somebody leads. */
const unanswered = ({ calls }: History, nowMs: number): readonly Call[] =>
  calls.filter(({ heard, invokedMs }) => heard.type === "open" && nowMs - invokedMs > ANSWERED_MS);

const names = (kind: string, count: number): readonly string[] => Array.from({ length: count }, (_, i) => `${kind}/${i}`);
