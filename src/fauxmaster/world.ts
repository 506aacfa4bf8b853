/**
 * A whole simulated cell: masters (made by whoever builds the world), machines with their borglets, clients, a lock service,
 * journals, network and faults. `run` takes it through the safety phase and the healing phase and then looks whether all came right.
 */
import type { Actor, Address } from "../base/env.ts";
import { DiskError } from "../base/env.ts";
import { DIVERGED } from "../borgmaster/master.ts";
import { encodeEntry, makeEntry, masterOp } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { Log } from "../store/log.ts";
import { make } from "../wire/codec.ts";
import { type MachineFacts, MachineFactsSchema, type Poll } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Journal, JournalEntry, JournalListener } from "../wire/journal.ts";
import { SimulatedBorglet } from "./borglet.ts";
import { copies, mismatches } from "./checks.ts";
import { SimulatedClient } from "./client.ts";
import { WALL_START_MS } from "./clock.ts";
import { Injector, type Targets } from "./faults.ts";
import { History } from "./history.ts";
import { Replayer } from "./history-journal.ts";
import { explain, unexplained } from "./job-model.ts";
import { EmbeddedJournals, SharedJournals } from "./journals.ts";
import { Kernel, type Violation } from "./kernel.ts";
import { LockService, newLockMemory } from "./lock.ts";
import { Machine } from "./machine.ts";
import { Network } from "./network.ts";
import type { Options } from "./options.ts";
import { type Birth, Process } from "./process.ts";
import { ADMIN, Workload } from "./workload.ts";

export const LOCK: Address = "lock";
export const CELL = "sim";
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
  /** Schedulers that the administrator makes known. */
  readonly schedulers: readonly string[];
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
/** Of the replayed journal, the whole state is checked after every so many entries; every step is checked in any case. */
const STATE_EVERY = 20;

export class World implements Targets {
  readonly options: Options;
  readonly kernel: Kernel;
  readonly network: Network;
  readonly masters: readonly Process[];
  readonly clients: readonly Process[];
  readonly borglets: readonly Process[];
  readonly machines: readonly Machine[];
  readonly lock: Process | undefined;
  readonly shared: SharedJournals | undefined;
  readonly embedded: readonly EmbeddedJournals[];
  readonly history: History;
  readonly #parts: Parts;
  readonly #addresses: readonly Address[];
  /** The highest (term, sequence) that each machine obeyed, by machine and disk. */
  readonly #obeyed = new Map<string, { readonly term: number; readonly sequence: number }>();
  #open = true;

  constructor(options: Options, parts: Parts) {
    this.options = options;
    this.#parts = parts;
    this.kernel = new Kernel(options);
    this.network = new Network(this.kernel);
    this.history = new History(() => this.kernel.nowMs);
    const replicated = options.cell === "replicated";
    this.#addresses = names("master", options.masters);
    this.shared = replicated ? new SharedJournals(this.kernel) : undefined;
    this.embedded = replicated ? [] : this.#addresses.map(() => new EmbeddedJournals(this.kernel, CELL));
    this.shared?.begin(parts.journal ?? []);
    for (const disk of this.embedded) disk.begin(parts.journal ?? [], WALL_START_MS);
    this.lock = replicated ? this.#lockProcess() : undefined;
    this.masters = this.#addresses.map((address, index) => this.#masterProcess(address, index));
    this.machines = Array.from({ length: options.machines }, (_, i) => new Machine(this.kernel, `m${i + 1}`, this.#facts(i)));
    this.borglets = this.machines.map((machine) => this.#borgletProcess(machine));
    this.clients = names("client", options.clients).map((name, index) => this.#clientProcess(name, index));
  }

  /** Through both phases, and the look at what came of it. The violation, if there is one, is the kernel's. */
  run(): this {
    const { kernel, options } = this;
    const injector = new Injector(this, options);
    this.lock?.start();
    for (const each of [...this.masters, ...this.borglets, ...this.clients]) each.start();
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

  /** The journal as it is now, from its first entry on. */
  entries(): readonly JournalEntry[] {
    if (this.shared !== undefined) return this.shared.store.read(1, Number.POSITIVE_INFINITY) ?? [];
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
    const replayer = new Replayer(this.history);
    const entries = this.#readable();
    if (entries === undefined) return;
    replayer.advance(entries, STATE_EVERY);
    replayer.finish();
    const { state, violations, forgotten } = replayer;
    for (const violation of violations) this.kernel.violate(violation);
    if (this.kernel.violation !== undefined) return;
    for (const id of forgotten) this.kernel.violate({ id: "KD3", text: `Request "${id}" took effect again: the cell had forgotten it` });
    if (this.kernel.violation !== undefined) return;
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
        const openJournal = (listener: JournalListener): Journal =>
          disk === undefined ? this.shared!.open(birth, listener) : disk.open(birth, () => env.wall(), listener);
        return this.#parts.master(birth, {
          index,
          address,
          masters: this.#addresses,
          lock: this.lock === undefined ? undefined : LOCK,
          openJournal,
        });
      },
      onDeath: (power) => {
        this.shared?.abandon(address);
        if (power) disk?.powerCut();
      },
      mayFail: (error) => error instanceof DiskError,
      onExit: (reason) => this.kernel.expect(!reason.includes(DIVERGED), "KD4", () => `"${address}": ${reason}`),
    });
  }

