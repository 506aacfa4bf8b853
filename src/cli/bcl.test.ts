import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { main } from "./bcl.ts";

const ROOT = mkdtempSync(join(tmpdir(), "bcl-cli-"));
after(() => rmSync(ROOT, { recursive: true }));

const put = (path: string, text: string): void => {
  mkdirSync(join(ROOT, "project", path, ".."), { recursive: true });
  writeFileSync(join(ROOT, "project", path), text);
};

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ["", ""];
  const terminal = {
    cwd: join(ROOT, "project"),
    print: (text: string) => {
      out += text;
    },
    complain: (text: string) => {
      err += text;
    },
  };
  const code = await main([...args, "--user", "ubar"], terminal);
  return { code, out, err };
}

put("lib/web.bcl", 'server = { command = ["node"], ram = 64Mi }\n');
put("site.bcl", 'import "lib/web.bcl" as web\njob site = web.server { count = param("n", 3) }\ntest "three" { assert site.count == 3 }\n');
put("bad.bcl", "job a = { command = 5 }\n");

test("eval prints BCL, and JSON that evaluates to itself [U10]", async () => {
  const text = await run("eval", "site.bcl");
  assert.equal(text.code, 0);
  assert.match(text.out, /^job site = \{\n {2}command = \["node"\]\n {2}name = "site"\n {2}user = "ubar"/);
  const json = await run("eval", "site.bcl", "--json", "--set", "n=5");
  assert.equal(JSON.parse(json.out).job.site.count, 5);
  put("again.json", json.out);
  assert.equal((await run("eval", "again.json", "--json")).out, json.out);
});

test("exit codes: 0 good, 1 a test failed, 2 an error [U10]", async () => {
  assert.equal((await run("check", "site.bcl")).code, 0);
  assert.equal((await run("test", "site.bcl")).code, 0);
  assert.equal((await run("test", "site.bcl", "--set", "n=4")).code, 1);
  assert.equal((await run("check", "bad.bcl")).code, 2);
  for (const args of [
    [],
    ["nothing"],
    ["eval"],
    ["diff", "a"],
    ["eval", "site.bcl", "--set", "n"],
    ["eval", "--what"],
    ["eval", "none.bcl"],
    ["explain", "nothing"],
  ]) {
    const { code, err } = await run(...args);
    assert.equal(code, 2, args.join(" "));
    assert.notEqual(err, "");
  }
  assert.equal((await run("--help")).code, 0);
});

test("errors as JSON have a message, a hint and places", async () => {
  const { err } = await run("check", "bad.bcl", "--json");
  const { error, problems } = JSON.parse(err);
  assert.match(error, /^Expected a list of text/);
  assert.deepEqual([problems[0].file, problems[0].line, problems[0].column], ["bad.bcl", 1, 21]);
});

test("fmt writes the one form, --check only says", async () => {
  put("untidy.bcl", "x=1\n");
  assert.deepEqual(await run("fmt", "--check", "untidy.bcl"), { code: 1, out: "not formatted: untidy.bcl\n", err: "" });
  assert.equal((await run("fmt", "untidy.bcl")).code, 0);
  assert.equal(readFileSync(join(ROOT, "project", "untidy.bcl"), "utf8"), "x = 1\n");
  assert.equal((await run("fmt", "--check", "untidy.bcl")).code, 0);
});

test("explain and diff answer in text and in JSON [L4]", async () => {
  assert.match((await run("explain", "ram")).out, /^job\.ram\n/);
  assert.match((await run("explain")).out, /^job\.command$/m);
  put("b.bcl", readFileSync(join(ROOT, "project", "site.bcl"), "utf8").replace("3)", "4)"));
  assert.equal((await run("diff", "site.bcl", "b.bcl")).out, "~ job site: count = 3 -> 4\n");
  assert.equal(JSON.parse((await run("diff", "site.bcl", "b.bcl", "--json")).out)[0].kind, "changed");
});

test("no import leaves the project, not by .. and not by a symbolic link; no read does [bcl.I1] [bcl.I4]", async () => {
  writeFileSync(join(ROOT, "secret.bcl"), 'password = "secret"\n');
  mkdirSync(join(ROOT, "outside"));
  writeFileSync(join(ROOT, "outside", "x.bcl"), 'password = "secret"\n');
  symlinkSync(join(ROOT, "secret.bcl"), join(ROOT, "project", "link.bcl"));
  symlinkSync(join(ROOT, "outside"), join(ROOT, "project", "linked"));
  mkdirSync(join(ROOT, "project", "folder.bcl"));
  for (const [path, reason] of [
    ["../secret.bcl", "outside the project"],
    ["link.bcl", "symbolic links"],
    ["linked/x.bcl", "symbolic links"],
    ["folder.bcl", "not a file"],
    ["none.bcl", "no such file"],
  ] as const) {
    put("try.bcl", `import "${path}" as x\njob a = { command = [x.password] }\n`);
    const { code, out, err } = await run("eval", "try.bcl");
    assert.equal(code, 2, path);
    assert.ok(err.includes(reason), err);
    assert.ok(!`${out}${err}`.includes('"secret"'), path);
    put("try.bcl", `job a = { command = ["x"], files = { "/etc/x" = read("${path}") } }\n`);
    const read = await run("eval", "try.bcl");
    assert.equal(read.code, 2, path);
    assert.ok(read.err.includes(reason), read.err);
    assert.ok(!`${read.out}${read.err}`.includes("password ="), path);
  }
});

test("of a file that is not there only that is said: there is no line to point at [N9]", async () => {
  const { code, err } = await run("eval", "none.bcl");
  assert.deepEqual([code, err], [2, 'none.bcl:1:1: Cannot read "none.bcl": there is no such file\n']);
});

test("a file that is not UTF-8 is refused", async () => {
  mkdirSync(join(ROOT, "project"), { recursive: true });
  writeFileSync(join(ROOT, "project", "latin.bcl"), Uint8Array.from([0x78, 0x3d, 0x22, 0xe9, 0x22]));
  assert.match((await run("eval", "latin.bcl")).err, /not UTF-8/);
});
