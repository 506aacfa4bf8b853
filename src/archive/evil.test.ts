/** Archives that somebody made to do harm, and broken ones: each is refused in words, and nothing of it is outside its directory. [U8] */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "./bounds.ts";
import { ArchiveRefusal } from "./refusal.ts";
import { sumOf } from "./tar-header.ts";
import { TarReader } from "./tar-reader.ts";
import { unpack } from "./unpack.ts";

interface Block {
  readonly name?: string | Uint8Array;
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  readonly data?: Uint8Array | string;
  /** Written as it is, instead of the data's length. */
  readonly size?: string | Uint8Array;
  readonly magic?: string;
  readonly prefix?: string;
  readonly checksum?: string;
}

/** One entry, with whatever nonsense its fields are given. */
function block({
  name = "a",
  type = "0",
  mode = 0o644,
  link = "",
  data = "",
  size,
  magic = "ustar\x0000",
  prefix = "",
  checksum,
}: Block): Buffer {
  const bytes = Buffer.alloc(512);
  const content = Buffer.from(data as string);
  bytes.set(typeof name === "string" ? Buffer.from(name) : name, 0);
  bytes.write(mode.toString(8).padStart(7, "0"), 100);
  bytes.set(size === undefined ? Buffer.from(content.length.toString(8).padStart(11, "0")) : Buffer.from(size as string), 124);
  bytes.write(type, 156, "latin1");
  bytes.write(link, 157);
  bytes.write(magic, 257, "latin1");
  bytes.write(prefix, 345);
  bytes.write(checksum ?? `${sumOf(bytes).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([bytes, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const END = Buffer.alloc(1024);
const tar = (...blocks: readonly (Block | Buffer)[]): Buffer =>
  Buffer.concat([...blocks.map((each) => (Buffer.isBuffer(each) ? each : block(each))), END]);

const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length;
  return `${length}${rest}`;
};
const pax = (...records: [string, string][]): Block => ({ type: "x", data: records.map(([key, value]) => paxRecord(key, value)).join("") });

const symlink = (name: string, link: string): Block => ({ name, type: "2", link });
const LARGE = Buffer.from([0x80, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
const NEGATIVE = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
const SMALL: ArchiveBounds = { ...ARCHIVE_BOUNDS, bytes: 4096, entries: 5 };

const EVIL: readonly (readonly [what: string, archive: Buffer, refusal: RegExp, bounds?: ArchiveBounds])[] = [
  ["an absolute path", tar({ name: "/etc/passwd" }), /is absolute/],
  ["an absolute path in an extended header", tar(pax(["path", "/etc/passwd"]), {}), /is absolute/],
  ["an absolute path in a GNU long name", tar({ type: "L", data: "/etc/passwd\0" }, {}), /is absolute/],
  ["an absolute path by its prefix", tar({ name: "passwd", prefix: "/etc" }), /is absolute/],
  ["a path that climbs", tar({ name: "../x" }), /leads out of the tree/],
  ["a path that climbs from inside", tar({ name: "a/../../x" }), /leads out of the tree/],
  ["a path that climbs and stays", tar({ name: "a/../b" }), /leads out of the tree/],
  ["a path that ends in ..", tar({ name: "a/..", type: "5" }), /leads out of the tree/],
  ["a path that climbs by its prefix", tar({ name: "x", prefix: "a/../.." }), /leads out of the tree/],
  ["a climbing path in an extended header", tar(pax(["path", "../x"]), {}), /leads out of the tree/],
  ["a climbing GNU long name", tar({ type: "L", data: `${"../".repeat(60)}x\0` }, {}), /leads out of the tree/],
  ["an entry without a name", tar({ name: "" }), /no name/],
  ["a file named .", tar({ name: "." }), /no name/],
  ["an absolute link", tar(symlink("l", "/etc")), /is absolute/],
  ["a link that climbs out", tar(symlink("l", "..")), /leads out of the tree/],
  ["a link that climbs out from below", tar(symlink("a/b/l", "../../../x")), /leads out of the tree/],
  ["a link that goes down and up", tar(symlink("a/b/up", "../.."), symlink("out", "a/b/up/..")), /goes down and up again/],
  ["a link that leads nowhere", tar(symlink("l", "")), /leads nowhere/],
  ["a link out in a GNU long target", tar({ type: "K", data: `${"../".repeat(60)}etc\0` }, symlink("l", "x")), /leads out of the tree/],
  ["a link out in an extended header", tar(pax(["linkpath", "/etc/shadow"]), symlink("l", "x")), /is absolute/],
  ["a file behind a link", tar({ name: "d", type: "5" }, symlink("l", "d"), { name: "l/x", data: "x" }), /goes through "l"/],
  ["a file behind a file", tar({ name: "f" }, { name: "f/x" }), /goes through "f"/],
  ["a hard link to a file outside", tar({ name: "h", type: "1", link: "/etc/shadow" }), /is absolute/],
  ["a hard link that climbs", tar({ name: "h", type: "1", link: "../x" }), /leads out of the tree/],
  ["a hard link to what is not there", tar({ name: "h", type: "1", link: "x" }), /no earlier file/],
  ["a hard link to a link", tar(symlink("l", "x"), { name: "h", type: "1", link: "l" }), /no earlier file/],
  ["a hard link to a directory", tar({ name: "d", type: "5" }, { name: "h", type: "1", link: "d" }), /no earlier file/],
  ["a hard link to itself", tar({ name: "h", type: "1", link: "h" }), /no earlier file/],
  ["a hard link with contents", tar({ name: "f" }, { name: "h", type: "1", link: "f", data: "x" }), /is no file/],
  ["a character device", tar({ type: "3" }), /a character device/],
  ["a block device", tar({ type: "4" }), /a block device/],
  ["a fifo", tar({ type: "6" }), /a fifo/],
  ["a sparse file", tar({ type: "S" }), /a sparse file/],
  ["a sparse file by its extended header", tar(pax(["GNU.sparse.major", "1"]), {}), /sparse/],
  ["an unknown kind", tar({ type: "Z" }), /unknown kind/],
  ["a setuid file", tar({ mode: 0o4755 }), /setuid/],
  ["a setgid file", tar({ mode: 0o2755 }), /setuid or setgid/],
  ["a setgid directory", tar({ type: "5", mode: 0o2755 }), /setuid or setgid/],
  ["a file twice", tar({ data: "1" }, { data: "2" }), /comes twice/],
  ["a file that becomes a link", tar({ data: "1" }, symlink("a", "b")), /comes twice/],
  ["a link that becomes a file", tar(symlink("a", "b"), { data: "1" }), /comes twice/],
  ["a directory that becomes a link", tar({ name: "a/b" }, symlink("a", "c")), /comes twice/],
  ["a link that becomes a directory", tar(symlink("a", "b"), { name: "a", type: "5" }), /comes twice/],
  ["the same path written in two ways", tar({ name: "a/b" }, { name: "./a//b" }), /comes twice/],
  ["too many bytes", tar({ data: "x".repeat(4097) }), /more than 4096 bytes/, SMALL],
  [
    "too many bytes together",
    tar({ name: "a", data: "x".repeat(3000) }, { name: "b", data: "x".repeat(3000) }),
    /more than 4096 bytes/,
    SMALL,
  ],
  ["a size beyond all bounds", tar({ size: LARGE }), /too large/],
  ["a size of eight gibibytes", tar({ size: "77777777777" }), /bytes of files/],
  ["a negative size", tar({ size: NEGATIVE }), /negative/],
  ["a size that is no number", tar({ size: "12x45678901" }), /is no number/],
  ["a size in an extended header that is no number", tar(pax(["size", "-5"]), {}), /gives the size/],
  ["a directory with contents", tar({ name: "d", type: "5", data: "x" }), /is no file/],
  ["too many entries", tar(...[..."abcdef"].map((name) => ({ name }))), /more than 5 entries/, SMALL],
  ["too many directories on the way", tar({ name: "a/b/c/d/e/f" }), /with the directories on the way/, SMALL],
  ["a tree that is too deep", tar(pax(["path", "d/".repeat(70)]), { type: "5" }), /deeper than 64/],
  ["a name that is too long", tar(pax(["path", "n".repeat(256)]), {}), /longer than 255/],
  ["a path that is too long", tar(pax(["path", `${"n".repeat(200)}/`.repeat(6)]), {}), /longer than 1024/],
  ["a link target that is too long", tar(pax(["linkpath", "n".repeat(1025)]), symlink("l", "x")), /longer than 1024/],
  ["an extended header that is too long", tar({ type: "x", data: "x".repeat(70_000) }), /extended header has 70000 bytes/],
  ["one extended header after the other", tar(...Array.from({ length: 200 }, () => pax(["path", "a"]))), /extended header/],
  ["an empty extended header", tar({ type: "x" }, {}), /extended header has 0 bytes/],
  ["an extended header without lengths", tar({ type: "x", data: "path=a\n" }, {}), /malformed/],
  ["an extended header that lies about a length", tar({ type: "x", data: "99 path=a\n" }, {}), /malformed/],
  ["an extended header without a key", tar({ type: "x", data: "5 =a\n" }, {}), /without a key/],
  ["a path for all entries", tar({ type: "g", data: paxRecord("path", "a") }, {}), /for all entries/],
  ["an announced entry that does not come", tar(pax(["path", "a"])), /where an entry was announced/],
  ["a name with a line feed", tar({ name: "a\nb" }), /control character/],
  ["a name with an escape sequence", tar({ name: "\x1b[2J" }), /control character/],
  ["a name that is not UTF-8", tar({ name: Buffer.from([0x61, 0xff, 0xfe]) }), /not UTF-8/],
  ["a wrong checksum", tar({ checksum: "0000001\0" }), /checksum is wrong/],
  ["something that is no tar", Buffer.from("hello ".repeat(400)), /checksum|number/],
  ["something after the end", Buffer.concat([tar({}), block({ name: "b" })]), /follows the archive's end/],
  ["a single empty block", Buffer.concat([block({}), Buffer.alloc(512)]), /ends too early/],
  ["no end", block({ data: "x" }), /ends too early/],
  ["a cut in a header", tar({}).subarray(0, 100), /ends too early/],
  ["a cut in a file", block({ data: "x".repeat(2000) }).subarray(0, 1024), /ends too early/],
  ["a cut in an extended header", block(pax(["path", "p".repeat(600)])).subarray(0, 700), /ends too early/],
  ["nothing", Buffer.alloc(0), /ends too early/],
];

test(`${EVIL.length} evil archives are refused, each in words, however their bytes are cut [U8]`, () => {
  for (const [what, archive, refusal, bounds] of EVIL)
    for (const step of [archive.length || 1, 512, 61]) {
      const reader = new TarReader({ entry: () => {}, data: () => {} }, bounds);
      const read = (): void => {
        for (let at = 0; at < archive.length; at += step) reader.push(archive.subarray(at, at + step));
        reader.end();
      };
      assert.throws(
        read,
        (error: unknown) => error instanceof ArchiveRefusal && refusal.test(error.message),
        `${what}, ${step} bytes at a time`,
      );
    }
});

test("of an evil archive nothing is written outside the directory that it is unpacked into [U8]", async () => {
  const above = mkdtempSync(join(tmpdir(), "borg-evil-"));
  try {
    for (const [i, [what, archive, refusal, bounds]] of EVIL.entries()) {
      const into = join(above, String(i));
      mkdirSync(into);
      const packed = Readable.from([zstdCompressSync(archive)]);
      await assert.rejects(
        unpack(packed, into, bounds),
        (error: unknown) => error instanceof ArchiveRefusal && refusal.test(error.message),
        what,
      );
    }
    assert.deepEqual(readdirSync(above).sort(), EVIL.map((_, i) => String(i)).sort());
    assert.ok(!existsSync("/x"));
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
});

test("what is no zstd, is cut off, or swells without end is refused [U8]", async () => {
  const directory = mkdtempSync(join(tmpdir(), "borg-evil-"));
  const refuses = (packed: Buffer, refusal: RegExp): Promise<void> =>
    assert.rejects(
      unpack(Readable.from([packed]), directory),
      (error: unknown) => error instanceof ArchiveRefusal && refusal.test(error.message),
    );
  try {
    await refuses(Buffer.from("no zstd at all, but long enough to be looked at"), /Cannot decompress/);
    const whole = zstdCompressSync(tar({ name: "cut", data: "x".repeat(100_000) }));
    await refuses(whole.subarray(0, whole.length - 20), /Cannot decompress|too early/);
    await refuses(zstdCompressSync(tar({ name: "bomb", size: "77777777777" })), /bytes of files/);
    const damaged = Buffer.from(whole);
    damaged[damaged.length >> 1]! ^= 0x55;
    await refuses(damaged, /Cannot decompress|checksum|too early/);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
