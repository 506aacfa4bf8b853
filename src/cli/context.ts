/** What every command gets: the terminal, the flags that all commands have, and the cell when it asks for it. */
import { randomUUID } from "node:crypto";
import { CallError } from "../rpc/call-error.ts";
import type { CellAddress } from "../rpc/client.ts";
import type { CellClient, Connect } from "./client.ts";
import { type CellFlags, type ChosenCell, currentCell } from "./config.ts";
import type { Terminal } from "./terminal.ts";

export interface Flags extends CellFlags {
  readonly json: boolean;
  /** Whether the command changes something: it then also waits for a cell that is away. */
  readonly changes: boolean;
  /** How long to go on trying when the cell does not take a change or does not answer. */
  readonly deadlineMs: number;
  /** Repeats an earlier change instead of asking for another one. */
  readonly requestId: string | undefined;
}

/** An answer that takes longer is asked for again. What a call asks to wait for comes on top. */
const CALL_TIMEOUT_MS = 5000;
/** How long a call may wait for news, in events and logs. */
export const NEWS_WAIT_MS = 20_000;

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 1000;

/** Nothing was done (the first two), or nobody knows whether it was. */
export const RETRIED: ReadonlySet<string> = new Set(["unavailable", "unreachable", "unknown"]);
const RETRIED_READS: ReadonlySet<string> = new Set(["unavailable", "unknown"]);

/** Doubles, and never sleeps longer than what is left; a cell that says when to come again is believed. */
export function backoffMs(attempt: number, problem: CallError, leftMs: number): number {
  const own = Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10), BACKOFF_MAX_MS);
  return Math.max(1, Math.min(Math.max(own, problem.retryAfterMs ?? 0), leftMs));
}

export class Context {
  readonly terminal: Terminal;
  readonly flags: Flags;
  readonly #connect: Connect;
  #chosen: ChosenCell | undefined;
  #client: Promise<CellClient> | undefined;
  #user: Promise<string> | undefined;
  #changes = 0;
  /** The command's own: fresh, unless `--request-id` repeats an earlier command. */
  readonly requestId: string;

  constructor(terminal: Terminal, flags: Flags, connect: Connect) {
    this.terminal = terminal;
    this.flags = flags;
    this.requestId = flags.requestId ?? randomUUID();
    this.#connect = connect;
  }

  get json(): boolean {
    return this.flags.json;
  }

  cell(): ChosenCell {
    this.#chosen ??= currentCell(this.flags, this.terminal.env);
    return this.#chosen;
  }

  client(): Promise<CellClient> {
    const { at, token } = this.cell();
    this.#client ??= this.#connect({ at, token, timeoutMs: CALL_TIMEOUT_MS });
    return this.#client;
  }

  /** Another cell than the one that is meant. */
  reach(at: CellAddress, token: string | undefined): Promise<CellClient> {
    return this.#connect({ at, token, timeoutMs: CALL_TIMEOUT_MS });
  }

  /**
   * Asked again while the cell cannot answer just now. Where nobody answers at all, only commands that change something wait, and all of them for a
   * cell of this machine that is kept up: its master is being started again.
   */
  async ask<Answer>(call: (client: CellClient) => Promise<Answer>): Promise<Answer> {
    return this.askOf(await this.client(), call);
  }

  /** The same of a master that is not the one that is meant otherwise. */
  async askOf<Answer>(client: CellClient, call: (client: CellClient) => Promise<Answer>): Promise<Answer> {
    const end = this.terminal.now() + this.flags.deadlineMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(client);
      } catch (error) {
        const leftMs = end - this.terminal.now();
        if (!(error instanceof CallError) || leftMs <= 0 || !(await this.#isRetried(error))) throw error;
        await this.terminal.sleep(backoffMs(attempt, error, leftMs));
      }
    }
  }

  async #isRetried(error: CallError): Promise<boolean> {
    if ((this.flags.changes ? RETRIED : RETRIED_READS).has(error.code)) return true;
    const { data } = this.cell();
    return error.code === "unreachable" && data !== undefined && (await import("../daemon/data.ts")).isKeptUp(data);
  }

  /** Lets go of the connection, so that the process can end. */
  async close(): Promise<void> {
    (await this.#client)?.close?.();
  }

  /** Who the cell takes us for: names without a user are this user's. */
  user(): Promise<string> {
    this.#user ??= this.ask((client) => client.getCell({})).then((cell) => cell.user);
    return this.#user;
  }

  /** One for each change of the command, counted from the command's own, so that the whole command can be repeated with that one. */
  nextRequestId(): string {
    const n = this.#changes++;
    return n === 0 ? this.requestId : `${this.requestId}-${n}`;
  }

  /** One object, or one list, for programs. */
  printJson(value: unknown): void {
    this.terminal.print(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** What a change did: a sentence, or an object. */
  tell(sentence: string, plain: Readonly<Record<string, unknown>>): void {
    if (this.json) this.printJson(plain);
    else this.terminal.print(`${sentence}\n`);
  }
}
