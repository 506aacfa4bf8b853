/** One question to one member of an etcd, once, on a connection of its own: for what operators ask now and then. The journal has a client of its own. */
import { type ClientHttp2Session, connect } from "node:http2";
import type { EtcdTls } from "./etcd-client.ts";

const ANSWER_BYTES_MAX = 1 << 20;
/** Of gRPC: one byte that says it is not compressed, and four for the length. */
const PREFIX_BYTES = 5;

/** etcd heard it and said no. */
export class EtcdRefusal extends Error {}

export interface AskedMember {
  readonly url: string;
  /** Undefined: it speaks in clear. */
  readonly tls: EtcdTls | undefined;
  readonly deadlineMs: number;
}

/** `method`: `Cluster/MemberList`. */
export function askMember({ url, tls, deadlineMs }: AskedMember, method: string, request: Uint8Array): Promise<Uint8Array> {
  const session = connect(url, tls === undefined ? {} : { ca: tls.authority, cert: tls.certificate, key: tls.key });
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(() => reject(new Error(`${url} did not answer`)), deadlineMs);
  session.on("error", reject);
  call(session, method, request).then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    session.destroy();
  });
}

/** What a member cannot decide, because it is a learner, or has no leader; another one may. */
const UNAVAILABLE = ["14", "4", "1", "12"];

function call(session: ClientHttp2Session, method: string, request: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const stream = session.request({
    ":method": "POST",
    ":path": `/etcdserverpb.${method}`,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let status = "";
  let words = "";
  const note = (headers: Readonly<Record<string, unknown>>): void => {
    status = String(headers["grpc-status"] ?? status);
    words = decodeURIComponent(String(headers["grpc-message"] ?? words));
  };
  stream.on("response", note).on("trailers", note).on("error", reject);
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) return void stream.destroy(new Error("etcd answered too much"));
    chunks.push(chunk);
  });
  stream.on("end", () => {
    if (status === "0") resolve(Buffer.concat(chunks).subarray(PREFIX_BYTES));
    else reject(UNAVAILABLE.includes(status) || status === "" ? new Error(`etcd: ${words}`) : new EtcdRefusal(`etcd: ${words}`));
  });
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([prefix, request]));
  return promise;
}
