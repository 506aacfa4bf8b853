/** What the borglet removes by its own hand: what it made, and nothing through it. */
import assert from "node:assert/strict";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeOwn } from "./remove.ts";

const SOMEBODY = 61_234;

function temporary(check: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "openborg-remove-"));
  try {
    check(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test("A removal takes all that is its own, and what links lead to stays [borglet.X1]", () => {
  temporary((directory) => {
    const [top, other] = [join(directory, "top"), join(directory, "other")];
    mkdirSync(join(top, "a", "b"), { recursive: true });
    mkdirSync(other);
    writeFileSync(join(other, "kept"), "");
    for (const name of ["a/x", "a/b/y"]) writeFileSync(join(top, name), "");
    symlinkSync(other, join(top, "a", "link"));
    symlinkSync("nowhere", join(top, "b"));
    assert.ok(removeOwn(top));
    assert.ok(!existsSync(top));
    assert.deepEqual(readdirSync(other), ["kept"]);
    assert.ok(removeOwn(top), "what is not there is gone");
    symlinkSync(other, top);
    assert.ok(removeOwn(top), "a link goes as a link");
    assert.deepEqual(readdirSync(other), ["kept"]);
  });
});

test("A directory of another user is not entered: it goes only when it is empty [borglet.X1]", {
  skip: process.getuid?.() === 0 ? false : "needs root",
}, () => {
  temporary((directory) => {
    const work = join(directory, "top", "work");
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, "x"), "");
    chownSync(work, SOMEBODY, SOMEBODY);
    assert.ok(!removeOwn(join(directory, "top")));
    assert.deepEqual(readdirSync(work), ["x"]);
    rmSync(join(work, "x"));
    assert.ok(removeOwn(join(directory, "top")));
  });
});
