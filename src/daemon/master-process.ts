/**
 * One master process: the main thread has the master's actor and is the post office; journal, links, API, follower and schedulers are threads
 * of their own. When any of them fails the process ends, and whoever started it starts it again: the journal knows everything that was promised.
 */
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { keysNamed } from "../borgmaster/api/secrets.ts";
import { DEFAULT_MASTER, type MasterOptions } from "../borgmaster/defaults.ts";
import type { LockRequest } from "../borgmaster/lock-message.ts";
import { Master } from "../borgmaster/master.ts";
import type { Exit } from "../borgmaster/message.ts";
import { Packer, unpack } from "../borgmaster/packing.ts";
import { liveImageOf } from "../cell/feed.ts";
import type { Endpoint, LocalEndpoint } from "../rpc/endpoint.ts";
import { schedulerNames } from "../scheduler/responsibility.ts";
import { ActorHost } from "../shell/actor-host.ts";
import { type Log, newLog } from "../shell/log.ts";
import { newNativeSha256 } from "../shell/native-sha256.ts";
import { LETTER_BYTES, type Letter, Thread } from "../shell/thread.ts";
import { keepCompiled } from "../shell/thread-side.ts";
import { type FilesJournal, JournalRefusedError, JournalThread } from "../store/files-journal.ts";
import type { Journal, JournalAnswer } from "../wire/journal.ts";
import { become, reached } from "./become.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { type CellSocket, endpointsOf, inherited, ownEndpointsOf } from "./descriptors.ts";
import { Keys } from "./keys.ts";
import { inProcessTime, isLease } from "./process-time.ts";
import type { ReplicaSeat } from "./replica-seat.ts";
import { hostsOf, replicaName, replicaPorts, replicaSocket, replicasOf } from "./replicas.ts";
import type { ActorThreadData } from "./threads/actors.ts";
import { API, FOLLOWER, LINK, LOCK, MASTER, PROCESS } from "./threads/addresses.ts";
import type { ApiThreadData } from "./threads/api.ts";
import { isShard } from "./threads/crossing.ts";
import type { LinkThreadData } from "./threads/link.ts";
import type { DnsData } from "./threads/names.ts";
import { patienceMs } from "./threads/patience.ts";

export interface MasterProcessOptions {
  /** Under root: who it is from the moment it opens anything. */
  readonly uid: number | undefined;
  readonly data: DataDirectory;
  readonly cell: CellFile;
  /** Which of the cell's replicas it is; absent: the cell's only master. */
  readonly replica?: number;
  /** Where its etcd is; absent: where the cell's own is. */
  readonly etcdUrls?: readonly string[] | undefined;
  readonly log: Log;
}

const STOP_MS = 3_000;
const NANOS = 1e6;
/** How often the main thread's delay is looked at; what the histogram counts has this time in it. */
const DELAY_LOOK_MS = 20;
const lateMs = (nanos: number): number => Math.max(0, nanos / NANOS - DELAY_LOOK_MS);

