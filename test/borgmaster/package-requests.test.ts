/** Who gets a package from whom: a crowd of machines, played by the test, asks one master. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MachineId } from "../../src/base/id.ts";
import type { Desired } from "../../src/borgmaster/link/desired.ts";
import { GRANT_MS, PackageRequests, type PieceAsk } from "../../src/borgmaster/link/package-requests.ts";
import { FROM_MACHINE_MAX, FROM_MASTER_MAX, QUIET_MS } from "../../src/borgmaster/link/package-sources.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import { PackageGrantedSchema, PackageRequestSchema, type PackageSource } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { Framed, ToBorglet } from "../../src/wire/link-message.ts";
import { TestEnv } from "./test-env.ts";

const DIGEST = "a".repeat(64);
const NAME = `ann/web@${DIGEST}`;
const ALL_NAME_IT = {
  on: () => new Map([["ann/web/0:1", {}]]),
  specOf: () => ({ task: { packages: [{ name: "web", version: DIGEST }] } }),
} as unknown as Desired;

class Crowd {
  readonly env = new TestEnv<Framed<ToBorglet> | PieceAsk>();
  readonly requests = new PackageRequests(this.env, "keeper");
  /** Who was told to go where, in order; of pieces of the master only the machine. */
  readonly sources: (readonly [string, PackageSource])[] = [];
  readonly pieces: string[] = [];
  readonly vouchers: string[] = [];
  /** Machines that say they have nothing to give, and those that say nothing. */
  readonly empty = new Set<string>();
  readonly silent = new Set<string>();

  join(machine: string, packages: string[] = [], port = 7): void {
    const facts = make(MachineFactsSchema, { host: `${machine}.test`, packages });
    this.requests.greet(`borglet/${machine}`, machine as MachineId, facts, port);
  }

  ask(machine: string, more: Init<typeof PackageRequestSchema> = {}): void {
    const request = make(PackageRequestSchema, { machine, digest: DIGEST, offset: 0, bytesMax: 9, peers: true, ...more });
    this.requests.ask(`borglet/${machine}`, request, ALL_NAME_IT);
    this.settle();
  }

  has(machine: string): void {
    this.requests.has(machine as MachineId, make(MachineFactsSchema, { packages: [NAME] }));
  }

  later(ms: number): void {
    this.env.nowMs += ms;
    this.requests.look();
    this.settle();
  }

  /** Everybody answers what they were asked. */
  settle(): void {
    for (let sent = this.env.take(); sent.length > 0; sent = this.env.take())
      for (const { to, message } of sent) {
        const machine = to.slice("borglet/".length);
        if (message.type === "package-piece-ask") this.pieces.push(message.id.split(" ")[0]!);
        else if (message.frame.case === "packageSource") this.sources.push([machine, message.frame.value]);
        else if (message.frame.case === "packageGrant") {
          const { voucher } = message.frame.value;
          this.vouchers.push(voucher);
          if (this.silent.has(machine)) continue;
          this.requests.granted(to, make(PackageGrantedSchema, { machine, voucher, has: !this.empty.has(machine) }));
        }
      }
  }
}

test("a package that many machines want leaves the master three times; the others get it from those, a few at a time [S6] [U8]", () => {
  const crowd = new Crowd();
  const machines = Array.from({ length: 60 }, (_, i) => `m${i}`);
  for (const machine of machines) crowd.join(machine);
  for (const machine of machines) crowd.ask(machine);
  assert.deepEqual(crowd.pieces, machines.slice(0, FROM_MASTER_MAX));
  assert.deepEqual(crowd.sources, [], "the others wait");
  const done = new Set<string>();
  let rounds = 0;
  for (let coming = [...crowd.pieces]; coming.length > 0; rounds++) {
    for (const machine of coming) {
      done.add(machine);
      crowd.has(machine);
    }
    const before = crowd.sources.length;
    crowd.later(200);
    const begun: (readonly [string, PackageSource])[] = crowd.sources.slice(before);
    const load = new Map<string, number>();
    for (const [, { machine }] of begun) load.set(machine, (load.get(machine) ?? 0) + 1);
    assert.ok(
      begun.every(([, { machine }]) => done.has(machine)),
      "only from machines that have it",
    );
    assert.ok([...load.values()].every((count) => count <= FROM_MACHINE_MAX));
    coming = begun.map(([machine]) => machine);
  }
  assert.equal(done.size, 60);
  assert.equal(crowd.pieces.length, FROM_MASTER_MAX);
  assert.ok(rounds <= 5, `${rounds} rounds: 3, 9, 27, 60`);
});

