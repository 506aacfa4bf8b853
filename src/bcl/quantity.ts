/** Numbers with a dimension: plain ones, bytes, and times. `250m` is a quarter, `64Mi` are bytes, `5min` is a time. */

export type Dimension = "number" | "bytes" | "duration";

export interface Quantity {
  /** Bytes in bytes, times in milliseconds. */
  readonly amount: number;
  readonly dimension: Dimension;
}

interface Unit {
  readonly name: string;
  readonly dimension: Dimension;
  readonly factor: number;
}

/** Largest first within a dimension, so that printing takes the first that divides. */
export const UNITS: readonly Unit[] = [
  { name: "m", dimension: "number", factor: 0.001 },
  { name: "Pi", dimension: "bytes", factor: 2 ** 50 },
  { name: "Ti", dimension: "bytes", factor: 2 ** 40 },
  { name: "Gi", dimension: "bytes", factor: 2 ** 30 },
  { name: "Mi", dimension: "bytes", factor: 2 ** 20 },
  { name: "Ki", dimension: "bytes", factor: 2 ** 10 },
  { name: "TB", dimension: "bytes", factor: 1e12 },
  { name: "GB", dimension: "bytes", factor: 1e9 },
  { name: "MB", dimension: "bytes", factor: 1e6 },
  { name: "kB", dimension: "bytes", factor: 1e3 },
  { name: "B", dimension: "bytes", factor: 1 },
  { name: "d", dimension: "duration", factor: 86_400_000 },
  { name: "h", dimension: "duration", factor: 3_600_000 },
  { name: "min", dimension: "duration", factor: 60_000 },
  { name: "s", dimension: "duration", factor: 1_000 },
  { name: "ms", dimension: "duration", factor: 1 },
];

/** What people write instead of our units, and what they mean by it. */
const MISTAKES: ReadonlyMap<string, string> = new Map([
  ["K", "Ki"],
  ["k", "Ki"],
  ["KB", "kB"],
  ["KiB", "Ki"],
  ["M", "Mi"],
  ["MiB", "Mi"],
  ["Mb", "MB"],
  ["G", "Gi"],
  ["GiB", "Gi"],
  ["Gb", "GB"],
  ["T", "Ti"],
  ["TiB", "Ti"],
  ["sec", "s"],
  ["secs", "s"],
  ["seconds", "s"],
  ["mins", "min"],
  ["minutes", "min"],
  ["hr", "h"],
  ["hours", "h"],
  ["day", "d"],
  ["days", "d"],
]);

export type QuantityReading =
  | { readonly ok: true; readonly value: Quantity }
  | { readonly ok: false; readonly reason: string; readonly hint: string | undefined };

const NUMBER = /^(-?[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?)([A-Za-z_]*)$/;

/** Reads `64Mi`, as it stands in a file, in JSON or behind `--set`. */
export function readQuantity(text: string): QuantityReading {
  const match = text.length > 400 ? null : NUMBER.exec(text);
  if (match === null) return { ok: false, reason: `Cannot read "${text.slice(0, 40)}" as a number`, hint: undefined };
  const number = Number(match[1]!.replaceAll("_", ""));
  const suffix = match[2]!;
  if (suffix === "") return finite(number, "number", text);
  const unit = UNITS.find((u) => u.name === suffix);
  if (unit !== undefined) return finite(scaled(number, unit.factor), unit.dimension, text);
  const meant = MISTAKES.get(suffix);
  const hint = meant === undefined ? "units are m (thousandths), Ki Mi Gi Ti Pi, kB MB GB TB, ms s min h d" : `write ${match[1]}${meant}`;
  return { ok: false, reason: `Cannot understand the unit "${suffix.slice(0, 40)}"`, hint };
}

/** Thousandths are divided, not multiplied by an inexact 0.001: 250m is exactly a quarter. */
const scaled = (number: number, factor: number): number => (factor < 1 ? number / Math.round(1 / factor) : number * factor);

function finite(amount: number, dimension: Dimension, text: string): QuantityReading {
  if (!Number.isFinite(amount)) return { ok: false, reason: `Number ${text.slice(0, 40)} is too large`, hint: undefined };
  return { ok: true, value: { amount: amount === 0 ? 0 : amount, dimension } };
}

/** The shortest writing that reads back to the same quantity. */
export function quantityText(quantity: Quantity): string {
  const { amount, dimension } = quantity;
  if (dimension === "number") return String(amount);
  const units = UNITS.filter((u) => u.dimension === dimension && !u.name.endsWith("B"));
  const whole = amount === 0 ? undefined : units.find((u) => Number.isInteger(amount / u.factor));
  if (whole !== undefined) return `${amount / whole.factor}${whole.name}`;
  return dimension === "bytes" ? `${amount}B` : `${amount}ms`;
}
