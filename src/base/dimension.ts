/**
 * The dimensions of resources: what every machine has and every task may be limited in. One row says all that is particular about a dimension, and
 * everything else goes over the rows; only vector.ts spells their names out again, for speed. What just some machines have (gpu...) is an extra, and needs no row.
 */

interface Measure {
  /** Its field in Resources. None: it is counted by itself, as ports are. */
  readonly field: string | undefined;
  /** Its own field in Quota, where it is limited only when that says so; schedulers' caps do not bind it. None: quotas and caps bind it like the rest. */
  readonly quota: string | undefined;
  /** How many of the edge's units make one of the cell's: 1024 bytes are a KiB. */
  readonly scale: number;
  /** The cell's unit, for people: "lacks 500 millicores of cpu". */
  readonly unit: string;
  /** How people call it, and how it is called in a file. */
  readonly noun: string;
  readonly word: string;
  /** How people write an amount of it: 0.5, 2GiB, 10MiB/s, 3. */
  readonly written: "cores" | "bytes" | "rate" | "count";
  /** Whether its use is measured, and what a task does not use of it lent to others. The rest counts whole. */
  readonly lent: boolean;
}

export const MEASURES = {
  cpu: {
    field: "cpuMilli",
    quota: undefined,
    scale: 1,
    unit: "millicores of cpu",
    noun: "cpu",
    word: "cpu",
    written: "cores",
    lent: true,
  },
  ram: { field: "ramBytes", quota: undefined, scale: 1024, unit: "KiB of ram", noun: "ram", word: "ram", written: "bytes", lent: true },
  disk: {
    field: "diskBytes",
    quota: undefined,
    scale: 1024,
    unit: "KiB of disk",
    noun: "disk",
    word: "disk",
    written: "bytes",
    lent: true,
  },
  bandwidth: {
    field: "diskBandwidth",
    quota: "diskBandwidth",
    scale: 1,
    unit: "bytes a second of disk bandwidth",
    noun: "disk bandwidth",
    word: "disk_bandwidth",
    written: "rate",
    lent: false,
  },
  ports: { field: undefined, quota: "ports", scale: 1, unit: "ports", noun: "ports", word: "ports", written: "count", lent: false },
} as const satisfies Readonly<Record<string, Measure>>;

export type Dimension = keyof typeof MEASURES;

/** A dimension that Resources has a field for. */
export type Sized = { [D in Dimension]: (typeof MEASURES)[D]["field"] extends string ? D : never }[Dimension];

export type ResourceField = (typeof MEASURES)[Sized]["field"];

export type QuotaField = Exclude<(typeof MEASURES)[Dimension]["quota"], undefined>;

/** In the order in which they are told, and numbered where amounts stand in arrays. */
export const DIMENSIONS = Object.keys(MEASURES) as readonly Dimension[];

export const SIZED = DIMENSIONS.filter((dimension): dimension is Sized => MEASURES[dimension].field !== undefined);

export const isDimension = (name: string): name is Dimension => Object.hasOwn(MEASURES, name);

/** For people: "lacks 500 millicores of cpu", "lacks 2 gpu". */
export const unitOf = (dimension: string): string => (isDimension(dimension) ? MEASURES[dimension].unit : dimension);
