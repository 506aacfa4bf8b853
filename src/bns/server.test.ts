import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { Packet } from "dns2";
import { replyBy } from "./answer.ts";
import { FakeDirectory, optionsFor, questionFor, task, textOf } from "./fixture.test.ts";
import { Hosts } from "./hosts.ts";
import { type DnsLimits, DnsServer } from "./server.ts";

const run = promisify(execFile);
const noDig = spawnSync("dig", ["-v"]).error === undefined ? false : "no dig here";
const WAIT_MS = 1500;
const HANG_MS = 8000;

async function serving<T>(work: (server: DnsServer, directory: FakeDirectory) => Promise<T>, limits: Partial<DnsLimits> = {}): Promise<T> {
  const directory = new FakeDirectory();
  const server = await DnsServer.listen({
    at: { kind: "port", host: "127.0.0.1", port: 0 },
    reply: replyBy(optionsFor(directory)),
    log: () => {},
    limits,
  });
  try {
    return await work(server, directory);
  } finally {
    await server.close();
  }
}

/** How many of these packets were answered, and the last answer. */
async function answered(server: DnsServer, packets: readonly Buffer[], waitMs = WAIT_MS): Promise<readonly Packet[]> {
  const socket = createSocket("udp4");
  const answers: Packet[] = [];
  const all = new Promise<void>((resolve) => {
    socket.on("message", (bytes) => {
      answers.push(Packet.parse(bytes));
      if (answers.length === packets.length) resolve();
    });
  });
  for (const packet of packets) socket.send(packet, server.port, "127.0.0.1");
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, waitMs))]);
  socket.close();
  return answers;
}

const QUESTION = questionFor("jfoo.ubar.cc.borg", Packet.TYPE.A).toBuffer();

test("dig finds tasks, jobs and ports by UDP and TCP, and hears what is not there [N2]", { skip: noDig }, () =>
  serving(async (server, directory) => {
    const dig = async (...args: string[]): Promise<string> =>
      (await run("dig", ["@127.0.0.1", "-p", String(server.port), "+tries=2", "+time=10", ...args])).stdout;
    assert.equal(await dig("+short", "50.jfoo.ubar.cc.borg"), "10.0.0.1\n");
    assert.deepEqual((await dig("+short", "+tcp", "jfoo.ubar.cc.borg")).trim().split("\n").sort(), ["10.0.0.1", "10.0.0.2"]);
    assert.equal(await dig("+short", "six.ubar.cc.borg", "AAAA"), "fd00::7\n");
    assert.equal(await dig("+short", "_debug._tcp.six.ubar.cc.borg", "SRV"), "0 1 20101 0.six.ubar.cc.borg.\n");
    assert.equal(await dig("+short", "jfoo.ubar.cc.borg", "TXT"), '"size=60" "ready=3"\n');
    const none = await dig("none.ubar.cc.borg");
    assert.match(none, /status: NXDOMAIN/);
    assert.match(none, /cc\.borg\.\s+5\s+IN\s+SOA/);
    assert.match(await dig("idle.ubar.cc.borg"), /status: NOERROR.*\n.*ANSWER: 0, AUTHORITY: 1/);
    const many = Array.from({ length: 150 }, (_, i) => task("many", i, `10.1.0.${i}`));
    directory.jobs.set("ubar/many", { size: 150, tasks: many });
    assert.equal((await dig("+short", "many.ubar.cc.borg")).trim().split("\n").length, 150, "cut off by UDP, whole by TCP");
    assert.doesNotMatch(await dig("jfoo.ubar.cc.borg", "SRV"), /malformed|extra bytes/i);
  }),
);

test("malformed packets get no answer, and the next question does [N2]", () =>
  serving(async (server) => {
    const bad = [Buffer.alloc(3), Buffer.alloc(500, 0xff), QUESTION.subarray(0, 20), Buffer.alloc(0)];
    assert.equal((await answered(server, bad, 300)).length, 0);
    const [answer] = await answered(server, [QUESTION]);
    assert.equal(textOf(answer!), "NOERROR A 10.0.0.1, A 10.0.0.2");
  }));

test("who asks too much in a second is not answered, and all together no more than the whole may [N2]", () =>
  serving(
    async (server) => {
      const answers = await answered(
        server,
        Array.from({ length: 100 }, () => QUESTION),
        800,
      );
      assert.ok(answers.length >= 20 && answers.length <= 50, `${answers.length} answers`);
    },
    { perSource: 20, all: 1000 },
  ));

test("a connection asks one question after the other; one that says nothing, or too much, is closed; too many are not let in [N2]", () =>
  serving(
    async (server) => {
      let overdue = 0;
      const head = Buffer.alloc(2);
      head.writeUInt16BE(QUESTION.length);
      const framed = Buffer.concat([head, QUESTION]);
      const heard = (sent: Buffer): Promise<Buffer> =>
        new Promise((resolve) => {
          const pieces: Buffer[] = [];
          const late = setTimeout(() => {
            overdue += 1;
            socket.destroy();
          }, HANG_MS);
          const socket = connect(server.port, "127.0.0.1", () => socket.write(sent));
          socket.on("data", (piece) => pieces.push(piece as Buffer));
          socket.on("error", () => {});
          socket.on("close", () => {
            clearTimeout(late);
            resolve(Buffer.concat(pieces));
          });
        });
      const two = await heard(Buffer.concat([framed, framed]));
      const length = two.readUInt16BE(0);
      assert.equal(textOf(Packet.parse(two.subarray(2, 2 + length))), "NOERROR A 10.0.0.1, A 10.0.0.2");
      assert.equal(two.length, 2 * (2 + length));
      assert.equal((await heard(Buffer.from([0xff, 0xff, 1, 2, 3]))).length, 0);
      const four = await heard(Buffer.concat([framed, framed, framed, framed]));
      assert.equal(four.length, 3 * (2 + length), "three questions a connection");
      const silent = Array.from({ length: 6 }, () => heard(Buffer.alloc(0)));
      const [answer] = await answered(server, [QUESTION]);
      assert.equal(answer?.header.rcode, 0, "UDP does not wait for them");
      await Promise.all(silent);
      assert.equal(overdue, 0, "connections that nobody closed");
    },
    { idleMs: 300, questions: 3, connections: 4 },
  ));

test("addresses of machines with names are looked up once, remembered, and told while they are looked up again [N2]", async () => {
  let nowMs = 0;
  let fails = false;
  const asked: string[] = [];
  const lookup = async (host: string): Promise<readonly string[]> => {
    asked.push(host);
    if (fails) throw new Error("no such host");
    return [`10.0.0.${asked.length}`];
  };
  const hosts = new Hosts(lookup, () => nowMs);
  assert.deepEqual(await hosts.addressesOf("127.0.0.1"), ["127.0.0.1"]);
  assert.deepEqual(await hosts.addressesOf(""), []);
  assert.deepEqual([await hosts.addressesOf("a"), await hosts.addressesOf("a"), asked], [["10.0.0.1"], ["10.0.0.1"], ["a"]]);
  nowMs = 31_000;
  fails = true;
  assert.deepEqual(await hosts.addressesOf("a"), ["10.0.0.1"], "what was known");
  assert.deepEqual(await hosts.addressesOf("b"), []);
  assert.deepEqual(asked, ["a", "a", "b"]);
});
