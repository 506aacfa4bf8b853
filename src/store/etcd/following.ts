/**
 * Everything that is durable, from a position on, in order and without gap. Positions decide, never revisions: a watch is only told where to begin by
 * the read before it, and one that breaks, skips or falls silent is followed by another read from the position that is next. [KD6]
 */
import { assert } from "../../base/assert.ts";
import type { Result } from "../../base/result.ts";
import type { JournalAnswer } from "../../wire/journal.ts";
import { decodeTermed, type Head, type Keys } from "./keys.ts";
import type { Etcd, WatchEvent } from "./port.ts";
import { type Page, readPage } from "./reading.ts";

const PAGE_BYTES = 2 ** 20;

export class Following {
  readonly #etcd: Etcd;
  readonly #keys: Keys;
  readonly #tell: (answer: JournalAnswer) => void;
  #next: number | undefined;
  /** Answers to what an earlier follow asked are nobody's. */
  #round = 0;
  #isReading = false;
  #endWatch: (() => void) | undefined;
  /** Read again at once after a watch ended: once between two ticks, so that a broken etcd is not asked all the time. */
  #readSinceTick = false;
  /** Where it stood when the head was looked at last, if it was behind then. */
  #behindAt: number | undefined;
  #freshMs: number | undefined;

  constructor(etcd: Etcd, keys: Keys, tell: (answer: JournalAnswer) => void) {
    this.#etcd = etcd;
    this.#keys = keys;
    this.#tell = tell;
  }

  /** When it was last known to have everything, on the clock that `saw` is called with; undefined: never yet. */
  get freshMs(): number | undefined {
    return this.#freshMs;
  }

  get isOn(): boolean {
    return this.#next !== undefined;
  }

  begin(from: number): void {
    this.end();
    this.#next = from;
    this.#catchUp();
  }

  end(): void {
    this.#round += 1;
    this.#next = undefined;
    this.#behindAt = undefined;
    this.#stopWatch();
    this.#isReading = false;
  }

  /** The head as a read told it that was begun at `askedMs`. Behind twice at the same place: the watch tells nothing, so the entries are read. */
  saw(head: Result<Head>, askedMs: number): void {
    this.#readSinceTick = false;
    if (this.#next === undefined || !head.ok) return;
    const isBehind = head.value.position >= this.#next;
    if (!isBehind) this.#freshMs = askedMs;
    if (this.#endWatch === undefined || (isBehind && this.#behindAt === this.#next)) this.#catchUp();
    this.#behindAt = isBehind ? this.#next : undefined;
  }

  #stopWatch(): void {
    this.#endWatch?.();
    this.#endWatch = undefined;
  }

  #catchUp(): void {
    if (this.#isReading || this.#next === undefined) return;
    this.#stopWatch();
    this.#isReading = true;
    const round = this.#round;
    readPage(this.#etcd, this.#keys, this.#next, PAGE_BYTES, (page) => {
      if (round !== this.#round) return;
      this.#isReading = false;
      if (page.type === "page") this.#onPage(page, round);
      else if (page.type === "gone") this.#gone(page.reason);
    });
  }

  /** What a listener is told may make it end this. */
  #onPage(page: Page & { readonly type: "page" }, round: number): void {
    for (const entry of page.entries) {
      if (round !== this.#round) return;
      assert(entry.position === this.#next, "A page has a gap");
      this.#next = entry.position + 1;
      this.#tell({ type: "followed", entry });
    }
    if (round !== this.#round || this.#next === undefined) return;
    if (this.#next <= page.last) this.#catchUp();
    else this.#endWatch = this.#etcd.watch(this.#keys.entriesFrom(this.#next), page.revision + 1, (event) => this.#onEvent(event, round));
  }

  #onEvent(event: WatchEvent, round: number): void {
    if (round !== this.#round || this.#next === undefined) return;
    if (event.type === "ended") {
      this.#endWatch = undefined;
      if (this.#readSinceTick) return;
      this.#readSinceTick = true;
      this.#catchUp();
      return;
    }
    const entry = decodeTermed(event.entry);
    if (entry.position < this.#next) return;
    if (entry.position > this.#next) return this.#catchUp();
    this.#next = entry.position + 1;
    this.#tell({ type: "followed", entry });
  }

  #gone(reason: string): void {
    const from = this.#next as number;
    this.end();
    this.#tell({ type: "not-read", from, reason });
  }
}
