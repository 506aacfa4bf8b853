/**
 * Whether another replica's process is there. Each holds a socket open that no supervisor keeps for it, and each standby a connection to the one that leads. When that
 * connection breaks and nobody answers a second dial, the process is gone: a standby then need not wait for its lease to end. A process that hangs is not told so.
 */
import { rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { shortPath } from "../rpc/endpoint.ts";

/** Between two dials of one that was never reached. */
const REDIAL_MS = 1000;

/** Says that this process lives, for as long as it does. */
export function givePulse(path: string): Server {
  rmSync(path, { force: true });
  const short = shortPath(path);
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.resume();
  });
  server.once("close", short.close);
  return server.listen(short.path);
}

export class PulseWatch {
  readonly #onGone: () => void;
  #path: string | undefined;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  /** Undefined: nobody. */
  watch(path: string | undefined): void {
    if (path === this.#path) return;
    this.#path = path;
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
      short.close();
    });
    socket.on("error", () => short.close());
    socket.resume();
    socket.once("close", () => {
      if (this.#path !== path || this.#socket !== socket) return;
      if (isOpen) return this.#dial(path, true);
      if (wasThere) this.#onGone();
      this.#timer = setTimeout(() => this.#dial(path, false), REDIAL_MS);
    });
  }
}
