/** A real master process with its journal on disk, and a process of emulated borglets on real links to it. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../src/cli/entry-point.ts";
import { DataDirectory, newCellId } from "../src/daemon/data.ts";
import { Keys } from "../src/daemon/keys.ts";
import { MASTER_ENVIRONMENT } from "../src/daemon/master-environment.ts";
import { type CellClient, connectCell } from "../src/rpc/client.ts";
import { Band } from "../src/wire/gen/borg/v1/resource_pb.ts";
import { freePort } from "../test/e2e/real-cell.ts";
import type { EmulationOptions } from "./emulated-borglets.ts";
import { emulatedName, machineIdentities } from "./identities.ts";

const HOST = "127.0.0.1";
const READY_MS = 300_000;

export interface RigOptions {
  readonly machines: number;
  readonly lifeSeconds: number;
  readonly batchSchedulers: number;
  /** Of each machine, if not 10,000. */
  readonly ports?: number;
}

export interface Rig {
  readonly client: CellClient;
  readonly borglets: ChildProcess;
  /** From the start of the processes until every machine had joined. */
  readonly joinMs: number;
  /** The owner's, for the API. */
  readonly socket: string;
  /** Kills the master and starts another on the same journal. */
  restartMaster(): void;
  close(): Promise<void>;
}

export async function startRig({ machines, lifeSeconds, batchSchedulers, ports }: RigOptions): Promise<Rig> {
  const directory = mkdtempSync(join(tmpdir(), "borg-bench-cell-"));
  const data = new DataDirectory(directory);
  const port = await freePort();
  data.writeCell({ cell: "bench", id: newCellId(), owner: "bench", host: HOST, port, linkPort: port + 1, machines, batchSchedulers });
  const keys = new Keys(data, "bench");
  await keys.prepare([HOST], [], Date.now());
  const names = Array.from({ length: machines }, (_, i) => emulatedName(i));
  const identities = await machineIdentities(keys.authority(), "bench", names);
  const startedMs = performance.now();
  const startMaster = (): ChildProcess =>
    spawn(process.execPath, [...entryPoint(), "internal-master", "--data", data.path], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...MASTER_ENVIRONMENT, ...process.env },
    });
  let master = startMaster();
  const restartMaster = (): void => {
    master.kill("SIGKILL");
    master = startMaster();
  };
  const borglets = fork(new URL("./emulated-borglets.ts", import.meta.url), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") }, timeoutMs: 30_000 });
  const close = async (): Promise<void> => {
    client.close();
    borglets.kill("SIGKILL");
    master.kill("SIGKILL");
    await sleep(100);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const emulation: EmulationOptions = {
      link: data.socket("link"),
      identities,
      machines,
      lifeMs: lifeSeconds * 1000,
      ...(ports === undefined ? {} : { ports }),
    };
    borglets.send({ start: emulation });
    await untilLinked(client, machines);
    await client.setQuota({ requestId: "q", user: "bench", band: Band.BATCH, quota: { unlimited: true } });
    return { client, borglets, joinMs: Math.round(performance.now() - startedMs), socket: data.socket("api"), restartMaster, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function untilLinked(client: CellClient, machines: number): Promise<void> {
  for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(100)) {
    const view = await client.getCell({}).catch(() => undefined);
    if (view !== undefined && view.machinesReachable >= machines) return;
  }
  throw new Error(`Not all of ${machines} machines joined within ${READY_MS / 1000} s`);
}
