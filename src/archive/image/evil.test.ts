/** Images that somebody made to do harm, and broken ones: each is refused in words, before a byte of a package goes out. [U8] [I1] */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ARCHIVE_BOUNDS } from "../bounds.ts";
import { ArchiveRefusal } from "../refusal.ts";
import { IMAGE_BOUNDS } from "./bounds.ts";
import { type ConvertOptions, convertImage } from "./convert.ts";
import { type Files, file, inMemory, layout, link, type Made, same, saved, tar } from "./fixture.test.ts";

const made = (...entries: readonly Made[]): Files => layout([tar(...entries)]);

/** Changes one document of an image, found by what is in it, without telling those that name it. */
function changed(files: Files, found: string, change: (text: string) => string): Files {
  for (const [name, bytes] of files) {
    const text = bytes.toString("latin1");
    if (text.includes(found)) files.set(name, Buffer.from(change(text), "latin1"));
  }
  return files;
}

const layerOf = (files: Files): [string, Buffer] => [...files].find(([, bytes]) => bytes[0] === 0x1f)!;

function damaged(change: (layer: Buffer) => Buffer): Files {
  const files = layout([tar(file("a", "some contents"))]);
  const [name, bytes] = layerOf(files);
  return files.set(name, change(bytes));
}

const indexed = (index: object): Files => new Map([["index.json", Buffer.from(JSON.stringify(index))]]);
const SMALL: Partial<ConvertOptions> = {
  image: { ...IMAGE_BOUNDS, layers: 3, entries: 5, bytes: 20_000 },
  archive: { ...ARCHIVE_BOUNDS, entries: 4, bytes: 9000 },
};
const DIGEST = `sha256:${"a".repeat(64)}`;

