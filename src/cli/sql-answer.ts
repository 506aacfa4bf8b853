/** Asks the history of a cell and reads the whole answer, page by page. */
import type { Context } from "./context.ts";

export type SqlValue = string | number | boolean | null | readonly unknown[] | object;

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

export interface SqlPage {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly parquet: Uint8Array;
}

/** A question may take so long; the cell itself ends it sooner. */
const TIMEOUT_MS = 30_000;

/** A page as it comes. What was begun is read to its end, or left to the cell to forget. */
export async function* sqlPages(context: Context, sql: string, parquet = false): AsyncGenerator<SqlPage> {
  let more = "";
  do {
    const request = more === "" ? { sql, parquet } : { more };
    const page = await context.ask((client) => client.runQuery(request, { timeoutMs: TIMEOUT_MS }));
    yield { columns: page.columns, rows: page.rows.map((row) => JSON.parse(row) as SqlValue[]), parquet: page.parquet };
    more = page.more;
  } while (more !== "");
}

export interface SqlAnswer {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
}

/** For what a report asks: a few rows. */
export async function sqlAnswer(context: Context, sql: string): Promise<SqlAnswer> {
  const columns: SqlColumn[] = [];
  const rows: (readonly SqlValue[])[] = [];
  for await (const page of sqlPages(context, sql)) {
    columns.push(...page.columns);
    rows.push(...page.rows);
  }
  return { columns, rows };
}

/** Rows by the names of their columns. */
export const namedRows = ({ columns, rows }: SqlAnswer): Readonly<Record<string, SqlValue>>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])));

/** As SQL writes a text. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
