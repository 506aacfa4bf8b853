/**
 * A DNS server, on UDP and TCP or on a Unix socket. What is no question is dropped without a word; who asks too much is not answered. It knows nothing itself:
 * a `Reply` does, and holds answers to their bounds.
 */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { listen } from "../rpc/endpoint.ts";
import { questionOf, type Reply } from "./answer.ts";
import { Sources } from "./sources.ts";

export type DnsPlace =
  | { readonly kind: "port"; readonly host: string; readonly port: number }
  /** Descriptors of sockets that somebody else bound, and handed on. */
  | { readonly kind: "handed"; readonly udp: number; readonly tcp: number }
  /** A Unix socket, with questions as on TCP: only who may pass through its directory asks. */
  | { readonly kind: "door"; readonly path: string };

export interface DnsOptions {
  readonly at: DnsPlace;
  readonly reply: Reply;
  readonly log: (line: string) => void;
  readonly limits?: Partial<DnsLimits>;
}

export interface DnsLimits {
  /** Questions a second: of one address, and of all together. At most one second's worth at once. */
  readonly perSource: number;
  readonly all: number;
  readonly connections: number;
  /** A connection that says nothing for so long is closed; so is one that asked so often. */
  readonly idleMs: number;
  readonly questions: number;
}

export const DNS_LIMITS: DnsLimits = { perSource: 1000, all: 2000, connections: 64, idleMs: 5000, questions: 200 };

/** Answers that are worked out at a time; further questions are dropped. */
const OPEN_MAX = 500;
const LENGTH_BYTES = 2;
const QUESTION_BYTES_MAX = 512;

export class DnsServer {
  readonly #options: DnsOptions;
  readonly #limits: DnsLimits;
  readonly #sources: Sources;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #connections = new Set<Socket>();
  #open = 0;

  static async listen(options: DnsOptions): Promise<DnsServer> {
    const server = new DnsServer(options);
    try {
      await server.#listen();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  private constructor(options: DnsOptions) {
    this.#options = options;
    this.#limits = { ...DNS_LIMITS, ...options.limits };
    this.#sources = new Sources(this.#limits.perSource, this.#limits.all);
    const { at } = options;
    this.#udp = createSocket(at.kind === "port" && at.host.includes(":") ? "udp6" : "udp4");
    this.#tcp = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    return this.#udp.address().port;
  }

  /** TCP has the same number as UDP. */
  async #listen(): Promise<void> {
    const { at, log } = this.#options;
    if (at.kind === "door") await listen(this.#tcp, { kind: "unix", path: at.path }, this.#limits.connections);
    else {
      await new Promise<void>((resolve, reject) => {
        this.#udp.once("error", reject);
        this.#udp.bind(at.kind === "handed" ? { fd: at.udp } : { address: at.host, port: at.port, exclusive: true }, () => {
          this.#udp.off("error", reject);
          resolve();
        });
      });
      await new Promise<void>((resolve, reject) => {
        this.#tcp.once("error", reject);
        this.#tcp.listen(at.kind === "handed" ? { fd: at.tcp } : { host: at.host, port: this.port, exclusive: true }, () => {
          this.#tcp.off("error", reject);
          resolve();
        });
      });
    }
    this.#udp.on("message", (bytes, from) => void this.#datagram(bytes, from));
    for (const each of [this.#udp, this.#tcp]) each.on("error", (error: Error) => log(`DNS: ${error.message}`));
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    await new Promise<void>((resolve) => {
      if (this.#tcp.listening) this.#tcp.close(() => resolve());
      else resolve();
    });
    try {
      this.#udp.close();
    } catch {
      // It never was open.
    }
  }

  async #datagram(bytes: Buffer, from: RemoteInfo): Promise<void> {
    // An answer to port 0 goes nowhere.
    if (from.port === 0) return;
    const sent = await this.#answerTo(bytes, from.address, true);
    if (sent !== undefined) this.#udp.send(sent, from.port, from.address, () => {});
  }

  /** Undefined: nothing is said. */
  async #answerTo(bytes: Buffer, source: string, isDatagram: boolean): Promise<Buffer | undefined> {
    if (this.#open >= OPEN_MAX || !this.#sources.take(source, performance.now())) return undefined;
    const question = questionOf(bytes);
    if (question === undefined) return undefined;
    this.#open += 1;
    try {
      return await this.#options.reply(question, isDatagram, bytes);
    } catch (error) {
      this.#options.log(`DNS: cannot answer: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    } finally {
      this.#open -= 1;
    }
  }

  #accept(socket: Socket): void {
    socket.on("error", () => {});
    if (this.#connections.size >= this.#limits.connections) return void socket.destroy();
    this.#connections.add(socket);
    socket.once("close", () => this.#connections.delete(socket));
    socket.setTimeout(this.#limits.idleMs, () => socket.destroy());
    void this.#converse(socket).catch(() => socket.destroy());
  }

  /** One question after the other; what is no question ends it. */
  async #converse(socket: Socket): Promise<void> {
    let bytes = Buffer.alloc(0);
    let asked = 0;
    for await (const piece of socket) {
      bytes = Buffer.concat([bytes, piece as Buffer]);
      while (bytes.length >= LENGTH_BYTES) {
        const length = bytes.readUInt16BE(0);
        if (length > QUESTION_BYTES_MAX) return void socket.destroy();
        if (bytes.length < LENGTH_BYTES + length) break;
        asked += 1;
        const sent = await this.#answerTo(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), socket.remoteAddress ?? "", false);
        if (sent === undefined || asked > this.#limits.questions || socket.destroyed) return void socket.destroy();
        bytes = bytes.subarray(LENGTH_BYTES + length);
        const head = Buffer.alloc(LENGTH_BYTES);
        head.writeUInt16BE(sent.length);
        if (!socket.write(Buffer.concat([head, sent])))
          await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
      }
    }
    socket.end();
  }
}
