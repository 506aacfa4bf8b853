/**
 * The keys of secrets as they stand in a file, and how those of two masters become one: no key is lost by it, but for those that a leader has seen nothing encrypted with.
 * Each key file is written whole, and by one process alone.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DataError } from "./data-error.ts";

export const KEY_BYTES = 32;
const ID = /^[0-9a-f]{16}$/;
/** Keys that one file can have: rotations come one at a time, and old keys go. */
export const KEYS_MAX = 1000;
/** Ids that are remembered as gone; of one that is forgotten the key may come back from a master that was away for long, and goes again. */
const GONE_MAX = 1000;

/** What the file is called in its directory. */
export const KEY_FILE = "keys.json";

export interface Key {
  readonly id: string;
  readonly key: Buffer;
  /** Since when it may encrypt: an older key is needed for some time after. */
  readonly createdMs: number;
  /** Not enough masters have it yet: nothing is encrypted with it. */
  readonly waits: boolean;
}

export interface KeyRing {
  /** The newest first. */
  readonly keys: readonly Key[];
  /** Ids of keys that are needed no more; where they still are they go. */
  readonly gone: readonly string[];
}

export const NO_KEYS: KeyRing = { keys: [], gone: [] };

/** What either has. A key waits only while nobody knows that enough masters have it. The one that encrypts stays, whoever says that it is gone. */
export function merged(one: KeyRing, other: KeyRing): KeyRing {
  const gone = [...new Set([...one.gone, ...other.gone])].sort().slice(-GONE_MAX);
  const byId = new Map<string, Key>();
  for (const key of [...one.keys, ...other.keys]) {
    const known = byId.get(key.id);
    byId.set(key.id, known === undefined ? key : settledOf(known, key));
  }
  const all = [...byId.values()].sort(newerFirst);
  const encrypts = all.find(({ waits }) => !waits);
  return { keys: all.filter((key) => key === encrypts || !gone.includes(key.id)), gone };
}

/** Of two copies of one key. */
function settledOf(one: Key, other: Key): Key {
  if (one.waits !== other.waits) return one.waits ? other : one;
  return one.createdMs >= other.createdMs ? one : other;
}

const newerFirst = (a: Key, b: Key): number => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1);

/** Undefined: these are no keys. */
export function ringOf(written: unknown): KeyRing | undefined {
  const { keys, gone = [] } = (written ?? {}) as { readonly keys?: unknown; readonly gone?: unknown };
  if (!Array.isArray(keys) || !Array.isArray(gone) || keys.length > KEYS_MAX || gone.length > GONE_MAX) return undefined;
  if (!gone.every((id) => typeof id === "string" && ID.test(id))) return undefined;
  const read = keys.flatMap((each) => keyOf(each) ?? []);
  return read.length === keys.length ? { keys: read, gone } : undefined;
}

function keyOf(written: unknown): Key | undefined {
  const { id, key: text, createdMs, waits = false } = (written ?? {}) as Partial<Record<keyof Key, unknown>>;
  if (typeof id !== "string" || typeof text !== "string" || !ID.test(id) || !Number.isFinite(createdMs)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES ? { id, key, createdMs: createdMs as number, waits: waits === true } : undefined;
}

/** As JSON has it. */
export const plainRing = ({ keys, gone }: KeyRing): object => ({
  keys: keys.map(({ id, key, createdMs, waits }) => ({ id, key: key.toString("base64"), createdMs, ...(waits ? { waits } : {}) })),
  ...(gone.length === 0 ? {} : { gone }),
});

/** Empty when there is no file. One that others can read, or that nobody can understand, is not used. */
export function readRing(directory: string): KeyRing {
  const path = join(directory, KEY_FILE);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return NO_KEYS;
  if ((found.mode & 0o077) !== 0)
    throw new DataError(
      "The key of the cell's secrets can be read by others",
      `run: chmod 600 '${path}', and borg secret rotate-key when it is up`,
    );
  try {
    const ring = ringOf(JSON.parse(readFileSync(path, "utf8")));
    if (ring === undefined || ring.keys.length === 0) throw new Error("It is no key");
    return ring;
  } catch (cause) {
    throw new DataError(
      "Cannot understand the key of the cell's secrets",
      `put the file "secrets/${KEY_FILE}" of the cell back from where you kept it`,
      { cause },
    );
  }
}

/** Whether a key is there that this master could lead with. */
export function hasKeys(directory: string): boolean {
  try {
    return readRing(directory).keys.length > 0;
  } catch {
    return false;
  }
}

/** Says at once, in words, what would keep a master from starting. */
export const checkKeys = (directory: string): void => void readRing(directory);

export const writeRing = (directory: string, ring: KeyRing): void => writeWhole(join(directory, KEY_FILE), plainRing(ring));

/** On the disk, whole, for its owner alone, when this returns. */
export function writeWhole(path: string, value: object): void {
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  const directory = openSync(dirname(path), "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
