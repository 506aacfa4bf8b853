import assert from "node:assert/strict";
import { test } from "node:test";
import { messages, outcome } from "../fixture.test.ts";
import { Problems } from "../problem.ts";
import { quantityText, readQuantity, UNITS } from "../quantity.ts";
import { nearest } from "../suggest.ts";
import { lex } from "./lexer.ts";
import { dedent, quoted } from "./string.ts";

test("separators are new lines or commas, and a bracket on the next line begins something new [bcl.L1]", () => {
  assert.equal(
    outcome('a = 1, b = 2\nc = { x = 1, y = 2,\n z = 3 }\nd = { e = 5\n["f"] = 6 }'),
    "a = 1\nb = 2\nc = { x = 1, y = 2, z = 3 }\nd = { e = 5, f = 6 }",
  );
  assert.equal(outcome("a = 1\n  + 2\nb = { x = 1 }\n  .x"), "a = 3\nb = 1");
});

test("text has holes, raw text has none and loses its indentation [bcl.L2]", () => {
  assert.equal(outcome(`a = "x\${1 + 1}y\${"z\${3}"}"`), 'a = "x2yz3"');
  assert.equal(dedent("\n    a\n      b\n    "), "a\n  b\n");
  assert.equal(dedent("\n  a\n\n  b"), "a\n\nb");
  assert.equal(dedent("one line"), "one line");
  assert.equal(outcome(`a = """\n  $x \${y} \\n\n  """`), `a = "$x \\\${y} \\\\n\\n"`);
});

test("quoted() reads back to the same text [bcl.L2]", () => {
  for (const text of ["", 'a"b', "$", `\${x}`, "\\", "\n\t\r", "\u0000", "é😀", "\u2028"]) {
    const problems = new Problems();
    const { lexemes } = lex({ path: "x", text: quoted(text) }, problems);
    assert.equal(
      lexemes
        .filter((lexeme) => lexeme.kind === "piece")
        .map((lexeme) => lexeme.text)
        .join(""),
      text,
    );
    assert.equal(problems.list.length, 0);
  }
});

test("every unit reads and prints back, and near misses are told the right one [bcl.L3]", () => {
  for (const unit of UNITS) {
    const reading = readQuantity(`3${unit.name}`);
    assert.ok(reading.ok);
    assert.deepEqual(readQuantity(quantityText(reading.value)), reading);
  }
  assert.deepEqual(readQuantity("250m"), { ok: true, value: { amount: 0.25, dimension: "number" } });
  assert.deepEqual(readQuantity("1_000"), { ok: true, value: { amount: 1000, dimension: "number" } });
  const miss = readQuantity("2G");
  assert.equal(miss.ok ? undefined : miss.hint, "write 2Gi");
});

test("a syntax error costs one field, and the others are told too [bcl.L4]", () => {
  assert.deepEqual(messages("a = )\nb = 1\nc = ]\njob x = { command = , count = }"), [
    'Expected a value, found ")"',
    'Expected a value, found "]"',
    'Expected a value, found ","',
  ]);
  assert.deepEqual(messages("a = 'x'\n").length, 2);
});

test("nesting is bounded whatever nests [bcl.L5]", () => {
  for (const text of ["[", "(", "{a=", '"$' + "{", "-", "(a) => ", "if true then 1 else ", "let a = 1 in ", "f("]) {
    assert.deepEqual(messages(`x = ${text.repeat(5000)}`), ["Cannot nest deeper than 200 levels"], text);
  }
  for (const text of [" + 1", "(1)", ".a", "[0]", " { }"]) {
    assert.deepEqual(messages(`x = 1${text.repeat(5000)}`), ["Cannot nest deeper than 200 levels"], text);
  }
});

test("names are told apart by their scope [bcl.N1]", () => {
  assert.equal(
    outcome("x = 1\nt = { x = 2, u = { y = x } }\nf = (x) => x\ng = f(3)\nl = [x for x in [4]]\nm = let x = 5 in x"),
    "x = 1\nt = { x = 2, u = { y = 2 } }\ng = 3\nl = [4]\nm = 5",
  );
  assert.equal(outcome("production = 7\nx = production"), "production = 7\nx = 7");
});

test("a base may gain fields without changing what its users mean [bcl.N2]", () => {
  const user = "local port = 80\nd = base { url = port }";
  assert.equal(outcome(`local base = {}\n${user}`), "d = { url = 80 }");
  assert.equal(outcome(`local base = { port = 1 }\n${user}`), "d = { port = 1, url = 80 }");
  assert.deepEqual(messages("base = { endpoint = 1 }\nd = base { url = endpoint }"), ['Cannot find "endpoint"']);
  assert.equal(outcome("local base = { port = 1 }\nd = base { url = self.port }"), "d = { port = 1, url = 1 }");
});

test("inside its own value a name means the one outside, and else itself [bcl.N3]", () => {
  assert.equal(outcome("n = 3\nt = { n = n + 1 }\nu = let n = n * 2 in n"), "n = 3\nt = { n = 4 }\nu = 6");
  assert.equal(outcome("f = (n) => if n == 0 then 0 else n + f(n - 1)\nx = f(4)"), "x = 10");
  assert.equal(outcome("n = 1\nt = { n = { n = n } }"), "n = 1\nt = { n = { n = 1 } }");
});

test("unknown names are told everywhere at once [bcl.N4]", () => {
  assert.deepEqual(messages("a = [alpha1]\nb = (x) => beta22\nc = { d = gamma3 }"), [
    'Cannot find "alpha1"',
    'Cannot find "beta22"',
    'Cannot find "gamma3"',
  ]);
});

test("names with hyphens are underscores in expressions [bcl.N5]", () => {
  assert.match(outcome('job a-b-2 = { command = ["x"] }\nn = a_b_2.name'), /^n = "a-b-2"\n\njob a-b-2 = \{/);
});

test("nearest() finds slips and leaves strangers alone", () => {
  assert.equal(nearest("comand", ["command", "count"]), "command");
  assert.equal(nearest("prot", ["port", "sort"]), "port");
  assert.equal(nearest("colour", ["command", "count"]), undefined);
  assert.equal(nearest("x".repeat(100_000), ["x"]), undefined);
});
