/**
 * Under a root borglet every job has a user id of its own, the same in every run: from its name's hash, or the next free one. What was given
 * is written down before it is used, so that no two jobs ever share files on this machine.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { replaceFile } from "./layout.ts";

export interface UidRange {
  readonly first: number;
  readonly last: number;
}

export const UID_RANGE: UidRange = { first: 61_000, last: 64_999 };

export class Uids {
  readonly #path: string;
  readonly #range: UidRange;
  readonly #byJob: Map<string, number>;

  constructor(path: string, range: UidRange) {
    this.#path = path;
    this.#range = range;
    this.#byJob = new Map(Object.entries(readTable(path)));
  }

  /** Jobs of which nothing is on this machine (`inUse` says so) give theirs back when all are taken. */
  of(job: string, inUse: (job: string) => boolean): number {
    const known = this.#byJob.get(job);
    if (known !== undefined) return known;
    const size = this.#range.last - this.#range.first + 1;
    if (this.#byJob.size >= size) for (const other of this.#byJob.keys()) if (!inUse(other)) this.#byJob.delete(other);
    const taken = new Set(this.#byJob.values());
    const begin = createHash("sha256").update(job).digest().readUInt32BE(0);
    for (let step = 0; step < size; step++) {
      const uid = this.#range.first + ((begin + step) % size);
      if (taken.has(uid)) continue;
      this.#byJob.set(job, uid);
      replaceFile(this.#path, JSON.stringify(Object.fromEntries(this.#byJob)));
      return uid;
    }
    throw new Error(`Cannot give "${job}" a user: all ${size} ids from ${this.#range.first} on are taken`);
  }
}

function readTable(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`Cannot read "${path}"; remove it when no task runs on this machine`, { cause });
  }
}
