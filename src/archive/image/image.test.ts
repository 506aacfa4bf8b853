/** Layers become one tree: what is added, replaced and hidden, however an image is packed. [U8] [I1] */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readImage } from "../image-config.ts";
import { compressor } from "../pack.ts";
import { type Entry, TarReader } from "../tar-reader.ts";
import { unpack } from "../unpack.ts";
import { IMAGE_BOUNDS } from "./bounds.ts";
import { type Converted, convertImage } from "./convert.ts";
import { directory, type Files, file, inMemory, inTar, layout, link, type Made, same, saved, tar } from "./fixture.test.ts";
import { type ImageSource, openImage } from "./source.ts";

let place = "";
before(() => {
  place = mkdtempSync(join(tmpdir(), "borg-image-"));
});
after(() => {
  execFileSync("chmod", ["-R", "u+w", place]);
  rmSync(place, { recursive: true, force: true });
});

const convert = (source: ImageSource): Promise<Converted> => convertImage(source, { architecture: "amd64" });

async function bytesOf(converted: Converted): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of converted.tar()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The image's tree as lines: `path contents`, `path -> target`, `path/`, `path = another name`. Read by the reader that borglets use. */
async function merged(...layers: readonly (readonly Made[])[]): Promise<string[]> {
  const converted = await convert(inMemory(layout(layers.map((each) => tar(...each)))));
  const seen: { entry: Entry; text: string }[] = [];
  const reader = new TarReader({
    entry: (entry) => seen.push({ entry, text: "" }),
    data: (bytes) => {
      seen.at(-1)!.text += Buffer.from(bytes).toString("utf8");
    },
  });
  reader.push(await bytesOf(converted));
  assert.deepEqual(reader.end(), converted.summary);
  const lines = seen.filter(({ entry }) => entry.path.startsWith("root/"));
  return lines
    .map(({ entry: { path, type, target }, text }) => {
      const name = path.slice("root/".length);
      if (type === "directory") return `${name}/`;
      if (type === "symlink") return `${name} -> ${target}`;
      return type === "hardlink" ? `${name} = ${target.slice("root/".length)}` : `${name} ${text}`.trim();
    })
    .sort();
}

test("a layer adds to those below it and replaces what they have, directories by files and files by directories [I1]", async () => {
  const lower = [directory("etc"), file("etc/a", "1"), file("etc/b", "1"), file("x", "file"), file("y/z", "1")];
  const upper = [file("etc/b", "2"), file("x/inside", "2"), file("y", "2")];
  await assert.rejects(merged(lower, upper), /Path "x" goes through what is no directory/);
  assert.deepEqual(await merged(lower, [file("etc/b", "2"), directory("x"), file("x/inside", "2"), file("y", "2")]), [
    "etc/",
    "etc/a 1",
    "etc/b 2",
    "x/",
    "x/inside 2",
    "y 2",
  ]);
});

test("whiteouts hide what lower layers brought, and nothing of their own layer, wherever they stand in it [I1]", async () => {
  const lower = [directory("d"), file("d/a", "1"), file("d/b", "1"), file("d/sub/c", "1"), file("gone", "1")];
  assert.deepEqual(await merged(lower, [file("d/.wh.a"), file(".wh.gone"), file(".wh.never-there")]), [
    "d/",
    "d/b 1",
    "d/sub/",
    "d/sub/c 1",
  ]);
  assert.deepEqual(await merged(lower, [file("d/.wh.sub")]), ["d/", "d/a 1", "d/b 1", "gone 1"]);
  const renewed = ["d/", "d/a 2", "gone 1"];
  assert.deepEqual(await merged(lower, [file("d/.wh..wh..opq"), file("d/a", "2")]), renewed, "an opaque directory, said first");
  assert.deepEqual(await merged(lower, [file("d/a", "2"), file("d/.wh..wh..opq")]), renewed, "an opaque directory, said last");
  assert.deepEqual(await merged(lower, [file(".wh.d"), directory("d"), file("d/a", "2")]), renewed, "a directory that is made anew");
  assert.deepEqual(await merged(lower, [directory("d"), file("d/a", "2"), file(".wh.d")]), renewed, "the same, said last");
  assert.deepEqual(await merged(lower, [file(".wh.d")], [file("d/e", "3")]), ["d/", "d/e 3", "gone 1"], "and again in a third layer");
  assert.deepEqual(await merged([file("a", "1")], [file(".wh..wh.plnk/x", "1"), file(".wh..wh.aufs")]), ["a 1"]);
});

