import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Packet } from "dns2";
import { replyBy } from "./answer.ts";
import { FakeDirectory, optionsFor, questionFor, task, textOf } from "./fixture.test.ts";
import { type ResolverOptions, resolverReply } from "./resolver.ts";
import { DnsServer } from "./server.ts";
import { askDoors, resolverWords, serversOf, Upstream } from "./upstream.ts";

const { TYPE } = Packet;

/** What the question is told by which side; the sides say that they were asked by answering with one address each. */
function resolving(more: Partial<ResolverOptions> = {}): (name: string, type?: number, isDatagram?: boolean) => Promise<string> {
  const said = async (bytes: Buffer, address: string): Promise<Buffer> => {
    const response = Packet.createResponseFromRequest(Packet.parse(bytes));
    response.answers.push({ name: "x", type: TYPE.A, class: Packet.CLASS.IN, ttl: 5, address } as never);
    return response.toBuffer();
  };
  const reply = resolverReply({
    ...{ cell: "cc", domain: "example.com" },
    askCell: (bytes) => said(bytes, "1.1.1.1"),
    askOthers: (bytes) => said(bytes, "2.2.2.2"),
    ...more,
  });
  return async (name, type = TYPE.A, isDatagram = true) => {
    const question = questionFor(name, type);
    return textOf(Packet.parse(await reply(question, isDatagram, question.toBuffer())));
  };
}

test("names of the cell are asked of the cell and of nobody else, all others of the machine's resolvers [N2]", async () => {
  const ask = resolving();
  for (const name of ["0.jfoo.ubar.cc.borg", "JFOO.ubar.CC.Borg", "cc.borg", "none.cc.borg.example.com", "_http._tcp.jfoo.ubar.cc.borg"])
    assert.equal(await ask(name), "NOERROR A 1.1.1.1", name);
  for (const name of ["example.com", "jfoo.ubar.dd.borg", "borg", "xcc.borg", "cc.borg.example.org", "localhost"])
    assert.equal(await ask(name), "NOERROR A 2.2.2.2", name);
});

test("there are no transfers, and what neither side answers is said to have failed [N2]", async () => {
  const ask = resolving({ askCell: async () => undefined, askOthers: async () => undefined });
  assert.equal(await ask("cc.borg", TYPE.AXFR), "REFUSED");
  assert.equal(await ask("example.com", 251), "REFUSED");
  assert.equal(await ask("jfoo.ubar.cc.borg"), "SERVFAIL");
  assert.equal(await ask("example.com"), "SERVFAIL");
});

test("so many questions wait at a time, and a flood of others' names leaves the cell's alone [N2]", async () => {
  const held = Promise.withResolvers<undefined>();
  const ask = resolving({ askOthers: () => held.promise, limits: { cell: 1, others: 2 } });
  const waiting = [ask("a.com"), ask("b.com")];
  assert.equal(await ask("c.com"), "SERVFAIL");
  assert.equal(await ask("jfoo.ubar.cc.borg"), "NOERROR A 1.1.1.1");
  held.resolve(undefined);
  await Promise.all(waiting);
  assert.equal(await ask("d.com"), "SERVFAIL", "answered now, with nothing");
});

test("what a datagram has no room for is cut off and said so, and TCP gives it whole [N2]", async () => {
  const directory = new FakeDirectory();
  directory.jobs.set("ubar/many", { size: 100, tasks: Array.from({ length: 100 }, (_, i) => task("many", i, `10.1.0.${i}`)) });
  const whole = replyBy(optionsFor(directory));
  const askCell = (bytes: Buffer): Promise<Buffer> => whole(Packet.parse(bytes), false, bytes);
  const reply = resolverReply({ cell: "cc", domain: "", askCell, askOthers: async () => undefined });
  const question = questionFor("many.ubar.cc.borg", TYPE.A);
  const cut = Packet.parse(await reply(question, true, question.toBuffer()));
  assert.deepEqual([cut.header.tc, cut.answers.length, cut.questions[0]?.name], [1, 0, "many.ubar.cc.borg"]);
  assert.equal(Packet.parse(await reply(question, false, question.toBuffer())).answers.length, 100);
});

