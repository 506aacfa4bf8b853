/**
 * One master process: the main thread has the master's actor and is the post office; journal, links, API, follower and schedulers are threads
 * of their own. When any of them fails the process ends, and whoever started it starts it again: the journal knows everything that was promised.
 */
import { constants, lchownSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DEFAULT_MASTER, type MasterOptions } from "../borgmaster/defaults.ts";
import { Master } from "../borgmaster/master.ts";
import type { Exit } from "../borgmaster/message.ts";
import { Packer, unpack } from "../borgmaster/packing.ts";
import { liveImageOf } from "../cell/feed.ts";
import type { Endpoint, LocalEndpoint } from "../rpc/endpoint.ts";
import { schedulerNames } from "../scheduler/responsibility.ts";
import { ActorHost } from "../shell/actor-host.ts";
import { newNativeSha256 } from "../shell/native-sha256.ts";
import { LETTER_BYTES, type Letter, Thread } from "../shell/thread.ts";
import { keepCompiled } from "../shell/thread-side.ts";
import { type FilesJournal, JournalRefusedError, JournalThread } from "../store/files-journal.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { endpointsOf, inherited, type SocketName } from "./descriptors.ts";
import { Keys } from "./keys.ts";
import type { ActorThreadData } from "./threads/actors.ts";
import { API, FOLLOWER, LINK, MASTER, PROCESS } from "./threads/addresses.ts";
import type { ApiThreadData } from "./threads/api.ts";
import type { LinkThreadData } from "./threads/link.ts";

export interface MasterProcessOptions {
  /** Under root: who it is from the moment it opens anything. */
  readonly uid: number | undefined;
  readonly data: DataDirectory;
  readonly cell: CellFile;
  readonly log: (line: string) => void;
}

const STOP_MS = 3_000;
/** The follower makes checkpoints and answers long questions. Nobody waits for an entry to get there, and a question takes those before it along. */
const ENTRY_PATIENCE_MS = 50;
const NANOS = 1e6;

export class MasterProcess {
  readonly #options: MasterProcessOptions;
  readonly #threads = new Map<string, Thread>();
  readonly #packer = new Packer();
  readonly #host: ActorHost;
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #startedMs = performance.now();
  readonly #schedulers: readonly string[];
  #master: Master | undefined;
  #journal: FilesJournal | undefined;
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
    const { data, cell } = this.#options;
    this.#delay.enable();
    this.#startThreads();
    const [journalThread] = await Promise.all([JournalThread.load(), ...[...this.#threads.values()].map((thread) => thread.loaded)]);
    keepCompiled();
    // Everything that has to be read with the owner's rights was read; nobody has been heard yet.
    const directory =
      this.#options.uid === undefined ? data.journal : become(this.#options.uid, data.journal, data.packages, data.secrets, data.questions);
    // It answers nothing before it is asked, and only the master asks.
    const journal = await journalThread.open({ directory, cell: cell.cell }, (answer) =>
      this.#host.deliver("journal", MASTER, { type: "journal", answer }),
    );
    this.#journal = journal;
    for (const thread of this.#threads.values()) thread.begin();
    const options = this.#masterOptions();
    this.#host.add(MASTER, (env) => {
      this.#master = new Master(env as never, journal, options);
      return this.#master;
    });
    await Promise.all([...this.#threads.values()].map((thread) => thread.ready));
    this.#host.start();
    this.#options.log(`Cell "${cell.cell}" listens at ${data.socket("api")} and https://${cell.host}:${cell.port}`);
  }

  /** Finishes what is on its way into the journal. Tasks are not touched. */
  async stop(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#host.stop();
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop(STOP_MS)));
    await this.#journal?.close();
  }

  #masterOptions(): MasterOptions {
    const { cell } = this.#options;
    return {
      ...DEFAULT_MASTER,
      imageOf: liveImageOf,
      newHash: newNativeSha256,
      name: MASTER,
      create: { cell: cell.cell, owner: cell.owner },
      link: LINK,
      follower: FOLLOWER,
      copies: [API],
      schedulers: this.#schedulers.map((name) => ({ name, address: name })),
      lock: undefined,
      replicas: 1,
    };
  }

