/**
 * The jail of one question, made by bubblewrap: DuckDB and Node read-only, no network, no /etc, nothing to write but a little memory, and of the history only the
 * folders that whoever asks may see. Where there is no bubblewrap there is no wall, and only the cell's owner and admins are answered.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, lstatSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where things are inside. */
export const INSIDE = { data: "/data", app: "/app", node: "/app/node", temporary: "/tmp" } as const;
const PROGRAM = "question-program.ts";
const LIBRARIES = ["/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64"] as const;
/** What the answer's one file and everything else in /tmp may take, of memory. */
const TEMPORARY_BYTES = 64 * 2 ** 20;
const TRY_MS = 20_000;

export interface Limits {
  readonly cpuSeconds: number;
  readonly dataBytes: number;
}

export interface Folder {
  readonly source: string;
  /** Below INSIDE.data. */
  readonly path: string;
}

/** What this host has to make jails with. */
export interface JailTools {
  readonly bubblewrap: string;
  readonly prlimit: string;
  /** No user namespaces inside. */
  readonly closed: boolean;
  readonly root: boolean;
}

export const programPath = (): string => join(dirname(fileURLToPath(import.meta.url)), PROGRAM);

/** The folder node_modules that DuckDB is in. */
function modulesDirectory(): string {
  const found = duckdbPath();
  if (found === undefined)
    throw new Error("DuckDB is not installed on the cell's machine, so there is no SQL: npm ci in the project's folder installs it");
  return found.slice(0, found.lastIndexOf("/node_modules/") + "/node_modules".length);
}

function duckdbPath(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve("@duckdb/node-api");
  } catch {
    return undefined;
  }
}

export function findProgram(name: string): string {
  for (const directory of (process.env["PATH"] ?? "").split(delimiter).concat("/usr/bin", "/bin")) {
    const path = join(directory, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  return "";
}

/** Undefined: no jail can be made here. Found out by making one. */
export function findJail(): JailTools | undefined {
  const [bubblewrap, prlimit] = [findProgram("bwrap"), findProgram("prlimit")];
  if (bubblewrap === "" || prlimit === "") return undefined;
  const root = process.getuid?.() === 0;
  for (const closed of [true, false]) {
    const tools = { bubblewrap, prlimit, closed, root };
    const words = jailWords(tools, [], { cpuSeconds: 10, dataBytes: 2 ** 32 });
    const [command = "", ...args] = [...words, INSIDE.node, "--version"];
    if (spawnSync(command, args, { timeout: TRY_MS, stdio: "ignore", env: {} }).status === 0) return tools;
    if (root) break;
  }
  return undefined;
}

/** Everything up to and without the command. Limits are set outside, so that nothing inside can raise them. */
export function jailWords(tools: JailTools, folders: readonly Folder[], limits: Limits): readonly string[] {
  const { bubblewrap, prlimit, closed, root } = tools;
  const modules = modulesDirectory();
  const bounds = [`--cpu=${limits.cpuSeconds}`, `--data=${limits.dataBytes}`, "--core=0", "--nofile=4096", "--msgqueue=0"];
  // Root keeps what it takes to become somebody else, and nothing more; that is gone before the question is read.
  const rights = root ? ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] : ["--unshare-user"];
  return [
    prlimit,
    ...bounds,
    bubblewrap,
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    ...rights,
    ...(closed && !root ? ["--disable-userns"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"],
    ...LIBRARIES.flatMap(bindAsIs),
    ...["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", String(TEMPORARY_BYTES), "--tmpfs", INSIDE.temporary],
    // Named one by one: what bubblewrap makes on its way to a file only its own user can enter.
    ...[
      INSIDE.app,
      `${INSIDE.app}/node_modules`,
      `${INSIDE.app}/src`,
      INSIDE.data,
      ...new Set(folders.map(({ path }) => join(INSIDE.data, dirname(path)))),
    ].flatMap((path) => ["--perms", "0755", "--dir", path]),
    ...["--ro-bind", process.execPath, INSIDE.node],
    ...["--ro-bind", join(modules, "@duckdb"), `${INSIDE.app}/node_modules/@duckdb`],
    ...["--ro-bind", programPath(), `${INSIDE.app}/src/${PROGRAM}`],
    ...folders.flatMap(({ source, path }) => ["--ro-bind", source, join(INSIDE.data, path)]),
    ...["--remount-ro", "/", "--chdir", "/", "--"],
  ];
}

export const PROGRAM_INSIDE = `${INSIDE.app}/src/${PROGRAM}`;

/** A link stays a link, a directory is bound, what is not there is not there. */
function bindAsIs(path: string): readonly string[] {
  try {
    return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  } catch {
    return [];
  }
}
