/**
 * Asks others: the machine's own resolvers, as /etc/resolv.conf names them, and doors of the cell's masters. Each question has a socket and a number of its own, so
 * that who forges an answer has to guess both; what is no answer to the very question is not believed.
 */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { readdirSync, readFileSync } from "node:fs";
import { type Socket as Connection, connect, isIP, type NetConnectOpts } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { questionEnd } from "./resolver.ts";

const RESOLV_CONF = "/etc/resolv.conf";
/** As the C library has it. */
const SERVERS_MAX = 3;
const PORT = 53;
/** All servers together answer before who asked gives up, which is after 5 s. */
const SERVER_MS = 1500;
const DOOR_MS = 1500;
const DOORS_MS = 3000;
const DOORS_AGAIN_MS = 250;
/** Files are looked at again after so long. */
const LOOKED_MS = 1000;
const LENGTH_BYTES = 2;
const ID_COUNT = 65_536;
const RCODE_BITS = 0x0f;
const SERVFAIL = 2;
const ANSWER_BIT = 0x80;

/** The machine's own resolvers. `own`: the address that asks, which must not ask itself. */
export function serversOf(text: string, own: string): readonly string[] {
  const named = text.split("\n").flatMap((line) => /^nameserver[ \t]+(\S+)/.exec(line)?.[1] ?? []);
  const servers = named.filter((address) => isIP(address) !== 0 && address !== own).slice(0, SERVERS_MAX);
  return named.length === 0 ? ["127.0.0.1"] : servers;
}

/** What else the machine's file says, for the file of its tasks. */
export const resolverWords = (text: string): readonly string[] =>
  text.split("\n").filter((line) => /^(search|options|domain|sortlist)[ \t]/.test(line));

export class Upstream {
  readonly #own: string;
  readonly #read: () => string;
  readonly #port: number;
  #servers: readonly string[] = [];
  #untilMs = 0;

  constructor(own: string, read: () => string = () => readFileSync(RESOLV_CONF, "utf8"), port = PORT) {
    this.#own = own;
    this.#read = read;
    this.#port = port;
  }

  /** One after the other; one that fails is no answer while there is another. */
  async ask(bytes: Buffer, isDatagram: boolean): Promise<Buffer | undefined> {
    let last: Buffer | undefined;
    for (const host of this.#look()) {
      const said = isDatagram ? await askDatagram(bytes, host, this.#port) : await askStream(bytes, { host, port: this.#port }, SERVER_MS);
      if (said !== undefined && (said[3]! & RCODE_BITS) !== SERVFAIL) return said;
      last = said ?? last;
    }
    return last;
  }

  #look(): readonly string[] {
    if (performance.now() < this.#untilMs) return this.#servers;
    this.#untilMs = performance.now() + LOOKED_MS;
    try {
      this.#servers = serversOf(this.#read(), this.#own);
    } catch {
      // The machine has none at this moment: what it had may still answer.
    }
    return this.#servers;
  }
}

/** Asks whichever master leads, at its door in this directory. While one is started again, who asks waits. */
export async function askDoors(bytes: Buffer, directory: string, withinMs = DOORS_MS): Promise<Buffer | undefined> {
  for (const end = performance.now() + withinMs; ; await sleep(DOORS_AGAIN_MS)) {
    for (const name of readdirSync(directory).sort()) {
      const said = await askStream(bytes, { path: join(directory, name) }, DOOR_MS);
      if (said !== undefined && (said[3]! & RCODE_BITS) !== SERVFAIL) return said;
    }
    if (performance.now() + DOORS_AGAIN_MS > end) return undefined;
  }
}

const numbered = (bytes: Buffer, id: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(id);
  return copy;
};

function askDatagram(bytes: Buffer, host: string, port: number): Promise<Buffer | undefined> {
  const sent = numbered(bytes, randomInt(ID_COUNT));
  const socket = createSocket(isIP(host) === 6 ? "udp6" : "udp4");
  return new Promise<Buffer | undefined>((resolve) => {
    const late = setTimeout(() => resolve(undefined), SERVER_MS);
    socket.once("close", () => clearTimeout(late));
    socket.on("error", () => resolve(undefined));
    // Connected: the kernel lets nobody else's datagrams through. Where no route leads there, it says so here.
    socket.connect(port, host, (error?: Error) => (error === undefined ? socket.send(sent) : resolve(undefined)));
    socket.on("message", (said) => {
      if (isAnswer(sent, said)) resolve(numbered(said, bytes.readUInt16BE(0)));
    });
  }).finally(() => socket.close());
}

function askStream(bytes: Buffer, at: NetConnectOpts, withinMs: number): Promise<Buffer | undefined> {
  const sent = numbered(bytes, randomInt(ID_COUNT));
  const socket: Connection = connect(at);
  return new Promise<Buffer | undefined>((resolve) => {
    let heard = Buffer.alloc(0);
    socket.setTimeout(withinMs, () => resolve(undefined));
    const late = setTimeout(() => resolve(undefined), withinMs);
    socket.once("close", () => {
      clearTimeout(late);
      resolve(undefined);
    });
    socket.on("error", () => resolve(undefined));
    const head = Buffer.alloc(LENGTH_BYTES);
    head.writeUInt16BE(sent.length);
    socket.write(Buffer.concat([head, sent]));
    socket.on("data", (piece) => {
      heard = Buffer.concat([heard, piece as Buffer]);
      const length = heard.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : heard.readUInt16BE(0);
      if (heard.length < LENGTH_BYTES + length) return;
      const said = heard.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
      resolve(isAnswer(sent, said) ? numbered(said, bytes.readUInt16BE(0)) : undefined);
    });
  }).finally(() => socket.destroy());
}

/** The same number, the same question in the same letters, and an answer. */
function isAnswer(sent: Buffer, said: Buffer): boolean {
  const end = questionEnd(sent);
  if (said.length < 12 || said.readUInt16BE(0) !== sent.readUInt16BE(0) || (said[2]! & ANSWER_BIT) === 0) return false;
  // Who cannot even read a question may leave it out.
  if (said.readUInt16BE(4) === 0) return (said[3]! & RCODE_BITS) !== 0;
  return said.subarray(12, end).equals(sent.subarray(12, end));
}
