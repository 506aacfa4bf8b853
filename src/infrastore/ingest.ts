/**
 * Follows the feed of the cell and writes its history down, each event once. It goes on where the manifest stands. Where the feed begins anew (a master that
 * started again keeps no old items), the events between are read from the cell's own log of them; what that has no more is written down as a gap, never passed over.
 */
import type { ReadEventsResponse, ReadFeedResponse } from "../wire/gen/borg/v1/api_pb.ts";
import { type FeedRecords, RemovedKind } from "../wire/gen/borg/v1/feed_pb.ts";
import type { History } from "./history.ts";
import { eventRow, isNoise, RecordRows } from "./rows.ts";
import { CELL_OWNER, type Placed } from "./tables.ts";

/** What is asked of the cell. */
export interface FeedSource {
  readonly readFeed: (request: { readonly from: number; readonly more: string; readonly waitMs: number }) => Promise<ReadFeedResponse>;
  readonly readEvents: (request: {
    readonly afterPosition: number;
    readonly afterIndex: number;
    readonly limit: number;
  }) => Promise<ReadEventsResponse>;
}

export interface IngestOptions {
  readonly source: FeedSource;
  readonly history: History;
  readonly now: () => number;
  readonly waitMs?: number;
  /** Rows that wait this long are written. */
  readonly patienceMs?: number;
  readonly rowsMax?: number;
}

const WAIT_MS = 5_000;
const PATIENCE_MS = 10_000;
/** So many rows are written at once. When they cannot be written, the feed is not asked for more: its items wait in the cell. */
const ROWS_MAX = 50_000;
/** Rows from elsewhere that come when so many batches wait already are left out: nobody could be made to wait for them. */
const BATCHES_WAITING_MAX = 4;
const PAGE_EVENTS = 1000;
/** After every event of an entry. */
const LAST_INDEX = 2 ** 32 - 1;

export class Ingest {
  readonly #options: IngestOptions;
  readonly #records = new RecordRows();
  #waiting: Placed[] = [];
  /** Of the last entry whose events wait or are written. */
  #position: number;
  #more = "";
  #oldestMs = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#position = options.history.position;
  }

  get position(): number {
    return this.#position;
  }

  /** Rows that are not on the disk yet. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Rows from elsewhere: they go with the next batch. Answers how many had to be left out. */
  add(rows: readonly Placed[]): number {
    const room = Math.max(0, BATCHES_WAITING_MAX * (this.#options.rowsMax ?? ROWS_MAX) - this.#waiting.length);
    this.#wait(rows.slice(0, room));
    return Math.max(0, rows.length - room);
  }

  #wait(rows: readonly Placed[]): void {
    if (this.#waiting.length === 0) this.#oldestMs = this.#options.now();
    for (const row of rows) this.#waiting.push(row);
  }

  /** Asks the feed once. Answers whether it had something to tell. */
  async step(): Promise<boolean> {
    // What a full disk refused goes first.
    await this.#writeIfDue();
    const from = this.#position + (this.#position === 0 && this.#more === "" ? 0 : 1);
    const page = await this.#options.source.readFeed({ from, more: this.#more, waitMs: this.#options.waitMs ?? WAIT_MS });
    const rows: Placed[] = page.anew ? await this.#between(this.#position, page.next - 1) : [];
    const after = page.anew ? page.next - 1 : this.#position;
    for (const item of page.items) if (item.position > after) rows.push(...this.#item(item));
    for (const record of page.piece) rows.push(...this.#records.of(record, { position: page.next - 1, timeMs: page.timeMs }));
    // Only now: what threw before is asked for again.
    this.#wait(rows);
    this.#position = page.next - 1;
    this.#more = page.more;
    await this.#writeIfDue();
    return page.anew || page.items.length + page.piece.length > 0;
  }

  #item({ position, timeMs, events, records, removed }: FeedRecords): Placed[] {
    for (const { kind, id } of removed) {
      if (kind === RemovedKind.JOB) this.#records.forget("job", id);
      else if (kind === RemovedKind.MACHINE) this.#records.forget("machine", id);
    }
    const told = events.filter((event) => !isNoise(event)).map(eventRow);
    return [...told, ...records.flatMap((record) => this.#records.of(record, { position, timeMs }))];
  }

  /** Events of the entries after `after`, up to `last`. */
  async #between(after: number, last: number): Promise<Placed[]> {
    const rows: Placed[] = [];
    let [afterPosition, afterIndex] = after === 0 ? [1, 0] : [after, LAST_INDEX];
    while (afterPosition <= last) {
      const page = await this.#options.source.readEvents({ afterPosition, afterIndex, limit: PAGE_EVENTS });
      const events = page.events.flatMap(({ event }) => (event === undefined ? [] : [event]));
      if (page.missed && last > 0) rows.push(gapRow(afterPosition, events[0]?.position ?? page.nextPosition, this.#options.now()));
      rows.push(...events.filter((event) => event.position <= last && !isNoise(event)).map(eventRow));
      if (events.length === 0 && !page.missed) break;
      [afterPosition, afterIndex] = [page.nextPosition, page.nextIndex];
    }
    return rows;
  }

  async #writeIfDue(): Promise<void> {
    const { now, patienceMs = PATIENCE_MS, rowsMax = ROWS_MAX } = this.#options;
    if (this.#waiting.length >= rowsMax || (this.#waiting.length > 0 && now() - this.#oldestMs >= patienceMs)) await this.write();
  }

  /** Everything that waits, and how far it tells. In the middle of a whole cell it cannot be said how far. */
  write(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    // Whoever asked is told of a failure. The next write is not kept from trying.
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write(): Promise<void> {
    const { history } = this.#options;
    if (this.#more !== "" || (this.#waiting.length === 0 && history.position === this.#position)) return;
    const rows = this.#waiting;
    const position = this.#position;
    this.#waiting = [];
    try {
      await history.add(rows, position);
    } catch (error) {
      // The feed does not tell them again: they wait before those that came meanwhile.
      this.#waiting = [...rows, ...this.#waiting];
      throw error;
    }
  }
}

const gapRow = (after: number, upTo: number, timeMs: number): Placed => ({
  table: "gaps",
  owner: CELL_OWNER,
  timeMs,
  row: [after, upTo, timeMs],
});
