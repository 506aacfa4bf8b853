/** How long a user waits: submit to running, over one-task jobs one after the other, on a real cell with a real borglet, packages present. */
import type { CellClient } from "../src/rpc/client.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { openRealCell } from "./real-cell.ts";

const WAIT_MS = 30_000;

export async function benchStart(jobs: number): Promise<Figures> {
  const cell = await openRealCell("start");
  try {
    const times: number[] = [];
    for (let i = 0; i < jobs; i++) times.push(await startOne(cell.client, `job-${i}`));
    const at = (share: number): number => rounded(percentile(times, share));
    return { jobs, p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) };
  } finally {
    await cell.close();
  }
}

/** Waits by the change feed, as `borg submit --wait` does. Each job goes before the next comes, so that the machine stays empty. */
export async function startOne(
  client: CellClient,
  name: string,
  packages: readonly { readonly name: string; readonly version: string }[] = [],
): Promise<number> {
  const startedMs = performance.now();
  const task = { command: ["/bin/sleep", "1000"], limit: { cpuMilli: 10, ramBytes: 2 ** 24 }, packages: [...packages] };
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
