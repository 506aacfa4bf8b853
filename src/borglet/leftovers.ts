/**
 * Bands below prod get what prod leaves of the processors. That may be nothing for seconds, but not for minutes: a band that went without for
 * some seconds gets a turn, one second long, and then the count begins anew (Borg §6.2). [I3]
 */

export type Lower = "batch" | "free";
export const LOWER: readonly Lower[] = ["batch", "free"];

/** Busy: so much of the machine is used. Without: so little of it is the band's. */
const BUSY_SHARE = 0.9;
const WITHOUT_SHARE = 0.01;
/** So many seconds without, and then a turn. */
export const WITHOUT_MAX = 5;

export class Leftovers {
  readonly #without = new Map<Lower, number>();

  /** Asked once a second, with what was used in it: the bands whose turn the next second is. A turn of a band that wants nothing harms nobody. */
  next(usedMilli: Readonly<Record<Lower | "prod", number>>, capacityMilli: number): ReadonlySet<Lower> {
    const all = usedMilli.prod + usedMilli.batch + usedMilli.free;
    const turns = new Set<Lower>();
    for (const band of LOWER) {
      const isWithout = capacityMilli > 0 && all >= capacityMilli * BUSY_SHARE && usedMilli[band] < capacityMilli * WITHOUT_SHARE;
      const seconds = isWithout ? (this.#without.get(band) ?? 0) + 1 : 0;
      if (seconds >= WITHOUT_MAX) turns.add(band);
      this.#without.set(band, seconds >= WITHOUT_MAX ? 0 : seconds);
    }
    return turns;
  }
}
