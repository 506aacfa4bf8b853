/**
 * Where a cell's directory is, so that one that was moved or copied is told from the one it was. On this machine a cell's tasks, control groups and task
 * directories are known by a name that is kept in the directory: it goes along when the directory is moved, and a copy may not use it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { KEPT_NAME } from "../borglet/kept-file.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { DataError } from "./data-error.ts";

export interface Site {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  /** Of the machine; empty where it has none. */
  readonly machine: string;
}

/** What is written down when a cell is started. */
export interface SiteFile extends Site {
  /** What its tasks are known by on this machine: drawn when the cell was made; of older cells the path that they had. */
  readonly name: string;
}

/** `here`: as it was. `moved`: the same directory under another path. `copied`: the one it was made from is still there. `elsewhere`: nobody can tell. */
export type Whereabouts = "here" | "moved" | "copied" | "elsewhere";

const FILE = "place.json";

export function whereabouts(was: Site, is: Site, at: (path: string) => Pick<Site, "device" | "inode"> | undefined): Whereabouts {
  if (was.machine !== is.machine) return "elsewhere";
  // After a restart of the machine a file system may have another number.
  if (was.inode === is.inode && was.path === is.path) return "here";
  if (was.inode === is.inode && was.device === is.device) return "moved";
  const there = at(was.path);
  return there !== undefined && there.inode === was.inode && there.device === was.device ? "copied" : "elsewhere";
}

/** Undefined: it was never started by a build that writes it down. */
const readSite = (data: DataDirectory): SiteFile | undefined => data.readJson<SiteFile>(FILE);

/** Refuses a copy, and what may be one. Who only wants to stop a cell asks this: what is written in a copy is about the processes of another. */
export function refuseStrange(data: DataDirectory, adopt: boolean): void {
  const was = readSite(data);
  const found = was === undefined ? "here" : whereabouts(was, siteOf(data.path), inodeAt);
  if (was === undefined || found === "here" || found === "moved") return;
  if (found === "copied")
    throw new DataError(
      `"${data.path}" is a copy of the cell in "${was.path}", whose tasks and user ids it would take for its own`,
      `make it a cell of its own: borg backup FILE --data '${data.path}', then borg restore FILE --data with an empty directory`,
    );
  if (adopt) return;
  const where = was.machine === machineId() ? `was in "${was.path}"` : "was on another machine";
  throw new DataError(
    `The cell in "${data.path}" ${where}, and whether it still runs there cannot be seen from here`,
    "borg up --adopt takes it over, if it does not",
  );
}

/** Before anything of the cell is started: the name under which this machine knows it. Whoever calls holds the directory's lock. */
export function takeSite(data: DataDirectory, cell: Pick<CellFile, "id">, adopt: boolean): void {
  refuseStrange(data, adopt);
  const name = readSite(data)?.name ?? (hasRun(data) ? data.path : cell.id);
  const site: SiteFile = { ...siteOf(data.path), name };
  data.write(FILE, `${JSON.stringify(site, null, 2)}\n`);
}

/** What this machine knows the cell by; one that no `borg up` has started has its path. */
export const nameOn = (data: DataDirectory): string => readSite(data)?.name ?? data.path;

/** Whether a borglet of it ran before its site was written down: its tasks carry the path then. */
function hasRun(data: DataDirectory): boolean {
  const machines = join(data.path, "machines");
  return existsSync(machines) && readdirSync(machines).some((machine) => existsSync(join(machines, machine, KEPT_NAME)));
}

function siteOf(path: string): Site {
  const { ino, dev } = statSync(path);
  return { path, device: dev, inode: ino, machine: machineId() };
}

function inodeAt(path: string): Pick<Site, "device" | "inode"> | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { device: found.dev, inode: found.ino };
}

function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
