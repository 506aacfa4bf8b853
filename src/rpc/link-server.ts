/**
 * The master's end of the links: accepts what borglets dial, at a bounded pace, and holds one link for each machine. It lets nobody speak
 * who has not proven which machine they are, and nobody for another one. On TCP it speaks TLS, so that borglets know whom they obey.
 * What frames mean is for those who listen.
 */
import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { LinkFrame, LinkOpen } from "../wire/gen/borg/v1/link_pb.ts";
import type { FromBorglet, ToBorglet } from "../wire/link-message.ts";
import type { KeyAndCertificate } from "./certificates.ts";
import { type Endpoint, type LocalEndpoint, listen } from "./endpoint.ts";
import { FrameSocket } from "./frame-socket.ts";
import { FRAME_BYTES_MAX, LINK_PROTOCOL, OPEN_BYTES_MAX, type Plain } from "./link-frame.ts";
import { machineProblem, NONCE_BYTES } from "./link-identity.ts";

export interface LinkLimits {
  /** Accepted connections; more are hung up on, and dial again. */
  readonly acceptsPerSecond: number;
  /** Connections that have not said who they are; one more ends the oldest. */
  readonly unopened: number;
  /** For the first frame; then the connection is ended. */
  readonly openMs: number;
  /** Open links; one more is refused. */
  readonly links: number;
  /** A link without a byte from its borglet for so long is ended. */
  readonly silentMs: number;
  /** How often the two times above are looked at. */
  readonly sweepMs: number;
}

export const LINK_LIMITS: LinkLimits = {
  acceptsPerSecond: 200,
  unopened: 1000,
  openMs: 5000,
  links: 20_000,
  silentMs: 60_000,
  sweepMs: 1000,
};

/** An open link. */
export interface Link {
  readonly machine: string;
  /** Never the same for two links of one server. */
  readonly id: number;
  /** False: the link is closed. */
  send(frame: Plain<ToBorglet>): boolean;
  close(reason: string): void;
}

/** On a Unix socket the directory proves the master: only the cell's owner can listen there. */
export type LinkListener =
  | { readonly endpoint: LocalEndpoint; readonly tls?: undefined }
  | { readonly endpoint: Exclude<Endpoint, { readonly kind: "unix" }>; readonly tls: KeyAndCertificate };

export interface LinkServerOptions {
  readonly listeners: readonly LinkListener[];
  readonly cell: string;
  /** Who may sign for machines, as PEM; two while they are being exchanged. */
  readonly authorities: readonly string[];
  /** Why this machine, which is who it says it is, may not open a link; undefined: it may. */
  readonly admit: (open: LinkOpen) => string | undefined;
  readonly onOpen: (link: Link) => void;
  readonly onFrame: (link: Link, frame: FromBorglet) => void;
  readonly onClose: (link: Link, reason: string) => void;
  readonly log: (line: string) => void;
  readonly limits?: Partial<LinkLimits>;
}

const BACKLOG = 4096;

