import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type CellFile, DataDirectory } from "./data.ts";
import { nameOn, refuseStrange, takeSite, whereabouts } from "./site.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-place-"));
after(() => rmSync(ROOT, { recursive: true }));
const at = (name: string): string => join(ROOT, name);
const CELL: CellFile = { cell: "test", id: "drawn", owner: "ann", host: "127.0.0.1", port: 1, linkPort: 2, machines: 1 };

test("moved, copied and anything else are told apart by path, inode and machine [U9]", () => {
  const was = { path: "/a", device: 1, inode: 10, machine: "m" };
  const where = (is: Partial<typeof was>, there?: { device: number; inode: number }) => whereabouts(was, { ...was, ...is }, () => there);
  assert.equal(where({}), "here");
  assert.equal(where({ device: 2 }), "here", "after a restart a file system may have another number");
  assert.equal(where({ path: "/b" }), "moved");
  assert.equal(where({ path: "/b", inode: 11 }, { device: 1, inode: 10 }), "copied");
  assert.equal(where({ path: "/b", inode: 11 }), "elsewhere", "to another file system, perhaps");
  assert.equal(where({ path: "/b", inode: 11 }, { device: 1, inode: 12 }), "elsewhere");
  assert.equal(where({ inode: 11 }, { device: 1, inode: 11 }), "elsewhere", "put back from somewhere");
  assert.equal(where({ machine: "other" }), "elsewhere", "the same disk in another machine");
});

test("a moved directory keeps the name this machine knows it by; a copy is refused, and what nobody can tell needs --adopt [U9]", () => {
  const made = new DataDirectory(at("made"));
  takeSite(made, CELL, false);
  assert.equal(nameOn(made), "drawn");
  takeSite(made, CELL, false);
  renameSync(at("made"), at("moved"));
  const moved = new DataDirectory(at("moved"));
  takeSite(moved, CELL, false);
  assert.equal(nameOn(moved), "drawn");
  cpSync(at("moved"), at("copy"), { recursive: true });
  const copy = new DataDirectory(at("copy"));
  for (const adopt of [false, true]) assert.throws(() => takeSite(copy, CELL, adopt), /is a copy of the cell in/);
  assert.throws(() => refuseStrange(copy, false), /is a copy of/);
  rmSync(at("moved"), { recursive: true });
  assert.throws(() => takeSite(copy, CELL, false), /cannot be seen from here/);
  takeSite(copy, CELL, true);
  takeSite(copy, CELL, false);
  assert.equal(nameOn(copy), "drawn");
});

test("a cell that ran before places were written down goes on under its path, also after a move [U9]", () => {
  const old = new DataDirectory(at("old"));
  mkdirSync(join(at("old"), "machines", "m1"), { recursive: true });
  writeFileSync(join(at("old"), "machines", "m1", "kept"), "");
  assert.equal(nameOn(old), at("old"));
  takeSite(old, CELL, false);
  renameSync(at("old"), at("older"));
  const older = new DataDirectory(at("older"));
  takeSite(older, CELL, false);
  assert.equal(nameOn(older), at("old"), "its tasks carry that");
  assert.equal(JSON.parse(readFileSync(join(at("older"), "place.json"), "utf8")).path, at("older"));
});
