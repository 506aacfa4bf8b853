/** What masters of several machines take from each other over the network: packages, snapshots, whose names and checksums they check, and the keys of secrets, of which none is lost. */
import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keyOf, makeAuthority, makeMaster } from "../../rpc/certificates.ts";
import { FilesDisk } from "../../store/files.ts";
import { Snapshots } from "../../store/log/snapshot.ts";
import type { CellFile } from "../data.ts";
import { KEY_FILE, merged, readRing } from "../key-ring.ts";
import { PeerEye, readPeerKeys } from "../peer-keys.ts";
import { snapshotsOf } from "../replicas.ts";
import { FileVault } from "../vault.ts";
import type { PeerAddress } from "./client.ts";
import { fetchSnapshot, filesOf, gatherKeys, type MirrorParts, mirrorLeader, pathOf } from "./mirror.ts";
import { PeerServer } from "./server.ts";

const CELL: CellFile = { cell: "cc", id: "i", owner: "ann", host: "10.0.0.1", port: 7878, linkPort: 7879, machines: 1, replicas: 2 };

function machineAt(root: string, self: number): MirrorParts {
  const at = (name: string): string => {
    const path = join(root, String(self), name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return { cell: CELL, self, replicas: at("replicas"), packages: at("packages"), secrets: at("secrets"), log: () => {} };
}

function save(parts: MirrorParts, position: number): void {
  const directory = snapshotsOf(parts.replicas, parts.self);
  mkdirSync(directory, { recursive: true });
  const disk = new FilesDisk(directory);
  assert.ok(new Snapshots(disk, "cc").save({ position, payload: new Uint8Array(1000).fill(position) }).ok);
  disk.close();
}

/** Machines whose masters answer each other. */
class Masters {
  readonly root = mkdtempSync(join(tmpdir(), "borg-mirror-"));
  readonly parts: ReadonlyMap<number, MirrorParts>;
  readonly #servers = new Map<number, PeerServer>();
  readonly #at = new Map<string, PeerAddress>();

  static async start(count: number): Promise<Masters> {
    const masters = new Masters(count);
    const authority = await makeAuthority("cc", Date.now());
    const numbers = [...masters.parts.keys()];
    const own = await Promise.all(numbers.map((replica) => makeMaster(authority, { cell: "cc", replica, hosts: [] }, Date.now())));
    const keys = own.map(({ certificate }) => keyOf(new X509Certificate(certificate)));
    const seats = numbers.map((replica, i) => ({ replica, host: `10.0.0.${replica}`, key: keys[i]! }));
    for (const [i, replica] of numbers.entries()) {
      const server = new PeerServer({
        ...{ cell: "cc", tls: own[i]!, authorities: [authority.certificate], masters: () => seats, log: () => {} },
        join: async () => ({ ok: false, reason: "no" }),
        list: (area) => filesOf(masters.parts.get(replica)!, area),
        file: (area, name) => pathOf(masters.parts.get(replica)!, area, name),
        socket: () => undefined,
      });
      await server.listen({ host: "127.0.0.1", port: 0 });
      masters.#servers.set(replica, server);
      const at = { cell: "cc", host: "127.0.0.1", port: server.port, authorities: [authority.certificate], key: keys[i]! };
      for (const [j, asker] of numbers.entries()) masters.#at.set(`${asker} ${replica}`, { ...at, own: own[j]! });
    }
    return masters;
  }

  private constructor(count: number) {
    this.parts = new Map(Array.from({ length: count }, (_, i) => [i + 1, machineAt(this.root, i + 1)]));
  }

  at(asker: number, asked: number): PeerAddress {
    return this.#at.get(`${asker} ${asked}`)!;
  }

  close(): void {
    for (const server of this.#servers.values()) server.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

test("a master takes packages from the leader, and a snapshot from a peer when the journal begins later than its own [M4]", async () => {
  const masters = await Masters.start(2);
  const [there, here, at] = [masters.parts.get(1)!, masters.parts.get(2)!, masters.at(2, 1)];
  try {
    const digest = createHash("sha256").update("a package").digest("hex");
    writeFileSync(join(there.packages, digest), "a package");
    writeFileSync(join(there.packages, "f".repeat(64)), "not what its name says");
    writeFileSync(join(there.packages, `${digest}.ann.part`), "somebody pushes");
    await mirrorLeader(here, at);
    assert.deepEqual(readdirSync(here.packages), [digest]);

    save(there, 40);
    const peers = new Map([[1, at]]);
    assert.equal(await fetchSnapshot(here, 1, peers), undefined, "the whole journal is there");
    assert.equal(await fetchSnapshot(here, 50, peers), undefined, "nobody has one that goes on at 50");
    assert.equal(await fetchSnapshot(here, 30, peers), 40);
    assert.equal(await fetchSnapshot(here, 30, peers), undefined, "it is there now");
    const disk = new FilesDisk(snapshotsOf(here.replicas, 1));
    assert.ok(new Snapshots(disk, "cc").load(40).ok);
    disk.close();

    save(there, 60);
    const damaged = join(snapshotsOf(there.replicas, 1), `${"60".padStart(16, "0")}.snap`);
    const bytes = readFileSync(damaged);
    bytes[500]! ^= 1;
    writeFileSync(damaged, bytes);
    assert.equal(await fetchSnapshot(here, 61, peers), undefined);
    assert.ok(!existsSync(join(snapshotsOf(here.replicas, 1), `${"60".padStart(16, "0")}.snap`)), "one that is damaged is not kept");
  } finally {
    masters.close();
  }
});

const PLACE = { cell: "cc", owner: "ann", name: "db", version: 1 };
const HOUR_MS = 3_600_000;

/** Masters with their keys of secrets; one that is away answers nobody, and asks nobody. */
class KeyStage {
  readonly masters: Masters;
  readonly away = new Set<number>();
  nowMs = Date.now();
  #looks = 0;
  readonly #vaults = new Map<number, FileVault>();

  constructor(masters: Masters) {
    this.masters = masters;
  }

  vault(replica: number): FileVault {
    const { secrets } = this.masters.parts.get(replica)!;
    const peers = new PeerEye(secrets, this.masters.parts.size, () => this.#looks);
    const made = this.#vaults.get(replica) ?? new FileVault(secrets, { now: () => this.nowMs, ifMissing: "wait", peers });
    this.#vaults.set(replica, made);
    return made;
  }

  /** Its processes start again, with what is on the disk. */
  restart(replica: number): FileVault {
    this.#vaults.delete(replica);
    return this.vault(replica);
  }

  /** One looks at the others and takes what it lacks. */
  async look(replica: number): Promise<FileVault> {
    this.#looks += 1;
    const numbers = [...this.masters.parts.keys()].filter((each) => each !== replica);
    const nobody = { ...this.masters.at(replica, numbers[0]!), port: 1 };
    const peers = numbers.map((each) => [each, this.away.has(each) ? nobody : this.masters.at(replica, each)] as const);
    await gatherKeys(this.masters.parts.get(replica)!, new Map(peers), this.#looks);
    this.vault(replica).reload();
    return this.vault(replica);
  }

  async settle(): Promise<void> {
    for (let rounds = 0; rounds < 2; rounds++) for (const replica of this.masters.parts.keys()) await this.look(replica);
  }
}

async function keyStage(run: (stage: KeyStage) => Promise<void>): Promise<void> {
  const masters = await Masters.start(3);
  try {
    new FileVault(masters.parts.get(1)!.secrets);
    const stage = new KeyStage(masters);
    await stage.settle();
    await run(stage);
  } finally {
    masters.close();
  }
}

test("masters take the keys of secrets from each other, also one whose disk is empty, and from one that is no leader [G14] [M4]", () =>
  keyStage(async (stage) => {
    const { keyId } = stage.vault(1);
    for (const replica of [2, 3]) assert.equal(stage.vault(replica).keyId, keyId, `${replica}`);
    stage.away.add(1);
    const { secrets } = stage.masters.parts.get(3)!;
    for (const name of readdirSync(secrets)) rmSync(join(secrets, name));
    stage.restart(3);
    assert.throws(() => stage.vault(3).keyId, /does not lead/);
    assert.equal((await stage.look(3)).keyId, keyId);
    assert.equal(statSync(join(secrets, KEY_FILE)).mode & 0o777, 0o600);
    assert.equal(statSync(join(secrets, "peers.json")).mode & 0o777, 0o600);
    assert.ok(stage.restart(3).has(keyId), "on its own disk");
  }));

test("a key that was made at one master is lost by nobody when another one leads before it has it, and encrypts when most masters have it [G14] [M4]", () =>
  keyStage(async (stage) => {
    const one = stage.vault(1);
    const before = one.keyId;
    one.rotate();
    const made = one.waiting?.keyId ?? "";
    assert.deepEqual(one.waiting, { keyId: made, held: 1, needed: 2, masters: 3 });
    assert.deepEqual([one.seal(new Uint8Array(1), PLACE).keyId, one.digests(new Uint8Array()).length], [before, 1], "it is not used");
    // One that looked, and whose vault takes nothing meanwhile, does not forget it when the other one is away.
    const parts = stage.masters.parts.get(3)!;
    await gatherKeys(parts, new Map([[1, stage.masters.at(3, 1)]]), 1000);
    await gatherKeys(parts, new Map([[1, { ...stage.masters.at(3, 1), port: 1 }]]), 1001);
    assert.deepEqual(readPeerKeys(parts.secrets)?.peers.get(1)?.keys[0]?.id, made);
    rmSync(join(parts.secrets, "peers.json"));
    // The master that made it is away; the others lead, and make one of their own.
    stage.away.add(1);
    stage.nowMs -= HOUR_MS;
    stage.vault(2).rotate();
    for (const replica of [3, 2]) await stage.look(replica);
    const theirs = stage.vault(2).keyId;
    assert.ok(theirs !== before && !stage.vault(2).has(made) && stage.vault(3).has(theirs));
    const sealed = stage.vault(2).seal(new TextEncoder().encode("hunter2"), PLACE);
    // It comes back: the leader's file has not what it has.
    stage.away.clear();
    stage.nowMs += HOUR_MS;
    stage.restart(1);
    await stage.settle();
    for (const replica of [1, 2, 3]) {
      const vault = stage.restart(replica);
      for (const id of [before, made, theirs]) assert.ok(vault.has(id), `${replica} has ${id}`);
      assert.deepEqual([vault.waiting, new TextDecoder().decode(vault.open(sealed, PLACE))], [undefined, "hunter2"]);
    }
    assert.equal(new Set([1, 2, 3].map((replica) => stage.vault(replica).keyId)).size, 1, "all encrypt with the same one");
  }));

test("while most masters are away a new key waits; an old key that goes at the leader goes everywhere [G14] [M4]", () =>
  keyStage(async (stage) => {
    const before = stage.vault(1).keyId;
    for (const replica of [2, 3]) stage.away.add(replica);
    stage.vault(1).rotate();
    for (let looks = 0; looks < 3; looks++) await stage.look(1);
    assert.deepEqual([stage.vault(1).waiting?.held, stage.restart(1).waiting?.held, stage.vault(1).keyId], [1, 1, before]);
    stage.away.clear();
    await stage.settle();
    const { keyId } = stage.vault(1);
    assert.notEqual(keyId, before);
    stage.vault(1).keepOnly(new Set());
    assert.ok(stage.vault(1).has(before), "it was used just now");
    stage.nowMs += HOUR_MS;
    stage.vault(1).keepOnly(new Set([before]));
    assert.ok(stage.vault(1).has(before), "something is encrypted with it");
    stage.vault(1).keepOnly(new Set());
    await stage.settle();
    for (const replica of [1, 2, 3]) {
      assert.deepEqual([stage.vault(replica).has(before), stage.vault(replica).keyId], [false, keyId], `${replica}`);
      const { secrets } = stage.masters.parts.get(replica)!;
      assert.equal(readRing(secrets).keys.length, 1);
      const { ino } = statSync(join(secrets, KEY_FILE));
      await stage.look(replica);
      assert.equal(statSync(join(secrets, KEY_FILE)).ino, ino, "what is known already is not written again");
    }
    const ring = readRing(stage.masters.parts.get(1)!.secrets);
    assert.deepEqual(
      merged(ring, { keys: [], gone: [keyId] }).keys.map(({ id }) => id),
      [keyId],
      "the key that encrypts is never gone",
    );
  }));