  #startThreads(): void {
    const { data, cell } = this.#options;
    const keys = new Keys(data, cell.cell);
    const sockets = socketsOf(data, cell);
    const tls = keys.master();
    // Threads reach it when this process has become another user, too.
    const reached = (path: string): string => `/proc/self/fd/${openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)}`;
    const [packages, secrets, questions] = [reached(data.packages), reached(data.secrets), reached(data.questions)];
    const link: LinkThreadData = {
      listeners: [
        ...sockets("link-owner").map((endpoint) => ({ endpoint: endpoint as LocalEndpoint })),
        ...sockets("link").map((endpoint) => ({ endpoint: endpoint as TlsEndpoint, tls })),
      ],
      cell: cell.cell,
      authorities: keys.authorities(),
      authority: keys.authority(),
      packages,
    };
    const api: ApiThreadData = {
      listeners: [
        ...sockets("api-owner").map((endpoint) => ({ endpoint: endpoint as LocalEndpoint, user: cell.owner })),
        ...sockets("api").map((endpoint) => ({ endpoint: endpoint as TlsEndpoint, tls })),
      ],
      hosts: [cell.host, "localhost", "127.0.0.1", "::1"],
      schedulers: this.#schedulers,
      packages,
      secrets,
      questions,
      door: { url: `https://${cell.host}:${cell.port}`, authorities: keys.authorities() },
      dns: (cell.dnsPort ?? 0) === 0 ? undefined : { host: cell.host, port: cell.dnsPort!, domain: cell.dnsDomain ?? "" },
    };
    this.#startThread(LINK, new URL("./threads/link.ts", import.meta.url), link);
    this.#startThread(API, new URL("./threads/api.ts", import.meta.url), api);
    for (const actor of [FOLLOWER, ...this.#schedulers])
      this.#startThread(actor, new URL("./threads/actors.ts", import.meta.url), {
        actor,
        schedulers: this.#schedulers,
      } satisfies ActorThreadData);
  }

  #startThread(name: string, url: URL, data: unknown): void {
    const thread = new Thread(name, url, data, {
      onLetter: (letter) => this.#deliver(letter),
      onLog: (line) => this.#options.log(line),
      onFailed: (reason, exitCode) => this.#end(reason, exitCode),
    });
    this.#threads.set(name, thread);
  }

  /** From this thread's actor to another thread. */
  #send(from: string, to: string, message: object): void {
    if (to === "shell") return this.#end((message as Exit).reason, 75);
    const thread = this.#threads.get(to);
    if (thread === undefined) return;
    const { body, bytes } = this.#packer.pack(message);
    thread.post({ from, to, body, bytes: bytes + LETTER_BYTES }, to === FOLLOWER && body["type"] === "entry" ? ENTRY_PATIENCE_MS : 0);
  }

  /** From a thread: to the master, or on to another thread, unopened. */
  #deliver(letter: Letter): void {
    const body = letter.body as Readonly<Record<string, unknown>>;
    if (letter.to === MASTER) this.#host.deliver(letter.from, MASTER, unpack(body));
    else if (letter.to === PROCESS) this.#count(letter.from, String(body["id"]));
    else this.#threads.get(letter.to)?.post(letter);
  }

  #count(to: string, id: string): void {
    const { count, longestMs, totalMs } = this.#host.takeSteps();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const view = {
      role: this.#master?.role ?? "starting",
      term: this.#master?.term ?? 0,
      position: this.#master?.state.position ?? 0,
      upMs: performance.now() - this.#startedMs,
      longestStepMs: longestMs,
      steps: count,
      stepMsTotal: totalMs,
      loopDelayP99Ms: this.#delay.percentile(99) / NANOS,
      loopDelayMaxMs: this.#delay.max / NANOS,
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
    this.#options.log(reason);
    process.exit(exitCode);
  }
}

/**
 * Gives up root for good, in all threads. Journal, packages and keys of secrets go with it; they are then reached through open descriptors, because the new user may not pass
 * through the directories above them.
 */
function become(uid: number, journal: string, ...others: readonly string[]): string {
  for (const owned of [journal, ...others]) {
    for (const name of readdirSync(owned)) lchownSync(join(owned, name), uid, uid);
    lchownSync(owned, uid, uid);
  }
  const directory = openSync(journal, constants.O_RDONLY | constants.O_DIRECTORY);
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  return `/proc/self/fd/${directory}`;
}

type TlsEndpoint = Exclude<Endpoint, { readonly kind: "unix" }>;

/** The sockets that were handed to this process; one that was started by hand binds them itself. */
function socketsOf(data: DataDirectory, cell: CellFile): (wanted: SocketName) => readonly Endpoint[] {
  const handed = inherited(process.env).map(({ name, fd }) => ({ name, endpoint: { kind: "descriptor" as const, fd } }));
  const all = handed.length > 0 ? handed : endpointsOf(data, cell);
  return (wanted) => all.filter(({ name }) => name === wanted).map(({ endpoint }) => endpoint);
}

/** The internal command: runs until it is told to stop. */
export async function runMaster(data: DataDirectory, uid: number | undefined): Promise<number> {
  const cell = data.readCell();
  const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  if (cell === undefined) {
    log(`There is no cell in "${data.path}": borg up makes one`);
    return 2;
  }
  const master = new MasterProcess({ data, cell, uid, log });
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
