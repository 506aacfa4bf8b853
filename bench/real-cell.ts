/** A real cell for a bench: a master with its journal on disk and one real borglet that has the whole machine. Gone afterwards, with its tasks. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../src/cli/entry-point.ts";
import { DataDirectory, newCellId } from "../src/daemon/data.ts";
import { Keys } from "../src/daemon/keys.ts";
import { machineShares } from "../src/daemon/machine-share.ts";
import { MASTER_ENVIRONMENT } from "../src/daemon/master-environment.ts";
import { firstPortOf } from "../src/daemon/port-slots.ts";
import { type CellClient, connectCell } from "../src/rpc/client.ts";
import { freePort } from "../test/e2e/real-cell.ts";

const HOST = "127.0.0.1";

export interface RealCell {
  readonly client: CellClient;
  readonly borglet: ChildProcess;
  close(): Promise<void>;
}

export async function openRealCell(name: string): Promise<RealCell> {
  const directory = mkdtempSync(join(tmpdir(), `borg-bench-${name}-`));
  const data = new DataDirectory(directory);
  const port = await freePort();
  data.writeCell({ cell: "bench", id: newCellId(), owner: "bench", host: HOST, port, linkPort: port + 1, machines: 1 });
  await new Keys(data, "bench").prepare([HOST], ["m1"], Date.now());
  const [share] = machineShares(1, data.path, firstPortOf(data.readCell()!));
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...entryPoint(), ...args, "--data", data.path], {
      stdio: ["ignore", "ignore", "ignore"],
      env: args[0] === "internal-master" ? { ...MASTER_ENVIRONMENT, ...process.env } : process.env,
    });
  const master = start("internal-master");
  const borglet = start("internal-borglet", "--share", JSON.stringify(share));
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") }, timeoutMs: 35_000 });
  const close = async (): Promise<void> => {
    client.close();
    borglet.kill("SIGUSR2");
    for (let waits = 0; waits < 50 && borglet.exitCode === null && borglet.signalCode === null; waits++) await sleep(200);
    for (const child of [borglet, master]) child.kill("SIGKILL");
    await sleep(200);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilUp(client);
    return { client, borglet, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function untilUp(client: CellClient, machines = 1): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    const view = await client.getCell({}).catch(() => undefined);
    if (view !== undefined && view.machinesReachable >= machines) return;
    await sleep(100);
  }
  throw new Error("The cell did not come up within 30 s");
}
