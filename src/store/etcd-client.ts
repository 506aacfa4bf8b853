/**
 * etcd over gRPC. Every question goes to one member, once, with a deadline of our own; after a failure the next question goes to the next member.
 * Nothing is tried again here: only whoever asked knows what it means that a question may have been heard.
 */
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import {
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { Answer, Etcd, KeyRange, Question, WatchEvent } from "./etcd/port.ts";
import { answerOf, type Call, callOf, eventsOf, KEEP_ALIVE, keepAliveAnswer, WATCH, watchRequest } from "./etcd-messages.ts";

/** Without quorum etcd answers after 7 s; a master must know sooner. */
export const DEADLINE_MS = 1000;
/** The largest page: see PAGE_ENTRIES_MAX. */
const RECEIVE_BYTES_MAX = 64 * 2 ** 20;
const CHANNEL: ChannelOptions = {
  "grpc.enable_retries": 0,
  "grpc.max_receive_message_length": RECEIVE_BYTES_MAX,
  "grpc.max_send_message_length": RECEIVE_BYTES_MAX,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.min_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
  "grpc.use_local_subchannel_pool": 1,
};
/** etcd's own words for what it refused before anything was done. */
const NEVER = /database space exceeded|request is too large|too many requests|permission denied|invalid auth token/;

/** PEM. The authority is etcd's own, not the cell's: etcd lets in whoever has a certificate of it. */
export interface EtcdTls {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export interface EtcdOptions {
  /** "https://host:port", or "http://" where the host is this machine. */
  readonly urls: readonly string[];
  readonly tls?: EtcdTls;
  readonly deadlineMs?: number;
}

const GREETED = "etcd";
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

export class EtcdClient implements Etcd {
  readonly #members: readonly Client[];
  readonly #deadlineMs: number;
  #current = 0;
  #isClosed = false;

  constructor({ urls, tls, deadlineMs }: EtcdOptions) {
    if (urls.length === 0) throw new Error("Cannot reach etcd without an address");
    this.#members = urls.map((url) => memberOf(url, tls));
    this.#deadlineMs = deadlineMs ?? DEADLINE_MS;
  }

  ask(question: Question, then: (answer: Answer) => void): void {
    const index = this.#current;
    const answered = (answer: Answer): void => {
      if (answer.type === "failed" && answer.outcome === "unknown") this.#failed(index);
      then(answer);
    };
    if (this.#isClosed) return queueMicrotask(() => then({ type: "failed", outcome: "never", reason: "The connection to etcd is closed" }));
    const client = this.#members[index] as Client;
    if (question.type === "keep-alive") this.#keepAlive(client, question.lease, answered);
    else this.#unary(client, callOf(question), answered);
  }

  watch(range: KeyRange, revision: number, listener: (event: WatchEvent) => void): () => void {
    const index = this.#current;
    const stream = duplex(this.#members[index] as Client, WATCH, {});
    let isOver = false;
    const end = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      stream.cancel();
      listener({ type: "ended", reason });
    };
    stream.on("data", (bytes: Uint8Array) => {
      for (const event of eventsOf(bytes)) {
        if (isOver) return;
        if (event.type === "ended") end(event.reason);
        else listener(event);
      }
    });
    stream.on("error", (error: ServiceError) => {
      if (!isOver) this.#failed(index);
      end(error.message);
    });
    stream.on("end", () => end("etcd ended the watch"));
    stream.write(watchRequest(range, revision));
    return () => {
      isOver = true;
      stream.cancel();
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const member of this.#members) member.close();
  }

  /** The next question goes to another member. */
  #failed(index: number): void {
    if (this.#current === index) this.#current = (index + 1) % this.#members.length;
  }

  #unary(client: Client, call: Call, then: (answer: Answer) => void): void {
    client.makeUnaryRequest(call.path, asIs, plain, call.request, new Metadata(), this.#options(), (error, response) => {
      then(error === null && response !== undefined ? answerOf(call, response) : failedOf(error));
    });
  }

  /** A stream for one question: etcd has no other way to ask for it. */
  #keepAlive(client: Client, lease: string, then: (answer: Answer) => void): void {
    const stream = duplex(client, KEEP_ALIVE.path, this.#options());
    let isOver = false;
    const answer = (value: Answer): void => {
      if (isOver) return;
      isOver = true;
      stream.cancel();
      then(value);
    };
    stream.on("data", (bytes: Uint8Array) => answer(keepAliveAnswer(bytes)));
    stream.on("error", (error: ServiceError) => answer(failedOf(error)));
    stream.on("end", () => answer({ type: "failed", outcome: "unknown", reason: "etcd ended the stream" }));
    stream.write(KEEP_ALIVE.request(lease));
  }

  #options(): { readonly deadline: number } {
    return { deadline: Date.now() + this.#deadlineMs };
  }
}

function memberOf(url: string, tls: EtcdTls | undefined): Client {
  const parsed = new URL(url);
  if (parsed.protocol === "http:" && LOOPBACK.test(parsed.hostname)) return new Client(parsed.host, credentials.createInsecure(), CHANNEL);
  if (parsed.protocol !== "https:")
    throw new Error(`Cannot reach etcd at "${url}": write https://, or http:// for an etcd on this machine`);
  if (tls === undefined) throw new Error(`Cannot reach etcd at "${url}" without its authority, a certificate and a key`);
  const [authority, key, certificate] = [Buffer.from(tls.authority), Buffer.from(tls.key), Buffer.from(tls.certificate)];
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0) return new Client(parsed.host, credentials.createSsl(authority, key, certificate), CHANNEL);
  // TLS has no name for an address to greet with, so it gets any; what the certificate is asked for is the address all the same.
  const verify = { checkServerIdentity: (_: string, found: PeerCertificate) => checkServerIdentity(host, found) };
  const options: ClientOptions = { ...CHANNEL, "grpc.ssl_target_name_override": GREETED };
  return new Client(parsed.host, credentials.createSsl(authority, key, certificate, verify), options);
}

/** A slice of a Buffer is no copy; of a plain array it is. */
const plain = (bytes: Buffer): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const asIs = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function duplex(client: Client, path: string, options: { readonly deadline?: number }): ClientDuplexStream<Uint8Array, Uint8Array> {
  return client.makeBidiStreamRequest(path, asIs, plain, new Metadata(), options);
}

function failedOf(error: ServiceError | null): Answer {
  const reason = error?.details || error?.message || "etcd did not answer";
  const isNever = error !== null && error.code !== status.UNAVAILABLE && error.code !== status.DEADLINE_EXCEEDED && NEVER.test(reason);
  return { type: "failed", outcome: isNever ? "never" : "unknown", reason: `etcd: ${reason}` };
}