test("hard links keep their contents when the other name is replaced or hidden, over layers too [I1]", async () => {
  const lower = [file("a", "one", 0o755), same("b", "a")];
  assert.deepEqual(await merged(lower), ["a one", "b = a"]);
  assert.deepEqual(await merged(lower, [file(".wh.a")]), ["b one"]);
  assert.deepEqual(await merged(lower, [file("a", "two")]), ["a two", "b one"]);
  assert.deepEqual(await merged([file("a", "one")], [same("c", "a"), file(".wh.a")]), ["c one"], "a link into a lower layer");
  await assert.rejects(merged([same("b", "a")]), /Entry "b" is another name of "a", which is no earlier file of the image/);
  await assert.rejects(merged([file("a")], [file(".wh.a"), same("b", "a")]), /no earlier file of the image/);
});

test("a path through a link of the image goes where it leads inside the image, and never out of it [I1]", async () => {
  const lower = [directory("usr/lib"), link("lib", "usr/lib"), link("out", "../../../../etc"), link("abs", "/usr")];
  assert.deepEqual(await merged(lower, [file("lib/a", "1"), file("out/passwd", "mine"), file("abs/b", "2")]), [
    "abs -> usr",
    "etc/",
    "etc/passwd mine",
    "lib -> usr/lib",
    "out -> etc",
    "usr/",
    "usr/b 2",
    "usr/lib/",
    "usr/lib/a 1",
  ]);
  await assert.rejects(merged([link("a", "b"), link("b", "a")], [file("a/x")]), /goes through more than 40 links/);
  assert.deepEqual(await merged([directory("d"), file("d/x", "1"), link("l", "d")], [file("l/.wh.x")]), ["d/", "l -> d"]);
});

test("links become relative, and lead where they led when the image is the root [I1]", async () => {
  const links = [
    link("bin/sh", "/bin/busybox"),
    link("etc/alternatives/vi", "/usr/bin/vim"),
    link("var/log/access", "/dev/stdout"),
    link("deep/a/b/up", "../../../../../../usr/x"),
    link("top", "/"),
    link("odd", "usr/link/../y"),
    directory("real/inside"),
    link("usr/link", "../real/inside"),
    link("dot", "./usr//x"),
  ];
  const lines = (await merged(links)).filter((line) => line.includes("->"));
  assert.deepEqual(lines, [
    "bin/sh -> ../bin/busybox",
    "deep/a/b/up -> ../../../usr/x",
    "dot -> ./usr//x",
    "etc/alternatives/vi -> ../../usr/bin/vim",
    "odd -> real/y",
    "top -> .",
    "usr/link -> ../real/inside",
    "var/log/access -> ../../dev/stdout",
  ]);
});

const LAYERS = [
  tar(directory("bin"), file("bin/run", "program", 0o755), file("bin/su", "su", 0o4755), { path: "dev/null", type: "3" }),
  tar(file("etc/conf", "x".repeat(5000)), same("etc/same", "etc/conf"), link("sh", "/bin/run")),
];
const CONFIG = {
  Entrypoint: ["/bin/run"],
  Cmd: ["serve"],
  Env: ["A=1", "B=x=y", "PATH=/bin"],
  WorkingDir: "/srv/app",
  User: "nobody:nogroup",
  ExposedPorts: { "80/tcp": {}, "8080/tcp": {} },
  Volumes: { "/data": {} },
  StopSignal: "SIGQUIT",
};

