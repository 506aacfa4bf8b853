/**
 * The port at which masters of several machines speak to each other, attacked by who must not be one: with a token twice, with what was recorded of a join, with a
 * machine's certificate, with a certificate of another key, as a master that was taken out, and under the address of another.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { masterTicketOf } from "../../src/cli/master-ticket.ts";
import type { CellFile, MasterSeat } from "../../src/daemon/data.ts";
import { type AdmissionParts, admitMaster } from "../../src/daemon/peer/admission.ts";
import { openFiles, SHARED_FILES } from "../../src/daemon/peer/bundle.ts";
import { askPeer, fetchFile, type PeerAddress, PeerRefusal, tunnel } from "../../src/daemon/peer/client.ts";
import { type MirrorParts, pathOf } from "../../src/daemon/peer/mirror.ts";
import { PeerServer, type PeerServerOptions } from "../../src/daemon/peer/server.ts";
import { Roster } from "../../src/daemon/roster.ts";
import { type KeyAndCertificate, keyOf, makeAuthority, makeMaster, makeRequest, signMachine } from "../../src/rpc/certificates.ts";
import type { Etcd } from "../../src/store/etcd/port.ts";
import type { ClusterMember } from "../../src/store/etcd-cluster.ts";
import { MemoryEtcd } from "../../src/store/memory-etcd.ts";

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const CANARY = "-----this is the key of the cell's authority-----";
const SHARED = Object.fromEntries(SHARED_FILES.map((name) => [name, CANARY]));
const CELL: CellFile = { cell: "cc", id: "i", owner: "ann", host: "10.0.0.1", port: 7878, linkPort: 7879, machines: 1, replicas: 1 };
const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

const desk = mkdtempSync(join(tmpdir(), "borg-masters-"));
after(() => rmSync(desk, { recursive: true, force: true }));

const AUTHORITY = await makeAuthority("cc", NOW);
const master = (replica: number, by = AUTHORITY, cell = "cc"): Promise<KeyAndCertificate> =>
  makeMaster(by, { cell, replica, hosts: ["127.0.0.1"] }, NOW);
const { X509Certificate } = await import("node:crypto");
const seatOf = (replica: number, host: string, { certificate }: KeyAndCertificate): MasterSeat => ({
  ...{ replica, host },
  key: keyOf(new X509Certificate(certificate)),
});

/** An etcd with one member for every master, as etcd itself keeps it. */
class Stage {
  readonly #memory = new MemoryEtcd(() => Date.now());
  readonly members: ClusterMember[] = [{ id: 1n, name: "etcd-1", peerUrls: ["https://10.0.0.1:7901"], isLearner: false }];
  readonly roster: Roster;
  /** Happens once, between a look at a token and the transaction that takes it. */
  beforeTaking: (() => Promise<unknown>) | undefined;