test("a machine is named only when it agreed to give, with a voucher that only these two have [S6]", () => {
  const crowd = new Crowd();
  for (const [machine, packages] of [
    ["m1", [NAME]],
    ["m2", []],
    ["m3", []],
  ] as const)
    crowd.join(machine, [...packages]);
  crowd.silent.add("m1");
  crowd.ask("m2");
  assert.deepEqual([crowd.sources, crowd.pieces], [[], []]);
  crowd.ask("m2");
  crowd.silent.clear();
  crowd.later(GRANT_MS + 1);
  assert.deepEqual([crowd.sources, crowd.pieces], [[], ["m2"]], "it was passed over for m2, which gets it from the master");
  crowd.ask("m3");
  const [[asker, source]] = crowd.sources as [[string, PackageSource]];
  assert.deepEqual([asker, source.machine, source.host, source.port], ["m3", "m1", "m1.test", 7]);
  assert.notEqual(source.voucher, "");
  crowd.silent.add("m1");
  crowd.join("m4");
  crowd.ask("m4");
  crowd.requests.granted("borglet/m2", make(PackageGrantedSchema, { machine: "m2", voucher: crowd.vouchers.at(-1)!, has: true }));
  crowd.settle();
  assert.equal(crowd.sources.length, 1, "nobody agrees in another's place");
  assert.equal(new Set(crowd.vouchers).size, 3, "no voucher is used twice");
});

test("who failed, has nothing to give, cannot be reached or is gone is not named again; in the end the master gives it [S6]", () => {
  const crowd = new Crowd();
  for (const machine of ["m1", "m2"]) crowd.join(machine, [NAME]);
  crowd.join("m3", [NAME], 0);
  crowd.join("m4", [NAME]);
  crowd.join("m5", [NAME]);
  crowd.requests.gone("m5" as MachineId);
  crowd.empty.add("m4");
  crowd.join("m9");
  crowd.ask("m9");
  crowd.ask("m9", { failed: ["m1"] });
  crowd.ask("m9", { failed: ["m1", "m2"] });
  assert.deepEqual(
    crowd.sources.map(([, { machine }]) => machine),
    ["m1", "m2"],
  );
  assert.deepEqual(crowd.pieces, ["m9"]);
  crowd.ask("m9", { peers: false });
  assert.deepEqual(crowd.pieces, ["m9", "m9"], "as it goes on there");
});

test("a fetch that nobody hears of ends, and one that is told of does not; a new leader learns what goes on [S6]", () => {
  const crowd = new Crowd();
  for (const machine of ["m1", "m2", "m3", "m4", "m5"]) crowd.join(machine);
  for (const machine of ["m1", "m2", "m3", "m4"]) crowd.ask(machine);
  assert.deepEqual(crowd.pieces, ["m1", "m2", "m3"]);
  crowd.later(QUIET_MS - 1);
  for (const machine of ["m1", "m2", "m3"]) crowd.ask(machine, { bytesMax: 0 });
  crowd.later(QUIET_MS - 1);
  assert.deepEqual(crowd.pieces, ["m1", "m2", "m3"], "they unpack it");
  crowd.later(2);
  assert.deepEqual(crowd.pieces, ["m1", "m2", "m3", "m4"]);
  const other = new Crowd();
  other.join("m1", [NAME]);
  for (const machine of ["m2", "m3"]) other.ask(machine, { bytesMax: 0, from: "m1" });
  other.ask("m4");
  assert.deepEqual([other.sources, other.pieces], [[], []], "m1 gives it to two already");
  other.has("m2");
  other.later(200);
  assert.deepEqual(
    other.sources.map(([, { machine }]) => machine),
    ["m1"],
  );
});
