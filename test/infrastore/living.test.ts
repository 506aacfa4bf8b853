/** What still lives is told as it is now, however long nothing happened to it; of everything else no more is kept than is said. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { pathOf } from "../../src/infrastore/manifest.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import type { Placed } from "../../src/infrastore/tables.ts";
import { viewStatements } from "../../src/infrastore/views.ts";
import { eventAt, usageAt } from "./made-history.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;
const BEGIN = Date.UTC(2030, 0, 1, 12);
const at = (day: number): number => BEGIN + day * DAY_MS;
const directory = mkdtempSync(join(tmpdir(), "borg-living-"));
let now = BEGIN;
const history = new History(directory, await Database.open(), () => now);
after(() => rmSync(directory, { recursive: true, force: true }));

async function told(sql: string): Promise<string> {
  const connection: DuckDBConnection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const paths = (table: string): string[] =>
    history.files.filter((file) => file.table === table).map((file) => join(directory, pathOf(file)));
  for (const statement of viewStatements({ paths, audit: true, prices: PRICES })) await connection.run(statement);
  const rows = (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.join(" "));
  connection.closeSync();
  return rows.join("; ");
}

const jobAt = (position: number, day: number, job: string, { submitted = day, count = 1 } = {}): Placed => ({
  table: "jobs",
  owner: job.split("/")[0] ?? "",
  timeMs: at(day),
  row: [position, at(day), job, "job", 200, count, at(submitted), position, false, false, 1, 1, 1, null],
});
const jobState = (position: number, day: number, job: string, to: string): Placed =>
  eventAt(position, at(day), { kind: "job.state", subject: job, owner: job.split("/")[0] ?? "", from: "pending", to });
const taskState = (position: number, day: number, task: string, to: string, kind = "task.state"): Placed =>
  eventAt(position, at(day), { kind, subject: task, owner: task.split("/")[0] ?? "", to, machine: "m1" });
const machineAt = (position: number, day: number, name: string, cpu = 8): Placed => ({
  table: "machines",
  owner: "_cell",
  timeMs: at(day),
  row: [position, at(day), name, true, false, cpu, 1, 1, null, null],
});
const quotaAt = (position: number, day: number, cpu: number): Placed => ({
  table: "quota",
  owner: "ann",
  timeMs: at(day),
  row: [position, at(day), "ann", "production", cpu, 1, 1, false, null],
});

const JOBS = "select job, state, task_count, day(submitted) from jobs order by job, submitted";
const TASKS = "select job, task_index, state, machine from tasks order by all";
const REST =
  "select (select string_agg(machine || ' ' || cpu, ', ' order by machine) from machines), (select string_agg(cpu, ', ') from quota)";

test("Days go, and what lives is there as it is now: jobs, tasks, machines, quota; what ended or left goes with its day [N8] [infrastore.H6]", async () => {
  await history.add(
    [
      // Quiet since its first minutes; it has changed once.
      jobAt(10, 0, "ann/web"),
      jobState(11, 0, "ann/web", "running"),
      taskState(12, 0, "ann/web/0", "starting"),
      taskState(13, 0, "ann/web/0", "running"),
      jobAt(14, 1, "ann/web", { submitted: 0, count: 2 }),
      taskState(15, 1, "ann/web/1", "", "task.added"),
      // Ended on one day; its record changed on the next.
      jobAt(20, 0, "ann/old"),
      jobState(21, 0, "ann/old", "running"),
      taskState(22, 0, "ann/old/0", "running"),
      taskState(23, 0, "ann/old/0", "dead"),
      jobState(24, 0, "ann/old", "dead"),
      jobAt(25, 1, "ann/old", { submitted: 0, count: 3 }),
      // A name that was used twice, the second time to this day.
      jobAt(30, 0, "bob/again"),
      jobState(31, 0, "bob/again", "running"),
      jobState(32, 0, "bob/again", "dead"),
      jobAt(33, 1, "bob/again", { count: 5 }),
      jobState(34, 1, "bob/again", "running"),
      taskState(35, 1, "bob/again/0", "running"),
      taskState(36, 1, "bob/again/1", "running"),
      taskState(37, 2, "bob/again/1", "", "task.removed"),
      ...[machineAt(1, 0, "m1"), machineAt(2, 0, "m1", 16), machineAt(3, 0, "m2"), quotaAt(4, 0, 4), quotaAt(5, 0, 8)],
      eventAt(6, at(0), { kind: "machine.left", subject: "m2", owner: "_cell" }),
      usageAt(at(0), "ann/web", 0, 200, 0.5),
    ],
    40,
  );
  const before = { jobs: await told(JOBS), tasks: await told(TASKS), rest: await told(REST) };
  assert.equal(before.jobs, "ann/old dead 3 1; ann/web running 2 1; bob/again dead 1 1; bob/again running 5 2");
  const ends = ["ann/old 0 dead m1", "bob/again 1 dead m1"];
  const living = {
    jobs: "ann/web running 2 1; bob/again running 5 2",
    tasks: "ann/web 0 running m1; ann/web 1 pending m1; bob/again 0 running m1",
  };
  assert.equal(before.tasks, [...ends.slice(0, 1), ...living.tasks.split("; "), ...ends.slice(1)].join("; "));

  now = at(92);
  assert.ok((await history.forget(KEPT_MS)) > 0, "the first day went");
  assert.equal(await told(JOBS), `ann/old dead 3 1; ${living.jobs}`, "its end is told as long as its row");
  now = at(93);
  await history.forget(KEPT_MS);
  for (const day of [94, 95, 200, 1000]) {
    now = at(day);
    await history.forget(KEPT_MS);
    while (await history.merge());
    assert.deepEqual([await told(JOBS), await told(TASKS)], [living.jobs, living.tasks], `day ${day}`);
    assert.equal(await told(REST), "m1 16.0 8.0", `day ${day}`);
  }
  assert.equal(await told("select count(*) from events"), "5");
  assert.equal(await told("select count(*) from usage"), "0");
  assert.equal(await history.forget(KEPT_MS), 0, "what was carried on stands in the first day that is kept");

  await history.add(
    [taskState(50, 1000, "ann/web/0", "dead"), taskState(51, 1000, "ann/web/1", "dead"), jobState(52, 1000, "ann/web", "dead")],
    52,
  );
  now = at(1092);
  await history.forget(KEPT_MS);
  assert.deepEqual([await told(JOBS), await told(TASKS)], ["bob/again running 5 2", "bob/again 0 running m1"]);
});
