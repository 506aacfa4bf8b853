/** What the history costs: a million events of tasks and ten million rows of usage written as the process writes them, then the questions of docs/sql.md, each timed. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Database } from "../src/infrastore/database.ts";
import { History } from "../src/infrastore/history.ts";
import { pathOf } from "../src/infrastore/manifest.ts";
import { PRICES } from "../src/infrastore/settings.ts";
import type { Placed } from "../src/infrastore/tables.ts";
import { viewStatements } from "../src/infrastore/views.ts";
import { pageQuestions } from "../test/infrastore/asked-page.ts";
import { beginMs, eventAt, madeHistory, usageAt } from "../test/infrastore/made-history.ts";
import type { Figures } from "./figures.ts";

const [EVENTS, USAGE] = [1_000_000, 10_000_000];
/** As many as the process writes at once. */
const [EVENTS_BATCH, USAGE_BATCH] = [50_000, 150_000];
const OWNERS = 10;
const STATES = [
  ["pending", "starting", "placed"],
  ["starting", "running", "started"],
  ["running", "pending", "failed"],
] as const;

/** `scale` 1: all of it. */
export async function benchInfrastore(scale: number, parent: string): Promise<Figures> {
  const directory = mkdtempSync(join(parent, "borg-infrastore-"));
  try {
    const history = new History(directory, await Database.open(), Date.now);
    const before = process.cpuUsage();
    await fill(history, Math.round(EVENTS * scale), Math.round(USAGE * scale));
    const { user, system } = process.cpuUsage(before);
    const times = await timesOf(history);
    return {
      events: EVENTS * scale,
      usageRows: USAGE * scale,
      writeCpuSeconds: Math.round((user + system) / 1e4) / 100,
      files: history.files.length,
      slowestQuestionCpuMs: Math.max(...times.map(({ ms }) => ms)),
      ...Object.fromEntries(times.map(({ ms }, i) => [`question${i + 1}CpuMs`, ms])),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fill(history: History, events: number, usage: number): Promise<void> {
  const from = beginMs(Date.now());
  await history.add(madeHistory(Date.now()), 1);
  for (let done = 0; done < events; done += EVENTS_BATCH) {
    const rows = Array.from({ length: Math.min(EVENTS_BATCH, events - done) }, (_, i): Placed => {
      const position = 1000 + done + i;
      const [before, to, cause] = STATES[Math.floor((done + i) / 10_000) % 3] as (typeof STATES)[number];
      const owner = `user${position % OWNERS}`;
      const subject = `${owner}/job${position % 97}/${position % 100}`;
      return eventAt(position, from + Math.floor((done + i) / 100), {
        kind: "task.state",
        subject,
        owner,
        machine: `m${position % 1000}`,
        from: before,
        to,
        cause,
        actor: "service",
        actorKind: "scheduler",
      });
    });
    await history.add(rows, 1000 + done);
    while (await history.merge());
  }
  for (let done = 0; done < usage; done += USAGE_BATCH) {
    const window = from + (done / USAGE_BATCH) * 300_000;
    const rows = Array.from({ length: Math.min(USAGE_BATCH, usage - done) }, (_, i) =>
      usageAt(window, `user${i % OWNERS}/job${i % 97}`, i % 1543, i % 3 === 0 ? 200 : 100, (i % 100) / 100),
    );
    await history.add(rows, 1000 + events);
    while (await history.merge());
  }
}

/** As a question's process does, without starting it. */
async function timesOf(history: History): Promise<readonly { readonly title: string; readonly ms: number }[]> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1", memory_limit: "512MB" })).connect();
  const paths = (table: string): string[] =>
    history.files.filter((file) => file.table === table).map((file) => join(history.directory, pathOf(file)));
  for (const statement of viewStatements({ paths, audit: true, prices: PRICES })) await connection.run(statement);
  const times: { title: string; ms: number }[] = [];
  for (const { title, sql } of pageQuestions()) {
    // Of the processor: others may be busy on this machine.
    const began = process.cpuUsage();
    await connection.run(sql);
    const { user, system } = process.cpuUsage(began);
    times.push({ title, ms: Math.round((user + system) / 1000) });
  }
  return times;
}
