import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, differenceText } from "./difference.ts";
import { explain, explainText, ROWS } from "./explain.ts";
import { evaluateText } from "./fixture.test.ts";
import { formatText } from "./format.ts";
import { referencePage } from "./reference-page.ts";
import { TABLES } from "./schema/declare.ts";
import { runTests } from "./tests.ts";

const formatted = (text: string): string => {
  const result = formatText("x.bcl", text);
  assert.ok(result.ok);
  return result.text;
};

test("fmt gives one form, keeps comments and line breaks [bcl.O1]", () => {
  const untidy = `import   "a.bcl"   as a  # hi


job hello-web={ command=["node",-1,!x,
"b"], # c
  # own line
  count= if a   then -1
  else 2,
  "x y" : 5 , f=(a,b=2)=>a+b
     +c.d[0].e( 1,x=true ) { z=1 }, e={},
  y = f(a,{
  b=1,
  },[
  1
  ])
   }
test "abc" { assert   x=="a":"no"
assert all([x for i,x in xs if x>1]) }
for k,
v in t { job "a-\${ k+"x" }"={ [k]=v } }
t = { [k]=v for k,v in x }`;
  const tidy = `import "a.bcl" as a  # hi

job hello-web = { command = ["node", -1, !x,
  "b"]  # c
  # own line
  count = if a then -1
    else 2
  "x y": 5, f = (a, b = 2) => a + b
    + c.d[0].e(1, x = true) { z = 1 }, e = {}
  y = f(a, {
    b = 1
  }, [
    1
  ])
}
test "abc" { assert x == "a" : "no"
  assert all([x for i, x in xs if x > 1]) }
for k,
v in t { job "a-\${ k+"x" }" = { [k] = v } }
t = { [k] = v for k, v in x }
`;
  assert.equal(formatted(untidy), tidy);
  assert.equal(formatted(tidy), tidy);
  assert.equal(formatted(""), "");
  assert.equal(formatted("\n\n# only a comment   \n\n"), "# only a comment\n");
  assert.equal(formatText("x.bcl", "a = ").ok, false);
});

test("explain knows every field of every table, and slips [bcl.O2] [L4]", () => {
  for (const [role, table] of Object.entries(TABLES))
    for (const name of Object.keys(table)) assert.ok(ROWS.some((e) => e.path === `${role}.${name}`));
  assert.ok(ROWS.every((e) => e.what.length > 0 && e.example.length > 0));
  const found = explain("health.interval");
  assert.ok(found.ok);
  assert.equal(
    explainText(found.rows),
    "job.health.interval\n  How often; a command at most every second.\n  type:    a duration, such as 30s\n  default: 10s\n  example: interval = 5s\n",
  );
  const slip = explain("prioritty");
  assert.equal(slip.ok ? "" : slip.reason, 'Cannot find "prioritty"; did you mean "priority"?');
  for (const entry of ROWS)
    assert.ok(referencePage().includes(`\`${entry.path.split(".").slice(1).join(".") || entry.type}\``.replaceAll("|", "\\|")), entry.path);
});

test("diff tells values, not text [bcl.O3]", () => {
  const before = evaluateText('job a = { command = ["x"], ram = 64Mi, env = { A = 1 } }\njob b = { command = ["x"] }');
  const after = evaluateText(
    'local size = 32Mi\njob a = { command = ["x"], ram = size * 3, env = { B = 2 } }\njob c = { command = ["x"] }',
  );
  assert.equal(
    differenceText(difference(before, after)),
    "- job a: env.A = 1\n+ job a: env.B = 2\n~ job a: ram = 64Mi -> 96Mi\n- job b\n+ job c\n",
  );
  assert.deepEqual(difference(before, before), []);
});

test("tests see values and jobs, and a failing comparison shows both sides [bcl.O4]", () => {
  const evaluation = evaluateText(`
    for i in [1, 2] { job "w-\${i}" = { command = ["x"], count = i } }
    test "good" { assert jobs["w-2"].count == 2 }
    test "bad" { local n = jobs["w-1"].count
      assert n == 5 : "five"
      assert n > 0
      assert jobs["w-1"].cpu < 0.1 }
    test "error" { assert 1 / 0 == 1 }`);
  const outcomes = runTests(evaluation);
  assert.deepEqual(
    outcomes.map((o) => [o.name, o.problems.map((p) => `${p.message} (${p.hint ?? ""})`)]),
    [
      ["good", []],
      ["bad", ["five (1 == 5 does not hold)", "Assertion does not hold (0.25 < 0.1 does not hold)"]],
      ["error", ["Cannot divide by zero ()"]],
    ],
  );
});
