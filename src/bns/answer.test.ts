import assert from "node:assert/strict";
import { test } from "node:test";
import { Packet } from "dns2";
import { answer, datagramOf, questionOf, RECORDS_MAX, TTL_S, UDP_BYTES_MAX } from "./answer.ts";
import { ask, FakeDirectory, optionsFor, questionFor, task, textOf } from "./fixture.test.ts";

const { TYPE } = Packet;
/** 16 has two names. */
const BADVERS = "BADSIG";
const SOA = "; SOA cc.borg 5";

/** Every kind of name by every kind of question. */
const EXPECTED = `
50.jfoo.ubar.cc.borg              A     NOERROR A 10.0.0.1
50.jfoo.ubar.cc.borg              AAAA  NOERROR${SOA}
50.jfoo.ubar.cc.borg              SRV   NOERROR SRV 50.jfoo.ubar.cc.borg:20050
50.jfoo.ubar.cc.borg              TXT   NOERROR TXT http=20050
50.jfoo.ubar.cc.borg              MX    NOERROR${SOA}
3.jfoo.ubar.cc.borg               A     NOERROR${SOA}
60.jfoo.ubar.cc.borg              A     NXDOMAIN${SOA}
050.jfoo.ubar.cc.borg             A     NXDOMAIN${SOA}
jfoo.ubar.cc.borg                 A     NOERROR A 10.0.0.1, A 10.0.0.2
jfoo.ubar.cc.borg                 SRV   NOERROR SRV 50.jfoo.ubar.cc.borg:20050, SRV 51.jfoo.ubar.cc.borg:20051, SRV 52.jfoo.ubar.cc.borg:20052
jfoo.ubar.cc.borg                 TXT   NOERROR TXT size=60 ready=3
jfoo.ubar.cc.borg                 ANY   NOERROR A 10.0.0.1, A 10.0.0.2
JFoo.Ubar.CC.Borg                 A     NOERROR A 10.0.0.1, A 10.0.0.2
six.ubar.cc.borg                  AAAA  NOERROR AAAA fd00::7
six.ubar.cc.borg                  A     NOERROR${SOA}
_debug._tcp.six.ubar.cc.borg      SRV   NOERROR SRV 0.six.ubar.cc.borg:20101
_debug._tcp.0.six.ubar.cc.borg    SRV   NOERROR SRV 0.six.ubar.cc.borg:20101
_debug._tcp.six.ubar.cc.borg      A     NOERROR${SOA}
_none._tcp.six.ubar.cc.borg       SRV   NXDOMAIN${SOA}
_http._tcp.idle.ubar.cc.borg      SRV   NOERROR${SOA}
_tcp.six.ubar.cc.borg             SRV   NOERROR${SOA}
named.ubar.cc.borg                A     NOERROR A 10.0.0.7
named.ubar.cc.borg                AAAA  NOERROR AAAA fd00::77
idle.ubar.cc.borg                 A     NOERROR${SOA}
idle.ubar.cc.borg                 TXT   NOERROR TXT size=2 ready=0
site._service.ubar.cc.borg        A     NOERROR A 10.0.0.1, A 10.0.0.2
none._service.ubar.cc.borg        A     NXDOMAIN${SOA}
_service.ubar.cc.borg             A     NOERROR${SOA}
none.ubar.cc.borg                 A     NXDOMAIN${SOA}
x.50.jfoo.ubar.cc.borg            A     NXDOMAIN${SOA}
ubar.cc.borg                      A     NOERROR${SOA}
none.cc.borg                      A     NXDOMAIN${SOA}
cc.borg                           SOA   NOERROR SOA cc.borg 5
cc.borg                           A     NOERROR${SOA}
jfoo.ubar.dd.borg                 A     REFUSED
jfoo.ubar.xcc.borg                A     REFUSED
jfoo.ubar.cc.borg.example.com     A     REFUSED
borg                              A     REFUSED
example.com                       A     REFUSED
cc.borg                           AXFR  REFUSED
`;

test("every kind of name is answered by what is ready, or with the SOA that says for how long it is not there [N2]", async () => {
  const options = optionsFor(new FakeDirectory());
  const rows = EXPECTED.trim().split("\n");
  const found = await Promise.all(
    rows.map(async (row) => {
      const [name = "", type = ""] = row.split(/ +/);
      return `${name.padEnd(33)} ${type.padEnd(5)} ${await ask(options, name, TYPE[type as keyof typeof TYPE] ?? 0)}`;
    }),
  );
  assert.equal(found.join("\n"), rows.join("\n"));
});

test("names end in the domain of the cell, too, and not in another; the SOA is that of the zone that was asked [N2]", async () => {
  const options = optionsFor(new FakeDirectory(), "example.com");
  assert.equal(await ask(options, "jfoo.ubar.cc.borg.example.com", TYPE.A), "NOERROR A 10.0.0.1, A 10.0.0.2");
  assert.equal(await ask(options, "jfoo.ubar.cc.borg", TYPE.A), "NOERROR A 10.0.0.1, A 10.0.0.2");
  assert.equal(await ask(options, "none.ubar.cc.borg.example.com", TYPE.A), "NXDOMAIN; SOA cc.borg.example.com 5");
  assert.equal(await ask(options, "jfoo.ubar.cc.borg.example.org", TYPE.A), "REFUSED");
});

