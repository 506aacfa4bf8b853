/**
 * Whether another replica's process is there. Each holds a socket open that no supervisor keeps for it, and each standby a connection to the one that leads. When that
 * connection breaks and nobody answers a second dial, the process is gone: a standby then need not wait for its lease to end. A process that hangs is not told so.
 */
import { rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { shortPath } from "../rpc/endpoint.ts";

/** Between two dials of one that was never reached. */
const REDIAL_MS = 1000;

/** An answer to who dialled that is not there by then. */
const ASK_MS = 1000;
const WORD_MAX = 100;

/** Says that this process lives, for as long as it does, and to everyone who dials one word on how it is. */
export function givePulse(path: string, word: () => string = () => ""): Server {
  rmSync(path, { force: true });
  const short = shortPath(path);
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.resume();
    socket.write(`${word()}\n`);
  });
  server.once("close", short.close);
  return server.listen(short.path);
}

/** The word of the process at the other end; empty: it has none, or is not there. */
export function askPulse(path: string): Promise<string> {
  const short = shortPath(path);
  const socket = connect({ path: short.path });
  let heard = "";
  return new Promise((resolve) => {
    const end = (): void => {
      socket.destroy();
      short.close();
      resolve(heard.includes("\n") ? heard.slice(0, heard.indexOf("\n")) : "");
    };
    socket.setTimeout(ASK_MS, end);
    socket.once("error", end).once("close", end);
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
      if (heard.includes("\n") || heard.length > WORD_MAX) end();
    });
  });
}

export class PulseWatch {
  readonly #onGone: () => void;
  #path: string | undefined;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isThere = false;

  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  /** The process that is watched holds the connection. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** Undefined: nobody. */
  watch(path: string | undefined): void {
    if (path === this.#path) return;
    this.#path = path;
    this.#isThere = false;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    if (path !== undefined) this.#dial(path, false);
  }

  #dial(path: string, wasThere: boolean): void {
    const short = shortPath(path);
    const socket = connect({ path: short.path });
    let isOpen = false;
    this.#socket = socket;
    socket.once("connect", () => {
      isOpen = true;
      if (this.#socket === socket) this.#isThere = true;
      short.close();
    });
    socket.on("error", () => short.close());
    socket.resume();
    socket.once("close", () => {
      if (this.#path !== path || this.#socket !== socket) return;
      this.#isThere = false;
      if (isOpen) return this.#dial(path, true);
      if (wasThere) this.#onGone();
      this.#timer = setTimeout(() => this.#dial(path, false), REDIAL_MS);
    });
  }
}
