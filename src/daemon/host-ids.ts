/**
 * Which user ids of this host belong to which cell. Under root every cell has a range of its own: the first is its master's, the rest are its tasks'. What was
 * given is written down in one table for the whole host before it is used, so that two cells never share a user.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../store/files/lock.ts";

export interface IdRange {
  readonly first: number;
  readonly last: number;
}

const DIRECTORY = "/var/lib/openborg";
/** In one range. */
export const IDS_PER_CELL = 4096;
/** Above what distributions, dynamic users and containers take, below the largest. */
const FIRST = 1_900_000_000;
const LAST = 1_999_999_999;
/** In a container that maps few ids these have to do. */
const SMALL_FIRST = 45_056;
const SMALL_LAST = 65_535;
const LOCK_TRIES_MAX = 200;
const LOCK_WAIT_MS = 25;

interface Row {
  readonly first: number;
  /** Where the cell was last: a row whose cell is gone can be given again. */
  readonly path: string;
}

type Table = Readonly<Record<string, Row>>;

/** `uidMap`: what /proc/self/uid_map says. */
export function idsOf(cell: string, path: string, directory = DIRECTORY, uidMap = readFileSync("/proc/self/uid_map", "utf8")): IdRange {
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  return whileLocked(join(directory, "ids.lock"), () => {
    const file = join(directory, "ids.json");
    const table = readTable(file);
    const first = table[cell]?.first ?? freeRange(table, isMapped(uidMap, FIRST, LAST) ? [FIRST, LAST] : [SMALL_FIRST, SMALL_LAST]);
    const others = Object.entries(table).filter(([, row]) => row.first !== first);
    writeTable(file, { ...Object.fromEntries(others), [cell]: { first, path } });
    return { first, last: first + IDS_PER_CELL - 1 };
  });
}

/** `x.y` of 127.x.y.53: as many as fit, and not the first ones, which people and programs choose by hand. */
const ADDRESS_X_FIRST = 16;
const ADDRESS_X_FEW = 240;
const ADDRESS_Y_COUNT = 250;

/** Where the tasks of a cell ask for names: no two cells of a host have one, because no two have the same ids. */
export function namesAddressOf({ first }: IdRange): string {
  const isFew = first < FIRST;
  const number = (first - (isFew ? SMALL_FIRST : FIRST)) / IDS_PER_CELL;
  const x = (isFew ? ADDRESS_X_FEW : ADDRESS_X_FIRST) + Math.floor(number / ADDRESS_Y_COUNT);
  return `127.${x}.${(number % ADDRESS_Y_COUNT) + 1}.53`;
}

function freeRange(table: Table, [least, most]: readonly [number, number]): number {
  const rows = Object.values(table);
  const taken = new Set(rows.map(({ first }) => first));
  for (let first = least; first + IDS_PER_CELL - 1 <= most; first += IDS_PER_CELL) if (!taken.has(first)) return first;
  const gone = rows.find(({ first, path }) => first >= least && first <= most && !existsSync(path));
  if (gone !== undefined) return gone.first;
  throw new Error(`Cannot give the cell user ids: ${rows.length} cells have all of this host's`);
}

/** Each line: the first id inside, the first outside, how many. */
function isMapped(uidMap: string, first: number, last: number): boolean {
  return uidMap
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([inside = 0, , count = 0]) => inside <= first && last < inside + count);
}

function readTable(file: string): Table {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Table;
  } catch (cause) {
    throw new Error(`Cannot understand "${file}": it says which user ids belong to which cell; put back what it was`, { cause });
  }
}

function writeTable(file: string, table: Table): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(table, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function whileLocked<T>(path: string, work: () => T): T {
  for (let tries = 0; tries < LOCK_TRIES_MAX; tries++) {
    const lock = lockFile(path);
    if (lock === undefined) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
      continue;
    }
    try {
      return work();
    } finally {
      lock.release();
    }
  }
  throw new Error(`Cannot use "${path}": another process holds it for long`);
}
