import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateText, messages, outcome } from "../fixture.test.ts";
import { renderProblem } from "../problem.ts";
import { showText } from "../show.ts";
import { DEFAULT_BOUNDS } from "./bounds.ts";
import { KERNEL } from "./kernel.ts";
import { STANDARD } from "./standard.ts";

test("fields are lazy and see their siblings in any order [bcl.T1]", () => {
  assert.equal(outcome("t = { a = b + 1, b = c * 2, c = 3, bad = 1 / 0 }.a"), "t = 7");
});

test("self is the whole, also for the fields of the base [bcl.T2]", () => {
  const base = "local base = { n = 1, double = n * 2, triple = self.n * 3 }\n";
  assert.equal(
    outcome(`${base}a = base { n = 5 }\nb = base + { n = 6 }`),
    "a = { n = 5, double = 10, triple = 15 }\nb = { n = 6, double = 12, triple = 18 }",
  );
  assert.equal(outcome(`${base}a = base { n = super.n + 1 } { n = super.n * 10 }`), "a = { n = 20, double = 40, triple = 60 }");
});

test("tuples are laid over tuples at any depth, := replaces [bcl.T3]", () => {
  assert.equal(
    outcome("local b = { x = { y = { p = 1, q = p } } }\na = b { x = { y = { p = 2 } } }"),
    "a = { x = { y = { p = 2, q = 2 } } }",
  );
  assert.equal(
    outcome("local b = { x = { y = 1 } }\na = b { x := { z = 2 } }\nc = b { x = 5 } { x = { w = 1 } }"),
    "a = { x = { z = 2 } }\nc = { x = { w = 1 } }",
  );
});

test("inherited values and fields with strange names do not meet [bcl.T2]", () => {
  assert.equal(outcome('a = { x = 1 } { x = super.x + 1, "1/x" = 5 }'), 'a = { x = 2, "1/x" = 5 }');
});

test("locals are hidden and knobs can be turned [bcl.T5]", () => {
  assert.deepEqual(messages("local b = { local secret = 1 }\nassert b.secret == 1"), ['Cannot find the field "secret"']);
  assert.equal(outcome("local b = { _n = 1, x = _n }\na = b { _n = 2 }\nk = keys(a)"), 'a = { x = 2 }\nk = ["x"]');
});

test("null is not set [bcl.T6]", () => {
  assert.equal(outcome("a = { x = null, y = 1 }"), "a = { y = 1 }");
  const [job] = evaluateText('job a = { command = ["x"], env = { A = null, B = 1 }, notice = null, cpu = null }').result!.jobs;
  assert.deepEqual(
    job!.task!.environment.map((v) => v.key),
    ["B"],
  );
  assert.equal(job!.task!.noticeMs, undefined);
});

test("asserts hold for the whole, not for the base alone [bcl.T7]", () => {
  const base = 'local base = { command = ["x"], count = 1, assert self.count > 2 : "too few" }\n';
  assert.deepEqual(messages(`${base}job a = base`), ["too few"]);
  assert.deepEqual(messages(`${base}job a = base { count = 3 }`), []);
});

test("arguments are lazy, named and have defaults [bcl.F1]", () => {
  assert.equal(
    outcome("local f = (a, b = a + 1, c = b * 2) => [a, b, c]\nx = f(1)\ny = f(c = 9, a = 1)\nz = ((a, b) => b)(1 / 0, 2)"),
    "x = [1, 2, 4]\ny = [1, 2, 9]\nz = 2",
  );
});

test("parameters take the type of their default [bcl.F2]", () => {
  const text = 'x = [param("n", 1), param("s", "a"), param("d", 1s), param("free")]';
  const parameters = new Map([
    ["n", "5"],
    ["s", "5"],
    ["d", "2min"],
    ["free", "[1, 2]"],
  ]);
  assert.equal(showText(evaluateText(text, { parameters })), 'x = [5, "5", 2min, [1, 2]]\n');
  const wrong = evaluateText('job a = { command = [param("cmd", "x")] }', { parameters: new Map([["cdm", "y"]]) });
  assert.deepEqual(
    wrong.problems.map((p) => p.message),
    ['Cannot find the parameter "cdm"; did you mean "cmd"?'],
  );
});

for (const { name, example } of [...STANDARD, ...KERNEL]) {
  test(`${name}: the example in its table is true [bcl.F3]`, () => assert.deepEqual(messages(`assert ${example}`), []));
}

test("bounds end the evaluation, and error_of cannot hide them [bcl.E2] [bcl.E3]", () => {
  const loop = "local f = (n) => if n == 0 then 1 else f(n - 1) + f(n - 1)\n";
  assert.deepEqual(messages(`${loop}assert f(60) == 1`), [`Evaluation took more than ${DEFAULT_BOUNDS.steps} steps`]);
  assert.deepEqual(messages(`${loop}assert error_of(f(60)) == "caught"`), [`Evaluation took more than ${DEFAULT_BOUNDS.steps} steps`]);
  assert.equal(outcome('a = error_of(1 / 0)\nb = error_of({ deep = [error("no")] })'), 'a = "Cannot divide by zero"\nb = "no"');
});

test("a value that needs itself shows the circle [bcl.E4]", () => {
  assert.deepEqual(messages("a = b\nb = [c][0]\nc = { x = a }.x\nassert a == 1"), ["Value depends on itself: a -> b -> c -> x -> a"]);
  assert.deepEqual(messages("t = { n = n }\nassert t.n == 1"), ["Value depends on itself: n -> n"]);
});

test("a problem inside the library is shown at the user's call [bcl.P2]", () => {
  const [problem] = evaluateText("x = 1\nassert max([]) == 1").problems;
  assert.equal(
    renderProblem(problem!),
    "main.bcl:2:8: Expected at least one element for max, found none\n    assert max([]) == 1\n           ^^^^^^^",
  );
});

test("a problem shows the way through calls, fields, extensions and imports [bcl.P1]", () => {
  const lib = 'server = (n) => base { count = half(n) }\nbase = { command = ["x"] }\nhalf = (n) => n / 0\n';
  const { problems } = evaluateText('import "lib.bcl" as lib\njob a = lib.server(3) { cpu = 1 }', {}, { "lib.bcl": lib });
  assert.equal(
    renderProblem(problems[0]!),
    `lib.bcl:3:17: Cannot divide by zero
    half = (n) => n / 0
                    ^
  in the call of half at lib.bcl:1:32
  in the field "count" at lib.bcl:1:24
  inherited by the extension at main.bcl:2:9
  in job "a" at main.bcl:2:5
  imported at main.bcl:1:1`,
  );
});
