/**
 * A machine runs out of something that cannot be taken back from whom it was given to: memory, or disk. Tasks go, from the lowest priority up, until
 * what the others need fits (Borg §6.2). Who is over its own memory limit goes first, whatever its priority [R4]; else prod never goes [R3].
 * What prod needs is predicted, by its peak; of the others counts what they use [I6].
 */
import { compareIds } from "../base/id.ts";
import { isProd } from "../wire/band.ts";
import { AppClass } from "../wire/gen/borg/v1/spec_pb.ts";
import { ramBound } from "./bounds.ts";
import type { Kept, Memory } from "./kept.ts";
import type { Live } from "./live.ts";
import type { Amounts } from "./notice.ts";
import { bytesWords } from "./usage.ts";

/** What a machine is short of, how much all its tasks use of it, and how much there is for them. */
export interface Shortage {
  readonly of: "ram" | "disk";
  readonly usedBytes: number;
  readonly capacityBytes: number;
}

export interface Claimant {
  readonly instance: string;
  readonly priority: number;
  readonly isLatencySensitive: boolean;
  /** What would be free without it. */
  readonly usedBytes: number;
  /** What has to be there for it if it stays. */
  readonly neededBytes: number;
  readonly isOverLimit: boolean;
}

/** So much of what there is stays free, so that the kernel has no reason to choose for us. */
const SPARE_SHARE = 1 / 20;
const SPARE_BYTES_MIN = 16 * 2 ** 20;
const SPARE_SHARE_MAX = 1 / 4;

export const spareOf = (capacityBytes: number): number =>
  Math.min(capacityBytes * SPARE_SHARE_MAX, Math.max(capacityBytes * SPARE_SHARE, SPARE_BYTES_MIN));

export const isShort = (usedBytes: number, capacityBytes: number): boolean =>
  capacityBytes > 0 && usedBytes > capacityBytes - spareOf(capacityBytes);

/** Found by what each task uses. Where the kernel counts the memory of all together, it is looked at there, and more often. */
export function shortages(measured: readonly Amounts[], capacity: Omit<Amounts, "cpuMilli">, isRamCounted: boolean): Shortage[] {
  const sum = (name: "ramBytes" | "diskBytes"): number => measured.reduce((all, used) => all + used[name], 0);
  const [ram, disk] = [sum("ramBytes"), sum("diskBytes")];
  const found: Shortage[] = [];
  if (!isRamCounted && isShort(ram, capacity.ramBytes)) found.push({ of: "ram", usedBytes: ram, capacityBytes: capacity.ramBytes });
  if (capacity.diskBytes > 0 && disk > capacity.diskBytes) found.push({ of: "disk", usedBytes: disk, capacityBytes: capacity.diskBytes });
  return found;
}

/** In the order in which they go; none, when nobody may. */
export function whoGoes(claimants: readonly Claimant[], capacityBytes: number): readonly Claimant[] {
  const most = capacityBytes - spareOf(capacityBytes);
  let needed = claimants.reduce((sum, { neededBytes }) => sum + neededBytes, 0);
  const going: Claimant[] = [];
  const mayGo = claimants.filter(({ priority, isOverLimit, usedBytes }) => usedBytes > 0 && (isOverLimit || !isProd(priority)));
  for (const claimant of mayGo.sort(evictionOrder)) {
    if (needed <= most) break;
    needed -= claimant.neededBytes;
    going.push(claimant);
  }
  return going;
}

/** At the same priority batch goes before latency-sensitive, and the one that frees most goes first. */
const evictionOrder = (a: Claimant, b: Claimant): number =>
  Number(b.isOverLimit) - Number(a.isOverLimit) ||
  a.priority - b.priority ||
  Number(a.isLatencySensitive) - Number(b.isLatencySensitive) ||
  b.usedBytes - a.usedBytes ||
  compareIds(a.instance, b.instance);

/** Who has to go now, and the words for it. Whoever stops already leaves its part anyway. */
export function evictions(
  memory: Memory,
  lives: ReadonlyMap<string, Live>,
  shortage: Shortage,
  machineRamBytes: number,
  nowMs: number,
): (readonly [Kept, string])[] {
  const claimants = [...memory.instances].flatMap(([instance, kept]) => {
    const live = lives.get(instance);
    if (kept.phase !== "running" || live?.process !== "alive") return [];
    return claimantOf(kept, live, shortage.of, machineRamBytes, nowMs) ?? [];
  });
  return whoGoes(claimants, shortage.capacityBytes).map((claimant) => {
    const kept = memory.instances.get(claimant.instance)!;
    return [kept, evictedWords(shortage, claimant, ramBound(kept.order.task?.limit?.ramBytes ?? 0, machineRamBytes))] as const;
  });
}

/** Of an instance that runs; undefined before it was measured. */
function claimantOf({ order }: Kept, live: Live, of: Shortage["of"], machineRamBytes: number, nowMs: number): Claimant | undefined {
  const use = live.usage.use(nowMs);
  if (use === undefined) return undefined;
  const ramLimit = ramBound(order.task?.limit?.ramBytes ?? 0, machineRamBytes);
  const name = of === "ram" ? "ramBytes" : "diskBytes";
  const usedBytes = use.last[name];
  const isOverLimit = of === "ram" && usedBytes > ramLimit;
  const predicted = of === "ram" ? Math.min(ramLimit, use.peak.ramBytes) : use.peak.diskBytes;
  return {
    instance: order.instance,
    priority: order.priority,
    isLatencySensitive: isLatencySensitive(order.appClass, order.priority),
    usedBytes,
    neededBytes: isProd(order.priority) ? Math.max(usedBytes, predicted) : usedBytes,
    isOverLimit,
  };
}

/** A task that does not say what it is: prod serves somebody, the others do not. */
export const isLatencySensitive = (appClass: AppClass, priority: number): boolean =>
  appClass === AppClass.UNSPECIFIED ? isProd(priority) : appClass === AppClass.LATENCY_SENSITIVE;

function evictedWords({ of, usedBytes, capacityBytes }: Shortage, claimant: Claimant, ramLimitBytes: number): string {
  const what = of === "ram" ? "memory" : "disk";
  const short = `Evicted: tasks of its machine used ${bytesWords(usedBytes)} of ${bytesWords(capacityBytes)} ${what}`;
  const own = `it used ${bytesWords(claimant.usedBytes)}`;
  return claimant.isOverLimit
    ? `${short}, and ${own}, more than its limit of ${bytesWords(ramLimitBytes)}`
    : `${short}, and those of higher priority need it; ${own}`;
}
