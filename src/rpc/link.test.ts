/** Links end to end over loopback: who may open one, who may say what, and how they end [B2] [KB1]. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { make } from "../wire/codec.ts";
import type { OrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import type { FromBorglet, ToBorglet } from "../wire/link-message.ts";
import {
  derOf,
  type KeyAndCertificate,
  keyOf,
  keyOfRequest,
  makeAuthority,
  makeMaster,
  makeRequest,
  pemOf,
  signMachine,
} from "./certificates.ts";
import { LinkClient, type LinkClientOptions } from "./link-client.ts";
import { decodeFrame, encodeFrame, type FrameBody, FrameDecoder, MOVED } from "./link-frame.ts";
import { proveMachine } from "./link-identity.ts";
import { askToJoin } from "./link-join.ts";
import { type LinkBounds, type LinkDoor, type LinkHandle, LinkServer } from "./link-server.ts";
import { dialWithOldTls, OLD_TLS_REFUSED } from "./test-old-tls.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-link-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

type FrameOrder = NonNullable<MessageInitShape<typeof OrderSchema>["body"]>;

const NOW = Date.now();
const AUTHORITY = await makeAuthority("test", NOW);
const MASTER = await makeMaster(AUTHORITY, { cell: "test", replica: 0, hosts: ["127.0.0.1"] }, NOW);

async function machineIdentity(machine: string, authority = AUTHORITY, cell = "test"): Promise<KeyAndCertificate> {
  const { key, request } = await makeRequest(machine);
  return { key, certificate: (await signMachine(authority, request, { cell, machine }, NOW))! };
}

const M1 = await machineIdentity("m1");
const M2 = await machineIdentity("m2");

/** Decides by names, as a cell would. */
const DOOR: LinkDoor = {
  admit: async (machine, key) => {
    if (machine === "m9") return { ok: false, reason: 'Machine "m9" was not approved' };
    assert.match(key, /^[0-9a-f]{64}$/);
    return { ok: true, approved: make(ResourcesSchema, { cpuMilli: 2000 }) };
  },
  join: async ({ machine, request, token, capacity }, address) => {
    const pem = pemOf(request, "CERTIFICATE REQUEST");
    const key = await keyOfRequest(pem);
    if (key === undefined) return { type: "refused", reason: "no key" };
    if (token !== "good") return token === "" ? { type: "waiting", key } : { type: "refused", reason: `${token} is no token, ${address}` };
    assert.equal(capacity?.cpuMilli, 8000);
    const certificate = derOf((await signMachine(AUTHORITY, pem, { cell: "test", machine }, NOW))!);
    return { type: "joined", certificate, authorities: [derOf(AUTHORITY.certificate)] };
  },
};

interface Master {
  readonly server: LinkServer;
  readonly path: string;
  /** Its TLS port. */
  readonly port: number;
  /** What happened, in words, in order. */
  readonly events: string[];
  readonly links: Map<number, LinkHandle>;
  readonly frames: FromBorglet[];
}

const newPath = (): string => join(mkdtempSync(join(ROOT, "x")), "link.sock");

async function master(t: TestContext, bounds: Partial<LinkBounds> = {}, path = newPath()): Promise<Master> {
  const events: string[] = [];
  const links = new Map<number, LinkHandle>();
  const frames: FromBorglet[] = [];
  const server = await LinkServer.listen({
    listeners: [{ endpoint: { kind: "unix", path } }, { endpoint: { kind: "tcp", host: "127.0.0.1", port: 0 }, tls: MASTER }],
    authorities: [AUTHORITY.certificate],
    cell: "test",
    bounds: { sweepMs: 20, ...bounds },
    door: DOOR,
    onOpen: (link) => {
      events.push(`open ${link.machine} ${link.id}`);
      links.set(link.id, link);
    },
    onFrame: (_, frame) => frames.push(frame),
    onClose: (link, reason) => events.push(`close ${link.machine} ${link.id}: ${reason}`),
    log: () => {},
  });
  t.after(() => server.close());
  return { server, path, port: server.addresses[0]!.port, events, links, frames };
}

interface Borglet {
  readonly client: LinkClient;
  readonly polls: ToBorglet[];
  readonly lines: string[];
  opened: number;
}