test("a copy that does not know its cell yet says that it cannot tell, not that there is nothing [N2]", async () => {
  const directory = new FakeDirectory();
  directory.cell = "";
  assert.equal(await ask(optionsFor(directory), "jfoo.ubar.cc.borg", TYPE.A), "SERVFAIL");
  assert.equal(await ask(optionsFor(directory), "jfoo.ubar.borg", TYPE.A), "SERVFAIL");
});

test("an answer is of this server, lives for a poll, and has the letters of its question; SRV brings addresses along [N2]", async () => {
  const question = questionFor("JFOO.ubar.CC.borg", TYPE.SRV, { udpPayloadSize: 4096 });
  const response = Packet.parse((await answer(question, optionsFor(new FakeDirectory()))).toBuffer());
  const { id, qr, aa, ra, tc } = response.header;
  assert.deepEqual([id, qr, aa, ra, tc], [7, 1, 1, 0, 0]);
  assert.equal(response.questions[0]?.name, "JFOO.ubar.CC.borg");
  for (const { ttl, name } of response.answers) assert.deepEqual([ttl, name], [TTL_S, "JFOO.ubar.CC.borg"]);
  assert.deepEqual(
    response.additionals.filter(({ type }) => type === TYPE.A).map(({ name, address }) => `${name.toLowerCase()} ${address}`),
    ["50.jfoo.ubar.cc.borg 10.0.0.1", "51.jfoo.ubar.cc.borg 10.0.0.2", "52.jfoo.ubar.cc.borg 10.0.0.1"],
  );
  const edns = response.additionals.find(({ type }) => type === TYPE.EDNS);
  assert.equal(edns?.class, UDP_BYTES_MAX);
});

test("another version of EDNS, another class and another kind of request are refused in their own words [N2]", async () => {
  const options = optionsFor(new FakeDirectory());
  assert.equal(textOf(Packet.parse((await answer(questionFor("cc.borg", TYPE.A, { version: 1 }), options)).toBuffer())), BADVERS);
  const chaos = questionFor("cc.borg", TYPE.A);
  chaos.questions[0]!.class = Packet.CLASS.CH;
  assert.equal(textOf(await answer(chaos, options)), "REFUSED");
  const update = questionFor("cc.borg", TYPE.SOA);
  update.header.opcode = 5;
  assert.equal(textOf(await answer(update, options)), "NOTIMP");
});

test("what does not fit a datagram is cut off and said so; a list that is too long is told in part, another each time [N2]", async () => {
  const directory = new FakeDirectory();
  const many = Array.from({ length: 1000 }, (_, i) => task("many", i, `10.0.${i >> 8}.${i & 255}`));
  directory.jobs.set("ubar/many", { size: 1000, tasks: many });
  for (const [size, most] of [
    [undefined, 512],
    [600, 600],
    [100, 512],
    [65_000, UDP_BYTES_MAX],
  ] as const) {
    const question = questionFor("many.ubar.cc.borg", TYPE.A, size === undefined ? {} : { udpPayloadSize: size });
    const bytes = datagramOf(question, await answer(question, optionsFor(directory)));
    assert.ok(bytes.length <= most, `${size}: ${bytes.length} bytes`);
    assert.deepEqual([Packet.parse(bytes).header.tc, Packet.parse(bytes).answers.length], [1, 0]);
  }
  directory.jobs.set("ubar/some", { size: 40, tasks: many.slice(0, 40) });
  for (const [size, tc] of [
    [undefined, 1],
    [1232, 0],
  ] as const) {
    const question = questionFor("some.ubar.cc.borg", TYPE.A, size === undefined ? {} : { udpPayloadSize: size });
    assert.equal(Packet.parse(datagramOf(question, await answer(question, optionsFor(directory)))).header.tc, tc, `${size}`);
  }
  const fits = questionFor("jfoo.ubar.cc.borg", TYPE.SRV);
  assert.equal(Packet.parse(datagramOf(fits, await answer(fits, optionsFor(directory)))).header.tc, 0);
  const first = async (random: number): Promise<string | undefined> => {
    const response = await answer(questionFor("many.ubar.cc.borg", TYPE.A), { ...optionsFor(directory), random: () => random });
    assert.equal(response.answers.length, RECORDS_MAX);
    return response.answers[0]?.address;
  };
  assert.deepEqual([await first(0), await first(0.5)], ["10.0.0.0", "10.0.1.244"]);
});

test("what is no question is not even taken apart: answers, several questions, records in it, and anything malformed [N2]", () => {
  const good = questionFor("jfoo.ubar.cc.borg", TYPE.A).toBuffer();
  assert.ok(questionOf(good) !== undefined);
  const changed = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes[at] = value;
    return bytes;
  };
  for (const bytes of [
    Buffer.alloc(0),
    good.subarray(0, 11),
    good.subarray(0, good.length - 1),
    changed(2, 0x81),
    changed(5, 0),
    changed(5, 2),
    changed(7, 1),
    changed(9, 1),
    changed(11, 2),
    // A name that points at itself, one that runs out of the packet, and a question of 60 KB.
    Buffer.concat([good.subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]),
    changed(12, 63),
    Buffer.alloc(60_000, good),
  ])
    assert.equal(questionOf(bytes), undefined, bytes.toString("hex").slice(0, 80));
  let seed = 7;
  for (let i = 0; i < 20_000; i++) {
    const bytes = Buffer.from(good);
    for (let j = 0; j < 3; j++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      bytes[(seed >>> 8) % bytes.length] = seed >>> 24;
    }
    questionOf(bytes);
  }
});
