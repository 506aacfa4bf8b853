/** Amounts as people type them behind an option. The units are BCL's (src/bcl/quantity.ts), and those that people write instead. */

import { MEASURES, type Sized } from "../base/dimension.ts";
import { type Dimension, readQuantity } from "../bcl/quantity.ts";
import { epochMs } from "../bcl/schema/date.ts";
import { didYouMean } from "../bcl/suggest.ts";
import { BANDS, PRIORITY_MAX } from "../wire/band.ts";
import { EXIT_MAX, EXITS_MAX } from "../wire/spec-defaults.ts";
import { Failure } from "./exit.ts";

/** `512Mi`, `512MiB`, `1.5GiB`, `2GB`; a bare number is bytes. */
export function bytesOf(option: string, text: string): number {
  return amountOf(option, text.replace(/([KMGTP]i)B$/, "$1"), "bytes", "as in 512MiB, 1.5GiB or 2GB");
}

/** `0.5`, `500m`, `2`: in thousandths of a core. */
export function cpuMilliOf(option: string, text: string): number {
  const milli = amountOf(option, text, "number", "cores, as in 0.5, 500m or 2", (cores) => cores * 1000);
  return Math.round(milli);
}

/** An amount of a dimension, as people write it. */
export const sizeOfText = (dimension: Sized, option: string, text: string): number =>
  MEASURES[dimension].written === "cores" ? cpuMilliOf(option, text) : bytesOf(option, text);

/** `30s`, `5m`, `1h30m`; a bare number is seconds. */
export function durationMsOf(option: string, text: string): number {
  const hint = "as in 30s, 5m or 1h30m";
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return whole(option, text, Number(text) * 1000, hint);
  const parts = text.match(/[0-9.]+[a-z]+/g) ?? [];
  if (parts.length === 0 || parts.join("") !== text) throw misread(option, text, hint);
  return parts.reduce((sum, part) => sum + amountOf(option, part.replace(/(?<=[0-9])m$/, "min"), "duration", hint), 0);
}

function amountOf(option: string, text: string, dimension: Dimension, hint: string, scale = (amount: number) => amount): number {
  const read = readQuantity(text);
  if (!read.ok) throw misread(option, text, read.hint ?? hint);
  const { amount, dimension: found } = read.value;
  const isBare = found === "number" && !/[a-z]$/i.test(text);
  if (found !== dimension && !(dimension === "bytes" && isBare)) throw misread(option, text, hint);
  return whole(option, text, scale(amount), hint);
}

/** The wire knows whole numbers; a fraction of a byte or of a millisecond is rounded. */
function whole(option: string, text: string, amount: number, hint: string): number {
  const rounded = Math.round(amount);
  if (rounded < 0 || !Number.isSafeInteger(rounded)) throw misread(option, text, hint);
  return rounded;
}

const misread = (option: string, text: string, hint: string): Failure =>
  new Failure("usage", `Cannot understand ${option} "${text}"`, hint);

export function countOf(option: string, text: string, most = 100_000): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= most) return count;
  throw misread(option, text, `a whole number from 0 to ${most}`);
}

const NAMES: ReadonlyMap<string, number> = new Map(BANDS.map(({ name, lowest }) => [name, lowest]));

/** `64,78`: exit codes of a program; none when nothing is said. */
export function exitsOf(option: string, text: string): number[] {
  const hint = `exit codes from 0 to ${EXIT_MAX}, at most ${EXITS_MAX}, as in 64,78`;
  const codes = text === "" ? [] : text.split(",");
  if (codes.length > EXITS_MAX || !codes.every((code) => /^[0-9]{1,3}$/.test(code) && Number(code) <= EXIT_MAX))
    throw misread(option, text, hint);
  return codes.map(Number);
}

export function priorityOf(option: string, text: string): number {
  const band = NAMES.get(text);
  if (band !== undefined) return band;
  if (/^[0-9]+$/.test(text)) return countOf(option, text, PRIORITY_MAX);
  throw misread(
    option,
    text,
    `a number from 0 to ${PRIORITY_MAX}, or one of ${[...NAMES.keys()].join(", ")}${didYouMean(text, NAMES.keys())}`,
  );
}

/** `K=V`; the value may hold anything, also more equals signs. */
export function pairOf(option: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw misread(option, text, "as in NAME=VALUE");
}

export function choiceOf<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw misread(option, text, `one of ${words.join(", ")}${didYouMean(text, words)}`);
}

/** A day or a moment of the past, both in UTC as in BCL, or how long ago (`10m`). */
export function sinceMsOf(option: string, text: string, nowMs: number): number {
  if (!/^[0-9]{4}-/.test(text)) return nowMs - durationMsOf(option, text);
  const found = epochMs(text);
  if (found === undefined) throw misread(option, text, "as in 10m, 2030-12-31 or 2030-12-31T12:00:00Z");
  return found;
}

/** A day (`2030-12-31`), a moment, both in UTC as in BCL, or a time from now (`30d`). */
export function whenMsOf(option: string, text: string, nowMs: number): number {
  if (!/^[0-9]{4}-/.test(text)) return nowMs + durationMsOf(option, text);
  const found = epochMs(text);
  if (found === undefined) throw misread(option, text, "as in 2030-12-31, 2030-12-31T12:00:00Z or 30d");
  return found;
}
