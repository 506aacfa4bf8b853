/** Two replicas that share the machines, over real sockets: a link goes to the replica whose machine it is, whichever took it, and once only. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { derOf, type KeyAndCertificate, keyOf, makeAuthority, makeMaster, makeRequest, signMachine } from "./certificates.ts";
import { LinkClient } from "./link-client.ts";
import { type LinkHandle, LinkServer } from "./link-server.ts";
import { ShardLines } from "./shard-lines.ts";

const NOW = Date.now();
const AUTHORITY = await makeAuthority("test", NOW);
const MASTER = await makeMaster(AUTHORITY, { cell: "test", replica: 0, hosts: ["127.0.0.1"] }, NOW);
const { key, request } = await makeRequest("m1");
const M1: KeyAndCertificate = { key, certificate: (await signMachine(AUTHORITY, request, { cell: "test", machine: "m1" }, NOW))! };
const directory = mkdtempSync(join(tmpdir(), "borg-share-"));
after(() => rmSync(directory, { recursive: true, force: true }));
let last = 0;

/** A replica that takes links, and who it believes to have machine m1. */
class Replica {
  readonly name: string;
  readonly path: string;
  readonly linesPath: string;
  owner: string | undefined;
  link: LinkHandle | undefined;
  readonly said: string[] = [];
  server!: LinkServer;
  lines!: ShardLines;

  constructor(name: string) {
    this.name = `${name}${++last}`;
    this.path = join(directory, `${this.name}.sock`);
    this.linesPath = join(directory, `${this.name}.lines`);
  }

  async open(t: TestContext, ...others: Replica[]): Promise<void> {
    this.server = await LinkServer.listen({
      listeners: [{ endpoint: { kind: "unix", path: this.path } }, { endpoint: { kind: "tcp", host: "127.0.0.1", port: 0 }, tls: MASTER }],
      authorities: [AUTHORITY.certificate],
      cell: "test",
      door: {
        admit: async () => ({ ok: true, approved: { cpuMilli: 7 } as never }),
        join: async () => ({ type: "refused", reason: "no" }),
      },
      share: { self: this.name, shardOf: () => this.owner, pass: (replica, link) => this.lines.pass(replica, link) },
      onOpen: (link) => {
        this.link = link;
      },
      onFrame: (_, frame) => this.said.push(frame.case),
      onClose: () => {
        this.link = undefined;
      },
      log: () => {},
    });
    this.lines = await ShardLines.open({
      replica: this.name,
      path: this.linesPath,
      others: new Map(others.map(({ name, linesPath }) => [name, linesPath])),
      onSaid: () => {},
      onPassed: (socket, link) => this.server.take(socket, link),
    });
    t.after(async () => {
      this.lines.close();
      await this.server.close();
    });
  }
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !isTrue(); tries++) await sleep(10);
  assert.ok(isTrue(), `waited in vain: ${what}`);
}

async function pair(t: TestContext, owner: "one" | "two" | "nobody"): Promise<{ one: Replica; two: Replica }> {
  const [one, two] = [new Replica("one"), new Replica("two")];
  for (const each of [one, two]) each.owner = owner === "nobody" ? undefined : owner === "one" ? one.name : two.name;
  await one.open(t, two);
  await two.open(t, one);
  return { one, two };
}

function borglet(t: TestContext, at: ConstructorParameters<typeof LinkClient>[0]["at"]) {
  const heard: string[] = [];
  let approved = 0;
  let opened = 0;
  const client = new LinkClient({
    at,
    machine: "m1",
    identity: M1,
    onOpen: (_, told) => {
      opened += 1;
      approved = told?.cpuMilli ?? 0;
    },
    onFrame: ({ case: name }) => heard.push(name),
    onClose: () => {},
    log: () => {},
    times: { pauseMs: 10, pauseMsMax: 50 },
  });
  t.after(() => client.close());
  return { client, heard, opened: () => opened, approved: () => approved };
}

test("a link is led on to the replica that has its machine, with the key that was proven, and is answered there [B3] [M7]", async (t) => {
  const { one, two } = await pair(t, "two");
  const { port } = one.server.addresses[0]!;
  const m1 = borglet(t, { kind: "tls", host: "127.0.0.1", port, cell: "test", authorities: [AUTHORITY.certificate] });
  await until("an open link", () => m1.opened() === 1);
  assert.equal(one.link, undefined);
  assert.deepEqual([two.link?.machine, two.link?.key], ["m1", keyOf(new X509Certificate(M1.certificate))]);
  assert.equal(m1.approved(), 7, "how much counts is said by whoever let it in");
  two.link!.send({ case: "poll", value: { term: 1, sequence: 1 } });
  await until("the poll", () => m1.heard.length === 1);
  m1.client.send({ case: "report", value: { machine: "m1", term: 1, sequence: 1 } });
  await until("the report", () => two.said.includes("report"));
  m1.client.send({ case: "report", value: { machine: "m2", term: 1, sequence: 1 } });
  await until("a word for another machine to end it", () => m1.opened() === 2);
  assert.deepEqual([one.said, two.said], [[], ["report"]]);
  assert.equal(derOf(M1.certificate).length > 0, true);
});

test("when its machine moves a link is ended wherever it is, and the next dial goes to whoever has it [B3]", async (t) => {
  const { one, two } = await pair(t, "one");
  const m1 = borglet(t, { kind: "unix", path: one.path });
  await until("a link here", () => one.link !== undefined);
  for (const each of [one, two]) each.owner = two.name;
  for (const each of [one, two]) each.server.reconsider();
  await until("a link there", () => two.link !== undefined && one.link === undefined);
  for (const each of [one, two]) each.owner = one.name;
  for (const each of [one, two]) each.server.reconsider();
  await until("a link here again", () => one.link !== undefined && two.link === undefined);
  assert.equal(m1.opened(), 3);
});

test("a link that was led on is led no further: two that believe each other to have a machine send it away [B3] [KB1]", async (t) => {
  const { one, two } = await pair(t, "two");
  two.owner = one.name;
  const m1 = borglet(t, { kind: "unix", path: one.path });
  await sleep(300);
  assert.equal(m1.opened(), 0);
  assert.deepEqual([one.link, two.link], [undefined, undefined]);
  two.owner = two.name;
  await until("they agree", () => m1.opened() === 1 && two.link !== undefined);
});

test("while nobody has its machine, or that replica is dead, a link waits, and goes where it is had then [B3]", async (t) => {
  const { one, two } = await pair(t, "nobody");
  const m1 = borglet(t, { kind: "unix", path: one.path });
  await sleep(300);
  assert.equal(m1.opened(), 0);
  two.lines.close();
  one.owner = two.name;
  await sleep(300);
  assert.equal(m1.opened(), 0);
  one.owner = one.name;
  await until("it stays here", () => one.link !== undefined && m1.opened() === 1);
});
