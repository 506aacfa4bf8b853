/**
 * The journal's log over a Disk: fenced appends, snapshots, history. Synchronous; it answers and never throws once it
 * is open, except for our own bugs. One batch is in flight, and nothing is acknowledged before its sync succeeded.
 * After a failed write or sync the log is dead and says so for ever: whether such bytes are on the disk cannot be known,
 * and a second fsync would claim that they are. A full disk is no death: nothing was appended, and it works again with space.
 */
import { assert } from "../base/assert.ts";
import { type Disk, DiskError } from "../base/env.ts";
import { ok, type Result, refused } from "../base/result.ts";
import { type AppendFault, ENTRY_BYTES_MAX, type JournalEntry, type Snapshot } from "../wire/journal.ts";
import { UnusableError } from "./log/error.ts";
import { LogHistory } from "./log/history.ts";
import { SEAL_BYTES, type Tip } from "./log/record.ts";
import { type Cut, type Recovered, recover, usableSnapshot } from "./log/recovery.ts";
import { DEFAULT_RETENTION, type Retention, removable } from "./log/retention.ts";
import {
  checkCell,
  encodeHeader,
  makeSegment,
  removeIfThere,
  SEGMENT_BYTES,
  segmentBytesFor,
  segmentsOf,
  TEMPORARY,
} from "./log/segment.ts";
import { Snapshots, type Steps } from "./log/snapshot.ts";
import { LogWriter } from "./log/writer.ts";

/** Whoever drives a log calls `mark()` when nothing was appended for so long: until then the newest entries have no witness. */
export const IDLE_MARK_MS = 50;

export interface LogOptions {
  /** Name or id of the cell: a log of another cell is refused. Printable ASCII. */
  readonly cell: string;
  /** Wall clock: it stands in segment headers, and history is kept by it. */
  readonly wall: () => number;
  readonly segmentBytes?: number;
  readonly retention?: Retention;
}

/** The first `appended` payloads are durable; the others were not appended for the reason given. */
export interface Appended {
  readonly appended: number;
  readonly refusal?: { readonly fault: AppendFault; readonly reason: string };
}

const RENEW_BYTES = 2 ** 20;

const START = { position: 0, sequence: 0, term: 0, chain: 0 };

export class Log {
  /** What opening cut off, for the operator's log. None of it had been acknowledged. */
  readonly cut: Cut | undefined;
  /** Snapshot files that could not be used when the log was opened, in words. */
  readonly damagedSnapshots: readonly string[];
  readonly #disk: Disk;
  readonly #options: Required<LogOptions>;
  readonly #snapshots: Snapshots;
  readonly #writer: LogWriter;
  readonly #history: LogHistory;
  #dead: string | undefined;

  /** Throws DamagedError or UnusableError (exit with JOURNAL_DAMAGED_EXIT, the message says what to do), or DiskError. */
  static open(disk: Disk, options: LogOptions): Log {
    return new Log(disk, { segmentBytes: SEGMENT_BYTES, retention: DEFAULT_RETENTION, ...options });
  }

  /**
   * A log that begins behind a snapshot, as a restore makes it, where none is. Its first leader's term is above `term`. Cut off halfway it leaves a directory that
   * refuses to open: make it under another name first.
   */
  static beginBehind(disk: Disk, options: LogOptions, snapshot: Snapshot, term: number): Log {
    if (disk.list().length > 0) throw new UnusableError("Cannot begin a journal: there are files of another one");
    checkCell(options.cell);
    const saved = new Snapshots(disk, options.cell).save(snapshot);
    if (!saved.ok) throw new UnusableError(`Cannot begin a journal: ${saved.reason}`);
    firstSegment(disk, { segmentBytes: SEGMENT_BYTES, ...options }, { ...START, position: snapshot.position, term });
    return Log.open(disk, options);
  }

