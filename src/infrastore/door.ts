/**
 * Where questions come in: HTTP on a Unix socket that only the cell's own master can reach. Whoever asks was authenticated there, and what it may see was decided
 * there; the body says both. The answer streams lines of JSON as they are made, and stops when nobody reads.
 */
import type { ChildProcess } from "node:child_process";
import { chownSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listen } from "../rpc/endpoint.ts";
import type { Asked } from "./asked.ts";

/** At a time; the next one is told to come again. */
const QUESTIONS_MAX = 4;
const BODY_BYTES_MAX = 1 << 20;
const ERROR_LENGTH_MAX = 500;

export interface DoorOptions {
  readonly path: string;
  /** Who may enter beside this process's own user. */
  readonly uid: number | undefined;
  /** Why it cannot be answered, or the process that answers. */
  readonly answer: (asked: Asked) => Promise<ChildProcess | string>;
  readonly log: (line: string) => void;
}

export class Door {
  readonly #options: DoorOptions;
  readonly #server: Server;
  readonly #children = new Set<ChildProcess>();
  #open = 0;

  private constructor(options: DoorOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#hear(request, response));
  }

  static async listen(options: DoorOptions): Promise<Door> {
    const door = new Door(options);
    await listen(door.#server, { kind: "unix", path: options.path }, QUESTIONS_MAX * 4);
    if (options.uid !== undefined) chownSync(options.path, options.uid, options.uid);
    return door;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const child of this.#children) child.kill("SIGKILL");
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#open >= QUESTIONS_MAX) return refuse(response, 503, `${QUESTIONS_MAX} questions are being answered: try again in a moment`);
    this.#open += 1;
    try {
      const asked = JSON.parse(await bodyOf(request)) as Asked;
      const child = await this.#options.answer(asked);
      if (typeof child === "string") refuse(response, 403, child);
      else await this.#stream(child, response);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.log(`Cannot answer a question: ${text}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, text);
    } finally {
      this.#open -= 1;
    }
  }

  /** Ends when the process does; when nobody reads any more, the process ends. */
  #stream(child: ChildProcess, response: ServerResponse): Promise<void> {
    this.#children.add(child);
    let complaint = "";
    child.stderr?.on("data", (data: Buffer) => {
      if (complaint.length < ERROR_LENGTH_MAX) complaint += data.toString("utf8").slice(0, ERROR_LENGTH_MAX);
    });
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    child.stdout?.pipe(response, { end: false });
    response.once("close", () => child.kill("SIGKILL"));
    return new Promise((resolve) => {
      child.once("close", (code, signal) => {
        this.#children.delete(child);
        // Who has the end of its answer, or wants no more of it, lets go: then it is ended too.
        if (code !== 0 && !response.destroyed) {
          this.#options.log(`A question's process ended (${signal ?? `exit ${code}`}): ${complaint}`);
          response.write(`\n${JSON.stringify({ refused: endText(signal) })}\n`);
        }
        response.end();
        resolve();
      });
      child.once("error", () => resolve());
    });
  }
}

const endText = (signal: NodeJS.Signals | null): string =>
  signal === null
    ? "The question's process failed, most likely for want of memory: ask for fewer rows, or for sums"
    : "The question took too long or too much and was ended: ask for fewer days, jobs or rows";

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ refused: reason }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`Expected at most ${BODY_BYTES_MAX} bytes`);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
