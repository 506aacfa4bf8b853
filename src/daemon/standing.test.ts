/** A replica does not stand for election without the key of secrets, nor while most masters contradict its clock; it says so once, and stands again by itself. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { KEY_FILE, readRing } from "./key-ring.ts";
import { PeerEye, writePeerKeys } from "./peer-keys.ts";
import { Standing } from "./standing.ts";
import { FileVault } from "./vault.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-standing-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

interface Stage {
  readonly clock?: { readonly isWrong: () => boolean };
  readonly named?: ReadonlySet<string>;
  /** On so many machines. */
  readonly masters?: number;
}

function stage({ clock, named = new Set(), masters }: Stage = {}) {
  const secrets = mkdtempSync(join(ROOT, "secrets-"));
  const lines: string[] = [];
  const time = { nowMs: 0 };
  const now = (): number => time.nowMs;
  const peers = masters === undefined ? undefined : new PeerEye(secrets, masters, now);
  const standing = new Standing({ clock, secrets, named: () => named, peers, now, log: (line) => lines.push(line) });
  const later = (): boolean => {
    time.nowMs += 1000;
    return standing.stands;
  };
  return { secrets, lines, standing, later, look: 0 };
}

test("a replica without the key of secrets does not stand, says so once, and stands when it has been fetched [G14] [M3]", () => {
  const { secrets, lines, standing, later } = stage();
  assert.equal(standing.stands, false);
  assert.equal(later(), false);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /key of secrets .* is missing .* does not stand for election/);
  writeFileSync(join(secrets, KEY_FILE), "no key", { mode: 0o600 });
  assert.equal(later(), false, "one that nobody can understand is none");
  rmSync(join(secrets, KEY_FILE));
  new FileVault(secrets);
  chmodSync(join(secrets, KEY_FILE), 0o644);
  assert.equal(later(), false, "one that others can read is none");
  chmodSync(join(secrets, KEY_FILE), 0o600);
  assert.equal(later(), true);
  assert.deepEqual(lines.slice(1), ["This replica stands for election again"]);
  rmSync(join(secrets, KEY_FILE));
  assert.equal(later(), true, "the process has it in its memory");
});

test("a replica whose clock most masters contradict does not stand, and stands again when it is right; it looks once a second [M3]", () => {
  let [isWrong, looks] = [true, 0];
  const isClockWrong = (): boolean => {
    looks += 1;
    return isWrong;
  };
  const { secrets, lines, standing, later } = stage({ clock: { isWrong: isClockWrong } });
  new FileVault(secrets);
  assert.equal(standing.stands, false);
  assert.match(lines.join(), /clock of this machine/);
  for (let i = 0; i < 10; i++) assert.equal(standing.stands, false);
  assert.equal(looks, 1);
  isWrong = false;
  assert.equal(later(), true);
});

test("a replica that lacks a key which secrets are encrypted with does not stand until it has it, unless most masters say that they lack it too [G14] [M4]", () => {
  const other = mkdtempSync(join(ROOT, "other-"));
  const { keyId } = new FileVault(other);
  const [lost, none] = ["0123456789abcdef", { keys: [], gone: [], answers: true }];
  const keys = readRing(other).keys;
  const one = stage({ named: new Set([keyId, lost]), masters: 3 });
  new FileVault(one.secrets);
  assert.equal(one.standing.stands, false, "nobody has been asked");
  assert.match(one.lines.join(), new RegExp(`The key 0123456789abcdef, ${keyId}|The key ${keyId}, 0123456789abcdef`));
  assert.match(one.lines.join(), /does not stand for election .* fetched from any master that has it/);
  // One of three is away: only it may have the key that is lost.
  const told = (two: object, three: object): boolean => {
    one.look += 1;
    writePeerKeys(one.secrets, { look: one.look, masters: 3, peers: new Map([[2, { ...none, ...two }], [3, { ...none, ...three }]]) }); // biome-ignore format: one line
    return one.later();
  };
  assert.equal(told({ keys }, { answers: false }), false, "another one has it");
  new FileVault(one.secrets, { peers: new PeerEye(one.secrets, 3, () => 0) });
  assert.equal(one.later(), true, "it was fetched, and the other one is nowhere");
  const stale = stage({ named: new Set([lost]), masters: 3 });
  new FileVault(stale.secrets);
  writePeerKeys(stale.secrets, { look: 1, masters: 3, peers: new Map([[2, none], [3, none]]) }); // biome-ignore format: one line
  assert.equal(stale.later(), true);
  for (let i = 0; i < 40; i++) stale.later();
  assert.equal(stale.standing.stands, false, "what was said long ago is not known now");
  const together = stage({ named: new Set([lost]) });
  new FileVault(together.secrets);
  assert.equal(together.standing.stands, true, "masters of one machine have one file");
});
