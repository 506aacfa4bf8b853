import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { commandLine, curlLine, listCommand, shellQuoted } from "./app/commands.ts";

/** What a link, a name or a question may have in it. */
const HOSTILE = [
  "",
  "plain",
  "ann/web/0",
  "it's",
  "'; touch /tmp/owned; '",
  "$(touch /tmp/owned)",
  "`touch /tmp/owned`",
  'a"b$HOME"c',
  "back\\slash\\'",
  "two\nlines -- a comment\nthree",
  "\u001b[201~\rtouch /tmp/owned\r",
  "bell\u00077 octal",
  "!! !$ ^a^b",
  "# comment",
  "~root",
  "=ls",
  "*? [a-z] {a,b}",
  "-rf",
  "tab\there",
  "turned \u202eround",
  "línea 日本 🚀",
  "a & b | c; d > e < f",
  "<img onerror=alert(1)>",
] as const;

/** What a real shell takes each word for. */
function wordsOf(line: string): readonly string[] {
  const { stdout, status, stderr } = spawnSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } });
  assert.equal(status, 0, stderr);
  return stdout.split("\0").slice(0, -1);
}

test("A shell takes a quoted text for that text and nothing else, whatever is in it [N5]", () => {
  for (const text of HOSTILE) {
    assert.deepEqual(wordsOf(shellQuoted(text)), [text], JSON.stringify(text));
    assert.ok(!/\p{Cc}|\p{Cf}/u.test(shellQuoted(text)), `${JSON.stringify(text)} is pasted without anything that a terminal acts on`);
  }
  assert.equal(shellQuoted("ann/web/0"), "ann/web/0");
  assert.equal(shellQuoted("it's"), String.raw`'it'\''s'`);
});

test("Behind a command every text is one word, and no option [N5]", () => {
  for (const text of HOSTILE) assert.equal(wordsOf(commandLine("borg show", text)).at(-1), text);
  assert.equal(commandLine("borg events -f", "-rf"), "borg events -f -- '-rf'");
});

test("A curl sends the request as it is, by the way on which this user reaches the cell [N5]", () => {
  for (const sql of HOSTILE) {
    const words = wordsOf(curlLine({ socket: "/cells/ann's/api.sock" }, "RunQuery", { sql }));
    assert.deepEqual(words.slice(0, 3), ["curl", "--unix-socket", "/cells/ann's/api.sock"]);
    assert.deepEqual(JSON.parse(words[words.indexOf("-d") + 1] ?? ""), { sql });
  }
  const far = wordsOf(curlLine({ url: "https://cc.example:7000" }, "GetJob", {}));
  assert.equal(far.at(-1), "https://cc.example:7000/borg.v1.CellService/GetJob");
  assert.ok(far.includes("--cacert") && !far.includes("--unix-socket"));
});

test("The command of a list lists what the page lists, or there is none [N5]", () => {
  const cases = [
    ["jobs", "", "borg ls --all"],
    ["jobs", "user:me", "borg ls"],
    ["jobs", "user:bob state:pending", "borg ls --user bob --state pending"],
    ["jobs", "state:any Web", `borg ls --all --dead | awk 'NR == 1 || index(tolower($1), "web")'`],
    ["jobs", "state:wrong", undefined],
    ["jobs", "kind:alloc", undefined],
    ["jobs", `x");system("id`, undefined],
    ["jobs", "user:a;id", "borg ls --user 'a;id'"],
    ["tasks", "", "borg ls tasks --all"],
    ["tasks", "user:me state:dead", "borg ls tasks --state dead"],
    ["tasks", "machine:m1", "borg ls tasks --machine m1"],
    [
      "machines",
      "state:up rack:r7 a b",
      `borg ls machines --state up --where rack=r7 | awk 'NR == 1 || index(tolower($1), "a") && index(tolower($1), "b")'`,
    ],
  ] as const;
  for (const [kind, query, line] of cases) assert.equal(listCommand(kind, query), line, query);
});
