/** A volume's place that a stranger may write in too: what is put there under the borglet's hand is never made a volume. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Volumes } from "../../src/borglet/linux/volumes.ts";
import { isRoot } from "../nobody.ts";
import { RACE_MS } from "../race.ts";

const GROUP = 61_234;
const STRANGER = 61_235;
/** A link to what is not its own, and a directory of its own, under the volume's name in turn. */
const SWAP = `
use Time::HiRes qw(time);
my ($place, $victim, $end) = (shift, shift, time + shift); chdir $place; $| = 1; print "ready\\n";
while (time < $end) { symlink $victim, "vol"; unlink "vol"; mkdir "vol"; rmdir "vol" }`;

test("A volume's directory that is swapped for a link again and again never gives away another one, nor one of a stranger [borglet.V1] [KA2] [KB2]", {
  skip: isRoot ? false : "needs root",
}, async () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-volumes-"));
  const [place, victim] = [join(root, "place"), join(root, "victim")];
  try {
    chmodSync(root, 0o711);
    mkdirSync(place);
    // Others may make names there, and take away only their own.
    chmodSync(place, 0o1777);
    mkdirSync(victim);
    writeFileSync(join(victim, "precious"), "");
    chmodSync(victim, 0o700);
    const path = join(place, "vol");
    const volumes = new Volumes({ groupOf: () => GROUP, own: [], log: () => {} });
    const drop = [`--reuid=${STRANGER}`, `--regid=${STRANGER}`, "--clear-groups"];
    const child = spawn("setpriv", [...drop, "perl", "-e", SWAP, place, victim, String(RACE_MS / 1000)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    let [offered, refused] = [0, 0];
    for (const endMs = performance.now() + RACE_MS; performance.now() < endMs; await new Promise(setImmediate)) {
      if (volumes.offer([{ user: "ann", name: "data", path }]).length === 0) refused += 1;
      else {
        offered += 1;
        const { uid, gid, mode } = lstatSync(path);
        assert.deepEqual([uid, gid, mode & 0o7777], [0, GROUP, 0o2770]);
        rmSync(path, { recursive: true });
      }
      const { gid, mode } = statSync(victim);
      assert.deepEqual([gid, mode & 0o7777], [0, 0o700], "a directory of root's was given away");
    }
    await ended;
    assert.ok(offered > 0 && refused > 0, `${offered} offered, ${refused} refused: nobody raced`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
