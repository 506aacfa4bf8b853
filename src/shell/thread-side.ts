/** The inside of a worker thread: takes letters, says what it took, and sends its own to the main thread, which knows where they go. */
import { flushCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";
import type { Address } from "../base/env.ts";
import type { Log } from "./log.ts";
import { Bundle, type FromThread, LETTER_BYTES, type Letter, type ToThread } from "./thread.ts";

/** Taken bytes are reported in lots, or after a while: one report a letter would cost as much as the letter. */
const REPORT_BYTES = 256 * 1024;
const REPORT_MS = 1000;

export interface ThreadSide {
  /** `patienceMs`: how long it may be held, because nobody waits for it. */
  send(from: Address, to: Address, body: unknown, bytes?: number, patienceMs?: number): void;
  readonly log: Log;
  ready(detail?: unknown): void;
  /** Ends the whole process. */
  fail(reason: string, exitCode?: number): void;
}

export interface ThreadEars {
  readonly onLetter: (letter: Letter) => void;
  readonly onStop: () => void | Promise<void>;
}

/**
 * Node keeps compiled code for the next start when a process ends by itself, as whoever it is then. Ours are often killed, and may not write any more at
 * their end, so they keep it as soon as all is loaded: that is half of what a start costs.
 */
export const keepCompiled = (): void => flushCompileCache();

/** Call once. It begins when it is told to, so that its process can load everything before it gives up rights. */
export function openThread(makeEars: (side: ThreadSide) => ThreadEars): void {
  const port = parentPort;
  if (port === null) throw new Error("This file is the inside of a worker thread");
  const post = (message: FromThread): void => port.postMessage(message);
  const bundle = new Bundle((letters) => post({ type: "letters", letters }));
  const side: ThreadSide = {
    send: (from, to, body, bytes = 0, patienceMs = 0) => bundle.add({ from, to, body, bytes: bytes + LETTER_BYTES }, patienceMs),
    log: (line, more) => post({ type: "log", line, more }),
    ready: (detail) => post({ type: "ready", detail }),
    fail: (reason, exitCode = 70) => post({ type: "failed", reason, exitCode }),
  };
  let ears: ThreadEars | undefined;
  let takenBytes = 0;
  let reportTimer: NodeJS.Timeout | undefined;
  const report = (): void => {
    clearTimeout(reportTimer);
    reportTimer = undefined;
    post({ type: "taken", bytes: takenBytes });
    takenBytes = 0;
  };
  port.on("message", (message: ToThread) => {
    if (message.type === "begin") {
      ears ??= makeEars(side);
      return;
    }
    if (message.type === "stop") {
      bundle.flush();
      void Promise.resolve(ears?.onStop()).finally(() => process.exit());
      return;
    }
    for (const letter of message.letters) {
      ears?.onLetter(letter);
      takenBytes += letter.bytes;
    }
    if (takenBytes >= REPORT_BYTES) report();
    else reportTimer ??= setTimeout(report, REPORT_MS).unref();
  });
  keepCompiled();
  post({ type: "loaded" });
}
