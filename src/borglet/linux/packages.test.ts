/** Packages on a real host: only verified bytes are unpacked, and whatever a killed borglet left behind is gone on with or thrown away. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { headerOf, paddingAfter, TAR_END } from "../../archive/tar-writer.ts";
import type { Unpacked } from "../machine.ts";
import { type Abilities, findAbilities } from "./abilities.ts";
import { LinuxPackages } from "./packages.ts";

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const file = (path: string, text: string): Buffer =>
  Buffer.concat([
    headerOf({ path, type: "file", executable: true, size: text.length, target: "" }),
    Buffer.from(text),
    paddingAfter(text.length),
  ]);
const packed = (...blocks: Buffer[]): Buffer => zstdCompressSync(Buffer.concat([...blocks, TAR_END]));
const GOOD = packed(file("bin/run", "hello"));
const EVIL = packed(Buffer.from(headerOf({ path: "out", type: "symlink", executable: false, size: 0, target: "../../etc" })));

let place = "";
let abilities: Abilities;
const discarded: string[] = [];
before(() => {
  // Users without rights pass through it.
  place = mkdtempSync("/tmp/borg-trees-");
  chmodSync(place, 0o755);
  abilities = findAbilities({ without: ["cgroups"] });
});
after(() => rmSync(place, { recursive: true, force: true }));

class Host {
  readonly #told = Promise.withResolvers<Unpacked>();
  readonly packages: LinuxPackages;

  constructor(name: string, more: Partial<Abilities> = {}) {
    const root = join(place, name);
    mkdirSync(root, { recursive: true, mode: 0o755 });
    this.packages = new LinuxPackages({
      parts: join(root, "parts"),
      trees: join(root, "trees"),
      abilities: { ...abilities, ...more },
      nodeDirectory: dirname(process.execPath),
      unpacker: () => (abilities.user === "root" ? 64_998 : undefined),
      discard: (path) => {
        discarded.push(path.slice(root.length));
        rmSync(path, { recursive: true, force: true });
      },
      deliver: (unpacked) => this.#told.resolve(unpacked),
    });
  }

  unpacked(digest: string): Promise<Unpacked> {
    this.packages.unpack(digest, `ann/web@${digest}`);
    return this.#told.promise;
  }
}

for (const jail of ["bubblewrap", "none"] as const)
  test(`bytes become a tree that nobody can write to, in a jail or without: ${jail} [borglet.D5] [U8]`, async (t) => {
    if (abilities.jail === "none" && jail !== "none") return t.skip("no bubblewrap here");
    const digest = hashOf(GOOD);
    const { packages } = new Host(jail, { jail });
    assert.equal(packages.write(digest, 0, GOOD.subarray(0, 20)), "");
    assert.equal(new Host(jail, { jail }).packages.part(digest), 20, "the next borglet goes on there");
    assert.equal(packages.write(digest, 20, GOOD.subarray(20)), "");
    const host = new Host(jail, { jail });
    const told = await host.unpacked(digest);
    assert.deepEqual([told.problem, told.bytes > 5], ["", true]);
    const tree = host.packages.tree(digest);
    assert.equal(readFileSync(join(tree, "bin/run"), "utf8"), "hello");
    assert.deepEqual(
      [tree, join(tree, "bin"), join(tree, "bin/run")].map((path) => lstatSync(path).mode & 0o777),
      [0o555, 0o555, 0o555],
    );
    if (abilities.user === "root") assert.equal(lstatSync(join(tree, "bin/run")).uid, 64_998);
    const [there] = new Host(jail, { jail }).packages.list();
    assert.deepEqual([there?.digest, there?.names], [digest, [`ann/web@${digest}`]]);
    assert.equal(host.packages.part(digest), 0, "its bytes are not kept twice");
    assert.equal(there?.packedBytes, GOOD.length);
  });

test("bytes with another hash are not even looked at, and go [borglet.D5] [U8]", async () => {
  const host = new Host("wrong");
  const digest = hashOf(Buffer.from("what was asked for"));
  host.packages.write(digest, 0, GOOD);
  assert.match((await host.unpacked(digest)).problem, /^Its bytes have the hash [0-9a-f]{12}: they are fetched again$/);
  assert.equal(host.packages.part(digest), 0);
  assert.throws(() => host.packages.tree(digest), /is not on this machine/);
  assert.throws(() => host.packages.tree("../../etc"), /is not on this machine/);
});

test("the bytes of a package stay beside its tree, for other machines, as long as both are there [borglet.D7] [S6]", async () => {
  const digest = hashOf(GOOD);
  const one = new Host("given");
  one.packages.write(digest, 0, GOOD);
  assert.equal(one.packages.read(digest, 0, 5), undefined, "not before they were verified");
  const told = await one.unpacked(digest);
  assert.deepEqual([told.problem, told.packedBytes], ["", GOOD.length]);
  const { packages } = new Host("given");
  assert.equal(packages.list()[0]?.packedBytes, GOOD.length);
  const read = (offset: number, bytes: number) => packages.read(digest, offset, bytes);
  assert.deepEqual(read(3, 4), { total: GOOD.length, data: new Uint8Array(GOOD.subarray(3, 7)) });
  assert.deepEqual([read(GOOD.length - 2, 9)?.data.length, read(GOOD.length + 9, 9)?.data.length], [2, 0]);
  assert.equal(packages.read("../trees/program/package.json", 0, 9), undefined);
  packages.dropPacked(digest);
  assert.deepEqual([read(0, 1), packages.list()[0]?.packedBytes], [undefined, 0]);
  assert.equal(readFileSync(join(packages.tree(digest), "bin/run"), "utf8"), "hello", "the tree stays");
  // A borglet was killed between the two, both ways round.
  writeFileSync(join(place, "given/parts", digest), GOOD);
  writeFileSync(join(place, "given/parts", `${"b".repeat(64)}.packed`), GOOD);
  writeFileSync(join(place, "given/parts", "c".repeat(64)), "half");
  packages.list();
  assert.deepEqual(readdirSync(join(place, "given/parts")), ["c".repeat(64)], "what is on its way stays");
});

test("an archive that is refused leaves nothing, and says why [borglet.D5] [U8]", async () => {
  const host = new Host("evil");
  host.packages.write(hashOf(EVIL), 0, EVIL);
  assert.match((await host.unpacked(hashOf(EVIL))).problem, /^Link "out" to "..\/..\/etc" leads out of the tree$/);
  assert.deepEqual(readdirSync(join(place, "evil/trees")), ["program"]);
});

test("what a borglet that was killed did not finish is thrown away by the next one [borglet.D5] [KT5]", async () => {
  const host = new Host("killed");
  const digest = hashOf(GOOD);
  const trees = join(place, "killed/trees");
  // Killed while the tree was made, and (by an older hand) a tree of that name without its record.
  mkdirSync(join(trees, `new-${digest}-1-1`, "tree"), { recursive: true });
  mkdirSync(join(trees, digest, "tree"), { recursive: true });
  writeFileSync(join(trees, digest, "tree", "half"), "");
  discarded.length = 0;
  assert.deepEqual(host.packages.list(), []);
  assert.deepEqual(discarded.sort(), [`/trees/${digest}`, `/trees/new-${digest}-1-1`]);
  host.packages.write(digest, 0, GOOD);
  assert.equal((await host.unpacked(digest)).problem, "");
  const other = new Host("killed");
  other.packages.write(digest, 0, EVIL);
  assert.notEqual((await other.unpacked(digest)).problem, "");
  assert.deepEqual(
    other.packages.list().map((each) => each.digest),
    [digest],
    "what was there stays there",
  );
});
