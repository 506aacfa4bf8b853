/**
 * The borglet's end of its link: dials until it is closed, ever more slowly while that fails, and never in step with others. It speaks only to a
 * master that is proven, by the directory of its Unix socket or by its certificate, and proves itself with its machine's key. It knows nothing of what is
 * said; a frame handed to `send` while there is no link is not kept, because the next poll asks anew.
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { LinkFrame, LinkOpened } from "../wire/gen/borg/v1/link_pb.ts";
import type { Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import type { FromBorglet, ToBorglet } from "../wire/link-message.ts";
import { type KeyAndCertificate, masterProblem } from "./certificates.ts";
import { describe, type Endpoint, shortPath } from "./endpoint.ts";
import { FrameSocket } from "./frame-socket.ts";
import { FRAME_BYTES_MAX, LINK_PROTOCOL, MOVED, type Plain } from "./link-frame.ts";
import { proveMachine } from "./link-identity.ts";

/** Where a master is, and how it proves itself. */
export type LinkAddress =
  | (Endpoint & { readonly kind: "unix" })
  | {
      readonly kind: "tls";
      readonly host: string;
      readonly port: number;
      readonly cell: string;
      readonly authorities: readonly string[];
      /** Where else masters are, at the same port: each dial after a failed one goes to the next. */
      readonly others?: readonly string[];
    };

export interface LinkClientOptions {
  readonly at: LinkAddress;
  readonly machine: string;
  readonly identity: KeyAndCertificate;
  /** `approved`: of a machine from elsewhere, how much of what it says it has counts. */
  readonly onOpen: (cell: string, approved: Resources | undefined) => void;
  readonly onFrame: (frame: ToBorglet) => void;
  /** After every `onOpen`, once. */
  readonly onClose: (reason: string) => void;
  readonly log: (line: string) => void;
  readonly times?: Partial<LinkTimes>;
}

export interface LinkTimes {
  /** The first pause between dials, and the longest; each is drawn between half of it and all of it. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** From the dial to the master's `opened`; then it is given up. */
  readonly openMs: number;
  /** Without a byte from the master for so long the link is given up. */
  readonly silentMs: number;
}

/** Where there are other masters to dial, one that is silent for so long hangs: two polls are missed then, and not yet the third, with which a machine is called unreachable. */
export const HANGS_MS = 12_000;

export const LINK_TIMES: LinkTimes = { pauseMs: 100, pauseMsMax: 5000, openMs: 5000, silentMs: 60_000 };

export class LinkClient {
  readonly #options: LinkClientOptions;
  readonly #times: LinkTimes;
  #socket: FrameSocket | undefined;
  #open = false;
  #openedMs = 0;
  /** The next dial, or the next look at a link's silence. */
  #timer: NodeJS.Timeout | undefined;
  #pauseMs: number;
  #closed = false;
  #said = "";
  /** Those that opened no link. */
  #dials = 0;
  #at: LinkAddress;

  constructor(options: LinkClientOptions) {
    this.#options = options;
    this.#at = options.at;
    this.#times = { ...LINK_TIMES, ...options.times };
    this.#pauseMs = this.#times.pauseMs;
    this.#dial();
  }

  get open(): boolean {
    return this.#open;
  }

  /** False: there is no link to send it on. */
  send(frame: Plain<FromBorglet>): boolean {
    return this.#open && this.#socket!.send(frame);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close("the borglet stops");
  }

  #dial(): void {
    this.#at = turned(this.#options.at, this.#dials);
    const socket = new FrameSocket(dial(this.#at), FRAME_BYTES_MAX, {
      onFrame: (frame) => this.#frame(socket, frame),
      onClose: (reason) => this.#ended(reason),
    });
    this.#socket = socket;
    this.#after(this.#times.openMs, () => socket.close(`No answer within ${this.#times.openMs} ms`));
  }

  #frame(socket: FrameSocket, { body }: LinkFrame): void {
    if (!this.#open && body.case === "challenge") return this.#prove(socket, body.value.nonce);
    if (!this.#open && body.case === "opened") return this.#opened(socket, body.value);
    if (this.#open && isSaid(body)) return this.#options.onFrame(body);
    if (body.case === "closed" && body.value.reason === MOVED) this.#pauseMs = this.#times.pauseMs;
    socket.close(body.case === "closed" ? body.value.reason : `Expected what a master says, found ${body.case}`);
  }

  #prove(socket: FrameSocket, nonce: Uint8Array): void {
    const { machine, identity } = this.#options;
    socket.send({ case: "open", value: { protocol: LINK_PROTOCOL, machine, ...proveMachine(identity, machine, nonce) } });
  }

  #opened(socket: FrameSocket, { cell, approved }: LinkOpened): void {
    this.#open = true;
    this.#said = "";
    this.#openedMs = performance.now();
    this.#watch(socket);
    this.#options.onOpen(cell, approved);
  }

  #watch(socket: FrameSocket): void {
    const { silentMs } = this.#times;
    const leftMs = socket.heardMs + silentMs - performance.now();
    if (leftMs <= 0) socket.close(`The master was silent for ${silentMs} ms`);
    else this.#after(leftMs + 1, () => this.#watch(socket));
  }

  #ended(reason: string): void {
    const wasOpen = this.#open;
    if (!wasOpen) this.#dials += 1;
    this.#open = false;
    this.#socket = undefined;
    if (!this.#closed) this.#again(reason, wasOpen);
    if (wasOpen) this.#options.onClose(reason);
  }

  #again(reason: string, wasOpen: boolean): void {
    const { pauseMs, pauseMsMax } = this.#times;
    // A link that lasted was a good one; one that is ended again and again must not be dialled at full speed.
    if (wasOpen && performance.now() - this.#openedMs > pauseMsMax) this.#pauseMs = pauseMs;
    const waitMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
    if (reason !== this.#said) this.#options.log(`Cannot hold a link to ${nameOf(this.#at)}: ${reason}`);
    this.#said = reason;
    this.#after(waitMs, () => this.#dial());
  }

  #after(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, ms);
  }
}

const SAID: ReadonlySet<string> = new Set<ToBorglet["case"]>([
  "poll",
  "logRequest",
  "packageChunk",
  "packageSource",
  "secretValues",
  "packageGrant",
  "fileRequest",
  "shellRequest",
  "usageRequest",
  "executorMessage",
]);

const isSaid = (body: LinkFrame["body"]): body is ToBorglet => body.case !== undefined && SAID.has(body.case);

/** On TCP nothing is sent, and nothing heard is believed, before the other side has shown a master's certificate. */
export function dial(at: LinkAddress): Socket {
  if (at.kind === "unix") {
    const { path, close } = shortPath(at.path);
    return connect({ path }).once("connect", close).once("error", close);
  }
  const { host, port, cell, authorities } = at;
  return connectTls({
    host,
    port,
    ca: [...authorities],
    minVersion: "TLSv1.3",
    checkServerIdentity: (_host, certificate) => masterProblem(certificate.subjectaltname, cell),
  });
}

/** The address that a dial after so many failed ones is for. */
function turned(at: LinkAddress, dials: number): LinkAddress {
  if (at.kind === "unix") return at;
  const all = [at.host, ...(at.others ?? [])];
  return { ...at, host: all[dials % all.length] as string };
}

const nameOf = (at: LinkAddress): string => (at.kind === "unix" ? describe(at) : `${at.host}:${at.port}`);
