/**
 * Who the members of an etcd are, and changing that: one is added as a learner, which has no vote, and is promoted when it has caught up, so that adding never costs the
 * majority. Every question goes to one member after the other until one answers. Nothing else is asked here: the journal has a client of its own.
 */
import { type ClientHttp2Session, connect } from "node:http2";
import { decodeEtcd, encodeEtcd } from "../wire/etcd.ts";
import {
  type Member,
  MemberAddRequestSchema,
  MemberAddResponseSchema,
  MemberListRequestSchema,
  MemberListResponseSchema,
  MemberPromoteRequestSchema,
  MemberRemoveRequestSchema,
} from "../wire/gen/etcd/rpc_pb.ts";
import type { EtcdTls } from "./etcd-client.ts";

export interface ClusterMember {
  readonly id: bigint;
  /** Empty until it was started. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly isLearner: boolean;
}

const DEADLINE_MS = 5000;
const ANSWER_BYTES_MAX = 1 << 20;
/** Of gRPC: one byte that says it is not compressed, and four for the length. */
const PREFIX_BYTES = 5;

/** etcd heard it and said no. */
export class ClusterRefusal extends Error {}

export class EtcdCluster {
  readonly #urls: readonly string[];
  readonly #tls: EtcdTls;
  readonly #deadlineMs: number;

  constructor(urls: readonly string[], tls: EtcdTls, deadlineMs = DEADLINE_MS) {
    this.#urls = urls;
    this.#tls = tls;
    this.#deadlineMs = deadlineMs;
  }

  async list(): Promise<readonly ClusterMember[]> {
    const answer = await this.#ask("MemberList", encodeEtcd(MemberListRequestSchema, {}));
    return decodeEtcd(MemberListResponseSchema, answer).members.map(memberOf);
  }

  /** All members, the new one too: it has no name until it is started. */
  async addLearner(peerUrl: string): Promise<readonly ClusterMember[]> {
    const answer = await this.#ask("MemberAdd", encodeEtcd(MemberAddRequestSchema, { peerURLs: [peerUrl], isLearner: true }));
    return decodeEtcd(MemberAddResponseSchema, answer).members.map(memberOf);
  }

  /** Refused while it has not caught up. */
  async promote(id: bigint): Promise<void> {
    await this.#ask("MemberPromote", encodeEtcd(MemberPromoteRequestSchema, { ID: id }));
  }

  async remove(id: bigint): Promise<void> {
    await this.#ask("MemberRemove", encodeEtcd(MemberRemoveRequestSchema, { ID: id }));
  }

  async #ask(method: string, request: Uint8Array): Promise<Uint8Array> {
    let problem: unknown = new Error("No member of etcd is known");
    for (const url of this.#urls) {
      try {
        return await this.#askOne(url, method, request);
      } catch (error) {
        if (error instanceof ClusterRefusal) throw error;
        problem = error;
      }
    }
    throw new Error(`No member of etcd answers: ${(problem as Error).message}`, { cause: problem });
  }

  #askOne(url: string, method: string, request: Uint8Array): Promise<Uint8Array> {
    const { authority, certificate, key } = this.#tls;
    const session = connect(url, { ca: authority, cert: certificate, key });
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const timer = setTimeout(() => reject(new Error(`${url} did not answer`)), this.#deadlineMs);
    session.on("error", reject);
    call(session, method, request).then(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      session.destroy();
    });
  }
}

const memberOf = ({ ID: id, name, peerURLs: peerUrls, isLearner }: Member): ClusterMember => ({ id, name, peerUrls, isLearner });

/** What a member cannot decide, because it is a learner, or has no leader; another one may. */
const UNAVAILABLE = ["14", "4", "1", "12"];

function call(session: ClientHttp2Session, method: string, request: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const stream = session.request({
    ":method": "POST",
    ":path": `/etcdserverpb.Cluster/${method}`,
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
    else reject(UNAVAILABLE.includes(status) || status === "" ? new Error(`etcd: ${words}`) : new ClusterRefusal(`etcd: ${words}`));
  });
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([prefix, request]));
  return promise;
}
