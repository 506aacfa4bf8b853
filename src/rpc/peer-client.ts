/**
 * Fetches pieces of packages from another machine of the cell. Nothing is sent, the voucher least of all, before the other side has shown the certificate
 * of that very machine. Whatever goes wrong is told as a piece that there is not: whoever asked looks elsewhere.
 */
import { connect } from "node:tls";
import { make } from "../wire/codec.ts";
import { type PackageChunk, PackageChunkSchema, type PackageSource, type PeerRequest } from "../wire/gen/borg/v1/link_pb.ts";
import { machineName } from "./certificates.ts";
import { FrameSocket } from "./frame-socket.ts";
import { FRAME_BYTES_MAX } from "./link-frame.ts";

/** A connection that nobody uses any more is closed. */
const IDLE_MS = 15_000;

export interface PeerClientOptions {
  readonly cell: string;
  readonly authorities: readonly string[];
  readonly onChunk: (machine: string, chunk: PackageChunk) => void;
}

interface Connection {
  readonly socket: FrameSocket;
  readonly source: PackageSource;
  readonly idle: NodeJS.Timeout;
  /** The other side has proven who it is: what is written before would be sent before that. */
  proven: boolean;
}

/** One connection at a time: a borglet fetches one package after the other, each from one machine. */
export class PeerClient {
  readonly #options: PeerClientOptions;
  #source: PackageSource | undefined;
  #connection: Connection | undefined;
  /** What has not been answered. */
  #asked: PeerRequest | undefined;

  constructor(options: PeerClientOptions) {
    this.#options = options;
  }

  /** The master named it. */
  learn(source: PackageSource): void {
    this.#source = source;
  }

  ask(machine: string, request: PeerRequest): void {
    const source = this.#source;
    if (source?.machine !== machine || source.voucher !== request.voucher) return this.#failed(machine, request, "Nobody said where it is");
    const connection = this.#connection?.source === source ? this.#connection : this.#dial(source);
    this.#asked = request;
    connection.idle.refresh();
    if (connection.proven) connection.socket.send({ case: "peerRequest", value: request });
  }

  close(): void {
    this.#asked = undefined;
    this.#hangUp("the borglet stops");
  }

  #dial(source: PackageSource): Connection {
    this.#asked = undefined;
    this.#hangUp("another machine gives it");
    const { machine, host, port } = source;
    const { cell, authorities } = this.#options;
    const name = `URI:${machineName(cell, machine)}`;
    const raw = connect({
      host,
      port,
      ca: [...authorities],
      minVersion: "TLSv1.3",
      checkServerIdentity: (_host, { subjectaltname }) =>
        subjectaltname === name ? undefined : new Error(`it is not machine "${machine}"`),
    });
    const socket = new FrameSocket(raw, FRAME_BYTES_MAX, {
      onFrame: ({ body }) => {
        if (body.case !== "packageChunk") return socket.close(`Expected a piece of a package, found ${body.case}`);
        this.#asked = undefined;
        this.#options.onChunk(machine, body.value);
      },
      onClose: (reason) => this.#ended(socket, reason),
    });
    const idle = setTimeout(() => socket.close("silent"), IDLE_MS);
    const connection: Connection = { socket, source, idle, proven: false };
    raw.once("secureConnect", () => {
      connection.proven = true;
      if (this.#asked !== undefined) socket.send({ case: "peerRequest", value: this.#asked });
    });
    this.#connection = connection;
    return connection;
  }

  #hangUp(reason: string): void {
    this.#connection?.socket.close(reason);
  }

  #ended(socket: FrameSocket, reason: string): void {
    const connection = this.#connection;
    if (connection?.socket !== socket) return;
    clearTimeout(connection.idle);
    this.#connection = undefined;
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked !== undefined) this.#failed(connection.source.machine, asked, reason);
  }

  /** Later: whoever asks must not be answered before it has finished asking. */
  #failed(machine: string, { digest, offset }: PeerRequest, reason: string): void {
    const problem = reason.slice(0, 500);
    setImmediate(() => this.#options.onChunk(machine, make(PackageChunkSchema, { digest, offset, problem })));
  }
}
