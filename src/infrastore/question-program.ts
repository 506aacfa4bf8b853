/**
 * The program that answers one question, alone in its jail. It reads the question from its input, gives up what rights it has, makes the views, and only then looks
 * at the SQL. It answers lines of JSON: the columns, rows, and an end or a refusal. It imports nothing but DuckDB: everything else is not there.
 */
import { readFileSync } from "node:fs";
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";

interface Question {
  readonly sql: string;
  readonly views: readonly string[];
  /** Where files may be read. */
  readonly directory: string;
  /** Where the one file of an answer may be made. */
  readonly temporary: string;
  readonly memory: string;
  readonly timeMs: number;
  readonly bytesMax: number;
  readonly parquet: boolean;
  /** Who it becomes before it does anything; undefined: it is nobody special. */
  readonly uid?: number;
}

const CHUNK_BYTES = 48 * 1024;

class Refusal extends Error {}

class Printer {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  async print(line: object): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    this.#bytes += text.length;
    if (this.#bytes > this.#bytesMax)
      throw new Refusal(`The answer is larger than ${Math.floor(this.#bytesMax / 2 ** 20)} MB: add a limit, or ask for sums (group by)`);
    // Waits until whoever reads has taken it: an answer never piles up here.
    if (!process.stdout.write(text)) await new Promise((taken) => process.stdout.once("drain", taken));
  }

  /** The process ends after it, so everything has to have left by then. */
  async last(line: object): Promise<void> {
    await new Promise<void>((left) => process.stdout.write(`${JSON.stringify(line)}\n`, () => left()));
  }
}

function become(uid: number | undefined): void {
  if (uid === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

async function prepare({ views, directory, temporary, memory }: Question): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const options = { memory_limit: memory, threads: "1", autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
  const instance = await DuckDBInstance.create(":memory:", options);
  const connection = await instance.connect();
  await connection.run("set temp_directory = ''");
  await connection.run(`set allowed_directories = ['${directory}/']`);
  await connection.run(`set allowed_paths = ['${temporary}/answer.parquet']`);
  await connection.run("set enable_external_access = false");
  await connection.run("set lock_configuration = true");
  for (const view of views) await connection.run(view);
  return connection;
}

/** One statement, and one that only reads; what is explained may run, so it counts as if it did. */
async function check(connection: DuckDBConnection, sql: string): Promise<void> {
  const { StatementType } = await import("@duckdb/node-api");
  const found = await connection.extractStatements(sql);
  if (found.count !== 1) throw new Refusal(`One statement is answered at a time; found ${found.count}`);
  const { statementType } = await found.prepare(0);
  if (statementType === StatementType.SELECT) return;
  const explained = /^\s*explain(\s+analyze)?\b/i.exec(sql);
  if (statementType === StatementType.EXPLAIN && explained !== null) return check(connection, sql.slice(explained[0].length));
  const word = StatementType[statementType] ?? "another statement";
  throw new Refusal(`The history is only read: expected select, with, describe, show or explain, found ${word}`);
}

async function answerRows(printer: Printer, result: DuckDBResult): Promise<number> {
  const names = result.deduplicatedColumnNames();
  await printer.print({ columns: names.map((name, i) => ({ name, type: String(result.columnType(i)) })) });
  let count = 0;
  for await (const rows of result.yieldRowsJson()) {
    for (const row of rows) await printer.print({ row });
    count += rows.length;
  }
  return count;
}

/** Into the jail's own memory first: a file of this kind ends with its table of contents. */
async function answerParquet(printer: Printer, connection: DuckDBConnection, { sql, temporary }: Question): Promise<number> {
  const path = `${temporary}/answer.parquet`;
  const made = await connection.run(`copy (${sql.trim().replace(/;$/, "")}\n) to '${path}' (format parquet)`);
  const bytes = readFileSync(path);
  await printer.print({ columns: [] });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await printer.print({ bytes: bytes.subarray(at, at + CHUNK_BYTES).toString("base64") });
  return Number((await made.getRowsJson())[0]?.[0] ?? 0);
}

async function answer(question: Question): Promise<void> {
  const printer = new Printer(question.bytesMax);
  const { sql, timeMs } = question;
  become(question.uid);
  let over: NodeJS.Timeout | undefined;
  try {
    const connection = await prepare(question);
    over = setTimeout(() => connection.interrupt(), timeMs);
    await check(connection, sql);
    const rows = question.parquet
      ? await answerParquet(printer, connection, question)
      : await answerRows(printer, await connection.stream(sql));
    await printer.last({ end: { rows } });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = /interrupt/i.test(text) ? `It took longer than ${timeMs / 1000} s: ask for fewer days, jobs or rows` : text;
    await printer.last({ refused: reason.slice(0, 2000) });
  }
  clearTimeout(over);
}

process.stdout.on("error", () => process.exit(1));
await answer(JSON.parse(readFileSync(0, "utf8")) as Question);
process.exit(0);