function borglet(t: TestContext, path: string, own: Partial<LinkClientOptions> = {}): Borglet {
  const polls: ToBorglet[] = [];
  const lines: string[] = [];
  const client = new LinkClient({
    at: { kind: "unix", path },
    machine: "m1",
    identity: M1,
    onOpen: () => state.opened++,
    onFrame: (frame) => polls.push(frame),
    onClose: () => {},
    log: (line) => lines.push(line),
    times: { pauseMs: 10, pauseMsMax: 50 },
    ...own,
  });
  const state: Borglet = { client, polls, lines, opened: 0 };
  t.after(() => client.close());
  return state;
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What a peer answers to a challenge: by default what machine m1 would. */
type Opening = (nonce: Uint8Array) => FrameBody;

const opening =
  (machine = "m1", identity = M1, protocol = 2): Opening =>
  (nonce) => ({ case: "open", value: { machine, protocol, ...proveMachine(identity, machine, nonce) } });

/** A peer that says what it likes when it is challenged; gives the reason it was told and resolves when it is hung up on. */
function peer(
  path: string,
  ...frames: readonly (FrameBody | Uint8Array | Opening)[]
): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connect({ path });
  const decoder = new FrameDecoder();
  let reason = "";
  socket.on("error", () => {});
  socket.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk, (bytes) => {
      const frame = decodeFrame(bytes);
      if (frame.ok && frame.value.body.case === "closed") reason = frame.value.body.value.reason;
      if (!frame.ok || frame.value.body.case !== "challenge") return true;
      const { nonce } = frame.value.body.value;
      for (const each of frames) {
        const body = typeof each === "function" ? each(nonce) : each;
        socket.write(body instanceof Uint8Array ? body : encodeFrame(body)!);
      }
      return true;
    });
  });
  return { socket, ended: new Promise((resolve) => socket.once("close", () => resolve(reason))) };
}

test("a link that is closed because its machine moved is dialled again at the first pause, however long the pauses had become [B3]", async (t) => {
  const { path, links } = await master(t);
  const one = borglet(t, path, { times: { pauseMs: 1, pauseMsMax: 60_000 } });
  // Pauses that doubled each time would come to hours.
  for (let looks = 0; looks < 1000 && one.opened < 24; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    links.get(one.opened)?.close(MOVED);
  }
  assert.equal(one.opened, 24);
});

test("a borglet dials, is polled, and answers", async (t) => {
  const { path, links, frames } = await master(t);
  const { client, polls } = borglet(t, path);
  await until(() => links.size === 1);
  const link = links.get(1)!;
  assert.equal(link.machine, "m1");
  assert.equal(link.send({ case: "poll", value: { term: 3, sequence: 1 } }), true);
  await until(() => polls.length === 1);
  assert.ok(polls[0]!.case === "poll" && polls[0]!.value.term === 3);
  assert.equal(client.send({ case: "report", value: { machine: "m1", term: 3, sequence: 1 } }), true);
  await until(() => frames.length === 1);
  assert.equal(frames[0]!.case, "report");
});

test("a second link of a machine replaces the first", async (t) => {
  const { path, events, links, server } = await master(t);
  const first = peer(path, opening());
  await until(() => links.size === 1);
  const second = peer(path, opening());
  assert.equal(await first.ended, "Another borglet opened a link for this machine");
  await until(() => events.length === 3);
  assert.deepEqual(events, ["open m1 1", "close m1 1: Another borglet opened a link for this machine", "open m1 2"]);
  assert.equal(server.size, 1);
  assert.equal(links.get(1)!.send({ case: "poll", value: {} }), false);
  assert.equal(links.get(2)!.send({ case: "poll", value: {} }), true);
  second.socket.destroy();
  await until(() => server.size === 0);
});