export class MasterProcess {
  readonly #options: MasterProcessOptions;
  readonly #threads = new Map<string, Thread>();
  readonly #packer = new Packer();
  readonly #host: ActorHost;
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_LOOK_MS });
  readonly #startedMs = performance.now();
  readonly #schedulers: readonly string[];
  #master: Master | undefined;
  #journal: FilesJournal | undefined;
  #seat: ReplicaSeat | undefined;
  #ending = false;

  constructor(options: MasterProcessOptions) {
    this.#options = options;
    this.#schedulers = schedulerNames(options.cell.batchSchedulers ?? 1);
    this.#host = new ActorHost({
      route: (from, to, message) => this.#send(from, to, message as object),
      log: options.log,
      crash: (error) => this.#end(`The master failed: ${error instanceof Error ? error.stack : String(error)}`, 70),
    });
  }

  async start(): Promise<void> {
    const { data, cell, replica } = this.#options;
    this.#delay.enable();
    this.#startThreads();
    const journal = replica === undefined ? await this.#openFiles() : await this.#openReplica(replica);
    for (const thread of this.#threads.values()) thread.begin();
    const options = this.#masterOptions();
    this.#host.add(MASTER, (env) => {
      this.#master = new Master(env as never, journal, options);
      return this.#master;
    });
    await Promise.all([...this.#threads.values()].map((thread) => thread.ready));
    this.#host.start();
    const [who, where, port] =
      replica === undefined
        ? [`Cell "${cell.cell}"`, `${data.socket("api")} and `, cell.port]
        : [`Replica ${replica} of cell "${cell.cell}"`, "", replicaPorts(cell, replica).api];
    this.#options.log(`${who} listens at ${where}https://${cell.host}:${port}`);
  }

  async #openFiles(): Promise<Journal> {
    const { data, cell, uid } = this.#options;
    const [journalThread] = await Promise.all([JournalThread.load(), ...this.#loaded()]);
    keepCompiled();
    // Everything that has to be read with the owner's rights was read; nobody has been heard yet.
    const directory = uid === undefined ? data.journal : become(uid, data.journal, data.packages, data.secrets, data.questions, data.names);
    // It answers nothing before it is asked, and only the master asks.
    this.#journal = await journalThread.open({ directory, cell: cell.cell }, (answer) => this.#hearJournal(answer));
    return this.#journal;
  }

  async #openReplica(replica: number): Promise<Journal> {
    const { data, cell, uid, etcdUrls } = this.#options;
    const { ReplicaSeat } = await import("./replica-seat.ts");
    const [seat] = await Promise.all([
      ReplicaSeat.load({
        ...{ data, cell, replica, etcdUrls },
        secrets: reached(data.secrets),
        namedKeys: () => (this.#master === undefined ? new Set() : keysNamed(this.#master.state)),
        role: () => this.#master?.role,
        term: () => this.#master?.term ?? 0,
        onOutled: (term) => this.#host.deliver(PROCESS, MASTER, { type: "outled", term }),
        onJournal: (answer) => this.#hearJournal(answer),
        onLock: (answer) => this.#host.deliver(LOCK, MASTER, answer),
        onLeader: (to, letter) => this.#threads.get(to)?.post({ from: PROCESS, to, body: letter, bytes: LETTER_BYTES }),
        end: (reason, exitCode) => this.#end(reason, exitCode),
        log: (line) => this.#options.log(line),
      }),
      ...this.#loaded(),
    ]);
    keepCompiled();
    await seat.open(
      uid === undefined ? data.replicas : become(uid, data.replicas, data.packages, data.secrets, data.questions, data.names),
    );
    this.#seat = seat;
    return seat.journal;
  }

  #loaded(): readonly Promise<void>[] {
    return [...this.#threads.values()].map((thread) => thread.loaded);
  }

  #hearJournal(answer: JournalAnswer): void {
    this.#host.deliver("journal", MASTER, { type: "journal", answer });
  }

  /** Finishes what is on its way into the journal. Tasks are not touched. */
  async stop(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#host.stop();
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop(STOP_MS)));
    await this.#journal?.close();
    await this.#seat?.close();
  }

  #masterOptions(): MasterOptions {
    const { cell, replica } = this.#options;
    return {
      ...DEFAULT_MASTER,
      imageOf: liveImageOf,
      newHash: newNativeSha256,
      name: replica === undefined ? MASTER : replicaName(replica),
      create: { cell: cell.cell, owner: cell.owner },
      link: LINK,
      follower: FOLLOWER,
      copies: [API],
      schedulers: this.#schedulers.map((name) => ({ name, address: name })),
      lock: replica === undefined ? undefined : LOCK,
      sharesLinks: replica !== undefined,
      replicas: replica === undefined ? 1 : replicasOf(cell).length,
    };
  }

  #startThreads(): void {
    const { data, cell, replica } = this.#options;
    const keys = new Keys(data, cell.cell, cell.spread?.self);
    const sockets = socketsOf(data, cell, replica);
    const isReplica = replica !== undefined;
    const tls = keys.master();
    const [packages, secrets, questions] = [reached(data.packages), reached(data.secrets), reached(data.questions)];
    const link: LinkThreadData = {
      listeners: [
        ...sockets("link-owner").map(({ endpoint, isShared }) => ({ endpoint: endpoint as LocalEndpoint, isShared })),
        ...sockets("link").map(({ endpoint, isShared }) => ({ endpoint: endpoint as TlsEndpoint, tls, isShared })),
      ],
      cell: cell.cell,
      authorities: keys.authorities(),
      authority: keys.authority(),
      packages,
      lines: replica === undefined ? undefined : linesOf(reached(data.replicas), cell, replica),
    };
    const api: ApiThreadData = {
      listeners: [
        ...sockets("api-owner").map(({ endpoint, isShared }) => ({ endpoint: endpoint as LocalEndpoint, user: cell.owner, isShared })),
        ...sockets("api").map(({ endpoint, isShared }) => ({ endpoint: endpoint as TlsEndpoint, tls, isShared })),
      ],
      hosts: [...(cell.spread === undefined ? [cell.host] : []), "127.0.0.1", ...hostsOf(cell)],
      pagePort: replica === undefined ? cell.port : replicaPorts(cell, replica).api,
      owner: cell.owner,
      socket: data.socket("api"),
      schedulers: this.#schedulers,
      packages,
      secrets,
      questions,
      door: { url: `https://${cell.host}:${cell.port}`, authorities: keys.authorities() },
      dns: this.#dns(),
      isReplica,
      mastersOnMachines: cell.spread === undefined ? undefined : replicasOf(cell).length,
    };
    this.#startThread(LINK, new URL("./threads/link.ts", import.meta.url), link);
    this.#startThread(API, new URL("./threads/api.ts", import.meta.url), api);
    for (const actor of [FOLLOWER, ...this.#schedulers])
      this.#startThread(actor, new URL("./threads/actors.ts", import.meta.url), {
        actor,
        schedulers: this.#schedulers,
      } satisfies ActorThreadData);
  }

  /** Under root its machine's tasks ask through a door that nobody else can take or pass. */
  #dns(): DnsData | undefined {
    const { data, cell, replica, uid } = this.#options;
    if ((cell.dnsPort ?? 0) === 0) return undefined;
    const name = replica === undefined ? MASTER : replicaName(replica);
    const door = uid === undefined ? undefined : join(reached(data.names), `${name}.sock`);
    return { host: cell.host, port: cell.dnsPort!, domain: cell.dnsDomain ?? "", door };
  }

  #startThread(name: string, url: URL, data: unknown): void {
    const thread = new Thread(name, url, data, {
      onLetter: (letter) => this.#deliver(letter),
      onLog: (line, more) => this.#options.log(line, more),
      onFailed: (reason, exitCode) => this.#end(reason, exitCode),
    });
    this.#threads.set(name, thread);
  }

  /** From this thread's actor to another thread. */
  #send(from: string, to: string, message: object): void {
    if (to === "shell") return this.#end((message as Exit).reason, 75);
    if (to === LOCK) return this.#seat?.ask(message as LockRequest);
    const thread = this.#threads.get(isShard(to) ? LINK : to);
    if (thread === undefined) return;
    const { body, bytes } = this.#packer.pack(isLease(message) ? inProcessTime(message) : message);
    thread.post({ from, to, body, bytes: bytes + LETTER_BYTES }, patienceMs(to, message));
  }

  /** From a thread: to the master, or on to another thread, unopened. */
  #deliver(letter: Letter): void {
    const body = letter.body as Readonly<Record<string, unknown>>;
    if (letter.to === MASTER) this.#host.deliver(letter.from, MASTER, unpack(body));
    else if (letter.to === PROCESS) this.#count(letter.from, String(body["id"]));
    else this.#threads.get(letter.to)?.post(letter, patienceMs(letter.to, body));
  }

  #count(to: string, id: string): void {
    const { count, longestMs, totalMs } = this.#host.takeSteps();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const view = {
      role: this.#master?.role ?? "starting",
      term: this.#master?.knownTerm ?? 0,
      position: this.#master?.state.position ?? 0,
      upMs: performance.now() - this.#startedMs,
      longestStepMs: longestMs,
      steps: count,
      stepMsTotal: totalMs,
      loopDelayP99Ms: lateMs(this.#delay.percentile(99)),
      loopDelayMaxMs: lateMs(this.#delay.max),
      cpuMs: (user + system) / 1000,
      rssBytes: rss,
      heapBytes: heapUsed,
      waiting: this.#master?.waiting ?? 0,
      behindBytes: [...this.#threads.values()].reduce((sum, thread) => sum + thread.behindBytes, 0),
      pid: process.pid,
    };
    this.#delay.reset();
    this.#threads.get(to)?.post({ from: PROCESS, to, body: { type: "process", id, view }, bytes: LETTER_BYTES });
  }

  #end(reason: string, exitCode: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#options.log(reason, { level: "error" });
    process.exit(exitCode);
  }
}

