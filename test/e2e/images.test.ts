/** Images in a real cell: what docker save or an OCI layout holds is the root of a task, under the job's own user, and all that works for other tasks works for these. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Files, file, inTar, layout, link, saved, tar } from "../../src/archive/image/fixture.test.ts";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { busyboxRoot, hostRoot } from "./images.ts";
import { TYPED_HANG_MS, Typist } from "./typist.ts";

const typist = new Typist("images");
const { home, borg, good, json } = typist;
const PORT = String(9600 + Math.floor(Math.random() * 300) * 2);
const jailed = findAbilities().helpers !== undefined;
const skip = jailed ? false : "needs bubblewrap";

const SAYS = 'echo "said $0 $*"; echo "in $(pwd) as $(id -u)"; echo "A=$A B=$B"';

before(async () => {
  await good("up", "--detach", "--port", PORT);
  if (!jailed) return;
  // A root with a shell. Whoever becomes root in it runs its prlimit first.
  const own = hostRoot("sh", "cat", "id", "ls", "sleep", "touch", "env");
  const trap = file("usr/bin/prlimit", "#!/bin/sh\nid -u >/borg/task/who\n", 0o755);
  const lower = tar(
    ...own,
    trap,
    file("etc/hidden", "x"),
    file("etc/os-release", "NAME=made-by-a-test\n"),
    link("etc/alias", "/etc/os-release"),
  );
  const upper = tar(file("etc/.wh.hidden"), file("etc/added", "from the second layer\n"));
  const config = {
    Entrypoint: ["/bin/sh", "-c", SAYS],
    Cmd: ["zero", "one"],
    Env: ["A=image", "B=image", "PATH=/bin"],
    WorkingDir: "/srv/app",
  };
  writeFileSync(join(home, "own.tar"), inTar(saved([lower, upper], { config })));
  writeFileSync(join(home, "shell.tar"), inTar(saved([lower, upper], { config: { Entrypoint: ["/bin/sh", "-c"], Env: ["PATH=/bin"] } })));
  for (const name of ["own", "shell"]) await good("package", "push", name, "--oci", join(home, `${name}.tar`));
  // One without a shell, as an OCI layout.
  const bare = tar(...hostRoot("cat", "sleep", "true", "false"), file("message", "no shell here\n"));
  onDisk(layout([bare], { config: { Entrypoint: ["/bin/cat"], Cmd: ["/message"] } }), "bare");
  await good("package", "push", "bare", join(home, "bare"), "--oci");
});

after(async () => {
  await borg("down", "--kill");
  typist.leave();
});

function onDisk(files: Files, name: string): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(home, name, path)), { recursive: true });
    writeFileSync(join(home, name, path), content);
  }
}

test("an image is the root of a task, with its entrypoint, arguments, environment and directory, and without its user [U8] [I1]", {
  skip,
}, async () => {
  const ran = await borg("run", "plain", "--image", "own", "--env", "B=job", "--wait");
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^said zero one\nin \/srv\/app as [1-9]\d+\nA=image B=job\n$/);
  const other = await borg("run", "other", "--image", "own", "--wait", "--", "two", "three");
  assert.match(other.out, /^said two three$/m, "the command takes the place of the image's arguments, after its entrypoint");
});

/** A script in the image that has a shell. */
const sh = (name: string, script: string, ...more: readonly string[]): ReturnType<typeof borg> =>
  borg("run", name, "--image", "shell", "--wait", ...more, "--", script);

test("nothing of the host is in it, its files are read-only, and what layers hide is hidden [I1]", { skip }, async () => {
  const ran = await sh(
    "look",
    "ls / /etc; cat /etc/added /etc/alias; for at in / /etc /bin /tmp /borg/task; do touch $at/x && echo wrote $at; done",
  );
  assert.match(ran.out, /^from the second layer\nNAME=made-by-a-test$/m);
  assert.deepEqual(ran.out.match(/wrote \S+/g), ["wrote /tmp", "wrote /borg/task"]);
  assert.equal(ran.err.match(/Read-only file system/g)?.length, 3, ran.err);
  const [top = "", etc = ""] = ran.out.split("/etc:\n");
  assert.doesNotMatch(top, /^(home|root|opt|media|boot)$/m);
  assert.match(etc, /^added\nalias\nhosts\nos-release\nresolv\.conf\n/, "of the host only how names are found");
  assert.doesNotMatch(etc, /hidden|passwd/);
});

test("how a task from an image ended is told as of any other: exit codes, signals and memory, with a shell and without [U8] [I1]", {
  skip,
}, async () => {
  const ends: readonly (readonly [ran: Promise<{ code: number; err: string; out: string }>, code: number, words: RegExp])[] = [
    [sh("plain-137", "exit 137"), 137, /failed \(exit 137\)$/m],
    [sh("signal-9", "kill -9 $$"), 137, /\(exit 137: killed by SIGKILL\)/],
    [sh("signal-15", "kill -15 $$"), 143, /killed by SIGTERM/],
    [borg("run", "no-shell", "--image", "bare", "--wait"), 0, /finished|^$/],
    [borg("run", "no-file", "--image", "bare", "--wait", "--", "/nothing"), 1, /exit 1/],
  ];
  for (const [ran, code, words] of ends) {
    const ended = await ran;
    assert.equal(ended.code, code, ended.err);
    assert.match(ended.err, words);
  }
  assert.equal(await good("logs", "no-shell/0"), "no shell here\n");
  const full = await sh("full", "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done", "--ram", "32MiB");
  assert.match(full.err, /used more memory than its limit|killed by SIGKILL/);
});

