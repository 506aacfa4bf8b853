/** Packages in a real cell: what is pushed runs, on every machine, read-only; what is named stays; an archive that nobody should unpack fails its task alone. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdCompressSync } from "node:zlib";
import { connectCell } from "../../src/rpc/client.ts";
import { ROOT, TYPED_HANG_MS, Typist } from "./typist.ts";

const typist = new Typist("packages");
const { home, borg, good, json } = typist;
const PORT = String(9600 + Math.floor(Math.random() * 300) * 2);
const app = join(home, "app");
typist.cwd = app;

interface PackageJson {
  readonly package: string;
  readonly digest: string;
  readonly machineCount: number;
}

before(async () => {
  mkdirSync(join(app, ".git"), { recursive: true });
  writeFileSync(join(app, ".git", "secret"), "history");
  writeFileSync(join(app, "data"), "from the package\n");
  writeFileSync(join(app, "server"), "#!/bin/sh\npwd; cat data; ls -a; touch here 2>&1; touch $HOME/there && echo wrote home\n");
  chmodSync(join(app, "server"), 0o755);
  await good("up", "--detach", "--machines", "2", "--port", PORT);
});

after(async () => {
  await borg("down", "--kill");
  typist.leave();
});

test("run --dir packs the directory, pushes it and runs its program there, read-only and without .git [U8] [U9]", async () => {
  const ran = await borg("run", "mine", "--dir", ".", "--wait", "--", "./server");
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^\/borg\/packages\/mine$|\/root\/borg\/packages\/mine$/m);
  assert.match(ran.out, /^from the package$/m);
  assert.match(ran.out, /^wrote home$/m);
  assert.match(ran.out, /cannot touch|Permission denied|Read-only/, "nothing is written into it");
  assert.doesNotMatch(ran.out, /\.git/);
  assert.match(ran.err, /Pushed \. as \w+\/mine@[0-9a-f]{12}: 2 files/);
});

test("the same files are the same package, under another name too; machines tell what they have [U8] [S6]", async () => {
  const first = await json<PackageJson & { already: boolean }>("package", "push", "web", ".");
  assert.equal((await json<{ already: boolean }>("package", "push", "web", ".")).already, true);
  await good("run", "both", "--count", "2", "--package", "web", "--restart", "never", "--", "/bin/sh", "-c", "cat $BORG_PACKAGE_WEB/data");
  await good("wait", "both");
  const listed = await json<PackageJson[]>("package", "ls");
  const digests = new Set(listed.map(({ digest }) => digest));
  assert.deepEqual([digests.size, listed.length], [1, 2]);
  assert.equal(first.package, listed.find((each) => each.package.includes("/web@"))?.package);
  assert.ok((await good("logs", "both/0")).includes("from the package"));
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200))
    if ((await json<PackageJson[]>("package", "ls")).some(({ machineCount }) => machineCount > 0)) return;
  assert.fail("no machine told of a package");
});

test("what a living job names is not removed; afterwards it is [U8] [cell.G3]", async () => {
  await good("run", "long", "--package", "web", "--", "/bin/sleep", "1000");
  const ran = await borg("package", "rm", "web");
  assert.equal(ran.code, 1);
  assert.match(ran.err, /is named by job ".*\/long": kill that first/);
  await good("kill", "long");
  await good("package", "rm", "web");
  assert.equal((await borg("package", "rm", "web")).code, 3);
});

test("a machine gets a package from another that has it: the master's bytes may be gone by then [S6] [U8]", async () => {
  writeFileSync(join(app, "data"), Buffer.alloc(3_000_000, "peer"));
  const { digest } = await json<PackageJson>("package", "push", "given", ".");
  const client = connectCell({ at: { kind: "unix", path: join(home, ".local/state/borg/local/api.sock") }, timeoutMs: 20_000 });
  const { user } = await client.getCell({});
  const task = {
    command: ["/bin/sleep", "1000"],
    limit: { cpuMilli: 10, ramBytes: 2 ** 24 },
    packages: [{ name: "given", version: digest }],
  };
  await good("run", "first", "--package", "given", "--", "/bin/sleep", "1000");
  const kept = join(home, ".local/state/borg/local/packages", digest);
  assert.equal(existsSync(kept), true);
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200))
    if ((await json<PackageJson[]>("package", "ls")).some((each) => each.digest === digest && each.machineCount === 1)) break;
  rmSync(kept);
  await client.submitJob({ requestId: "everywhere", spec: { user, name: "everywhere", perMachine: true, task } });
  client.close();
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200))
    if ((await json<PackageJson[]>("package", "ls")).some((each) => each.digest === digest && each.machineCount === 2)) break;
  assert.equal((await json<PackageJson[]>("package", "ls")).find((each) => each.digest === digest)?.machineCount, 2);
  for (const job of ["first", "everywhere"]) await good("kill", job);
});

test("an evil archive that got past the command fails its task, with the cause, and harms nobody [U8] [borglet.D5]", async () => {
  const packed = zstdCompressSync(evilTar());
  const digest = createHash("sha256").update(packed).digest("hex");
  const client = connectCell({ at: { kind: "unix", path: join(home, ".local/state/borg/local/api.sock") }, timeoutMs: 20_000 });
  const { user } = await client.getCell({});
  await assert.rejects(client.addPackage({ user, name: "evil", digest, bytes: packed.length }), /are not all here/);
  const wrong = Buffer.from(packed);
  wrong[10]! ^= 1;
  await assert.rejects(client.uploadPackage({ digest, bytes: packed.length, data: wrong }), /The bytes have the hash/);
  assert.equal((await client.uploadPackage({ digest, bytes: packed.length, data: packed })).kept, true);
  await client.addPackage({ user, name: "evil", digest, bytes: packed.length });
  client.close();
  await good("run", "bad", "--package", "evil", "--restart", "never", "--", "/bin/true");
  assert.equal((await borg("wait", "bad")).code, 125, "it could not be started");
  assert.match(await good("show", "bad/0"), /Cannot unpack package .*leads out of the tree/s);
  await good("run", "good", "--dir", ".", "--wait", "--", "/bin/true");
});

test("files of a task are listed, printed and copied out; a link leads nowhere, an empty directory says so [N9] [borglet.F1]", async () => {
  const script = "mkdir empty; seq 1 100000 > out; ln -s /etc/passwd link; sleep 1000";
  await good("run", "writer", "--wait", "--restart", "always", "--", "/bin/sh", "-c", script);
  assert.match(await good("files", "writer/0"), /^empty\/ .*directory[\s\S]*^link .*link[\s\S]*^out .*file/m);
  assert.equal((await good("files", "writer/0", "out")).trimEnd().split("\n").at(-1), "100000");
  await good("files", "writer/0", "out", "-o", "copied");
  assert.equal(readFileSync(join(app, "copied"), "utf8").length, 588_895);
  assert.match((await borg("files", "writer/0", "out", "-o", "copied")).err, /it is there already/);
  assert.match((await borg("files", "writer/0", "empty")).err, /The directory is empty/);
  const linked = await borg("files", "writer/0", "link");
  assert.deepEqual([linked.code, linked.out, /links are not followed/.test(linked.err)], [1, "", true]);
  assert.equal((await borg("files", "writer/0", "none")).code, 3);
  await good("kill", "writer");
});

/** One file, outside. */
function evilTar(): Buffer {
  const header = Buffer.alloc(512);
  header.write("../../../../../../tmp/borg-evil-was-here");
  for (const [at, text] of [
    [100, "0000644"],
    [124, "00000000000"],
    [156, "0"],
    [257, "ustar\x0000"],
  ] as const)
    header.write(text, at, "latin1");
  header.write(" ".repeat(8), 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    "latin1",
  );
  return Buffer.concat([header, Buffer.alloc(1024)]);
}

test("the README says how to run one's own program [U9]", () => {
  assert.match(readFileSync(join(ROOT, "README.md"), "utf8"), /borg run mine --dir \./);
});
