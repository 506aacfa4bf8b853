/**
 * Whether it is a task's own process that listens on the task's port: whoever else answers there says nothing about its health. A socket that was found with the task
 * is remembered, so its processes are looked through only when another one listens.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { answering, type Listening, listeningSockets } from "./ports.ts";

/** Who listens is read again after this. What seems wrong is looked at afresh, but not more often than this either. */
const TABLE_MS = 1000;
const AFRESH_MS = 100;
/** Descriptors of a task that are looked through at once; of one with more it is not known whose its sockets are. */
const DESCRIPTORS_MAX = 20_000;

type Table = ReadonlyMap<number, readonly Listening[]>;

export class Listeners {
  readonly #read: () => Table;
  readonly #now: () => number;
  /** Sockets that were found with a task. */
  readonly #own = new Map<string, ReadonlySet<string>>();
  #table: Table = new Map();
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(read: () => Table = listeningSockets, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** Empty: who calls this host and port gets the task, or nobody can tell. `pids`: the task's processes. */
  problem(instance: string, host: string, port: number, pids: () => readonly number[]): string {
    const own = this.#own.get(instance);
    const isOwn = (socket: string): boolean => own?.has(socket) === true;
    const before = this.#on(host, port, TABLE_MS);
    if (before.length > 0 && before.every(isOwn)) return "";
    const sockets = this.#on(host, port, AFRESH_MS);
    if (sockets.length === 0) return `Nobody listens on port ${port} any more`;
    if (sockets.every(isOwn)) return "";
    const found = socketsOf(pids());
    if (found === undefined) return "";
    this.#own.set(instance, new Set(sockets.filter((socket) => found.has(socket))));
    return sockets.every((socket) => found.has(socket)) ? "" : `Port ${port} is held by another process`;
  }

  forget(instance: string): void {
    this.#own.delete(instance);
  }

  #on(host: string, port: number, ageMs: number): readonly string[] {
    if (this.#now() - this.#readMs >= ageMs) {
      this.#table = this.#read();
      this.#readMs = this.#now();
    }
    return answering(host, this.#table.get(port) ?? []).map(({ inode }) => inode);
  }
}

/** The sockets that these processes have open, by their inodes; undefined: not all could be seen. */
function socketsOf(pids: readonly number[]): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  let count = 0;
  for (const pid of pids) {
    const names = attempt(() => readdirSync(`/proc/${pid}/fd`));
    if (names === "hidden") return undefined;
    for (const name of names ?? []) {
      if (++count > DESCRIPTORS_MAX) return undefined;
      const link = attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`));
      const inode = link === undefined ? undefined : /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode !== undefined) found.add(inode);
    }
  }
  return found;
}

/** Undefined: it is gone meanwhile. "hidden": it is there, and not for us to see. */
function attempt<T>(act: () => T): T | "hidden" | undefined {
  try {
    return act();
  } catch (error) {
    return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "") ? "hidden" : undefined;
  }
}
