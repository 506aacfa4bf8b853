/**
 * A worker thread of a process, as its main thread sees it. Letters between threads are plain objects whose large parts are byte arrays; they are
 * packed and unpacked by the rooms that own them. What is under way is counted: a thread that does not keep up ends the process, with a clear
 * line, before memory does it without one.
 */

import { Worker } from "node:worker_threads";
import type { Address } from "../base/env.ts";
import type { Log, LogMore } from "./log.ts";

/** Bytes on their way to one thread that it has not taken yet. */
const BEHIND_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes that are held because nobody waits for them; with more they go. */
const HELD_BYTES_MAX = 1024 * 1024;
/** Counted for every letter beside its byte arrays. */
export const LETTER_BYTES = 256;

export interface Letter {
  readonly from: Address;
  readonly to: Address;
  readonly body: unknown;
  readonly bytes: number;
}

export type FromThread =
  /** Its code is there; it does nothing before it is told to begin. */
  | { readonly type: "loaded" }
  | { readonly type: "letters"; readonly letters: readonly Letter[] }
  | { readonly type: "taken"; readonly bytes: number }
  | { readonly type: "ready"; readonly detail: unknown }
  | { readonly type: "log"; readonly line: string; readonly more: LogMore | undefined }
  | { readonly type: "failed"; readonly reason: string; readonly exitCode: number };

export type ToThread =
  | { readonly type: "begin" }
  | { readonly type: "letters"; readonly letters: readonly Letter[] }
  | { readonly type: "stop" };

export interface ThreadEvents {
  readonly onLetter: (letter: Letter) => void;
  readonly onLog: Log;
  /** The thread is of no use any more; the process must end with this code. */
  readonly onFailed: (reason: string, exitCode: number) => void;
}

/**
 * Letters of one turn of the event loop go together: to wake a thread costs more than to write to it. One that nobody waits for is held until somebody
 * waits for another, which goes after it, or until its patience ends.
 */
export class Bundle {
  readonly #send: (letters: readonly Letter[]) => void;
  #letters: Letter[] = [];
  #bytes = 0;
  /** It goes when this turn ends. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (letters: readonly Letter[]) => void) {
    this.#send = send;
  }

  add(letter: Letter, patienceMs = 0): void {
    this.#letters.push(letter);
    this.#bytes += letter.bytes;
    if (this.#isDue) return;
    if (patienceMs > 0 && this.#bytes < HELD_BYTES_MAX) {
      this.#timer ??= setTimeout(() => this.flush(), patienceMs);
      return;
    }
    this.#isDue = true;
    setImmediate(() => this.flush());
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    const letters = this.#letters;
    this.#letters = [];
    this.#bytes = 0;
    if (letters.length > 0) this.#send(letters);
  }
}

export class Thread {
  readonly name: string;
  /** Resolves when its code is loaded. */
  readonly loaded: Promise<void>;
  /** Resolves with what the thread says once it can work; it must have been told to begin. */
  readonly ready: Promise<unknown>;
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #bundle = new Bundle((letters) => this.#worker.postMessage({ type: "letters", letters } satisfies ToThread));
  #behindBytes = 0;
  #stopping = false;

  constructor(name: string, url: URL, data: unknown, events: ThreadEvents) {
    this.name = name;
    this.#events = events;
    this.#worker = new Worker(url, { workerData: data, name });
    const [ready, loaded] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
    this.ready = ready.promise;
    this.loaded = loaded.promise;
    this.#worker.on("message", (message: FromThread) => {
      if (message.type === "ready") ready.resolve(message.detail);
      else if (message.type === "loaded") loaded.resolve();
      else this.#onMessage(message);
    });
    this.#worker.on("error", (error: unknown) =>
      this.#fail(`Thread "${name}" failed: ${error instanceof Error ? error.stack : String(error)}`),
    );
    this.#worker.on("exit", () => this.#fail(`Thread "${name}" ended`));
  }

  get behindBytes(): number {
    return this.#behindBytes;
  }

  begin(): void {
    this.#worker.postMessage({ type: "begin" } satisfies ToThread);
  }

  /** `patienceMs`: how long it may be held, because nobody waits for it. */
  post(letter: Letter, patienceMs = 0): void {
    if (this.#stopping) return;
    this.#behindBytes += letter.bytes;
    if (this.#behindBytes > BEHIND_BYTES_MAX) return this.#fail(`Thread "${this.name}" is ${this.#behindBytes} bytes behind`);
    this.#bundle.add(letter, patienceMs);
  }

  /** Lets the thread finish what it has to, for at most `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#bundle.flush();
    this.#stopping = true;
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.postMessage({ type: "stop" } satisfies ToThread);
    const timer = setTimeout(() => void this.#worker.terminate(), withinMs);
    await exited;
    clearTimeout(timer);
  }

  #onMessage(message: Exclude<FromThread, { type: "ready" | "loaded" }>): void {
    if (message.type === "letters") for (const letter of message.letters) this.#events.onLetter(letter);
    else if (message.type === "taken") this.#behindBytes -= message.bytes;
    else if (message.type === "log") this.#events.onLog(message.line, message.more);
    else this.#fail(message.reason, message.exitCode);
  }

  #fail(reason: string, exitCode = 70): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#events.onFailed(reason, exitCode);
  }
}
