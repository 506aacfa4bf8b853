/**
 * A backup of a cell from its directory, while it runs or not: the state at one position, built from its journal without touching it, and its keys. The state must
 * have the hash that the running cell says it has there.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, refused } from "../base/result.ts";
import { applyEntry, newState } from "../cell/cell.ts";
import { encodeCheckpoint } from "../cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../cell/checkpoint/decode.ts";
import { decodeEntry } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { newNativeSha256 } from "../shell/native-sha256.ts";
import { FilesDisk } from "../store/files.ts";
import { lookInto } from "../store/log/look.ts";
import { Log } from "../store/log.ts";
import type { Backup } from "./backup-file.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { DataError } from "./data-error.ts";

/** How far the journal goes, as somebody knows who may: the master that leads, or who has the cell to himself. */
export interface End {
  readonly position: number;
  readonly term: number;
  /** Of the state there; undefined: nobody said. */
  readonly hash: string | undefined;
}

/** Rotation may take a file away while it is read. */
const TRIES_MAX = 3;

export function takeBackup(data: DataDirectory, cell: CellFile, end: End, nowMs: number): Backup {
  const state = stateAt(data, cell, end.position);
  const { bytes, hash } = encodeCheckpoint(state, newNativeSha256);
  if (end.hash !== undefined && end.hash !== hash)
    throw new DataError(
      `The journal in "${data.path}" makes another state than the cell has at position ${end.position}`,
      "look for damage: stop the cell and start it again, and take the backup then",
    );
  return { cell, position: end.position, term: end.term, hash, takenMs: nowMs, keys: keysIn(data), checkpoint: bytes };
}

/** Of a cell that is down; whoever calls holds its journal's lock. Opening mends what a power cut left. */
export function endOfJournal(data: DataDirectory, cell: CellFile): End {
  if (!data.hasJournal) throw new DataError(`Cell "${cell.cell}" has no journal yet`, "start it first: borg up");
  const disk = new FilesDisk(data.journal);
  try {
    const log = Log.open(disk, { cell: cell.cell, wall: Date.now });
    return { position: log.last, term: log.term, hash: undefined };
  } finally {
    disk.close();
  }
}

function stateAt(data: DataDirectory, cell: CellFile, position: number): CellState {
  let reason = "";
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const disk = new FilesDisk(data.journal);
    try {
      const built = build(disk, cell.cell, position);
      if (built.ok) return built.value;
      reason = built.reason;
    } finally {
      disk.close();
    }
  }
  throw new DataError(`Cannot read the journal in "${data.path}": ${reason}`, "try again; if it stays so, borg up says what is damaged");
}

function build(disk: FilesDisk, cell: string, position: number): Result<CellState> {
  let state = newState();
  const read = lookInto(disk, cell, position, {
    snapshot: ({ payload }) => {
      const decoded = decodeCheckpoint(payload, newNativeSha256);
      if (decoded.ok) state = decoded.value;
      return decoded.ok ? ok(undefined) : decoded;
    },
    entry: ({ position: at, payload }) => {
      const entry = decodeEntry(payload);
      if (entry.ok) applyEntry(state, at, entry.value);
      return entry.ok ? ok(undefined) : entry;
    },
  });
  if (!read.ok) return read;
  return state.position === position ? ok(state) : refused(`it ends at position ${state.position}, not at ${position}`);
}

/** Its authority's, its master's and its machines'. */
export function keysIn(data: DataDirectory): Readonly<Record<string, string>> {
  const folders = ["master", ...foldersIn(join(data.path, "machines")).map((name) => join("machines", name))];
  const names = folders.flatMap((folder) => filesIn(join(data.path, folder)).map((name) => join(folder, name)));
  return Object.fromEntries(names.filter((name) => /\.(key|pem)$/.test(name)).map((name) => [name, data.read(name) ?? ""]));
}

const foldersIn = (path: string): readonly string[] =>
  existsSync(path) ? readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])) : [];

const filesIn = (path: string): readonly string[] =>
  existsSync(path) ? readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])) : [];
