/**
 * The Journal over a Log: the same code on the simulated disk and, in a worker thread, on the real one. Calls that
 * arrive before `defer` lets it work are one batch with one sync. It has no clock: whoever drives it calls `idle()`.
 */
import type { Result } from "../base/result.ts";
import type { Journal, JournalListener, Snapshot } from "../wire/journal.ts";
import type { Steps } from "./log/snapshot.ts";
import type { Log } from "./log.ts";

/** Beyond either bound an append is answered `unavailable` at once. */
export const QUEUE_ENTRIES_MAX = 10_000;
export const QUEUE_BYTES_MAX = 64 * 2 ** 20;
/** A follower gets history in pieces of this size, with other work between them. */
const FOLLOW_BYTES = 2 ** 20;
/** Snapshots that are saved or wait for it; one more is answered `snapshot-not-saved`. */
const SAVES_MAX = 3;

export interface LogJournalOptions {
  readonly log: Log;
  readonly listener: JournalListener;
  /** Runs `act` later, soon, and in the order of the calls. */
  readonly defer: (act: () => void) => void;
}

interface WaitingAppend {
  readonly term: number;
  readonly position: number;
  readonly payload: Uint8Array;
}

interface Save {
  readonly position: number;
  readonly steps: Steps<Result<void>>;
}

export class LogJournal implements Journal {
  readonly #log: Log;
  readonly #answer: JournalListener;
  readonly #defer: (act: () => void) => void;
  #queue: WaitingAppend[] = [];
  #queuedBytes = 0;
  /** The next position that the follower wants. */
  #follow: number | undefined;
  #pumping = false;
  /** The first of them is under way. */
  readonly #saves: Save[] = [];

  constructor({ log, listener, defer }: LogJournalOptions) {
    this.#log = log;
    this.#answer = listener;
    this.#defer = defer;
  }

  lead(): void {
    this.#defer(() => {
      const led = this.#log.lead();
      if (led.ok) this.#answer({ type: "leading", term: led.value, last: this.#log.last });
      else this.#answer({ type: "not-leading", reason: led.reason });
    });
  }

  append(term: number, position: number, payload: Uint8Array): void {
    if (this.#queue.length >= QUEUE_ENTRIES_MAX || this.#queuedBytes + payload.length > QUEUE_BYTES_MAX) {
      const reason = "Too many appends are waiting for the disk";
      this.#defer(() => this.#answer({ type: "not-appended", position, fault: "unavailable", reason }));
      return;
    }
    this.#queue.push({ term, position, payload });
    this.#queuedBytes += payload.length;
    if (this.#queue.length === 1) this.#defer(() => this.#flush());
  }

  /** Nobody else appends to this log, so what is durable now is all there is. */
  confirm(term: number): void {
    this.#defer(() => {
      const reason = this.#log.confirmProblem(term);
      if (reason === undefined) this.#answer({ type: "confirmed", term, position: this.#log.last });
      else this.#answer({ type: "not-confirmed", term, reason });
    });
  }

  read(from: number, bytesMax: number): void {
    this.#defer(() => {
      const read = this.#readLog(from, bytesMax);
      if (read.ok) this.#answer({ type: "entries", from, entries: read.value, last: this.#log.last });
      else this.#answer({ type: "not-read", from, reason: read.reason });
    });
  }

  follow(from: number): void {
    this.#follow = from;
    this.#schedulePump();
  }

  unfollow(): void {
    this.#follow = undefined;
  }

  /** Step by step, with appends between the steps. */
  saveSnapshot(snapshot: Snapshot): void {
    const { position } = snapshot;
    if (this.#saves.length >= SAVES_MAX) {
      const reason = "Other snapshots are being saved";
      this.#defer(() => this.#answer({ type: "snapshot-not-saved", position, reason }));
      return;
    }
    this.#saves.push({ position, steps: this.#log.savingSnapshot(snapshot) });
    if (this.#saves.length === 1) this.#defer(() => this.#save());
  }

  get isSaving(): boolean {
    return this.#saves.length > 0;
  }

  #save(): void {
    const [{ position, steps }] = this.#saves as [Save];
    const step = steps.next();
    if (step.done) {
      this.#saves.shift();
      if (step.value.ok) this.#log.trim();
      if (step.value.ok) this.#answer({ type: "snapshot-saved", position });
      else this.#answer({ type: "snapshot-not-saved", position, reason: step.value.reason });
    }
    if (this.#saves.length > 0) this.#defer(() => this.#save());
  }

  loadSnapshot(atMost: number): void {
    this.#defer(() => {
      const loaded = this.#log.loadSnapshot(atMost);
      if (loaded.ok) this.#answer({ type: "snapshot", snapshot: loaded.value });
      else this.#answer({ type: "snapshot-not-loaded", reason: loaded.reason });
    });
  }

  /** To be called when nothing was appended for IDLE_MARK_MS. */
  idle(): void {
    if (this.#queue.length === 0) this.#log.mark();
  }

  /** Commits everything that waits, in runs that follow on from each other. */
  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (let start = 0; start < queue.length; ) {
      let end = start + 1;
      while (end < queue.length && follows(queue[end - 1]!, queue[end]!)) end++;
      this.#commit(queue.slice(start, end));
      start = end;
    }
    this.#log.prepare();
    this.#schedulePump();
  }

  #commit(run: readonly WaitingAppend[]): void {
    const { term, position } = run[0]!;
    const payloads = run.map(({ payload }) => payload);
    const { appended, refusal } = this.#log.append(term, position, payloads);
    run.forEach((waiting, index) => {
      if (index < appended) this.#answer({ type: "appended", position: waiting.position });
      else this.#answer({ type: "not-appended", position: waiting.position, ...refusal! });
    });
  }

  #readLog(from: number, bytesMax: number): ReturnType<Log["read"]> {
    return this.#log.dead === undefined ? this.#log.read(from, bytesMax) : { ok: false, reason: this.#log.dead };
  }

  #schedulePump(): void {
    if (this.#follow === undefined || this.#pumping) return;
    this.#pumping = true;
    this.#defer(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#follow === undefined) return;
    const from = this.#follow;
    const read = this.#readLog(from, FOLLOW_BYTES);
    if (!read.ok) {
      this.#follow = undefined;
      this.#answer({ type: "not-read", from, reason: read.reason });
      return;
    }
    for (const entry of read.value) {
      // The listener may unfollow, or follow from somewhere else, while it is being told.
      if (this.#follow !== entry.position) break;
      this.#follow = entry.position + 1;
      this.#answer({ type: "followed", entry });
    }
    if (this.#follow !== undefined && this.#follow <= this.#log.last) this.#schedulePump();
  }
}

const follows = (a: WaitingAppend, b: WaitingAppend): boolean => a.term === b.term && a.position + 1 === b.position;
