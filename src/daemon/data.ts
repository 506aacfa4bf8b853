/**
 * The directory of one cell on this machine: what it is called, its tokens, its journal, its machines, and who runs it now. Only its owner can
 * read it. Files are replaced whole, so that a kill at any moment leaves the old one or the new one.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bootId } from "../borglet/linux/proc.ts";
import { LOCK_NAME, type Lock, lockFile } from "../store/files/lock.ts";
import { DataError } from "./data-error.ts";
import type { Described } from "./description.ts";

/** What `borg up` decided when the cell was made. */
export interface CellFile {
  readonly cell: string;
  /** Drawn when the cell was made: what belongs to it on this machine is known by it, not by its path. */
  readonly id: string;
  readonly owner: string;
  readonly host: string;
  readonly port: number;
  readonly linkPort: number;
  /** Which ports of the host its tasks are given (port-slots.ts); by its port when absent. */
  readonly portSlot?: number;
  readonly machines: number;
  /** Masters that share a journal in the cell's own etcd, with as many members; absent: one master, with a journal in files. */
  readonly replicas?: number;
  /** Of a cell whose masters are on several machines; `replicas` is then how many they are. */
  readonly spread?: Spread;
  /** Batch schedulers beside the service scheduler; 1 when absent. */
  readonly batchSchedulers?: number;
  /** Also where nothing keeps tasks from the owner's files, everybody's jobs run; the owner's only when absent. */
  readonly trustAllUsers?: boolean;
  /** How long what has ended is kept, results and logs; the cell's own default when absent. */
  readonly keepMs?: number;
  /** Where names are told by DNS; nowhere when absent or 0. */
  readonly dnsPort?: number;
  /** Behind the cell's own `NAME.borg`; nothing when absent. */
  readonly dnsDomain?: string;
  /** What its owner says of its machines. */
  readonly described?: Described;
}

/** One master of several machines. */
export interface MasterSeat {
  readonly replica: number;
  /** The address at which the other masters, users and machines reach it. */
  readonly host: string;
  /** SHA-256 of its public key: a certificate with another one is not its own, whoever signed it. */
  readonly key: string;
}

export interface Spread {
  /** Which of them this machine is. */
  readonly self: number;
  readonly masters: readonly MasterSeat[];
  /** How etcd is told its members, for one that joined a cell that was there; absent: it was the first. */
  readonly cluster?: string;
}

/** Who runs it now. A pid alone may be somebody else's by now, so each comes with its start time, and with the boot that this time counts from. */
export interface RunFile {
  readonly supervisor: ProcessId;
  readonly processes: Readonly<Record<string, ProcessId>>;
}

export interface ProcessId {
  readonly pid: number;
  /** In ticks since boot, field 22 of /proc/PID/stat. */
  readonly start: string;
  /** Of the machine, when it started; absent where an older build wrote it down. */
  readonly boot?: string;
}

export class DataDirectory {
  readonly path: string;

  /** Whoever can write in it is the cell's owner, so it must be this user's alone. */
  constructor(path: string) {
    makeDirectory(resolve(path));
    this.path = realpathSync(path);
    const { uid, mode } = statSync(this.path);
    if (process.getuid !== undefined && uid !== process.getuid())
      throw new DataError(`"${this.path}" belongs to another user (uid ${uid})`, "choose a directory of your own with --data");
    if ((mode & 0o077) !== 0) throw new DataError(`"${this.path}" is open to others`, `run: chmod 700 '${this.path}'`);
  }

  /** Bytes of packages, each under its hash. */
  get packages(): string {
    return this.#made("packages");
  }

  /** The keys of secrets. */
  get secrets(): string {
    return this.#made("secrets");
  }

  get journal(): string {
    return this.#made("journal");
  }

  /** Files of the history (src/infrastore). */
  get history(): string {
    return this.#made("infrastore");
  }

  /** Where the master asks the process that keeps the history. */
  get questions(): string {
    return this.#made("questions");
  }

