/** Which control groups this host has, where they are mounted, whether we may write there, and how use is read from them. */
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { GroupUse } from "./cgroup.ts";

export interface CgroupHost {
  readonly version: 1 | 2;
  /** Directories under which our parent is made: one, or one for each hierarchy. */
  readonly roots: readonly string[];
  rootOf(controller: string): string;
  /** Where the root is below the mount of the groups that the kernel's counters know; undefined: they know none of ours. */
  readonly counted?: string;
  /** Where a controller is that only some tasks need: perhaps in a hierarchy of its own. Undefined: nowhere. */
  also(controller: Also): string | undefined;
  /** `last`: what was read before, which stands for the working set as long as just as much is charged; undefined: all is read. */
  use(read: (controller: string, file: string) => string, last: Charged | undefined): Charged;
}

/** Use, and the memory that is charged for it, file pages too: as the kernel writes it. */
export interface Charged extends GroupUse {
  readonly charged: string;
}

export type Also = "cpuset" | "io";

interface Mount {
  readonly type: string;
  readonly path: string;
  readonly options: readonly string[];
}

/** The memory controller is what makes them worth having; the others are taken where they are. */
const V1_CONTROLLERS = ["memory", "cpu", "cpuacct", "pids", "freezer"] as const;
const V1_ALSO: Readonly<Record<Also, string>> = { cpuset: "cpuset", io: "blkio" };

/** Undefined: there are none, or none that we may write. */
export function findCgroups(mounts = "/proc/self/mounts", self = "/proc/self/cgroup"): CgroupHost | undefined {
  const all = parseMounts(readText(mounts));
  return version2(all, readText(self)) ?? version1(all);
}

/** At the top when we may, else below the group that we were given. */
function version2(mounts: readonly Mount[], self: string): CgroupHost | undefined {
  const mount = mounts.find(({ type }) => type === "cgroup2");
  if (mount === undefined) return undefined;
  const own = /^0::(.*)$/m.exec(self)?.[1] ?? "/";
  for (const root of [mount.path, join(mount.path, own)]) {
    const controllers = readText(join(root, "cgroup.controllers")).split(/\s+/);
    if (!controllers.includes("memory") || !controllers.includes("cpu") || !mayMake(root, true)) continue;
    const also = (controller: Also): string | undefined => (controllers.includes(controller) ? root : undefined);
    return { version: 2, roots: [root], rootOf: () => root, counted: relative(mount.path, root), also, use: useOfVersion2 };
  }
  return undefined;
}

function version1(mounts: readonly Mount[]): CgroupHost | undefined {
  const byController = new Map<string, string>();
  const find = (controller: string): string | undefined => {
    const mount = mounts.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    return mount !== undefined && mayMake(mount.path, false) ? mount.path : undefined;
  };
  for (const controller of V1_CONTROLLERS) {
    const path = find(controller);
    if (path !== undefined) byController.set(controller, path);
  }
  if (!byController.has("memory")) return undefined;
  const roots = [...new Set(byController.values())];
  const [cpuset, io] = [find(V1_ALSO.cpuset), find(V1_ALSO.io)];
  const also = (controller: Also): string | undefined => (controller === "cpuset" ? cpuset : io);
  return { version: 1, roots, rootOf: (controller) => byController.get(controller) ?? roots[0]!, also, use: useOfVersion1 };
}

/** Working set: what is in memory without file pages that nobody used for a while. */
const useOfVersion2: CgroupHost["use"] = (read, last) => ({
  cpuNs: Number(/^usage_usec (\d+)$/m.exec(read("cpu", "cpu.stat"))?.[1] ?? 0) * 1000,
  ...workingSet(read("memory", "memory.current"), () => read("memory", "memory.stat"), /^inactive_file (\d+)$/m, last),
});

const useOfVersion1: CgroupHost["use"] = (read, last) => ({
  cpuNs: Number(read("cpuacct", "cpuacct.usage")),
  ...workingSet(read("memory", "memory.usage_in_bytes"), () => read("memory", "memory.stat"), /^total_inactive_file (\d+)$/m, last),
});

/** The kernel counts long for its statistics, so they are read only when something changed. */
function workingSet(charged: string, stat: () => string, inactive: RegExp, last: Charged | undefined): Omit<Charged, "cpuNs"> {
  if (charged === last?.charged) return { charged, ramBytes: last.ramBytes };
  return { charged, ramBytes: Math.max(0, Number(charged) - Number(inactive.exec(stat())?.[1] ?? 0)) };
}

/** Tries it: mode bits say little about control groups. */
function mayMake(root: string, delegate: boolean): boolean {
  const probe = join(root, `openborg-probe-${process.pid}`);
  try {
    if (delegate) accessSync(join(root, "cgroup.subtree_control"), constants.W_OK);
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
}

export function parseMounts(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, path, type, options] = line.split(" ");
    return path === undefined || type === undefined
      ? []
      : [{ type, path: path.replaceAll("\\040", " "), options: (options ?? "").split(",") }];
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
