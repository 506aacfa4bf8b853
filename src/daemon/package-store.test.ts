/** Bytes of packages on the master's disk: nothing is kept that was not verified and synced, and nobody gets what they only know the hash of. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PART_KEEP_MS, PackageStore, type Progress } from "./package-store.ts";

let directory = "";
before(() => {
  directory = mkdtempSync(join(tmpdir(), "borg-packages-"));
});
after(() => rmSync(directory, { recursive: true, force: true }));

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const open = (): PackageStore => new PackageStore(directory);

interface Sent {
  readonly user?: string;
  readonly owned?: boolean;
  readonly digest?: string;
  readonly offset?: number;
  readonly data?: Uint8Array;
}

const put = (
  store: PackageStore,
  bytes: Uint8Array,
  { user = "ann", owned = false, digest = hashOf(bytes), offset = 0, data = new Uint8Array() }: Sent,
) => store.put({ user, owned, digest, total: bytes.length, offset, data });

async function send(store: PackageStore, bytes: Uint8Array, sent: Sent = {}, piece = 1000): Promise<Progress> {
  let at = await put(store, bytes, sent);
  for (let calls = 0; !at.kept && calls < 1000; calls++)
    at = await put(store, bytes, { ...sent, offset: at.received, data: bytes.subarray(at.received, at.received + piece) });
  return at;
}

test("pieces come in order, any of them again, and a new store goes on where the old one was [U8]", async () => {
  const bytes = randomBytes(5000);
  assert.deepEqual(await put(open(), bytes, {}), { received: 0, kept: false });
  assert.deepEqual(await put(open(), bytes, { data: bytes.subarray(0, 2000) }), { received: 2000, kept: false });
  assert.deepEqual(await put(open(), bytes, { data: bytes.subarray(0, 2000) }), { received: 2000, kept: false }, "it came before");
  assert.deepEqual(
    await put(open(), bytes, { offset: 4000, data: bytes.subarray(4000) }),
    { received: 2000, kept: false },
    "a gap is not written",
  );
  assert.deepEqual(await open().read(hashOf(bytes), 0, 10), undefined, "what is not whole is not there");
  assert.deepEqual(await send(open(), bytes), { received: 5000, kept: true });
  assert.deepEqual(await put(open(), bytes, {}), { received: 5000, kept: true }, "the same again costs one question");
  const piece = await open().read(hashOf(bytes), 4990, 100);
  assert.deepEqual([piece?.total, Buffer.from(piece?.data ?? [])], [5000, bytes.subarray(4990)]);
});

test("bytes with another hash are not kept, and no piece goes beyond the end [U8]", async () => {
  const [bytes, digest] = [randomBytes(100), hashOf(Buffer.from("else"))];
  await assert.rejects(put(open(), bytes, { digest, data: bytes }), /The bytes have the hash .*: send them again/);
  assert.equal(await open().isKept({ user: "ann", owned: true, digest, total: 100 }), false);
  assert.deepEqual(await put(open(), bytes, { digest }), { received: 0, kept: false }, "it begins anew");
  await assert.rejects(put(open(), bytes, { data: Buffer.concat([bytes, bytes]) }), /has 100 bytes: the piece at 0 has 200/);
  await assert.rejects(put(open(), bytes, { digest: "../../etc/passwd", data: bytes }), /no package of a user/);
  await assert.rejects(put(open(), bytes, { user: "../ann", data: bytes }), /no package of a user/);
});

test("whoever only knows the hash of another's package does not have it [KA2]", async () => {
  const bytes = randomBytes(3000);
  await send(open(), bytes);
  const bob = { user: "bob", digest: hashOf(bytes), total: 3000 };
  assert.equal(await open().isKept({ ...bob, owned: false }), false);
  assert.deepEqual(await put(open(), bytes, { user: "bob" }), { received: 0, kept: false }, "he has to send all of it");
  const forged = Buffer.alloc(3000);
  await assert.rejects(send(open(), forged, { user: "bob", digest: hashOf(bytes) }), /have the hash/);
  assert.deepEqual(await send(open(), bytes, { user: "bob" }), { received: 3000, kept: true });
  assert.equal(await open().isKept({ ...bob, owned: false }), true);
});

test("a crash between the last piece and the check loses nothing and believes nothing [U8] [KD1]", async () => {
  const [bytes, bad] = [randomBytes(2000), randomBytes(2000)];
  writeFileSync(join(directory, `${hashOf(bytes)}.ann.part`), bytes);
  assert.deepEqual(await put(open(), bytes, {}), { received: 2000, kept: true });
  const digest = hashOf(Buffer.from("what was meant"));
  writeFileSync(join(directory, `${digest}.ann.part`), bad);
  await assert.rejects(put(open(), bad, { digest }), /have the hash/);
  assert.equal(await open().isKept({ user: "ann", owned: true, digest, total: 2000 }), false);
});

test("uploads that nobody finishes are bounded and swept; what the cell names stays [U8] [KB1]", async () => {
  const store = open();
  const parts = Array.from({ length: 5 }, () => randomBytes(10));
  for (const bytes of parts.slice(0, 4)) await put(store, bytes, { user: "eve", data: bytes.subarray(0, 5) });
  await assert.rejects(put(store, parts[4]!, { user: "eve", data: parts[4]!.subarray(0, 5) }), /Too many uploads are unfinished/);
  const kept = randomBytes(100);
  await send(store, kept);
  const later = Date.now() + PART_KEEP_MS + 1000;
  await store.sweep((digest) => digest === hashOf(kept), later);
  assert.deepEqual(readdirSync(directory), [hashOf(kept)]);
  utimesSync(join(directory, hashOf(kept)), 1, 1);
  assert.equal(await store.isKept({ user: "ann", owned: true, digest: hashOf(kept), total: 100 }), true);
  await store.sweep(() => false, Date.now());
  assert.deepEqual(readdirSync(directory), [hashOf(kept)], "what is about to be added is not swept");
  await store.sweep(() => false, later);
  assert.deepEqual(readdirSync(directory), []);
});
