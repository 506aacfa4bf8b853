/** What `borg export trace` asks, asked of a history that is known: the four tables of the public trace, column by column, and each life with one end. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { traceTables } from "../../src/cli/commands/trace-export.ts";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { pathOf } from "../../src/infrastore/manifest.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import type { Placed } from "../../src/infrastore/tables.ts";
import { viewStatements } from "../../src/infrastore/views.ts";
import { beginMs, eventAt, madeHistory } from "./made-history.ts";

const NOW = Date.now();
const FROM = beginMs(NOW);
const SALT = "salt";
/** From position 1000 on, a second for each. */
const at = (position: number, kind: string, subject: string, to?: string, cause?: string): Placed =>
  eventAt(position, FROM + position * 1000, {
    kind,
    subject,
    owner: "ann",
    ...(to === undefined ? {} : { to }),
    ...(cause === undefined ? {} : { cause, machine: "m1" }),
  });

/** A job that runs, and ends as its task does. */
const lifeOf = (position: number, job: string, cause: string, isKilled = false): Placed[] => [
  at(position, "job.submitted", job),
  at(position + 1, "job.state", job, "running"),
  at(position + 2, "task.state", `${job}/0`, "starting", "placed"),
  ...(isKilled ? [at(position + 3, "job.killed", job)] : []),
  at(position + 4, "task.state", `${job}/0`, "dead", cause),
  at(position + 5, "job.state", job, "dead"),
];

const directory = mkdtempSync(join(tmpdir(), "borg-trace-"));
const history = new History(directory, await Database.open(), Date.now);
await history.add(
  [
    ...madeHistory(NOW),
    ...lifeOf(1000, "ann/killed", "killed", true),
    ...lifeOf(1100, "ann/broken", "failed"),
    ...lifeOf(1200, "ann/done", "finished"),
    ...lifeOf(1300, "ann/gone", "lost"),
    // The name of one that was killed, used again: this one finishes.
    ...lifeOf(1400, "ann/killed", "finished"),
  ],
  2000,
);
const connection: DuckDBConnection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const paths = (table: string): string[] =>
  history.files.filter((file) => file.table === table).map((file) => join(directory, pathOf(file)));
for (const statement of viewStatements({ paths, audit: true, prices: PRICES })) await connection.run(statement);
after(() => rmSync(directory, { recursive: true, force: true }));

const rowsOf = async (table: string): Promise<readonly (readonly unknown[])[]> =>
  (await connection.runAndReadAll(traceTables(SALT)[table] ?? "")).getRowsJson();
const digest = (text: string): string => createHash("md5").update(`${SALT}${text}`).digest("hex");

const WIDTHS = { job_events: 8, task_events: 13, machine_events: 6, task_usage: 20 };

test("The four tables of the trace have the columns of the public one, in time's order, and name nobody [G11]", async () => {
  assert.deepEqual(Object.keys(traceTables(SALT)), Object.keys(WIDTHS));
  for (const [table, width] of Object.entries(WIDTHS)) {
    const rows = await rowsOf(table);
    assert.ok(rows.length > 0, table);
    assert.deepEqual([...new Set(rows.map((row) => row.length))], [width], table);
    const times = rows.map(([time]) => Number(time));
    assert.ok(
      times.every((time, i) => time >= 600_000_000 && time >= (times[i - 1] ?? 0)),
      `${table} begins ten minutes in, and goes on`,
    );
    assert.ok(!/ann|bob|web|m1/.test(JSON.stringify(rows)), `${table} names nobody`);
  }
});

test("A job of the trace is submitted, scheduled, and ends once: killed, failed, finished or lost [G11]", async () => {
  const rows = await rowsOf("job_events");
  const of = (job: string): string =>
    rows
      .filter((row) => row[6] === digest(job))
      .map((row) => row[3])
      .join(" ");
  assert.equal(of("ann/killed"), "0 1 5 0 1 4");
  assert.equal(of("ann/broken"), "0 1 3");
  assert.equal(of("ann/done"), "0 1 4");
  assert.equal(of("ann/gone"), "0 1 6");
  assert.equal(of("ann/web"), "0 1");
  assert.equal(of("bob/later"), "0");
  assert.deepEqual(
    [...new Set(rows.filter((row) => row[6] === digest("ann/web")).map((row) => [row[4], row[5]].join(" ")))],
    [`${digest("ann")} 2`],
  );
});

test("A task of the trace leaves as it did: evicted, failed, finished, killed, lost; and pends again in the same moment [G11]", async () => {
  const rows = await rowsOf("task_events");
  const ids = new Map((await rowsOf("job_events")).map((row) => [row[6], row[2]]));
  const of = (job: string): string =>
    rows
      .filter((row) => row[2] === ids.get(digest(job)))
      .map((row) => row[5])
      .join(" ");
  assert.equal(of("ann/web"), "0 1");
  assert.equal(of("ann/batch"), "0 1 2 0");
  assert.equal(of("ann/odd"), "0 1 3 0 1 3 0 1 3 0 1 3 0 1 6");
  assert.equal(of("ann/done"), "1 4");
});

test("Amounts of the trace are parts of the largest machine [G11]", async () => {
  const rows = await rowsOf("task_usage");
  assert.deepEqual([...new Set(rows.map((row) => row[5]))].sort(), [0.25 / 8, 0.5 / 8]);
  assert.deepEqual(
    (await rowsOf("machine_events")).map((row) => [row[2], row[4], row[5]].join(" ")),
    ["0 1 1", "0 1 1"],
  );
});