test("the machine's resolvers are those of its file, never the asker itself; the rest of the file is the tasks' too [N2]", () => {
  const text = "# x\nnameserver 10.0.0.1\nnameserver 127.16.1.53\nnameserver nonsense\nnameserver\tfd00::1\nsearch a b\noptions ndots:2\n";
  assert.deepEqual(serversOf(text, "127.16.1.53"), ["10.0.0.1", "fd00::1"]);
  assert.deepEqual(serversOf("nameserver 127.16.1.53\n", "127.16.1.53"), []);
  assert.deepEqual(serversOf("", "127.16.1.53"), ["127.0.0.1"]);
  assert.deepEqual(resolverWords(text), ["search a b", "options ndots:2"]);
});

/** A resolver that says to each question what `say` makes of it. */
async function upstream<T>(say: (bytes: Buffer) => readonly Buffer[], work: (upstream: Upstream) => Promise<T>): Promise<T> {
  const socket: Socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  socket.on("message", (bytes, from) => {
    for (const each of say(bytes)) socket.send(each, from.port, from.address);
  });
  try {
    return await work(new Upstream("127.16.1.53", () => "nameserver 127.0.0.1\n", socket.address().port));
  } finally {
    socket.close();
  }
}

test("an answer is believed only with the number and the question that were sent; the asker gets its own number back [N2]", async () => {
  const question = questionFor("example.com", TYPE.A).toBuffer();
  const answer = (bytes: Buffer, name: string, address: string, id = bytes.readUInt16BE(0)): Buffer => {
    const response = Packet.createResponseFromRequest(questionFor(name, TYPE.A));
    response.header.id = id;
    response.answers.push({ name, type: TYPE.A, class: Packet.CLASS.IN, ttl: 5, address } as never);
    return response.toBuffer();
  };
  const forged = (bytes: Buffer): readonly Buffer[] => [
    Buffer.alloc(3),
    bytes,
    answer(bytes, "example.com", "6.6.6.6", (bytes.readUInt16BE(0) + 1) & 0xffff),
    answer(bytes, "example.org", "6.6.6.6"),
  ];
  await upstream(
    (bytes) => [...forged(bytes), answer(bytes, "example.com", "1.2.3.4")],
    async (others) => {
      const said = Packet.parse((await others.ask(question, true))!);
      assert.deepEqual([said.header.id, textOf(said)], [7, "NOERROR A 1.2.3.4"]);
    },
  );
  await upstream(forged, async (others) => assert.equal(await others.ask(question, true), undefined));
});

test("a resolver that no route leads to is passed over at once, and nobody else has to wait for it [N2]", async () => {
  const question = questionFor("example.com", TYPE.A).toBuffer();
  const nowhere = new Upstream("127.16.1.53", () => "nameserver 255.255.255.255\nnameserver 255.255.255.255\n");
  const startedMs = performance.now();
  assert.deepEqual([await nowhere.ask(question, true), await nowhere.ask(question, false)], [undefined, undefined]);
  assert.ok(performance.now() - startedMs < 1_500);
});

test("the master that leads is asked through its door; one that stands by, and one that is gone, are passed over [N2]", async () => {
  const place = mkdtempSync(join(tmpdir(), "borg-doors-"));
  const standing = new FakeDirectory();
  standing.cell = "";
  const opened: DnsServer[] = [];
  const open = async (name: string, directory: FakeDirectory): Promise<void> => {
    const at = { kind: "door", path: join(place, name) } as const;
    opened.push(await DnsServer.listen({ at, reply: replyBy(optionsFor(directory)), log: () => {} }));
  };
  const question = questionFor("50.jfoo.ubar.cc.borg", TYPE.A).toBuffer();
  try {
    assert.equal(await askDoors(question, place, 300), undefined);
    await open("b.sock", standing);
    assert.equal(await askDoors(question, place, 300), undefined);
    // A socket that nobody listens at any more.
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(join(place, "a.sock"), resolve));
    const coming = askDoors(question, place, 5000);
    gone.close();
    await open("c.sock", new FakeDirectory());
    assert.equal(textOf(Packet.parse((await coming)!)), "NOERROR A 10.0.0.1");
  } finally {
    await Promise.all(opened.map((each) => each.close()));
    rmSync(place, { recursive: true, force: true });
  }
});
