import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { EXIT } from "../exit.ts";
import { borg, type Script } from "../fixture.test.ts";

const GI = 2 ** 30;
const WEEK_MS = 7 * 86_400_000;

const CELL: Script = {
  reportEvictions: () => ({
    timeMs: 1000,
    days: [
      { day: 20_000, prod: { preemption: 1, machineShutdown: 2, runMs: 3 * WEEK_MS }, nonProd: { preemption: 9 } },
      { day: 20_001, prod: { runMs: WEEK_MS }, nonProd: { outOfResources: 1, runMs: 2 * WEEK_MS } },
    ],
  }),
  reportReclaim: ({ after }) => ({
    reclamation: 0,
    capacity: { cpuMilli: 4000, ramBytes: 8 * GI },
    rows: [
      {
        name: after === "" ? "ann" : "bob",
        tasks: 3,
        limit: { cpuMilli: 5000, ramBytes: 4 * GI },
        reservation: { cpuMilli: 2000, ramBytes: 2 * GI },
        usage: { cpuMilli: 1500, ramBytes: GI },
        reclaimed: { cpuMilli: 1000 },
        tasksInReclaimed: 1,
        limitInReclaimed: { cpuMilli: 2000, ramBytes: GI },
        partInReclaimed: 0.36,
      },
    ],
    more: after === "",
  }),
  reportQuota: () => ({
    rows: [
      {
        user: "ann",
        band: 3,
        quota: { limit: { cpuMilli: 2000, ramBytes: 4 * GI } },
        charged: { cpuMilli: 1000, ramBytes: GI },
        running: { cpuMilli: 1000, ramBytes: GI },
        usage: { cpuMilli: 250, ramBytes: GI / 2 },
        quotaCost: 9,
        chargedCost: 3.75,
      },
      { user: "ann", band: 2, quota: { unlimited: true } },
    ],
    capacity: { cpuMilli: 4000, ramBytes: 8 * GI },
    sold: { cpuMilli: 3000, ramBytes: 8 * GI },
  }),
  setReclamation: () => ({ position: 7 }),
  setOffers: () => ({ position: 8 }),
  getCell: () => ({ name: "cc", config: { offers: { module: 3, shortPermille: 100, shortMs: 300_000 } } }),
};

test("borg report shapes says how many tasks of each size fit, and the largest [N7]", async () => {
  const fit = (tasks: number, gib: number) => ({ tasks, machines: Math.min(tasks, 2), ramBytesMost: gib * GI });
  const script: Script = {
    reportShapes: () => ({
      machines: 2,
      rows: [
        { cpuMilli: 250, ramBytes: GI / 2, nonProd: fit(12, 3), prod: fit(7, 2), prodMakingWay: fit(20, 8) },
        { cpuMilli: 2000, ramBytes: 4 * GI, prodMakingWay: fit(2, 8) },
      ],
    }),
  };
  const { out } = await borg(["report", "shapes"], script);
  assert.equal(
    out,
    `So many tasks fit now on 2 machines, if all have this cpu and ram. MOST RAM: the largest with this cpu. Of a job: borg why JOB

 CPU      RAM  NON-PROD  MOST RAM  PROD  MOST RAM  PROD, PREEMPTING  MOST RAM
250m  512 MiB        12     3 GiB     7     2 GiB                20     8 GiB
   2    4 GiB         0         -     0         -                 2     8 GiB
`,
  );
  const none = await borg(["report", "shapes"], { reportShapes: () => ({}) });
  assert.deepEqual([none.code, none.err], [EXIT.done, "Nothing fits now: no machine that takes tasks has room\n"]);
});

