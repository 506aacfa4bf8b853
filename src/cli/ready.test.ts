import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { VERSION_MAX } from "../cell/version.ts";
import { type CellFile, DataDirectory } from "../daemon/data.ts";
import { CallError } from "../rpc/call-error.ts";
import { testCell } from "../rpc/test-cell.ts";
import { makeReady } from "./ready.ts";

const HOME = mkdtempSync(join(tmpdir(), "borg-ready-"));
process.env["XDG_CONFIG_HOME"] = HOME;
after(() => rmSync(HOME, { recursive: true }));

test("a cell whose leader changes while its owner gets quota is ready all the same [M3]", async () => {
  let quotas = 0;
  const cell = await testCell({
    getCell: () => ({ name: "test", machinesReachable: 1, version: VERSION_MAX, capacity: { cpuMilli: 4000 } }),
    setQuota: () => {
      quotas += 1;
      if (quotas === 2) throw new CallError("unavailable", "Replica 2 stands by: replica 1 leads");
      return { position: quotas };
    },
  });
  try {
    const file: CellFile = { cell: "test", id: "i", owner: "ann", host: "127.0.0.1", port: 1, linkPort: 2, machines: 1 };
    const ready = await makeReady(new DataDirectory(dirname(cell.path)), file, () => {}, new AbortController().signal);
    assert.deepEqual([ready.machines, ready.cpuMilli, quotas], [1, 4000, 4]);
  } finally {
    await cell.server.close();
  }
});
