/** Answers to questions in SQL, as the page shows them: rows as words, and a plot where there is something to plot. Pure: it knows no page. */
export interface Column {
  readonly name: string;
  /** As DuckDB calls it. */
  readonly type: string;
}

export type Value = string | number | boolean | null | object;

export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** There are more rows than these. */
  readonly isCut: boolean;
}

/** Rows that a page shows; `borg sql --csv` prints all. */
export const ROWS_MAX = 1000;
const LETTERS_MAX = 300;
const SERIES_MAX = 8;

const NUMERIC = /^(BIGINT|HUGEINT|INTEGER|SMALLINT|TINYINT|UBIGINT|UINTEGER|DOUBLE|FLOAT|DECIMAL)(?!.*\[)/;
const TIME = /^(TIMESTAMP|DATE)(?!.*\[)/;

export const isNumeric = ({ type }: Column): boolean => NUMERIC.test(type);
const isTime = ({ type }: Column): boolean => TIME.test(type);

/** A number with no more digits than say something, and a text that is no longer than a person reads. */
export function valueText(value: Value): string {
  if (value === null) return "–";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > LETTERS_MAX ? `${text.slice(0, LETTERS_MAX)} …` : text;
}

/** RFC 4180; null is empty. A text that a spreadsheet would take for a formula is not one. */
export function csvOf({ columns, rows }: Answer): string {
  const line = (values: readonly Value[]): string => `${values.map(csvValue).join(",")}\r\n`;
  return line(columns.map(({ name }) => name)) + rows.map(line).join("");
}

function csvValue(value: Value): string {
  const plain = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface Plotted {
  readonly title: string;
  /** Along the axis there are times, in seconds; else the rows are counted. */
  readonly isTime: boolean;
  readonly labels: readonly string[];
  /** Places on the axis first, then a row of values for each label. */
  readonly data: readonly (readonly (number | null)[])[];
}

/**
 * Numbers over the first column of times, a line for each column of numbers; with one such column, and one of texts, a line for each text. Without times the
 * rows are counted. Undefined: there is nothing to plot.
 */
export function plotOf({ columns, rows }: Answer): Plotted | undefined {
  const time = columns.findIndex(isTime);
  const numbers = columns.flatMap((column, i) => (isNumeric(column) ? [i] : [])).slice(0, SERIES_MAX);
  if (numbers.length === 0 || rows.length < 2) return undefined;
  const names = numbers.map((i) => columns[i]!.name);
  const texts = columns.flatMap(({ type }, i) => (type === "VARCHAR" ? [i] : []));
  if (time < 0) {
    const data = numbers.map((i) => rows.map((row) => numberOf(row[i])));
    return { title: `${names.join(", ")} by row`, isTime: false, labels: names, data: [rows.map((_, i) => i + 1), ...data] };
  }
  const title = `${names.join(", ")} over ${columns[time]!.name}`;
  if (numbers.length === 1 && texts.length === 1) return { title, isTime: true, ...byText(rows, time, texts[0]!, numbers[0]!) };
  const points = rows
    .map((row) => [timeOf(row[time]), ...numbers.map((i) => numberOf(row[i]))])
    .filter((point): point is [number, ...(number | null)[]] => point[0] !== null)
    .sort((a, b) => a[0] - b[0]);
  return {
    title,
    isTime: true,
    labels: names,
    data: [0, ...numbers.map((_, i) => i + 1)].map((at) => points.map((point) => point[at] ?? null)),
  };
}

function byText(rows: Answer["rows"], time: number, text: number, number: number): Pick<Plotted, "labels" | "data"> {
  const labels = [...new Set(rows.map((row) => valueText(row[text] ?? null)))].slice(0, SERIES_MAX);
  const values = new Map<number, (number | null)[]>();
  for (const row of rows) {
    const [at, label] = [timeOf(row[time]), labels.indexOf(valueText(row[text] ?? null))];
    if (at === null || label < 0) continue;
    const known = values.get(at) ?? labels.map(() => null);
    known[label] = numberOf(row[number]);
    values.set(at, known);
  }
  const times = [...values.keys()].sort((a, b) => a - b);
  return { labels, data: [times, ...labels.map((_, i) => times.map((at) => values.get(at)?.[i] ?? null))] };
}

/** Whole numbers that are too large for a number come as texts. */
function numberOf(value: Value | undefined): number | null {
  const number = typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Times of the history are UTC. */
function timeOf(value: Value | undefined): number | null {
  const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d+)?))?/.exec(String(value ?? ""));
  const ms = found === null ? Number.NaN : Date.parse(`${found[1]}T${(found[2] ?? "00:00:00").slice(0, 12)}Z`);
  return Number.isFinite(ms) ? ms / 1000 : null;
}