  private constructor(disk: Disk, options: Required<LogOptions>) {
    checkCell(options.cell);
    assert(options.segmentBytes >= segmentBytesFor(0), "A segment has to hold at least one record");
    this.#disk = disk;
    this.#options = options;
    this.#snapshots = new Snapshots(disk, options.cell);
    this.#history = new LogHistory(disk, options.cell);
    if (segmentsOf(disk.list()).length === 0) this.#begin();
    const segments = segmentsOf(disk.list());
    const { base, damaged } = usableSnapshot(this.#snapshots, segments[0]!.first);
    const recovered = recover(disk, options.cell, segments, base);
    this.#settle(recovered);
    this.cut = recovered.cut;
    this.damagedSnapshots = damaged;
    this.#writer = new LogWriter(disk, options, { ...recovered, size: Math.max(recovered.size, recovered.end + SEAL_BYTES) });
  }

  /** The newest durable position. */
  get last(): number {
    return this.#writer.tip.position;
  }

  /** The oldest position that can be read back. */
  get first(): number {
    return this.#writer.segments[0]!.first;
  }

  get term(): number {
    return this.#writer.tip.term;
  }

  /** Why this log answers nothing but `failed`, if it does. */
  get dead(): string | undefined {
    return this.#dead;
  }

  /** Raises the term above every one so far; the answer is the new term, durable. */
  lead(): Result<number> {
    const done = this.#write(() => {
      this.#writer.put("lead", this.term + 1);
      this.#writer.commit();
    });
    return done.ok ? ok(this.term) : done;
  }

  /** Appends payloads at `position`, `position` + 1, ... with one sync (one more where a segment ends). */
  append(term: number, position: number, payloads: readonly Uint8Array[]): Appended {
    for (const payload of payloads) assert(payload.length <= ENTRY_BYTES_MAX, "An entry is larger than ENTRY_BYTES_MAX");
    if (this.#dead !== undefined) return { appended: 0, refusal: { fault: "failed", reason: this.#dead } };
    const reason = this.#fenced(term, position);
    if (reason !== undefined) return { appended: 0, refusal: { fault: "fenced", reason } };
    const before = this.last;
    const done = this.#write(() => {
      for (const payload of payloads) this.#writer.put("entry", term, payload);
      this.#writer.commit();
    });
    if (done.ok) return { appended: payloads.length };
    return { appended: this.last - before, refusal: { fault: this.#dead === undefined ? "unavailable" : "failed", reason: done.reason } };
  }

  /** Why `term` does not lead this log; undefined when it does. */
  confirmProblem(term: number): string | undefined {
    return this.#dead ?? this.#termProblem(term);
  }

  /** Writes down that everything so far is acknowledged, unless the log says so already. Call it after IDLE_MARK_MS without an append. */
  mark(): Result<void> {
    if (this.#writer.lastKind !== "entry" && this.#writer.lastKind !== "lead") return ok(undefined);
    return this.#write(() => {
      this.#writer.put("mark", this.term);
      this.#writer.commit();
    });
  }

  /** Makes a piece of the next segment ready once this one is half full. Call it after appends, when nobody waits. */
  prepare(): Result<void> {
    return this.#write(() => this.#writer.prepare());
  }

  /** Entries from `from` on, at least one if there is one, until they hold `bytesMax` of payload. */
  read(from: number, bytesMax: number): Result<JournalEntry[]> {
    if (from < this.first) return refused(`Cannot read position ${from}: history begins at ${this.first}`);
    if (from > this.last) return ok([]);
    return this.#history.read(this.#writer.segments, from, this.last, bytesMax);
  }

  saveSnapshot(snapshot: Snapshot): Result<void> {
    const steps = this.savingSnapshot(snapshot);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** The same in steps that hold nobody up for long: anything else may be done between them. */
  *savingSnapshot(snapshot: Snapshot): Steps<Result<void>> {
    if (snapshot.position > this.last)
      return refused(`Cannot save a snapshot at position ${snapshot.position}: the log ends at ${this.last}`);
    const steps = this.#snapshots.saving(snapshot);
    for (;;) {
      let saved: Result<void> | undefined;
      const done = this.#write(() => {
        const step = steps.next();
        if (step.done) saved = step.value;
      });
      if (!done.ok) return done;
      if (saved !== undefined) return saved;
      yield;
    }
  }

  /** The newest intact snapshot at or before `atMost` that the log can be replayed from; undefined means: replay from position 1. */
  loadSnapshot(atMost: number): Result<Snapshot | undefined> {
    const passed: string[] = [];
    for (const position of this.#snapshots.positions()) {
      if (position > atMost) continue;
      const loaded = this.#snapshots.load(position);
      if (loaded.ok && this.first <= position + 1) return loaded;
      passed.push(loaded.ok ? `the log begins at position ${this.first}, after the snapshot at ${position}` : loaded.reason);
    }
    if (this.first === 1) return ok(undefined);
    const why = passed.length > 0 ? passed.join("; ") : "there is no snapshot";
    return refused(`Cannot load a snapshot at or before ${atMost}: history begins at ${this.first}, and ${why}`);
  }

  /** Removes the oldest segments beyond the retention that no kept snapshot needs; answers how many went. */
  trim(): Result<number> {
    const before = this.#writer.segments.length;
    const done = this.#write(() => {
      for (const segment of removable(this.#disk, this.#options, this.#writer.segments, this.#snapshots)) {
        // One at a time, durably: a power cut never leaves a hole in history.
        this.#disk.remove(segment.file);
        this.#disk.syncNames();
        this.#writer.dropOldest();
      }
    });
    this.#history.forget();
    return done.ok ? ok(before - this.#writer.segments.length) : done;
  }

  #fenced(term: number, position: number): string | undefined {
    const problem = this.#termProblem(term);
    if (problem !== undefined) return problem;
    if (position !== this.last + 1) return `Position ${position} is not the next one, ${this.last + 1}`;
    return undefined;
  }

  #termProblem(term: number): string | undefined {
    if (this.term === 0) return "Nobody has led this log yet";
    return term === this.term ? undefined : `Term ${term} is not the log's term ${this.term}`;
  }

  /** A first segment, if this directory never held a log. */
  #begin(): void {
    if (this.#snapshots.positions().length > 0) {
      throw new UnusableError(
        "Cannot open the journal: there are snapshots but no segments. Restore the segments from a replica or a backup",
      );
    }
    this.#removeUnfinished();
    firstSegment(this.#disk, this.#options, START);
  }

  /**
   * Performs the cut, and makes what was found durable by writing it into a new file that takes the old one's place. A mere sync would not do:
   * after kill -9 the pages may live in memory only, and after a failed sync in an earlier life the kernel takes them for clean and never
   * writes them. Writing them again in place would put acknowledged bytes at the mercy of the next power cut.
   */
  #settle({ cut, segments, lastKind, end, size }: Recovered): void {
    this.#removeUnfinished();
    for (const file of cut?.dropped ?? []) this.#disk.remove(file);
    this.#disk.syncNames();
    const [before, last] = [segments.at(-2), segments.at(-1)!];
    // Whether the seal before an empty segment is durable, nothing in that segment can tell.
    if (before !== undefined && lastKind === undefined)
      this.#renew(before.file, this.#disk.size(before.file), this.#disk.size(before.file));
    this.#renew(last.file, end, Math.max(size, end + SEAL_BYTES));
  }

  /** The first `end` bytes of a segment, and zeros up to `size`. */
  #renew(file: string, end: number, size: number): void {
    const temporary = `${file}${TEMPORARY}`;
    try {
      this.#disk.create(temporary, size);
      for (let at = 0; at < end; at += RENEW_BYTES)
        this.#disk.write(temporary, at, this.#disk.read(file, at, Math.min(RENEW_BYTES, end - at)));
    } catch (cause) {
      if (cause instanceof DiskError && cause.fault === "full") removeIfThere(this.#disk, temporary);
      throw cause;
    }
    this.#disk.sync(temporary);
    this.#disk.rename(temporary, file);
    this.#disk.syncNames();
  }

  #removeUnfinished(): void {
    for (const name of this.#disk.list()) if (name.endsWith(TEMPORARY)) this.#disk.remove(name);
  }

  /** Any fault but a full disk is the end of this log. */
  #write(act: () => void): Result<void> {
    if (this.#dead !== undefined) return refused(this.#dead);
    try {
      act();
      return ok(undefined);
    } catch (cause) {
      if (!(cause instanceof DiskError)) throw cause;
      this.#writer.abandon();
      if (cause.fault === "full") return refused(`The disk is full: ${cause.message}`);
      this.#dead = `The disk failed and this journal can no longer be trusted: ${cause.message}`;
      return refused(this.#dead);
    }
  }
}

function firstSegment(disk: Disk, { cell, wall, segmentBytes }: Omit<Required<LogOptions>, "retention">, before: Tip): void {
  makeSegment(disk, encodeHeader(cell, before, wall()), before.position + 1, (file) => disk.create(file, segmentBytes));
}
