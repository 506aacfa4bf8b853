/** What a bench finds: numbers with their units in their names (p50Ms, cpuSeconds, rssMiB). */
export type Figures = Readonly<Record<string, number>>;
