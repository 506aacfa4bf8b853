/**
 * How fast the embedded journal is on real files: durable appends through the worker thread, as the master uses it,
 * and recovery of a log. Figures are for a comparison on one machine; fsync dominates them.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FilesDisk } from "../src/store/files.ts";
import { FilesJournal } from "../src/store/files-journal.ts";
import { Log } from "../src/store/log.ts";
import type { JournalAnswer } from "../src/wire/journal.ts";
import { type Figures, percentile, rounded } from "./figures.ts";

const OP_BYTES = 100;
const OPS_PER_ENTRY = 1000;
const RECOVERY_BYTES = 100e6;

export interface StoreBenchArgs {
  /** Where to write; a directory of its own is made in it and removed. */
  readonly dir: string;
  /** For each of the append figures. */
  readonly seconds: number;
}

/** `grouped`: 1,000 ops an entry, one entry in flight; `single`: one op an entry; `piped`: one op an entry, 64 in flight. */
export async function benchStore({ dir, seconds }: StoreBenchArgs): Promise<Figures> {
  const base = join(dir, `bench-store-${process.pid}`);
  mkdirSync(base, { recursive: true });
  try {
    const grouped = await appends(join(base, "grouped"), seconds, OPS_PER_ENTRY, 1);
    const single = await appends(join(base, "single"), seconds, 1, 1);
    const piped = await appends(join(base, "piped"), seconds, 1, 64);
    const recovery = recoveries(join(base, "recovery"));
    return {
      groupedOpsPerSecond: Math.round(grouped.opsPerSecond),
      groupedP50Ms: rounded(grouped.p50Ms),
      groupedP99Ms: rounded(grouped.p99Ms),
      groupedMaxMs: rounded(grouped.maxMs),
      singleOpsPerSecond: Math.round(single.opsPerSecond),
      singleP50Ms: rounded(single.p50Ms),
      singleP99Ms: rounded(single.p99Ms),
      pipedOpsPerSecond: Math.round(piped.opsPerSecond),
      ...recovery,
    };
  } finally {
    rmSync(base, { recursive: true });
  }
}

interface AppendFigures {
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

async function appends(directory: string, seconds: number, opsPerEntry: number, inFlight: number): Promise<AppendFigures> {
  const payload = new Uint8Array(OP_BYTES * opsPerEntry).map((_, i) => i);
  const started: number[] = [];
  const tookMs: number[] = [];
  let term = 0;
  let next = 1;
  let finish: (() => void) | undefined;
  const send = () => {
    started.push(performance.now());
    journal.append(term, next++, payload);
  };
  const listener = (answer: JournalAnswer) => {
    if (answer.type === "not-appended" || answer.type === "not-leading") throw new Error(answer.reason);
    if (answer.type === "leading") {
      term = answer.term;
      for (let i = 0; i < inFlight; i++) send();
    }
    if (answer.type !== "appended") return;
    tookMs.push(performance.now() - started.shift()!);
    if (performance.now() < end) send();
    else if (started.length === 0) finish!();
  };
  const journal = await FilesJournal.open({ directory, cell: "bench" }, listener);
  const start = performance.now();
  const end = start + seconds * 1000;
  await new Promise<void>((resolve) => {
    finish = resolve;
    journal.lead();
  });
  const elapsed = (performance.now() - start) / 1000;
  await journal.close();
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => percentile(tookMs, share);
  return { opsPerSecond: (tookMs.length * opsPerEntry) / elapsed, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

/** Opening, and reading everything back as a starting master does, for a log of about 100 MB. */
function recoveries(directory: string): Figures {
  const disk = new FilesDisk(directory);
  const options = { cell: "bench", wall: Date.now };
  const log = Log.open(disk, options);
  log.lead();
  const payloads = Array.from({ length: 20 }, () => new Uint8Array(OP_BYTES * OPS_PER_ENTRY).map((_, i) => i * 7));
  while (log.last * OP_BYTES * OPS_PER_ENTRY < RECOVERY_BYTES) log.append(log.term, log.last + 1, payloads);
  const start = performance.now();
  const again = Log.open(disk, options);
  const opened = performance.now();
  let read = 0;
  for (let from = 1; from <= again.last; ) {
    const result = again.read(from, 2 ** 20);
    if (!result.ok) throw new Error(result.reason);
    for (const { payload } of result.value) read += payload.length;
    from += result.value.length;
  }
  const end = performance.now();
  disk.close();
  const mb = read / 1e6;
  return {
    recoveryMs: Math.round(opened - start),
    recoveryMBPerSecond: Math.round((mb * 1000) / (opened - start)),
    readingMBPerSecond: Math.round((mb * 1000) / (end - opened)),
  };
}
