/** What the files of a history say, read back by DuckDB itself. */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Manifest, pathOf, readManifest } from "../../src/infrastore/manifest.ts";
import type { TableName } from "../../src/infrastore/tables.ts";

export async function toldBy(directory: string, table: TableName = "events", columns = "position, number"): Promise<string[]> {
  const manifest: Manifest = readManifest(directory);
  const files = manifest.files.filter((file) => file.table === table).map((file) => `'${join(directory, pathOf(file))}'`);
  if (files.length === 0) return [];
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`select ${columns} from read_parquet([${files.join(", ")}]) order by all`);
  const rows = found.getRowsJson().map((row) => row.join(" "));
  connection.closeSync();
  return rows;
}