test("who may not open a link is told why [KA2]", async (t) => {
  const { path, events } = await master(t);
  const stranger = await machineIdentity("m1", await makeAuthority("test", NOW));
  const replayed = opening()(new Uint8Array(32));
  const cases: readonly [FrameBody | Uint8Array | Opening, RegExp][] = [
    [opening("m2"), /Its certificate is for spiffe:\/\/test\/borglet\/m1, not for machine "m2"/],
    [opening("m1", stranger), /Its certificate is not one of this cell/],
    [opening("m1", await machineIdentity("m1", AUTHORITY, "other")), /for spiffe:\/\/other\/borglet\/m1/],
    [opening("m1", MASTER), /for spiffe:\/\/test\/master\/0/],
    [
      (nonce) => ({
        case: "open",
        value: { machine: "m1", protocol: 2, ...proveMachine(M1, "m1", nonce), certificate: new X509Certificate(M2.certificate).raw },
      }),
      /for spiffe:\/\/test\/borglet\/m2/,
    ],
    [
      (nonce) => ({
        case: "open",
        value: {
          machine: "m1",
          protocol: 2,
          certificate: new X509Certificate(M1.certificate).raw,
          signature: proveMachine(M2, "m1", nonce).signature,
        },
      }),
      /does not hold the key/,
    ],
    [replayed, /does not hold the key/],
    [opening("m1", M1, 9), /Cannot speak link protocol 9/],
    [opening("M1"), /open\.machine: Expected a name/],
    [{ case: "hello", value: { machine: "m1", facts: { capacity: {} } } }, /first frame to be open/],
    [Uint8Array.of(0, 2, 0, 0, 1), /at most 65536 bytes, found 131072/],
    [Uint8Array.of(0, 0, 0, 1, 0xff), /Cannot decode LinkFrame/],
  ];
  for (const [frame, words] of cases) assert.match(await peer(path, frame).ended, words);
  const rejected = borglet(t, path, { identity: stranger });
  await until(() => rejected.lines.length > 0);
  assert.match(rejected.lines[0]!, /Cannot hold a link to .*not one of this cell/);
  assert.deepEqual(events, []);
});

test("over TCP a borglet speaks to a proven master only, and sends nothing to another [KA2] [KL2]", async (t) => {
  const { port, links } = await master(t);
  const at = { kind: "tls" as const, host: "127.0.0.1", port, cell: "test", authorities: [AUTHORITY.certificate] };
  const good = borglet(t, "", { at });
  await until(() => good.opened === 1);
  assert.equal(links.get(1)!.machine, "m1");
  const foreign = await makeAuthority("test", NOW);
  const wary = borglet(t, "", { at: { ...at, authorities: [foreign.certificate] }, machine: "m2", identity: M2 });
  await until(() => wary.lines.length > 0);
  assert.match(wary.lines[0]!, /Cannot hold a link to 127\.0\.0\.1:\d+: .*(certificate|self-signed|unable)/);
  const other = borglet(t, "", { at: { ...at, cell: "other" }, machine: "m2", identity: M2 });
  await until(() => other.lines.length > 0);
  assert.match(other.lines[0]!, /no master of cell "other"/);
  const heard: Buffer[] = [];
  const liar = createServer((socket) => socket.on("data", (chunk: Buffer) => heard.push(chunk)).on("error", () => {}));
  await new Promise<void>((resolve) => liar.listen(0, "127.0.0.1", resolve));
  t.after(() => liar.close());
  const lied = borglet(t, "", {
    at: { ...at, port: (liar.address() as { port: number }).port },
    times: { openMs: 200, pauseMs: 10, pauseMsMax: 50 },
  });
  await until(() => lied.lines.length > 0);
  lied.client.close();
  assert.ok(
    heard.every((chunk) => chunk[0] === 22),
    "only a handshake was begun",
  );
  assert.equal(links.size, 1);
});

test("who dials with less than TLS 1.3 gets no connection [KA2]", async (t) => {
  const { port, events } = await master(t);
  assert.equal(await dialWithOldTls(port), OLD_TLS_REFUSED);
  assert.deepEqual(events, []);
});

test("a machine from elsewhere opens a link only if it is admitted, and is told what was approved [KA2]", async (t) => {
  const { port, links } = await master(t);
  const at = { kind: "tls" as const, host: "127.0.0.1", port, cell: "test", authorities: [AUTHORITY.certificate] };
  const told: unknown[] = [];
  borglet(t, "", { at, onOpen: (_cell, approved) => told.push(approved?.cpuMilli) });
  await until(() => told.length === 1);
  assert.deepEqual([told, links.get(1)!.key], [[2000], keyOf(new X509Certificate(M1.certificate))]);
  const refused = borglet(t, "", { at, machine: "m9", identity: await machineIdentity("m9") });
  await until(() => refused.lines.length > 0);
  assert.match(refused.lines[0]!, /Machine "m9" was not approved/);
  assert.equal(refused.opened, 0);
});