  constructor() {
    const etcd: Etcd = {
      ask: async (question, then) => {
        const before = question.type === "txn" && question.guards.length > 1 ? this.beforeTaking : undefined;
        if (before !== undefined) this.beforeTaking = undefined;
        await before?.();
        then(this.#memory.ask(question));
      },
      watch: () => () => {},
    };
    this.roster = new Roster(etcd, "cc");
  }

  get parts(): AdmissionParts {
    return {
      cell: CELL,
      roster: this.roster,
      cluster: {
        list: async () => this.members,
        addLearner: async (url) => {
          this.members.push({ id: BigInt(this.members.length + 1), name: "", peerUrls: [url], isLearner: true });
          return this.members;
        },
      },
      files: () => SHARED,
      now: () => Date.now(),
    };
  }

  /** The last one that joined is there. */
  started(replica: number): void {
    const last = this.members.pop()!;
    this.members.push({ ...last, name: `etcd-${replica}`, isLearner: false });
  }
}

test("a master's token is good once: replayed, raced or too late it opens nothing [M2] [KA2]", async () => {
  const stage = new Stage();
  const one = await master(1);
  assert.ok(await stage.roster.begin(seatOf(1, "10.0.0.1", one)));
  assert.equal(await stage.roster.begin(seatOf(2, "10.0.0.9", one)), false, "who comes later is not the first");
  await stage.roster.invite(hashOf("t1"), NOW + HOUR_MS, NOW);
  const { key, request } = await makeRequest("master");
  const bundle = await admitMaster(stage.parts, { token: "t1", request, host: "10.0.0.2" });
  assert.ok(bundle.ok);
  assert.equal(bundle.value.replica, 2);
  assert.equal(bundle.value.cluster, "etcd-1=https://10.0.0.1:7901,etcd-2=https://10.0.0.2:7903");
  assert.deepEqual(openFiles(bundle.value, key), { ok: true, value: SHARED });

  stage.started(2);
  const thief = await makeRequest("master");
  const again = await admitMaster(stage.parts, { token: "t1", request: thief.request, host: "10.0.0.3" });
  assert.match(again.ok ? "" : again.reason, /used already, or its time is over/);

  await stage.roster.invite(hashOf("t2"), NOW + HOUR_MS, NOW);
  const race = await Promise.all(["10.0.0.3", "10.0.0.4"].map((host) => stage.roster.admit(hashOf("t2"), { host, key: host }, NOW)));
  assert.equal(race.filter(({ ok }) => ok).length, 1, "of two at the same moment one has it");
  await stage.roster.invite(hashOf("t4"), NOW + HOUR_MS, NOW);
  stage.beforeTaking = async () => {
    const first = await stage.roster.admit(hashOf("t4"), { host: "10.0.0.6", key: "first" }, NOW);
    if (first.ok) await stage.roster.remove(first.value);
  };
  const second = await stage.roster.admit(hashOf("t4"), { host: "10.0.0.7", key: "second" }, NOW);
  assert.equal(second.ok, false, "its place is free again, but its token is gone");
  await stage.roster.invite(hashOf("t3"), NOW - 1, NOW);
  const late = await stage.roster.admit(hashOf("t3"), { host: "10.0.0.5", key: "k" }, NOW);
  assert.match(late.ok ? "" : late.reason, /its time is over/);
  assert.equal((await stage.roster.read()).masters.length, 3);
});

test("what is sent at a join opens for the key that asked and for no other, and holds nothing readable [M2]", async () => {
  const stage = new Stage();
  await stage.roster.invite(hashOf("t"), NOW + HOUR_MS, NOW);
  const { key, request } = await makeRequest("master");
  const bundle = await admitMaster(stage.parts, { token: "t", request, host: "10.0.0.2" });
  assert.ok(bundle.ok);
  const recorded = JSON.stringify(bundle.value);
  assert.ok(!recorded.includes(CANARY) && !recorded.includes(Buffer.from(CANARY).toString("base64").slice(0, 20)));
  const { key: other } = await makeRequest("master");
  assert.equal(openFiles(bundle.value, other).ok, false);
  assert.equal(openFiles({ ...bundle.value, replica: 3 }, key).ok, false, "it is bound to the number");
  assert.equal(openFiles({ ...bundle.value, common: { ...bundle.value.common, cell: "dd" } }, key).ok, false, "and to the cell");
});

test("a master that has no key of secrets itself lets nobody in, and no token is lost [M2] [G14]", async () => {
  const stage = new Stage();
  await stage.roster.invite(hashOf("t"), NOW + HOUR_MS, NOW);
  const { request } = await makeRequest("master");
  const asked = { token: "t", request, host: "10.0.0.2" };
  const without = await admitMaster({ ...stage.parts, files: () => undefined }, asked);
  assert.match(without.ok ? "" : without.reason, /no key of secrets itself now: ask another one/);
  assert.ok((await admitMaster(stage.parts, asked)).ok, "the ticket is as good as before");
});

test("who joins seconds after another one waits until etcd takes members again; what etcd did not answer is not asked twice [M2]", async () => {
  const stage = new Stage();
  for (const token of ["t", "u"]) await stage.roster.invite(hashOf(token), NOW + HOUR_MS, NOW);
  const { request } = await makeRequest("master");
  let asked = 0;
  const { cluster } = stage.parts;
  const refusing = (tries: number, words: string): AdmissionParts => ({
    ...stage.parts,
    cluster: {
      list: () => cluster.list(),
      addLearner: (url) => (++asked < tries ? Promise.reject(new Error(words)) : cluster.addLearner(url)),
    },
  });
  const lost = await admitMaster(refusing(2, "etcd: etcdserver: request timed out"), { token: "t", request, host: "10.0.0.2" });
  assert.match(lost.ok ? "" : lost.reason, /request timed out\. The ticket is used up/);
  asked = 0;
  const joined = await admitMaster(refusing(3, "etcd: etcdserver: unhealthy cluster"), { token: "u", request, host: "10.0.0.2" });
  assert.deepEqual([joined.ok, asked], [true, 3]);
});

test("nobody joins under the address of another, with a request of another's key, or while one joins [M2] [KA2]", async () => {
  const stage = new Stage();
  await stage.roster.begin(seatOf(1, "10.0.0.1", await master(1)));
  for (const token of ["a", "b", "c"]) await stage.roster.invite(hashOf(token), NOW + HOUR_MS, NOW);
  const { request } = await makeRequest("master");
  const tried = async (token: string, host: string, text = request): Promise<string> => {
    const answer = await admitMaster(stage.parts, { token, request: text, host });
    return answer.ok ? "in" : answer.reason;
  };
  assert.match(await tried("a", "10.0.0.1"), /Master 1 is at 10\.0\.0\.1 already/);
  for (const host of ["127.0.0.1", "0.0.0.0", "::1", "evil.example", "10.0.0.2,etcd-9=https://10.6.6.6", ""])
    assert.match(await tried("a", host), /is no address of a machine/, host);
  const bytes = Buffer.from(request.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  bytes[bytes.length - 5]! ^= 1;
  const broken = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  assert.match(await tried("a", "10.0.0.2", broken), /not signed with its own key/);
  assert.equal(await tried("a", "10.0.0.2"), "in", "none of them used the token up");
  assert.match(await tried("b", "10.0.0.3"), /joins just now/);
});

async function served(
  masters: () => readonly MasterSeat[],
  own: KeyAndCertificate,
  letIn: PeerServerOptions["join"] = async () => ({ ok: false, reason: "no" }),
): Promise<{ server: PeerServer; at: Omit<PeerAddress, "own"> }> {
  const secret = join(desk, "keys.json");
  writeFileSync(secret, CANARY);
  const parts: MirrorParts = { cell: CELL, self: 1, replicas: desk, packages: desk, secrets: desk, log: () => {} };
  const server = new PeerServer({
    ...{ cell: "cc", tls: own, authorities: [AUTHORITY.certificate], masters, log: () => {} },
    join: letIn,
    list: () => [],
    file: (area, name) => pathOf(parts, area, name),
    socket: (name) => (name === "/api" ? join(desk, "api.sock") : undefined),
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, at: { cell: "cc", host: "127.0.0.1", port: server.port, authorities: [AUTHORITY.certificate] } };
}

test("only a master of the roster gets the clock, a key or the owner's socket: no machine, no other key, no master that was taken out [M2] [KA2]", async () => {
  const [one, two, impostor] = [await master(1), await master(2), await master(2)];
  const strange = await makeAuthority("cc", NOW);
  const { key, request } = await makeRequest("m7");
  const machine = { key, certificate: (await signMachine(AUTHORITY, request, { cell: "cc", machine: "m7" }, NOW))! };
  let masters: readonly MasterSeat[] = [seatOf(1, "10.0.0.1", one), seatOf(2, "10.0.0.2", two)];
  const owner = createServer((socket) => socket.end("hello owner")).listen(join(desk, "api.sock"));
  const { server, at } = await served(() => masters, one);
  let files = 0;
  const gets = async (own: KeyAndCertificate | undefined): Promise<readonly string[]> => {
    const who = own === undefined ? at : { ...at, own };
    const words = (error: unknown): string => (error instanceof PeerRefusal ? "refused" : `failed: ${(error as Error).message}`);
    files += 1;
    return [
      await askPeer(who, "/clock").then(() => "clock", words),
      await fetchFile(who, "/files/secrets/keys.json", join(desk, `got-${files}`), 1000).then(() => "key", words),
      await tunnel(who, "/api").then((socket) => (socket.destroy().destroyed ? "owner" : ""), words),
    ];
  };
  try {
    assert.deepEqual(await gets(two), ["clock", "key", "owner"]);
    const refused = ["refused", "refused", "refused"];
    for (const [who, own] of Object.entries({
      nobody: undefined,
      "a machine": machine,
      "another key": impostor,
      "another authority": await master(2, strange),
      "another cell": await master(2, AUTHORITY, "dd"),
      "another number": await master(3),
    }))
      assert.deepEqual(await gets(own), refused, who);
    masters = masters.slice(0, 1);
    assert.deepEqual(await gets(two), refused, "one that was taken out, at once");
    await assert.rejects(askPeer({ ...at, key: seatOf(2, "", two).key }, "/clock"), /another master than the one that is meant/);
    await assert.rejects(askPeer({ ...at, cell: "dd" }, "/clock"), /no master of cell "dd"/);
    await assert.rejects(askPeer({ ...at, authorities: [strange.certificate] }, "/clock"), /certificate/);
  } finally {
    server.close();
    owner.close();
  }
});

test("paths lead nowhere else, long requests are refused, and a crowd of strangers does not keep masters out [M2]", async () => {
  const [one, two] = [await master(1), await master(2)];
  const { server, at } = await served(() => [seatOf(1, "10.0.0.1", one), seatOf(2, "10.0.0.2", two)], one);
  const own = { ...at, own: two };
  try {
    for (const path of [
      "/files/secrets/../keys.json",
      "/files/secrets/%2e%2e",
      "/files/packages/keys.json",
      "/files//etc/passwd",
      "/files/master/authority.key",
    ])
      await assert.rejects(fetchFile(own, path, join(desk, "none"), 1000), PeerRefusal, path);
    await assert.rejects(askPeer(at, "/join", { token: "x".repeat(20_000), request: "", host: "" }), /no request to join|ECONNRESET/);
    await assert.rejects(askPeer(at, "/join", { token: 5 }), /no request to join/);
    const crowd = Array.from({ length: 40 }, () =>
      askPeer(at, "/clock").catch((error: unknown) => (error instanceof PeerRefusal ? "told" : "cut")),
    );
    assert.ok((await Promise.all(crowd)).every((each) => each === "told" || each === "cut"));
    assert.ok((await askPeer<{ nowMs: number }>(own, "/clock")).nowMs > 0);
  } finally {
    server.close();
  }
});

test("who is being let in is told so, although the process that does it is ended meanwhile [M2]", async () => {
  const one = await master(1);
  const [begun, admitted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { server, at } = await served(
    () => [seatOf(1, "10.0.0.1", one)],
    one,
    async () => {
      begun.resolve();
      await admitted.promise;
      return { ok: false, reason: "it was let in" };
    },
  );
  const told = askPeer(at, "/join", { token: "t", request: "r", host: "10.0.0.2" }).catch((error: Error) => error.message);
  await begun.promise;
  const closed = server.close();
  await assert.rejects(askPeer(at, "/clock"), /ECONNREFUSED/);
  admitted.resolve();
  assert.equal(await told, "it was let in");
  await closed;
});

test("a machine's ticket is no master's", () => {
  const ticket = `borg-join-1:${Buffer.from(JSON.stringify({ cell: "cc", host: "10.0.0.1", port: 1, authorities: ["x"] })).toString("base64url")}`;
  assert.throws(() => masterTicketOf(ticket), /This is no master's ticket/);
  assert.throws(() => masterTicketOf("borg-master-1:e30"), /This is no master's ticket/);
});
