/**
 * A replicated cell exchanges its authority while it runs: a user's old ticket and a machine that knows only the old authority are served until the old one is retired, who renewed
 * is served on, and no task notices.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { filesWith, privateKeysIn } from "../attack/private-keys.ts";
import { instancePids } from "./real-cell.ts";
import { ReplicatedCell } from "./replicated-cell.ts";
import { ran } from "./typist.ts";

const skip = etcdVersion() === undefined ? "no etcd here: Debian's etcd-server is not installed" : false;
/** Masters are started anew one after the other, on a machine that does other things. */
const ROLL_MS = 180_000;
const SIZE = ["--cpu", "0.1", "--ram", "64MiB", "--disk", "50MiB"] as const;

interface Shown {
  readonly step: string;
  readonly id: string;
  readonly machinesLeft: number | null;
  readonly machinesAway: number | null;
}

const root = mkdtempSync(join(tmpdir(), "borg-authority-"));
after(() => rmSync(root, { recursive: true, force: true }));
const file = (name: string): string => join(root, name);

/** A machine from elsewhere, and again with the same directory. */
function serve(cell: ReplicatedCell, ...args: readonly string[]): ChildProcess {
  const all = [...entryPoint(), "borglet", "--host", "127.0.0.1", "--data", file("far"), ...args];
  const said = openSync(file("far.log"), "a");
  try {
    return spawn(process.execPath, all, { env: cell.env, stdio: ["ignore", said, said] });
  } finally {
    closeSync(said);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await gone;
}

test("a cell exchanges its authority: both are believed meanwhile, who renewed is served on, the old one opens nothing afterwards, and no task is touched [M2] [KA2]", {
  skip,
}, async () => {
  const cell = await ReplicatedCell.start();
  let far: ChildProcess | undefined;
  const good = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `${args.join(" ")}: ${out}${err}`);
    return out;
  };
  const show = async (): Promise<Shown> => JSON.parse(await good("authority", "show", "--data", cell.data.path, "--json")) as Shown;
  const opens = async (ticket: string): Promise<boolean> => {
    const env = { ...cell.env, BORG_TICKET_FILE: file(ticket), HOME: file("user") };
    return (await ran(process.execPath, [...entryPoint(), "cell", "show"], { env })).code === 0;
  };
  const isUp = async (): Promise<boolean> => /"far"[^}]*"up"/s.test(await good("ls", "machines", "--json"));
  try {
    const tasks = await cell.sleepers(3);
    await good("token", "create", "--user", "ann", "--out", file("old.ticket"));
    await good("machine", "invite", "far", ...SIZE, "--out", file("far.ticket"));
    far = serve(cell, "--join", file("far.ticket"), ...SIZE);
    await cell.until("far to be up", isUp).catch((cause: Error) => {
      throw new Error(`${cause.message}\n--- far.log\n${readFileSync(file("far.log"), "utf8")}`);
    });
    const before = await show();
    const keys = new Map(privateKeysIn(join(cell.data.path, "master")));
    assert.deepEqual(problemsOf(schemaOf("authority-show"), before), []);
    assert.equal(before.step, "one");
    assert.match((await cell.borg("authority", "retire", "--data", cell.data.path)).err, /has one authority/);

    assert.deepEqual(
      problemsOf(schemaOf("authority-renew"), JSON.parse(await good("authority", "renew", "--data", cell.data.path, "--json"))),
      [],
    );
    assert.match((await cell.borg("authority", "renew", "--data", cell.data.path)).err, /exchanges its authority already/);
    await good("token", "create", "--user", "bob", "--out", file("new.ticket"));
    await cell.until(
      "the masters to believe both, and only far to be left",
      async () => (await show()).machinesLeft === 1 && isUp(),
      ROLL_MS,
    );
    assert.notEqual((await show()).id, before.id);
    assert.deepEqual([await opens("old.ticket"), await opens("new.ticket")], [true, true], "both are believed");
    await ended(far);
    far = serve(cell);
    await cell.until("far to have asked for its own", async () => (await show()).machinesLeft === 0 && isUp(), ROLL_MS);

    const retired = JSON.parse(await good("authority", "retire", "--data", cell.data.path, "--json"));
    assert.deepEqual(problemsOf(schemaOf("authority-retire"), retired), []);
    await cell.until(
      "all to be there with the new one",
      async () => (await opens("new.ticket")) && !(await opens("old.ticket")) && isUp(),
      ROLL_MS,
    );
    assert.equal((await show()).step, "one");
    // The journal is in etcd, and so is what masters on other machines are sent: sealed.
    for (const [path, parts] of privateKeysIn(join(cell.data.path, "master"))) keys.set(`${path}, now`, parts);
    const members = [1, 2, 3].map((member) => join(cell.data.etcdMember(member), "data"));
    assert.ok(keys.size >= 4 && filesWith(members[0]!, [Buffer.from("sleepers")]).length > 0, `${keys.size} keys; what is there is found`);
    for (const [path, parts] of keys) for (const member of members) assert.deepEqual(filesWith(member, parts), [], `the key of ${path}`);
    assert.deepEqual(instancePids(cell.name), tasks, "no task was touched");
    assert.deepEqual(await cell.lost(), []);
  } finally {
    if (far !== undefined) await ended(far);
    await cell.close();
  }
});
