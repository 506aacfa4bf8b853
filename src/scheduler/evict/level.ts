/**
 * Levels of eviction: how far down the line of victims one would have to go. Nobody; those above their memory limit; then priorities from
 * low to high, a few to a level. What may be evicted for a priority is everything up to its top level, at most (Borg §2.5).
 */

import type { Instance } from "../../cell/state.ts";
import { isPlaced } from "../../cell/task.ts";
import { LOWEST as BAND_LOWEST, isProd } from "../../wire/band.ts";

/** Lowest priorities of the levels after the first two. Monitoring is nobody's victim, unless it is above its memory limit. */
const LOWEST = [0, 25, 50, 75, 100, 104, 108, 112, 116, 120, 180, 240, 300] as const;
export const NOBODY = 0;
export const OVER_RAM = 1;
const FIRST = 2;
export const LEVELS = FIRST + LOWEST.length;
const { monitoring: MONITORING } = BAND_LOWEST;
const HIGHEST_PRODUCTION = MONITORING - 1;
const HIGHEST_OTHER = BAND_LOWEST.production - 1;

/** The level of a priority; those that are nobody's victims are beyond the last. */
export function levelOf(priority: number): number {
  if (priority >= MONITORING) return LEVELS;
  let level = LEVELS - 1;
  while ((LOWEST[level - FIRST] as number) > priority) level -= 1;
  return level;
}

/** At which level an instance goes, whoever asks; LEVELS: at none. */
export function victimLevel(instance: Instance): number {
  if (instance.stop !== undefined || !isPlaced(instance.task.state)) return LEVELS;
  return instance.overRam ? OVER_RAM : levelOf(instance.priority);
}

/** The highest level that has victims for a priority. Of that level not everybody may be. */
export function topLevel(priority: number): number {
  if (priority === 0) return OVER_RAM;
  if (!isProd(priority)) return levelOf(priority - 1);
  return levelOf(priority >= MONITORING ? HIGHEST_PRODUCTION : HIGHEST_OTHER);
}

/** The least that the highest victim of a level can be: -1 if all are above their memory limit, as `Preemption.highest` counts. */
export const lowestOf = (level: number): number => (level < FIRST ? -1 : (LOWEST[level - FIRST] as number));
