/**
 * Nobody can take a port of a cell between two masters: a task and a plain user of the host try all the time, while the master is killed again and again and people go
 * on asking. With the real `borg up`, whose supervisor has the cell's sockets and hands them on.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { constants, globSync, openSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DataDirectory, isKeptUp } from "../../src/daemon/data.ts";
import { idsOf } from "../../src/daemon/host-ids.ts";
import { freePort } from "../e2e/real-cell.ts";
import { Typist } from "../e2e/typist.ts";
import { asNobody, isRoot } from "../nobody.ts";

const KILLS = 3;
/** A master that never lived so long is not started again without end. */
const LIVED_MS = 5_500;
const WAIT_MS = 30_000;
const LOOK_MS = 20;
/** A command waits for ten seconds by itself; on a busy machine a master takes longer to start. */
const PATIENTLY = ["--deadline", "60s"] as const;

/** What taker.ts writes down. */
interface Loot {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly taken: readonly string[];
  readonly heard: string;
}

const owner = new Typist("ports");
const stranger = new Typist("ports-far");
const path = join(owner.home, "cell");
const TAKER = readFileSync(new URL("taker.ts", import.meta.url), "utf8");
const taker = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "-e", TAKER] as const;
let data: DataDirectory;
let ports: string;
let local: ChildProcess;
let localSaid = "";

test("while a cell is up, a task and a plain user of its host try to take its ports", async () => {
  const port = await freePort();
  ports = `${port},${port + 1}`;
  await owner.good("up", "--detach", "--cell", `ports-${port}`, "--data", path, "--port", String(port));
  const upMs = performance.now();
  data = new DataDirectory(path);
  const ticket = join(owner.home, "ann.ticket");
  await owner.good("user", "grant", "ann", "--role", "user");
  await owner.good("token", "create", "--user", "ann", "--out", ticket);
  stranger.env["BORG_TICKET_FILE"] = ticket;
  await owner.good("run", "thief", "--env", `TAKE=${ports}`, "--restart", "never", "--", "node", ...taker);
  const [program = "", ...words] = [...asNobody, process.execPath, ...taker];
  local = spawn(program, words, { cwd: "/", env: { PATH: process.env["PATH"], TAKE: ports }, stdio: ["ignore", "pipe", "inherit"] });
  local.stdout!.on("data", (piece: Buffer) => (localSaid = `${localSaid}${piece}`.slice(-100_000)));
  await until("both to try", async () => tries(localLoot()) > 0 && tries(await taskLoot()) > 0);
  await sleep(Math.max(0, upMs + LIVED_MS - performance.now()));
});
after(async () => {
  local?.kill("SIGKILL");
  await owner.borg("down", "--kill", "--data", path);
  for (const typist of [owner, stranger]) typist.leave();
});

async function until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(LOOK_MS)) if (await isTrue()) return;
  assert.fail(`Waited in vain for ${what}`);
}

const lastLoot = (said: string): Loot => JSON.parse(said.split("\n").at(-2) ?? '{"outcomes":{},"taken":[],"heard":""}') as Loot;
const localLoot = (): Loot => lastLoot(localSaid);
const taskLoot = async (): Promise<Loot> => lastLoot(await owner.good("logs", "thief/0"));
const tries = ({ outcomes }: Loot): number => Object.values(outcomes).reduce((sum, count) => sum + count, 0);

const pidOf = (name: string): number | undefined => data.readRun()?.processes[name]?.pid;

/** The owner over the Unix socket, and somebody with a ticket over TLS: each must be answered. */
async function bothAnswered(): Promise<void> {
  await Promise.all([owner, stranger].map(({ good }) => good("ls", "machines", ...PATIENTLY)));
}

async function killMaster(): Promise<void> {
  const pid = pidOf("master")!;
  process.kill(pid, "SIGKILL");
  // Nobody has noticed yet: who asks now waits for the next one, and finds it.
  await bothAnswered();
  assert.notEqual(pidOf("master") ?? pid, pid);
}

function heldOff(who: string, before: Loot, { outcomes, taken, heard }: Loot): void {
  assert.deepEqual(taken, [], `${who} got a port`);
  assert.equal(heard, "", `${who} was told something`);
  const hasIp6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === "::1"));
  for (const host of ["127.0.0.1", "0.0.0.0", ...(hasIp6 ? ["::1", "::"] : [])])
    assert.ok((outcomes[`${host} EADDRINUSE`] ?? 0) > (before.outcomes[`${host} EADDRINUSE`] ?? 0) + KILLS, `${who} did not try ${host}`);
  const others = Object.keys(outcomes).filter((outcome) => !outcome.endsWith(" EADDRINUSE") && (hasIp6 || !outcome.includes(":")));
  assert.deepEqual(others, [], `${who} met something else`);
}

test("nobody can take a port between two masters, and who asks meanwhile is answered [KA2] [KB2] [B5]", async () => {
  const before = { local: localLoot(), task: await taskLoot() };
  for (let kills = 0; kills < KILLS; kills++) {
    assert.ok(isKeptUp(path));
    await killMaster();
  }
  heldOff("A plain user", before.local, localLoot());
  heldOff("A task", before.task, await taskLoot());
});

/** Of each of its threads. */
const statusesOf = (pid: number): readonly string[] => globSync(`/proc/${pid}/task/*/status`).map((status) => readFileSync(status, "utf8"));
const fourTimes = (id: number): string => Array(4).fill(id).join(" ");
const fieldOf = (status: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1]?.trim().replaceAll("\t", " ") ?? "";

test("of a cell of root its master and its resolver are somebody else in every thread, and no key but their own is theirs to read [I1] [KA2]", {
  skip: !isRoot && "needs root",
}, () => {
  const { first } = idsOf(data.readCell()!.id, data.path);
  const { supervisor, processes } = data.readRun()!;
  const all = Object.entries({ supervisor, ...processes }).map(([name, { pid }]) => ({ name, statuses: statusesOf(pid) }));
  const isRoots = all.filter(({ statuses }) => statuses.some((status) => fieldOf(status, "Uid") !== fourTimes(first)));
  // Neither the supervisor nor who keeps the history listens to strangers (docs/decisions/0012, 0041).
  assert.deepEqual(isRoots.map(({ name }) => name).sort(), ["infrastore", "m1", "supervisor"]);
  for (const { name, statuses } of all.filter((each) => !isRoots.includes(each))) {
    for (const status of statuses) {
      assert.equal(fieldOf(status, "Gid"), fourTimes(first), name);
      assert.equal(fieldOf(status, "Groups"), "", name);
      for (const field of ["CapEff", "CapPrm", "CapInh", "CapAmb"])
        assert.equal(fieldOf(status, field), "0".repeat(16), `${field} of ${name}`);
    }
  }
  const keys = globSync("**/*.key", { cwd: path });
  assert.ok(keys.includes("master/authority.key") && keys.some((key) => key.startsWith("machines/m1/")), keys.join());
  // As the master is, with the directories that it has open: they lead up to the cell's.
  const open = openSync(data.journal, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const key of keys) {
    for (const way of [path, "/proc/self/fd/3/.."]) {
      const words = [`--reuid=${first}`, `--regid=${first}`, "--clear-groups", "cat", `${way}/${key}`];
      const { stdout, stderr } = spawnSync("setpriv", words, { stdio: ["ignore", "pipe", "pipe", open], encoding: "utf8" });
      assert.equal(stdout, "", key);
      assert.match(stderr, /Permission denied/, key);
    }
  }
});
