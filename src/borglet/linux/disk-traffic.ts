/**
 * What tasks read from disks and wrote to them. A control group of version 2 counts it for all of a task, and a process takes over the counts of children that it waited for,
 * so the processes of a task together know it too. Version 1 has a count as well, but in it what the kernel writes later is nobody's, and that is most of what is written.
 * It is looked at ever less often: use of the processor and of memory is what decides about a task, and that is read every second.
 */
import { readdirSync } from "node:fs";
import type { DiskTraffic } from "../machine.ts";
import { readIfThere } from "./cgroup-files.ts";

const OFTEN_MS = 1000;
const SELDOM_MS = 30_000;
/** A task with more is not asked through its processes: what it was told to have moved stands meanwhile. */
const PIDS_MAX = 64;

/** One look at a task. */
export interface TrafficSource {
  /** By its control group; undefined: that does not tell. */
  readonly group: () => DiskTraffic | undefined;
  readonly pids: () => readonly number[];
}

interface Known {
  readonly sinceMs: number;
  nextMs: number;
  total: DiskTraffic | undefined;
  /** What its group counted last: one that was moved to another band is counted anew. */
  counted: DiskTraffic;
}

const NONE: DiskTraffic = { readBytes: 0, writtenBytes: 0 };

export class DiskTraffics {
  readonly #known = new Map<string, Known>();

  /** Since its run began; undefined: the kernel does not tell. */
  of(instance: string, nowMs: number, source: TrafficSource): DiskTraffic | undefined {
    const known = this.#known.get(instance) ?? { sinceMs: nowMs, nextMs: nowMs, total: undefined, counted: NONE };
    this.#known.set(instance, known);
    if (nowMs < known.nextMs) return known.total;
    known.nextMs = nowMs + Math.min(SELDOM_MS, Math.max(OFTEN_MS, nowMs - known.sinceMs));
    const group = source.group();
    if (group === undefined) known.total = larger(known.total, ofProcesses(source.pids()));
    else {
      known.total = added(known.total ?? NONE, since(known.counted, group));
      known.counted = group;
    }
    return known.total;
  }

  forget(instance: string): void {
    this.#known.delete(instance);
  }
}

/** `8:0 rbytes=4096 wbytes=0 rios=1 ...` for each disk. One that is made of others is left out: those are there too. */
export function parseIoStat(text: string, isMade: (disk: string) => boolean = isMadeOfOthers): DiskTraffic {
  let [readBytes, writtenBytes] = [0, 0];
  for (const [, disk = "", read, written] of text.matchAll(/^(\d+:\d+) .*?\brbytes=(\d+) wbytes=(\d+)/gm)) {
    if (isMade(disk)) continue;
    readBytes += Number(read);
    writtenBytes += Number(written);
  }
  return { readBytes, writtenBytes };
}

function isMadeOfOthers(disk: string): boolean {
  try {
    return readdirSync(`/sys/dev/block/${disk}/slaves`).length > 0;
  } catch {
    return false;
  }
}

/** Bytes that were to be written and were deleted before are taken off by the kernel's own count. */
export function parseProcessIo(text: string): DiskTraffic | undefined {
  const [read, written, cancelled] = ["read_bytes", "write_bytes", "cancelled_write_bytes"].map((key) =>
    Number(new RegExp(`^${key}: (\\d+)$`, "m").exec(text)?.[1] ?? Number.NaN),
  );
  if (!Number.isFinite(read) || !Number.isFinite(written)) return undefined;
  return { readBytes: read!, writtenBytes: Math.max(0, written! - (Number.isFinite(cancelled) ? cancelled! : 0)) };
}

/** Undefined: not one of them can be read. Who has gone meanwhile was waited for, or is of no account. */
function ofProcesses(pids: readonly number[]): DiskTraffic | undefined {
  if (pids.length > PIDS_MAX) return undefined;
  const found = pids.flatMap((pid) => parseProcessIo(readIfThere(`/proc/${pid}`, "io")) ?? []);
  return found.length === 0 ? undefined : found.reduce(added, NONE);
}

const each = (one: DiskTraffic, other: DiskTraffic, of: (a: number, b: number) => number): DiskTraffic => ({
  readBytes: of(one.readBytes, other.readBytes),
  writtenBytes: of(one.writtenBytes, other.writtenBytes),
});
const added = (one: DiskTraffic, other: DiskTraffic): DiskTraffic => each(one, other, (a, b) => a + b);
const since = (before: DiskTraffic, now: DiskTraffic): DiskTraffic => each(before, now, (a, b) => (b >= a ? b - a : b));
/** A process whose count nobody took over leaves less behind than was told. */
const larger = (one: DiskTraffic | undefined, other: DiskTraffic | undefined): DiskTraffic | undefined =>
  one === undefined || other === undefined ? (one ?? other) : each(one, other, Math.max);