test("borg report evictions shows causes as counts, as rates per task-week and as bars [V7]", async () => {
  const { out, asked } = await borg(["report", "evictions", "--days", "7"], CELL);
  assert.deepEqual(asked.at(-1)?.request["days"], 7);
  assert.equal(
    out,
    `Evictions of 2024-10-04 to 2024-10-05 (UTC); task-weeks that ran: prod 4.00, non-prod 2.00

CAUSE             PROD  PER TASK-WEEK  NON-PROD  PER TASK-WEEK
preemption           1           0.25         9           4.50
out-of-resources     0           0.00         1           0.50
machine-failure      0           0.00         0           0.00
machine-shutdown     2           0.50         0           0.00
other                0           0.00         0           0.00
revocation           0           0.00         0           0.00
all                  3           0.75        10           5.00

Per task-week:
prod     preemption       ██▎ 0.25
prod     out-of-resources 0.00
prod     machine-failure  0.00
prod     machine-shutdown ████▌ 0.50
prod     other            0.00
prod     revocation       0.00
non-prod preemption       ████████████████████████████████████████ 4.50
non-prod out-of-resources ████▌ 0.50
non-prod machine-failure  0.00
non-prod machine-shutdown 0.00
non-prod other            0.00
non-prod revocation       0.00
`,
  );
  const { code, err } = await borg(["report", "evictions", "--days", "31"], CELL);
  assert.equal(code, EXIT.usage, err);
});

test("borg report evictions as a page holds the table and a plot, and nothing from elsewhere [V7]", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "borg-report-"));
  try {
    assert.match((await borg(["report", "evictions", "--html", "evictions.html"], CELL, { cwd })).out, /Wrote evictions\.html/);
    const page = readFileSync(join(cwd, "evictions.html"), "utf8");
    assert.match(page, /<td>preemption<\/td><td class="right">1<\/td><td class="right">0\.25<\/td>/);
    assert.match(page, /<svg [\s\S]*non-prod preemption/);
    assert.doesNotMatch(page, /<script|https?:/);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

test("borg report reclaim shows limits, reservations, use and work in reclaimed resources, page by page [R1] [X8]", async () => {
  const { out, asked } = await borg(["report", "reclaim", "--by", "user"], CELL);
  assert.deepEqual(
    asked.map(({ request }) => request["after"]),
    ["", "ann"],
  );
  assert.equal(
    out,
    `Reclamation is medium

USER  TASKS  CPU LIMIT  RESERVED  USED  RAM LIMIT  RESERVED   USED   IN RECLAIMED
ann       3          5         2   1.5      4 GiB     2 GiB  1 GiB  36 % (1 task)
bob       3          5         2   1.5      4 GiB     2 GiB  1 GiB  36 % (1 task)
`,
  );
});

test("borg quota report shows what is granted, admitted, on machines and used, and what it costs [P8] [P9]", async () => {
  const { out } = await borg(["quota", "report", "--user", "ann"], CELL);
  assert.equal(
    out,
    `USER  BAND         GRANTED  ADMITTED  ON MACHINES           USED  COST/H  OF ADMITTED
ann   production  2, 4 GiB  1, 1 GiB     1, 1 GiB  250m, 512 MiB    9.00         3.75
ann   batch       no limit    0, 0 B       0, 0 B         0, 0 B                    0

Prod quota granted to all users: 3, 8 GiB; the cell has 4, 8 GiB (75 % and 100 % granted)
`,
  );
});

test("borg cell set chooses who is offered room first, and machines for short tasks [Z7] [Z9]", async () => {
  const { out, asked } = await borg(["cell", "set", "--offers", "lottery", "--short-machines", "10", "--short-duration", "5m"], CELL);
  assert.equal(out, "Room is now offered by lottery, 10 % of the machines for tasks of at most 5m\n");
  const { module, shortPermille, shortMs } = asked.find(({ request }) => "module" in request)?.request ?? {};
  assert.deepEqual([module, shortPermille, shortMs], [3, 100, 300_000]);
  for (const words of [
    ["--offers", "luck"],
    ["--short-machines", "101"],
    ["--short-duration", "2d"],
    ["--offers", "drf", "--reclamation", "off"],
  ])
    assert.equal((await borg(["cell", "set", ...words], CELL)).code, EXIT.usage, words.join(" "));
});

test("borg cell set chooses the preset, by its word [R5]", async () => {
  const { out, asked } = await borg(["cell", "set", "--reclamation", "medium"], CELL);
  assert.equal(out, "Reclamation is now medium\n");
  assert.equal(asked.at(-1)?.request["reclamation"], 3);
  assert.equal((await borg(["cell", "set", "--reclamation", "much"], CELL)).code, EXIT.usage);
  assert.equal((await borg(["cell", "set"], CELL)).code, EXIT.usage);
});
