/**
 * What executors said of their tasks, each in a small file of the machine's disk until the borglet forgets the task. A word that was saved outlives the borglet and a power
 * cut: whoever reads it finds all of it, or nothing.
 */
import { type Disk, DiskError } from "../base/env.ts";
import type { Said } from "./executors.ts";
import { instanceOf, keyOf } from "./instance-key.ts";

/** The instance's key and the run. */
const FILE = /^(.+)\.([0-9]+)$/;
/** While it is written. */
const NEW = ".new";

export class ExecutorWords {
  readonly #disk: Disk;
  readonly #log: (line: string) => void;

  constructor(disk: Disk, log: (line: string) => void) {
    this.#disk = disk;
    this.#log = log;
  }

  /** False: it could not be made durable. */
  save(instance: string, run: number, said: Said): boolean {
    const name = nameOf(instance, run);
    try {
      this.#remove(`${name}${NEW}`);
      this.#disk.create(`${name}${NEW}`, 0);
      this.#disk.write(`${name}${NEW}`, 0, bytesOf(said));
      this.#disk.sync(`${name}${NEW}`);
      this.#disk.rename(`${name}${NEW}`, name);
      this.#disk.syncNames();
      return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#log(`Cannot save what an executor said: ${error.message}`);
      return false;
    }
  }

  /** Undefined also when it cannot be read: then its executor is asked, or counts as gone. */
  saved(instance: string, run: number): Said | undefined {
    const name = nameOf(instance, run);
    try {
      return this.#disk.list().includes(name) ? saidIn(this.#disk.read(name, 0, this.#disk.size(name))) : undefined;
    } catch (error) {
      this.#log(`Cannot read what an executor said: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  drop(instance: string): void {
    const key = keyOf(instance);
    for (const name of this.#disk.list()) if (FILE.exec(name)?.[1] === key) this.#remove(name);
  }

  /** Words on tasks that nobody keeps go, and what was never written to its end. */
  sweep(kept: ReadonlySet<string>): void {
    for (const name of this.#disk.list()) {
      const isHalf = name.endsWith(NEW);
      const instance = instanceOf(FILE.exec(isHalf ? name.slice(0, -NEW.length) : name)?.[1] ?? "");
      if (instance !== undefined && (isHalf || !kept.has(instance))) this.#remove(name);
    }
  }

  /** It stays where it cannot be removed: the next sweep finds it. */
  #remove(name: string): void {
    try {
      if (this.#disk.list().includes(name)) this.#disk.remove(name);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#log(`Cannot remove "${name}": ${error.message}`);
    }
  }
}

const nameOf = (instance: string, run: number): string => `${keyOf(instance)}.${run}`;

/** JSON in ASCII: each letter is a byte. */
function bytesOf(said: Said): Uint8Array {
  const plain = said.what === "ended" ? { ...said, data: said.data.toBase64() } : said;
  const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(plain).replace(/[^ -~]/g, escaped);
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function saidIn(bytes: Uint8Array): Said {
  const said = JSON.parse(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return said.what === "ended" ? { ...said, data: Uint8Array.fromBase64(said.data) } : { what: "running" };
}
