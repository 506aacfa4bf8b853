/** Starting and stopping: what cannot work is said in one line, in seconds, before anything is made; tasks that were left are ended when that is wished. */
import assert from "node:assert/strict";
import { existsSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { claimPortOf, SLOTS } from "../../src/daemon/port-slots.ts";
import { freePort, instancePids } from "./real-cell.ts";
import { type Ran, Typist } from "./typist.ts";

const typist = new Typist("start");
const { home, borg } = typist;
const SECONDS_MS = 15_000;

after(() => typist.leave());

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
