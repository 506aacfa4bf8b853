import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { request as requestTls } from "node:https";
import { test } from "node:test";
import { create, type DescMessage } from "@bufbuild/protobuf";
import { CellService } from "../../wire/gen/borg/v1/api_pb.ts";
import { CallError } from "../call-error.ts";
import type { Call, CellHandlers } from "../service.ts";
import { AUTHORITY, type TestCell, testCell } from "../test-cell.ts";
import { CELL_FAMILIES, JOB_FAMILIES, MACHINE_FAMILIES } from "./families.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const noTool = spawnSync("promtool", ["--version"]).error === undefined ? false : "no promtool here";
const promtool = (args: readonly string[], input?: string): string => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input: input ?? "", encoding: "utf8", cwd: ROOT });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return `${stdout}${stderr}`;
};
const PATHS = [
  ["/metrics", CELL_FAMILIES],
  ["/metrics/machines", MACHINE_FAMILIES],
  ["/metrics/jobs", JOB_FAMILIES],
] as const;
const names = PATHS.flatMap(([, families]) => families.map(({ name }) => name));

test("docs/metrics.md has a row for every figure, in its words, and no other [N9]", () => {
  const rows = PATHS.flatMap(([path, families]) => families.map(({ name, kind, help }) => `| \`${name}\` | ${path} | ${kind} | ${help} |`));
  assert.deepEqual(read("docs/metrics.md").match(/^\| `borg_.*$/gm), rows);
  assert.equal(new Set(names).size, names.length, "a name stands for one figure");
  for (const [, families] of PATHS)
    for (const { name, kind } of families)
      assert.equal(name.endsWith("_total"), kind === "counter", `${name}: counters end in _total, others do not`);
});

test("rules and dashboard ask only for figures that there are [N9]", { skip: noTool }, () => {
  for (const path of ["docs/metrics/alerts.yml", "docs/metrics/dashboard.json"]) {
    const asked = new Set(read(path).match(/borg_[a-z0-9_]+/g));
    assert.ok(asked.size > 3, path);
    assert.deepEqual(
      [...asked].filter((name) => !names.includes(name)),
      [],
      path,
    );
  }
  JSON.parse(read("docs/metrics/dashboard.json"));
  assert.match(promtool(["check", "rules", "docs/metrics/alerts.yml"]), /SUCCESS/);
  assert.match(promtool(["test", "rules", "docs/metrics/alerts-test.yml"]), /SUCCESS/);
  promtool(["check", "config", "--syntax-only", "docs/metrics/prometheus.yml"]);
});

const RESOURCES = { cpuMilli: 1500, ramBytes: 2 ** 30, diskBytes: 5 };
const PLAIN = {
  getCell: () => ({
    name: "cc",
    version: 7,
    position: 9,
    machines: 3,
    machinesReachable: 2,
    jobs: 1,
    tasks: 5,
    pending: 2,
    running: 2,
    capacity: RESOURCES,
  }),
  getMaster: () => ({ role: "leading", term: 4, cpuMs: 1500 }),
  listSchedulers: () => ({ schedulers: [{ name: 'odd"\\\nname', placed: 3 }] }),
  reportEvictions: () => ({ days: [{ day: 1, prod: { preemption: 2 } }] }),
  listMachines: ({ after }: { readonly after: string }) =>
    after === ""
      ? { machines: [{ name: "m1", state: "up", usage: RESOURCES }], more: true }
      : { machines: [{ name: "m2", state: "unreachable" }] },
  listJobs: () => ({
    jobs: [
      { name: "ann/web", count: 3, running: 2, backingOff: 1 },
      { name: "ann/room", allocSet: true },
    ],
  }),
};

/** As the API's actor answers: whole messages. */
const HANDLERS = Object.fromEntries(
  Object.entries(PLAIN).map(([name, answer]) => [
    name,
    (asked: never, call: Call) => {
      call.shown(9, 250);
      return create(CellService.method[name as keyof typeof PLAIN].output as DescMessage, answer(asked) as never);
    },
  ]),
) as unknown as Partial<CellHandlers>;

interface Scraped {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

type How = { readonly over: "socket" | "tls" | "clear"; readonly token?: string; readonly method?: string };

const scrape = (cell: TestCell, path: string, { over, token, method = "GET" }: How): Promise<Scraped> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const plain = { path, method, headers, agent: false };
    const there = { ...plain, host: "127.0.0.1", port: cell.port };
    const heard = (response: IncomingMessage): void => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode!, text, type: String(response.headers["content-type"]) }));
    };
    const asked =
      over === "socket"
        ? request({ ...plain, socketPath: cell.path }, heard)
        : over === "tls"
          ? requestTls({ ...there, ca: AUTHORITY.certificate }, heard)
          : request(there, heard);
    asked.on("error", reject).end();
  });

test("what is scraped is as Prometheus wants it, with every figure, and nothing that somebody wrote breaks out of a label [N9]", {
  skip: noTool,
}, async () => {
  const cell = await testCell(HANDLERS);
  try {
    for (const [path, families] of PATHS) {
      const { status, text, type } = await scrape(cell, path, { over: "socket" });
      assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
      promtool(["check", "metrics"], text);
      for (const { name } of families) assert.match(text, new RegExp(`^${name}[ {]`, "m"), name);
    }
    const { text } = await scrape(cell, "/metrics", { over: "tls", token: "token-of-ann" });
    for (const line of [
      'borg_cell_info{cell="cc",version="7"} 1',
      "borg_machines_unreachable 1",
      'borg_tasks{state="other"} 1',
      'borg_cell_cpu_cores{of="capacity"} 1.5',
      "borg_copy_age_seconds 0.25",
      "borg_master_leading 1",
      'borg_scheduler_placed_total{scheduler="odd\\"\\\\\\nname"} 3',
      'borg_evictions_today{band="prod",cause="preemption"} 2',
    ])
      assert.ok(text.split("\n").includes(line), `${line}\n${text}`);
    const machines = (await scrape(cell, "/metrics/machines", { over: "socket" })).text;
    assert.match(machines, /^borg_machine_up\{machine="m1"\} 1\nborg_machine_up\{machine="m2"\} 0$/m, "page after page");
    const jobs = (await scrape(cell, "/metrics/jobs", { over: "socket" })).text;
    assert.match(jobs, /^borg_job_tasks\{name="ann\/web",state="backing-off"\} 1$/m);
    assert.doesNotMatch(jobs, /room/, "an alloc set runs nothing");
  } finally {
    await cell.server.close();
  }
});

test("metrics are for who has a role, with a token over TLS or on the owner's socket, and only to be read [N9] [KA2]", async () => {
  const cell = await testCell({
    ...HANDLERS,
    getCell: (_, { user }) => {
      if (user === "stranger") throw new CallError("not-permitted", "no role");
      throw new CallError("unavailable", "not ready");
    },
  });
  try {
    for (const [how, status] of [
      [{ over: "tls" }, 401],
      [{ over: "tls", token: "nonsense" }, 401],
      [{ over: "tls", token: "token-of-stranger" }, 403],
      [{ over: "tls", token: "token-of-ann" }, 503],
      [{ over: "clear", token: "token-of-ann" }, 403],
      [{ over: "clear" }, 403],
      [{ over: "socket", method: "POST" }, 405],
    ] as const) {
      const { status: found, text } = await scrape(cell, "/metrics", how);
      assert.equal(found, status, `${JSON.stringify(how)}: ${text}`);
      assert.doesNotMatch(text, /borg_/);
    }
    assert.equal((await scrape(cell, "/metrics/other", { over: "socket" })).status, 404);
  } finally {
    await cell.server.close();
  }
});
