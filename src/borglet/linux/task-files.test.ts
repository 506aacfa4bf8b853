/** Files of tasks, read for their owners: whatever a task does to its directory, nothing of others is read. [N9] */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FileKind } from "../../wire/gen/borg/v1/link_pb.ts";
import { fileChunk } from "../files.ts";
import type { FilePiece } from "../machine.ts";
import { readTaskFile } from "./task-files.ts";

const isRoot = process.getuid?.() === 0;
let place = "";
let root = "";
before(() => {
  place = mkdtempSync(join(tmpdir(), "borg-files-"));
  root = join(place, "work");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(root, "out"), "0123456789");
  writeFileSync(join(root, "sub/deep"), "deep");
  mkdirSync(join(place, "secret"));
  writeFileSync(join(place, "secret/deep"), "SECRET");
  if (isRoot) for (const each of ["", "out", "sub", "sub/deep"]) chownSync(join(root, each), 64_997, 64_997);
});
after(() => rmSync(place, { recursive: true, force: true }));

const read = (path: string, offset = 0, bytesMax = 100): FilePiece =>
  readTaskFile(
    root,
    path.split("/").filter((part) => part !== ""),
    offset,
    bytesMax,
  );
const textOf = (piece: FilePiece): string =>
  "data" in piece
    ? Buffer.from(piece.data).toString()
    : "problem" in piece
      ? piece.problem
      : piece.entries.map(({ name }) => name).join(" ");

test("a directory is listed, a file is read in pieces, and what is not there is said to be missing [N9] [borglet.F1]", () => {
  assert.equal(textOf(read("")), "out sub");
  assert.deepEqual(
    [textOf(read("out", 0, 4)), textOf(read("out", 4, 4)), textOf(read("out", 8, 4)), textOf(read("out", 99, 4))],
    ["0123", "4567", "89", ""],
  );
  assert.equal(textOf(read("sub/deep")), "deep");
  assert.deepEqual(
    [read("nothing"), read("out/deeper")].map((piece) => "missing" in piece && piece.missing),
    [true, true],
  );
  mkdirSync(join(root, "empty"));
  if (isRoot) chownSync(join(root, "empty"), 64_997, 64_997);
  assert.deepEqual(read("empty"), { kind: FileKind.DIRECTORY, entries: [], more: false });
  for (let i = 0; i < 1001; i++) writeFileSync(join(root, "empty", String(i)), "");
  const many = read("empty");
  assert.ok("entries" in many && many.entries.length === 1000 && many.more);
});

test("links, pipes and files of others are not read, and no path climbs [N9] [borglet.F1] [KA2]", (t) => {
  symlinkSync(join(place, "secret/deep"), join(root, "link"));
  symlinkSync(join(place, "secret"), join(root, "linked"));
  symlinkSync("/etc", join(root, "etc"));
  for (const path of ["link", "linked/deep", "etc/passwd"]) assert.doesNotMatch(textOf(read(path)), /SECRET|root:/, path);
  const ask = (path: string) =>
    fileChunk({ readFile: ({ parts }) => readTaskFile(root, parts, 0, 100) }, {
      id: 1,
      instance: "a/b/0:1",
      path,
      offset: 0,
      bytesMax: 9,
    } as never);
  for (const path of ["../secret/deep", "sub/../../secret/deep", ".."]) assert.match(ask(path).problem, /without \.\./, path);
  assert.match(ask("/etc/passwd").problem, /links are not followed|no such file/);
  execFileSync("mkfifo", [join(root, "pipe")]);
  assert.equal(textOf(read("pipe")), "Only regular files and directories are read; links are not followed");
  if (!isRoot) return t.skip("only root can give files away");
  linkSync(join(place, "secret/deep"), join(root, "hard"));
  assert.equal(textOf(read("hard")), "It is not a file of the task's own");
});