test("a machine from elsewhere gets a certificate for its own key, waits, or is told why not [KA2]", async (t) => {
  const { port, path, events } = await master(t);
  const at = { kind: "tls" as const, host: "127.0.0.1", port, cell: "test", authorities: [AUTHORITY.certificate] };
  const { key, request } = await makeRequest("far");
  const ask = (token: string, more: object = {}) =>
    askToJoin({ ...at, ...more }, { machine: "far", request: derOf(request), token, capacity: { cpuMilli: 8000 } });
  const joined = await ask("good");
  assert.ok(joined.type === "joined");
  const identity = { key, certificate: pemOf(joined.certificate, "CERTIFICATE") };
  const far = borglet(t, "", { at, machine: "far", identity });
  await until(() => far.opened === 1);
  const waiting = await ask("");
  assert.deepEqual(waiting, { type: "waiting", key: keyOf(new X509Certificate(identity.certificate)) });
  assert.deepEqual(await ask("bad"), { type: "refused", reason: "bad is no token, 127.0.0.1" });
  const foreign = await makeAuthority("test", NOW);
  assert.equal((await ask("good", { authorities: [foreign.certificate] })).type, "unreachable", "a token goes to nobody who is not proven");
  const frame: FrameBody = { case: "join", value: { protocol: 2, machine: "far", request: derOf(request), token: "good", capacity: {} } };
  assert.match(await peer(path, frame).ended, /first frame to be open/, "the owner's socket is for the cell's own machines");
  assert.deepEqual(events, ["open far 2"]);
});

test("on an open link only a borglet's own frames are taken", async (t) => {
  const { path, events, frames } = await master(t);
  assert.match(await peer(path, opening(), { case: "poll", value: {} }).ended, /Expected what a borglet says, found poll/);
  assert.match(await peer(path, opening(), { case: "opened", value: {} }).ended, /found opened/);
  assert.match(await peer(path, opening(), opening()).ended, /found open/);
  assert.match(await peer(path, opening(), { case: "report", value: { machine: "m2" } }).ended, /report of machine "m1", found "m2"/);
  assert.equal(frames.length, 0);
  assert.equal(events.length, 8);
});

test("connections that say nothing, and links that fall silent, are ended", async (t) => {
  const { path, links } = await master(t, { openMs: 60, silentMs: 120 });
  assert.match(await peer(path).ended, /Expected the first frame within 60 ms/);
  assert.match(await peer(path, opening()).ended, /Silent for 120 ms/);
  assert.equal(links.size, 1);
});

test("too many unopened connections end the oldest; too many dials are hung up on", async (t) => {
  const { path } = await master(t, { unopened: 2, acceptsPerSecond: 5 });
  const peers = Array.from({ length: 3 }, () => peer(path));
  assert.equal(await peers[0]!.ended, "too many others dial");
  const more = Array.from({ length: 20 }, () => peer(path));
  const first = await Promise.race(more.map((other) => other.ended));
  assert.equal(first, "");
  for (const { socket } of [...peers, ...more]) socket.destroy();
});

test("a link whose borglet does not read is ended when too much waits for it [KB1]", async (t) => {
  const { path, links, events } = await master(t);
  const { socket } = peer(path, opening());
  await until(() => links.size === 1);
  socket.pause();
  const order = { case: "start", value: { instance: "ann/web/0:1", task: { command: ["x".repeat(131_072)] } } } satisfies FrameOrder;
  const orders = Array.from({ length: 60 }, () => ({ body: order }));
  let sent = 0;
  while (links.get(1)!.send({ case: "poll", value: { orders } })) assert.ok(++sent < 100, "it takes without end");
  assert.match(events.at(-1)!, /^close m1 1: More than \d+ bytes wait to be sent/);
  socket.destroy();
});

test("a borglet dials again when its master comes back [B5]", async (t) => {
  const first = await master(t);
  const { path } = first;
  const one = borglet(t, path);
  await until(() => one.opened === 1);
  await first.server.close();
  await until(() => one.lines.length > 0);
  assert.equal(one.client.send({ case: "report", value: { machine: "m1" } }), false);
  await master(t, {}, path);
  await until(() => one.opened === 2);
});

test("a borglet takes only what a master says, and gives up on a silent one", async (t) => {
  const { path, links } = await master(t);
  const closed: string[] = [];
  const one = borglet(t, path, { times: { pauseMs: 10, pauseMsMax: 20, silentMs: 100 }, onClose: (reason) => closed.push(reason) });
  await until(() => one.opened >= 2);
  assert.match(closed[0]!, /The master was silent for 100 ms/);
  one.client.close();
  const two = borglet(t, path, { machine: "m2", identity: M2, onClose: (reason) => closed.push(reason) });
  await until(() => two.opened === 1);
  [...links.values()].at(-1)!.send({ case: "report", value: { machine: "m2" } } as never);
  await until(() => closed.some((reason) => reason === "Expected what a master says, found report"));
});
