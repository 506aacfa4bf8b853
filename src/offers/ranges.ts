/** Port numbers as Mesos says them: ranges with both ends in, sorted, disjoint and not touching. */

export interface PortRange {
  readonly begin: number;
  readonly end: number;
}

export type Ranges = readonly PortRange[];

export const NO_RANGES: Ranges = [];

export const countOf = (ranges: Ranges): number => ranges.reduce((sum, { begin, end }) => sum + end - begin + 1, 0);

/** The same numbers, sorted and put together. */
export function normalised(ranges: Ranges): Ranges {
  const out: PortRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.begin - b.begin)) {
    const last = out.at(-1);
    if (last !== undefined && range.begin <= last.end + 1) out[out.length - 1] = { begin: last.begin, end: Math.max(last.end, range.end) };
    else out.push(range);
  }
  return out;
}

/** Of single numbers, in any order. */
export const rangesOf = (numbers: Iterable<number>): Ranges => normalised([...numbers].map((n) => ({ begin: n, end: n })));

export function without(ranges: Ranges, taken: Ranges): Ranges {
  let left: PortRange[] = [...ranges];
  for (const { begin, end } of taken) left = left.flatMap((range) => cut(range, begin, end));
  return left;
}

function cut(range: PortRange, begin: number, end: number): readonly PortRange[] {
  if (end < range.begin || begin > range.end) return [range];
  const before = { begin: range.begin, end: begin - 1 };
  const after = { begin: end + 1, end: range.end };
  return [before, after].filter((part) => part.begin <= part.end);
}

export const joined = (a: Ranges, b: Ranges): Ranges => (b.length === 0 ? a : a.length === 0 ? b : normalised([...a, ...b]));

/** Every number of `some` is one of `all`. */
export const contains = (all: Ranges, some: Ranges): boolean => some.length === 0 || without(some, all).length === 0;

/** The lowest `count` numbers. */
export function lowestOf(ranges: Ranges, count: number): Ranges {
  const out: PortRange[] = [];
  let left = count;
  for (const { begin, end } of ranges) {
    if (left <= 0) break;
    const last = Math.min(end, begin + left - 1);
    out.push({ begin, end: last });
    left -= last - begin + 1;
  }
  return out;
}

/** Whether a number is in both. */
export const overlaps = (a: Ranges, b: Ranges): boolean =>
  a.some((left) => b.some((right) => left.begin <= right.end && right.begin <= left.end));
