import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  checkedUrl,
  configFile,
  currentCell,
  forgetCell,
  readConfig,
  saveOwnCell,
  saveTicket,
  stateDirectory,
  tokenPath,
  useCell,
} from "./config.ts";
import { type ExitName, Failure } from "./exit.ts";
import { type Ticket, ticketText } from "./ticket.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-config-"));
after(() => rmSync(ROOT, { recursive: true }));
let homes = 0;
const fresh = () => ({ XDG_CONFIG_HOME: join(ROOT, `home${homes++}`), HOME: ROOT });
const mode = (file: string): number => statSync(file).mode & 0o777;
const fails = (work: () => unknown, exit: ExitName, pattern: RegExp): void =>
  assert.throws(work, (error) => error instanceof Failure && error.exit === exit && pattern.test(`${error.message} ${error.hint}`));

const ticket = (url: string, token = "t"): Ticket => ({ cell: "team", url, authorities: ["PEM"], token });
const tls = (url: string) => ({ kind: "tls", url, cell: "team", authorities: ["PEM"] });

test("a cell of one's own is reached through its directory, without a token", () => {
  const env = fresh();
  saveOwnCell("one", "/data", env);
  assert.deepEqual(currentCell({}, env), { name: "one", at: { kind: "unix", path: "/data/api.sock" }, token: undefined, data: "/data" });
  assert.equal(mode(configFile(env)), 0o600);
});

test("a ticket that was taken is the current cell, its files are its owner's alone [KA2]", () => {
  const env = fresh();
  saveOwnCell("one", "/data", env);
  saveTicket("two", ticket("https://127.0.0.1:7879/", "t2"), env);
  assert.deepEqual(currentCell({}, env), { name: "two", at: tls("https://127.0.0.1:7879"), token: "t2", data: undefined });
  assert.deepEqual([mode(configFile(env)), mode(tokenPath("two", env))], [0o600, 0o600]);
  fails(() => saveTicket("one", ticket("https://127.0.0.1:7879"), env), "usage", /another cell as "one".*--as NAME/);
  fails(() => saveTicket("two", ticket("https://127.0.0.1:9"), env), "usage", /another cell as "two"/);
  useCell("one", env);
  assert.equal(currentCell({}, env).name, "one");
  assert.equal(currentCell({ cell: "two" }, env).token, "t2");
  forgetCell("two", env);
  assert.deepEqual(Object.keys(readConfig(env).cells), ["one"]);
  fails(() => useCell("two", env), "notFound", /there are one/);
  forgetCell("one", env);
  fails(() => currentCell({}, env), "unreachable", /borg up/);
  assert.deepEqual(readdirSync(join(env.XDG_CONFIG_HOME, "borg")).sort(), ["config.json", "tokens"]);
});

test("an address given outright is spoken to only when a ticket says how it proves itself [KA2]", () => {
  const env = fresh();
  saveTicket("two", ticket("https://127.0.0.1:7879", "t2"), env);
  fails(() => currentCell({ master: "https://127.0.0.1:1" }, env), "notPermitted", /no ticket for it.*borg login/);
  assert.deepEqual(currentCell({ master: "127.0.0.1:7879" }, env).at, tls("https://127.0.0.1:7879"));
  assert.equal(currentCell({ master: "127.0.0.1:7879" }, env).token, "t2");
  const given = { ...env, BORG_TICKET: ticketText(ticket("https://localhost:5", "t5")) };
  assert.deepEqual([currentCell({}, given).at, currentCell({}, given).token], [tls("https://localhost:5"), "t5"]);
  assert.equal(currentCell({ cell: "two" }, given).token, "t2");
  assert.equal(currentCell({}, { ...given, BORG_MASTER: "https://localhost:5" }).token, "t5");
  assert.deepEqual(currentCell({ master: "unix:/d/api.sock" }, env), {
    name: undefined,
    at: { kind: "unix", path: "/d/api.sock" },
    token: undefined,
    data: undefined,
  });
});

test("a ticket that others can read is refused with the command that mends it; what is none is said", () => {
  const env = fresh();
  const file = join(ROOT, "open.ticket");
  const text = ticketText(ticket("https://127.0.0.1:1"));
  writeFileSync(file, text, { mode: 0o644 });
  chmodSync(file, 0o640);
  const given = { ...env, BORG_TICKET_FILE: file };
  fails(() => currentCell({}, given), "notPermitted", /chmod 600 '.*open\.ticket'/);
  chmodSync(file, 0o600);
  assert.equal(currentCell({}, given).token, "t");
  fails(() => currentCell({}, { ...env, BORG_TICKET_FILE: join(ROOT, "none") }), "notPermitted", /ENOENT/);
  fails(() => currentCell({}, { ...env, BORG_TICKET_FILE: ROOT }), "notPermitted", /not a small file/);
  for (const bad of ["x", text.slice(0, 30), `borg-ticket-1:${Buffer.from("{}").toString("base64url")}`, "borg-ticket-1:"])
    fails(() => currentCell({}, { ...env, BORG_TICKET: bad }), "usage", /no ticket for a cell/);
});

test("tokens go only over TLS, and addresses are plain ones [KA2]", () => {
  assert.equal(checkedUrl("127.0.0.1:7878"), "https://127.0.0.1:7878");
  assert.equal(checkedUrl("https://[::1]:7878/"), "https://[::1]:7878");
  for (const bad of ["http://127.0.0.1", "http://example.com:80", "ftp://localhost", "https://a:b@localhost", "::", ""])
    fails(() => checkedUrl(bad), "usage", /Cannot/);
});

test("a broken configuration is said, not guessed; names that are paths are refused", () => {
  const env = fresh();
  mkdirSync(join(env.XDG_CONFIG_HOME, "borg"), { recursive: true });
  for (const bad of ["{", "[]", '{"cells":{"a":{}}}', '{"current":5}']) {
    writeFileSync(configFile(env), bad);
    fails(() => readConfig(env), "usage", /Cannot understand/);
  }
  for (const bad of ["../x", "A", "", "a/b"]) fails(() => saveOwnCell(bad, "/data", fresh()), "usage", /name/);
  fails(() => currentCell({ cell: "__proto__" }, fresh()), "notFound", /borg up/);
});

test("directories follow the XDG variables, and only absolute ones", () => {
  assert.equal(stateDirectory("c", { XDG_STATE_HOME: "/state" }), "/state/borg/c");
  assert.equal(stateDirectory("c", { XDG_STATE_HOME: "relative", HOME: "/h" }), "/h/.local/state/borg/c");
});

test("a lock that a dead process left does not lock for ever", () => {
  const env = fresh();
  saveOwnCell("one", "/one", env);
  const lock = `${configFile(env)}.lock`;
  writeFileSync(lock, "");
  utimesSync(lock, 1, 1);
  saveOwnCell("two", "/two", env);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(configFile(env), "utf8")).cells), ["one", "two"]);
});
