/** Bars of text, one line each: a name, as much of a row of blocks as the value is of the largest, and the value in words. */
import { type Paint, paint } from "./style.ts";
import { pad, widthOf } from "./width.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly words: string;
  readonly paint?: Paint;
}

const WIDTH = 40;
const WIDTH_MIN = 8;
/** Eighths of a block, so that small values are still seen. */
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

export function barsText(
  bars: readonly Bar[],
  { columns, colour }: { readonly columns: number | undefined; readonly colour: boolean },
): string {
  const names = bars.reduce((most, { name }) => Math.max(most, widthOf(name)), 0);
  const words = bars.reduce((most, { words }) => Math.max(most, widthOf(words)), 0);
  const width = columns === undefined ? WIDTH : Math.max(WIDTH_MIN, Math.min(WIDTH, columns - names - words - 3));
  const largest = bars.reduce((most, { value }) => Math.max(most, value), 0);
  return bars.map((bar) => `${pad(bar.name, names, "left")} ${line(bar, largest, width, colour)}\n`).join("");
}

/** Something is never nothing. */
function line({ value, words, paint: how }: Bar, largest: number, width: number, colour: boolean): string {
  const eighths = value <= 0 ? 0 : Math.max(1, Math.round((value / largest) * width * 8));
  const blocks = `${"█".repeat(Math.floor(eighths / 8))}${PARTS[eighths % 8]}`;
  return blocks === "" ? words : `${paint(blocks, how, colour)} ${words}`;
}
