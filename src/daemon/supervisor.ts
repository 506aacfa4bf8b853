/**
 * Keeps a cell's processes running on this machine: one master, N borglets, each started again when it dies. It knows nothing of jobs; when it
 * ends, tasks live on, and the next one takes up what it finds. Who runs is written to run.json, so that a successor finds orphans.
 */
import { constants, openSync } from "node:fs";
import { join } from "node:path";
import { Child } from "../shell/child.ts";
import { type CellFile, type DataDirectory, isAlive, type ProcessId, processId, type RunFile } from "./data.ts";
import { FIRST_DESCRIPTOR, isResolvers, listenEnvironment, type NamedSocket } from "./descriptors.ts";
import { ETCD, memberArgs, memberName } from "./etcd-member.ts";
import type { IdRange } from "./host-ids.ts";
import type { MachineShare } from "./machine-share.ts";
import { MASTER_ENVIRONMENT, SMALL_ENVIRONMENT } from "./master-environment.ts";
import { ADMISSION_MS } from "./peer/server.ts";
import { Renewal } from "./renewal.ts";
import { ownReplicasOf, replicasOf } from "./replicas.ts";
import { type KeeperOptions, SpreadKeeper } from "./spread-keeper.ts";

/** Exit codes after which starting again does not help: a mistake in the command, a journal that is damaged. */
const FINAL = [2, 78];
const STOP_MS = 10_000;
/** A process that ended so often without ever having lived for long cannot be started: whoever waits for the cell is told why. */
const STARTS_MAX = 4;
const STARTED_MS = 5_000;
const FAULT = 70;
const MASTER_NAME = "master";
/** The cell goes on without these: one keeps its history, one tells names to this machine's tasks. */
const HISTORY_NAME = "infrastore";
export const NAMES_NAME = "names";
/** What is missing while one of them is not there. */
const WITHOUT: ReadonlyMap<string, string> = new Map([
  [HISTORY_NAME, "the cell keeps no history now"],
  [NAMES_NAME, "tasks of this machine find no names now"],
]);
const PEER_NAME = "peer";
/** Between the new starts of two masters of a cell. */
const AGAIN_MS = 8000;
/** Shorter than between two of them. */
const ENDED_MS = 5000;
/** The process that speaks to other masters may just be letting one in. */
const PEER_ENDED_MS = ADMISSION_MS + 2000;
/** As a mistake in a setting: starting it again does not help. */
const REMOVED = 2;

export interface SupervisorOptions {
  readonly data: DataDirectory;
  readonly cell: CellFile;
  /** Node and the file that is the borg command. */
  readonly command: string;
  readonly entry: readonly string[];
  readonly shares: readonly MachineShare[];
  /** The cell's bound sockets: only passed on, never listened on here. */
  readonly sockets: readonly (NamedSocket & { readonly fd: number })[];
  /** The cell's own user ids, under root. */
  readonly ids: IdRange | undefined;
  readonly log: (line: string) => void;
  /** A process of the cell cannot be started any more. */
  readonly onFinal: (name: string, code: number) => void;
  /** Makes certificates anew that are half over, or of an authority that is exchanged. True: it did. */
  readonly renew: KeeperOptions["renew"];
}

