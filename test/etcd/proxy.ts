/**
 * A bad wire between a client and one member of etcd. It delays what passes, cuts connections in the middle of a conversation, holds one direction back (so
 * that a question lands and its answer does not), and lets a later connection overtake an earlier one. Bytes of one connection keep their order, as TCP has it.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { Random } from "../../src/base/random.ts";

export interface Weather {
  /** Each piece of bytes waits up to so long. */
  readonly delayMs: number;
  /** The chance, for each piece, that its connection is cut, before or after the piece has passed. */
  readonly cut: number;
  /** The chance, for each piece from etcd, that from then on nothing comes back on this connection; it is cut a while later. */
  readonly mute: number;
  /** The chance, for each piece to etcd, that it and all after it arrive late: a piece on a newer connection overtakes it. */
  readonly late: number;
}

export const FAIR: Weather = { delayMs: 0, cut: 0, mute: 0, late: 0 };
const LATE_MS = 2500;
const MUTE_MS = 1500;

export class BadWire {
  weather: Weather = FAIR;
  /** Nothing passes, and nobody is told. */
  isDark = false;
  /** What is sent to etcd waits for `release`, also when its sender has hung up. */
  holds = false;
  readonly #held: (() => void)[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #random: Random;
  readonly #port: number;
  readonly #host: string;
  #listens = 0;

  private constructor(port: number, seed: number, host: string) {
    this.#port = port;
    this.#host = host;
    this.#random = new Random(seed, `proxy/${port}`);
    this.#server = createServer((client) => this.#accept(client));
  }

  /** In front of a port of this machine; `at`: where it listens, at any free port when that is 0. */
  static async open(port: number, seed: number, host = "127.0.0.1", at = 0): Promise<BadWire> {
    const proxy = new BadWire(port, seed, host);
    await new Promise<void>((resolve) => proxy.#server.listen(at, host, resolve));
    const address = proxy.#server.address();
    proxy.#listens = typeof address === "object" && address !== null ? address.port : 0;
    return proxy;
  }

  get url(): string {
    return `http://${this.#host}:${this.#listens}`;
  }

  /** Every connection is cut now. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get held(): number {
    return this.#held.length;
  }

  /** The first pieces that were held arrive now. What came after them, such as word that nobody waits any more, is lost. */
  release(pieces: number): void {
    for (const send of this.#held.splice(0).slice(0, pieces)) send();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    const member = connect(this.#port, "127.0.0.1");
    const cut = (): void => {
      client.destroy();
      member.destroy();
    };
    for (const socket of [client, member]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", cut);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    this.#pipe(client, member, "up", cut);
    this.#pipe(member, client, "down", cut);
  }

  #pipe(from: Socket, to: Socket, way: "up" | "down", cut: () => void): void {
    let readyMs = 0;
    let isMute = false;
    from.on("data", (bytes) => {
      const { delayMs, cut: chance, mute, late } = this.weather;
      if (this.isDark || isMute) return;
      if (way === "up" && this.holds) {
        this.#held.push(() => void to.write(bytes));
        return;
      }
      if (this.#random.chance(chance)) {
        if (this.#random.chance(0.5)) to.write(bytes);
        setTimeout(cut, 5);
        return;
      }
      if (way === "down" && this.#random.chance(mute)) {
        isMute = true;
        setTimeout(cut, MUTE_MS);
        return;
      }
      const lateMs = way === "up" && this.#random.chance(late) ? this.#random.int(0, LATE_MS) : 0;
      readyMs = Math.max(readyMs, Date.now() + (delayMs > 0 ? this.#random.int(0, delayMs) : 0) + lateMs);
      setTimeout(
        () => {
          if (!to.destroyed) to.write(bytes);
        },
        Math.max(0, readyMs - Date.now()),
      );
    });
  }
}
