/**
 * Compiled code that somebody else put where `./borg` looks for its own would run as whoever types it, root with a HOME that sudo kept among them. So it keeps none
 * where anybody else could put any. A copy of the command with a stub for Node, which says what it was told.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ROOT } from "../e2e/typist.ts";

const SOMEBODY = 65_534;
const tree = mkdtempSync(join(tmpdir(), "borg-cache-"));
after(() => rmSync(tree, { recursive: true }));

copyFileSync(join(ROOT, "borg"), join(tree, "borg"));
for (const arch of ["x64", "arm64"]) {
  const bin = join(tree, "node_modules", `node-linux-${arch}`, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "node"), '#!/bin/sh\nprintf %s "$' + '{NODE_COMPILE_CACHE-none}"\n', { mode: 0o755 });
}
for (const lock of ["package-lock.json", "node_modules/.borg-lock"]) writeFileSync(join(tree, lock), "{}\n");

/** Where the command has Node keep compiled code; "none": nowhere. */
function cacheWith(env: NodeJS.ProcessEnv): string {
  const { stdout, stderr, status } = spawnSync(join(tree, "borg"), [], {
    cwd: tree,
    env: { PATH: "/usr/bin:/bin", ...env },
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout;
}

let homes = 0;
/** A home, and in it the directories in which compiled code would be, from the outermost on. */
function home(): readonly [string, string, string, string] {
  const path = join(tree, `home-${++homes}`);
  const parts = [path, join(path, ".cache"), join(path, ".cache", "borg"), join(path, ".cache", "borg", "compiled")] as const;
  for (const part of parts) mkdirSync(part, { mode: 0o700 });
  return parts;
}

test("without a HOME, or with a path from where one happens to be, no cache is used; one's own is made closed to others [KA2] [I1]", () => {
  mkdirSync(join(tree, ".cache", "borg", "compiled"), { recursive: true, mode: 0o700 });
  assert.equal(cacheWith({}), "none");
  assert.equal(cacheWith({ HOME: "" }), "none");
  assert.equal(cacheWith({ XDG_CACHE_HOME: ".cache" }), "none");
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: ".cache/borg/compiled" }), "none");
  const own = join(tree, "own");
  mkdirSync(own);
  const compiled = join(own, ".cache", "borg", "compiled");
  for (const _ of ["made", "found"]) {
    assert.equal(cacheWith({ HOME: own }), compiled);
    assert.equal(statSync(compiled).mode & 0o777, 0o700);
  }
  assert.equal(cacheWith({ HOME: own, XDG_CACHE_HOME: join(own, "xdg") }), join(own, "xdg", "borg", "compiled"));
  assert.equal(cacheWith({ HOME: own, NODE_COMPILE_CACHE: join(own, "told") }), join(own, "told"));
});

test("what others may write in, at the end of the path or on the way there, holds no cache; a link is followed before that is asked [KA2] [I1]", () => {
  for (const open of [0, 1, 2, 3]) {
    for (const mode of [0o777, 0o770, 0o702]) {
      const parts = home();
      chmodSync(parts[open]!, mode);
      assert.equal(cacheWith({ HOME: parts[0] }), "none", `${parts[open]} is ${mode.toString(8)}`);
    }
  }
  const [own, , borg, compiled] = home();
  const [elsewhere] = home();
  rmSync(compiled, { recursive: true });
  symlinkSync(elsewhere, compiled);
  assert.equal(cacheWith({ HOME: own }), elsewhere, "the place itself: the link could lead elsewhere in a moment");
  chmodSync(elsewhere, 0o777);
  assert.equal(cacheWith({ HOME: own }), "none");
  rmSync(borg, { recursive: true });
  symlinkSync(elsewhere, borg);
  assert.equal(cacheWith({ HOME: own }), "none");
  assert.ok(!readdirSync(elsewhere).includes("compiled"), "nothing was made there");
});

test("what somebody else owns, or could put something else in place of, holds no cache, for root either [KA2] [I1]", {
  skip: process.getuid?.() !== 0 && "needs root: it gives directories away",
}, () => {
  for (const theirs of [0, 1, 2, 3]) {
    const parts = home();
    const what = parts[theirs]!;
    chownSync(what, SOMEBODY, SOMEBODY);
    assert.equal(cacheWith({ HOME: parts[0] }), "none", what);
    assert.equal(cacheWith({ XDG_CACHE_HOME: parts[1] }), "none", what);
    assert.equal(cacheWith({ NODE_COMPILE_CACHE: parts[3] }), "none", what);
  }
  const fresh = join(tree, "ann");
  mkdirSync(fresh);
  chownSync(fresh, SOMEBODY, SOMEBODY);
  assert.equal(cacheWith({ HOME: fresh }), "none");
  assert.deepEqual(readdirSync(fresh), [], "nothing was made in somebody's home");
  const [own] = home();
  symlinkSync(own, join(fresh, ".cache"));
  lchownSync(join(fresh, ".cache"), SOMEBODY, SOMEBODY);
  assert.equal(cacheWith({ HOME: fresh }), "none");
  assert.ok(!readdirSync(own).includes("borg"), "nothing was made through somebody's link");
  const [mine, cache] = home();
  rmSync(cache, { recursive: true });
  symlinkSync(own, cache);
  lchownSync(cache, SOMEBODY, SOMEBODY);
  assert.equal(cacheWith({ HOME: mine }), "none", "a link of somebody's");
});
