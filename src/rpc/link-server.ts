/**
 * The master's end of the links: accepts what borglets dial, at a bounded pace, and holds one link for each machine. It lets nobody speak
 * before `admit` knows them, and nobody for another machine. What frames mean is for those who listen.
 */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { LinkFrame, LinkOpen } from "../wire/gen/borg/v1/link_pb.ts";
import { FrameSocket } from "./frame-socket.ts";
import { FRAME_BYTES_MAX, type FromBorglet, LINK_PROTOCOL, OPEN_BYTES_MAX, type ToBorglet } from "./link-frame.ts";
import { assertLoopback } from "./loopback.ts";

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
  send(frame: ToBorglet): boolean;
  close(reason: string): void;
}

export interface LinkServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly cell: string;
  /** Why this one may not open a link; undefined: it may. */
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
  readonly #server: Server;
  readonly #accepts: TokenBucket;
  readonly #links = new Map<string, OpenLink>();
  /** Oldest first, with when each came. */
  readonly #unopened = new Map<FrameSocket, number>();
  readonly #timer: NodeJS.Timeout;
  #nextId = 1;
  #closing = false;

  static async listen(options: LinkServerOptions): Promise<LinkServer> {
    assertLoopback(options.host);
    const server = new LinkServer(options);
    await server.#listen();
    return server;
  }

  private constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#limits = { ...LINK_LIMITS, ...options.limits };
    this.#accepts = new TokenBucket(this.#limits.acceptsPerSecond);
    this.#server = createServer((socket) => this.#accept(socket));
    this.#timer = setInterval(() => this.#sweep(), this.#limits.sweepMs);
    this.#timer.unref();
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  get size(): number {
    return this.#links.size;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearInterval(this.#timer);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [socket] of this.#unopened) socket.close("the master stops");
    for (const link of this.#links.values()) link.socket.close("the master stops", false);
    await closed;
  }

  #listen(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      const failed = (cause: Error) => {
        clearInterval(this.#timer);
        reject(new Error(`Cannot listen for links on ${host}:${port}`, { cause }));
      };
      this.#server.once("error", failed);
      this.#server.listen({ host, port, backlog: BACKLOG }, () => {
        this.#server.off("error", failed);
        this.#server.on("error", (error) => this.#options.log(`Link server: ${error.message}`));
        resolve();
      });
    });
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
  }

  #open(link: OpenLink, { body }: LinkFrame): void {
    if (body.case !== "open") return link.close("Expected the first frame to be open");
    const problem = this.#refusal(body.value);
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

  #refusal(open: LinkOpen): string | undefined {
    if (open.protocol !== LINK_PROTOCOL) return `Cannot speak link protocol ${open.protocol}: this master speaks ${LINK_PROTOCOL}`;
    if (this.#links.size >= this.#limits.links && !this.#links.has(open.machine)) return `There are ${this.#links.size} links already`;
    return this.#options.admit(open);
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
  /** Empty until it is open. */
  machine = "";

  constructor(socket: Socket, id: number, events: ConstructorParameters<typeof FrameSocket>[2]) {
    this.id = id;
    this.socket = new FrameSocket(socket, OPEN_BYTES_MAX, events);
  }

  send(frame: ToBorglet): boolean {
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
