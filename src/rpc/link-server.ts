/**
 * The master's end of the links: accepts what borglets dial, at a bounded pace, and holds one link for each machine. It lets nobody speak
 * who has not proven which machine they are, and nobody for another one. On TCP it speaks TLS, so that borglets know whom they obey.
 * What frames mean is for those who listen.
 */
import { randomBytes, X509Certificate } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import type { LinkFrame, LinkJoin, LinkOpen } from "../wire/gen/borg/v1/link_pb.ts";
import type { Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import type { FromBorglet, ToBorglet } from "../wire/link-message.ts";
import { isOf, type KeyAndCertificate, keyOf } from "./certificates.ts";
import { type Endpoint, type LocalEndpoint, listen } from "./endpoint.ts";
import { FrameSocket, type FrameSocketEvents } from "./frame-socket.ts";
import type { FrontDoor } from "./front-door.ts";
import { FRAME_BYTES_MAX, LINK_PROTOCOL, MOVED, OPEN_BYTES_MAX, type Plain } from "./link-frame.ts";
import { machineProblem, NONCE_BYTES } from "./link-identity.ts";
import type { PassedLink } from "./shard-lines.ts";
import { TokenBucket } from "./token-bucket.ts";

export interface LinkBounds {
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

export const LINK_BOUNDS: LinkBounds = {
  acceptsPerSecond: 200,
  unopened: 1000,
  openMs: 5000,
  links: 20_000,
  silentMs: 60_000,
  sweepMs: 1000,
};

/** An open link. */
export interface LinkHandle {
  readonly machine: string;
  /** Never the same for two links of one server. */
  readonly id: number;
  /** Of a machine from elsewhere, which dialled on TCP: what its key is known by. Empty on the owner's socket. */
  readonly key: string;
  /** Another authority than the newest signed its certificate: it may not believe that one yet. */
  readonly isFormer: boolean;
  /** False: the link is closed. */
  send(frame: Plain<ToBorglet>): boolean;
  close(reason: string): void;
}

/** On a Unix socket the directory proves the master: only the cell's owner can listen there. */
export type LinkListener = { /** Other replicas listen there too: see front-door.ts. */ readonly isShared?: boolean } & (
  | { readonly endpoint: LocalEndpoint; readonly tls?: undefined }
  | { readonly endpoint: Exclude<Endpoint, { readonly kind: "unix" }>; readonly tls: KeyAndCertificate }
);

/** `approved`: how much of what it says it has counts. */
export type Admission = { readonly ok: true; readonly approved: Resources } | { readonly ok: false; readonly reason: string };

/** `joined`: a certificate, and whose certificates count (DER). `waiting`: nobody has approved that key yet. */
export type JoinAnswer =
  | { readonly type: "joined"; readonly certificate: Uint8Array; readonly authorities: readonly Uint8Array[] }
  | { readonly type: "waiting"; readonly key: string }
  | { readonly type: "refused"; readonly reason: string };

/** Asked about those that dial on TCP: machines of the cell's own directory dial on its Unix socket. */
export interface LinkDoor {
  /** Whether this machine, which is who it says it is and holds that key, may open a link. */
  admit(machine: string, key: string): Promise<Admission>;
  /** What a machine that asks for a certificate is told. */
  join(ask: LinkJoin, address: string): Promise<JoinAnswer>;
}

/** Where link shards of several replicas share the machines: whoever takes a link leads it on to the one whose machine it is, and that one never leads it any further. */
export interface LinkShare {
  readonly self: string;
  /** Undefined: nobody has it now. */
  shardOf(machine: string): string | undefined;
  pass(replica: string, link: PassedLink): Promise<Socket>;
}

const NOT_HERE = "Machines from elsewhere cannot join here";
/** Where nobody decides. */
const CLOSED_DOOR: LinkDoor = {
  admit: async () => ({ ok: false, reason: NOT_HERE }),
  join: async () => ({ type: "refused", reason: NOT_HERE }),
};

export interface LinkServerOptions {
  readonly listeners: readonly LinkListener[];
  readonly cell: string;
  /** Who may sign for machines, as PEM; two while they are being exchanged, the newest first. */
  readonly authorities: readonly string[];
  /** Who decides about machines from elsewhere; absent: none is let in. */
  readonly door?: LinkDoor;
  readonly onOpen: (link: LinkHandle) => void;
  readonly onFrame: (link: LinkHandle, frame: FromBorglet) => void;
  readonly onClose: (link: LinkHandle, reason: string) => void;
  readonly log: (line: string) => void;
  readonly bounds?: Partial<LinkBounds>;
  /** Absent: all machines are this one's. */
  readonly share?: LinkShare | undefined;
  /** Where connections of shared listeners go; absent: they are taken here. */
  readonly frontDoor?: FrontDoor | undefined;
}

const BACKLOG = 4096;
/** A link whose replica does not answer waits so long, until others have its machines, and is looked at so often. Then its borglet dials again. */
const PASS_MS = 4000;
const PASS_LOOK_MS = 100;
const FAREWELL_MS = 300;

/** A link that was led on. */
interface Passed {
  readonly socket: Socket;
  readonly machine: string;
  readonly replica: string;
}

export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #bounds: LinkBounds;
  readonly #door: LinkDoor;
  readonly #servers: readonly Server[];
  readonly #accepts: TokenBucket;
  readonly #links = new Map<string, OpenLink>();
  /** Oldest first, with when each came. */
  readonly #unopened = new Map<FrameSocket, number>();
  readonly #passed = new Set<Passed>();
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
    this.#bounds = { ...LINK_BOUNDS, ...options.bounds };
    this.#door = options.door ?? CLOSED_DOOR;
    this.#accepts = new TokenBucket(this.#bounds.acceptsPerSecond);
    this.#servers = options.listeners.map((listener) => this.#serverAt(listener));
    this.#timer = setInterval(() => this.#sweep(), this.#bounds.sweepMs);
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
    for (const { socket } of this.#passed) socket.destroy();
    await closed;
  }

  /** A link that another replica let in. */
  take(socket: Socket, { machine, key, isFormer, approved }: PassedLink): void {
    if (this.#closing || this.#isFull(machine) || !this.#isHere(machine)) return void socket.destroy();
    const link: OpenLink = this.#linkAt(socket, true);
    Object.assign(link, { key, isFormer, asked: true });
    this.#here(link, machine, approved === undefined ? {} : { approved });
  }

  /** Machines may be others' now: their borglets dial again. */
  reconsider(): void {
    for (const link of this.#links.values()) if (!this.#isHere(link.machine)) link.close(MOVED);
    // Whoever had it says so over this connection, if it still can.
    for (const { socket, machine, replica } of this.#passed)
      if (this.#options.share?.shardOf(machine) !== replica) setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  }

  #isHere(machine: string): boolean {
    const { share } = this.#options;
    return share === undefined || share.shardOf(machine) === share.self;
  }

  #serverAt(listener: LinkListener): Server {
    const { frontDoor } = this.#options;
    const door = listener.isShared === true ? frontDoor : undefined;
    if (listener.tls === undefined) {
      const accept = (socket: Socket): void => this.#accept(socket, true);
      return createServer((socket) => (door === undefined ? accept(socket) : door.admit(socket, "owner", () => accept(socket))));
    }
    const { key, certificate: cert } = listener.tls;
    const options = { key, cert, minVersion: "TLSv1.3", handshakeTimeout: this.#bounds.openMs } as const;
    const secure = createTlsServer(options, (socket) => this.#accept(socket, false));
    return door === undefined ? secure : createServer((socket) => door.admit(socket, "tls", () => void secure.emit("connection", socket)));
  }

  #accept(socket: Socket, isOwn: boolean): void {
    if (this.#closing || !this.#accepts.take(performance.now())) {
      socket.on("error", () => {});
      return void socket.destroy();
    }
    const link = this.#linkAt(socket, isOwn);
    if (this.#unopened.size >= this.#bounds.unopened) this.#unopened.keys().next().value?.close("too many others dial", true);
    this.#unopened.set(link.socket, performance.now());
    link.socket.send({ case: "challenge", value: { nonce: link.nonce } });
  }

  #linkAt(socket: Socket, isOwn: boolean): OpenLink {
    const link: OpenLink = new OpenLink(socket, this.#nextId++, isOwn, {
      onFrame: (frame) => (link.machine === "" ? this.#first(link, frame) : this.#frame(link, frame)),
      onClose: (reason) => this.#closed(link, reason),
    });
    return link;
  }

  /** Who dials says one thing, and then waits for the answer. */
  #first(link: OpenLink, { body }: LinkFrame): void {
    if (link.asked) return link.close("Expected nothing before the answer to the first frame");
    link.asked = true;
    if (body.case === "open") return this.#open(link, body.value);
    if (body.case === "join" && !link.isOwn) return this.#decided(link, this.#join(link, body.value));
    link.close("Expected the first frame to be open");
  }

  async #join(link: OpenLink, ask: LinkJoin): Promise<void> {
    const answer = ask.protocol === LINK_PROTOCOL ? await this.#door.join(ask, link.address) : refusedProtocol(ask.protocol);
    if (answer.type === "joined") {
      const { certificate, authorities } = answer;
      link.socket.send({ case: "joined", value: { certificate, authorities: [...authorities] } });
    } else if (answer.type === "waiting") link.socket.send({ case: "waiting", value: { key: answer.key } });
    link.close(answer.type === "refused" ? answer.reason : "Dial again");
  }

  #open(link: OpenLink, open: LinkOpen): void {
    const problem = this.#refusal(link, open);
    if (problem !== undefined) return this.#refuse(link, open.machine, problem);
    const [newest, ...former] = this.#options.authorities;
    link.isFormer = former.length > 0 && newest !== undefined && !isOf(new X509Certificate(Buffer.from(open.certificate)), newest);
    if (link.isOwn) return this.#opened(link, open.machine, {});
    link.key = keyOf(new X509Certificate(Buffer.from(open.certificate)));
    const admitted = this.#door.admit(open.machine, link.key).then((admission) => {
      if (link.socket.closed) return;
      if (admission.ok) this.#opened(link, open.machine, { approved: admission.approved });
      else this.#refuse(link, open.machine, admission.reason);
    });
    this.#decided(link, admitted);
  }

  /** A door that fails lets nobody in, and harms nobody else. */
  #decided(link: OpenLink, decision: Promise<void>): void {
    decision.catch((error: unknown) => {
      this.#options.log(`Cannot decide about a link: ${error instanceof Error ? error.stack : String(error)}`);
      link.close("The cell cannot say now: ask again");
    });
  }

  #refuse(link: OpenLink, machine: string, problem: string): void {
    this.#options.log(`Link of machine "${machine}" is refused: ${problem}`);
    link.close(problem);
  }

  #opened(link: OpenLink, machine: string, more: { readonly approved?: Resources }): void {
    const { share } = this.#options;
    if (share === undefined || this.#isHere(machine)) this.#here(link, machine, more);
    else this.#decided(link, this.#passOn(link, machine, more.approved, share));
  }

  async #passOn(link: OpenLink, machine: string, approved: Resources | undefined, share: LinkShare): Promise<void> {
    for (const end = performance.now() + PASS_MS; performance.now() < end; await sleep(PASS_LOOK_MS)) {
      if (link.socket.closed) return;
      const replica = share.shardOf(machine);
      if (replica === share.self) return this.#here(link, machine, approved === undefined ? {} : { approved });
      if (replica === undefined) continue;
      const other = await share.pass(replica, { machine, key: link.key, isFormer: link.isFormer, approved }).catch(() => undefined);
      if (other !== undefined) return this.#leadOn(link, { machine, replica }, other);
    }
    link.close(MOVED);
  }

  /** Its borglet has said nothing since it was let in, and waits for an answer: that comes from the other one. */
  #leadOn(link: OpenLink, to: Omit<Passed, "socket">, other: Socket): void {
    if (link.socket.closed || this.#closing) return void other.destroy();
    this.#unopened.delete(link.socket);
    const socket = link.socket.release();
    const passed = { socket, ...to };
    this.#passed.add(passed);
    other.once("close", () => socket.destroy());
    socket.once("close", () => {
      this.#passed.delete(passed);
      other.destroy();
    });
    socket.pipe(other);
    other.pipe(socket);
  }

  #here(link: OpenLink, machine: string, more: { readonly approved?: Resources }): void {
    this.#unopened.delete(link.socket);
    this.#links.get(machine)?.close("Another borglet opened a link for this machine");
    link.machine = machine;
    link.socket.bytesMax = FRAME_BYTES_MAX;
    this.#links.set(machine, link);
    link.socket.send({ case: "opened", value: { cell: this.#options.cell, ...more } });
    this.#options.onOpen(link);
  }

  #refusal(link: OpenLink, open: LinkOpen): string | undefined {
    if (open.protocol !== LINK_PROTOCOL) return refusedProtocol(open.protocol).reason;
    if (this.#isFull(open.machine)) return `There are ${this.#links.size + this.#passed.size} links already`;
    const { cell, authorities } = this.#options;
    return machineProblem(open, link.nonce, { cell, authorities, nowMs: Date.now() });
  }

  #isFull(machine: string): boolean {
    return this.#links.size + this.#passed.size >= this.#bounds.links && !this.#links.has(machine);
  }

  #frame(link: OpenLink, { body }: LinkFrame): void {
    if (!isSaid(body)) return link.close(`Expected what a borglet says, found ${body.case}`);
    if ("machine" in body.value && body.value.machine !== link.machine)
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
      if (nowMs - sinceMs <= this.#bounds.openMs) break;
      socket.close(`Expected the first frame within ${this.#bounds.openMs} ms`, true);
    }
    for (const link of this.#links.values())
      if (nowMs - link.socket.heardMs > this.#bounds.silentMs) link.close(`Silent for ${this.#bounds.silentMs} ms`);
  }
}

const SAID: ReadonlySet<string> = new Set<FromBorglet["case"]>([
  "hello",
  "report",
  "logChunk",
  "packageRequest",
  "packageGranted",
  "secretRequest",
  "fileChunk",
  "shellChunk",
  "usageChunk",
  "executorMessage",
]);

const isSaid = (body: LinkFrame["body"]): body is FromBorglet => body.case !== undefined && SAID.has(body.case);

class OpenLink implements LinkHandle {
  readonly id: number;
  readonly socket: FrameSocket;
  readonly nonce = randomBytes(NONCE_BYTES);
  readonly address: string;
  /** It dialled on the owner's socket. */
  readonly isOwn: boolean;
  /** Its first frame has come. */
  asked = false;
  key = "";
  isFormer = false;
  /** Empty until it is open. */
  machine = "";

  constructor(socket: Socket, id: number, isOwn: boolean, events: FrameSocketEvents) {
    this.id = id;
    this.isOwn = isOwn;
    this.address = socket.remoteAddress ?? "";
    this.socket = new FrameSocket(socket, OPEN_BYTES_MAX, events);
  }

  send(frame: Plain<ToBorglet>): boolean {
    return this.socket.send(frame);
  }

  close(reason: string): void {
    this.socket.close(reason, true);
  }
}

const refusedProtocol = (protocol: number): Extract<JoinAnswer, { readonly type: "refused" }> => ({
  type: "refused",
  reason: `Cannot speak link protocol ${protocol}: this master speaks ${LINK_PROTOCOL}`,
});
