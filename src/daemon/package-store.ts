/**
 * The bytes of packages on the master's disk, each in a file named by its hash. A package is kept when all of it came, its hash was found right and it was
 * synced; until then its pieces are in a file of the user who sends them. It never decides who may; it lets nobody have bytes that they only know the hash of.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Unfinished uploads of one user, and of all; one more is refused until others are finished or swept. */
const PARTS_OF_USER_MAX = 4;
const PARTS_MAX = 64;
/** An upload that got nothing for so long is given up; so is a finished one that nobody added to the cell. */
export const PART_KEEP_MS = 3_600_000;
const UNNAMED_KEEP_MS = 3_600_000;
/** Never taken: the journal needs the same disk. */
const RESERVE_BYTES = 512 * 2 ** 20;
const DIGEST = /^[0-9a-f]{64}$/;
const PART = /^([0-9a-f]{64})\.([a-z0-9][-a-z0-9]{0,62})\.(part|has)$/;

/** Said to whoever asked. */
export class PackageRefusal extends Error {}

export interface Progress {
  readonly received: number;
  readonly kept: boolean;
}

export interface Piece {
  readonly user: string;
  /** The cell has a record of this user with these bytes. */
  readonly owned: boolean;
  readonly digest: string;
  readonly total: number;
  readonly offset: number;
  readonly data: Uint8Array;
}

export class PackageStore {
  readonly #directory: string;
  /** Work on one upload is done in order. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  put(piece: Piece): Promise<Progress> {
    return this.#inTurn(`${piece.digest} ${piece.user}`, () => this.#put(piece));
  }

  /** Whether all of it is here, and this user has shown to have it. What is about to be added is not swept. */
  async isKept({ user, owned, digest, total }: Omit<Piece, "offset" | "data">): Promise<boolean> {
    const size = await this.#size(digest);
    if (size !== total || !(owned || (await this.#size(`${digest}.${user}.has`)) !== undefined)) return false;
    await utimes(this.#path(digest), new Date(), new Date());
    return true;
  }

  /** Undefined: there is no such package. */
  async read(digest: string, offset: number, bytesMax: number): Promise<{ readonly total: number; readonly data: Uint8Array } | undefined> {
    if (!DIGEST.test(digest)) return undefined;
    const file = await open(this.#path(digest), constants.O_RDONLY | constants.O_NOFOLLOW).catch(absent);
    if (file === undefined) return undefined;
    try {
      const { size: total } = await file.stat();
      const buffer = new Uint8Array(Math.max(0, Math.min(bytesMax, total - offset)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return { total, data: buffer.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  }

  /** Takes away what nobody finished and what no record of the cell names. */
  async sweep(isNamed: (digest: string) => boolean, nowMs: number): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const part = PART.exec(name);
      if (part === null && !DIGEST.test(name)) continue;
      const found = await stat(this.#path(name)).catch(absent);
      if (found === undefined) continue;
      const ageMs = nowMs - found.mtimeMs;
      if (part !== null ? ageMs > PART_KEEP_MS : ageMs > UNNAMED_KEEP_MS && !isNamed(name)) await rm(this.#path(name), { force: true });
    }
  }

  async #put(piece: Piece): Promise<Progress> {
    const { user, digest, total, offset, data } = piece;
    if (!DIGEST.test(digest) || !PART.test(`${digest}.${user}.part`)) throw new PackageRefusal("That is no package of a user");
    if (await this.isKept(piece)) return { received: total, kept: true };
    const path = this.#path(`${digest}.${user}.part`);
    const received = (await this.#size(`${digest}.${user}.part`)) ?? 0;
    // Longer than the package: it belongs to another try.
    if (received > total) await rm(path, { force: true });
    if (received === total) return this.#keep(path, piece);
    // What came before is not written again, and nothing is written beyond it: the answer says where to go on.
    if (data.length === 0 || offset !== received) return { received: received > total ? 0 : received, kept: false };
    if (offset + data.length > total) throw new PackageRefusal(`The package has ${total} bytes: the piece at ${offset} has ${data.length}`);
    await this.#room(received === 0 ? user : undefined, data.length);
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    try {
      await write(file, data, offset);
    } finally {
      await file.close();
    }
    return offset + data.length < total ? { received: offset + data.length, kept: false } : this.#keep(path, piece);
  }

  /** Nothing is kept under a hash that its bytes do not have, nor before it is on the disk. */
  async #keep(path: string, { digest, user, total }: Piece): Promise<Progress> {
    await sync(path);
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Uint8Array>) hash.update(chunk);
    const found = hash.digest("hex");
    if (found !== digest) {
      await rm(path, { force: true });
      throw new PackageRefusal(`The bytes have the hash ${found}, not ${digest}: send them again from the beginning`);
    }
    if ((await this.#size(digest)) === undefined) await rename(path, this.#path(digest));
    else await rm(path, { force: true });
    await (await open(this.#path(`${digest}.${user}.has`), "w", 0o600)).close();
    await sync(this.#directory);
    return { received: total, kept: true };
  }

  async #room(beginner: string | undefined, bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#directory);
    if (bavail * bsize - bytes < RESERVE_BYTES)
      throw new PackageRefusal("The master's disk has no room for packages: an operator has to make some");
    if (beginner === undefined) return;
    const users = (await readdir(this.#directory)).flatMap((name) => (name.endsWith(".part") ? [PART.exec(name)?.[2] ?? ""] : []));
    if (users.length >= PARTS_MAX || users.filter((user) => user === beginner).length >= PARTS_OF_USER_MAX)
      throw new PackageRefusal("Too many uploads are unfinished: finish one, or wait until they are given up");
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#queues.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(key) === mine) this.#queues.delete(key);
    }
  }

  /** Undefined: it is not there. */
  async #size(name: string): Promise<number | undefined> {
    return (await stat(this.#path(name)).catch(absent))?.size;
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

async function write(file: FileHandle, data: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < data.length; ) at += (await file.write(data, at, data.length - at, offset + at)).bytesWritten;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
