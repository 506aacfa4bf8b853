/** Packages of a borglet: no task starts before its packages are there, what is in use stays, and a package that cannot be had is the task's failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../wire/codec.ts";
import { PackageChunkSchema, PackageGrantSchema, PackageSourceSchema, PeerRequestSchema } from "../wire/gen/borg/v1/link_pb.ts";
import { type OrderSchema, PollSchema, type StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { MemoryWorld } from "./fixture.test.ts";
import { PEER_MS, PIECE_MS } from "./package-fetch.ts";
import { VOUCHER_MS } from "./peer-desk.ts";

const [ONE, TWO, THREE] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [string, string, string];
const MIB = 2 ** 20;

const naming = (...digests: string[]) => ({ task: { command: ["x"], packages: digests.map((version) => ({ name: "web", version })) } });

class Fetching extends MemoryWorld {
  #sequence = 0;

  poll(orders: Init<typeof OrderSchema>[] = []): void {
    this.#sequence += 1;
    this.say({ type: "frame", frame: { case: "poll", value: make(PollSchema, { term: 1, sequence: this.#sequence, orders }) } });
    this.run(10);
  }

  order(instance: string, more: Init<typeof StartOrderSchema>): void {
    this.poll([{ body: { case: "start", value: { instance, task: { command: ["x"] }, ...more } } }]);
  }

  exit(instance: string): void {
    this.end(instance, { code: 0, signal: 0 });
  }

  chunk(digest: string, offset: number, bytes: number, total: number, problem = ""): void {
    const value = make(PackageChunkSchema, { digest, offset, data: new Uint8Array(bytes), total, problem });
    this.say({ type: "frame", frame: { case: "packageChunk", value } });
  }

  unpacked(digest: string, bytes = 10, problem = "", packedBytes = 0): void {
    if (problem === "") this.packagesThere.set(digest, { names: [`ann/web@${digest}`], bytes, packedBytes });
    this.say({ type: "package", unpacked: { digest, bytes, packedBytes, problem } });
  }

  /** All of it at once. */
  fetched(digest: string, bytes = 10): void {
    this.chunk(digest, 0, 5, 5);
    this.unpacked(digest, bytes);
  }

  asked(): (readonly [string, number])[] {
    return this.packageRequests.splice(0).map(({ digest, offset }) => [digest[0]!, offset] as const);
  }

  words(): string[] {
    this.poll();
    return this.reports.at(-1)!.instances.map(({ waiting, message }) => waiting || message);
  }
}

test("a task starts when its packages are there, fetched piece by piece and unpacked once [borglet.D1] [U8]", () => {
  const world = new Fetching();
  world.order("ann/web/0:1", naming(ONE));
  world.order("ann/web/1:2", naming(ONE));
  assert.deepEqual([world.starts, world.asked()], [0, [["a", 0]]]);
  assert.deepEqual(world.words(), ["fetching package ann/web@aaaaaaaaaaaa", "fetching package ann/web@aaaaaaaaaaaa"]);
  world.chunk(ONE, 0, 60, 100);
  assert.deepEqual(world.words()[0], "fetching package ann/web@aaaaaaaaaaaa (60 %)");
  world.chunk(ONE, 0, 60, 100);
  world.chunk(TWO, 60, 40, 100);
  assert.deepEqual(world.asked(), [["a", 60]], "what was not asked for is passed over");
  world.chunk(ONE, 60, 40, 100);
  assert.deepEqual([world.packageSteps, world.starts], [["unpack a"], 0]);
  assert.deepEqual(world.words()[0], "unpacking package ann/web@aaaaaaaaaaaa");
  world.unpacked(ONE);
  assert.equal(world.starts, 2);
  world.poll();
  assert.deepEqual(world.reports.at(-1)!.facts!.packages, [`ann/web@${ONE}`]);
});

test("a piece that does not come is asked for again, and a new link begins where the old one was [borglet.D2] [U8]", () => {
  const world = new Fetching();
  world.order("ann/web/0:1", naming(ONE));
  world.chunk(ONE, 0, 60, 100);
  world.asked();
  world.run(PIECE_MS + 1);
  assert.deepEqual(world.asked(), [["a", 60]]);
  world.say({ type: "connected" });
  assert.deepEqual(world.asked(), [["a", 60]]);
  world.crash();
  world.poll();
  assert.deepEqual(world.asked().at(-1), ["a", 60], "after a restart too");
});