test("files, packages, checks, stop notices and a command beside it work for a task from an image [U8] [I1] [borglet.E1]", {
  skip,
}, async () => {
  mkdirSync(join(home, "data"));
  writeFileSync(join(home, "data", "x"), "from a package\n");
  const { package: data } = await json<{ package: string }>("package", "push", "data", join(home, "data"));
  const { package: image } = await json<{ package: string }>("package", "push", "shell", "--oci", join(home, "shell.tar"));
  const text = `job served = {
  image = "${image}"
  packages = [{ name = "data", version = "${data.slice(data.indexOf("@") + 1)}", path = "/srv/data" }]
  files = { "/etc/app/deep.conf" = "a file\\n", "/etc/os-release" = "NAME=changed\\n", "/new/place" = "x" }
  command = ["trap 'echo told; exit 0' TERM; cat /etc/app/deep.conf /etc/os-release /srv/data/x /etc/added; while :; do sleep 0.2; done"]
  ready = { command = ["/bin/cat", "/new/place"], interval = 1s }
}`;
  writeFileSync(join(home, "served.bcl"), text);
  await good("submit", join(home, "served.bcl"), "--wait");
  assert.match(await good("logs", "served/0"), /^a file\nNAME=changed\nfrom a package\nfrom the second layer\n/);
  const beside = await borg("ssh", "served/0", "--", "/bin/sh", "-c", "id -u; cat /etc/added; ls /borg/task");
  assert.match(beside.out, /^[1-9]\d+\nfrom the second layer\n$/, "as the job's user, and no program of the image ran as anybody else");
  await good("kill", "served");
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200))
    if ((await good("logs", "served/0")).includes("told")) return;
  assert.fail("no notice came");
});

test("links of an image lead nobody out of it: a file that would come to lie elsewhere fails its task alone [I1]", { skip }, async () => {
  const outside = join(home, "outside");
  mkdirSync(outside, { mode: 0o777 });
  const twisted = tar(...hostRoot("sh", "ls"), link("etc", outside), link("borg", outside), link("tmp", outside), link("srv", "/tmp"));
  writeFileSync(join(home, "twisted.tar"), inTar(saved([twisted], { config: { Entrypoint: ["/bin/sh", "-c"] } })));
  const { package: image } = await json<{ package: string }>("package", "push", "twisted", "--oci", join(home, "twisted.tar"));
  const ran = await borg("run", "bent", "--image", "twisted", "--wait", "--", "ls / /borg && echo well");
  assert.match(ran.out, /^well$/m, ran.err);
  for (const [name, path] of [
    ["astray", "/etc/app.conf"],
    ["taken", "/srv/app.conf"],
  ] as const) {
    const text = `job ${name} = { image = "${image}", files = { "${path}" = "x" }, command = ["echo ran"], restart = { when = "never" } }`;
    writeFileSync(join(home, `${name}.bcl`), text);
    await good("submit", join(home, `${name}.bcl`));
    await borg("wait", name);
    assert.match(await good("show", `${name}/0`), new RegExp(`Cannot put a file at "${path}": that is not the task's`));
  }
  assert.deepEqual(readdirSync(outside), []);
});

test("a package that is no image, and a job that asks for one without machines for it, are told what to do [U8]", { skip }, async () => {
  await good("package", "push", "folder", join(home, "bare"));
  const ran = await borg("run", "wrong", "--image", "folder", "--wait", "--", "x");
  assert.notEqual(ran.code, 0);
  assert.match(ran.err, /Package "folder" is no image: borg package push folder --oci makes one/);
  assert.match((await borg("run", "none", "--image", "nowhere")).err, /There is no package "\w+\/nowhere"/);
  const broken = await borg("package", "push", "broken", "--oci", join(home, "data"));
  assert.equal(broken.code, 2);
  assert.match(broken.err, /neither "index.json" \(an OCI layout\) nor "manifest.json" \(docker save\)/);
});

test("an image of Debian's busybox runs [U8] [I1]", {
  skip: skip || (busyboxRoot() === undefined ? "needs busybox-static" : false),
}, async () => {
  onDisk(layout([tar(...busyboxRoot()!)], { config: { Cmd: ["/bin/sh"], Env: ["PATH=/bin"] }, pack: "zstd" }), "busybox");
  await good("package", "push", "busybox", "--oci", join(home, "busybox"));
  const ran = await borg("run", "bb", "--image", "busybox", "--wait", "--", "/bin/sh", "-c", "echo busy; id -u; ls /bin | cat");
  assert.match(ran.out, /^busy\n[1-9]\d+\nbusybox\n/, ran.err);
});
