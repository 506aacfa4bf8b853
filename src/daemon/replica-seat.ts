/**
 * What a master process has more of when it is one replica of several: the store thread with journal and lock, the knowledge who leads, and an eye on the leader's
 * process. It never decides who leads: the lock says who should, the journal's term whose writes count.
 */
import type { Server } from "node:net";
import { join } from "node:path";
import type { LockAnswer, LockRequest } from "../borgmaster/lock-message.ts";
import type { Role } from "../borgmaster/role.ts";
import type { Leader } from "../rpc/front-door.ts";
import type { LockVerdict } from "../store/etcd/lock.ts";
import { EtcdThread } from "../store/etcd-thread.ts";
import type { JournalAnswer } from "../wire/journal.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { ClockEye } from "./peer/clocks.ts";
import { PeerEye } from "./peer-keys.ts";
import { askPulse, givePulse, PulseWatch } from "./pulse.ts";
import { etcdUrls, leaderAt, ownReplicasOf, replicaName, replicaOf, replicaSocket, replicasOf, snapshotsOf } from "./replicas.ts";
import { Standing } from "./standing.ts";

/** Without an answer of the lock for so long nobody knows who leads. */
const SILENT_MS = 2000;
const LOOK_MS = 50;
/** How often a suspended master asks the others whether one of them leads. */
const PEERS_MS = 1000;

/** For the API's and the links' thread. `words`: what is said to those whom this replica cannot serve. */
export interface LeaderLetter {
  readonly type: "leader";
  readonly leader: Leader;
  readonly words: string;
}

export interface SeatOptions {
  readonly data: DataDirectory;
  readonly cell: CellFile;
  readonly replica: number;
  /** Where the key of secrets is, as this process reaches it. */
  readonly secrets: string;
  /** Keys that something in the cell is encrypted with. */
  readonly namedKeys: () => ReadonlySet<string>;
  /** Absent: those of the cell's own etcd. */
  readonly etcdUrls: readonly string[] | undefined;
  readonly role: () => Role | undefined;
  readonly term: () => number;
  /** Another replica says that it leads in this term, newer than ours. */
  readonly onOutled: (term: number) => void;
  readonly onJournal: (answer: JournalAnswer) => void;
  readonly onLock: (answer: LockAnswer) => void;
  readonly onLeader: (to: "api" | "link", letter: LeaderLetter) => void;
  readonly end: (reason: string, exitCode: number) => void;
  readonly log: (line: string) => void;
}

export class ReplicaSeat {
  readonly #options: SeatOptions;
  readonly #store: EtcdThread;
  readonly #tls;
  readonly #watch: PulseWatch;
  #pulse: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #peersTimer: NodeJS.Timeout | undefined;
  #directory = "";
  /** By the lock's last answer. */
  #holder: string | undefined;
  #heardMs = 0;
  #told = "";
  #standing: Standing | undefined;

  /** Reads what only the owner may read, and loads code; opens nothing. */
  static async load(options: SeatOptions): Promise<ReplicaSeat> {
    const tls = new EtcdKeys(options.data).client();
    let seat: ReplicaSeat | undefined;
    const store = await EtcdThread.load({
      onAnswer: options.onJournal,
      onLock: (verdict, sequence) => seat?.onLock(verdict, sequence),
      onDiverged: (reason) => options.end(divergedWords(reason, options.replica), DIVERGED_EXIT),
      onFailed: (reason) => options.end(reason, 70),
    });
    seat = new ReplicaSeat(options, store, tls);
    return seat;
  }

  private constructor(options: SeatOptions, store: EtcdThread, tls: ReturnType<EtcdKeys["client"]>) {
    this.#options = options;
    this.#store = store;
    this.#tls = tls;
    this.#watch = new PulseWatch(() => this.#store.depose());
  }

  get journal(): EtcdThread {
    return this.#store;
  }

