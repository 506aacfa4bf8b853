/** Every question of docs/sql.md is answered by a history that is known, and what the tables say is what happened. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { pathOf } from "../../src/infrastore/manifest.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import { VIEW_NAMES, viewStatements } from "../../src/infrastore/views.ts";
import { pageQuestions } from "./asked-page.ts";
import { madeHistory } from "./made-history.ts";

const directory = mkdtempSync(join(tmpdir(), "borg-page-"));
const history = new History(directory, await Database.open(), Date.now);
await history.add(madeHistory(Date.now()), 700);
const connection: DuckDBConnection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const paths = (table: string): string[] =>
  history.files.filter((file) => file.table === table).map((file) => join(directory, pathOf(file)));
for (const statement of viewStatements({ paths, audit: true, prices: PRICES })) await connection.run(statement);
after(() => rmSync(directory, { recursive: true, force: true }));

const rowsOf = async (sql: string): Promise<string> =>
  (await connection.runAndReadAll(sql))
    .getRowsJson()
    .map((row) => row.join(" "))
    .join("\n");

test("docs/sql.md has twenty questions, and a known history answers each [N8] [G11]", async () => {
  const questions = pageQuestions();
  assert.equal(questions.length, 20);
  for (const { title, sql } of questions) assert.notEqual(await rowsOf(sql), "", title);
});

test("docs/sql.md names every table with all of its columns, in their order [N8]", async () => {
  const page = readFileSync(new URL("../../docs/sql.md", import.meta.url), "utf8");
  for (const name of VIEW_NAMES) {
    const columns = (await connection.runAndReadAll(`describe ${name}`)).getRowsJson().map(([column]) => String(column));
    const row = page.split("\n").find((line) => line.startsWith("| `") && line.split("|")[1]?.includes(`\`${name}\``)) ?? "";
    const told = [...(row.split("|").slice(3).join("|").split(";")[0] ?? "").replaceAll(/\([^)]*\)/g, "").matchAll(/[a-z_]+/g)].map(
      ([word]) => word,
    );
    assert.deepEqual(told, columns, name);
  }
});

test("Tables say what happened: states, waits, preemptions, quota, and use that adds up [N8] [infrastore.H5]", async () => {
  assert.equal(
    await rowsOf("select job, state from jobs order by job"),
    "ann/batch running\nann/odd dead\nann/web running\nbob/later pending\nbob/prod running",
  );
  assert.equal(
    await rowsOf("select job, state, starts, failures, evictions from tasks order by job"),
    "ann/batch pending 1 0 1\nann/odd dead 5 4 0\nann/web running 1 0 0\nbob/later pending 0 0 0\nbob/prod running 1 0 0",
  );
  assert.equal(await rowsOf("select job, waited_seconds from decisions where scheduler = 'service' order by job limit 1"), "ann/batch 60");
  assert.equal(await rowsOf("select victim_job, preemptor_job, count(*) from preemptions group by all"), "ann/batch bob/prod 1");
  assert.equal(await rowsOf("select cpu from quota"), "8");
  assert.equal(await rowsOf("select owner, sum(cpu * seconds) from usage group by owner order by owner"), "ann 300\nbob 600");
  assert.equal(await rowsOf("select distinct actor from audit order by 1"), "ann\nbob");
});
