/** Which changes of use are worth telling. What changed less than this counts as the same, so a calm machine says next to nothing of it. */
import type { DiskTraffic, Sample } from "./machine.ts";

/** Noticeable: by more than a sixteenth, which is one step of a reservation, and by more than measuring sways by itself. */
export const NOTICE_SHARE = 1 / 16;
export const NOTICE_CPU_MILLI = 10;
export const NOTICE_RAM_BYTES = 2 ** 20;
export const NOTICE_DISK_BYTES = 2 ** 20;

export interface Amounts {
  readonly cpuMilli: number;
  readonly ramBytes: number;
  readonly diskBytes: number;
}

export const isNoticeable = (before: Amounts, now: Amounts): boolean =>
  differs(before.cpuMilli, now.cpuMilli, NOTICE_CPU_MILLI) ||
  differs(before.ramBytes, now.ramBytes, NOTICE_RAM_BYTES) ||
  differs(before.diskBytes, now.diskBytes, NOTICE_DISK_BYTES);

/** Whether one is told and the other is not counts too. */
export function isNewTraffic(before: DiskTraffic | undefined, now: DiskTraffic | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return differs(before.readBytes, now.readBytes, NOTICE_DISK_BYTES) || differs(before.writtenBytes, now.writtenBytes, NOTICE_DISK_BYTES);
}

const differs = (before: number, now: number, least: number): boolean =>
  Math.abs(now - before) > Math.max(least, NOTICE_SHARE * Math.max(before, now));

/** 0: none. */
export type Limits = Pick<Amounts, "ramBytes" | "diskBytes"> & { readonly sharedBytes?: number };

/** Between the measurements of a machine and its borglet: lets through what changed, and everything about a task above a limit. */
export class SampleFilter {
  readonly #delivered = new Map<string, { readonly sample: Sample; readonly isOver: boolean }>();

  pick(samples: readonly Sample[], limitsOf: (instance: string) => Limits | undefined): Sample[] {
    return samples.filter((sample) => {
      const last = this.#delivered.get(sample.instance);
      const isOver = isAbove(sample, limitsOf(sample.instance));
      if (last !== undefined && !isOver && !last.isOver && !isNews(last.sample, sample)) return false;
      this.#delivered.set(sample.instance, { sample, isOver });
      return true;
    });
  }

  /** Its run ended: the next one is measured from nothing. */
  forget(instance: string): void {
    this.#delivered.delete(instance);
  }
}

const isNews = (before: Sample, now: Sample): boolean =>
  isNoticeable(before, now) ||
  before.isHungry !== now.isHungry ||
  before.cpi !== now.cpi ||
  isNewTraffic(before.diskTraffic, now.diskTraffic);

function isAbove({ ramBytes, diskBytes, sharedBytes = 0, isTooDeep }: Sample, limits: Limits | undefined): boolean {
  const above = (used: number, limit = 0): boolean => limit > 0 && used > limit;
  return (
    isTooDeep === true ||
    above(ramBytes, limits?.ramBytes) ||
    above(diskBytes, limits?.diskBytes) ||
    above(sharedBytes, limits?.sharedBytes)
  );
}
