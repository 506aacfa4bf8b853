/**
 * A task's jail, made by bubblewrap: the host's programs read-only, its own /tmp, /proc and /dev, its directory as the only place to write,
 * its own processes, names and message queues. The network is the host's, because ports are (Borg §2.3). It runs with the task's user,
 * never with more rights; this file only says what to mount where.
 */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGES_PLACE, SECRETS_PLACE, volumePath } from "../../wire/spec-defaults.ts";
import { imageBinds, imageFiles } from "./image.ts";
import type { GivenVolume } from "./volumes.ts";

/** Where things are inside. */
export const JAIL = {
  home: "/borg/task",
  temporary: "/tmp",
  node: "/borg/node",
  launch: "/borg/launch",
  witness: "/borg/witness",
  alloc: "/borg/alloc",
  secrets: SECRETS_PLACE,
} as const;

/** Read-only from the host, as far as they are there. */
const SYSTEM = ["/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"] as const;
/** A directory of the host that gets one more file is put together anew, entry by entry; with more entries than this it is not. */
const ENTRIES_MAX = 5000;
const OTHERS_MAY_LIST = 0o005;
const RESOLV_CONF = "/etc/resolv.conf";
/** What the kernel tells there is of the whole machine, not of the task: keys of others, and where its own code and memory are. */
const MASKED = ["keys", "key-users", "kcore", "kallsyms", "timer_list", "timer_stats", "sched_debug", "latency_stats"] as const;
const SHM_LEAST = 2 ** 20;
/** Nobody's files may be there. */
const TAKEN = ["/proc", "/dev", "/borg", "/sys"] as const;

export interface JailFile {
  /** Where it is on the host. */
  readonly source: string;
  /** Where the task finds it. */
  readonly path: string;
}

export interface JailOptions {
  readonly bubblewrap: string;
  readonly home: string;
  readonly temporary: string;
  readonly nodeDirectory: string;
  readonly launch: string;
  /** The program that waits for the task; absent: nobody does inside. */
  readonly witness?: string;
  /** What it shares with the other tasks of its alloc; empty: it is in none. */
  readonly shared?: string;
  /** Where its secrets are, in memory; empty: it has none. */
  readonly secrets?: string;
  readonly files: readonly JailFile[];
  /** Trees, read-only. */
  readonly packages: readonly JailFile[];
  readonly volumes?: readonly GivenVolume[];
  /** What it finds as /etc/resolv.conf; empty: the machine's own. */
  readonly resolver?: string;
  /** The files that are its root instead of the host's, and the programs that begin it then. */
  readonly image?: { readonly root: string; readonly helpers: readonly JailFile[] } | undefined;
  /** What its /dev/shm holds at most. A bubblewrap that cannot close a jail cannot bound it either. Absent: next to nothing. */
  readonly shmBytes?: number;
  /** Nobody inside can make a user namespace, and with it reach code of the kernel that is meant for root. Not every bubblewrap can. */
  readonly closed: boolean;
  /** The filter of system calls is open as `FILTER_DESCRIPTOR`. */
  readonly filtered: boolean;
}

/** Closed when the jail begins, so the task has none of it. */
export const FILTER_DESCRIPTOR = 3;

/** Everything up to and without the command. */
export function jailArguments(options: JailOptions): string[] {
  const { bubblewrap, home, temporary, nodeDirectory, launch, shared = "", secrets = "", files, packages, closed, filtered } = options;
  const { image, volumes = [], resolver = "", witness } = options;
  const unshare = [
    ...(closed ? ["--unshare-user", "--disable-userns"] : []),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
  ];
  const system = image === undefined ? [...SYSTEM.flatMap((path) => bindAsIs(path)), ...machineResolver()] : imageBinds(image.root);
  const empty = image === undefined ? ["--dir", "/run", "--dir", "/var/tmp"] : [];
  const shm = closed ? ["--size", String(options.shmBytes ?? SHM_LEAST), "--tmpfs", "/dev/shm"] : ["--tmpfs", "/dev/shm"];
  const devices = ["--dev", "/dev", ...shm, "--remount-ro", "/dev"];
  const own = ["--proc", "/proc", ...masks(), ...devices, "--bind", temporary, JAIL.temporary, ...empty];
  // The host's Node needs the host's libraries: an image brings its own, or none.
  const programs = image === undefined ? [{ source: nodeDirectory, path: JAIL.node }] : image.helpers;
  const begins = [{ source: launch, path: JAIL.launch }, ...(witness === undefined ? [] : [{ source: witness, path: JAIL.witness }])];
  const task = ["--bind", home, JAIL.home, ...readOnly([...programs, ...begins])];
  const alloc = shared === "" ? [] : ["--bind", shared, JAIL.alloc];
  const hidden = secrets === "" ? [] : ["--ro-bind", secrets, JAIL.secrets];
  const isOurs = (path: string): boolean => path.startsWith(`${PACKAGES_PLACE}/`);
  const trees = readOnly(packages.filter(({ path }) => isOurs(path)));
  const over = [...packages.filter(({ path }) => !isOurs(path)), ...files];
  const filter = filtered ? ["--seccomp", String(FILTER_DESCRIPTOR)] : [];
  const extra = ["--chdir", JAIL.home, "--remount-ro", "/", ...filter];
  return [
    bubblewrap,
    ...unshare,
    ...system,
    ...own,
    ...task,
    ...alloc,
    ...hidden,
    ...volumes.flatMap(({ name, source, readOnly }) => [readOnly ? "--ro-bind" : "--bind", source, volumePath(name)]),
    ...trees,
    ...(image === undefined ? filesAndResolver(over, resolver) : imageFiles(image.root, over, resolver)),
    ...extra,
    "--",
  ];
}

