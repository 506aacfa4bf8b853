/**
 * Where a borglet gives packages to other machines: TLS with its machine's certificate, so that whoever asks knows whom. It takes requests for pieces, one after
 * the other on each connection, and nothing else; who may have what, whoever listens decides by the voucher in the request. Strangers get no more than a
 * connection for a few seconds.
 */
import type { AddressInfo, Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import type { PackageChunk, PeerRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { KeyAndCertificate } from "./certificates.ts";
import { listen } from "./endpoint.ts";
import { FrameSocket } from "./frame-socket.ts";
import { OPEN_BYTES_MAX } from "./link-frame.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Connections at a time; more are hung up on, and the package is fetched elsewhere. */
const CONNECTIONS_MAX = 64;
/** A machine gives to two others at a time. A handshake costs the borglet a millisecond, and any task can dial. */
export const ACCEPTS_PER_SECOND = 10;
/** For the handshake, for the first request, and between two requests. */
const PATIENCE_MS = 10_000;
const BACKLOG = 64;

export interface PeerServerOptions {
  readonly host: string;
  /** Looked at for every connection: a certificate may be replaced. */
  readonly identity: KeyAndCertificate;
  readonly onRequest: (connection: number, request: PeerRequest) => void;
  readonly log: (line: string) => void;
}

export interface PeerServer {
  readonly port: number;
  /** Answers the request of that connection, if it is still there. */
  answer(connection: number, chunk: PackageChunk): void;
  close(): void;
}

interface Connection {
  readonly socket: FrameSocket;
  timer: NodeJS.Timeout;
  asked: boolean;
}

export async function servePeers({ host, identity, onRequest, log }: PeerServerOptions): Promise<PeerServer> {
  const connections = new Map<number, Connection>();
  let last = 0;
  let { certificate } = identity;
  const credentials = () => ({ key: identity.key, cert: identity.certificate, minVersion: "TLSv1.3" as const });
  const accept = (raw: TLSSocket): void => {
    last += 1;
    const id = last;
    const socket = new FrameSocket(raw, OPEN_BYTES_MAX, {
      onFrame: ({ body }) => {
        if (body.case !== "peerRequest" || connection.asked) return socket.close("Expected one request at a time", true);
        connection.asked = true;
        connection.timer.refresh();
        onRequest(id, body.value);
      },
      onClose: () => {
        clearTimeout(connection.timer);
        connections.delete(id);
      },
    });
    const connection: Connection = { socket, asked: false, timer: setTimeout(() => socket.close("silent"), PATIENCE_MS) };
    connections.set(id, connection);
  };
  const server = createServer({ ...credentials(), handshakeTimeout: PATIENCE_MS }, accept);
  server.maxConnections = CONNECTIONS_MAX;
  const accepts = new TokenBucket(ACCEPTS_PER_SECOND);
  server.on("connection", (raw: Socket) => {
    if (!accepts.take(performance.now())) return void raw.destroy();
    if (certificate === identity.certificate) return;
    certificate = identity.certificate;
    server.setSecureContext(credentials());
  });
  server.on("tlsClientError", () => undefined);
  await listen(server, { kind: "tcp", host, port: 0 }, BACKLOG);
  server.on("error", (error) => log(`Cannot give packages to other machines: ${error.message}`));
  return {
    port: (server.address() as AddressInfo).port,
    answer: (id, value) => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      connection.asked = false;
      connection.socket.send({ case: "packageChunk", value });
      if (value.problem !== "") connection.socket.close(value.problem, true);
    },
    close: () => {
      server.close();
      for (const { socket } of connections.values()) socket.close("the borglet stops");
    },
  };
}
