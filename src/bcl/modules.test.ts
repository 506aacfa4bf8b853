import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../base/result.ts";
import { evaluateFile } from "./evaluation.ts";
import { evaluateText, messages, projectOf } from "./fixture.test.ts";
import { resolvePath } from "./path.ts";

test("paths are relative to the importing file and stay inside the root [bcl.I1]", () => {
  const resolved = (from: string, path: string): string => {
    const result = resolvePath(from, path);
    return result.ok ? result.value : `! ${result.reason}`;
  };
  assert.equal(resolved("a/b/c.bcl", "../d.bcl"), "a/d.bcl");
  assert.equal(resolved("c.bcl", "./x/./y.json"), "x/y.json");
  assert.match(resolved("c.bcl", "../d.bcl"), /outside/);
  assert.match(resolved("a/c.bcl", "x/../../../d.bcl"), /outside/);
  for (const bad of ["", "/etc/passwd.bcl", "a\\b.bcl", "a\0.bcl", "a//b.bcl", "..", "a.txt", "x".repeat(5000)])
    assert.match(resolved("a/c.bcl", bad), /^!/, bad);
});

test("circles are refused, and a file is read once [bcl.I2]", () => {
  assert.deepEqual(messages('import "a.bcl" as a', { "a.bcl": 'import "a.bcl" as b' }), [
    "Files import each other in a circle: a.bcl -> a.bcl",
  ]);
  const reads: string[] = [];
  const files = projectOf({
    "main.bcl": 'import "a.bcl" as a\nimport "b.bcl" as b\njob x = { command = ["x"], count = a.x + b.x }',
    "a.bcl": 'import "c.bcl" as c\nx = c.x',
    "b.bcl": 'import "c.bcl" as c\nx = c.x',
    "c.bcl": "x = 1",
  });
  const watched = {
    read: (path: string) => {
      reads.push(path);
      return files.read(path);
    },
  };
  assert.equal(evaluateFile("main.bcl", watched, { user: "ubar" }).result!.jobs[0]!.count, 2);
  assert.deepEqual(reads.sort(), ["a.bcl", "b.bcl", "c.bcl", "main.bcl"]);
});

test("what an imported file declares is a value, not a result [bcl.I3]", () => {
  const lib = 'job base = { command = ["x"], count = 4 }\nlocal hidden = 1';
  const { result } = evaluateText('import "l.bcl" as l\njob a = l.base { cpu = 1 }', {}, { "l.bcl": lib });
  assert.deepEqual(
    result!.jobs.map((job) => [job.name, job.count]),
    [["a", 4]],
  );
  assert.deepEqual(messages('import "l.bcl" as l\nassert l.hidden == 1', { "l.bcl": lib }), ['Cannot find the field "hidden"']);
});

test("read() gives a file of the project, once, and never more files than may be imported [bcl.I4]", () => {
  const reads: string[] = [];
  const read = (path: string) => {
    reads.push(path);
    return path === "main.bcl"
      ? ok(`x = read("lib/../a.conf") + read("a.conf")\njob y = { command = [x, text(length([read("\${i}.conf") for i in indexes(3)]))] }`)
      : ok(`<${path}>`);
  };
  const { result } = evaluateFile("main.bcl", { read }, { user: "ubar" });
  assert.deepEqual(result!.jobs[0]!.task!.command, ["<a.conf><a.conf>", "3"]);
  assert.deepEqual(reads, ["main.bcl", "a.conf"], "what nobody looks at is not read");
  const many = `job y = { command = [read("\${i}.conf") for i in indexes(600)] }`;
  const all = evaluateFile("main.bcl", { read: (path) => ok(path === "main.bcl" ? many : "x") }, { user: "ubar" });
  assert.match(all.problems[0]!.message, /more than 500 files were read/);
});
