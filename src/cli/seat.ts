/** Where somebody sits who uses a shell: keys one by one, a screen with a size; or pipes. Tests give their own; `processSeat` is the real one. */
import { Buffer } from "node:buffer";

export interface Seat {
  /** Keys and screen are a terminal's. */
  readonly isTerminal: boolean;
  /** What kind of terminal. */
  readonly kind: string;
  size(): { readonly rows: number; readonly columns: number };
  /** From now on every key is told as it is; undefined: nothing more will come. */
  listen(heard: (bytes: Uint8Array | undefined) => void, resized: () => void): void;
  write(bytes: Uint8Array, isError: boolean): Promise<void>;
  /** The terminal is what it was. */
  leave(): void;
}

export function processSeat(): Seat {
  const { stdin, stdout, stderr, env } = process;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  let resizes: (() => void) | undefined;
  return {
    isTerminal,
    kind: env["TERM"] ?? "dumb",
    size: () => ({ rows: stdout.rows ?? 24, columns: stdout.columns ?? 80 }),
    listen: (heard, resized) => {
      if (isTerminal) stdin.setRawMode(true);
      stdin.on("data", (piece: Buffer | string) => heard(Buffer.from(piece)));
      stdin.once("end", () => heard(undefined));
      resizes = resized;
      stdout.on("resize", resized);
    },
    write: (bytes, isError) => {
      const stream = isError ? stderr : stdout;
      return new Promise((done) => (stream.write(bytes) ? done() : stream.once("drain", done)));
    },
    leave: () => {
      if (isTerminal) stdin.setRawMode(false);
      if (resizes !== undefined) stdout.off("resize", resizes);
      stdin.removeAllListeners("data");
      stdin.pause();
      stdin.unref?.();
    },
  };
}
