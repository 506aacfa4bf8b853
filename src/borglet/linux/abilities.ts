/**
 * What this host lets a borglet do, found out by trying it: bubblewrap with the very rights that a task will have, control groups by
 * making one. It installs and changes nothing. What is missing is told with the package that would bring it.
 */
import { type StdioOptions, spawnSync } from "node:child_process";
import { accessSync, chmodSync, closeSync, constants, mkdirSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { arch, release, tmpdir, type } from "node:os";
import { join } from "node:path";
import { IMAGES_ABLE } from "../../wire/spec-defaults.ts";
import { type CgroupHost, findCgroups } from "./cgroup-host.ts";
import { findHelpers, type Helpers, HOST_WORDS } from "./helpers.ts";
import { jailArguments } from "./jail.ts";
import { removeOwn } from "./remove.ts";
import { filterPath } from "./seccomp/path.ts";
import { SHIM_ENVIRONMENT } from "./shim.ts";
import { UID_RANGE } from "./uids.ts";

export interface Missing {
  readonly what: string;
  /** What would bring it. */
  readonly cure: string;
}

export interface Abilities {
  readonly jail: "bubblewrap" | "none";
  readonly cgroup: "v2" | "v1" | "none";
  readonly user: "root" | "plain";
  readonly bubblewrap: string;
  /** Jails without user namespaces inside. */
  readonly closed: boolean;
  /** The file with the filter of system calls for jails; empty when there is none for this processor, or the kernel takes none. */
  readonly filter: string;
  /** Words before a task's command that take its rights away, without its user: see `dropRights`. */
  readonly setpriv: readonly string[];
  /** Holds a task to sizes that no control group counts; empty when it is not there. */
  readonly prlimit: string;
  /** The way into a task's namespaces; empty when it is not there. */
  readonly nsenter: string;
  /** The programs that begin a task whose root is an image; undefined: no task here can have one. */
  readonly helpers: Helpers | undefined;
  readonly cgroups: CgroupHost | undefined;
  readonly missing: readonly Missing[];
  /** One line for people. */
  readonly summary: string;
}

export interface AbilityOptions {
  /** Do as if these were not there. */
  readonly without?: readonly ("bubblewrap" | "cgroups")[];
}

const TRY_MS = 10_000;
const NO_RIGHTS = ["--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"] as const;

/** As root a task gets a user of its own; tasks never run as root. `groups`: those of its alloc and its volumes, beside its own. */
export const dropRights = (
  abilities: Pick<Abilities, "user" | "setpriv">,
  uid: number | undefined,
  groups: readonly number[] = [],
): string[] =>
  uid === undefined
    ? [...abilities.setpriv]
    : [...abilities.setpriv, `--reuid=${uid}`, `--regid=${uid}`, groups.length === 0 ? "--clear-groups" : `--groups=${groups.join(",")}`];

export function findAbilities(options: AbilityOptions = {}): Abilities {
  const without = options.without ?? [];
  const user = process.getuid?.() === 0 ? "root" : "plain";
  const setpriv = findSetpriv(user);
  const missing: Missing[] = [];
  if (setpriv.length === 0) missing.push({ what: "setpriv", cure: "package util-linux" });
  const prlimit = findProgram("prlimit");
  if (prlimit === "") missing.push({ what: "prlimit", cure: "package util-linux" });
  const nsenter = findProgram("nsenter");
  if (findProgram("setsid") === "") missing.push({ what: "setsid", cure: "package util-linux" });
  const bubblewrap = without.includes("bubblewrap") ? "" : findProgram("bwrap");
  const drop = dropRights({ user, setpriv }, user === "root" ? UID_RANGE.first : undefined);
  const bare = { closed: false, filter: "", helpers: undefined };
  const closed = bubblewrap !== "" && tryJail(bubblewrap, drop, { ...bare, closed: true }) === "";
  const problem = closed ? "" : bubblewrap === "" ? "not installed" : tryJail(bubblewrap, drop, bare);
  const filter = problem === "" ? findFilter((path) => tryJail(bubblewrap, drop, { ...bare, closed, filter: path }) === "") : "";
  if (problem !== "") missing.push({ what: "bubblewrap", cure: bubblewrap === "" ? "package bubblewrap" : `user namespaces (${problem})` });
  if (problem === "" && !closed) missing.push({ what: "a closed jail", cure: "bubblewrap 0.8 or newer" });
  if (problem === "" && filter === "") missing.push({ what: "a filter of system calls", cure: "a kernel with seccomp, on x64 or arm64" });
  const found = problem === "" ? findHelpers(findProgram) : undefined;
  const helpers = found !== undefined && tryJail(bubblewrap, drop, { closed, filter, helpers: found }) === "" ? found : undefined;
  if (problem === "" && helpers === undefined) missing.push({ what: "images", cure: "sh and env with libraries that can be found" });
  const cgroups = without.includes("cgroups") ? undefined : findCgroups();
  if (cgroups === undefined)
    missing.push({ what: "cgroups", cure: user === "root" ? "a writable /sys/fs/cgroup" : "root, or a delegated cgroup" });
  const jail = problem === "" ? "bubblewrap" : "none";
  const cgroup = cgroups === undefined ? "none" : cgroups.version === 2 ? "v2" : "v1";
  const all: Omit<Abilities, "summary"> = {
    jail,
    cgroup,
    user,
    bubblewrap,
    closed,
    filter,
    setpriv,
    prlimit,
    nsenter,
    helpers,
    cgroups,
    missing,
  };
  return { ...all, summary: summaryOf(all) };
}

/** What `borg show MACHINE` shows, and what constraints can ask for. `names`: tasks find the cell's names by DNS. */
export function attributesOf(abilities: Abilities, names = false): { readonly key: string; readonly value: string }[] {
  const { jail, cgroup, user, helpers, missing } = abilities;
  const pairs = {
    arch: arch(),
    cgroup,
    [IMAGES_ABLE.attribute]: helpers === undefined ? "no" : IMAGES_ABLE.value,
    jail,
    kernel: release(),
    missing: missing.map(({ what }) => what).join(", "),
    names: names ? "yes" : "no",
    os: type().toLowerCase(),
    user,
  };
  return Object.entries(pairs).map(([key, value]) => ({ key, value: value.slice(0, 253) }));
}

function summaryOf({ jail, cgroup, user, missing }: Omit<Abilities, "summary">): string {
  const runs = user === "root" ? "each job under a user of its own" : "tasks under your user";
  const bare =
    user === "root"
      ? "as plain processes that see each other, but no files of other jobs"
      : "as plain processes that see each other's files";
  const walls = jail === "bubblewrap" ? "in bubblewrap jails" : bare;
  const limits = cgroup === "none" ? "memory looked at after the fact" : `limits by cgroup ${cgroup}`;
  const cures = missing.map(({ what, cure }) => `${what}: ${cure}`).join("; ");
  return `Tasks run ${walls}, ${runs}, ${limits}${cures === "" ? "" : ` (missing ${cures})`}`;
}

/** Some containers forbid to change the bounding set; then the rest must do. */
function findSetpriv(user: "root" | "plain"): string[] {
  const program = findProgram("setpriv");
  if (program === "") return [];
  const uid = user === "root" ? [`--reuid=${UID_RANGE.first}`, `--regid=${UID_RANGE.first}`, "--clear-groups"] : [];
  for (const flags of [NO_RIGHTS, NO_RIGHTS.slice(0, 3), NO_RIGHTS.slice(0, 1)]) {
    if (runs([program, ...flags, ...uid, "/bin/true"]) === "") return [program, ...flags];
  }
  return [];
}

function findFilter(works: (path: string) => boolean): string {
  const processor = arch();
  if (processor !== "x64" && processor !== "arm64") return "";
  const path = filterPath(processor);
  return works(path) ? path : "";
}

type Walls = Pick<Abilities, "closed" | "filter" | "helpers">;

/** With helpers: an image in which there is nothing. */
function tryJail(bubblewrap: string, drop: readonly string[], { closed, filter, helpers }: Walls): string {
  const directory = mkdtempSync(join(tmpdir(), "openborg-probe-"));
  const launch = join(directory, "launch");
  try {
    const root = join(directory, "root");
    mkdirSync(root, { mode: 0o755 });
    writeFileSync(launch, "exit 0\n");
    // Whatever our umask is, the jail's user has to read it: else there seems to be no jail.
    chmodSync(launch, 0o644);
    chmodSync(directory, 0o755);
    const place = {
      home: directory,
      temporary: directory,
      nodeDirectory: directory,
      launch,
      files: [],
      packages: [],
      image: helpers === undefined ? undefined : { root, helpers: helpers.files },
      closed,
      filtered: filter !== "",
    };
    return runs([...drop, ...jailArguments({ bubblewrap, ...place }), ...(helpers?.words ?? HOST_WORDS).sh, "/borg/launch"], filter);
  } finally {
    removeOwn(directory);
  }
}

/** Empty: it ran well; else its last words. */
function runs(command: readonly string[], filter = ""): string {
  const [program = "", ...words] = command;
  const opened = filter === "" ? [] : [openSync(filter, "r")];
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", ...opened];
  const done = spawnSync(program, words, { env: SHIM_ENVIRONMENT, encoding: "utf8", timeout: TRY_MS, stdio });
  for (const descriptor of opened) closeSync(descriptor);
  if (done.status === 0) return "";
  const said = done.stderr?.trim().split("\n").at(-1) ?? "";
  return said || done.error?.message || `exit code ${done.status}`;
}

function findProgram(name: string): string {
  for (const directory of SHIM_ENVIRONMENT["PATH"]!.split(":")) {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return join(directory, name);
    } catch {
      // The next directory may have it.
    }
  }
  return "";
}
