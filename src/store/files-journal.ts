/**
 * The embedded cell's Journal as the main thread sees it: calls go to a worker thread, answers come back to the
 * listener. When the worker is gone, every call that waits and every later one is answered `failed` or its like.
 */
import { Worker } from "node:worker_threads";
import { assert } from "../base/assert.ts";
import type { Journal, JournalAnswer, JournalListener, Snapshot } from "../wire/journal.ts";
import { type FilesOptions, type Opened, type Reply, type Request, unpackEntries } from "./files/message.ts";
import { QUEUE_BYTES_MAX, QUEUE_ENTRIES_MAX } from "./log-journal.ts";

/** A caller that has so many calls unanswered does not listen: that is a bug, and the process stops. */
const CALLS_MAX = 10 * QUEUE_ENTRIES_MAX;

/** The journal could not be opened. With an `exitCode` it is damaged or foreign: exit with it, the message says what to do. */
export class JournalRefusedError extends Error {
  readonly exitCode: number | undefined;

  constructor(reason: string, exitCode: number | undefined) {
    super(reason);
    this.exitCode = exitCode;
  }
}

/** A call that the worker has not answered yet. */
interface Call {
  readonly answeredBy: readonly JournalAnswer["type"][];
  /** What to say if the worker never answers. */
  readonly failed: (reason: string) => JournalAnswer;
}

interface AppendCall {
  readonly position: number;
  readonly bytes: number;
  /** Why it never went to the worker; its answer waits for those before it. */
  readonly refused: string | undefined;
}

export class FilesJournal implements Journal {
  readonly opened: Opened;
  readonly #worker: Worker;
  readonly #listener: JournalListener;
  readonly #calls: Call[] = [];
  readonly #appends: AppendCall[] = [];
  #appendBytes = 0;
  #dead: string | undefined;
  /** Under which this handle leads; 0 when it does not, or has asked to lead anew. */
  #term = 0;
  /** The last position that is known to be durable. */
  #last = 0;

  static async open(options: FilesOptions, listener: JournalListener): Promise<FilesJournal> {
    return (await JournalThread.load()).open(options, listener);
  }

