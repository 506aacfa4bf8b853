/** A replica with an empty disk gets a snapshot from a peer over the network; what does not match its name or its checksum is not kept. */
import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keyOf, makeAuthority, makeMaster } from "../../rpc/certificates.ts";
import { FilesDisk } from "../../store/files.ts";
import { Snapshots } from "../../store/log/snapshot.ts";
import type { CellFile } from "../data.ts";
import { snapshotsOf } from "../replicas.ts";
import { FileVault, KEY_FILE } from "../vault.ts";
import type { PeerAddress } from "./client.ts";
import { fetchSnapshot, filesOf, type MirrorParts, mirrorLeader, pathOf } from "./mirror.ts";
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

test("a master takes packages and the key of secrets from the leader, and a snapshot from a peer when the journal begins later than its own [M4]", async () => {
  const root = mkdtempSync(join(tmpdir(), "borg-mirror-"));
  const [there, here] = [machineAt(root, 1), machineAt(root, 2)];
  const authority = await makeAuthority("cc", Date.now());
  const [one, two] = await Promise.all([1, 2].map((replica) => makeMaster(authority, { cell: "cc", replica, hosts: [] }, Date.now())));
  const seats = [one!, two!].map(({ certificate }, i) => ({
    replica: i + 1,
    host: `10.0.0.${i + 1}`,
    key: keyOf(new X509Certificate(certificate)),
  }));
  const server = new PeerServer({
    ...{ cell: "cc", tls: one!, authorities: [authority.certificate], masters: () => seats, log: () => {} },
    join: async () => ({ ok: false, reason: "no" }),
    list: (area) => filesOf(there, area),
    file: (area, name) => pathOf(there, area, name),
    socket: () => undefined,
  });
  try {
    await server.listen({ host: "127.0.0.1", port: 0 });
    const at: PeerAddress = {
      cell: "cc",
      host: "127.0.0.1",
      port: server.port,
      authorities: [authority.certificate],
      key: seats[0]!.key,
      own: two!,
    };
    const [vault] = [new FileVault(there.secrets), new FileVault(here.secrets)];
    const digest = createHash("sha256").update("a package").digest("hex");
    writeFileSync(join(there.packages, digest), "a package");
    writeFileSync(join(there.packages, "f".repeat(64)), "not what its name says");
    writeFileSync(join(there.packages, `${digest}.ann.part`), "somebody pushes");
    await mirrorLeader(here, at);
    assert.deepEqual(readdirSync(here.packages), [digest]);
    const own = new FileVault(here.secrets);
    assert.equal(own.keyId, vault!.keyId, "the leader's key");
    rmSync(join(here.secrets, KEY_FILE));
    await mirrorLeader(here, at);
    assert.equal(new FileVault(here.secrets, Date.now, "wait").keyId, vault!.keyId, "also where there is none any more");

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
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
});