function onDisk(files: Files, name: string): string {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(place, name, path)), { recursive: true });
    writeFileSync(join(place, name, path), content);
  }
  return join(place, name);
}

test("the same image is the same package, whatever it comes in: a layout, its tar, docker save, gzip, zstd or plain [U8] [I1]", async () => {
  const written = (name: string, bytes: Buffer): string => {
    writeFileSync(join(place, name), bytes);
    return join(place, name);
  };
  const paths = [
    onDisk(layout(LAYERS, { config: CONFIG }), "layout"),
    onDisk(layout(LAYERS, { config: CONFIG, pack: "zstd", platform: { os: "linux", architecture: "amd64" } }), "layout-zstd"),
    written("layout.tar", inTar(layout(LAYERS, { config: CONFIG, pack: "plain" }))),
    written("saved.tar", inTar(saved(LAYERS, { config: CONFIG }))),
    written("saved.tar.gz", gzipSync(inTar(saved(LAYERS, { config: CONFIG })))),
  ];
  const hashes = new Set<string>();
  for (const [i, path] of paths.entries()) {
    const bytes = await bytesOf(await convert(await openImage(path, join(place, `plain-${i}`), IMAGE_BOUNDS)));
    hashes.add(createHash("sha256").update(bytes).digest("hex"));
  }
  assert.equal(hashes.size, 1);
});

test("what an image says of itself lies beside its root, where none of its files can be; borglets unpack it as any package [U8] [I1]", async () => {
  const fake = tar(file("image.json", '{"version":1,"entrypoint":["/bin/evil"]}'), file("root/x", "x"));
  const converted = await convert(inMemory(layout([...LAYERS, fake], { config: CONFIG })));
  const root = join(place, "unpacked");
  mkdirSync(root);
  await unpack(Readable.from(await bytesOf(converted)).pipe(compressor()), root);
  assert.deepEqual(readImage(readFileSync(join(root, "image.json"), "utf8")), {
    architecture: "amd64",
    entrypoint: ["/bin/run"],
    command: ["serve"],
    environment: [
      ["A", "1"],
      ["B", "x=y"],
      ["PATH", "/bin"],
    ],
    directory: "/srv/app",
    user: "nobody:nogroup",
  });
  assert.equal(readFileSync(join(root, "root/bin/run"), "utf8"), "program");
  assert.equal(statSync(join(root, "root/bin/run")).mode & 0o7777, 0o555);
  assert.equal(statSync(join(root, "root/bin/su")).mode & 0o7777, 0o555, "not setuid any more");
  assert.equal(statSync(join(root, "root/etc/conf")).ino, statSync(join(root, "root/etc/same")).ino);
  assert.equal(readlinkSync(join(root, "root/sh")), "bin/run");
  assert.equal(statSync(join(root, "root/srv/app")).isDirectory(), true, "where it starts is there, though no layer has it");
  assert.equal(readFileSync(join(root, "root/root/x"), "utf8"), "x");
  assert.match(readFileSync(join(root, "root/image.json"), "utf8"), /evil/);
});

test("what an image will not have as a task is said when it is pushed: user, ports, setuid, devices, volumes, stop signal [I1]", async () => {
  const { notes } = await convert(inMemory(layout(LAYERS, { config: CONFIG })));
  assert.deepEqual(notes, [
    `The image's user "nobody:nogroup" is ignored: each job has a user of its own`,
    `It wants to listen at "80/tcp", which needs root: let it listen at its BORG_PORT_ variables`,
    "No longer setuid or setgid: bin/su",
    "Devices and the like are left out: dev/null",
    `It wants to write to "/data": tasks write only to /borg/task, /tmp and /borg/alloc`,
    `Its stop signal "SIGQUIT" is ignored: tasks are told to stop by SIGTERM`,
  ]);
  const root = await convert(inMemory(layout(LAYERS, { config: { User: "0:0" } })));
  assert.match(root.notes[0]!, /^Tasks never run as root: the image's user \("0:0"\) is ignored/);
});
