/**
 * Questions to the process that keeps the history: each is one HTTP request to its socket, whose answer is read page by page as the caller asks for them. An answer
 * that nobody asks for is let go, and with it the process that makes it.
 */
import { randomUUID } from "node:crypto";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Asked, DOOR_NAME } from "../../infrastore/asked.ts";
import { CallError } from "../../rpc/call-error.ts";

const PAGE_BYTES = 2 ** 20;
const PAGE_ROWS = 10_000;
/** Answers that one user has open; the next one is told to finish those. */
const OPEN_MAX = 2;
const UNREAD_MS = 30_000;
const HTTP_BUSY = 503;
const HTTP_REFUSED = 403;
const RETRY_AFTER_MS = 1000;

export interface Page {
  columns: { name: string; type: string }[];
  rows: string[];
  parquet: Uint8Array;
  more: string;
}

/** A line of the answer: one of these. */
interface Line {
  readonly columns?: { name: string; type: string }[];
  readonly row?: unknown[];
  readonly bytes?: string;
  readonly end?: object;
  readonly refused?: string;
}

interface Open {
  readonly user: string;
  readonly request: ClientRequest;
  readonly lines: AsyncIterator<string>;
  timer: NodeJS.Timeout | undefined;
}

export class Questions {
  readonly #path: string;
  readonly #open = new Map<string, Open>();
  readonly #begun = new Map<string, number>();

  constructor(directory: string) {
    this.#path = join(directory, DOOR_NAME);
  }

  async ask(user: string, asked: Asked): Promise<Page> {
    const begun = (this.#begun.get(user) ?? 0) + 1;
    if (begun > OPEN_MAX)
      throw new CallError("unavailable", `User "${user}" has ${OPEN_MAX} questions open: read their answers to the end, or wait`, {
        retryAfterMs: RETRY_AFTER_MS,
      });
    this.#begun.set(user, begun);
    let open: Open | undefined;
    try {
      open = await this.#begin(user, asked);
      return await this.#page(open);
    } catch (error) {
      if (open === undefined) this.#ended(user);
      throw error;
    }
  }

  /** The next page, for who asked for the first. */
  more(user: string, id: string): Promise<Page> {
    const open = this.#open.get(id);
    if (open === undefined || open.user !== user)
      throw new CallError("not-found", "This answer was read to its end, or not within half a minute: ask again");
    this.#open.delete(id);
    clearTimeout(open.timer);
    return this.#page(open);
  }

  async #begin(user: string, asked: Asked): Promise<Open> {
    const { request, response } = await this.#send(JSON.stringify(asked));
    response.on("error", () => {});
    const lines = createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
    const open = { user, request, lines, timer: undefined };
    if (response.statusCode === 200) return open;
    const { value } = await lines.next();
    request.destroy();
    const reason = (JSON.parse(String(value ?? "{}")) as Line).refused ?? "The history cannot be asked";
    if (response.statusCode === HTTP_BUSY) throw new CallError("unavailable", reason, { retryAfterMs: RETRY_AFTER_MS });
    throw new CallError(response.statusCode === HTTP_REFUSED ? "not-permitted" : "unavailable", reason);
  }

  #send(body: string): Promise<{ readonly request: ClientRequest; readonly response: IncomingMessage }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({ socketPath: this.#path, method: "POST", path: "/" });
      request.once("response", (response) => resolve({ request, response }));
      request.on("error", () =>
        reject(
          new CallError("unavailable", "The history of this cell is not kept now: log/infrastore.log in the cell's directory says why"),
        ),
      );
      request.end(body);
    });
  }

  async #page(open: Open): Promise<Page> {
    const page: Page = { columns: [], rows: [], parquet: new Uint8Array(), more: "" };
    const bytes: Uint8Array[] = [];
    let size = 0;
    try {
      while (size < PAGE_BYTES && page.rows.length < PAGE_ROWS) {
        const { value, done } = await open.lines.next();
        if (done === true) throw new CallError("unavailable", "The history's process ended in the middle of the answer: ask again");
        if (value === "") continue;
        const line = JSON.parse(value) as Line;
        size += value.length;
        if (line.refused !== undefined) throw new CallError("refused", line.refused);
        if (line.end !== undefined) {
          this.#close(open);
          return { ...page, parquet: Buffer.concat(bytes) };
        }
        if (line.columns !== undefined) page.columns.push(...line.columns);
        if (line.row !== undefined) page.rows.push(JSON.stringify(line.row));
        if (line.bytes !== undefined) bytes.push(Buffer.from(line.bytes, "base64"));
      }
    } catch (error) {
      this.#close(open);
      throw error;
    }
    return { ...page, parquet: Buffer.concat(bytes), more: this.#keep(open) };
  }

  #keep(open: Open): string {
    const id = randomUUID();
    open.timer = setTimeout(() => {
      this.#open.delete(id);
      this.#close(open);
    }, UNREAD_MS).unref();
    this.#open.set(id, open);
    return id;
  }

  #close(open: Open): void {
    open.request.destroy();
    this.#ended(open.user);
  }

  #ended(user: string): void {
    const left = (this.#begun.get(user) ?? 1) - 1;
    if (left > 0) this.#begun.set(user, left);
    else this.#begun.delete(user);
  }
}