/** What a process is to its cell. */
interface Part {
  readonly name: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly sockets?: SupervisorOptions["sockets"];
  readonly descriptors?: readonly number[];
  readonly uid?: number | undefined;
  /** Of how many alike a majority is enough; absent: the cell cannot go on without it. */
  readonly oneOf?: number;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #etcd: readonly Child[];
  readonly #masters: readonly Child[];
  readonly #borglets: readonly Child[];
  readonly #history: Child;
  readonly #names: Child | undefined;
  /** Of a cell on several machines: the process that speaks to other masters. */
  readonly #peer: Child | undefined;
  /** Who looks after certificates, and on several machines also which masters there are. */
  readonly #keeper: SpreadKeeper | Renewal;
  readonly #running = new Map<string, ProcessId>();
  /** Those of several alike that cannot be started. */
  readonly #failed = new Set<string>();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const replicas = ownReplicasOf(options.cell);
    this.#etcd = replicas.map((member) => this.#member(member, replicas.length));
    this.#masters = replicas.length === 0 ? [this.#master()] : replicas.map((replica) => this.#replica(replica, replicas.length));
    this.#peer = options.cell.spread === undefined ? undefined : this.#peerProcess();
    this.#keeper = this.#keeperOf(options);
    this.#borglets = options.shares.map((share) =>
      this.#internal({ name: share.machine, args: ["internal-borglet", "--data", options.data.path, "--share", JSON.stringify(share)] }),
    );
    this.#history = this.#internal({
      name: HISTORY_NAME,
      args: ["internal-infrastore", "--data", options.data.path, ...this.#masterUser()],
    });
    this.#names = this.#resolver();
  }

  /** Where `borg up` bound its sockets. They stay open here, so that nobody takes the address while it is started again, and who asks meanwhile waits. */
  #resolver(): Child | undefined {
    const { data, sockets } = this.#options;
    const own = sockets.filter(isResolvers);
    const args = ["internal-names", "--data", data.path, ...this.#masterUser()];
    return own.length === 0 ? undefined : this.#internal({ name: NAMES_NAME, args, env: SMALL_ENVIRONMENT, sockets: own });
  }

  #master(): Child {
    const { data, sockets } = this.#options;
    const args = ["internal-master", "--data", data.path, ...this.#masterUser()];
    return this.#internal({ name: MASTER_NAME, args, env: MASTER_ENVIRONMENT, sockets: sockets.filter((each) => !isResolvers(each)) });
  }

  /** It gets the cell's sockets, which all replicas share, and its own. */
  #replica(replica: number, oneOf: number): Child {
    const { data, sockets } = this.#options;
    const args = ["internal-master", "--data", data.path, "--replica", String(replica), ...this.#masterUser()];
    const own = sockets
      .filter((each) => !isResolvers(each) && ((each.replica === undefined && each.name !== PEER_NAME) || each.replica === replica))
      .map(({ name, fd }) => ({ name, fd }));
    return this.#internal({ name: `${MASTER_NAME}-${replica}`, args, env: MASTER_ENVIRONMENT, sockets: own, oneOf });
  }

  #peerProcess(): Child {
    const { data, sockets } = this.#options;
    const args = ["internal-peer", "--data", data.path, ...this.#masterUser()];
    return this.#internal({ name: PEER_NAME, args, sockets: sockets.filter(({ name }) => name === PEER_NAME) });
  }

  #keeperOf({ data, cell, log, renew, onFinal }: SupervisorOptions): SpreadKeeper | Renewal {
    const { spread } = cell;
    if (spread === undefined) return new Renewal({ renew: () => renew(cell), onRenewed: (why) => this.#again(cell, why), log });
    return new SpreadKeeper({
      ...{ data, cell: { ...cell, spread }, renew, log },
      onChange: (changed, why) => this.#again(changed, why),
      onRemoved: () => {
        log(`Master ${spread.self} was taken out of cell ${cell.cell}: this machine is no master of it any more`);
        onFinal(PEER_NAME, REMOVED);
      },
    });
  }

  /** Somebody changed the cell's keys and says so: certificates that they ask for are made, and who read the old ones is started anew. */
  async readKeys(): Promise<void> {
    const { cell, renew, log } = this.#options;
    try {
      await renew(cell);
      this.#again(cell, "The cell's keys are read anew");
    } catch (error) {
      log(`The cell's keys cannot be read anew: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** One master of the cell after the other, so that one leads all the time, and machines when theirs are done; tasks do not notice. */
  #again(cell: CellFile, why: string): void {
    this.#options.log(why);
    const place = Math.max(0, replicasOf(cell).indexOf(cell.spread?.self ?? 0));
    this.#end(this.#peer, PEER_ENDED_MS);
    for (const timer of this.#timers) clearTimeout(timer);
    const last = place + this.#masters.length - 1;
    this.#timers = this.#masters.map((child, i) => setTimeout(() => this.#end(child), (place + i) * AGAIN_MS));
    this.#timers.push(
      setTimeout(() => {
        for (const child of this.#borglets) this.#end(child);
      }, last * AGAIN_MS),
    );
  }

  /** It is started again. One that was only just starting may not hear it, and must not go on with what it read before. */
  #end(child: Child | undefined, withinMs = ENDED_MS): void {
    const pid = child?.pid;
    if (pid === undefined) return;
    process.kill(pid, "SIGTERM");
    setTimeout(() => {
      if (child?.pid === pid) process.kill(pid, "SIGKILL");
    }, withinMs).unref();
  }

  /** Under root it is who the masters are. That user may not pass through the cell's directory, so it is handed its own. */
  #member(member: number, oneOf: number): Child {
    const { data, cell, ids } = this.#options;
    const directory = openSync(data.etcdMember(member), constants.O_RDONLY | constants.O_DIRECTORY);
    const args = memberArgs(cell, member, `/proc/self/fd/${FIRST_DESCRIPTOR}`);
    return this.#child({ name: memberName(member), command: ETCD, args, descriptors: [directory], uid: ids?.first, oneOf });
  }

  /** Of a cell of root only its borglets, its history and this process are root. */
  #masterUser(): readonly string[] {
    const { ids } = this.#options;
    return ids === undefined ? [] : ["--uid", String(ids.first)];
  }

  start(): void {
    endOrphans(this.#options.data.readRun(), this.#options.log);
    const peer = this.#peer === undefined ? [] : [this.#peer];
    for (const child of [...this.#etcd, ...peer, ...this.#masters, ...this.#borglets, this.#history]) child.start();
    this.#names?.start();
    this.#keeper.start();
  }

  /**
   * The borglets first, so that nothing is reported to a master that is going. With `kill` they end their tasks before. Tasks that go on have nobody else to ask
   * for names, so their resolver goes on too; it ends by itself when no task is left.
   */
  async stop(kill: boolean): Promise<void> {
    this.#keeper.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    const borglets = this.#borglets.map((child) => (kill ? child.stop(6 * STOP_MS, "SIGUSR2") : child.stop(STOP_MS)));
    await Promise.all([...borglets, this.#history.stop(STOP_MS)]);
    await Promise.all(this.#masters.map((child) => child.stop(STOP_MS)));
    await this.#peer?.stop(STOP_MS);
    await Promise.all(this.#etcd.map((child) => child.stop(STOP_MS)));
    const resolver = this.#running.get(NAMES_NAME);
    const goesOn = !kill && this.#options.data.hasRuns();
    if (!goesOn) await this.#names?.stop(STOP_MS);
    this.#running.clear();
    if (goesOn && resolver !== undefined) this.#running.set(NAMES_NAME, resolver);
    this.#write();
  }

  /** One of the borg command's own processes. */
  #internal(part: Part): Child {
    return this.#child({ ...part, args: [...this.#options.entry, ...part.args] });
  }

  #child(part: Part): Child {
    const { command, data, log } = this.#options;
    const { name, sockets = [], descriptors = [] } = part;
    let [starts, startedMs, hasLived] = [0, 0, false];
    return new Child({
      name,
      command: part.command ?? command,
      args: part.args,
      env: { ...part.env, ...process.env, ...listenEnvironment(sockets) },
      descriptors: [...sockets.map(({ fd }) => fd), ...descriptors],
      uid: part.uid,
      logFile: join(data.logs, `${name}.log`),
      final: FINAL,
      onStart: (pid) => {
        [starts, startedMs] = [starts + 1, performance.now()];
        this.#running.set(name, processId(pid));
        this.#write();
      },
      onExit: (code, signal, again) => {
        this.#running.delete(name);
        this.#write();
        hasLived ||= performance.now() - startedMs >= STARTED_MS;
        const missing = WITHOUT.get(name);
        const isOver = code !== undefined && FINAL.includes(code);
        if (missing !== undefined && (again || isOver))
          log(again ? `${name} ended and is started again` : `${name} ended: ${missing} (${name}.log)`);
        else if (missing !== undefined) return;
        else if (again && !hasLived && starts >= STARTS_MAX) this.#cannotStart(part, code ?? FAULT);
        else if (again) log(`${name} ended (${signal ?? `exit ${code ?? "?"}`}) and is started again`);
        else if (isOver) this.#cannotStart(part, code);
      },
    });
  }

  /** A majority of those that are alike does without the others. */
  #cannotStart({ name, oneOf }: Part, code: number): void {
    const kind = name.replace(/-[0-9]+$/, "");
    this.#failed.add(name);
    const failed = [...this.#failed].filter((each) => each.startsWith(`${kind}-`)).length;
    if (oneOf === undefined || failed > (oneOf - 1) / 2) return this.#options.onFinal(name, code);
    this.#options.log(
      `${name} ended with exit code ${code} and is no longer there; the others go on. ${join(this.#options.data.logs, `${name}.log`)} says why`,
    );
  }

  /** On a full disk the processes go on; only a successor would know less of them. */
  #write(): void {
    try {
      this.#options.data.writeRun({ supervisor: processId(process.pid), processes: Object.fromEntries(this.#running) });
    } catch (error) {
      this.#options.log(`Cannot write down who runs: ${(error as Error).message}`);
    }
  }
}

/** What a supervisor that was killed left behind. They hold the cell's ports and locks, so they go; tasks stay. */
function endOrphans(run: RunFile | undefined, log: (line: string) => void): void {
  for (const [name, id] of Object.entries(run?.processes ?? {})) {
    if (!isAlive(id)) continue;
    log(`${name} (pid ${id.pid}) was left by an earlier borg up and is started anew`);
    process.kill(id.pid, "SIGKILL");
  }
}