  /** `directory`: of all replicas, as this process reaches it from now on. */
  async open(directory: string): Promise<void> {
    const { cell, replica, etcdUrls: given, secrets, namedKeys: named, log } = this.#options;
    this.#directory = directory;
    await this.#store.open({
      cell: cell.cell,
      name: replicaName(replica),
      replicas: replicasOf(cell).length,
      urls: turned(given ?? etcdUrls(cell), replica - 1),
      tls: this.#tls,
      snapshots: snapshotsOf(directory, replica),
      peers: replicasOf(cell)
        .filter((each) => each !== replica)
        .map((each) => snapshotsOf(directory, each)),
    });
    const now = (): number => performance.now();
    const clock = cell.spread === undefined ? undefined : new ClockEye(join(directory, String(replica)), replicasOf(cell).length, now);
    const peers = cell.spread === undefined ? undefined : new PeerEye(secrets, replicasOf(cell).length, now);
    this.#standing = new Standing({ clock, secrets, named, peers, now, log });
    this.#pulse = givePulse(replicaSocket(directory, replica, "pulse"), () => this.#word());
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#peersTimer = setInterval(() => void this.#askPeers(), PEERS_MS);
  }

  ask(request: LockRequest): void {
    if (request.type !== "acquire") return;
    const { who, ttlMs, versionMax, sequence = 0 } = request;
    const stands = this.#standing?.stands ?? false;
    this.#store.acquire({ who, ttlMs, versionMax, stands }, sequence);
  }

  onLock(verdict: LockVerdict, sequence: number): void {
    this.#heardMs = performance.now();
    this.#holder = verdict.type === "granted" ? replicaName(this.#options.replica) : verdict.holder;
    if (verdict.type === "granted") this.#options.onLock({ ...verdict, sequence });
    else this.#options.onLock({ ...verdict, leftMs: 0, sequence });
    this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#peersTimer);
    this.#watch.watch(undefined);
    this.#pulse?.close();
    await this.#store.close();
  }

  /** What the others hear who dial its pulse. */
  #word(): string {
    return `${this.#options.role() ?? "starting"} ${this.#options.term()}`;
  }

  /** A master that alone does not reach etcd hears so that another was elected: its machines must go there. */
  async #askPeers(): Promise<void> {
    const { cell, replica, role, term, onOutled } = this.#options;
    if (role() !== "suspended") return;
    const words = replicasOf(cell)
      .filter((each) => each !== replica)
      .map(async (each) => ({ each, word: await askPulse(replicaSocket(this.#directory, each, "pulse")) }));
    for (const { each, word } of await Promise.all(words)) {
      const newer = Number(/^leading ([0-9]{1,15})$/.exec(word)?.[1] ?? 0);
      if (newer <= term()) continue;
      this.#holder = replicaName(each);
      onOutled(newer);
    }
  }

  /** While etcd is silent, the one that led last leads on: it is suspended, says so to its users, and goes on polling. */
  #look(): void {
    const { replica, role } = this.#options;
    const isSilent = performance.now() - this.#heardMs > SILENT_MS;
    const last = this.#holder === undefined ? undefined : replicaOf(this.#holder);
    const isNear = last !== undefined && last !== replica && ownReplicasOf(this.#options.cell).includes(last);
    this.#watch.watch(isNear ? replicaSocket(this.#directory, last, "pulse") : undefined);
    const holder = isSilent && !this.#watch.isThere ? undefined : last;
    if (role() === "leading" || role() === "suspended") this.#tell("self", "");
    else if (holder === undefined || holder === replica) this.#tell(undefined, nobodyWords(isSilent));
    else this.#tell(holder, `Replica ${replica} stands by: replica ${holder} leads. Ask at the cell's own address, which leads there`);
  }

  #tell(leads: number | "self" | undefined, words: string): void {
    const told = `${leads} ${words}`;
    if (told === this.#told) return;
    this.#told = told;
    const { cell, onLeader } = this.#options;
    for (const to of ["api", "link"] as const) {
      const leader = typeof leads === "number" ? leaderAt(this.#directory, cell, leads, to) : leads;
      onLeader(to, { type: "leader", leader, words });
    }
  }
}

/** Not started again: an operator looks first. */
export const DIVERGED_EXIT = 78;

const divergedWords = (reason: string, replica: number): string =>
  `${reason}. This replica stops, because one of them is wrong; the others go on. To let it begin anew from their snapshot: borg down, remove replicas/${replica}/snapshots in the cell's directory, borg up`;

const nobodyWords = (isSilent: boolean): string =>
  isSilent
    ? "No replica leads now, because etcd does not answer: nothing is changed until most of its members are back, and tasks go on. borg status shows them"
    : "No replica leads now: one is being elected";

/** Each replica begins with another member. */
const turned = <T>(all: readonly T[], by: number): readonly T[] => [...all.slice(by), ...all.slice(0, by)];
