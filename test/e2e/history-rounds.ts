/**
 * What clients of a real cell with three masters were told, while faults befall it, against the cell's journal: every answer is the outcome that stands there, every confirmed
 * read of every replica shows the state at its position, and one order explains all of it. The judge is the simulation's. HISTORY_ROUNDS says how many rounds; SEED which.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { EtcdKeys } from "../../src/daemon/etcd-keys.ts";
import { etcdUrls, replicasOf } from "../../src/daemon/replicas.ts";
import { type Call, History } from "../../src/fauxmaster/judge/history.ts";
import { replay } from "../../src/fauxmaster/judge/history-journal.ts";
import { explain, unexplained } from "../../src/fauxmaster/judge/job-model.ts";
import { type OpenJournal, openEtcdJournal } from "../../src/store/etcd-journal.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import type { JournalEntry } from "../../src/wire/journal.ts";
import { live, read } from "./recording-clients.ts";
import type { ReplicatedCell } from "./replicated-cell.ts";

export const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const CLIENTS = 4;
/** What is stopped or cut off is so for this long: the lease of a master ends meanwhile. */
export const HELD_MS = 5000;
const CALM_MS = 1500;
const STATE_EVERY = 50;
/** Every so many rounds two faults of different kinds come at once. */
const TWO_EVERY = 3;

export type Fault<Cell> = (cell: Cell, random: Random) => Promise<void>;
/** By kind and name. */
export type Faults<Cell> = Readonly<Record<string, Readonly<Record<string, Fault<Cell>>>>>;

/** It may just have ended by another fault. */
function hit(cell: ReplicatedCell, name: string, signal: NodeJS.Signals): void {
  try {
    cell.signal(name, signal);
  } catch {}
}

async function stopped(cell: ReplicatedCell, names: readonly string[]): Promise<void> {
  for (const name of names) hit(cell, name, "SIGSTOP");
  await sleep(HELD_MS);
  for (const name of names) hit(cell, name, "SIGCONT");
}

export const PROCESS_FAULTS: Faults<ReplicatedCell>[string] = {
  masterKilled: async (cell) => hit(cell, `master-${await cell.leader()}`, "SIGKILL"),
  masterStopped: async (cell) => stopped(cell, [`master-${await cell.leader()}`]),
  etcdLeaderKilled: async (cell) => hit(cell, `etcd-${await cell.etcdLeader()}`, "SIGKILL"),
  quorumStopped: (cell) => stopped(cell, ["etcd-1", "etcd-2"]),
};

type Named<Cell> = readonly [string, Fault<Cell>];

/** One kind after the other, and of each kind all before one comes again. */
function chosen<Cell>(faults: Faults<Cell>, round: number, random: Random): readonly Named<Cell>[] {
  const order = new Random(SEED, "faults");
  const kinds = Object.values(faults).map((kind): readonly Named<Cell>[] => order.shuffle(Object.entries(kind)));
  const kind = kinds[round % kinds.length]!;
  const first = kind[Math.floor(round / kinds.length) % kind.length]!;
  const others = kinds.filter((each) => each !== kind).flat();
  return round % TWO_EVERY === TWO_EVERY - 1 && others.length > 0 ? [first, random.pick(others)] : [first];
}

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

/** The last one; something was acknowledged between the first and it. */
function stale(history: History, reads: readonly Call[]): Call | undefined {
  const [first, later] = [reads[0], reads.at(-1)];
  if (first === undefined || later === undefined || first.heard.type !== "read") return undefined;
  const { position } = first.heard;
  const isBetween = history.calls.some(
    ({ heard, returnedMs }) => heard.type === "done" && heard.position > position && returnedMs < later.invokedMs,
  );
  return isBetween ? later : undefined;
}

export interface Plan<Cell> {
  readonly start: () => Promise<Cell>;
  readonly faults: Faults<Cell>;
  /** If HISTORY_ROUNDS does not say. */
  readonly rounds: number;
  readonly skip: string | false;
}

export function describeHistory<Cell extends ReplicatedCell>(name: string, { start, faults, rounds, skip }: Plan<Cell>): void {
  const all = Number(process.env["HISTORY_ROUNDS"] ?? rounds);

  describe(name, { skip }, () => {
    let cell: Cell;
    let entries: JournalEntry[];
    let open: OpenJournal;
    const history = new History(() => performance.now());

    before(async () => {
      cell = await start();
      await cell.whole();
      ({ entries, open } = follow(cell));
    });
    after(async () => {
      open?.close();
      await cell?.close();
    });

    test(`is linearizable and what the journal says, through faults; SEED=${SEED} [KD1] [KD3] [KL1]`, async (t) => {
      const ending = new AbortController();
      const clients = [
        ...Array.from({ length: CLIENTS }, (_, i) => live(cell, history, `c${i}`, new Random(SEED, `c${i}`), ending.signal)),
        ...replicasOf(cell.cell).map((replica) => read(cell, history, replica, new Random(SEED, `r${replica}`), ending.signal)),
      ];
      for (let round = 0; round < all; round++) {
        await sleep(CALM_MS);
        const random = new Random(SEED, `round ${round}`);
        const now = chosen(faults, round, random);
        t.diagnostic(`round ${round}: ${now.map(([name]) => name).join(" and ")}`);
        await Promise.all(now.map(([, fault]) => fault(cell, random)));
        await cell.changeMs();
        await cell.whole();
      }
      ending.abort();
      await Promise.all(clients);
      const last = Math.max(...history.calls.map(({ heard }) => ("position" in heard ? heard.position : 0)));
      await cell.until("the journal to be read", () => (entries.at(-1)?.position ?? 0) >= last);
      const [done, reads] = [history.count("done"), history.count("read")];
      assert.ok(done >= 3 * all && reads >= 3 * all, `only ${done} changes and ${reads} reads of ${history.calls.length}`);
      assert.deepEqual(verdict(entries, history), []);
      process.stderr.write(`${all} rounds: ${done} changes done, ${reads} reads, ${history.count("gone")} without a final answer\n`);
    });

    test("would be found out: a read that shows an older state is no history of this journal [KD3]", () => {
      const confirmed = history.calls.filter(({ asked, heard }) => asked.method === "getCell" && heard.type === "read" && !asked.stale);
      const planted = stale(history, confirmed);
      assert.ok(planted !== undefined, "no two reads between which something was acknowledged");
      const { heard, returnedMs } = planted;
      planted.heard = confirmed[0]!.heard;
      assert.match(verdict(entries, history).join("\n"), /KD3: Call /);
      Object.assign(planted, { heard, returnedMs });
    });
  });
}
