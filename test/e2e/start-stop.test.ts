/** Starting and stopping: what cannot work is said in one line, in seconds, before anything is made; tasks that were left are ended when that is wished. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { claimPortOf, SLOTS } from "../../src/daemon/port-slots.ts";
import { instancePids, type Ran } from "./real-cell.ts";

const home = mkdtempSync(join(tmpdir(), "borg-start-"));
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", BORG_MASTER: "" };
const SECONDS_MS = 15_000;

after(() => rmSync(home, { recursive: true, force: true }));

const borg = (...args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    execFile(process.execPath, [...entryPoint(), ...args], { env, timeout: 90_000 }, (error, out, err) =>
      done({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 255, out, err }),
    );
  });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** One line, and one that says what to do. */
function isPlain({ err }: Ran): void {
  assert.equal(err.trimEnd().split("\n").length, 2, err);
  assert.doesNotMatch(err, /^ +at /m);
}

test("what cannot be meant is refused before anything is made [N9]", async () => {
  const data = join(home, "never");
  for (const wrong of [
    ["--cell", "Bad Name"],
    ["--cell", "../up"],
    ["--machines", "0"],
    ["--port", "x"],
    ["--keep", "soon"],
  ]) {
    const ran = await borg("up", "--detach", "--data", data, ...wrong);
    assert.equal(ran.code, 2, wrong.join(" "));
    isPlain(ran);
    assert.ok(!existsSync(data), wrong.join(" "));
  }
});

test("a directory that cannot be made, and a file in its place, are said at once [N9]", async () => {
  writeFileSync(join(home, "file"), "");
  for (const data of ["/proc/nowhere/cell", join(home, "file"), join(home, "file", "below")]) {
    const ran = await borg("up", "--detach", "--data", data);
    assert.equal(ran.code, 2, `${data}: ${ran.err}`);
    isPlain(ran);
  }
});

test("a name of a cell that is known is not taken by another; up, down and cell mean the same one [N9]", async () => {
  const [one, other] = [join(home, "one"), join(home, "other")];
  const [first, second] = [String(await freePort()), String(await freePort())];
  assert.equal((await borg("up", "--detach", "--cell", "twin", "--data", one, "--port", first)).code, 0);
  const taken = await borg("up", "--detach", "--cell", "twin", "--data", other, "--port", second);
  assert.equal(taken.code, 2);
  assert.match(
    taken.err,
    /You know another cell as "twin", in .*one\n {2}choose another name with --cell, or forget that one: borg cell rm twin/,
  );
  assert.ok(!existsSync(other));
  assert.match((await borg("down")).out, /"twin" is down/);
  assert.match((await borg("up", "--detach")).out, /Cell "twin" is up/, "what down meant is what up means");
  assert.match((await borg("cell", "show")).out, /^cell +twin$/m);
  assert.match((await borg("down", "--kill", "--cell", "twin")).out, /"twin" is down/);
  assert.equal((await borg("down", "--cell", "nobody")).code, 3);
  assert.ok(!existsSync(join(home, ".local", "state", "borg", "nobody")), "asking makes nothing");
});

test("who holds every port that could stand for a cell's ports does not keep a cell from starting, and up says so [N9] [KB2]", async () => {
  const servers = Array.from({ length: SLOTS }, () => createServer());
  // Another cell of this host may have some of them.
  for (const [portSlot, server] of servers.entries()) server.on("error", () => {}).listen(claimPortOf({ port: 0, portSlot }), "127.0.0.1");
  try {
    const [data, port] = [join(home, "crowded"), String(await freePort())];
    const started = await borg("up", "--detach", "--cell", "crowded", "--data", data, "--port", port);
    assert.equal(started.code, 0, started.err);
    assert.match(started.out, /Somebody else holds port 199\d\d: another cell may give out the ports of this one's tasks, \d+ to \d+/);
    assert.equal((await borg("down", "--kill", "--data", data)).code, 0);
  } finally {
    for (const server of servers) server.close();
  }
});

test("down --kill after down ends the tasks that went on; a damaged journal ends a start in seconds with 78 [N9] [KD5]", async () => {
  const [data, port] = [join(home, "cell"), String(await freePort())];
  const cell = `start-${port}`;
  assert.equal((await borg("up", "--detach", "--cell", cell, "--data", data, "--port", port)).code, 0);
  assert.equal((await borg("run", "keep", "--restart", "always", "--wait", "--", "sleep", "100000")).code, 0);
  assert.equal((await borg("down")).code, 0);
  assert.equal(instancePids(cell).size, 1, "a plain stop touches no task");
  const killed = await borg("down", "--kill");
  assert.match(killed.out, /1 of its tasks have ended/);
  await sleep(100);
  assert.equal(instancePids(cell).size, 0);
  assert.match((await borg("down", "--kill")).out, /0 of its tasks have ended/);
  const segment = readdirSync(join(data, "journal")).find((name) => name.endsWith(".log"))!;
  writeSync(openSync(join(data, "journal", segment), "r+"), "XXXXXXXX", 300);
  const begin = performance.now();
  const damaged = await borg("up", "--detach", "--cell", cell, "--data", data, "--port", port);
  assert.equal(damaged.code, 78);
  assert.match(damaged.err, /^master ended with exit code 78: Journal damaged in .*\n {2}its log is /);
  assert.ok(performance.now() - begin < SECONDS_MS, `after ${performance.now() - begin} ms`);
  // Its borglet was up for a moment, and took up what it had been told to run.
  assert.match((await borg("down", "--kill", "--data", data)).out, /of its tasks have ended/);
  assert.equal(instancePids(cell).size, 0);
});
