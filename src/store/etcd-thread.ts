/**
 * A replica's journal and lock as its main thread sees them: calls go to the store thread, answers come back to the listener. A store thread that fails ends the
 * process: nothing that was acknowledged is in it.
 */
import { Worker } from "node:worker_threads";
import type { Journal, JournalAnswer, Snapshot, Space } from "../wire/journal.ts";
import type { LockQuestion, LockVerdict } from "./etcd/lock.ts";
import type { ReplicaStoreOptions, StoreReply, StoreRequest } from "./etcd-thread-message.ts";
import { unpackEntries } from "./files/message.ts";

export interface StoreEvents {
  readonly onAnswer: (answer: JournalAnswer) => void;
  readonly onLock: (verdict: LockVerdict, sequence: number) => void;
  readonly onDiverged: (reason: string) => void;
  readonly onFailed: (reason: string) => void;
}

/** How the journal in etcd looks to this replica, as of the last second. */
export interface StoreState {
  readonly space: Space;
  readonly ageMs: number | undefined;
}

export class EtcdThread implements Journal {
  readonly #worker: Worker;
  readonly #events: StoreEvents;
  #state: StoreState = { space: { level: "fine", reason: "" }, ageMs: undefined };
  #isClosing = false;

  /** Its code is loaded then, and nothing is open: the process may still change who it is. */
  static async load(events: StoreEvents, workerUrl = new URL("./etcd-thread-worker.ts", import.meta.url)): Promise<EtcdThread> {
    const thread = new EtcdThread(new Worker(workerUrl), events);
    await thread.#first("loaded");
    return thread;
  }

  private constructor(worker: Worker, events: StoreEvents) {
    this.#worker = worker;
    this.#events = events;
  }

  async open(options: ReplicaStoreOptions): Promise<void> {
    const opened = this.#first("opened");
    this.#post({ type: "open", options });
    await opened;
    const fail = (reason: string): void => {
      if (!this.#isClosing) this.#events.onFailed(reason);
    };
    this.#worker.on("message", (reply: StoreReply) => this.#onReply(reply));
    this.#worker.on("error", (cause: unknown) => fail(`The store thread failed: ${cause instanceof Error ? cause.stack : String(cause)}`));
    this.#worker.on("exit", () => fail("The store thread ended"));
  }

  get state(): StoreState {
    return this.#state;
  }

  lead(): void {
    this.#post({ type: "lead" });
  }

  append(term: number, position: number, payload: Uint8Array): void {
    const own = payload.slice();
    this.#post({ type: "append", term, position, payload: own }, own.buffer);
  }

  confirm(term: number): void {
    this.#post({ type: "confirm", term });
  }

  read(from: number, bytesMax: number): void {
    this.#post({ type: "read", from, bytesMax });
  }

  follow(from: number): void {
    this.#post({ type: "follow", from });
  }

  unfollow(): void {
    this.#post({ type: "unfollow" });
  }

  saveSnapshot({ position, payload }: Snapshot): void {
    const isOwn = payload.length === payload.buffer.byteLength;
    const own = isOwn ? (payload as Uint8Array<ArrayBuffer>) : payload.slice();
    this.#post({ type: "save-snapshot", snapshot: { position, payload: own } }, own.buffer);
  }

  loadSnapshot(atMost: number): void {
    this.#post({ type: "load-snapshot", atMost });
  }

  acquire(question: LockQuestion, sequence: number): void {
    this.#post({ type: "acquire", question, sequence });
  }

  depose(): void {
    this.#post({ type: "depose" });
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#post({ type: "close" });
    await exited;
  }

  #onReply(reply: StoreReply): void {
    if (reply.type === "answer") this.#events.onAnswer(reply.answer);
    else if (reply.type === "packed") {
      const { from, last } = reply;
      this.#events.onAnswer({ type: "entries", from, entries: unpackEntries(from, reply.entries), last });
    } else if (reply.type === "lock") this.#events.onLock(reply.verdict, reply.sequence);
    else if (reply.type === "state") this.#state = { space: reply.space, ageMs: reply.ageMs };
    else if (reply.type === "diverged") this.#events.onDiverged(reply.reason);
  }

  #first(wanted: "loaded" | "opened"): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.once("error", reject);
      this.#worker.once("message", (reply: StoreReply) => {
        this.#worker.off("error", reject);
        if (reply.type === wanted) resolve();
        else reject(new Error(reply.type === "refused" ? reply.reason : `Expected "${wanted}" of the store thread, found "${reply.type}"`));
      });
    });
  }

  #post(request: StoreRequest, ...transfer: ArrayBuffer[]): void {
    this.#worker.postMessage(request, transfer);
  }
}