test("a package that cannot be had fails the start, with its cause and a back-off; others start [borglet.D3] [U8]", () => {
  const world = new Fetching();
  world.order("ann/web/0:1", naming(ONE));
  world.order("ann/other/0:2", {});
  assert.equal(world.starts, 1);
  world.chunk(ONE, 0, 0, 0, "The master has no bytes of it");
  assert.match(world.words()[0]!, /^Cannot start: Cannot fetch package ann\/web@aaaaaaaaaaaa: The master has no bytes of it$/);
  world.asked();
  world.run(900);
  assert.deepEqual(world.asked(), [], "it backs off");
  world.run(200);
  assert.deepEqual(world.asked(), [["a", 0]]);
  world.chunk(ONE, 0, 5, 5);
  world.unpacked(ONE, 0, 'Path "../x" leads out of the tree');
  assert.match(world.words()[0]!, /Cannot unpack package .*leads out of the tree/);
  world.run(2100);
  world.fetched(ONE);
  assert.equal(world.starts, 2, "in the end it was there");
});

test("least recently used packages go when there is no room, never one in use [borglet.D4] [U8]", () => {
  const world = new Fetching();
  world.order("ann/a/0:1", naming(ONE));
  world.fetched(ONE, 400 * MIB);
  world.order("ann/b/0:2", naming(TWO));
  world.fetched(TWO, 400 * MIB);
  world.exit("ann/a/0:1");
  world.order("ann/c/0:3", naming(THREE));
  world.fetched(THREE, 400 * MIB);
  assert.deepEqual(
    world.packageSteps.filter((step) => step.startsWith("drop")),
    ["drop a"],
    "the one that nobody uses",
  );
  assert.equal(world.starts, 3);
  world.order("ann/d/0:4", naming(ONE));
  world.fetched(ONE, 400 * MIB);
  assert.match(world.words().at(-1)!, /No room for package ann\/web@aaaaaaaaaaaa: \d+ of \d+ bytes are in use by tasks/);
  assert.deepEqual(
    world.packageSteps.filter((step) => step.startsWith("drop")),
    ["drop a", "drop a"],
  );
});

class Among extends Fetching {
  /** The master names a machine. */
  source(machine: string, digest = ONE): void {
    const value = make(PackageSourceSchema, { digest, machine, host: "h", port: 7, voucher: `voucher of ${machine}` });
    this.say({ type: "frame", frame: { case: "packageSource", value } });
  }

  /** A piece from another machine. */
  piece(machine: string, offset: number, bytes: number, total: number, problem = ""): void {
    const value = make(PackageChunkSchema, { digest: ONE, offset, data: new Uint8Array(bytes), total, problem });
    this.say({ type: "frame", frame: { case: "packageChunk", value } }, `borglet/${machine}`);
  }

  /** Of whom it asked for what since. */
  askedPeers(): (readonly [string, string, number])[] {
    return this.toPeers
      .splice(0)
      .flatMap(([to, { case: kind, value }]) => (kind === "peerRequest" ? [[to, value.voucher, value.offset] as const] : []));
  }

  /** What it said to the master about packages since: where it is, who failed, whether another will do. */
  told(): string[] {
    return this.packageRequests.splice(0).map(({ offset, bytesMax, peers, from, failed }) => {
      const what = bytesMax === 0 ? `has it from ${from || "the master"}` : `asks ${peers ? "anybody" : "the master"}`;
      return `${what} at ${offset}${failed.length === 0 ? "" : ` not ${failed}`}`;
    });
  }
}

test("a package comes from the machine that the master names, and goes on where it was [borglet.D6] [S6]", () => {
  const world = new Among();
  world.order("ann/web/0:1", naming(ONE));
  assert.deepEqual(world.told(), ["asks anybody at 0"]);
  world.source("m2", TWO);
  world.source("m2");
  world.source("m3");
  assert.deepEqual(world.askedPeers(), [["borglet/m2", "voucher of m2", 0]], "only one, and only for what is wanted");
  world.piece("m2", 0, 60, 100);
  world.piece("m3", 60, 40, 100);
  world.chunk(ONE, 60, 40, 100);
  assert.deepEqual(world.askedPeers(), [["borglet/m2", "voucher of m2", 60]], "nobody else is listened to");
  assert.equal(world.words()[0], "fetching package ann/web@aaaaaaaaaaaa from m2 (60 %)");
  world.run(4000);
  world.piece("m2", 60, 20, 100);
  world.run(4000);
  world.piece("m2", 80, 10, 100);
  world.run(4000);
  assert.deepEqual(world.told(), ["has it from m2 at 90"], "the master knows");
  world.piece("m2", 90, 10, 100);
  world.run(PIECE_MS);
  assert.deepEqual(world.told(), ["has it from m2 at 100"], "while it is unpacked too");
  world.unpacked(ONE);
  assert.equal(world.starts, 1);
});

