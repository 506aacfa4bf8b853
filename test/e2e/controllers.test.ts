/** A controller on a real cell: the example, and what somebody can do who took its token. The token is looked for in everything that the cell writes. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CallError } from "../../src/rpc/call-error.ts";
import { connectCell } from "../../src/rpc/client.ts";
import { ROOT, TYPED_HANG_MS, Typist } from "./typist.ts";

const TMPFS = 0x01021994;
const SHM = "/dev/shm";
const skip = existsSync(SHM) && statfsSync(SHM).type === TMPFS ? false : `${SHM} is no tmpfs here`;
const typist = new Typist("controllers");
const { home, borg, good } = typist;
typist.cwd = home;
const PORT = String(9600 + Math.floor(Math.random() * 300) * 2);
const AREA = "/var/lib/openborg";

before(async () => {
  if (skip === false) await good("up", "--detach", "--port", PORT);
});

after(async () => {
  await borg("down", "--kill");
  typist.leave();
});

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end; await sleep(200)) if (await look()) return;
  assert.fail(`never: ${what}`);
}

/** Files below a directory, as far as they stay: other cells of this host come and go. */
function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
    });
  } catch {
    return [];
  }
}

function holds(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch {
    return false;
  }
}

/** Of this cell. */
const passes = (): string[] => filesIn(SHM).filter((path) => path.endsWith("/controller.json") && holds(path, `127.0.0.1:${PORT}`));

const found = (directory: string, text: string): string[] => filesIn(directory).filter((path) => holds(path, text));

test("a controller submits its workers from inside its jail, waits for them and reads what they found [U15]", { skip }, async () => {
  await good("submit", join(ROOT, "examples", "controller.bcl"));
  await until("the sum is there", async () => (await borg("logs", "primes/0")).out.includes("25997 primes below 300000"));
  const events = await good("events", "primes-workers");
  assert.match(events, /primes-workers was submitted \(by [a-z0-9-]+\/primes\/0:\d+\)/, "the journal says who");
  await until("its token is gone", async () => passes().length === 0);
});

test("a stolen token is good for the declared jobs alone, and ends with its controller [U15] [KA2] [KA3]", { skip }, async () => {
  writeFileSync(
    join(home, "boss.bcl"),
    'job boss = { command = ["sleep", "1000"], priority = 110, controller = { jobs = ["part-*"] } }\njob other = { command = ["sleep", "1000"] }\n',
  );
  await good("submit", "boss.bcl", "--wait");
  await until("its token is there", async () => passes().length === 1);
  const [path = ""] = passes();
  const { cell, url, authorities, token } = JSON.parse(readFileSync(path, "utf8")) as Record<"cell" | "url" | "token", string> & {
    authorities: string[];
  };
  const proof = token.split("_").at(-1) ?? "";
  assert.equal(proof.length, 64);
  const stolen = connectCell({ at: { kind: "tls", url, cell, authorities }, token, timeoutMs: 5000 });
  const user = token.split("_")[1]?.split("/")[0] ?? "";
  const job = `${user}/part-a`;
  const spec = (more: object) => ({ user, name: "part-a", count: 1, priority: 100, task: { command: ["sleep", "9"] }, ...more });
  const refused = async (call: Promise<unknown>, words: RegExp): Promise<void> =>
    assert.rejects(call, (error: unknown) => error instanceof CallError && words.test(error.message));
  await stolen.submitJob({ spec: spec({}) });
  assert.equal((await stolen.getJob({ job })).job?.name, job);
  await refused(stolen.killJob({ job: `${user}/other` }), /may not touch job ".*\/other": it was given "part-\*"/);
  await refused(stolen.getJob({ job: `${user}/other` }), /may not touch job/);
  await refused(stolen.submitJob({ spec: spec({ name: "part-b", priority: 110 }) }), /priority 110: the highest for its jobs is 109$/);
  await refused(stolen.listUsers({}), /may not call listUsers/);
  await refused(stolen.createToken({ user, hash: "ab".repeat(32) }), /may not call createToken/);
  await refused(stolen.openUi({}), /may not call openUi/);
  for (const place of [home, AREA]) assert.deepEqual(found(place, proof), [], "it is written nowhere");
  await good("kill", "boss");
  await refused(stolen.killJob({ job }), /Cannot find the user of this token|has ended/);
  await refused(stolen.getJob({ job }), /Cannot find the user of this token|has ended/);
  stolen.close?.();
});