/** Where the link threads of all replicas listen for each other. */
const linesOf = (directory: string, cell: CellFile, replica: number): LinkThreadData["lines"] => ({
  replica: replicaName(replica),
  sockets: new Map(replicasOf(cell).map((each) => [replicaName(each), replicaSocket(directory, each, "shard")])),
});

type TlsEndpoint = Exclude<Endpoint, { readonly kind: "unix" }>;

type Sockets = (wanted: CellSocket) => readonly { readonly endpoint: Endpoint; readonly isShared: boolean }[];

/** The sockets that were handed to this process; one that was started by hand binds them itself, and a replica then only its own. */
function socketsOf(data: DataDirectory, cell: CellFile, replica: number | undefined): Sockets {
  const handed = inherited(process.env).map(({ name, fd }) => ({ name, endpoint: { kind: "descriptor" as const, fd } }));
  const otherwise = replica === undefined ? endpointsOf(data, cell) : ownEndpointsOf(reached(data.replicas), cell, replica);
  const all = handed.length > 0 ? handed : otherwise;
  return (wanted) =>
    all
      .filter(({ name }) => name === wanted || name === `own-${wanted}`)
      .map(({ name, endpoint }) => ({ endpoint, isShared: replica !== undefined && name === wanted }));
}

/** The internal command: runs until it is told to stop. */
export async function runMaster(
  data: DataDirectory,
  uid: number | undefined,
  replica?: number,
  etcdUrls?: readonly string[],
): Promise<number> {
  const cell = data.readCell();
  const log = newLog(replica === undefined ? MASTER : replicaName(replica));
  if (cell === undefined) {
    log(`There is no cell in "${data.path}": borg up makes one`);
    return 2;
  }
  const master = new MasterProcess({ data, cell, uid, log, etcdUrls, ...(replica === undefined ? {} : { replica }) });
  const { promise, resolve } = Promise.withResolvers<number>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void master.stop().then(() => resolve(0)));
  try {
    await master.start();
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return error instanceof JournalRefusedError ? (error.exitCode ?? 1) : 1;
  }
  return promise;
}
