/**
 * What clients of a real cell with three masters were told, while masters and members of etcd die and hang, against the cell's journal: every answer is the outcome that
 * stands there, every confirmed read of every replica shows the state at its position, and one order explains all of it. The judge is the simulation's. HISTORY_ROUNDS says
 * how many faults; SEED which.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { EtcdKeys } from "../../src/daemon/etcd-keys.ts";
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { etcdUrls, replicasOf } from "../../src/daemon/replicas.ts";
import { type Call, History } from "../../src/fauxmaster/judge/history.ts";
import { replay } from "../../src/fauxmaster/judge/history-journal.ts";
import { explain, unexplained } from "../../src/fauxmaster/judge/job-model.ts";
import { type OpenJournal, openEtcdJournal } from "../../src/store/etcd-journal.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import type { JournalEntry } from "../../src/wire/journal.ts";
import { live } from "./recording-clients.ts";
import { ReplicatedCell } from "./replicated-cell.ts";

const ROUNDS = Number(process.env["HISTORY_ROUNDS"] ?? 2);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const CLIENTS = 4;
/** A process that is stopped is woken after this: the lease of a master ends meanwhile. */
const STOPPED_MS = 3500;
const CALM_MS = 1500;
const STATE_EVERY = 50;
const skip = etcdVersion() === undefined ? "no etcd here: Debian's etcd-server is not installed" : false;

type Fault = (cell: ReplicatedCell) => Promise<void>;

const stopped = async (cell: ReplicatedCell, names: readonly string[]): Promise<void> => {
  for (const name of names) cell.signal(name, "SIGSTOP");
  await sleep(STOPPED_MS);
  for (const name of names) cell.signal(name, "SIGCONT");
};

const FAULTS: Readonly<Record<string, Fault>> = {
  masterKilled: async (cell) => void cell.signal(`master-${await cell.leader()}`, "SIGKILL"),
  masterStopped: async (cell) => stopped(cell, [`master-${await cell.leader()}`]),
  etcdLeaderKilled: async (cell) => void cell.signal(`etcd-${await cell.etcdLeader()}`, "SIGKILL"),
  quorumStopped: (cell) => stopped(cell, ["etcd-1", "etcd-2"]),
};

/** Everything that lands, from the first entry on: the journal itself forgets what most replicas have snapshots of. */
function follow(cell: ReplicatedCell): { readonly entries: JournalEntry[]; readonly open: OpenJournal } {
  const entries: JournalEntry[] = [];
  const options = { urls: etcdUrls(cell.cell), tls: new EtcdKeys(cell.data).client(), cell: cell.name, name: "witness" };
  const open = openEtcdJournal({ ...options, replicas: replicasOf(cell.cell).length, disk: new MemoryDisk() }, (answer) => {
    if (answer.type === "followed") entries.push(answer.entry);
  });
  open.journal.follow(1);
  return { entries, open };
}

function verdict(entries: readonly JournalEntry[], history: History): readonly string[] {
  const replayed = replay(entries, history, STATE_EVERY);
  const jobs = unexplained(history, replayed).map(({ job, verdict: found }) => explain(job, found));
  return [...replayed.violations.map(({ id, text }) => `${id}: ${text}`), ...jobs];
}

describe("what clients of three replicas are told", { skip }, () => {
  let cell: ReplicatedCell;
  let entries: JournalEntry[];
  let open: OpenJournal;
  const history = new History(() => performance.now());

  before(async () => {
    cell = await ReplicatedCell.start();
    await cell.whole();
    ({ entries, open } = follow(cell));
  });
  after(async () => {
    open?.close();
    await cell?.close();
  });

  test(`is linearizable and what the journal says, through faults; SEED=${SEED} [KD1] [KD3] [KL1] [M2] [M3] [M7]`, async () => {
    const random = new Random(SEED, "faults");
    const ending = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, i) => live(cell, history, `c${i}`, new Random(SEED, `c${i}`), ending.signal));
    const names = Object.keys(FAULTS);
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(CALM_MS);
      await FAULTS[names[(round + random.int(0, names.length)) % names.length]!]!(cell);
      await cell.changeMs();
      await cell.whole();
    }
    ending.abort();
    await Promise.all(clients);
    const last = Math.max(...history.calls.map(({ heard }) => ("position" in heard ? heard.position : 0)));
    await cell.until("the journal to be read", () => (entries.at(-1)?.position ?? 0) >= last);
    const [done, reads] = [history.count("done"), history.count("read")];
    assert.ok(done >= 3 * ROUNDS && reads >= 3 * ROUNDS, `only ${done} changes and ${reads} reads of ${history.calls.length}`);
    assert.deepEqual(verdict(entries, history), []);
    process.stderr.write(`${ROUNDS} faults: ${done} changes done, ${reads} reads, ${history.count("gone")} without a final answer\n`);
  });

  test("would be found out: a read that shows an older state is no history of this journal [KD3]", () => {
    const confirmed = history.calls.filter(({ asked, heard }) => asked.method === "getCell" && heard.type === "read" && !asked.stale);
    const planted = stale(confirmed);
    assert.ok(planted !== undefined, "no two reads between which something was acknowledged");
    const { heard, returnedMs } = planted;
    planted.heard = confirmed[0]!.heard;
    assert.match(verdict(entries, history).join("\n"), /KD3: Call /);
    Object.assign(planted, { heard, returnedMs });
  });

  /** The last one; something was acknowledged between the first and it. */
  const stale = (reads: readonly Call[]): Call | undefined => {
    const [first, later] = [reads[0], reads.at(-1)];
    if (first === undefined || later === undefined || first.heard.type !== "read") return undefined;
    const { position } = first.heard;
    const isBetween = history.calls.some(
      ({ heard, returnedMs }) => heard.type === "done" && heard.position > position && returnedMs < later.invokedMs,
    );
    return isBetween ? later : undefined;
  };
});
