/** How long a user waits: submit to running, over one-task jobs one after the other, on a real cell with a real borglet, packages present. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../src/cli/entry-point.ts";
import { DataDirectory, newCellId } from "../src/daemon/data.ts";
import { Keys } from "../src/daemon/keys.ts";
import { machineShares } from "../src/daemon/machine-share.ts";
import { type CellClient, connectCell } from "../src/rpc/client.ts";
import { type Figures, percentile, rounded } from "./figures.ts";

const HOST = "127.0.0.1";
const PORT = 7961;
const WAIT_MS = 30_000;

export async function benchStart(jobs: number): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), "borg-bench-start-"));
  const data = new DataDirectory(directory);
  data.writeCell({ cell: "bench", id: newCellId(), owner: "bench", host: HOST, port: PORT, linkPort: PORT + 1, machines: 1 });
  await new Keys(data, "bench").prepare([HOST], ["m1"], Date.now());
  const [share] = machineShares(1, data.path, PORT);
  const start = (...args: readonly string[]) =>
    spawn(process.execPath, [...entryPoint(), ...args, "--data", data.path], { stdio: ["ignore", "ignore", "ignore"] });
  const master = start("internal-master");
  const borglet = start("internal-borglet", "--share", JSON.stringify(share));
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") }, timeoutMs: 35_000 });
  try {
    await untilUp(client);
    const times: number[] = [];
    for (let i = 0; i < jobs; i++) times.push(await startOne(client, `job-${i}`));
    const at = (share: number): number => rounded(percentile(times, share));
    return { jobs, p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) };
  } finally {
    client.close();
    borglet.kill("SIGUSR2");
    await sleep(2000);
    for (const child of [borglet, master]) child.kill("SIGKILL");
    await sleep(200);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function untilUp(client: CellClient): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    const view = await client.getCell({}).catch(() => undefined);
    if (view !== undefined && view.machinesReachable > 0) return;
    await sleep(100);
  }
  throw new Error("The cell did not come up within 30 s");
}

/** Waits by the change feed, as `borg submit --wait` does. Each job goes before the next comes, so that the machine stays empty. */
async function startOne(client: CellClient, name: string): Promise<number> {
  const startedMs = performance.now();
  const task = { command: ["/bin/sleep", "1000"], limit: { cpuMilli: 10, ramBytes: 2 ** 24 } };
  const { position } = await client.submitJob({ requestId: name, spec: { user: "bench", name, count: 1, task } });
  let cursor = { afterPosition: position, afterIndex: 0 };
  for (const end = performance.now() + WAIT_MS; performance.now() < end; ) {
    const page = await client.readEvents({ ...cursor, about: `bench/${name}/0`, waitMs: 5000, limit: 100 });
    cursor = { afterPosition: page.nextPosition, afterIndex: page.nextIndex };
    if (page.events.some(({ event }) => event?.to === "running")) {
      const tookMs = performance.now() - startedMs;
      await client.killJob({ requestId: `kill-${name}`, job: `bench/${name}` });
      return tookMs;
    }
  }
  throw new Error(`${name} did not run within ${WAIT_MS / 1000} s`);
}