const EVIL: readonly (readonly [what: string, files: Files, refusal: RegExp, options?: Partial<ConvertOptions>])[] = [
  ["an absolute path", made(file("/etc/passwd")), /is absolute/],
  ["a path that climbs", made(file("../../etc/passwd")), /leads out of the tree/],
  ["a path that climbs in the middle", made(file("a/../../etc/passwd")), /leads out of the tree/],
  ["a hard link that climbs", made(same("a", "../../etc/shadow")), /leads out of the tree/],
  ["a hard link to an absolute path", made(same("a", "/etc/shadow")), /is absolute/],
  ["a hard link through a link that climbs", made(link("up", "../../../etc"), same("a", "up/shadow")), /no earlier file of the image/],
  ["a hard link to a directory", made({ path: "d", type: "5" }, same("a", "d")), /no earlier file of the image/],
  ["a whiteout of what is above", made(file("d/.wh...")), /hides no name/],
  ["a whiteout of nothing", made(file("d/.wh.")), /hides no name/],
  ["a file behind a file", made(file("a"), file("a/b")), /goes through what is no directory/],
  ["a control character in a name", made(file("a\u001b[2J")), /control character/],
  ["a control character in a link", made(link("a", "x\u001b[2J")), /control character/],
  ["a link to nowhere", made(link("a", "")), /leads nowhere/],
  ["a circle of links on the way", made(link("a", "a"), file("a/b")), /more than 40 links/],
  ["a link with contents", made({ path: "a", type: "2", link: "b", content: "x" }), /has contents, but is no file/],
  ["a sparse file", made({ path: "a", type: "x", content: "22 GNU.sparse.major=1\n" }), /sparse file/],
  ["more files than a package may have", made(file("a"), file("b"), file("c"), file("d"), file("e")), /more than 4 files/, SMALL],
  ["more entries than are read", made(...[..."abcdef"].map((name) => file(name))), /more than 5 entries/, SMALL],
  ["more bytes than a package may have", made(file("a", "x".repeat(9001))), /more than 9000 bytes of files/, SMALL],
  ["a layer that swells", layout([tar(file("a", Buffer.alloc(30_000)))]), /more than 20000 bytes, decompressed/, SMALL],
  ["layers that swell together", layout([1, 2, 3].map((i) => tar(file("a", Buffer.alloc(8000, i))))), /bytes, decompressed/, SMALL],
  ["more layers than are read", layout([1, 2, 3, 4].map(() => tar(file("a")))), /it has 4 layers: at most 3 are read/, SMALL],
  ["a deep directory", made(file(`${"d/".repeat(70)}a`)), /deeper than 64 directories/],
  ["a directory that is too deep below the root", made(file(`${"d/".repeat(63)}a`)), /deeper than 64 directories/],
  [
    "a layer with a changed byte",
    damaged((layer) => Buffer.concat([layer.subarray(0, 20), Buffer.from([layer[20]! ^ 1]), layer.subarray(21)])),
    /Layer /,
  ],
  [
    "a layer that is another, as long",
    damaged((layer) => gzipSync(tar(file("b", "some contents"))).subarray(0, layer.length)),
    /SHA-256|decompress|bytes, not/,
  ],
  ["a layer that was cut off", damaged((layer) => layer.subarray(0, layer.length - 9)), /has \d+ bytes, not \d+/],
  ["a tar that was cut off", saved([tar(file("a")).subarray(0, 512)]), /ends too early/],
  ["a layer of docker save that is another", saved([tar(file("a"))]).set("layer-0/layer.tar", tar(file("b"))), /its tar has the SHA-256/],
  ["a layer that is missing", new Map([...made(file("a"))].filter(([, bytes]) => bytes[0] !== 0x1f)), /it is missing/],
  [
    "a changed configuration",
    changed(made(file("a")), '"rootfs"', (text) => text.replace("linux", "LINUX")),
    /has the SHA-256 .*it is damaged/,
  ],
  ["a changed manifest", changed(made(file("a")), '"layers":[', (text) => text.replace(":2,", ":3,")), /has the SHA-256 .*it is damaged/],
  [
    "a configuration of docker save that is another",
    changed(saved([tar(file("a"))]), '"rootfs"', (text) => text.replace("amd64", "arm64")),
    /SHA-256/,
  ],
  [
    "a configuration at any path",
    changed(saved([tar(file("a"))]), "RepoTags", (text) => text.replace(/[0-9a-f]{64}\.json/, "../../etc/x")),
    /not named by its digest|leads out/,
  ],
  ["no image at all", new Map(), /neither "index.json" \(an OCI layout\) nor "manifest.json"/],
  ["no JSON", new Map([["index.json", Buffer.from("{")]]), /is no JSON/],
  ["a digest that is a path", indexed({ manifests: [{ digest: "sha256:../../../etc/passwd" }] }), /is no "sha256:" and 64 hex digits/],
  ["another kind of digest", indexed({ manifests: [{ digest: "md5:abc" }] }), /is no "sha256:"/],
  ["a manifest that is missing", indexed({ manifests: [{ digest: DIGEST }] }), /is missing/],
  ["a manifest list that is no list", indexed({ manifests: { length: 5 } }), /is no list/],
  ["another processor", layout([tar(file("a"))], { architecture: "s390x" }), /it has no image for linux\/amd64: there is linux\/s390x/],
  ["another system, saved", saved([tar(file("a"))], { os: "windows" }), /it has no image for linux\/amd64: there is windows\/amd64/],
  [
    "two images",
    changed(saved([tar(file("a"))]), "RepoTags", (text) => `[${text.slice(1, -1)},${text.slice(1, -1)}]`),
    /it has 2 images \(made:1, made:1\): save one/,
  ],
  ["words that are none", layout([tar(file("a"))], { config: { Entrypoint: "sh -c x" } }), /"Entrypoint" is no list/],
  ["a variable without a key", layout([tar(file("a"))], { config: { Env: ["=x"] } }), /has no key and value/],
  ["a word with a zero byte", layout([tar(file("a"))], { config: { Cmd: ["a\0b"] } }), /"Cmd" is no text/],
  ["a directory that climbs", layout([tar(file("a"))], { config: { WorkingDir: "/../../x" } }), /leads out of the tree/],
  ["a long configuration", layout([tar(file("a"))], { config: { Env: [`A=${"x".repeat(300_000)}`] } }), /configuration is longer than/],
];

test(`${EVIL.length} evil images are refused, each in words [U8] [I1]`, async (t) => {
  for (const [what, files, refusal, options = {}] of EVIL)
    await t.test(what, async () => {
      await assert.rejects(convertImage(inMemory(files), { architecture: "amd64", ...options }), (error) => {
        assert.ok(error instanceof ArchiveRefusal, String(error));
        assert.match(error.message, refusal);
        return true;
      });
    });
});

test("of many processors the one of this machine is taken, and what there is is said when it is not there [I1]", async () => {
  const [arm, x64] = ["arm64", "amd64"].map((architecture) => layout([tar(file("a", architecture))], { architecture })) as [Files, Files];
  const entries = [arm, x64].map((files) => (JSON.parse(files.get("index.json")!.toString()) as { manifests: object[] }).manifests[0]);
  const unknown = { digest: DIGEST, platform: { os: "unknown", architecture: "unknown" } };
  const all: Files = new Map([...arm, ...x64, ["index.json", Buffer.from(JSON.stringify({ manifests: [...entries, unknown] }))]]);
  const { image } = await convertImage(inMemory(all), { architecture: "arm64" });
  assert.equal(image.config.architecture, "arm64");
  await assert.rejects(
    convertImage(inMemory(all), { architecture: "riscv64" }),
    /it has no image for linux\/riscv64: there is linux\/amd64, linux\/arm64, unknown\/unknown$/,
  );
});
