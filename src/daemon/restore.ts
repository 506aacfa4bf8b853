/**
 * Puts a backup back: into an empty directory, or into one whose journal is gone while its machines are still there. The state is the backup's, at its position;
 * one op behind it lets terms and instance numbers go on above everything that a machine of this directory remembers. Instances that run and that the backup does
 * not know are named first, and nothing is written unless it was said that they may be stopped.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { incarnationOf } from "../base/id.ts";
import { isEnded, type Memory } from "../borglet/kept.ts";
import { keptMemory } from "../borglet/kept-file.ts";
import { decodeCheckpoint } from "../cell/checkpoint/decode.ts";
import { encodeEntry, makeEntry, masterOp, type Op } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { RESTORES } from "../cell/version.ts";
import { newNativeSha256 } from "../shell/native-sha256.ts";
import { FilesDisk } from "../store/files.ts";
import { Log } from "../store/log.ts";
import type { Backup } from "./backup-file.ts";
import { type DataDirectory, newCellId } from "./data.ts";
import { DataError } from "./data-error.ts";

export interface Restored {
  readonly position: number;
  readonly hash: string;
  /** The term that the next leader's is above. */
  readonly term: number;
  /** Instances that run here and that the cell does not know: it stops them when it is up. */
  readonly unknown: readonly string[];
}

/** Where the journal is made, until all of it is there. */
const UNFINISHED = "journal.restoring";

/** Whoever calls holds the directory's lock. */
export function restoreBackup(data: DataDirectory, backup: Backup, mayStop: boolean): Restored {
  const state = stateOf(backup);
  refuseOther(data, backup);
  const { unknown, ...above } = aboveOf(data, backup, state, mayStop);
  for (const [name, text] of Object.entries(backup.keys)) if (data.read(name) === undefined) data.write(name, text);
  makeJournal(data, backup, state, above);
  // Elsewhere it is a cell of its own on this machine, with user ids and task directories of its own.
  data.writeCell({ ...backup.cell, id: data.readCell()?.id ?? newCellId() });
  return { position: backup.position, hash: backup.hash, term: above.term, unknown };
}

/** What terms and instance numbers go on above. */
export interface Above {
  readonly term: number;
  readonly incarnations: number;
}

/** By what the machines of this directory remember. */
export function aboveOf(
  data: DataDirectory,
  backup: Backup,
  state: CellState,
  mayStop: boolean,
): Above & { readonly unknown: readonly string[] } {
  const memories = machinesIn(data).map((machine) => memoryOf(data, machine));
  const unknown = unknownIn(state, memories);
  if (unknown.length > 0 && !mayStop)
    throw new DataError(
      `${unknown.length} ${unknown.length === 1 ? "instance runs" : "instances run"} here that the backup does not know: ${listed(unknown)}`,
      "--stop-unknown restores all the same, and the cell stops them when it is up",
    );
  const term = Math.max(backup.term, ...memories.map((memory) => memory.term));
  const incarnations = Math.max(state.incarnations, ...memories.flatMap(incarnationsOf));
  return { term, incarnations, unknown };
}

export function stateOf({ checkpoint, position }: Backup): CellState {
  const decoded = decodeCheckpoint(checkpoint, newNativeSha256);
  if (!decoded.ok) throw new DataError(`Cannot read the backup: ${decoded.reason}`, "use another copy of it");
  if (decoded.value.position !== position)
    throw new DataError("Cannot read the backup: it is of another position than it says", "use another copy of it");
  return decoded.value;
}

const AUTHORITY = join("master", "authority.pem");

/** A journal that is there is never written over, and another cell's directory is not taken: a cell is known by its authority. */
export function refuseOther(data: DataDirectory, { cell, keys }: Backup): void {
  const [there, authority] = [data.readCell(), data.read(AUTHORITY)];
  if ((there !== undefined && there.cell !== cell.cell) || (authority !== undefined && authority !== keys[AUTHORITY]))
    throw new DataError(`"${data.path}" holds another cell, "${there?.cell}"`, "choose an empty directory with --data");
  const journal = join(data.path, "journal");
  if (data.hasJournal)
    throw new DataError(
      `"${data.path}" holds a journal, which a restore would forget`,
      `choose an empty directory with --data, or put the journal away first: mv '${journal}' '${journal}.old'`,
    );
}

function makeJournal(data: DataDirectory, backup: Backup, state: CellState, above: Above): void {
  const [unfinished, journal] = [join(data.path, UNFINISHED), join(data.path, "journal")];
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const disk = new FilesDisk(unfinished);
  try {
    const { position, checkpoint } = backup;
    const log = Log.beginBehind(disk, { cell: backup.cell.cell, wall: Date.now }, { position, payload: checkpoint }, above.term);
    const led = log.lead();
    if (!led.ok) throw new DataError(`Cannot write the journal: ${led.reason}`, "make room and try again");
    const entry = makeEntry(state.timeMs, restoringOps(state, above.incarnations));
    const { refusal } = log.append(led.value, position + 1, [encodeEntry(entry)]);
    if (refusal !== undefined) throw new DataError(`Cannot write the journal: ${refusal.reason}`, "make room and try again");
    log.mark();
  } finally {
    disk.close();
  }
  rmSync(journal, { recursive: true, force: true });
  renameSync(unfinished, journal);
  new FilesDisk(data.path).syncNames();
}

/** A cell of an older version learns to be restored first; this build is its only master now. */
export function restoringOps(state: CellState, incarnations: number): Op[] {
  const versions = Array.from({ length: Math.max(0, RESTORES - state.version) }, (_, i) =>
    masterOp({ case: "cellVersion", value: { version: state.version + 1 + i } }),
  );
  return [...versions, masterOp({ case: "cellRestored", value: { incarnations } })];
}

const machinesIn = (data: DataDirectory): readonly string[] => {
  const path = join(data.path, "machines");
  return existsSync(path) ? readdirSync(path) : [];
};

function memoryOf(data: DataDirectory, machine: string): Memory {
  const disk = new FilesDisk(data.machine(machine));
  try {
    return keptMemory(disk);
  } finally {
    disk.close();
  }
}

const incarnationsOf = ({ instances }: Memory): number[] => [...instances.keys()].map(incarnationOf);

function unknownIn(state: CellState, memories: readonly Memory[]): readonly string[] {
  const known = new Set<string>();
  for (const { tasks } of state.jobs.values()) for (const { instance } of tasks) if (instance !== undefined) known.add(instance.id);
  const alive = memories.flatMap(({ instances }) => [...instances].flatMap(([instance, kept]) => (isEnded(kept) ? [] : [instance])));
  return alive.filter((instance) => !known.has(instance)).sort();
}

const LISTED_MAX = 20;

const listed = (names: readonly string[]): string =>
  names.length <= LISTED_MAX ? names.join(", ") : `${names.slice(0, LISTED_MAX).join(", ")} and ${names.length - LISTED_MAX} more`;
