/** `borg sql`: questions about the history of a cell. One on the command line or from the input, or many from a prompt that remembers and completes. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { CallError } from "../../rpc/call-error.ts";
import { configDirectory } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { writePrivate } from "../private-file.ts";
import { type SqlColumn, type SqlValue, sqlAnswer, sqlPages } from "../sql-answer.ts";
import { type Column, tableText } from "../text/table.ts";

export interface SqlOptions {
  readonly csv?: boolean;
  readonly parquet?: string;
}

/** A table for people is made when all of it is there; with more rows, those that came are shown and the rest is said to be missing. */
const SHOWN_MAX = 10_000;
const HISTORY_MAX = 1000;
const HISTORY_FILE = "sql-history";
const NUMERIC = /^(BIGINT|HUGEINT|INTEGER|SMALLINT|TINYINT|UBIGINT|UINTEGER|DOUBLE|FLOAT|DECIMAL)/;

export async function sql(context: Context, words: readonly string[], options: SqlOptions): Promise<number> {
  if ([context.json, options.csv === true, options.parquet !== undefined].filter(Boolean).length > 1)
    throw new Failure("usage", "Cannot print one answer in two ways", "choose one of --json, --csv and --parquet");
  const text = words.join(" ").trim();
  if (text !== "") return answer(context, text, options);
  if (process.stdin.isTTY) return prompt(context, options);
  return answer(context, readFileSync(0, "utf8"), options);
}

function answer(context: Context, text: string, options: SqlOptions): Promise<number> {
  if (text.trim() === "") throw new Failure("usage", "There is no question", 'borg sql "select * from jobs limit 5"');
  if (options.parquet !== undefined) return toParquet(context, text, options.parquet);
  if (context.json) return toJson(context, text);
  return options.csv === true ? toCsv(context, text) : toTable(context, text);
}

/** One object with the columns and all rows: as it is printed whole, so it is read whole. */
async function toJson(context: Context, text: string): Promise<number> {
  const { columns, rows } = await sqlAnswer(context, text);
  context.printJson({ columns: columns.map(({ name, type }) => ({ name, type })), values: rows });
  return EXIT.done;
}

async function toCsv(context: Context, text: string): Promise<number> {
  for await (const { columns, rows } of sqlPages(context, text)) {
    if (columns.length > 0) context.terminal.print(csvLine(columns.map(({ name }) => name)));
    context.terminal.print(rows.map(csvLine).join(""));
  }
  return EXIT.done;
}

/** RFC 4180; null is empty. */
export const csvLine = (values: readonly SqlValue[]): string => `${values.map(csvValue).join(",")}\r\n`;

function csvValue(value: SqlValue): string {
  const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function toTable(context: Context, text: string): Promise<number> {
  const columns: SqlColumn[] = [];
  const rows: (readonly SqlValue[])[] = [];
  for await (const page of sqlPages(context, text)) {
    columns.push(...page.columns);
    rows.push(...page.rows);
    if (rows.length > SHOWN_MAX) break;
  }
  const shown = rows.slice(0, SHOWN_MAX);
  if (shown.length === 0) context.terminal.complain("No rows\n");
  else context.terminal.print(tableText(tableColumns(columns), shown, { columns: undefined, colour: context.terminal.colour }));
  if (rows.length > SHOWN_MAX) context.terminal.complain(`The first ${SHOWN_MAX} rows; --csv and --json print all\n`);
  return EXIT.done;
}

const tableColumns = (columns: readonly SqlColumn[]): Column<readonly SqlValue[]>[] =>
  columns.map(({ name, type }, i) => ({
    title: name,
    value: (row) => valueText(row[i] ?? null),
    ...(NUMERIC.test(type) ? { side: "right" as const } : {}),
  }));

/** A number with no more digits than say something. */
function valueText(value: SqlValue): string {
  if (value === null) return "-";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function toParquet(context: Context, text: string, path: string): Promise<number> {
  let file: number | undefined;
  let bytes = 0;
  try {
    for await (const { parquet } of sqlPages(context, text, true)) {
      // Not before there is something to put into it.
      file ??= openSync(resolve(context.terminal.cwd, path), "w", 0o600);
      writeSync(file, parquet);
      bytes += parquet.length;
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
  context.tell(`Wrote ${path} (${bytes} bytes)`, { file: path, bytes });
  return EXIT.done;
}

/** Until it is left with Ctrl-D or \q. A question ends with a semicolon, or with an empty line. */
async function prompt(context: Context, options: SqlOptions): Promise<number> {
  const path = join(configDirectory(context.terminal.env), HISTORY_FILE);
  const words = await completions(context);
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: historyOf(path),
    historySize: HISTORY_MAX,
    completer: (line: string) => completed(line, words),
  });
  reader.on("history", (lines: string[]) => writePrivate(path, `${lines.join("\n")}\n`));
  context.terminal.complain("Questions end with a semicolon; show tables; lists what there is; Ctrl-D leaves\n");
  let text = "";
  reader.setPrompt("sql> ");
  reader.prompt();
  for await (const line of reader) {
    if (text === "" && /^\s*(\\q|exit|quit)\s*;?\s*$/i.test(line)) break;
    text = text === "" ? line : `${text}\n${line}`;
    if (/;\s*$/.test(text) || (line.trim() === "" && text.trim() !== "")) {
      await answer(context, text, options).catch((error: unknown) => complain(context, error));
      text = "";
    } else if (text.trim() === "") text = "";
    reader.setPrompt(text === "" ? "sql> " : "  -> ");
    reader.prompt();
  }
  reader.close();
  return EXIT.done;
}

/** In the prompt a question that went wrong is no reason to leave. */
function complain(context: Context, error: unknown): void {
  if (!(error instanceof CallError) && !(error instanceof Failure)) throw error;
  context.terminal.complain(`${error.message}\n`);
}

function historyOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).slice(0, HISTORY_MAX);
  } catch {
    return [];
  }
}

const KEYWORDS = "select from where group by order limit having count sum avg max min distinct interval describe show tables".split(" ");

/** Tables, columns and words of the language; without the cell's answer the words alone. */
async function completions(context: Context): Promise<readonly string[]> {
  try {
    const found = await sqlAnswer(
      context,
      "select distinct table_name from duckdb_columns() union select column_name from duckdb_columns()",
    );
    return [...KEYWORDS, ...found.rows.map(([name]) => String(name)).filter((name) => !name.startsWith("kept_"))].sort();
  } catch {
    return KEYWORDS;
  }
}

export function completed(line: string, words: readonly string[]): [string[], string] {
  const last = /[A-Za-z_]*$/.exec(line)?.[0] ?? "";
  const fitting = words.filter((word) => word.startsWith(last.toLowerCase()));
  return [last === "" ? [] : fitting, last];
}
