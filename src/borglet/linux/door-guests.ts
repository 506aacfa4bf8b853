/**
 * Who holds connections to the executors' door. Anybody on the machine can open one, so those that have not shown a token yet are few, and the one that waited
 * longest makes room for the next: a flood of them keeps nobody out who speaks at once. Of each executor's own the oldest make room, too.
 */
import type { Socket } from "node:net";

/** Connections that have shown no token. */
const STRANGERS_MAX = 512;
/** Of one executor: its stream, its calls, and what a restart leaves behind. */
const OF_ONE_MAX = 8;

export class DoorGuests {
  /** In the order in which they came. */
  readonly #strangers = new Set<Socket>();
  readonly #byExecutor = new Map<string, Set<Socket>>();

  came(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once("close", () => this.#strangers.delete(socket));
    endOldest(this.#strangers, STRANGERS_MAX);
  }

  /** It showed the executor's token. */
  isOf(socket: Socket, executor: string): void {
    this.#strangers.delete(socket);
    const own = this.#byExecutor.get(executor) ?? new Set();
    if (own.has(socket)) return;
    this.#byExecutor.set(executor, own.add(socket));
    socket.once("close", () => {
      own.delete(socket);
      if (own.size === 0 && this.#byExecutor.get(executor) === own) this.#byExecutor.delete(executor);
    });
    endOldest(own, OF_ONE_MAX);
  }
}

function endOldest(sockets: Set<Socket>, max: number): void {
  const [oldest] = sockets;
  if (sockets.size <= max || oldest === undefined) return;
  sockets.delete(oldest);
  oldest.destroy();
}