const masks = (): string[] =>
  MASKED.map((name) => `/proc/${name}`).flatMap((path) => (exists(path) ? ["--ro-bind", "/dev/null", path] : []));

const readOnly = (files: readonly JailFile[]): string[] => files.flatMap(({ source, path }) => ["--ro-bind", source, path]);

/** A link stays a link, a directory is bound, what is not there is not there. */
function bindAsIs(path: string): string[] {
  try {
    return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind-try", path, path];
  } catch {
    return [];
  }
}

/** Name resolution often lives behind a link that leads out of /etc. */
function machineResolver(): string[] {
  const path = resolverPath();
  return path === undefined || path.startsWith("/etc/") ? [] : ["--ro-bind-try", path, path];
}

function resolverPath(): string | undefined {
  try {
    return realpathSync(RESOLV_CONF);
  } catch {
    return undefined;
  }
}

/** The resolver's file comes last: a job's own file may have had /etc put together anew. A job that brings one itself has that. */
function filesAndResolver(files: readonly JailFile[], resolver: string): string[] {
  if (resolver === "" || files.some(({ path }) => path === RESOLV_CONF)) return jailFiles(files);
  const path = resolverPath();
  if (path === undefined) return jailFiles([...files, { source: resolver, path: RESOLV_CONF }]);
  return [...jailFiles(files), "--ro-bind", resolver, path];
}

function jailFiles(files: readonly JailFile[]): string[] {
  const out: string[] = [];
  const opened = new Set<string>();
  for (const { source, path } of files) {
    const taken = TAKEN.find((each) => path === each || path.startsWith(`${each}/`));
    if (taken !== undefined) throw new Error(`Cannot put a file at "${path}": "${taken}" is not the task's`);
    refuseUnreadable(path);
    const directory = hostDirectory(path);
    if (directory !== undefined && !opened.has(directory)) {
      opened.add(directory);
      out.push(...anew(directory));
    }
    out.push("--ro-bind", source, path);
  }
  return out;
}

/** The borglet may see more than the task: what a task could not list, the borglet neither lists for it nor looks into. */
function refuseUnreadable(path: string): void {
  if (process.getuid?.() !== 0) return;
  const parts = path.split("/");
  for (let depth = 2; depth < parts.length; depth++) {
    const directory = parts.slice(0, depth).join("/");
    const stat = statSync(directory, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory() && (stat.mode & OTHERS_MAY_LIST) !== OTHERS_MAY_LIST)
      throw new Error(`Cannot put a file at "${path}": not everybody may read "${directory}"`);
  }
}

/** The directory of the host, shown read-only, that would have to hold a new name for this path; undefined when none has to. */
function hostDirectory(path: string): string | undefined {
  if (!SYSTEM.some((each) => path.startsWith(`${each}/`)) || exists(path)) return undefined;
  let directory = dirname(path);
  while (!exists(directory)) directory = dirname(directory);
  return directory === "/" ? undefined : realpathSync(directory);
}

function anew(directory: string): string[] {
  const names = readdirSync(directory);
  if (names.length > ENTRIES_MAX) throw new Error(`Cannot put a file into "${directory}": it has more than ${ENTRIES_MAX} entries`);
  return ["--tmpfs", directory, ...names.flatMap((name) => bindAsIs(join(directory, name)))];
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
