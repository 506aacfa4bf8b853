/** What goes in comes out, and the same files are the same bytes. [U8] */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { ARCHIVE_BOUNDS } from "./bounds.ts";
import { compressor, listTree, tarOf } from "./pack.ts";
import { type Entry, TarReader } from "./tar-reader.ts";
import { unpack } from "./unpack.ts";

let place = "";
before(() => {
  place = mkdtempSync(join(tmpdir(), "borg-archive-"));
});
after(() => {
  execFileSync("chmod", ["-R", "u+w", place]);
  rmSync(place, { recursive: true, force: true });
});

const LONG = `${"directory-with-a-long-name/".repeat(5)}file with blanks`;

function makeTree(name: string): string {
  const root = join(place, name);
  mkdirSync(join(root, "bin"), { recursive: true });
  mkdirSync(join(root, "empty"));
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/config"), "not packed");
  writeFileSync(join(root, "bin/server"), "#!/bin/sh\necho hello\n");
  chmodSync(join(root, "bin/server"), 0o700);
  writeFileSync(join(root, "data"), Buffer.alloc(300_001, 7));
  writeFileSync(join(root, "ünïcode ☃"), "");
  mkdirSync(join(root, LONG, ".."), { recursive: true });
  writeFileSync(join(root, LONG), "long");
  symlinkSync("../data", join(root, "bin/link"));
  return root;
}

async function pack(root: string): Promise<Buffer> {
  const { entries } = await listTree(root);
  const chunks: Uint8Array[] = [];
  for await (const chunk of Readable.from(tarOf(root, entries)).pipe(compressor()) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("a directory is packed and unpacked again, read-only, without .git [U8]", async () => {
  const packed = await pack(makeTree("one"));
  const into = join(place, "unpacked");
  mkdirSync(into);
  const summary = await unpack(Readable.from([packed]), into);
  assert.equal(summary.bytes, 300_001 + 21 + 4);
  assert.equal(readFileSync(join(into, LONG), "utf8"), "long");
  assert.deepEqual(readFileSync(join(into, "data")), Buffer.alloc(300_001, 7));
  assert.equal(readlinkSync(join(into, "bin/link")), "../data");
  const modes = ["bin/server", "data", "bin", "empty", "ünïcode ☃"].map((path) => (lstatSync(join(into, path)).mode & 0o7777).toString(8));
  assert.deepEqual(modes, ["555", "444", "555", "555", "444"]);
  assert.throws(() => lstatSync(join(into, ".git")));
});

test("the same files give the same bytes, whoever made them and when [U8]", async () => {
  const [one, two] = [makeTree("first"), makeTree("second")];
  utimesSync(join(two, "data"), 1, 1);
  chmodSync(join(two, "data"), 0o600);
  const hashes = await Promise.all(
    [one, two].map(async (root) =>
      createHash("sha256")
        .update(await pack(root))
        .digest("hex"),
    ),
  );
  assert.equal(hashes[0], hashes[1]);
  writeFileSync(join(two, "data"), "else");
  assert.notEqual(
    createHash("sha256")
      .update(await pack(two))
      .digest("hex"),
    hashes[0],
  );
});

test("archives of other programs are read: ustar, GNU, pax, with long names and hard links [U8]", async () => {
  const root = makeTree("others");
  execFileSync("ln", [join(root, "data"), join(root, "bin/hard")]);
  for (const format of ["ustar", "gnu", "pax"]) {
    const tar = execFileSync("tar", ["-C", root, `--format=${format}`, "-cf", "-", "."], { maxBuffer: 2 ** 24 });
    const seen: Entry[] = [];
    const reader = new TarReader({ entry: (entry) => seen.push(entry), data: () => {} });
    for (let at = 0; at < tar.length; at += 1000) reader.push(tar.subarray(at, at + 1000));
    assert.equal(reader.end().bytes > 300_000, true);
    assert.ok(
      seen.some(({ path }) => path === LONG),
      format,
    );
    assert.ok(
      seen.some(({ type, target }) => type === "hardlink" && target !== ""),
      format,
    );
    const into = join(place, `of-${format}`);
    mkdirSync(into);
    await unpack(Readable.from([zstdCompressSync(tar)]), into);
    assert.equal(readFileSync(join(into, "bin/hard")).length, 300_001);
  }
});

test("what a package cannot have is refused when it is packed, with its path [U8]", async () => {
  const refuses = async (name: string, make: (root: string) => void, words: RegExp): Promise<void> => {
    const root = join(place, name);
    mkdirSync(root);
    make(root);
    await assert.rejects(listTree(root, { ...ARCHIVE_BOUNDS, entries: 10, bytes: 100 }), words);
  };
  await refuses("fifo", (root) => execFileSync("mkfifo", [join(root, "f")]), /fifo\/f" is neither file, directory nor link/);
  await refuses("absolute", (root) => symlinkSync("/etc", join(root, "l")), /is absolute/);
  await refuses("climbs", (root) => symlinkSync("../x", join(root, "l")), /leads out of the tree/);
  const many = (root: string): void => {
    for (let i = 0; i < 11; i++) writeFileSync(join(root, String(i)), "");
  };
  await refuses("many", many, /more than 10 entries/);
  await refuses("large", (root) => writeFileSync(join(root, "f"), "x".repeat(101)), /more than 100 bytes/);
  const setuid = (root: string): void => {
    writeFileSync(join(root, "f"), "");
    chmodSync(join(root, "f"), 0o4755);
  };
  await refuses("setuid", setuid, /setuid/);
});
