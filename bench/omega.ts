/**
 * Several batch schedulers on one master (Omega §5): a cell of emulated machines on real links, a flood of batch jobs, K scheduler threads that plan on copies of
 * their own and commit concurrently. Placements per second, and how many claims met another one's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CellClient } from "../src/rpc/client.ts";
import { type Figures, rounded } from "./figures.ts";
import { startRig } from "./rig.ts";

export interface OmegaArgs {
  readonly schedulers: number;
  readonly machines: number;
  readonly tasks: number;
  readonly tasksPerJob: number;
}

const LIFE_SECONDS = 600;
const PLACED_MS = 300_000;
const SUBMITS_AT_ONCE = 32;

export async function benchOmega(args: OmegaArgs): Promise<Figures> {
  const rig = await startRig({ machines: args.machines, lifeSeconds: LIFE_SECONDS, batchSchedulers: args.schedulers });
  try {
    const { client } = rig;
    // Full to some nine tenths, so that schedulers meet.
    const size = Math.floor((args.machines * 64_000 * 0.9) / args.tasks);
    const jobs = Math.ceil(args.tasks / args.tasksPerJob);
    const startedMs = performance.now();
    const before = await client.getMaster({});
    await submitAll(client, jobs, args.tasksPerJob, size);
    await untilPlaced(client);
    const wallSeconds = (performance.now() - startedMs) / 1000;
    const after = await client.getMaster({});
    const batch = (await client.listSchedulers({})).schedulers.filter(({ name }) => name.startsWith("batch-"));
    const sum = (pick: (scheduler: (typeof batch)[number]) => number) => batch.reduce((total, each) => total + pick(each), 0);
    return {
      machines: args.machines,
      schedulers: args.schedulers,
      tasks: jobs * args.tasksPerJob,
      placed: sum((each) => each.placed),
      wallSeconds: rounded(wallSeconds),
      placementsPerSecond: Math.round(sum((each) => each.placed) / wallSeconds),
      transactions: sum((each) => each.transactions),
      conflictFraction: rounded(
        sum((each) => each.refused) /
          Math.max(
            sum((each) => each.claims),
            1,
          ),
        4,
      ),
      busynessMean: rounded(sum((each) => each.busyMs / Math.max(each.upMs, 1)) / batch.length, 3),
      firstWaitMs: rounded(
        sum((each) => each.firstWaitMs) /
          Math.max(
            sum((each) => each.firstClaims),
            1,
          ),
      ),
      firstWaitMsMax: Math.max(...batch.map((each) => each.firstWaitMsMax)),
      cpuMsPerTask: rounded((after.cpuMs - before.cpuMs) / (jobs * args.tasksPerJob), 3),
      longestStepMs: rounded(after.longestStepMs),
      rssMiB: rounded(after.rssBytes / 2 ** 20),
    };
  } finally {
    await rig.close();
  }
}

async function submitAll(client: CellClient, jobs: number, count: number, cpuMilli: number): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let i = next++; i < jobs; i = next++) {
      const task = { command: ["work"], limit: { cpuMilli, ramBytes: 2 ** 26 } };
      await client.submitJob({ requestId: `o${i}`, spec: { user: "bench", name: `o${i}`, count, priority: 100, task } });
    }
  };
  await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, one));
}

async function untilPlaced(client: CellClient): Promise<void> {
  for (const end = performance.now() + PLACED_MS; performance.now() < end; await sleep(50)) {
    if ((await client.getCell({})).pending === 0) return;
  }
  throw new Error(`Not all tasks were placed within ${PLACED_MS / 1000} s`);
}