  #lockProcess(): Process {
    const memory = newLockMemory();
    const factory = (birth: Birth) => new Map([[LOCK, new LockService(birth.envFor(LOCK), memory)]]);
    return new Process(this.kernel, this.network, { name: LOCK, factory });
  }

  #borgletProcess(machine: Machine): Process {
    const name = `borglet/${machine.name}`;
    const masters = this.#addresses.map(this.#parts.linkOf);
    const factory = (birth: Birth) => {
      machine.listener = (instance) => birth.deliver(name, "machine", { type: "ended", instance });
      this.kernel.after(1, () => this.#checkRemembered(machine));
      const onObey = (_: Machine, poll: Poll) => this.#checkObeyed(machine, poll);
      return new Map([[name, new SimulatedBorglet(birth.envFor(name), { machine, masters, onObey })]]);
    };
    return new Process(this.kernel, this.network, { name, factory });
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
    const options = {
      users: ["ann", "bob"],
      machines: this.machines.map((machine) => machine.name),
      schedulers: this.#parts.schedulers,
      plain: this.#parts.plainWork === true,
      capacity,
      open: () => this.#open,
    };
    const workload = new Workload(this.kernel.streams.of(`workload/${name}`), options, index);
    const {
      history,
      options: { thinkMs },
    } = this;
    const next = (id: string) => workload.next(id);
    const factory = (birth: Birth) =>
      new Map([[name, new SimulatedClient(birth.envFor(name), { name, masters: this.#addresses, next, history, thinkMs })]]);
    return new Process(this.kernel, this.network, { name, factory });
  }

  /** A borglet that starts again knows the highest term it ever obeyed, unless its disk is a new one. */
  #checkRemembered(machine: Machine): void {
    const highest = this.#obeyed.get(`${machine.name} ${machine.wipes}`) ?? { term: 0, sequence: 0 };
    this.kernel.expect(machine.memory.term >= highest.term, "KL2", () => `${machine.name} forgot term ${highest.term}`);
  }

  #checkObeyed(machine: Machine, { term, sequence }: Poll): void {
    const key = `${machine.name} ${machine.wipes}`;
    const highest = this.#obeyed.get(key) ?? { term: 0, sequence: 0 };
    const falls = term < highest.term || (term === highest.term && sequence < highest.sequence);
    this.kernel.expect(!falls, "KL2", () => `${machine.name} obeyed (${term}, ${sequence}) after (${highest.term}, ${highest.sequence})`);
    this.#obeyed.set(key, { term, sequence });
  }

  #facts(index: number): MachineFacts {
    const random = this.kernel.streams.of("machines");
    return make(MachineFactsSchema, {
      capacity: { cpuMilli: random.pick([4000, 8000]), ramBytes: random.pick([8, 16]) * GI, diskBytes: 100 * GI },
      portFirst: 20_000,
      portLast: 20_019,
      rack: `r${index % 4}`,
      powerDomain: `p${index % 2}`,
      host: `m${index + 1}.sim`,
    });
  }
}

const names = (kind: string, count: number): readonly string[] => Array.from({ length: count }, (_, i) => `${kind}/${i}`);
