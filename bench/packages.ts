/**
 * One package to many machines: a real cell, a job on every machine that names it. How long until all have it, and how often each byte left the master,
 * counted by the kernel for the whole master process. Then what a package that is there adds to a start.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdCompressSync } from "node:zlib";
import { headerOf, paddingAfter, TAR_END } from "../src/archive/tar-writer.ts";
import { entryPoint } from "../src/cli/entry-point.ts";
import { DataDirectory, newCellId } from "../src/daemon/data.ts";
import { Keys } from "../src/daemon/keys.ts";
import { machineShares } from "../src/daemon/machine-share.ts";
import { MASTER_ENVIRONMENT } from "../src/daemon/master-environment.ts";
import { firstPortOf } from "../src/daemon/port-slots.ts";
import { type CellClient, connectCell } from "../src/rpc/client.ts";
import { freePort } from "../test/e2e/real-cell.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { untilUp } from "./real-cell.ts";
import { startOne } from "./start.ts";

const HOST = "127.0.0.1";
const PIECE_BYTES = 2 ** 20;
const THERE_MS_MAX = 900_000;
const LOOK_MS = 100;
/** Starts of each kind, in turns. */
const STARTS = 15;

export async function benchPackages(machines: number, bytes: number, directory: string): Promise<Figures> {
  const data = new DataDirectory(mkdtempSync(join(directory, "borg-bench-packages-")));
  const port = await freePort();
  data.writeCell({ cell: "bench", id: newCellId(), owner: "bench", host: HOST, port, linkPort: port + 1, machines });
  const shares = machineShares(machines, data.path, firstPortOf(data.readCell()!));
  await new Keys(data, "bench").prepare(
    [HOST],
    shares.map(({ machine }) => machine),
    Date.now(),
  );
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...entryPoint(), ...args, "--data", data.path], {
      stdio: ["ignore", "ignore", "ignore"],
      env: args[0] === "internal-master" ? { ...MASTER_ENVIRONMENT, ...process.env } : process.env,
    });
  const master = start("internal-master");
  const borglets = shares.map((share) => start("internal-borglet", "--share", JSON.stringify(share)));
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") }, timeoutMs: 35_000 });
  try {
    await untilUp(client, machines);
    const packed = await push(client, bytes);
    const before = writtenBy(master);
    const allThereMs = await everywhere(client, machines, packed.digest);
    const masterBytes = writtenBy(master) - before;
    const starts = await startTimes(client, packed.digest);
    return {
      machines,
      packageBytes: packed.bytes,
      allThereMs,
      masterBytes,
      timesLeftMaster: rounded(masterBytes / packed.bytes),
      ...starts,
    };
  } finally {
    client.close();
    for (const borglet of borglets) borglet.kill("SIGUSR2");
    await sleep(8000);
    for (const child of [...borglets, master]) child.kill("SIGKILL");
    await sleep(500);
    rmSync(data.path, { recursive: true, force: true });
  }
}

/** Of bytes that nothing makes smaller. */
async function push(client: CellClient, size: number): Promise<{ readonly digest: string; readonly bytes: number }> {
  const contents = randomFillSync(Buffer.alloc(size));
  const header = headerOf({ path: "data", type: "file", executable: false, size, target: "" });
  const packed = zstdCompressSync(Buffer.concat([header, contents, paddingAfter(size), TAR_END]));
  const [digest, bytes] = [createHash("sha256").update(packed).digest("hex"), packed.length];
  for (let offset = 0, kept = false; !kept; ) {
    const sent = await client.uploadPackage({ digest, bytes, offset, data: packed.subarray(offset, offset + PIECE_BYTES) });
    ({ kept, received: offset } = sent);
  }
  await client.addPackage({ requestId: "package", user: "bench", name: "big", digest, bytes });
  return { digest, bytes };
}

async function everywhere(client: CellClient, machines: number, digest: string): Promise<number> {
  const startedMs = performance.now();
  const task = {
    command: ["/bin/sleep", "100000"],
    limit: { cpuMilli: 1, ramBytes: 2 ** 24 },
    packages: [{ name: "big", version: digest }],
  };
  await client.submitJob({ requestId: "everywhere", spec: { user: "bench", name: "everywhere", perMachine: true, task } });
  while (performance.now() - startedMs < THERE_MS_MAX) {
    const { packages } = await client.listPackages({ user: "bench" });
    if (packages.some((each) => each.machines === machines)) return Math.round(performance.now() - startedMs);
    await sleep(LOOK_MS);
  }
  throw new Error(`Not all ${machines} machines had the package within ${THERE_MS_MAX / 1000} s`);
}

async function startTimes(client: CellClient, version: string): Promise<Figures> {
  const [without, present]: [number[], number[]] = [[], []];
  for (let i = 0; i < STARTS; i++) {
    without.push(await startOne(client, `without-${i}`));
    present.push(await startOne(client, `with-${i}`, [{ name: "big", version }]));
  }
  return { startWithoutP50Ms: rounded(percentile(without, 0.5)), startWithP50Ms: rounded(percentile(present, 0.5)) };
}

/** What all its threads wrote, to sockets and files. */
function writtenBy({ pid }: ChildProcess): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