  constructor(worker: Worker, listener: JournalListener, opened: Opened) {
    this.#worker = worker;
    this.#listener = listener;
    this.opened = opened;
    worker.on("message", (reply: Reply) => this.#onReply(reply));
    worker.on("error", (cause: unknown) => this.#die(`The journal's thread failed: ${String(cause)}`));
    worker.on("exit", () => this.#die("The journal is closed"));
  }

  lead(): void {
    this.#term = 0;
    this.#call({ type: "lead" }, { answeredBy: ["leading", "not-leading"], failed: (reason) => ({ type: "not-leading", reason }) });
  }

  append(term: number, position: number, payload: Uint8Array): void {
    if (this.#dead !== undefined) {
      this.#later({ type: "not-appended", position, fault: "failed", reason: this.#dead });
      return;
    }
    assert(this.#appends.length < CALLS_MAX, "Too many unanswered appends");
    const full = this.#appends.length >= QUEUE_ENTRIES_MAX || this.#appendBytes + payload.length > QUEUE_BYTES_MAX;
    this.#appends.push({
      position,
      bytes: full ? 0 : payload.length,
      refused: full ? "Too many appends are waiting for the disk" : undefined,
    });
    if (full) return;
    this.#appendBytes += payload.length;
    const own = payload.slice();
    this.#post({ type: "append", term, position, payload: own }, own.buffer);
  }

  /** The directory is open in this process alone, so what is known here is the truth: no word to the worker. */
  confirm(term: number): void {
    if (this.#dead === undefined && term === this.#term && term > 0) this.#later({ type: "confirmed", term, position: this.#last });
    else this.#later({ type: "not-confirmed", term, reason: this.#dead ?? `Term ${term} does not lead this journal` });
  }

  read(from: number, bytesMax: number): void {
    const failed = (reason: string): JournalAnswer => ({ type: "not-read", from, reason });
    this.#call({ type: "read", from, bytesMax }, { answeredBy: ["entries", "not-read"], failed });
  }

  follow(from: number): void {
    if (this.#dead === undefined) this.#post({ type: "follow", from });
    else this.#later({ type: "not-read", from, reason: this.#dead });
  }

  unfollow(): void {
    this.#post({ type: "unfollow" });
  }

  saveSnapshot({ position, payload }: Snapshot): void {
    const isOwn = payload.length === payload.buffer.byteLength;
    const own = isOwn ? (payload as Uint8Array<ArrayBuffer>) : payload.slice();
    const failed = (reason: string): JournalAnswer => ({ type: "snapshot-not-saved", position, reason });
    const request: Request = { type: "save-snapshot", snapshot: { position, payload: own } };
    this.#call(request, { answeredBy: ["snapshot-saved", "snapshot-not-saved"], failed }, own.buffer);
  }

  loadSnapshot(atMost: number): void {
    const failed = (reason: string): JournalAnswer => ({ type: "snapshot-not-loaded", reason });
    this.#call({ type: "load-snapshot", atMost }, { answeredBy: ["snapshot", "snapshot-not-loaded"], failed });
  }

  /** Finishes what was asked, says in the log that it is acknowledged, and ends the thread. */
  async close(): Promise<void> {
    if (this.#dead !== undefined) return;
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#post({ type: "close" });
    await exited;
  }

  #call(request: Request, call: Call, ...transfer: ArrayBuffer[]): void {
    if (this.#dead !== undefined) {
      this.#later(call.failed(this.#dead));
      return;
    }
    assert(this.#calls.length < CALLS_MAX, "Too many unanswered calls to the journal");
    this.#calls.push(call);
    this.#post(request, ...transfer);
  }

  #post(request: Request, ...transfer: ArrayBuffer[]): void {
    this.#worker.postMessage(request, transfer);
  }

  #later(answer: JournalAnswer): void {
    queueMicrotask(() => this.#listener(answer));
  }

  #onReply(reply: Reply): void {
    if (reply.type === "packed") {
      this.#onAnswer({ type: "entries", from: reply.from, entries: unpackEntries(reply.from, reply.entries), last: reply.last });
    } else if (reply.type === "answer") {
      this.#onAnswer(reply.answer);
    }
  }

  /** Calls of one kind are answered in call order; a `not-read` that no read waits for is the follower's. */
  #onAnswer(answer: JournalAnswer): void {
    if (answer.type === "appended" || answer.type === "not-appended") {
      this.#appendBytes -= this.#appends.shift()!.bytes;
    } else {
      const index = this.#calls.findIndex(({ answeredBy }) => answeredBy.includes(answer.type));
      if (index >= 0) this.#calls.splice(index, 1);
    }
    this.#learn(answer);
    this.#listener(answer);
    this.#answerRefused();
  }

  #learn(answer: JournalAnswer): void {
    if (answer.type === "leading") {
      this.#term = answer.term;
      this.#last = answer.last;
    } else if (answer.type === "appended") this.#last = answer.position;
  }

  #answerRefused(): void {
    for (let head = this.#appends[0]; head?.refused !== undefined; head = this.#appends[0]) {
      this.#appends.shift();
      this.#listener({ type: "not-appended", position: head.position, fault: "unavailable", reason: head.refused });
    }
  }

  #die(reason: string): void {
    if (this.#dead !== undefined) return;
    this.#dead = reason;
    for (const { position } of this.#appends.splice(0)) this.#listener({ type: "not-appended", position, fault: "failed", reason });
    for (const { failed } of this.#calls.splice(0)) this.#listener(failed(reason));
  }
}

const ignore = (): void => {};

/** The worker with its code loaded and no file opened yet: its process may still change who it is. */
export class JournalThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** `workerUrl` names the worker's file where it is not beside this one (a bundle). */
  static async load(workerUrl = new URL("./files/worker.ts", import.meta.url)): Promise<JournalThread> {
    // A write beyond the file-size limit then fails with EFBIG, which the disk reports as full; unhandled it would end the process.
    if (!process.listeners("SIGXFSZ").includes(ignore)) process.on("SIGXFSZ", ignore);
    const worker = new Worker(workerUrl);
    await firstReply(worker);
    return new JournalThread(worker);
  }

  async open(options: FilesOptions, listener: JournalListener): Promise<FilesJournal> {
    const first = firstReply(this.#worker);
    this.#worker.postMessage({ type: "open", options } satisfies Request);
    const reply = await first;
    if (reply.type === "opened") return new FilesJournal(this.#worker, listener, reply.opened);
    const isRefused = reply.type === "refused";
    throw new JournalRefusedError(isRefused ? reply.reason : `Unexpected ${reply.type}`, isRefused ? reply.exitCode : undefined);
  }
}

function firstReply(worker: Worker): Promise<Reply> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (reply: Reply) => {
      worker.off("error", reject);
      resolve(reply);
    });
  });
}
