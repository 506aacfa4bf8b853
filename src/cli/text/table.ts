/**
 * Tables that fit: numbers to the right, columns as wide as they need. When the terminal is narrow, columns that matter less are left out
 * first, then those that may shrink are cut. Names and addresses stay whole, whatever the width: people copy them.
 */
import { safeLine } from "./safe.ts";
import { type Paint, paint } from "./style.ts";
import { cut, pad, widthOf } from "./width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly side?: "left" | "right";
  readonly paint?: (row: Row) => Paint | undefined;
  /** Cut when there is too little room, down to this many columns, or SHRUNK_MIN. */
  readonly shrinks?: boolean | number;
  /** Left out when there is too little room, the smallest number first. */
  readonly drops?: number;
  /** Never cut: rather a line that is too long. */
  readonly whole?: boolean;
}

export interface TableWidth {
  readonly columns: number | undefined;
  readonly colour: boolean;
}

const GAP = "  ";
/** No column becomes narrower than this, so that one still sees what it is about. */
const SHRUNK_MIN = 8;

/** Columns without any value are left out. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: TableWidth): string {
  const cells = columns.map((column) => rows.map((row) => safeLine(column.value(row))));
  const all = columns
    .map((column, i) => ({ column, cells: cells[i]!, wanted: wantedWidth(column.title, cells[i]!) }))
    .filter((one) => one.cells.some((cell) => cell !== ""));
  const used = keptOf(all, room.columns);
  const widths = fitted(used, room.columns);
  const line = (texts: readonly string[], paints: readonly (Paint | undefined)[]): string =>
    texts
      .map((text, i) => {
        const side = used[i]!.column.side ?? "left";
        const last = i === texts.length - 1;
        const short = cut(text, widths[i]!);
        const painted = paint(short, paints[i], room.colour);
        const space = " ".repeat(last && side === "left" ? 0 : Math.max(0, widths[i]! - widthOf(short)));
        return side === "right" ? space + painted : painted + space;
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    used.map(({ column }) => column.title),
    used.map(() => "dim"),
  );
  const body = rows.map((row, r) =>
    line(
      used.map(({ cells }) => cells[r]!),
      used.map(({ column }) => column.paint?.(row)),
    ),
  );
  return `${[head, ...body].join("\n")}\n`;
}

interface Measured {
  readonly column: Pick<Column<never>, "shrinks" | "drops" | "whole">;
  readonly wanted: number;
}

const wantedWidth = (title: string, cells: readonly string[]): number =>
  cells.reduce((most, cell) => Math.max(most, widthOf(cell)), title.length);

const leastOf = ({ column, wanted }: Measured): number =>
  column.shrinks === undefined || column.shrinks === false
    ? wanted
    : Math.min(wanted, column.shrinks === true ? SHRUNK_MIN : column.shrinks);

const lineWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP.length * Math.max(0, widths.length - 1));

/** Leaves columns out until the rest fits, with those that may shrink as narrow as they may become. */
function keptOf<One extends Measured>(all: readonly One[], columns: number | undefined): readonly One[] {
  if (columns === undefined) return all;
  const order = all.filter(({ column }) => column.drops !== undefined).sort((a, b) => a.column.drops! - b.column.drops!);
  let kept = all;
  for (const next of order) {
    if (lineWidth(kept.map(leastOf)) <= columns) break;
    kept = kept.filter((one) => one !== next);
  }
  return kept;
}

/** Takes from the widest column that may shrink, then from the widest that need not stay whole, until the line fits. */
function fitted(used: readonly Measured[], columns: number | undefined): readonly number[] {
  const widths = used.map(({ wanted }) => wanted);
  if (columns === undefined) return widths;
  const mayShrink = (i: number): boolean => widths[i]! > leastOf(used[i]!);
  const mayBeCut = (i: number): boolean => used[i]!.column.whole !== true && widths[i]! > SHRUNK_MIN;
  for (const may of [mayShrink, mayBeCut]) {
    while (lineWidth(widths) > columns) {
      const widest = widths.reduce((best, width, i) => (may(i) && (best === -1 || width > widths[best]!) ? i : best), -1);
      if (widest === -1) break;
      widths[widest]! -= 1;
    }
  }
  return widths;
}

/** `name  value` lines, values under each other; empty values are left out. */
export function fieldsText(fields: readonly (readonly [string, string])[]): string {
  const shown = fields.filter(([, value]) => value !== "");
  const width = shown.reduce((most, [name]) => Math.max(most, name.length), 0);
  return shown.map(([name, value]) => `${pad(name, width, "left")}  ${value}\n`).join("");
}
