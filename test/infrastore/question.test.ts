/** A question sees what its owner may see and does nothing else, however it is put: each attack is refused in words. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Scope } from "../../src/infrastore/asked.ts";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { findJail } from "../../src/infrastore/jail.ts";
import { ask, type QUESTION_BOUNDS } from "../../src/infrastore/question.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import type { Placed } from "../../src/infrastore/tables.ts";

const directory = mkdtempSync(join(tmpdir(), "borg-asked-"));
const jail = findJail();
const WALLS = { skip: jail === undefined ? "bubblewrap is not installed, or not permitted here" : false, timeout: 600_000 };
const UID = 1_999_999_998;
const DAY = Date.UTC(2030, 0, 2);

const event = (owner: string, position: number): Placed => ({
  table: "events",
  owner,
  timeMs: DAY,
  row: [
    position,
    1,
    DAY,
    "task.state",
    `${owner}/web/0`,
    `${owner}/web`,
    0,
    null,
    "m1",
    "pending",
    "starting",
    "placed",
    owner,
    "user",
    null,
    `secret of ${owner}`,
  ],
});

const history = new History(directory, await Database.open(), () => DAY);
await history.add([event("ann", 1), event("bob", 2), event("_cell", 3)], 3);
after(() => rmSync(directory, { recursive: true, force: true }));

interface Answer {
  readonly rows: readonly (readonly unknown[])[];
  readonly refused: string;
}

async function answerOf(
  sql: string,
  more: { scope?: Scope; parquet?: boolean; bounds?: Partial<typeof QUESTION_BOUNDS> } = {},
): Promise<Answer> {
  const { scope = { owners: ["ann"], audit: false }, parquet = false, bounds = {} } = more;
  const child = ask({ sql, parquet, scope }, { history, jail, prices: PRICES, uid: process.getuid?.() === 0 ? UID : undefined, bounds });
  let [text, complaint] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => {
    text += part.toString("utf8");
  });
  child.stderr?.on("data", (part: Buffer) => {
    complaint += part.toString("utf8");
  });
  const signal = await new Promise<string | null>((resolve) => child.once("close", (_, by) => resolve(by)));
  const lines = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { row?: unknown[]; refused?: string }]));
  const refused = lines.map((line) => line.refused ?? "").join("") || (signal ?? "");
  return { rows: lines.flatMap(({ row }) => (row === undefined ? [] : [row])), refused: refused || (lines.length === 0 ? complaint : "") };
}

const ONLY_READ = /only read/;
const NO_FILES = /disabled by configuration|No files found|Permission/;

/** What a hostile user would ask, and the words it gets. */
const ATTACKS: readonly (readonly [sql: string, refused: RegExp])[] = [
  ["select * from read_parquet('/data/events/owner=bob/*/*.parquet')", NO_FILES],
  ["select * from read_parquet('/data/events/owner=ann/../owner=bob/*/*.parquet')", NO_FILES],
  [`select * from read_parquet('${directory}/tables/events/*/*/*.parquet')`, NO_FILES],
  ["select * from read_text('/etc/passwd')", NO_FILES],
  ["select * from read_text('/proc/self/environ')", NO_FILES],
  ["select * from glob('/**')", NO_FILES],
  ["select * from 'https://example.com/x.parquet'", NO_FILES],
  ["select getenv('HOME')", /does not exist/],
  ["copy events to '/data/mine.parquet'", ONLY_READ],
  ["explain analyze copy events to '/tmp/answer.parquet'", ONLY_READ],
  ["attach '/tmp/other.db'", ONLY_READ],
  ["install httpfs", ONLY_READ],
  ["load httpfs", ONLY_READ],
  ["set enable_external_access = true", ONLY_READ],
  ["create table mine as select 1", ONLY_READ],
  ["select 1; copy events to '/tmp/answer.parquet'", /One statement/],
  ["select * from audit", /for admins/],
];

test(
  "A question reads no other folder, file, address or setting, and writes nothing: refused in words [N8] [infrastore.Q1] [infrastore.Q2]",
  WALLS,
  async () => {
    for (const [sql, words] of ATTACKS) assert.match((await answerOf(sql)).refused, words, sql);
    const files = readdirSync(join(directory, "tables"), { recursive: true }).filter((path) => String(path).endsWith(".parquet"));
    assert.equal(files.length, 3);
    assert.ok(!existsSync("/tmp/answer.parquet"));
  },
);

test(
  "A user's question sees its own rows and nobody's; one for everybody's sees all, with the audit for admins [N8] [infrastore.Q1]",
  WALLS,
  async () => {
    const owners = async (scope: Scope): Promise<string> =>
      (await answerOf("select owner from events order by 1", { scope })).rows.flat().join(" ");
    assert.equal(await owners({ owners: ["ann"], audit: false }), "_cell ann");
    assert.equal(await owners({ owners: "all", audit: false }), "_cell ann bob");
    const audit = await answerOf("select actor from audit order by 1", { scope: { owners: "all", audit: true } });
    assert.equal(audit.rows.flat().join(" "), "_cell ann bob");
  },
);

test("A question that goes on for ever, wants all memory or answers without end is ended and told so [infrastore.Q3]", WALLS, async () => {
  const bounds = { timeMs: 3000, bytesMax: 2 ** 20 };
  const endless = "with recursive n as (select 1 as i union all select i + 1 from n) select count(*) from n";
  assert.match((await answerOf(endless, { bounds })).refused, /took longer|SIGKILL|[Mm]emory/);
  const crossed = "select count(*) from range(1000000) a, range(1000000) b, range(1000000) c where a.range + b.range = c.range + 1";
  assert.match((await answerOf(crossed, { bounds })).refused, /took longer|SIGKILL|[Mm]emory/);
  assert.match(
    (await answerOf("select repeat('x', 1000) from range(10000000)", { bounds: { ...bounds, timeMs: 30_000 } })).refused,
    /larger than 1 MB/,
  );
  const large = "select count(distinct a.range * 1000 + b.range) from range(100000) a, range(10000) b";
  assert.match((await answerOf(large, { bounds: { ...bounds, timeMs: 30_000, memory: "64MB" } })).refused, /[Mm]emory|took longer/);
});

test("An answer can be one Parquet file [N8]", WALLS, async () => {
  const answer = await answerOf("select job from events order by 1;", { parquet: true });
  assert.equal(answer.refused, "");
});
