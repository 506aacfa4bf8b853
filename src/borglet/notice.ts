/** Which changes of use are worth telling. What changed less than this counts as the same, so a calm machine says next to nothing of it. */
import type { Sample } from "./machine.ts";

/** Noticeable: by more than a sixteenth, which is one step of a reservation, and by more than measuring sways by itself. */
export const NOTICE_SHARE = 1 / 16;
export const NOTICE_CPU_MILLI = 10;
export const NOTICE_RAM_BYTES = 2 ** 20;

export interface Amounts {
  readonly cpuMilli: number;
  readonly ramBytes: number;
}

export const isNoticeable = (before: Amounts, now: Amounts): boolean =>
  differs(before.cpuMilli, now.cpuMilli, NOTICE_CPU_MILLI) || differs(before.ramBytes, now.ramBytes, NOTICE_RAM_BYTES);

const differs = (before: number, now: number, least: number): boolean =>
  Math.abs(now - before) > Math.max(least, NOTICE_SHARE * Math.max(before, now));

/** Between the measurements of a machine and its borglet: lets through what changed, and everything about a task above its memory limit. */
export class SampleFilter {
  readonly #delivered = new Map<string, { readonly sample: Sample; readonly isOver: boolean }>();

  pick(samples: readonly Sample[], ramLimitOf: (instance: string) => number): Sample[] {
    return samples.filter((sample) => {
      const last = this.#delivered.get(sample.instance);
      const limit = ramLimitOf(sample.instance);
      const isOver = limit > 0 && sample.ramBytes > limit;
      if (last !== undefined && !isOver && !last.isOver && !isNoticeable(last.sample, sample)) return false;
      this.#delivered.set(sample.instance, { sample, isOver });
      return true;
    });
  }

  /** Its run ended: the next one is measured from nothing. */
  forget(instance: string): void {
    this.#delivered.delete(instance);
  }
}