test("a machine that fails, is slow or talks nonsense is left for another, and in the end for the master [borglet.D6] [S6]", () => {
  const world = new Among();
  world.order("ann/web/0:1", naming(ONE));
  world.source("m2");
  world.piece("m2", 0, 60, 100);
  world.told();
  world.piece("m2", 60, 0, 0, "The package is not here any more");
  assert.deepEqual(world.told(), ["asks anybody at 60 not m2"]);
  world.source("m3");
  world.run(PEER_MS + 1);
  assert.deepEqual(world.told(), ["asks anybody at 60 not m2,m3"], "slow");
  world.source("m4");
  world.piece("m4", 60, 40, 99);
  assert.deepEqual(world.told(), ["asks the master at 60 not m2,m3,m4"], "of another size");
  world.source("m5");
  assert.deepEqual(
    world.askedPeers().map(([to]) => to),
    ["borglet/m2", "borglet/m2", "borglet/m3", "borglet/m4"],
  );
  world.chunk(ONE, 60, 40, 100);
  world.unpacked(ONE);
  assert.equal(world.starts, 1);
});

test("bytes of others with another hash are fetched again, from the master, and nobody's start fails for it [borglet.D6] [S6]", () => {
  const world = new Among();
  world.order("ann/web/0:1", naming(ONE));
  world.source("m2");
  world.piece("m2", 0, 100, 100);
  world.told();
  world.say({
    type: "package",
    unpacked: { digest: ONE, bytes: 0, packedBytes: 0, problem: "Its bytes have another hash", isWrong: true },
  });
  assert.deepEqual(world.told(), ["asks the master at 0"]);
  assert.deepEqual(world.words(), ["fetching package ann/web@aaaaaaaaaaaa"]);
  world.chunk(ONE, 0, 100, 100);
  world.say({
    type: "package",
    unpacked: { digest: ONE, bytes: 0, packedBytes: 0, problem: "Its bytes have another hash", isWrong: true },
  });
  assert.match(world.words()[0]!, /Cannot unpack package .*another hash/, "the master's own are its failure");
});

test("others get pieces for a voucher that the master announced, of its package only, for a while [borglet.D7] [KG3] [S6]", () => {
  const world = new Among();
  world.order("ann/web/0:1", naming(ONE, TWO));
  for (const digest of [ONE, TWO]) {
    world.chunk(digest, 0, 5, 5);
    world.unpacked(digest, 10, "", 700);
  }
  const asks = (voucher: string, digest: string, offset = 0): unknown => {
    world.toPeers.length = 0;
    const value = make(PeerRequestSchema, { voucher, digest, offset, bytesMax: 500 });
    world.say({ type: "frame", frame: { case: "peerRequest", value } }, "asker/1");
    const [to, frame] = world.toPeers[0]!;
    assert.ok(to === "asker/1" && frame.case === "packageChunk");
    return frame.value.problem || [frame.value.data.length, frame.value.total];
  };
  const grant = (digest: string, voucher: string): boolean | undefined => {
    world.say({ type: "frame", frame: { case: "packageGrant", value: make(PackageGrantSchema, { digest, voucher }) } });
    return world.grants.pop();
  };
  const NO = "This machine was not told to give that";
  assert.equal(asks("secret", ONE), NO);
  assert.equal(grant(ONE, "secret"), true);
  assert.deepEqual(
    [asks("secret", ONE), asks("secret", ONE, 500)],
    [
      [500, 700],
      [200, 700],
    ],
  );
  assert.equal(asks("secret", TWO), NO, "of another package");
  assert.equal(asks("", ONE), NO);
  assert.equal(grant(THREE, "other"), false, "it is not here");
  assert.equal(asks("other", THREE), NO);
  world.run(VOUCHER_MS + 1);
  assert.equal(asks("secret", ONE), NO, "it was not used for long");
});

test("bytes for others go first when there is no room, and then nobody is promised any [borglet.D4] [S6]", () => {
  const world = new Among();
  world.order("ann/a/0:1", naming(ONE));
  world.chunk(ONE, 0, 5, 5);
  world.unpacked(ONE, 400 * MIB, "", 200 * MIB);
  world.order("ann/b/0:2", naming(TWO));
  world.chunk(TWO, 0, 5, 5);
  world.unpacked(TWO, 500 * MIB, "", 1);
  assert.deepEqual(
    world.packageSteps.filter((step) => step.startsWith("drop")),
    ["drop bytes of a"],
  );
  assert.equal(world.starts, 2);
  world.say({ type: "frame", frame: { case: "packageGrant", value: make(PackageGrantSchema, { digest: ONE, voucher: "t" }) } });
  assert.equal(world.grants.pop(), false);
});
