/** Rows of use: what they add up, and that those of an earlier build can still be asked. */
import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { Database, quoted } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { pathOf } from "../../src/infrastore/manifest.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import { columnsOf } from "../../src/infrastore/tables.ts";
import { UsageSums } from "../../src/infrastore/usage.ts";
import { viewStatements } from "../../src/infrastore/views.ts";
import { make } from "../../src/wire/codec.ts";
import { type TaskView, TaskViewSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { usageAt } from "./made-history.ts";

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (seconds: number): number => NOON + seconds * 1000;

interface Seen {
  readonly run?: number;
  readonly began?: number;
  readonly moved?: readonly [read: number, written: number];
}

const task = (index: number, { run = 1, began = -1000, moved }: Seen): TaskView =>
  make(TaskViewSchema, {
    name: `ann/web/${index}`,
    instance: `ann/web/${index}:1`,
    run,
    runMs: at(began),
    usage: { cpuMilli: 100 },
    ...(moved === undefined ? {} : { diskTraffic: { readBytes: moved[0], writtenBytes: moved[1] } }),
  });

const READ = columnsOf("usage").findIndex(([name]) => name === "disk_read_bytes");
const movedIn = (sums: UsageSums): (readonly unknown[])[] => sums.take().map(({ row }) => row.slice(READ, READ + 2));

test("Rows of use say what a task moved between memory and disks in their seconds, and nothing where nobody told; they add up [N8] [infrastore.H5] [borglet.U9]", () => {
  const sums = new UsageSums();
  // What the first had moved before anybody looked is of no row; the second does not tell.
  sums.look([task(0, { moved: [1000, 500] }), task(1, {})], at(0));
  sums.look([task(0, { moved: [1010, 500] }), task(1, {})], at(5));
  sums.look([task(0, { moved: [1010, 520] }), task(1, {})], at(10));
  assert.deepEqual(movedIn(sums), [
    [10, 20],
    [null, null],
  ]);
  // A row that was cut loses nothing, and neither does a run that began after the last look, here or as a new instance.
  sums.look([task(0, { moved: [1011, 520] }), task(2, { began: 12, moved: [7, 8] })], at(15));
  assert.deepEqual(movedIn(sums), [
    [1, 0],
    [7, 8],
  ]);
  // For a while its machine says nothing: what it moved meanwhile is told once, afterwards.
  sums.look([task(2, { began: 12 }), task(3, { began: 16 })], at(17));
  sums.look([task(2, { began: 12, moved: [9, 8] }), task(3, { began: 16, moved: [1, 1] })], at(18));
  assert.deepEqual(movedIn(sums), [
    [2, 0],
    [1, 1],
  ]);
  sums.look([task(0, { run: 2, began: 17, moved: [3, 4] }), task(2, { began: 12, moved: [9, 8] })], at(20));
  assert.deepEqual(movedIn(sums), [
    [3, 4],
    [0, 0],
  ]);
});

test("Files of use that were written before there were such columns are asked and merged with those of today [N8] [infrastore.H3]", async () => {
  const directory = mkdtempSync(join(tmpdir(), "borg-usage-"));
  after(() => rmSync(directory, { recursive: true, force: true }));
  const database = await Database.open();
  const history = new History(directory, database, () => NOON);
  const paths = (table: string): string[] =>
    history.files.filter((file) => file.table === table).map((file) => join(directory, pathOf(file)));
  const asked = async (): Promise<string[]> => {
    const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    for (const statement of viewStatements({ paths, audit: true, prices: PRICES })) await connection.run(statement);
    const found = await connection.runAndReadAll("select task_index, cpu, disk_read_bytes, owner, day from usage order by task_index");
    connection.closeSync();
    return found.getRowsJson().map((row) => row.map(String).join(" "));
  };
  const row = (index: number, read: number | null): ReturnType<typeof usageAt> => {
    const { row: made, ...placed } = usageAt(NOON, "ann/web", index, 100, 1);
    return { ...placed, row: made.map((value, i) => (i === READ ? read : value)) };
  };
  await history.add([row(0, null)], 1);
  const [old = ""] = paths("usage");
  await database.pick(`select * exclude (disk_read_bytes, disk_written_bytes) from read_parquet(${quoted(old)}, hive_partitioning = false)`, `${old}.old`); // biome-ignore format: one statement
  renameSync(`${old}.old`, old);
  assert.deepEqual(await asked(), ["0 1 null ann 2030-01-01"]);
  for (let i = 1; i < 12; i++) await history.add([row(i, i * 10)], i + 1);
  const all = ["0 1 null ann 2030-01-01", ...Array.from({ length: 11 }, (_, i) => `${i + 1} 1 ${(i + 1) * 10} ann 2030-01-01`)];
  assert.deepEqual(await asked(), all);
  const before = paths("usage").length;
  while (await history.merge());
  assert.ok(paths("usage").length < before, "files were merged");
  assert.deepEqual(await asked(), all);
});
