/** A real Prometheus scrapes a real cell with the configuration of docs/metrics, as a viewer, and asks it what an operator asks. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Keys } from "../../src/daemon/keys.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { freePort, RealCell } from "./real-cell.ts";

const METRICS = join(import.meta.dirname, "..", "..", "docs", "metrics");
const noPrometheus = spawnSync("prometheus", ["--version"]).error === undefined ? false : "no prometheus here";
const TOKEN = "borg_0123456789abcdef0123456789abcdef";

test("Debian's Prometheus scrapes a cell as docs/metrics says, and knows its machines, jobs and master [N9]", {
  skip: noPrometheus,
  timeout: 180_000,
}, async () => {
  const cell = await RealCell.start(1);
  const desk = mkdtempSync(join(tmpdir(), "borg-metrics-"));
  const port = await freePort();
  try {
    await cell.client.grantUser({ requestId: "grant", user: "prom", roles: [Role.VIEWER] });
    await cell.client.createToken({ requestId: "token", user: "prom", hash: createHash("sha256").update(TOKEN).digest("hex") });
    writeFileSync(join(desk, "borg.token"), TOKEN, { mode: 0o600 });
    writeFileSync(join(desk, "borg.pem"), new Keys(cell.data, cell.name).authorities().join("\n"));
    copyFileSync(join(METRICS, "alerts.yml"), join(desk, "alerts.yml"));
    const config = readFileSync(join(METRICS, "prometheus.yml"), "utf8");
    const target = `127.0.0.1:${cell.data.readCell()!.port}`;
    writeFileSync(
      join(desk, "prometheus.yml"),
      config.replaceAll("127.0.0.1:7878", target).replaceAll(/scrape_interval: \d+s/g, "scrape_interval: 1s"),
    );
    const { code, err } = await cell.borg(
      "run",
      "web",
      "--cpu",
      "10m",
      "--ram",
      "32MiB",
      "--disk",
      "10MiB",
      "--restart",
      "always",
      "--wait",
      "--",
      "sleep",
      "600",
    );
    assert.equal(code, 0, err);
    const args = [
      "--config.file",
      join(desk, "prometheus.yml"),
      "--storage.tsdb.path",
      join(desk, "data"),
      "--web.listen-address",
      `127.0.0.1:${port}`,
    ];
    const prometheus = spawn("prometheus", args, { stdio: "ignore" });
    const ended = new Promise((resolve) => prometheus.once("exit", resolve));
    try {
      const ask = async (query: string): Promise<number | undefined> => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
        const { data } = (await response.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
        const [first] = data.result;
        return first === undefined ? undefined : Number(first.value[1]);
      };
      for (const [query, value] of [
        ["borg_master_leading", 1],
        ["borg_machines", 1],
        ['borg_tasks{state="running"}', 1],
        ["sum(borg_machine_up)", 1],
        ['borg_job_tasks{name="tester/web",state="running"}', 1],
        ['min(up{job=~"borg.*"})', 1],
        ['count(ALERTS{alertstate="firing"}) or vector(0)', 0],
      ] as const)
        await cell.until(`${query} to be ${value}`, async () => (await ask(query)) === value);
      assert.ok(((await ask("borg_journal_entries_total")) ?? 0) > 5);
    } finally {
      prometheus.kill("SIGTERM");
      await ended;
    }
  } finally {
    rmSync(desk, { recursive: true, force: true });
    await cell.close();
  }
});
