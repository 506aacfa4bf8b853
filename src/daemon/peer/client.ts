/**
 * How one master of several machines speaks to another: HTTPS with both certificates proven. The caller says whom it means by the public key, and nobody else is
 * spoken to. One that joins has no certificate yet and believes any master of the cell's authority.
 */
import { createHash, X509Certificate } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { type KeyAndCertificate, keyOf, masterProblem } from "../../rpc/certificates.ts";

export interface PeerAddress {
  readonly cell: string;
  readonly host: string;
  readonly port: number;
  readonly authorities: readonly string[];
  /** SHA-256 of the public key of whom is meant; absent: any master of the cell. */
  readonly key?: string;
  /** Who asks; absent: nobody yet. */
  readonly own?: KeyAndCertificate;
}

const ANSWER_BYTES_MAX = 1 << 20;
const TIMEOUT_MS = 10_000;
export const UPGRADE = "borg-tunnel";

/** It answered, in words. */
export class PeerRefusal extends Error {
  readonly status: number | undefined;

  constructor(words: string, status?: number) {
    super(words);
    this.status = status;
  }
}

export async function askPeer<T>(at: PeerAddress, path: string, body?: object): Promise<T> {
  const answer = await send(at, path, body);
  const text = await textOf(answer);
  if (answer.statusCode === 200) return JSON.parse(text) as T;
  throw new PeerRefusal(text.trim() || `It answered ${answer.statusCode}`, answer.statusCode);
}

/** What it shows of itself, proven. */
export async function certificateOf(at: PeerAddress): Promise<X509Certificate> {
  const answer = await send(at, "/clock", undefined);
  const { raw } = (answer.socket as TLSSocket).getPeerCertificate();
  answer.resume();
  return new X509Certificate(raw);
}

/** Into a new file. Returns the SHA-256 of what came. */
export async function fetchFile(at: PeerAddress, path: string, file: string, bytesMax: number): Promise<string> {
  const answer = await send(at, path, undefined);
  if (answer.statusCode !== 200) throw new PeerRefusal((await textOf(answer)).trim() || `It answered ${answer.statusCode}`);
  const hash = createHash("sha256");
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) answer.destroy(new Error(`"${path}" is larger than ${bytesMax} bytes`));
    hash.update(chunk);
  });
  await pipeline(answer, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  return hash.digest("hex");
}

/** A connection to one of its sockets, through it. */
export function tunnel(at: PeerAddress, path: string): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const asked = request({ ...optionsOf(at, path), headers: { connection: "upgrade", upgrade: UPGRADE } });
  asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error("It does not answer")));
  asked.on("error", reject);
  asked.on("response", (answer) => {
    answer.resume();
    reject(new PeerRefusal(`It answered ${answer.statusCode}`));
  });
  asked.on("upgrade", (_, socket, head) => {
    socket.setTimeout(0);
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  asked.end();
  return promise;
}

function send(at: PeerAddress, path: string, body: object | undefined): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request({ ...optionsOf(at, path), method: body === undefined ? "GET" : "POST" }, resolve);
  asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error("It does not answer")));
  asked.on("error", reject);
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

function optionsOf({ cell, host, port, authorities, key, own }: PeerAddress, path: string): object {
  return {
    ...{ host, port, path, agent: false, minVersion: "TLSv1.3", ca: [...authorities] },
    ...(own === undefined ? {} : { key: own.key, cert: own.certificate }),
    checkServerIdentity: (_: string, shown: PeerCertificate) => {
      const isOther = key !== undefined && keyOf(new X509Certificate(shown.raw)) !== key;
      return (
        masterProblem(shown.subjectaltname, cell) ?? (isOther ? new Error("it is another master than the one that is meant") : undefined)
      );
    },
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error("It answers too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
