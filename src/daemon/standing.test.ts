/** A replica does not stand for election without the key of secrets, nor while most masters contradict its clock; it says so once, and stands again by itself. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Standing } from "./standing.ts";
import { FileVault, KEY_FILE } from "./vault.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-standing-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

function stage(clock?: { readonly isWrong: () => boolean }) {
  const secrets = mkdtempSync(join(ROOT, "secrets-"));
  const lines: string[] = [];
  const time = { nowMs: 0 };
  const standing = new Standing({ clock, secrets, now: () => time.nowMs, log: (line) => lines.push(line) });
  const later = (): boolean => {
    time.nowMs += 1000;
    return standing.stands;
  };
  return { secrets, lines, standing, later };
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
  const { secrets, lines, standing, later } = stage({ isWrong: isClockWrong });
  new FileVault(secrets);
  assert.equal(standing.stands, false);
  assert.match(lines.join(), /clock of this machine/);
  for (let i = 0; i < 10; i++) assert.equal(standing.stands, false);
  assert.equal(looks, 1);
  isWrong = false;
  assert.equal(later(), true);
});
