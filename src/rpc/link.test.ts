/** Links end to end over loopback: who may open one, who may say what, and how they end [B2] [KB1]. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { LinkClient, type LinkClientOptions } from "./link-client.ts";
import { decodeFrame, encodeFrame, type FrameBody, FrameDecoder, type FromBorglet, type FromMaster } from "./link-frame.ts";
import { type Link, type LinkLimits, LinkServer } from "./link-server.ts";

type FrameOrder = NonNullable<MessageInitShape<typeof OrderSchema>["body"]>;

interface Master {
  readonly server: LinkServer;
  readonly port: number;
  /** What happened, in words, in order. */
  readonly events: string[];
  readonly links: Map<number, Link>;
  readonly frames: FromBorglet[];
}

async function master(t: TestContext, limits: Partial<LinkLimits> = {}): Promise<Master> {
  const events: string[] = [];
  const links = new Map<number, Link>();
  const frames: FromBorglet[] = [];
  const server = await LinkServer.listen({
    host: "127.0.0.1",
    port: 0,
    cell: "test",
    limits: { sweepMs: 20, ...limits },
    admit: ({ token }) => (token === "good" ? undefined : "Cannot find the machine of this token"),
    onOpen: (link) => {
      events.push(`open ${link.machine} ${link.id}`);
      links.set(link.id, link);
    },
    onFrame: (_, frame) => frames.push(frame),
    onClose: (link, reason) => events.push(`close ${link.machine} ${link.id}: ${reason}`),
    log: () => {},
  });
  t.after(() => server.close());
  return { server, port: server.address.port, events, links, frames };
}

interface Borglet {
  readonly client: LinkClient;
  readonly polls: FromMaster[];
  readonly lines: string[];
  opened: number;
}

