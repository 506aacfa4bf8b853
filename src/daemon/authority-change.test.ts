/** An exchange of authorities: everybody believes the new one before anybody has to, no step is half done after a kill, and masters of several machines go together. */
import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isOf, makeAuthority, makeMaster, provenName } from "../rpc/certificates.ts";
import { AUTHORITY, AuthorityChange, authorityId, NEXT_AUTHORITY } from "./authority-change.ts";
import { beginNote, followNote } from "./authority-note.ts";
import { DataDirectory } from "./data.ts";
import { Keys } from "./keys.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-authority-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const NOW = Date.now();
let made = 0;

async function cell() {
  made += 1;
  const data = new DataDirectory(join(ROOT, String(made)));
  const keys = new Keys(data, "cc");
  const prepare = (): Promise<boolean> => keys.prepare(["localhost"], ["m1"], NOW);
  await prepare();
  return { data, keys, prepare, change: new AuthorityChange(data), old: keys.authority().certificate };
}

test("while two are believed masters show the old one's certificates and machines get the new one's; then the new one signs all, and then the old one is nobody [M2] [KA2]", async () => {
  const { keys, prepare, change, old } = await cell();
  assert.deepEqual([change.step, keys.authorities()], ["one", [old]]);
  assert.equal(await prepare(), false);

  const next = (await change.begin("cc", NOW)).certificate;
  assert.deepEqual([change.step, keys.authorities(), change.newest], ["both", [next, old], next]);
  assert.equal(await prepare(), true);
  assert.ok(isOf(keys.master().certificate, old), "who believes only the old one still reaches the masters");
  assert.ok(isOf(keys.machine("m1").certificate, next), "who has such a certificate believes both");
  assert.equal(keys.authority().certificate, next, "who signs for machines");
  assert.equal(await prepare(), false);

  change.turn();
  assert.deepEqual([change.step, keys.authorities()], ["ending", [next, old]]);
  assert.equal(await prepare(), true);
  assert.ok(isOf(keys.master().certificate, next));

  const shown = new X509Certificate(
    (await makeMaster({ key: keys.authority().key, certificate: next }, { cell: "cc", replica: 0, hosts: [] }, NOW)).certificate,
  );
  change.end();
  assert.deepEqual([change.step, keys.authorities()], ["one", [next]]);
  assert.equal(provenName(shown, keys.authorities(), NOW), "spiffe://cc/master/0", "key and certificate belong together");
  assert.equal(await prepare(), false);
});

test("a kill between the two files of a turn is mended at the next start [KD1]", async () => {
  const { data, keys, prepare, change } = await cell();
  const next = (await change.begin("cc", NOW)).certificate;
  await prepare();
  renameSync(join(data.path, `${NEXT_AUTHORITY}.key`), join(data.path, `${AUTHORITY}.key`));
  await prepare();
  assert.equal(keys.authority().certificate, next);
  assert.ok(isOf(keys.master().certificate, next));
  assert.ok(isOf(keys.machine("m1").certificate, next));
});

test("masters of several machines follow a note: each opens what was sealed for it, none that was left out does, and nobody goes back [M2] [KA2]", async () => {
  const [one, two, out] = [await cell(), await cell(), await cell()];
  const next = await makeAuthority("cc", NOW);
  const who = (self: number, { keys }: typeof one) => ({ cell: "cc", self, key: keys.master().key });
  const spki = (key: string): Uint8Array => createPublicKey(key).export({ type: "spki", format: "der" });
  const note = beginNote("cc", next, new Map([one, two].map(({ keys }, i) => [i + 1, spki(keys.master().key)])));
  assert.ok(!JSON.stringify(note).includes(next.key.split("\n")[1]!), "no key is readable");

  for (const [i, master] of [one, two].entries()) {
    assert.equal(followNote(master.change, note, who(i + 1, master)), true);
    assert.equal(followNote(master.change, note, who(i + 1, master)), false, "once");
    assert.deepEqual([master.change.step, master.change.newest], ["both", next.certificate]);
  }
  assert.throws(() => followNote(out.change, note, who(3, out)), /not handed to this master/);
  assert.throws(() => followNote(out.change, note, who(1, out)), /not handed to this master/, "what is sealed for another does not open");
  const moved = { ...note, sealed: { "3": note.sealed["1"]! } };
  assert.throws(() => followNote(out.change, moved, { ...who(3, one), self: 3 }), /not handed/, "nor what is put under another number");
  assert.equal(out.change.step, "one");

  assert.equal(followNote(one.change, { ...note, step: "ending" }, who(1, one)), true);
  assert.equal(followNote(one.change, note, who(1, one)), false, "an older note changes nothing");
  assert.equal(one.change.step, "ending");
  const over = { step: "one", id: authorityId(next.certificate), sealed: {} } as const;
  assert.equal(followNote(one.change, over, who(1, one)), true);
  assert.equal(followNote(two.change, over, who(2, two)), true, "who slept through the step before");
  for (const master of [one, two]) assert.deepEqual([master.change.step, master.keys.authorities()], ["one", [next.certificate]]);
  assert.throws(() => followNote(out.change, over, who(3, out)), /not handed to this master/);
});