  /** Where masters tell names to the resolver of this machine's tasks. */
  get names(): string {
    return this.#made("names");
  }

  /** Of all replicas of a replicated cell: see replicas.ts. */
  get replicas(): string {
    return this.#made("replicas");
  }

  replica(replica: number): string {
    return this.#made(join("replicas", String(replica)));
  }

  etcdMember(member: number): string {
    return this.#made(join("etcd", String(member)));
  }

  get logs(): string {
    return this.#made("log");
  }

  machine(name: string): string {
    return this.#made(join("machines", name));
  }

  /** Whether there are tasks that were started and are not forgotten. */
  hasRuns(): boolean {
    const machines = join(this.path, "machines");
    return namesIn(machines).some((name) => namesIn(join(machines, name, "runs")).length > 0);
  }

  /** Where its owner and its own borglets reach its master. */
  socket(name: "api" | "link"): string {
    return join(this.path, `${name}.sock`);
  }

  readCell(): CellFile | undefined {
    return this.readJson<CellFile>("cell.json");
  }

  writeCell(cell: CellFile): void {
    this.write("cell.json", `${JSON.stringify(cell, null, 2)}\n`);
  }

  readRun(): RunFile | undefined {
    return this.readJson<RunFile>("run.json");
  }

  writeRun(run: RunFile): void {
    this.write("run.json", `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Whether something was ever written to its journal. */
  get hasJournal(): boolean {
    return existsSync(join(this.path, "journal")) && readdirSync(this.journal).some((name) => name !== LOCK_NAME);
  }

  /** Undefined while a master has it open, also one that no `borg up` looks after. */
  lockJournal(): Lock | undefined {
    return lockFile(join(this.journal, LOCK_NAME));
  }

  /** Undefined when another `borg up` has it. The kernel lets go of it when this process ends, however it ends. */
  lock(): Lock | undefined {
    return lockFile(join(this.path, "lock"));
  }

  #made(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /** Undefined when it is not there. */
  readJson<T>(name: string): T | undefined {
    const text = this.read(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new DataError(`Cannot understand "${join(this.path, name)}"`, "it was changed by hand; put back what it was", { cause });
    }
  }

  /** Undefined when it is not there. */
  read(name: string): string | undefined {
    try {
      return readFileSync(join(this.path, name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  rename(from: string, to: string): void {
    renameSync(join(this.path, from), join(this.path, to));
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** Whole or not at all; only its owner can read it. */
  write(name: string, text: string): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}.new`;
    const file = openSync(temporary, "w", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  }
}

/** Each missing part of the path; one that cannot be made is named, with what stands in the way. */
function makeDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new DataError(`"${path}" is no directory`, "choose another one with --data");
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    throw new DataError(`Cannot make the directory "${path}": ${REASONS.get(code) ?? code}`, "choose another one with --data", { cause });
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "it is not permitted there"],
  ["EPERM", "it is not permitted there"],
  ["EROFS", "nothing can be written there"],
  ["ENOENT", "nothing can be made there"],
  ["ENOSPC", "the disk is full"],
]);

export const newCellId = (): string => randomUUID();

/** Undefined when there is no such process; a zombie is none. */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export const processId = (pid: number): ProcessId => ({ pid, start: processStart(pid) ?? "", boot: bootId() });

/** What is not proven to be the process that was written down gets no signal. */
export const isAlive = ({ pid, start, boot }: ProcessId): boolean =>
  processStart(pid) === start && (boot === undefined || boot === bootId());

const namesIn = (directory: string): readonly string[] => (existsSync(directory) ? readdirSync(directory) : []);

/** Whether a `borg up` runs the cell in this directory, and starts again what dies. */
export function isKeptUp(path: string): boolean {
  try {
    return isAlive((JSON.parse(readFileSync(join(path, "run.json"), "utf8")) as RunFile).supervisor);
  } catch {
    return false;
  }
}
