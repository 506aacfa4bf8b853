/**
 * Which jobs wrote into a directory that outlives them: of an alloc, or a volume. Their user ids own files there, so nobody else is given one of these while
 * the directory may still be there. Written down before the first of them starts.
 */
import { readFileSync } from "node:fs";
import { replaceFile } from "./layout.ts";

type Table = Record<string, readonly string[]>;

export class Sharers {
  readonly #path: string;
  #table: Table;

  constructor(path: string) {
    this.#path = path;
    this.#table = read(path);
  }

  add(holder: string, job: string): void {
    const known = this.#table[holder] ?? [];
    if (known.includes(job)) return;
    this.#table = { ...this.#table, [holder]: [...known, job] };
    replaceFile(this.#path, JSON.stringify(this.#table));
  }

  /** `isThere`: whether anything of a holder's directory may be left. Holders of which nothing is are forgotten. */
  jobs(isThere: (holder: string) => boolean): readonly string[] {
    const left = Object.entries(this.#table).filter(([holder]) => isThere(holder));
    if (left.length < Object.keys(this.#table).length) {
      this.#table = Object.fromEntries(left);
      replaceFile(this.#path, JSON.stringify(this.#table));
    }
    return left.flatMap(([, jobs]) => jobs);
  }
}

function read(path: string): Table {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Table;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`Cannot read "${path}": it says whose files are in volumes and allocs`, { cause });
  }
}
