/** The one time axis of a page: which time all that it plots and tells is drawn over. Pure: it knows no page. */

export interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
/** No axis is shorter: a second would fill the screen. */
const SHORTEST_MS = 2 * MINUTE_MS;

/** As the address says it, and as people do. */
export const SPANS = [
  ["", "up to an hour"],
  ["5m", "the last five minutes"],
  ["1d", "the last day"],
  ["all", "since it began"],
] as const;

const HOUR_MS = 60 * MINUTE_MS;
const SPAN_MS: Readonly<Record<string, number>> = { "5m": 5 * MINUTE_MS, "1d": 1440 * MINUTE_MS };

/** `firstMs`: when what is told begins. An address with a span of somebody's own is one without. */
export function axisOf(span: string, firstMs: number, nowMs: number): Axis {
  const wholeMs = nowMs - firstMs;
  const ms = span === "all" ? wholeMs : (SPAN_MS[span] ?? Math.min(HOUR_MS, wholeMs));
  return { fromMs: nowMs - Math.max(SHORTEST_MS, ms), toMs: nowMs };
}

/** How far along the axis a time is, in percent; what is beyond an end is at the end. */
export function percentAt({ fromMs, toMs }: Axis, ms: number): number {
  return Math.min(100, Math.max(0, (100 * (ms - fromMs)) / (toMs - fromMs)));
}
