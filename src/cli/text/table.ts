/** Tables that fit: numbers to the right, columns as wide as they need, and those that may shrink cut when the terminal is narrow. */
import { safeLine } from "./safe.ts";
import { type Paint, paint } from "./style.ts";
import { cut, pad, widthOf } from "./width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly side?: "left" | "right";
  readonly paint?: (row: Row) => Paint | undefined;
  /** Cut first when there is too little room. */
  readonly shrinks?: boolean;
}

export interface TableRoom {
  readonly columns: number | undefined;
  readonly colour: boolean;
}

const GAP = "  ";
/** No column becomes narrower than this, so that one still sees what it is about. */
const SHRUNK_MIN = 8;

/** Columns without any value are left out. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: TableRoom): string {
  const cells = columns.map((column) => rows.map((row) => safeLine(column.value(row))));
  const used = columns.map((column, i) => ({ column, cells: cells[i]! })).filter(({ cells }) => cells.some((cell) => cell !== ""));
  const wanted = used.map(({ column, cells }) => cells.reduce((most, cell) => Math.max(most, widthOf(cell)), column.title.length));
  const widths = fitted(
    wanted,
    used.map(({ column }) => column.shrinks === true),
    room.columns,
  );
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

/** Takes from the widest column that may shrink, then from the widest of all, until the line fits. */
function fitted(wanted: readonly number[], shrinks: readonly boolean[], columns: number | undefined): readonly number[] {
  const widths = [...wanted];
  if (columns === undefined) return widths;
  const total = (): number => widths.reduce((sum, width) => sum + width, GAP.length * Math.max(0, widths.length - 1));
  for (const may of [(i: number) => shrinks[i] === true, () => true]) {
    while (total() > columns) {
      const widest = widths.reduce(
        (best, width, i) => (may(i) && width > SHRUNK_MIN && (best === -1 || width > widths[best]!) ? i : best),
        -1,
      );
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
