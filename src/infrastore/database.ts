/** DuckDB, as far as this room needs it to write: rows to a Parquet file, and several such files to one. It is loaded when the first is made, in a process of its own. */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from "@duckdb/node-api";
import { type ColumnType, columnsOf, type Row, type TableName, type Value } from "./tables.ts";

/** What a chunk of DuckDB holds. */
const CHUNK_ROWS = 2048;
const MEMORY = "256MB";
const ROW_GROUP = 100_000;

/** The package has no build for this machine. */
export class NoDatabaseError extends Error {}

type Duck = typeof import("@duckdb/node-api");

export async function loadDuck(): Promise<Duck> {
  try {
    return await import("@duckdb/node-api");
  } catch (cause) {
    throw new NoDatabaseError("DuckDB is not there for this machine (package @duckdb/node-bindings)", { cause });
  }
}

/** How a value stands in a chunk, and how it is written then. */
const STORED: Readonly<Record<ColumnType, { readonly type: "VARCHAR" | "DOUBLE" | "BOOLEAN"; readonly as: (name: string) => string }>> = {
  text: { type: "VARCHAR", as: (name) => name },
  number: { type: "DOUBLE", as: (name) => name },
  count: { type: "DOUBLE", as: (name) => `${name}::bigint as ${name}` },
  time: { type: "DOUBLE", as: (name) => `make_timestamp((${name} * 1000)::bigint) as ${name}` },
  flag: { type: "BOOLEAN", as: (name) => name },
};

export class Database {
  readonly #duck: Duck;
  readonly #connection: DuckDBConnection;

  private constructor(duck: Duck, connection: DuckDBConnection) {
    this.#duck = duck;
    this.#connection = connection;
  }

  static async open(): Promise<Database> {
    const duck = await loadDuck();
    const options = { memory_limit: MEMORY, threads: "1", autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
    const instance = await duck.DuckDBInstance.create(":memory:", options);
    const connection = await instance.connect();
    return new Database(duck, connection);
  }

  close(): void {
    this.#connection.closeSync();
  }

  async write(table: TableName, rows: readonly Row[], path: string): Promise<void> {
    const columns = columnsOf(table);
    const made = columns.map(([name, type]) => `${name} ${STORED[type].type}`).join(", ");
    await this.#connection.run(`create or replace temp table rows_in (${made})`);
    const appender = await this.#connection.createAppender("rows_in");
    const types = columns.map(([, type]) => this.#duck[STORED[type].type] as DuckDBType);
    for (let first = 0; first < rows.length; first += CHUNK_ROWS)
      appender.appendDataChunk(this.#chunk(types, rows.slice(first, first + CHUNK_ROWS)));
    appender.closeSync();
    const shown = columns.map(([name, type]) => STORED[type].as(name)).join(", ");
    await this.#copy(`select ${shown} from rows_in`, path);
    await this.#connection.run("drop table rows_in");
  }

  /** What a query finds. Answers how many rows it was. */
  async pick(sql: string, path: string): Promise<number> {
    await this.#copy(sql, path);
    const counted = await this.#connection.runAndReadAll(`select count(*)::integer from read_parquet(${quoted(path)})`);
    return Number(counted.getRows()[0]?.[0] ?? 0);
  }

  async merge(paths: readonly string[], path: string): Promise<void> {
    await this.#copy(
      `select * from read_parquet([${paths.map(quoted).join(", ")}], union_by_name = true, hive_partitioning = false)`,
      path,
    );
  }

  async #copy(rows: string, path: string): Promise<void> {
    await this.#connection.run(`copy (${rows}) to ${quoted(path)} (format parquet, compression zstd, row_group_size ${ROW_GROUP})`);
  }

  #chunk(types: readonly DuckDBType[], rows: readonly Row[]): DuckDBDataChunk {
    const chunk = this.#duck.DuckDBDataChunk.create(types, rows.length);
    const column = (at: number): Value[] => {
      const values = new Array<Value>(rows.length);
      for (let i = 0; i < rows.length; i++) values[i] = (rows[i] as Row)[at] as Value;
      return values;
    };
    chunk.setColumns(types.map((_, at) => column(at)));
    return chunk;
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
