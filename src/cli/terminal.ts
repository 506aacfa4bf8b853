/** What a command sees of the terminal it was typed into. Tests give their own; `processTerminal` is the real one. */
import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "./config.ts";
import { printable } from "./text/safe.ts";

export interface Terminal {
  readonly cwd: string;
  readonly env: Environment;
  /** Somebody watches standard output as it comes: redraw, truncate, take care of escapes. */
  readonly live: boolean;
  readonly colour: boolean;
  /** Undefined: lines may be as long as they want. */
  readonly columns: number | undefined;
  print(text: string): void;
  complain(text: string): void;
  /** Bytes as they are; resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** All of standard input, as text; for secrets that must not be seen on a command line. */
  input(): Promise<string>;
  /** A value that nobody may see: typed without being shown, or all of standard input, up to one byte more than `bytesMax`. */
  secret(question: string, bytesMax: number): Promise<Uint8Array>;
  /** One line from whoever sits there; undefined when nobody does. */
  ask(question: string): Promise<string | undefined>;
  now(): number;
  /** Ends early, without an error, when the signal says so. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted by Ctrl-C. From the first call on, Ctrl-C no longer ends the process by itself. */
  interrupted(): AbortSignal;
}

/** More is not read: what is asked for is short. */
const INPUT_LENGTH_MAX = 65_536;
/** Narrower terminals are drawn as if they had this many columns. */
const COLUMNS_MIN = 40;

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  // `borg ls | head` closes the pipe early, which is no fault.
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 70));
  const live = stdout.isTTY === true;
  let interrupt: AbortController | undefined;
  return {
    cwd: process.cwd(),
    env,
    live,
    colour: live && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    get columns() {
      return live ? Math.max(stdout.columns || 80, COLUMNS_MIN) : undefined;
    },
    print: (text) => void stdout.write(printable(text)),
    complain: (text) => void stderr.write(printable(text)),
    write: (bytes) => new Promise((done) => (stdout.write(bytes) ? done() : stdout.once("drain", done))),
    input: async () => {
      let text = "";
      for await (const chunk of process.stdin.setEncoding("utf8")) if (text.length < INPUT_LENGTH_MAX) text += chunk as string;
      return text;
    },
    secret: async (question, bytesMax) => (await import("./secret-input.ts")).readSecret(process.stdin, stderr, question, bytesMax),
    ask: async (question) => {
      if (!live || process.stdin.isTTY !== true) return undefined;
      const lines = (await import("node:readline/promises")).createInterface({ input: process.stdin, output: stdout });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    now: () => Date.now(),
    sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
    interrupted: () => {
      if (interrupt === undefined) {
        const controller = new AbortController();
        interrupt = controller;
        // The second Ctrl-C ends a command that does not listen.
        process.on("SIGINT", () => (controller.signal.aborted ? process.exit(130) : controller.abort()));
      }
      return interrupt.signal;
    },
  };
}
