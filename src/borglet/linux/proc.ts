/** What /proc tells of processes. A pid alone names nobody: it comes with its start time, and a zombie counts as dead. */
import { readdirSync, readFileSync } from "node:fs";

/** One process of this boot. */
export interface ProcessId {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat, in ticks since boot; as text, because nobody calculates with it. */
  readonly start: string;
}

export interface ProcessStat extends ProcessId {
  readonly state: string;
  readonly ppid: number;
  readonly session: number;
  /** Of itself and of children it has waited for. */
  readonly cpuTicks: number;
}

/** Linux shows these to programs, whatever the kernel counts in. */
export const TICKS_PER_SECOND = 100;

export const bootId = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

export function readStat(pid: number): ProcessStat | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** The name in the second field may hold anything, also spaces and parentheses. */
export function parseStat(text: string): ProcessStat | undefined {
  const close = text.lastIndexOf(") ");
  if (close < 0) return undefined;
  const fields = text.slice(close + 2).split(" ");
  const at = (number: number): string => fields[number - 3] ?? "0";
  const cpuTicks = Number(at(14)) + Number(at(15)) + Number(at(16)) + Number(at(17));
  return { pid: Number.parseInt(text, 10), state: at(3), ppid: Number(at(4)), session: Number(at(6)), start: at(22), cpuTicks };
}

export const isDead = (stat: ProcessStat): boolean => stat.state === "Z" || stat.state === "X";

export function isAlive({ pid, start }: ProcessId): boolean {
  const stat = readStat(pid);
  return stat !== undefined && stat.start === start && !isDead(stat);
}

/** Everything that lives now, without zombies. */
export function readTable(): Map<number, ProcessStat> {
  const table = new Map<number, ProcessStat>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(pid) : undefined;
    if (stat !== undefined && !isDead(stat)) table.set(pid, stat);
  }
  return table;
}

/** Undefined when it is gone, or not ours to read. */
export const readEnvironment = (pid: number): string | undefined => readIfThere(`/proc/${pid}/environ`);

/** Memory that goes away with the process, and what it maps of files, in bytes. */
export function readMemory(pid: number): { readonly own: number; readonly files: number } {
  const text = readIfThere(`/proc/${pid}/status`) ?? "";
  const kib = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return { own: (kib("RssAnon") + kib("RssShmem")) * 1024, files: kib("RssFile") * 1024 };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
