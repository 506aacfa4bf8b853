/** Dates in UTC, as `2030-12-31` or `2030-12-31T12:00:00Z`, worked out by hand: a clock's library has no place in a pure room. */
import type { Type } from "./type.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})Z)?$/;
const EXPECTED = 'a date, such as "2030-12-31" or "2030-12-31T12:00:00Z"';
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const dateType: Type<number> = {
  expected: EXPECTED,
  read: (reader, thunk, name) => {
    const value = reader.force(thunk);
    const found = value.kind === "text" ? epochMs(value.text) : undefined;
    if (found === undefined) throw reader.mismatch(thunk, EXPECTED, name, value);
    return found;
  },
};

/** Milliseconds since 1970; undefined for what is no date from then on. */
export function epochMs(text: string): number | undefined {
  const parts = DATE.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? "0"));
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const days = MONTH_DAYS[month - 1];
  if (days === undefined || day < 1 || day > days + (month === 2 && isLeap(year) ? 1 : 0)) return undefined;
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return undefined;
  return (daysBefore(year, month) + day - 1) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1000;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Days from 1970 to the first of a month. */
function daysBefore(year: number, month: number): number {
  let days = 0;
  for (let y = 1970; y < year; y++) days += isLeap(y) ? 366 : 365;
  for (let m = 1; m < month; m++) days += MONTH_DAYS[m - 1]! + (m === 2 && isLeap(year) ? 1 : 0);
  return days;
}
