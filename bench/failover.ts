/**
 * How long a cell with three masters takes no changes when something of it dies: three replicas, a real etcd with three members, running tasks, one fault after the
 * other. Each round also looks whether everything acknowledged is there on every replica, whether a task was touched, and whether an old master was obeyed.
 * The times are those of this computer with whatever else it does: `loadMax` says how much that was.
 */
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { replicasOf } from "../src/daemon/replicas.ts";
import { instancePids } from "../test/e2e/real-cell.ts";
import { ReplicatedCell } from "../test/e2e/replicated-cell.ts";
import { type Figures, percentile, rounded } from "./figures.ts";

export interface FailoverArgs {
  readonly rounds: number;
  readonly tasks: number;
}

interface Counts {
  lost: number;
  touched: number;
  obeyed: number;
}

/** How long etcd is without its majority. */
const NO_QUORUM_MS = 5000;

type Fault = (cell: ReplicatedCell, counts: Counts) => Promise<number>;

const masterOf = async (cell: ReplicatedCell): Promise<string> => `master-${await cell.leader()}`;
const etcdOf = async (cell: ReplicatedCell): Promise<string> => `etcd-${await cell.etcdLeader()}`;

function killed(...named: readonly ((cell: ReplicatedCell) => Promise<string>)[]): Fault {
  return async (cell) => {
    const names = await Promise.all(named.map((name) => name(cell)));
    for (const name of names) cell.signal(name, "SIGKILL");
    return cell.changeMs();
  };
}

/** An etcd member that does not lead the others. */
const follower = async (cell: ReplicatedCell): Promise<string> => {
  const leader = await cell.etcdLeader();
  return `etcd-${replicasOf(cell.cell).find((member) => member !== leader)}`;
};

/** It hangs, another takes over, and it wakes up with a change that somebody has sent to it meanwhile. */
const stopped: Fault = async (cell, counts) => {
  const leader = await cell.leader();
  cell.signal(`master-${leader}`, "SIGSTOP");
  const tookMs = await cell.changeMs();
  const asked = cell.tryChange(cell.freshUser(), leader);
  cell.signal(`master-${leader}`, "SIGCONT");
  if ((await asked) === undefined) counts.obeyed += 1;
  return tookMs;
};

const FAULTS: Readonly<Record<string, Fault>> = {
  master: killed(masterOf),
  masterStopped: stopped,
  etcdMember: killed(follower),
  etcdLeader: killed(etcdOf),
  both: killed(masterOf, etcdOf),
};

export async function benchFailover({ rounds, tasks }: FailoverArgs): Promise<Figures> {
  const cell = await ReplicatedCell.start();
  try {
    const pids = await cell.sleepers(tasks);
    const counts: Counts = { lost: 0, touched: 0, obeyed: 0 };
    const figures: Record<string, number> = {};
    let loadMax = 0;
    const look = async (): Promise<void> => {
      loadMax = Math.max(loadMax, loadavg()[0]!);
      await cell.whole();
      for (const replica of replicasOf(cell.cell)) counts.lost += (await cell.lost(replica)).length;
      const now = instancePids(cell.name);
      counts.touched += [...pids].filter(([instance, pid]) => now.get(instance) !== pid).length;
    };
    for (const [name, fault] of Object.entries(FAULTS)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await look();
        times.push(await fault(cell, counts));
        process.stderr.write(`${name} ${round + 1}: ${Math.round(times.at(-1)!)} ms\n`);
      }
      Object.assign(figures, told(name, times));
    }
    Object.assign(figures, await withoutQuorum(cell, rounds, look));
    await look();
    const wrong = { acknowledgedLost: counts.lost, tasksTouched: counts.touched, oldMasterObeyed: counts.obeyed };
    return { tasks: pids.size, rounds, loadMax: rounded(loadMax, 1), ...figures, ...wrong };
  } finally {
    await cell.close();
  }
}

async function withoutQuorum(cell: ReplicatedCell, rounds: number, look: () => Promise<void>): Promise<Figures> {
  const [refused, back]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await look();
    const members = replicasOf(cell.cell).slice(round % 2, (round % 2) + 2);
    const begin = performance.now();
    for (const member of members) cell.signal(`etcd-${member}`, "SIGSTOP");
    await cell.until("a refusal in words", async () =>
      /etcd does not answer/.test((await cell.tryChange(cell.freshUser()))?.message ?? ""),
    );
    refused.push(performance.now() - begin);
    await sleep(NO_QUORUM_MS);
    for (const member of members) cell.signal(`etcd-${member}`, "SIGCONT");
    back.push(await cell.changeMs());
    process.stderr.write(
      `quorum ${round + 1}: refused after ${Math.round(refused.at(-1)!)} ms, back after ${Math.round(back.at(-1)!)} ms\n`,
    );
  }
  return { ...told("quorumRefused", refused), ...told("quorumBack", back) };
}

const told = (name: string, times: readonly number[]): Figures => ({
  [`${name}P50Ms`]: rounded(percentile(times, 0.5), 0),
  [`${name}MaxMs`]: rounded(percentile(times, 1), 0),
});
