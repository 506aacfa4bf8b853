/**
 * Keeps a cell's processes running on this machine: one master, N borglets, each started again when it dies. It knows nothing of jobs; when it
 * ends, tasks live on, and the next one takes up what it finds. Who runs is written to run.json, so that a successor finds orphans.
 */
import { join } from "node:path";
import { Child } from "../shell/child.ts";
import { type DataDirectory, isAlive, type ProcessId, processId, type RunFile } from "./data.ts";
import { listenEnvironment, type SocketName } from "./descriptors.ts";
import type { IdRange } from "./host-ids.ts";
import type { MachineShare } from "./machine-share.ts";
import { MASTER_ENVIRONMENT } from "./master-environment.ts";

/** Exit codes after which starting again does not help: a mistake in the command, a journal that is damaged. */
const FINAL = [2, 78];
const STOP_MS = 10_000;
/** A process that ended so often without ever having lived for long cannot be started: whoever waits for the cell is told why. */
const STARTS_MAX = 4;
const STARTED_MS = 5_000;
const FAULT = 70;
const MASTER_NAME = "master";
/** Keeps the cell's history; the cell goes on without it. */
const HISTORY_NAME = "infrastore";

export interface SupervisorOptions {
  readonly data: DataDirectory;
  /** Node and the file that is the borg command. */
  readonly command: string;
  readonly entry: readonly string[];
  readonly shares: readonly MachineShare[];
  /** The cell's bound sockets: only passed on, never listened on here. */
  readonly sockets: readonly { readonly name: SocketName; readonly fd: number }[];
  /** The cell's own user ids, under root. */
  readonly ids: IdRange | undefined;
  readonly log: (line: string) => void;
  /** A process of the cell cannot be started any more. */
  readonly onFinal: (name: string, code: number) => void;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #children: readonly Child[];
  readonly #running = new Map<string, ProcessId>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const master = this.#child(MASTER_NAME, ["internal-master", "--data", options.data.path, ...this.#masterUser()], options.sockets);
    const borglets = options.shares.map((share) =>
      this.#child(share.machine, ["internal-borglet", "--data", options.data.path, "--share", JSON.stringify(share)]),
    );
    const history = this.#child(HISTORY_NAME, ["internal-infrastore", "--data", options.data.path, ...this.#masterUser()]);
    this.#children = [master, ...borglets, history];
  }

  /** Of a cell of root only the borglets are root. */
  #masterUser(): readonly string[] {
    const { ids } = this.#options;
    return ids === undefined ? [] : ["--uid", String(ids.first)];
  }

  start(): void {
    endOrphans(this.#options.data.readRun(), this.#options.log);
    for (const child of this.#children) child.start();
  }

  /** The borglets first, so that nothing is reported to a master that is going. With `kill` they end their tasks before. */
  async stop(kill: boolean): Promise<void> {
    const [master, ...borglets] = this.#children;
    await Promise.all(borglets.map((child) => (kill ? child.stop(6 * STOP_MS, "SIGUSR2") : child.stop(STOP_MS))));
    await master?.stop(STOP_MS);
    this.#running.clear();
    this.#write();
  }

  #child(name: string, args: readonly string[], sockets: SupervisorOptions["sockets"] = []): Child {
    const { command, entry, data, log } = this.#options;
    let [starts, startedMs, hasLived] = [0, 0, false];
    return new Child({
      name,
      command,
      args: [...entry, ...args],
      env: {
        ...(name === MASTER_NAME ? MASTER_ENVIRONMENT : {}),
        ...process.env,
        ...listenEnvironment(sockets.map((socket) => socket.name)),
      },
      descriptors: sockets.map(({ fd }) => fd),
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
        if (name === HISTORY_NAME)
          log(again ? `${name} ended and is started again` : `${name} ended: the cell keeps no history now (${name}.log)`);
        else if (again && !hasLived && starts >= STARTS_MAX) this.#options.onFinal(name, code ?? FAULT);
        else if (again) log(`${name} ended (${signal ?? `exit ${code ?? "?"}`}) and is started again`);
        else if (code !== undefined && FINAL.includes(code)) this.#options.onFinal(name, code);
      },
    });
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
