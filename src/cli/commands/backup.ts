/** `borg backup` and `borg restore`: a cell of this machine as one file, and back. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { type End, endOfJournal, takeBackup } from "../../daemon/backup.ts";
import { type Backup, decodeBackup, encodeBackup } from "../../daemon/backup-file.ts";
import { type CellFile, DataDirectory } from "../../daemon/data.ts";
import { type Restored, restoreBackup } from "../../daemon/restore.ts";
import { addressOf } from "../address.ts";
import { ownCell, stateDirectory } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { codeOf } from "../private-file.ts";
import { bytesText, clockText, iso, plural } from "../text/units.ts";

export interface BackupOptions {
  readonly data?: string;
  readonly cell?: string;
}

export interface RestoreOptions extends BackupOptions {
  readonly stopUnknown?: boolean;
  readonly address?: string;
}

/** A larger file is no backup of a cell: its state alone is bounded far below. */
const FILE_BYTES_MAX = 2 * 2 ** 30;

export async function backup(context: Context, file: string, options: BackupOptions): Promise<number> {
  const { terminal } = context;
  const path = resolve(terminal.cwd, options.data ?? ownCell(options.cell, terminal.env).data);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  const cell = data?.readCell();
  if (data === undefined || cell === undefined)
    throw new Failure("notFound", `There is no cell in "${path}"`, "a backup is taken where the cell's directory is; name it with --data");
  const alone = cell.replicas === undefined ? ofStopped(data, cell, terminal.now()) : undefined;
  const taken = alone ?? (await ofRunning(context, data, cell));
  const to = resolve(terminal.cwd, file);
  const bytes = encodeBackup(taken);
  writeNew(to, bytes);
  const { position, hash } = taken;
  context.tell(
    `Cell ${cell.cell} at position ${position} is in ${file} (${bytesText(bytes.length)}). It holds the cell's keys: keep it as you keep them. It names packages, but does not hold their bytes: push them again after a restore`,
    { cell: cell.cell, file: to, position, hash, bytes: bytes.length },
  );
  return EXIT.done;
}

/** The master says how far everything acknowledged goes, and which state that is; the files say the rest. */
async function ofRunning(context: Context, data: DataDirectory, cell: CellFile): Promise<Backup> {
  const client = await context.reach({ kind: "unix", path: data.socket("api") }, undefined);
  try {
    const { term } = await context.askOf(client, (master) => master.getMaster({}));
    const { position, hash } = await context.askOf(client, (master) => master.getCell({ hash: true }));
    const end: End = { position, term, hash };
    if (cell.replicas === undefined) return takeBackup(data, cell, end, context.terminal.now());
    return await (await import("../../daemon/replicated-backup.ts")).takeReplicatedBackup(data, cell, end, context.terminal.now());
  } finally {
    client.close?.();
  }
}

/** Undefined: somebody runs it. Nobody can start it meanwhile. */
function ofStopped(data: DataDirectory, cell: CellFile, nowMs: number): Backup | undefined {
  const lock = data.lock();
  const journal = lock === undefined ? undefined : data.lockJournal();
  try {
    return journal === undefined ? undefined : takeBackup(data, cell, endOfJournal(data, cell), nowMs);
  } finally {
    journal?.release();
    lock?.release();
  }
}

/** Only its owner can read it, and nothing that is there is written over. */
function writeNew(file: string, bytes: Uint8Array): void {
  let fd: number;
  try {
    fd = openSync(file, "wx", 0o600);
  } catch (cause) {
    const why = codeOf(cause) === "EEXIST" ? "it is there already" : codeOf(cause);
    throw new Failure("usage", `Cannot write "${file}": ${why}`, "name another file", { cause });
  }
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } catch (cause) {
    rmSync(file, { force: true });
    throw new Failure("usage", `Cannot write "${file}": ${codeOf(cause)}`, "is there room?", { cause });
  } finally {
    closeSync(fd);
  }
}

export async function restore(context: Context, file: string, options: RestoreOptions): Promise<number> {
  const { terminal } = context;
  const found = readBackup(resolve(terminal.cwd, file), file);
  const name = found.cell.cell;
  const path = options.data === undefined ? stateDirectory(name, terminal.env) : resolve(terminal.cwd, options.data);
  const data = new DataDirectory(path);
  const lock = data.lock();
  if (lock === undefined) throw new Failure("refused", `A cell is up in "${data.path}"`, "choose an empty directory with --data");
  try {
    const { position, hash, unknown } = await restored(data, found, options);
    const stops = unknown.length === 0 ? "" : `; ${plural(unknown.length, "instance")} that it does not know will be stopped`;
    context.tell(
      `Cell ${name} is in ${data.path} as it was at ${clockText(found.takenMs)}, position ${position}${stops}. Start it: borg up --data ${data.path}`,
      { cell: name, data: data.path, position, hash, taken: iso(found.takenMs), stopped: unknown },
    );
  } finally {
    lock.release();
  }
  return EXIT.done;
}

/** Of several machines this is the first again, and the others join anew. */
async function restored(data: DataDirectory, found: Backup, options: RestoreOptions): Promise<Restored> {
  const { spread, replicas, cell } = found.cell;
  if (spread === undefined && options.address !== undefined)
    throw new Failure("usage", `Cell "${cell}" is on one machine`, "leave --address out");
  if (spread !== undefined && options.address === undefined)
    throw new Failure("usage", `Cell "${cell}" is on several machines`, "name the address of this one, as in --address 10.0.0.1");
  const mayStop = options.stopUnknown === true;
  if (replicas === undefined) return restoreBackup(data, found, mayStop);
  const address = options.address === undefined ? undefined : addressOf(options.address);
  return (await import("../../daemon/replicated-backup.ts")).restoreReplicated(data, found, address, mayStop);
}

function readBackup(path: string, name: string): Backup {
  try {
    const { size, mode } = statSync(path);
    if (size > FILE_BYTES_MAX) throw new Failure("usage", `"${name}" is no backup of a cell: it is too large`);
    if ((mode & 0o077) !== 0)
      throw new Failure("notPermitted", `Others can read "${name}", and it holds the keys of a cell`, `run: chmod 600 '${path}'`);
    return decodeBackup(readFileSync(path), name);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR")
      throw new Failure("usage", `Cannot read "${name}": ${code}`, undefined, { cause });
    throw cause;
  }
}
