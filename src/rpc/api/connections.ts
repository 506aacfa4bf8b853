/**
 * The open connections of a server and how long each has waited. A bare cap on connections turns a thousand slow sockets into an outage;
 * here the one that has waited longest without a complete request makes room for the next. It never looks at what is said on them.
 */
import type { Socket } from "node:net";
import type { Bounds } from "../bounds.ts";

/** One socket. `receiving` requests have their headers, `busy` ones are complete and being answered. */
export class Connection {
  readonly socket: Socket;
  /** Whose it is without a word: of a Unix socket, its owner's. */
  readonly user: string | undefined;
  /** One of the reserve, which is for admins. */
  readonly isReserve: boolean;
  /** Nobody can listen in: a Unix socket, or TLS after its handshake. */
  isProven: boolean;
  readonly #owner: Connections;
  #receiving = 0;
  #busy = 0;
  #served = false;
  #sinceMs: number;
  /** When the oldest answer that nobody takes was ready. */
  #answerSinceMs: number | undefined;

  constructor(socket: Socket, user: string | undefined, isReserve: boolean, owner: Connections, nowMs: number) {
    this.socket = socket;
    this.user = user;
    this.isReserve = isReserve;
    this.isProven = user !== undefined;
    this.#owner = owner;
    this.#sinceMs = nowMs;
  }

  get requests(): number {
    return this.#receiving + this.#busy;
  }

  received(): void {
    this.#receiving++;
  }

  /** The request is complete: from here on the connection is not waiting for its client. */
  complete(): void {
    this.#receiving--;
    this.#busy++;
    this.#owner.stopWaiting(this);
  }

  answering(nowMs: number): void {
    this.#answerSinceMs ??= nowMs;
  }

  finished(complete: boolean, nowMs: number): void {
    if (complete) this.#busy--;
    else this.#receiving--;
    this.#answerSinceMs = undefined;
    this.#served = true;
    if (this.#busy > 0) return;
    this.#sinceMs = nowMs;
    this.#owner.startWaiting(this);
  }

  overdue(nowMs: number, bounds: Bounds): boolean {
    if (this.#answerSinceMs !== undefined && nowMs - this.#answerSinceMs > bounds.answerMs) return true;
    // A body that is being received has a timer of its own.
    if (this.requests > 0) return false;
    return nowMs - this.#sinceMs > (this.#served ? bounds.idleMs : bounds.headersMs);
  }
}

export class Connections {
  readonly #bounds: Bounds;
  readonly #open = new Set<Connection>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Connection>();
  readonly #timer: NodeJS.Timeout;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#timer = setInterval(() => this.#sweep(), bounds.sweepMs);
    this.#timer.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Undefined, and the socket destroyed, when every other connection is busy and so is the reserve. */
  admit(socket: Socket, user: string | undefined): Connection | undefined {
    const { connections, connectionsReserve } = this.#bounds;
    const isFull = this.#open.size >= connections && !this.#makeRoom();
    if (isFull && this.#open.size >= connections + connectionsReserve) {
      socket.destroy();
      return undefined;
    }
    const connection = new Connection(socket, user, isFull, this, performance.now());
    this.#open.add(connection);
    this.#waiting.add(connection);
    socket.once("close", () => this.#forget(connection));
    return connection;
  }

  stopWaiting(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  startWaiting(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    this.#waiting.delete(connection);
    this.#waiting.add(connection);
  }

  /** Closes what has nothing in progress. */
  closeIdle(): void {
    for (const connection of this.#open) if (connection.requests === 0) connection.socket.destroy();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const connection of this.#open) connection.socket.destroy();
  }

  #makeRoom(): boolean {
    const [longest] = this.#waiting;
    if (longest === undefined) return false;
    longest.socket.destroy();
    this.#forget(longest);
    return true;
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    this.#waiting.delete(connection);
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const connection of this.#open) if (connection.overdue(nowMs, this.#bounds)) connection.socket.destroy();
  }
}
