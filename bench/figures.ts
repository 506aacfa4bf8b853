/** What a bench finds: numbers with their units in their names (p50Ms, cpuSeconds, rssMiB). */
export type Figures = Readonly<Record<string, number>>;

/** The smallest value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));
