import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkedUrl, configFile, currentCell, forgetCell, readConfig, saveCell, stateDirectory, tokenPath, useCell } from "./config.ts";
import { type ExitName, Failure } from "./exit.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-config-"));
after(() => rmSync(ROOT, { recursive: true }));
let homes = 0;
const fresh = () => ({ XDG_CONFIG_HOME: join(ROOT, `home${homes++}`), HOME: ROOT });
const mode = (file: string): number => statSync(file).mode & 0o777;
const fails = (work: () => unknown, exit: ExitName, pattern: RegExp): void =>
  assert.throws(work, (error) => error instanceof Failure && error.exit === exit && pattern.test(`${error.message} ${error.hint}`));

test("a saved cell is the current one, its files are its owner's alone", () => {
  const env = fresh();
  saveCell({ name: "one", url: "http://127.0.0.1:7878/", token: "t1", data: "/data", current: true }, env);
  saveCell({ name: "two", url: "localhost:7879", token: "t2" }, env);
  assert.deepEqual(currentCell({}, env), { name: "one", url: "http://127.0.0.1:7878", token: "t1", data: "/data" });
  assert.equal(currentCell({ cell: "two" }, env).token, "t2");
  assert.deepEqual([mode(configFile(env)), mode(tokenPath("one", env))], [0o600, 0o600]);
  useCell("two", env);
  assert.equal(currentCell({}, env).name, "two");
  saveCell({ name: "two", url: "http://127.0.0.1:9999" }, env);
  assert.deepEqual([currentCell({}, env).token, currentCell({}, env).url], ["t2", "http://127.0.0.1:9999"]);
  forgetCell("two", env);
  assert.deepEqual(Object.keys(readConfig(env).cells), ["one"]);
  fails(() => currentCell({}, env), "unreachable", /borg up/);
  fails(() => useCell("two", env), "notFound", /there are one/);
  assert.deepEqual(readdirSync(join(env.XDG_CONFIG_HOME, "borg")).sort(), ["config.json", "tokens"]);
});

test("an address given outright never gets another cell's token", () => {
  const env = fresh();
  saveCell({ name: "one", url: "http://127.0.0.1:7878", token: "t1", current: true }, env);
  fails(() => currentCell({ master: "http://127.0.0.1:1" }, env), "notPermitted", /BORG_TOKEN_FILE/);
  assert.equal(currentCell({ master: "127.0.0.1:7878" }, env).token, "t1");
  assert.equal(currentCell({}, { ...env, BORG_MASTER: "http://localhost:5", BORG_TOKEN: "x" }).url, "http://localhost:5");
  assert.equal(currentCell({ cell: "one" }, { ...env, BORG_MASTER: "http://localhost:5" }).url, "http://127.0.0.1:7878");
});

test("a token that others can read is refused with the command that mends it", () => {
  const env = fresh();
  const file = join(ROOT, "open.token");
  writeFileSync(file, "t\n", { mode: 0o644 });
  chmodSync(file, 0o640);
  fails(() => currentCell({ master: "127.0.0.1:1" }, { ...env, BORG_TOKEN_FILE: file }), "notPermitted", /chmod 600 '.*open\.token'/);
  chmodSync(file, 0o600);
  assert.equal(currentCell({ master: "127.0.0.1:1" }, { ...env, BORG_TOKEN_FILE: file }).token, "t");
  fails(() => currentCell({ master: "127.0.0.1:1" }, { ...env, BORG_TOKEN_FILE: join(ROOT, "none") }), "notPermitted", /ENOENT/);
  fails(() => currentCell({ master: "127.0.0.1:1" }, { ...env, BORG_TOKEN_FILE: ROOT }), "notPermitted", /not a small file/);
});

test("tokens go only to this machine, and addresses are plain ones", () => {
  assert.equal(checkedUrl("127.0.0.1:7878"), "http://127.0.0.1:7878");
  assert.equal(checkedUrl("http://[::1]:7878/"), "http://[::1]:7878");
  for (const bad of [
    "http://example.com:80",
    "http://10.0.0.1",
    "http://127.0.0.1.example.com",
    "https://x",
    "ftp://localhost",
    "http://a:b@localhost",
    "::",
    "",
  ])
    fails(() => checkedUrl(bad), "usage", /Cannot/);
});

test("a broken configuration is said, not guessed; names that are paths are refused", () => {
  const env = fresh();
  mkdirSync(join(env.XDG_CONFIG_HOME, "borg"), { recursive: true });
  for (const bad of ["{", "[]", '{"cells":{"a":{}}}', '{"current":5}']) {
    writeFileSync(configFile(env), bad);
    fails(() => readConfig(env), "usage", /Cannot understand/);
  }
  for (const bad of ["../x", "A", "", "a/b"]) fails(() => saveCell({ name: bad, url: "localhost:1" }, fresh()), "usage", /name/);
  fails(() => currentCell({ cell: "__proto__" }, fresh()), "notFound", /borg up/);
});

test("directories follow the XDG variables, and only absolute ones", () => {
  assert.equal(stateDirectory("c", { XDG_STATE_HOME: "/state" }), "/state/borg/c");
  assert.equal(stateDirectory("c", { XDG_STATE_HOME: "relative", HOME: "/h" }), "/h/.local/state/borg/c");
});

test("a lock that a dead process left does not lock for ever", () => {
  const env = fresh();
  saveCell({ name: "one", url: "localhost:1" }, env);
  const lock = `${configFile(env)}.lock`;
  writeFileSync(lock, "");
  utimesSync(lock, 1, 1);
  saveCell({ name: "two", url: "localhost:2" }, env);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(configFile(env), "utf8")).cells), ["one", "two"]);
});
