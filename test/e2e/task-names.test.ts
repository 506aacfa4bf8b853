/**
 * Names inside tasks, as root in jails: `getent` and `dig` find a task by its name while it moves, what has ended is soon not named, and neither a killed resolver,
 * a killed borglet nor a cell that is down takes names away from tasks that go on.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { DataDirectory } from "../../src/daemon/data.ts";
import { isHeld } from "../../src/daemon/names-sockets.ts";
import { freePort, isAlive } from "./real-cell.ts";
import { Typist } from "./typist.ts";

const { jail, user } = findAbilities();
const skip =
  jail === "none"
    ? "there is no jail here (package bubblewrap)"
    : user !== "root"
      ? "only root can give tasks a resolver"
      : spawnSync("dig", ["-v"]).error !== undefined && "no dig here";
/** A name lives for 5 s, a poll takes 5 s; the rest is for a slow machine. */
const LEAVES_MS = 20_000;
const HANG_MS = 60_000;

interface Up {
  readonly taskNames: string;
  readonly data: string;
}

test("a task finds others by name in its jail, whoever dies, and the machine's own resolvers answer the rest [N1] [N2] [KN1]", {
  skip,
  timeout: 400_000,
}, async () => {
  const typist = new Typist("task-names");
  const [port, name] = [await freePort(), `tn${process.pid}`];
  const up = async (): Promise<Up> =>
    JSON.parse(
      await typist.good(
        "up",
        "--cell",
        name,
        "--port",
        String(port),
        "--machines",
        "2",
        "--dns-domain",
        "example.com",
        "--detach",
        "--log-format",
        "json",
        "--json",
      ),
    ) as Up;
  /** What a command inside the asking task's jail says. */
  const inside = async (script: string): Promise<string> => (await typist.good("ssh", "ask/0", "--", "sh", "-c", script)).trim();
  const until = async (what: string, isTrue: () => Promise<boolean>, withinMs = HANG_MS): Promise<void> => {
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(100)) if (await isTrue()) return;
    assert.fail(`Waited in vain for ${what}`);
  };
  const { taskNames: address, data: path } = await up();
  try {
    assert.match(address, /^127\.\d+\.\d+\.53$/);
    const data = new DataDirectory(path);
    const pidOf = (process: string): number => data.readRun()!.processes[process]!.pid;
    await typist.good("run", "web", "--restart", "always", "--port", "http", "--wait", "--", "sleep", "100000");
    await typist.good("run", "ask", "--restart", "always", "--wait", "--", "sleep", "100000");
    const tasks = await typist.json<{ name: string; machine: string; ports: { http: number } }[]>("ls", "tasks");
    const web = tasks.find((task) => task.name.endsWith("/web/0"));
    assert.ok(web !== undefined);
    const user = web.name.split("/")[0]!;
    const full = `0.web.${user}.${name}.borg.example.com`;
    const srv = `dig +short +tries=1 _http._tcp.${full} SRV`;

    // One trace leads from the command to the task, through the logs of all processes.
    const events = await typist.json<{ kind: string; trace: string | null }[]>("events", "web");
    const trace = events.find(({ kind }) => kind === "job-submitted")?.trace ?? "";
    const lines = (log: string): readonly { message: string; trace?: string }[] =>
      readFileSync(join(path, "log", `${log}.log`), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const traced = ["master", web.machine].flatMap((log) => lines(log).filter((line) => line.trace === trace));
    const way = traced.map(({ message }) => message).join("\n");
    assert.match(way, /^submitJob \S+\/web by .*: done at [0-9]+\n.*Starts "\S+\/web\/0:[0-9]+", run 1/);

    const [conf, ...found] = (
      await inside(`grep ^nameserver /etc/resolv.conf; getent hosts ${full}; ${srv}; dig +tcp +short ${full}`)
    ).split("\n");
    assert.equal(conf, `nameserver ${address}`);
    assert.deepEqual(
      found.map((line) => line.replace(/\s+/g, " ")),
      [`127.0.0.1 ${full}`, `0 1 ${web.ports.http} ${full}.`, "127.0.0.1"],
    );
    // Whatever the machine's own resolvers say, it is not that this server does not do that.
    assert.doesNotMatch(await inside("dig +tries=1 +time=8 openborg.invalid"), /status: REFUSED|no servers could be reached/);

    // Killed, it is there again before who asks gives up; and there is one.
    const resolver = pidOf("names");
    assert.match(readFileSync(`/proc/${resolver}/status`, "latin1"), /^CapEff:\t0+$/m);
    assert.doesNotMatch(readFileSync(`/proc/${resolver}/status`, "latin1"), /^Uid:\t0\t/m);
    process.kill(resolver, "SIGKILL");
    for (const machine of ["m1", "m2"]) process.kill(pidOf(machine), "SIGKILL");
    assert.equal(spawnSync("dig", [`@${address}`, "+short", "+tries=1", "+time=20", full], { encoding: "utf8" }).stdout, "127.0.0.1\n");
    await until("another resolver", async () => pidOf("names") !== resolver && isAlive(pidOf("names")));

    // It moves, and its name goes with it.
    await typist.good("drain", web.machine, "--wait");
    await until("the name to move", async () => {
      const said = await inside(srv);
      return said !== "" && !said.includes(` ${web.ports.http} `);
    });

    // What has ended is not named.
    await typist.good("kill", "web");
    await until("the name to end", async () => (await inside(srv)) === "", LEAVES_MS);

    // Tasks that go on keep whom they ask; the next start takes its place, and the last end takes it away.
    const last = pidOf("names");
    await typist.good("down");
    assert.ok(isAlive(last) && isHeld(address));
    const alone = spawnSync("dig", [`@${address}`, "+tries=1", "+time=8", full], { encoding: "utf8" }).stdout;
    assert.match(alone, /status: SERVFAIL/);
    assert.equal((await up()).taskNames, address);
    assert.ok(!isAlive(last));
    assert.equal(await inside("getent hosts nobody.invalid || echo none"), "none");
    assert.match(await inside(`dig ask.${user}.${name}.borg TXT +short`), /size=1/);
  } finally {
    await typist.good("down", "--kill");
    assert.equal(isHeld(address), false, "nobody is left at the address");
    assert.match(readFileSync(join(path, "log", "names.log"), "utf8"), /ask 127\./);
    typist.leave();
  }
});
