/**
 * A secret in a real cell: its value is looked for in everything that the cell writes, says and runs, and is found in the task's own file alone. The test
 * makes the value up, so whatever has it has it from us.
 */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connectCell } from "../../src/rpc/client.ts";
import { TYPED_HANG_MS, Typist } from "./typist.ts";

const TMPFS = 0x01021994;
const SHM = "/dev/shm";
const skip = existsSync(SHM) && statfsSync(SHM).type === TMPFS ? false : `${SHM} is no tmpfs here`;
const typist = new Typist("secrets");
const { home, borg, good, json } = typist;
typist.cwd = home;
const PORT = String(9600 + Math.floor(Math.random() * 300) * 2);
const DATA = join(home, ".local", "state", "borg", "local");
const AREA = "/var/lib/openborg";
const [FIRST, SECOND] = ["first", "second"].map((word) => `${word}-${randomBytes(12).toString("hex")}`) as [string, string];
const hashOf = (value: string): string => createHash("sha256").update(value).digest("hex");
/** Says which value it has, and not the value. */
const PROGRAM = "sha256sum <$BORG_SECRETS/db; stat -c 'mode %a' $BORG_SECRETS/db; stat -f -c 'on %T' $BORG_SECRETS/db; exec sleep 1000";

before(async () => {
  if (skip === false) await good("up", "--detach", "--port", PORT);
});

after(async () => {
  await borg("down", "--kill");
  typist.leave();
});

async function set(value: string): Promise<void> {
  writeFileSync(join(home, "value"), value);
  await good("secret", "set", "db", "--file", "value");
  rmSync(join(home, "value"));
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200)) if (await look()) return;
  assert.fail(`never: ${what}`);
}

const hasLogged = (value: string): Promise<void> => until(value, async () => (await borg("logs", "web/0")).out.includes(hashOf(value)));

/** Plain, and as what is sent as JSON would have it. */
const formsOf = (value: string): readonly Buffer[] => {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((shift) => bytes.subarray(shift).toString("base64").slice(0, 20));
  return [value, ...base64, bytes.toString("hex")].map((form) => Buffer.from(form));
};
const FORMS = [...formsOf(FIRST), ...formsOf(SECOND)];
const isIn = (bytes: Buffer): boolean => FORMS.some((form) => bytes.includes(form));

/** Files below a directory that have a value in them. */
function found(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    try {
      return entry.isFile() && isIn(readFileSync(path)) ? [path] : [];
    } catch {
      return [];
    }
  });
}

function foundInProcesses(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ["environ", "cmdline"].map((file) => `/proc/${pid}/${file}`))
    .filter((path) => {
      try {
        return isIn(readFileSync(path));
      } catch {
        return false;
      }
    });
}

test("a task finds its secret in memory, for itself alone, and nothing else of the cell has it [G14] [KA3] [borglet.W5]", {
  skip,
}, async () => {
  await set(FIRST);
  writeFileSync(
    join(home, "web.bcl"),
    `job web = { command = ["/bin/sh", "-c", "${PROGRAM}"], secrets = { "/borg/secrets/db" = "db" } }\n`,
  );
  await good("submit", "web.bcl");
  await hasLogged(FIRST);
  const log = (await borg("logs", "web/0")).out;
  assert.match(log, /^mode 400$/m);
  assert.match(log, /^on tmpfs$/m);
  const files = found(SHM);
  assert.deepEqual([files.length, files.map((path) => path.split("/").at(-1))], [1, ["db"]], "it is there once");
  assert.deepEqual(found(home), []);
  assert.deepEqual(found(AREA), []);
  assert.deepEqual(foundInProcesses(), []);
  assert.ok(readdirSync(join(DATA, "journal")).length > 0 && existsSync(join(DATA, "secrets", "keys.json")));
});

test("no command and no call shows a value, and a backup has it encrypted, without the key [G14] [KA3]", { skip }, async () => {
  const outputs = await Promise.all(
    [
      ["secret", "ls", "--json"],
      ["show", "web", "--json"],
      ["show", "web/0", "--json"],
      ["events", "--json"],
      ["ls", "users", "--json"],
      ["why", "web/0", "--json"],
    ].map((words) => good(...words)),
  );
  const client = connectCell({ at: { kind: "unix", path: join(DATA, "api.sock") }, timeoutMs: 5000 });
  let [more, fed] = ["cell ", ""];
  for (let pages = 0; more !== "" && pages < 100; pages++) {
    const page = await client.readFeed({ more });
    fed += JSON.stringify(page, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value));
    more = page.more;
  }
  client.close?.();
  assert.ok(fed.includes("web"));
  assert.ok(![...outputs, fed].some((text) => isIn(Buffer.from(text))));
  await good("backup", "kept.backup");
  const [backup, keys] = [readFileSync(join(home, "kept.backup")), readFileSync(join(DATA, "secrets", "keys.json"), "utf8")];
  const [{ key }] = (JSON.parse(keys) as { keys: [{ key: string }] }).keys;
  assert.ok(!isIn(backup) && !backup.includes(key) && !backup.includes(Buffer.from(key, "base64")));
  assert.equal(statSync(join(DATA, "secrets", "keys.json")).mode & 0o777, 0o600);
});

test("a new value reaches a task when it starts again, also with a new key and a borglet that was killed [G14] [borglet.W2]", {
  skip,
}, async () => {
  await set(SECOND);
  assert.deepEqual(
    (await json<{ secretVersion: number; jobs: string[] }[]>("secret", "ls")).map(({ secretVersion, jobs }) => [
      secretVersion,
      jobs.length,
    ]),
    [[2, 1]],
  );
  await good("secret", "rotate-key");
  const { processes } = JSON.parse(readFileSync(join(DATA, "run.json"), "utf8")) as { processes: Record<string, { pid: number }> };
  process.kill(processes["m1"]!.pid, "SIGKILL");
  await good("restart", "web");
  await hasLogged(SECOND);
  assert.deepEqual([found(home), found(AREA), foundInProcesses()], [[], [], []]);
  assert.equal(found(SHM).length, 1, "what the task had before is gone");
  const refused = await borg("secret", "rm", "db");
  assert.match(refused.err, /is named by job ".*\/web": kill that first/);
});

test("without its key a secret is lost: the cell runs on, says so, and it is set again; an open key file is refused [G14]", {
  skip,
}, async () => {
  await good("kill", "web");
  await until("the file is gone", async () => found(SHM).length === 0);
  await good("down");
  const file = join(DATA, "secrets", "keys.json");
  renameSync(file, `${file}.away`);
  await good("up", "--detach", "--port", PORT);
  assert.match(await good("secret", "ls"), /its key is lost: set it again/);
  await good("submit", "web.bcl");
  await until(
    "it cannot start",
    async () =>
      (await borg("why", "web/0")).out.includes("its key is lost") || (await borg("events", "web")).out.includes("its key is lost"),
  );
  await set(FIRST);
  await hasLogged(FIRST);
  await good("kill", "web");
  await good("down");
  chmodSync(file, 0o644);
  const open = await borg("up", "--detach", "--port", PORT);
  assert.equal(open.code, 2);
  assert.match(open.err, /The key of the cell's secrets can be read by others\n {2}run: chmod 600/);
  chmodSync(file, 0o600);
});
