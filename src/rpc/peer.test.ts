/** Machines that give each other pieces of packages, over real sockets: who is not proven is told nothing, and strangers get nothing. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { make } from "../wire/codec.ts";
import {
  type PackageChunk,
  PackageChunkSchema,
  type PackageSource,
  PackageSourceSchema,
  type PeerRequest,
  PeerRequestSchema,
} from "../wire/gen/borg/v1/link_pb.ts";
import { type KeyAndCertificate, makeAuthority, makeRequest, signMachine } from "./certificates.ts";
import { encodeFrame } from "./link-frame.ts";
import { PeerClient } from "./peer-client.ts";
import { ACCEPTS_PER_SECOND, type PeerServer, servePeers } from "./peer-server.ts";
import { dialWithOldTls, OLD_TLS_REFUSED } from "./test-old-tls.ts";

const HOST = "127.0.0.1";
const DIGEST = "a".repeat(64);
let authority: KeyAndCertificate;
let server: PeerServer;
const asked: PeerRequest[] = [];

async function machine(name: string, by: KeyAndCertificate): Promise<KeyAndCertificate> {
  const { key, request } = await makeRequest(name);
  return { key, certificate: (await signMachine(by, request, { cell: "c", machine: name }, Date.now()))! };
}

before(async () => {
  authority = await makeAuthority("c", Date.now());
  server = await servePeers({
    host: HOST,
    identity: await machine("m1", authority),
    onRequest: (connection, request) => {
      asked.push(request);
      const { digest, offset } = request;
      const more = request.voucher === "good" ? { data: new Uint8Array(offset + 3), total: 900_000 } : { problem: "no" };
      server.answer(connection, make(PackageChunkSchema, { digest, offset, ...more }));
    },
    log: () => {},
  });
});
after(() => server.close());

class Asker {
  readonly client: PeerClient;
  #next = Promise.withResolvers<readonly [string, PackageChunk]>();

  constructor(authorities = [authority.certificate]) {
    this.client = new PeerClient({ cell: "c", authorities, onChunk: (from, chunk) => this.#next.resolve([from, chunk]) });
  }

  async ask(source: Partial<PackageSource>, offset = 0): Promise<string> {
    const learned = make(PackageSourceSchema, { digest: DIGEST, machine: "m1", host: HOST, port: server.port, voucher: "good", ...source });
    if (offset === 0) this.client.learn(learned);
    this.#next = Promise.withResolvers();
    this.client.ask(learned.machine, make(PeerRequestSchema, { voucher: learned.voucher, digest: DIGEST, offset, bytesMax: 9 }));
    const [from, { data, problem }] = await this.#next.promise;
    assert.equal(from, learned.machine);
    return problem || `${data.length} bytes`;
  }
}

test("pieces come one after the other from the machine that was named [S6]", async () => {
  const one = new Asker();
  assert.deepEqual([await one.ask({}), await one.ask({}, 300_000), await one.ask({}, 7)], ["3 bytes", "300003 bytes", "10 bytes"]);
  one.client.close();
});

test("a voucher is shown to nobody but that machine, and what goes wrong is told [S6] [KG3]", async () => {
  const one = new Asker();
  asked.length = 0;
  assert.match(await one.ask({ machine: "m2" }), /it is not machine "m2"/);
  const strangers = await makeAuthority("c", Date.now());
  assert.notEqual(await new Asker([strangers.certificate]).ask({}), "3 bytes");
  assert.deepEqual(asked, [], "nothing was sent before the other side had proven itself");
  assert.equal(await one.ask({ voucher: "bad" }), "no");
  assert.equal(await one.ask({}), "3 bytes", "it can be asked again");
  const closed = createServer().listen(0, HOST);
  await new Promise((resolve) => closed.once("listening", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  assert.match(await one.ask({ port }), /ECONNREFUSED/);
  one.client.close();
});

test("who dials with less than TLS 1.3 gets no connection [S6] [KA2]", async () => {
  assert.equal(await dialWithOldTls(server.port), OLD_TLS_REFUSED);
});

test("strangers that dial in a loop get a few handshakes a second, and machines are served again afterwards [S6] [KG3]", async () => {
  let shaken = 0;
  await sleep(1100);
  const dials = Array.from({ length: 200 }, () => {
    const socket = connect({ host: HOST, port: server.port, rejectUnauthorized: false });
    socket.on("error", () => {});
    socket.once("secureConnect", () => {
      shaken += 1;
      socket.destroy();
    });
    return new Promise((resolve) => socket.once("close", resolve));
  });
  await Promise.all(dials);
  assert.ok(shaken >= 1 && shaken <= 5 * ACCEPTS_PER_SECOND, `${shaken} handshakes of 200`);
  await sleep(1100);
  const one = new Asker();
  assert.equal(await one.ask({}), "3 bytes");
  one.client.close();
});

test("whoever says anything but one request at a time is hung up on [S6] [KG3]", async () => {
  const hello = encodeFrame({ case: "packageGrant", value: { digest: DIGEST, voucher: "mine" } })!;
  const long = Buffer.from([0, 16, 0, 0]);
  for (const bytes of [hello, long, Buffer.from("GET / HTTP/1.1\r\n\r\n")]) {
    asked.length = 0;
    const socket = connect({ host: HOST, port: server.port, rejectUnauthorized: false });
    socket.on("error", () => {});
    socket.once("secureConnect", () => socket.write(bytes));
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    assert.deepEqual(asked, []);
  }
});
