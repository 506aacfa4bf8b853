/**
 * A service of six tasks on three machines, under load without a break: no request fails while a new version rolls out, while it is undone in the middle, and
 * while a machine is drained. ROLLING says how often.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Load } from "./load.ts";
import { RealCell } from "./real-cell.ts";
import { webFile } from "./web-file.ts";

const ROLLING = Number(process.env["ROLLING"] ?? 1);
const JOB = "tester/web";
const CLIENTS = 4;

test("no request fails during a rolling update, an undo in the middle and a drain [D1] [D3] [V3] [N4]", {
  timeout: 120_000 * (ROLLING + 1),
}, async (t) => {
  const cell = await RealCell.start(3);
  const desk = mkdtempSync(join(tmpdir(), "borg-rolling-"));
  const path = join(desk, "web.bcl");
  const load = new Load(cell, JOB);
  const borg = async (...args: readonly string[]): Promise<void> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: ${out}${err}`);
  };
  /** Nothing failed so far, and something was served since. */
  const well = (what: string, before: number): void => {
    assert.deepEqual(load.failed, [], `${what}: of ${load.served} requests these failed`);
    assert.ok(load.served > before + 20, `${what}: ${load.served - before} requests were served`);
    t.diagnostic(`${what}: ${load.served - before} requests, ${load.retried} at the second try so far`);
  };
  const phase = async (): Promise<string> => (await cell.client.getUpdate({ job: JOB })).phase;
  try {
    writeFileSync(path, webFile("0", "1s"));
    await borg("submit", path, "--wait");
    await load.start(CLIENTS);
    for (let round = 1; round <= ROLLING; round++) {
      let before = load.served;
      writeFileSync(path, webFile(`${round}`, "1s"));
      await borg("update", path);
      await cell.until("the new version to answer", () => load.versions.has(`${round}`));
      await borg("update", "undo", "web");
      await cell.until("the undo to end", async () => (await phase()) === "");
      well("undone in the middle", before);

      before = load.served;
      await borg("update", path);
      await cell.until("the update to end", async () => (await phase()) === "rolled");
      await borg("update", "commit", "web");
      well("rolled out", before);

      before = load.served;
      const machine = cell.machines[round % 3] as string;
      await borg("drain", machine);
      await cell.until("the machine to be empty", async () =>
        (await cell.tasks(JOB)).every((task) => task.machine !== machine && task.ready),
      );
      well("drained", before);
      await borg("undrain", machine);
    }
    assert.deepEqual([...load.versions].sort(), Array.from({ length: ROLLING + 1 }, (_, i) => `${i}`).sort());
  } finally {
    await load.stop();
    rmSync(desk, { recursive: true, force: true });
    await cell.close();
  }
});
