/**
 * The screen of `borg top`, without a terminal: what stands on it, and what a key changes. Rows are texts and numbers that are there already; names that others
 * chose pass through the table, which makes them harmless.
 */
import { safeLine } from "./safe.ts";
import { type Column, tableText } from "./table.ts";
import { cut, widthOf } from "./width.ts";

/** A column can be sorted by; `order` of a row with more comes first, and texts from a to z. */
export interface TopColumn<Row> extends Column<Row> {
  readonly order: (row: Row) => number | string;
}

export interface TopTable<Row> {
  readonly columns: readonly TopColumn<Row>[];
  readonly rows: readonly Row[];
  /** What the filter looks into. */
  readonly text: (row: Row) => string;
}

export interface TopState {
  /** Which of the tables is shown. */
  readonly table: number;
  /** Of each table: by which column its rows stand, and which row is marked. */
  readonly sorted: readonly number[];
  readonly row: number;
  readonly filter: string;
  /** The filter is being typed. */
  readonly typing: boolean;
}

export interface TopSize {
  readonly rows: number;
  readonly columns: number;
}

export type TopKey = "up" | "down" | "left" | "right" | "pageUp" | "pageDown" | "enter" | "escape" | "back" | "tab" | "interrupt" | string;

const FILTER_LENGTH_MAX = 100;
/** What stands above and below the rows: one line each, and the titles. */
const FRAME_LINES = 3;

const BYTES: readonly (readonly [string, TopKey])[] = [
  ["\x1b[A", "up"],
  ["\x1b[B", "down"],
  ["\x1b[C", "right"],
  ["\x1b[D", "left"],
  ["\x1bOA", "up"],
  ["\x1bOB", "down"],
  ["\x1bOC", "right"],
  ["\x1bOD", "left"],
  ["\x1b[5~", "pageUp"],
  ["\x1b[6~", "pageDown"],
  ["\r", "enter"],
  ["\n", "enter"],
  ["\x7f", "back"],
  ["\b", "back"],
  ["\t", "tab"],
  ["\x03", "interrupt"],
];

/** Keys in what a terminal sent; other sequences of escape are passed over whole. */
export function keysOf(text: string): readonly TopKey[] {
  const keys: TopKey[] = [];
  for (let rest = text; rest !== ""; ) {
    const known = BYTES.find(([bytes]) => rest.startsWith(bytes));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal sends
    const taken = known?.[0] ?? /^\x1b(\[[0-9;?]*[ -/]*[@-~]|O.)/.exec(rest)?.[0] ?? [...rest][0]!;
    if (known !== undefined) keys.push(known[1]);
    else if (taken === "\x1b") keys.push("escape");
    else if (taken >= " " && !taken.startsWith("\x1b")) keys.push(taken);
    rest = rest.slice(taken.length);
  }
  return keys;
}

/** Undefined: whoever sits there is done. */
export function pressed(state: TopState, key: TopKey, tables: readonly TopTable<never>[], size: TopSize): TopState | undefined {
  if (key === "interrupt") return undefined;
  if (state.typing) return typed(state, key);
  const table = tables[state.table]!;
  const last = Math.max(0, filtered(table, state.filter).length - 1);
  const at = (row: number): TopState => ({ ...state, row: Math.min(last, Math.max(0, row)) });
  const page = Math.max(1, size.rows - FRAME_LINES);
  switch (key) {
    case "q":
      return undefined;
    case "up":
      return at(Math.min(state.row, last) - 1);
    case "down":
      return at(state.row + 1);
    case "pageUp":
      return at(Math.min(state.row, last) - page);
    case "pageDown":
      return at(state.row + page);
    case "left":
    case "right":
      return { ...state, row: 0, sorted: state.sorted.map((column, i) => (i === state.table ? turned(column, key, table) : column)) };
    case "tab":
      return { ...state, table: (state.table + 1) % tables.length, row: 0 };
    case "/":
      return { ...state, typing: true, filter: "", row: 0 };
    case "escape":
      return { ...state, filter: "", row: 0 };
    default:
      return state;
  }
}

const turned = (column: number, key: "left" | "right", { columns }: TopTable<never>): number =>
  (column + (key === "left" ? columns.length - 1 : 1)) % columns.length;

function typed(state: TopState, key: TopKey): TopState {
  if (key === "enter") return { ...state, typing: false };
  if (key === "escape") return { ...state, typing: false, filter: "" };
  if (key === "back") return { ...state, filter: [...state.filter].slice(0, -1).join("") };
  const isLetter = [...key].length === 1;
  return isLetter && state.filter.length < FILTER_LENGTH_MAX ? { ...state, filter: state.filter + key, row: 0 } : state;
}

export const filtered = <Row>({ rows, text }: TopTable<Row>, filter: string): readonly Row[] =>
  filter === "" ? rows : rows.filter((row) => text(row).toLowerCase().includes(filter.toLowerCase()));

/** The most first; those that are equal by name, so that rows do not dance. */
export function sorted<Row>(table: TopTable<Row>, rows: readonly Row[], column: number): readonly Row[] {
  const { order } = table.columns[column]!;
  return rows.toSorted((a, b) => compared(order(a), order(b)) || compared(table.text(a), table.text(b)));
}

function compared(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return b - a;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** Exactly as many lines as there is room for, none wider. `head`: how the cell is, in one line. */
export function screenOf(
  tables: readonly TopTable<never>[],
  state: TopState,
  size: TopSize,
  head: string,
  colour: boolean,
): readonly string[] {
  const table = tables[state.table]!;
  const column = state.sorted[state.table]!;
  const rows = sorted(table, filtered(table, state.filter), column);
  const room = Math.max(1, size.rows - FRAME_LINES);
  const marked = Math.min(state.row, Math.max(0, rows.length - 1));
  const from = Math.max(0, Math.min(marked - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(from, from + room);
  const [titles = "", ...lines] = tableLines(table, column, shown, { columns: size.columns - 2, colour });
  const body = lines.map((line, i) => `${i + from === marked ? ">" : " "} ${line}`);
  const foot =
    state.typing || state.filter !== ""
      ? `/${safeLine(state.filter)}${state.typing ? "_" : ""}  ${rows.length} of ${table.rows.length}`
      : FOOT;
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  return [cut(head, size.columns), `  ${titles}`, ...body, ...blank, cut(foot, size.columns)].map((line) => whole(line, size.columns));
}

const FOOT = "arrows: column and row   tab: tasks, machines   /: filter   q: end";

/** The column that rows stand by is marked in its title. */
function tableLines<Row>(
  { columns }: TopTable<Row>,
  by: number,
  rows: readonly Row[],
  room: { readonly columns: number; readonly colour: boolean },
): readonly string[] {
  const titled = columns.map((column, i) => (i === by ? { ...column, title: `${column.title}*`, drops: undefined } : column));
  return tableText(
    titled.map(({ drops, ...rest }) => (drops === undefined ? rest : { ...rest, drops })),
    rows,
    room,
  )
    .trimEnd()
    .split("\n");
}

/** A table keeps names whole; a screen cannot. Colours take no room. */
function whole(line: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  const plain = line.replace(/\x1b\[[0-9]+m/g, "");
  return widthOf(plain) <= columns ? line : cut(plain, columns);
}

/** For what is not a terminal: all rows, as a table. */
export const plainText = <Row>(table: TopTable<Row>, column: number, filter: string): string =>
  tableText(table.columns, sorted(table, filtered(table, filter), column), { columns: undefined, colour: false });