export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #limits: LinkLimits;
  readonly #servers: readonly Server[];
  readonly #accepts: TokenBucket;
  readonly #links = new Map<string, OpenLink>();
  /** Oldest first, with when each came. */
  readonly #unopened = new Map<FrameSocket, number>();
  readonly #timer: NodeJS.Timeout;
  #nextId = 1;
  #closing = false;

  static async listen(options: LinkServerOptions): Promise<LinkServer> {
    const server = new LinkServer(options);
    try {
      await Promise.all(options.listeners.map(({ endpoint }, i) => listen(server.#servers[i] as Server, endpoint, BACKLOG)));
    } catch (error) {
      await server.close();
      throw error;
    }
    for (const each of server.#servers) each.on("error", (error) => options.log(`Link server: ${error.message}`));
    return server;
  }

  private constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#limits = { ...LINK_LIMITS, ...options.limits };
    this.#accepts = new TokenBucket(this.#limits.acceptsPerSecond);
    this.#servers = options.listeners.map((listener) => this.#serverAt(listener));
    this.#timer = setInterval(() => this.#sweep(), this.#limits.sweepMs);
    this.#timer.unref();
  }

  /** Of the listeners on TCP, in their order. */
  get addresses(): readonly AddressInfo[] {
    return this.#servers.map((server) => server.address()).filter((address) => typeof address === "object" && address !== null);
  }

  get size(): number {
    return this.#links.size;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearInterval(this.#timer);
    const closed = Promise.all(this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    for (const [socket] of this.#unopened) socket.close("the master stops");
    for (const link of this.#links.values()) link.socket.close("the master stops", false);
    await closed;
  }

  #serverAt(listener: LinkListener): Server {
    if (listener.tls === undefined) return createServer((socket) => this.#accept(socket));
    const { key, certificate: cert } = listener.tls;
    const options = { key, cert, minVersion: "TLSv1.3", handshakeTimeout: this.#limits.openMs } as const;
    return createTlsServer(options, (socket) => this.#accept(socket));
  }

  #accept(socket: Socket): void {
    if (this.#closing || !this.#accepts.take(performance.now())) {
      socket.on("error", () => {});
      return void socket.destroy();
    }
    const link = new OpenLink(socket, this.#nextId++, {
      onFrame: (frame) => (link.machine === "" ? this.#open(link, frame) : this.#frame(link, frame)),
      onClose: (reason) => this.#closed(link, reason),
    });
    if (this.#unopened.size >= this.#limits.unopened) this.#unopened.keys().next().value?.close("too many others dial", true);
    this.#unopened.set(link.socket, performance.now());
    link.socket.send({ case: "challenge", value: { nonce: link.nonce } });
  }

  #open(link: OpenLink, { body }: LinkFrame): void {
    if (body.case !== "open") return link.close("Expected the first frame to be open");
    const problem = this.#refusal(link, body.value);
    if (problem !== undefined) {
      this.#options.log(`Link of machine "${body.value.machine}" is refused: ${problem}`);
      return link.close(problem);
    }
    this.#unopened.delete(link.socket);
    this.#links.get(body.value.machine)?.close("Another borglet opened a link for this machine");
    link.machine = body.value.machine;
    link.socket.bytesMax = FRAME_BYTES_MAX;
    this.#links.set(link.machine, link);
    link.socket.send({ case: "opened", value: { cell: this.#options.cell } });
    this.#options.onOpen(link);
  }

  #refusal(link: OpenLink, open: LinkOpen): string | undefined {
    if (open.protocol !== LINK_PROTOCOL) return `Cannot speak link protocol ${open.protocol}: this master speaks ${LINK_PROTOCOL}`;
    if (this.#links.size >= this.#limits.links && !this.#links.has(open.machine)) return `There are ${this.#links.size} links already`;
    const { cell, authorities, admit } = this.#options;
    return machineProblem(open, link.nonce, { cell, authorities, nowMs: Date.now() }) ?? admit(open);
  }

  #frame(link: OpenLink, { body }: LinkFrame): void {
    if (body.case !== "hello" && body.case !== "report" && body.case !== "logChunk")
      return link.close(`Expected what a borglet says, found ${body.case}`);
    if (body.case !== "logChunk" && body.value.machine !== link.machine)
      return link.close(`Expected ${body.case} of machine "${link.machine}", found "${body.value.machine}"`);
    this.#options.onFrame(link, body);
  }

  #closed(link: OpenLink, reason: string): void {
    this.#unopened.delete(link.socket);
    if (link.machine === "") return;
    if (this.#links.get(link.machine) === link) this.#links.delete(link.machine);
    this.#options.onClose(link, reason);
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const [socket, sinceMs] of this.#unopened) {
      if (nowMs - sinceMs <= this.#limits.openMs) break;
      socket.close(`Expected the first frame within ${this.#limits.openMs} ms`, true);
    }
    for (const link of this.#links.values())
      if (nowMs - link.socket.heardMs > this.#limits.silentMs) link.close(`Silent for ${this.#limits.silentMs} ms`);
  }
}

class OpenLink implements Link {
  readonly id: number;
  readonly socket: FrameSocket;
  readonly nonce = randomBytes(NONCE_BYTES);
  /** Empty until it is open. */
  machine = "";

  constructor(socket: Socket, id: number, events: ConstructorParameters<typeof FrameSocket>[2]) {
    this.id = id;
    this.socket = new FrameSocket(socket, OPEN_BYTES_MAX, events);
  }

  send(frame: Plain<ToBorglet>): boolean {
    return this.socket.send(frame);
  }

  close(reason: string): void {
    this.socket.close(reason, true);
  }
}

/** At most one second's worth at once. */
class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #sinceMs = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  take(nowMs: number): boolean {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((nowMs - this.#sinceMs) * this.#perSecond) / 1000);
    this.#sinceMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
