/** A shell in a task from the page's side: what is typed goes out in order and once, what it writes comes as it is written. Ends with the shell, the task or the page. */
import { ENDED, Refused, type Session } from "../session.ts";

const WAIT_MS = 8000;
/** What the shell does not read is offered again after this. */
const UNREAD_MS = 200;
const RETRY_MS = 1000;
const RETRIES_MAX = 5;
const INPUT_BYTES = 32_768;
/** Typed and not read; what is typed then is not taken. */
const TYPED_MAX = 262_144;

interface Said {
  readonly output?: string;
  readonly outputAt?: number;
  readonly inputTaken?: number;
  readonly ended?: boolean;
  readonly code?: number;
  readonly signal?: string;
}

export interface Listener {
  /** What it wrote. */
  heard(text: string): void;
  /** It has ended, in words. */
  ended(words: string): void;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

export class Conversation {
  readonly #session: Session;
  readonly #instance: string;
  readonly #listener: Listener;
  readonly #shell = crypto.randomUUID();
  readonly #own = new AbortController();
  readonly #decoder = new TextDecoder();
  #size: Size;
  #typed = new Uint8Array();
  #typedAt = 0;
  #seen = 0;
  #isSending = false;
  #isResized = false;
  #isOver = false;

  constructor(session: Session, instance: string, size: Size, listener: Listener) {
    this.#session = session;
    this.#instance = instance;
    this.#size = size;
    this.#listener = listener;
  }

  async run(): Promise<void> {
    try {
      await this.#session.ask("OpenShell", { requestId: this.#shell, instance: this.#instance });
      let said = await this.#use({});
      for (; !said.ended; said = await this.#patient()) this.#show(said);
      this.#show(said);
      this.#end(endWords(said));
    } catch (error) {
      if (!this.#own.signal.aborted) this.#end(problemWords(error));
    }
  }

  /** False: too much is typed that it has not read. */
  type(text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    if (this.#isOver || this.#typed.length + bytes.length > TYPED_MAX) return false;
    const all = new Uint8Array(this.#typed.length + bytes.length);
    all.set(this.#typed);
    all.set(bytes, this.#typed.length);
    this.#typed = all;
    void this.#send();
    return true;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#isResized = true;
    void this.#send();
  }

  /** Nobody looks any more: the shell ends. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#own.abort();
    this.#session.ask("UseShell", { shell: this.#shell, use: { close: true } }).catch(() => {});
  }

  #end(words: string): void {
    this.#isOver = true;
    this.#listener.ended(words);
  }

  /** A connection that breaks is asked again: what was seen is not sent twice. */
  async #patient(): Promise<Said> {
    for (let tries = 0; ; tries++)
      try {
        return await this.#use({ waitMs: WAIT_MS });
      } catch (error) {
        if (this.#own.signal.aborted || (error instanceof Refused && error.status < 500) || tries >= RETRIES_MAX) throw error;
        await pause(RETRY_MS);
      }
  }

  #show({ output = "", outputAt = 0 }: Said): void {
    const bytes = Uint8Array.from(atob(output), (letter) => letter.charCodeAt(0)).subarray(Math.max(0, this.#seen - outputAt));
    this.#seen += bytes.length;
    if (bytes.length > 0 && !this.#own.signal.aborted) this.#listener.heard(this.#decoder.decode(bytes, { stream: true }));
  }

  /** One after the other; what comes meanwhile goes with the next. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (!this.#isOver && (this.#typed.length > 0 || this.#isResized)) {
        const input = this.#typed.subarray(0, INPUT_BYTES);
        this.#isResized = false;
        const { inputTaken = 0, ended = false } = await this.#use({ input: base64(input) });
        if (ended) return;
        if (input.length > 0 && inputTaken === this.#typedAt) await pause(UNREAD_MS);
        this.#typed = this.#typed.subarray(inputTaken - this.#typedAt);
        this.#typedAt = inputTaken;
      }
    } catch {
      // Whoever listens finds out too.
    } finally {
      this.#isSending = false;
    }
  }

  async #use(more: object): Promise<Said> {
    const { rows, columns } = this.#size;
    const use = { terminal: true, kind: "xterm-256color", rows, columns, inputAt: this.#typedAt, outputSeen: this.#seen, ...more };
    const { said } = await this.#session.ask<{ readonly said?: Said }>("UseShell", { shell: this.#shell, use }, this.#own.signal);
    return said ?? {};
  }
}

function endWords({ code = 0, signal = "" }: Said): string {
  if (signal !== "") return `The shell was ended by ${signal}.`;
  return code === 0 ? "The shell has ended." : `The shell has ended with code ${code}.`;
}

function problemWords(error: unknown): string {
  if (!(error instanceof Refused)) return "The cell does not answer any more.";
  return error.status === ENDED ? "This page has no session any more." : `${error.message}.`;
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
