/** Numbers that are read from words: what is expected is said with what was found, and nothing is taken for something else. */
import { UsageError } from "../usage.ts";

/** The most of anything countable that a bench is told: more would be a slip of the finger. */
const COUNT_MAX = 1e9;

/** A whole number from `least` on. */
export function countIn(option: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= COUNT_MAX) return value;
  throw new UsageError(`Option --${option} has "${text}" where a whole number from ${least} to ${COUNT_MAX} is expected`);
}

/** A number above zero, at most `most`. */
export function amountIn(option: string, text: string, most: number): number {
  const value = /^\d*\.?\d+(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= most) return value;
  throw new UsageError(`Option --${option} has "${text}" where a number above 0 and up to ${most} is expected`);
}

/** A number from 0 on. */
export function numberIn(option: string, text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= COUNT_MAX) return value;
  throw new UsageError(`Option --${option} has "${text}" where a number from 0 to ${COUNT_MAX} is expected`);
}
