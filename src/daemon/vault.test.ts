/** The keys of secrets: what is encrypted opens only as what it was encrypted for, the file is nobody else's, and an old key stays while it is needed. */
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Vault } from "../borgmaster/vault.ts";
import { ToyVault } from "../fauxmaster/world/toy-vault.ts";
import { checkKeys, hasKeys, KEY_FILE } from "./key-ring.ts";
import { FileVault } from "./vault.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-vault-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const fresh = (): string => mkdtempSync(join(ROOT, "keys-"));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined): string | undefined => (found === undefined ? undefined : new TextDecoder().decode(found));
const PLACE = { cell: "cc", owner: "ann", name: "db", version: 1 };
const VAULTS: readonly (readonly [string, () => Vault])[] = [
  ["a file", () => new FileVault(fresh())],
  ["a toy", () => new ToyVault(() => 0.5)],
];

for (const [what, make] of VAULTS) {
  test(`a secret opens only with its own cell, owner, name and version, unchanged: ${what} [daemon.S1] [KA3]`, () => {
    const vault = make();
    const sealed = vault.seal(bytes("hunter2"), PLACE);
    assert.equal(text(vault.open(sealed, PLACE)), "hunter2");
    for (const other of [{ cell: "dd" }, { owner: "bob" }, { name: "db2" }, { version: 2 }, { owner: "ann\0db", name: "" }])
      assert.equal(vault.open(sealed, { ...PLACE, ...other }), undefined, JSON.stringify(other));
    for (const i of sealed.ciphertext.keys()) {
      const ciphertext = sealed.ciphertext.slice();
      ciphertext[i]! ^= 1;
      assert.equal(vault.open({ ...sealed, ciphertext }, PLACE), undefined, `byte ${i}`);
    }
    assert.equal(vault.open({ ...sealed, nonce: sealed.nonce.map((byte) => byte ^ 1) }, PLACE), undefined);
    assert.equal(vault.open({ ...sealed, keyId: "another" }, PLACE), undefined);
    assert.ok(!Buffer.from(sealed.ciphertext).includes("hunter2"));
  });

  test(`a token is an instance's and a cell's; one of a former key counts while that is kept: ${what} [daemon.S5] [U15] [KA2]`, () => {
    const vault = make();
    const token = vault.tokenOf("cc", "ann/boss/0:7");
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.ok(vault.isTokenOf("cc", "ann/boss/0:7", token));
    for (const [cell, instance] of [["cc", "ann/boss/0:8"], ["cc", "ann/boss/1:7"], ["dd", "ann/boss/0:7"]] as const) // biome-ignore format: one line
      assert.ok(!vault.isTokenOf(cell, instance, token), `${cell} ${instance}`);
    const other = token.startsWith("00") ? "01" : "00";
    for (const wrong of ["", token.slice(2), `${token}00`, `${other}${token.slice(2)}`])
      assert.ok(!vault.isTokenOf("cc", "ann/boss/0:7", wrong), wrong);
    vault.rotate();
    assert.ok(vault.isTokenOf("cc", "ann/boss/0:7", token));
    assert.notEqual(vault.tokenOf("cc", "ann/boss/0:7"), token);
  });

  test(`a new key encrypts from now on, the old one still opens, and a retry is known by it: ${what} [daemon.S2]`, () => {
    const vault = make();
    const [before, old] = [vault.keyId, vault.seal(bytes("x"), PLACE)];
    const [digest] = vault.digests(bytes("request"));
    vault.rotate();
    assert.notEqual(vault.keyId, before);
    assert.equal(vault.seal(bytes("x"), PLACE).keyId, vault.keyId);
    assert.equal(text(vault.open(old, PLACE)), "x");
    assert.deepEqual(vault.digests(bytes("request"))[1], digest);
    assert.notDeepEqual(vault.digests(bytes("request"))[0], digest);
    assert.equal(digest?.length, 16);
  });
}

test("a digest is no hash that guesses could be tried with: another cell has another for the same request [daemon.S3] [KA3]", () => {
  const [one, two] = [new FileVault(fresh()), new FileVault(fresh())].map((vault) => vault.digests(bytes("hunter2"))[0]);
  assert.notDeepEqual(one, two);
});

test("the file is made once, for its owner alone, and is refused when others can read it or nobody understands it [daemon.S4] [G14] [KA3]", () => {
  const directory = fresh();
  const path = join(directory, KEY_FILE);
  const { keyId } = new FileVault(directory);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(new FileVault(directory).keyId, keyId, "it is read again");
  chmodSync(path, 0o640);
  assert.throws(() => new FileVault(directory), /can be read by others/);
  assert.throws(() => checkKeys(directory), /can be read by others/);
  chmodSync(path, 0o600);
  writeFileSync(path, '{"keys": []}');
  assert.throws(() => new FileVault(directory), /Cannot understand the key/);
});

test("an old key goes when nothing is encrypted with it, and not before what was on its way is in the journal [daemon.S2]", () => {
  const directory = fresh();
  let nowMs = 1_000_000;
  const vault = new FileVault(directory, { now: () => nowMs });
  const first = vault.keyId;
  vault.rotate();
  vault.keepOnly(new Set());
  assert.ok(vault.has(first), "it was the newest just now");
  nowMs += 3_600_000;
  vault.keepOnly(new Set([first]));
  assert.ok(vault.has(first), "something is encrypted with it");
  vault.keepOnly(new Set());
  assert.ok(!vault.has(first) && vault.has(vault.keyId));
  assert.ok(!readFileSync(join(directory, KEY_FILE), "utf8").includes(first));
});

test("one of several masters makes no key: it waits for the one that is handed over, and keeps in memory what it has [daemon.S4] [G14]", () => {
  const [there, here] = [fresh(), fresh()];
  const [leader, standby] = [new FileVault(there), new FileVault(here, { ifMissing: "wait" })];
  assert.deepEqual(readdirSync(here), [], "nothing was made");
  assert.equal(hasKeys(here), false);
  assert.throws(() => standby.seal(bytes("x"), PLACE), /does not lead/);
  assert.equal(standby.isTokenOf("cc", "ann/boss/0:7", leader.tokenOf("cc", "ann/boss/0:7")), false);
  copyFileSync(join(there, KEY_FILE), join(here, KEY_FILE));
  standby.reload();
  assert.equal(standby.keyId, leader.keyId);
  assert.equal(hasKeys(here), true);
  rmSync(join(here, KEY_FILE));
  standby.reload();
  assert.equal(text(standby.open(leader.seal(bytes("x"), PLACE), PLACE)), "x", "a file that is gone takes no key away");
});
