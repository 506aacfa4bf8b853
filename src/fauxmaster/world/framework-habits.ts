/** What a simulated framework is like for as long as it lives, whoever schedules for it and whichever master leads: each tries another way to be in the way of the others. */
import type { Random } from "../../base/random.ts";

export interface Habit {
  readonly name: "mixed" | "hoards" | "declines" | "silent" | "dies" | "twice";
  /** Of the offers that it answers it declines this part. */
  readonly declines: number;
  /** It answers no offer before it has held it for so long. */
  readonly keepsMs: number;
  /** How likely its scheduler dies, and another one subscribes beside it, each time that it acts. */
  readonly hangsUp: number;
  readonly subscribes: number;
}

const SELDOM = { hangsUp: 0.03, subscribes: 0.03 };
const HABITS: readonly Habit[] = [
  { name: "mixed", declines: 0.4, keepsMs: 0, ...SELDOM },
  // Almost until its offers run out; then it takes all of them.
  { name: "hoards", declines: 0, keepsMs: 40_000, ...SELDOM },
  { name: "declines", declines: 1, keepsMs: 0, ...SELDOM },
  // Its offers come back only because their time is over, so nobody may end its scheduler before.
  { name: "silent", declines: 0, keepsMs: Number.POSITIVE_INFINITY, hangsUp: 0, subscribes: 0 },
  { name: "dies", declines: 0.2, keepsMs: 0, hangsUp: 0.3, subscribes: 0.03 },
  { name: "twice", declines: 0.2, keepsMs: 0, hangsUp: 0.03, subscribes: 0.3 },
];
/** So many of them launch as it comes: where all are in each other's way little is launched. */
const MIXED = 0.4;

export const drawHabit = (random: Random): Habit => (random.chance(MIXED) ? (HABITS[0] as Habit) : random.pick(HABITS.slice(1)));
