/**
 * Looks into the journal of a master that runs: reads its files up to a position that is known to be durable, and changes nothing. What stands up to there
 * never changes; but rotation may take a file away meanwhile, and then it is refused, and may be tried again.
 */
import type { Disk } from "../../base/env.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { JournalEntry, Snapshot } from "../../wire/journal.ts";
import { LogHistory } from "./history.ts";
import { segmentsOf } from "./segment.ts";
import { Snapshots } from "./snapshot.ts";

const READ_BYTES = 2 ** 20;

/** Gives `take` the newest usable snapshot at or before `last`, if there is one, and then every entry behind it up to `last`. */
export function lookInto(
  disk: Disk,
  cell: string,
  last: number,
  take: { readonly snapshot: (found: Snapshot) => Result<void>; readonly entry: (entry: JournalEntry) => Result<void> },
): Result<void> {
  const segments = segmentsOf(disk.list());
  const oldest = segments[0]?.first ?? Number.POSITIVE_INFINITY;
  const base = newestSnapshot(new Snapshots(disk, cell), oldest, last);
  if (!base.ok) return base;
  const begun = base.value === undefined ? ok(undefined) : take.snapshot(base.value);
  if (!begun.ok) return begun;
  const history = new LogHistory(disk, cell);
  for (let at = base.value?.position ?? 0; at < last; ) {
    const read = history.read(segments, at + 1, last, READ_BYTES);
    if (!read.ok) return read;
    for (const entry of read.value) {
      const taken = take.entry(entry);
      if (!taken.ok) return taken;
      at = entry.position;
    }
    if (read.value.length === 0) return refused(`Cannot read position ${at + 1}: nothing is there`);
  }
  return ok(undefined);
}

function newestSnapshot(snapshots: Snapshots, oldest: number, last: number): Result<Snapshot | undefined> {
  const passed: string[] = [];
  for (const position of snapshots.positions()) {
    if (position > last || position + 1 < oldest) continue;
    const loaded = snapshots.load(position);
    if (loaded.ok) return loaded;
    passed.push(loaded.reason);
  }
  if (oldest === 1) return ok(undefined);
  return refused(
    `Cannot read the journal from its beginning: ${passed.join("; ") || `history begins at ${oldest} and no snapshot reaches it`}`,
  );
}
