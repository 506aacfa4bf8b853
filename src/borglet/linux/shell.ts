/**
 * One shell in a task: a process with a terminal or with pipes, and a conversation in pieces. Input has offsets, so that what is sent twice is typed once; output is
 * kept until it was seen. A shell that nobody uses ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { IPty } from "@lydell/node-pty";
import { make } from "../../wire/codec.ts";
import { type ShellSaid, ShellSaidSchema, type ShellUse } from "../../wire/gen/borg/v1/link_pb.ts";
import { KEPT_BYTES, ShellStream } from "./shell-stream.ts";
import { SHIM_ENVIRONMENT } from "./shim.ts";

type Answer = (said: ShellSaid) => void;

interface Ended {
  readonly code: number;
  readonly signal: string;
}

/** A process of either kind. */
interface Door {
  /** Bytes that were written and that it has not read. */
  readonly unread: number;
  write(bytes: Uint8Array): void;
  /** Nothing more is typed. */
  close(): void;
  resize(rows: number, columns: number): void;
  setFlowing(output: boolean, errors: boolean): void;
  end(): void;
}

interface Heard {
  output(piece: Uint8Array): void;
  errors(piece: Uint8Array): void;
  ended(how: Ended): void;
}

/** ^D, as a terminal tells that nothing more is typed. */
const END_OF_INPUT = Uint8Array.of(4);
const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export class Shell {
  readonly instance: string;
  readonly #output = new ShellStream();
  readonly #errors = new ShellStream();
  #door: Door | undefined;
  #ended: Ended | undefined;
  #taken = 0;
  #waiting: { readonly answer: Answer; readonly timer: NodeJS.Timeout } | undefined;
  #usedMs = performance.now();

  constructor(instance: string) {
    this.instance = instance;
  }

  static async begin(instance: string, words: readonly string[], use: ShellUse): Promise<Shell> {
    const shell = new Shell(instance);
    const heard: Heard = {
      output: (piece) => shell.#heard(shell.#output, piece),
      errors: (piece) => shell.#heard(shell.#errors, piece),
      ended: (how) => shell.#over(how),
    };
    shell.#door = use.terminal ? await onTerminal(words, use, heard) : onPipes(words, heard);
    return shell;
  }

  /** How long nobody has used it. */
  get idleMs(): number {
    return this.#waiting === undefined ? performance.now() - this.#usedMs : 0;
  }

  use(use: ShellUse, answer: Answer): void {
    this.#usedMs = performance.now();
    this.#output.seen(use.outputSeen);
    this.#errors.seen(use.errorsSeen);
    this.#flow();
    if (use.close) this.end();
    else this.#type(use);
    if (this.#hasNews || use.waitMs === 0) return answer(this.#said());
    // Whoever asks again does not listen to the first answer any more.
    this.#answer();
    this.#waiting = { answer, timer: setTimeout(() => this.#answer(), use.waitMs) };
  }

  end(): void {
    this.#door?.end();
  }

  #type({ input, inputAt, inputEnded, terminal, rows, columns }: ShellUse): void {
    if (this.#ended !== undefined) return;
    if (terminal && rows > 0 && columns > 0) this.#door?.resize(rows, columns);
    const known = this.#taken - inputAt;
    // What it does not read stays with whoever types it.
    if (known < 0 || known > input.length || (this.#door?.unread ?? 0) >= KEPT_BYTES) return;
    const fresh = input.subarray(known);
    if (fresh.length > 0) this.#door?.write(fresh);
    this.#taken += fresh.length;
    if (inputEnded) this.#door?.close();
  }

  get #hasNews(): boolean {
    return !this.#output.isEmpty || !this.#errors.isEmpty || this.#ended !== undefined;
  }

  #said(): ShellSaid {
    const [output, errors] = [this.#output.next(), this.#errors.next()];
    const isLast = this.#ended !== undefined && output.data.length + errors.data.length === 0;
    return make(ShellSaidSchema, {
      output: output.data,
      outputAt: output.at,
      errors: errors.data,
      errorsAt: errors.at,
      inputTaken: this.#taken,
      ...(isLast ? { ended: true, ...this.#ended } : {}),
    });
  }

  #heard(stream: ShellStream, piece: Uint8Array): void {
    stream.add(piece);
    this.#flow();
    this.#answer();
  }

  #flow(): void {
    this.#door?.setFlowing(!this.#output.isFull, !this.#errors.isFull);
  }

  #over(how: Ended): void {
    this.#ended ??= how;
    this.#answer();
  }

  #answer(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    this.#usedMs = performance.now();
    waiting.answer(this.#said());
  }
}

async function onTerminal(words: readonly string[], { rows, columns, kind }: ShellUse, heard: Heard): Promise<Door> {
  const { spawn: spawnOnTerminal } = await import("@lydell/node-pty");
  const [program = "", ...rest] = words;
  const size = { rows: rows || 24, cols: columns || 80 };
  const options = { name: kind || "dumb", ...size, cwd: "/", env: { ...SHIM_ENVIRONMENT }, encoding: null };
  const terminal: IPty = spawnOnTerminal(program, rest, options);
  // Its types know of texts alone, and not of its socket; it hands on whatever it is given.
  const { _socket: socket } = terminal as unknown as { readonly _socket: { readonly writableLength: number } };
  const type = (bytes: Uint8Array): void => terminal.write(Buffer.from(bytes) as unknown as string);
  let isFlowing = true;
  terminal.onData((piece) => heard.output(Buffer.from(piece)));
  terminal.onExit(({ exitCode, signal }) => heard.ended({ code: exitCode, signal: NAMES.get(signal ?? 0) ?? "" }));
  return {
    get unread() {
      return socket.writableLength;
    },
    write: (bytes) => type(bytes),
    close: () => type(END_OF_INPUT),
    resize: (toRows, toColumns) => {
      if (toRows !== terminal.rows || toColumns !== terminal.cols) terminal.resize(toColumns, toRows);
    },
    setFlowing: (output) => {
      if (output !== isFlowing) (output ? terminal.resume : terminal.pause).call(terminal);
      isFlowing = output;
    },
    end: () => endGroup(terminal.pid),
  };
}

function onPipes(words: readonly string[], heard: Heard): Door {
  const [program = "", ...rest] = words;
  const child: ChildProcess = spawn(program, rest, { cwd: "/", env: { ...SHIM_ENVIRONMENT }, detached: true, stdio: "pipe" });
  child.stdout?.on("data", (piece: Buffer) => heard.output(piece));
  child.stderr?.on("data", (piece: Buffer) => heard.errors(piece));
  // Whoever does not read its input is no reason to fail.
  child.stdin?.on("error", () => {});
  child.on("error", (error) => {
    heard.errors(Buffer.from(`${error.message}\n`));
    heard.ended({ code: 255, signal: "" });
  });
  child.on("close", (code, signal) => heard.ended({ code: code ?? 0, signal: signal ?? "" }));
  return {
    get unread() {
      return child.stdin?.writableLength ?? 0;
    },
    write: (bytes) => void child.stdin?.write(bytes),
    close: () => void child.stdin?.end(),
    resize: () => {},
    setFlowing: (output, errors) => {
      if (output) child.stdout?.resume();
      else child.stdout?.pause();
      if (errors) child.stderr?.resume();
      else child.stderr?.pause();
    },
    end: () => endGroup(child.pid),
  };
}

/** It leads a session of its own. The jail's first process of it goes, and all inside with it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