function borglet(t: TestContext, port: number, own: Partial<LinkClientOptions> = {}): Borglet {
  const polls: FromMaster[] = [];
  const lines: string[] = [];
  const client = new LinkClient({
    host: "127.0.0.1",
    port,
    machine: "m1",
    token: "good",
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

/** A peer that says what it likes; gives the reason it was told and resolves when it is hung up on. */
function peer(port: number, ...frames: readonly (FrameBody | Uint8Array)[]): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const decoder = new FrameDecoder();
  let reason = "";
  socket.on("error", () => {});
  socket.on("data", (chunk: Uint8Array) => {
    decoder.push(chunk, (bytes) => {
      const frame = decodeFrame(bytes);
      if (frame.ok && frame.value.body.case === "closed") reason = frame.value.body.value.reason;
      return true;
    });
  });
  for (const frame of frames) socket.write(frame instanceof Uint8Array ? frame : encodeFrame(frame)!);
  return { socket, ended: new Promise((resolve) => socket.once("close", () => resolve(reason))) };
}

const open = (machine = "m1", token = "good", protocol = 1): FrameBody => ({ case: "open", value: { machine, token, protocol } });

test("a borglet dials, is polled, and answers", async (t) => {
  const { port, links, frames } = await master(t);
  const { client, polls } = borglet(t, port);
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
  const { port, events, links, server } = await master(t);
  const first = peer(port, open());
  await until(() => links.size === 1);
  const second = peer(port, open());
  assert.equal(await first.ended, "Another borglet opened a link for this machine");
  await until(() => events.length === 3);
  assert.deepEqual(events, ["open m1 1", "close m1 1: Another borglet opened a link for this machine", "open m1 2"]);
  assert.equal(server.size, 1);
  assert.equal(links.get(1)!.send({ case: "poll", value: {} }), false);
  assert.equal(links.get(2)!.send({ case: "poll", value: {} }), true);
  second.socket.destroy();
  await until(() => server.size === 0);
});

test("who may not open a link is told why", async (t) => {
  const { port, events } = await master(t);
  assert.equal(await peer(port, open("m1", "bad")).ended, "Cannot find the machine of this token");
  assert.match(await peer(port, open("m1", "good", 9)).ended, /Cannot speak link protocol 9/);
  assert.match(await peer(port, open("M1")).ended, /open\.machine: Expected a name/);
  assert.match(await peer(port, { case: "hello", value: { machine: "m1", facts: { capacity: {} } } }).ended, /first frame to be open/);
  assert.match(await peer(port, Uint8Array.of(0, 2, 0, 0, 1)).ended, /at most 65536 bytes, found 131072/);
  assert.match(await peer(port, Uint8Array.of(0, 0, 0, 1, 0xff)).ended, /Cannot decode LinkFrame/);
  const stranger = borglet(t, port, { token: "bad" });
  await until(() => stranger.lines.length > 0);
  assert.match(stranger.lines[0]!, /Cannot hold a link to .*Cannot find the machine of this token/);
  assert.deepEqual(events, []);
});

test("on an open link only a borglet's own frames are taken", async (t) => {
  const { port, events, frames } = await master(t);
  assert.match(await peer(port, open(), { case: "poll", value: {} }).ended, /Expected what a borglet says, found poll/);
  assert.match(await peer(port, open(), { case: "opened", value: {} }).ended, /found opened/);
  assert.match(await peer(port, open(), open()).ended, /found open/);
  assert.match(await peer(port, open(), { case: "report", value: { machine: "m2" } }).ended, /report of machine "m1", found "m2"/);
  assert.equal(frames.length, 0);
  assert.equal(events.length, 8);
});

test("connections that say nothing, and links that fall silent, are ended", async (t) => {
  const { port, links } = await master(t, { openMs: 60, silentMs: 120 });
  assert.match(await peer(port).ended, /Expected the first frame within 60 ms/);
  assert.match(await peer(port, open()).ended, /Silent for 120 ms/);
  assert.equal(links.size, 1);
});

test("too many unopened connections end the oldest; too many dials are hung up on", async (t) => {
  const { port } = await master(t, { unopened: 2, acceptsPerSecond: 5 });
  const peers = Array.from({ length: 3 }, () => peer(port));
  assert.equal(await peers[0]!.ended, "too many others dial");
  const more = Array.from({ length: 20 }, () => peer(port));
  const first = await Promise.race(more.map((other) => other.ended));
  assert.equal(first, "");
  for (const { socket } of [...peers, ...more]) socket.destroy();
});

test("a link whose borglet does not read is ended when too much waits for it [KB1]", async (t) => {
  const { port, links, events } = await master(t);
  const { socket } = peer(port, open());
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
  const { port } = first;
  const one = borglet(t, port);
  await until(() => one.opened === 1);
  await first.server.close();
  await until(() => one.lines.length > 0);
  assert.equal(one.client.send({ case: "report", value: { machine: "m1" } }), false);
  const again = await LinkServer.listen({
    host: "127.0.0.1",
    port,
    cell: "test",
    admit: () => undefined,
    onOpen: () => {},
    onFrame: () => {},
    onClose: () => {},
    log: () => {},
  });
  t.after(() => again.close());
  await until(() => one.opened === 2);
});

test("a borglet takes only what a master says, and gives up on a silent one", async (t) => {
  const { port, links } = await master(t);
  const closed: string[] = [];
  const one = borglet(t, port, { times: { pauseMs: 10, pauseMsMax: 20, silentMs: 100 }, onClose: (reason) => closed.push(reason) });
  await until(() => one.opened >= 2);
  assert.match(closed[0]!, /The master was silent for 100 ms/);
  one.client.close();
  const two = borglet(t, port, { machine: "m2", onClose: (reason) => closed.push(reason) });
  await until(() => two.opened === 1);
  [...links.values()].at(-1)!.send({ case: "report", value: { machine: "m2" } } as never);
  await until(() => closed.some((reason) => reason === "Expected what a master says, found report"));
});

test("links are served only on loopback", async () => {
  const nothing = { cell: "test", admit: () => undefined, onOpen: () => {}, onFrame: () => {}, onClose: () => {}, log: () => {} };
  await assert.rejects(LinkServer.listen({ host: "0.0.0.0", port: 0, ...nothing }), /without TLS/);
});
