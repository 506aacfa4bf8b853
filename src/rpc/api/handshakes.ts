/**
 * When new connections may shake hands. A handshake is a millisecond or two of the thread that answers everybody, before one knows who it is for, so they have a rate; those
 * beyond it wait, one of each address after the other, and who is too many is closed before it costs anything. The owner's socket has no handshake and does not come by here.
 */

export interface HandshakeLimits {
  /** Handshakes begun each second, and so many at once after a pause. */
  readonly handshakesPerSecond: number;
  readonly handshakesBurst: number;
  /** Connections that wait for theirs; of one address half as many. */
  readonly handshakesWaiting: number;
}

/** One that waits: `begin` is called at most once, when it is its turn. */
export interface Waiting {
  readonly isOpen: () => boolean;
  readonly begin: () => void;
}

export class Handshakes {
  readonly #bounds: HandshakeLimits;
  /** By address, in the order in which they are served; no address without somebody who waits. */
  readonly #waiting = new Map<string, Waiting[]>();
  #size = 0;
  #left: number;
  #filledMs: number;

  constructor(bounds: HandshakeLimits, nowMs: number) {
    this.#bounds = bounds;
    this.#left = bounds.handshakesBurst;
    this.#filledMs = nowMs;
  }

  get size(): number {
    return this.#size;
  }

  /** False: too many wait, and this one is to be closed. */
  add(address: string, waiting: Waiting, nowMs: number): boolean {
    this.#fill(nowMs);
    if (this.#size === 0 && this.#left >= 1) {
      this.#left -= 1;
      waiting.begin();
      return true;
    }
    const own = this.#waiting.get(address) ?? [];
    if (this.#size >= this.#bounds.handshakesWaiting || own.length >= this.#bounds.handshakesWaiting / 2) this.#dropClosed();
    if (this.#size >= this.#bounds.handshakesWaiting || own.length >= this.#bounds.handshakesWaiting / 2) return false;
    own.push(waiting);
    this.#waiting.set(address, own);
    this.#size += 1;
    return true;
  }

  /** To be called now and then: whose turn it is begins. */
  look(nowMs: number): void {
    this.#fill(nowMs);
    while (this.#left >= 1) {
      const next = this.#next();
      if (next === undefined) return;
      if (!next.isOpen()) continue;
      this.#left -= 1;
      next.begin();
    }
  }

  #next(): Waiting | undefined {
    const first = this.#waiting.entries().next().value;
    if (first === undefined) return undefined;
    const [address, own] = first;
    this.#waiting.delete(address);
    const next = own.shift() as Waiting;
    if (own.length > 0) this.#waiting.set(address, own);
    this.#size -= 1;
    return next;
  }

  #dropClosed(): void {
    for (const [address, own] of this.#waiting) {
      const open = own.filter(({ isOpen }) => isOpen());
      this.#size -= own.length - open.length;
      own.splice(0, own.length, ...open);
      if (open.length === 0) this.#waiting.delete(address);
    }
  }

  #fill(nowMs: number): void {
    const { handshakesPerSecond, handshakesBurst } = this.#bounds;
    this.#left = Math.min(handshakesBurst, this.#left + ((nowMs - this.#filledMs) * handshakesPerSecond) / 1000);
    this.#filledMs = nowMs;
  }
}

/** How often it is looked whose turn it is, while somebody waits. */
const LOOK_MS = 20;

/** The same by the clock. */
export class HandshakeTurns {
  readonly #handshakes: Handshakes;
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: HandshakeLimits) {
    this.#handshakes = new Handshakes(bounds, performance.now());
  }

  add(address: string, waiting: Waiting): boolean {
    const isIn = this.#handshakes.add(address, waiting, performance.now());
    this.#lookLater();
    return isIn;
  }

  #lookLater(): void {
    if (this.#handshakes.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#handshakes.look(performance.now());
      this.#lookLater();
    }, LOOK_MS).unref();
  }
}
