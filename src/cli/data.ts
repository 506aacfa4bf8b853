/**
 * The directory of one cell on this machine: what it is called, its tokens, its journal, its machines, and who runs it now. Only its owner can
 * read it. Files are replaced whole, so that a kill at any moment leaves the old one or the new one.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, writeSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { Failure } from "./exit.ts";

/** What `borg up` decided when the cell was made. */
export interface CellFile {
  readonly cell: string;
  readonly owner: string;
  readonly host: string;
  readonly port: number;
  readonly linkPort: number;
  readonly machines: number;
  /** Batch schedulers beside the service scheduler; 1 when absent. */
  readonly batchSchedulers?: number;
}

/** Who runs it now. A pid alone may be somebody else's by now, so each comes with its start time. */
export interface RunFile {
  readonly supervisor: ProcessId;
  readonly processes: Readonly<Record<string, ProcessId>>;
}

export interface ProcessId {
  readonly pid: number;
  /** In ticks since boot, field 22 of /proc/PID/stat. */
  readonly start: string;
}

export class DataDirectory {
  readonly path: string;

  constructor(path: string) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.path = realpathSync(path);
  }

  get journal(): string {
    return this.#made("journal");
  }

  get logs(): string {
    return this.#made("log");
  }

  machine(name: string): string {
    return this.#made(join("machines", name));
  }

  get ownerTokenFile(): string {
    return join(this.path, "owner.token");
  }

  /** Made once; whoever can read these files is the owner, or a borglet of the cell. */
  ownerToken(): string {
    return this.#secret("owner.token");
  }

  linkToken(): string {
    return this.#secret("link.token");
  }

  readCell(): CellFile | undefined {
    return this.#readJson<CellFile>("cell.json");
  }

  writeCell(cell: CellFile): void {
    this.#write("cell.json", `${JSON.stringify(cell, null, 2)}\n`);
  }

  readRun(): RunFile | undefined {
    return this.#readJson<RunFile>("run.json");
  }

  writeRun(run: RunFile): void {
    this.#write("run.json", `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Undefined when another `borg up` has it. The kernel lets go of it when this process ends, however it ends. */
  lock(): Promise<Server | undefined> {
    const name = createHash("sha256").update(this.path).digest("hex").slice(0, 32);
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => socket.destroy());
      server.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
      server.listen(`\0borg-up-${name}`, () => {
        server.unref();
        resolve(server);
      });
    });
  }

  #made(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  #secret(name: string): string {
    const known = this.#read(name)?.trim();
    if (known !== undefined && known !== "") return known;
    const fresh = `borg_${randomBytes(32).toString("base64url")}`;
    this.#write(name, `${fresh}\n`);
    return fresh;
  }

  #readJson<T>(name: string): T | undefined {
    const text = this.#read(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new Failure("usage", `Cannot understand "${join(this.path, name)}"`, "it was changed by hand; put back what it was", { cause });
    }
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(join(this.path, name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  #write(name: string, text: string): void {
    const path = join(this.path, name);
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

export const processId = (pid: number): ProcessId => ({ pid, start: processStart(pid) ?? "" });

export const isAlive = ({ pid, start }: ProcessId): boolean => processStart(pid) === start;

/** Whether a `borg up` runs the cell in this directory, and starts again what dies. */
export function isKeptUp(path: string): boolean {
  try {
    return isAlive((JSON.parse(readFileSync(join(path, "run.json"), "utf8")) as RunFile).supervisor);
  } catch {
    return false;
  }
}
