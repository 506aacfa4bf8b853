/** Packages of a borglet: no task starts before its packages are there, what is in use stays, and a package that cannot be had is the task's failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../wire/codec.ts";
import { PackageChunkSchema } from "../wire/gen/borg/v1/link_pb.ts";
import { type OrderSchema, PollSchema, type StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { MemoryWorld } from "./fixture.test.ts";
import { PIECE_MS } from "./packages.ts";

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

  unpacked(digest: string, bytes = 10, problem = ""): void {
    if (problem === "") this.packagesThere.set(digest, { names: [`ann/web@${digest}`], bytes });
    this.say({ type: "package", unpacked: { digest, bytes, problem } });
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
