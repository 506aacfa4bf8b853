/**
 * A process that should be running: started again when it ends, sooner the longer it had lived. An exit code that says "starting again does not
 * help" is passed on instead. It never decides what the process is for.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

const BACKOFF_MIN_MS = 200;
const BACKOFF_MAX_MS = 5_000;
/** A process that lived so long begins with the shortest wait again. */
const HEALTHY_MS = 2_000;

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Handed to it, from descriptor 3 on. */
  readonly descriptors?: readonly number[];
  /** Who it is, under root; absent: who started it. */
  readonly uid?: number | undefined;
  readonly logFile: string;
  /** Exit codes after which it is not started again. */
  readonly final: readonly number[];
  readonly onStart: (pid: number) => void;
  readonly onExit: (code: number | undefined, signal: string | undefined, again: boolean) => void;
}

export class Child {
  readonly name: string;
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #backoffMs = BACKOFF_MIN_MS;
  #stopping = false;

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    const { command, args, env, logFile, uid, descriptors = [] } = this.#options;
    const log = openLog(logFile);
    const startedMs = performance.now();
    // Its own group: Ctrl-C in the terminal is for whoever watches it, not for it.
    const user = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(command, [...args], { env, stdio: ["ignore", log, log, ...descriptors], detached: true, cwd: "/", ...user });
    closeSync(log);
    this.#process = child;
    if (child.pid !== undefined) this.#options.onStart(child.pid);
    child.once("error", () => this.#ended(undefined, undefined, startedMs));
    child.once("exit", (code, signal) => this.#ended(code ?? undefined, signal ?? undefined, startedMs));
  }

  /** Asks it to end by this signal, and ends it after `withinMs`. */
  async stop(withinMs: number, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
    await exited;
    clearTimeout(timer);
  }

  #ended(code: number | undefined, signal: string | undefined, startedMs: number): void {
    if (this.#process === undefined) return;
    this.#process = undefined;
    const again = !this.#stopping && !(code !== undefined && this.#options.final.includes(code));
    this.#options.onExit(code, signal, again);
    if (!again) return;
    if (performance.now() - startedMs > HEALTHY_MS) this.#backoffMs = BACKOFF_MIN_MS;
    this.#timer = setTimeout(() => this.start(), this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
  }
}

/** Without a log on a full disk, rather than not at all. */
function openLog(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch {
    return openSync("/dev/null", "a");
  }
}
