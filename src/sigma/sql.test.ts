/** Questions in SQL on their page: the same as in docs/sql.md, plots of what can be plotted, and what was saved before, whoever wrote it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { csvOf, plotOf, valueText } from "./app/sql/answer.ts";
import { QUESTIONS } from "./app/sql/questions.ts";
import { SAVED_MAX, savedIn, withSaved } from "./app/sql/saved.ts";

test("The page begins with the questions of docs/sql.md [N5] [N8]", () => {
  const page = readFileSync(new URL("../../docs/sql.md", import.meta.url), "utf8");
  const told = [...page.matchAll(/^([^\n]+)\n```sql\n([\s\S]*?)\n```/gm)].map(([, name, sql]) => ({ name, sql }));
  assert.deepEqual(QUESTIONS, told);
});

const columns = (text: string) => text.split(", ").map((each) => ({ name: each.split(" ")[0]!, type: each.split(" ").slice(1).join(" ") }));

test("Numbers are plotted over times, a line for each column or for each text, else over the rows; nothing else is [N5]", () => {
  const plot = (names: string, rows: readonly (readonly (string | number | null)[])[]) =>
    plotOf({ columns: columns(names), rows, isCut: false });
  const hour = "2026-01-01 01:00:00";
  assert.deepEqual(
    plot("hour TIMESTAMP, cores DOUBLE, n BIGINT", [
      [hour, 2.5, "7"],
      ["2026-01-01 00:00:00", null, "1"],
    ]),
    {
      title: "cores, n over hour",
      isTime: true,
      labels: ["cores", "n"],
      data: [
        [1767225600, 1767229200],
        [null, 2.5],
        [1, 7],
      ],
    },
  );
  assert.deepEqual(
    plot("day DATE, cause VARCHAR, n BIGINT", [
      ["2026-01-01", "a", 1],
      ["2026-01-01", "b", 2],
      ["2026-01-02", "b", 3],
    ])?.data,
    [
      [1767225600, 1767312000],
      [1, null],
      [2, 3],
    ],
  );
  assert.deepEqual(
    plot("job VARCHAR, n BIGINT", [
      ["x", 1],
      ["y", 5],
    ]),
    {
      title: "n by row",
      isTime: false,
      labels: ["n"],
      data: [
        [1, 2],
        [1, 5],
      ],
    },
  );
  assert.equal(
    plot("job VARCHAR, time TIMESTAMP", [
      ["x", hour],
      ["y", hour],
    ]),
    undefined,
  );
  assert.equal(plot("n BIGINT", [[1]]), undefined);
  assert.equal(plot("n DOUBLE[]", [["[1]"], ["[2]"]]), undefined);
});

test("Values are short, and a CSV has no formulas [N5] [KX2]", () => {
  assert.deepEqual([null, 1 / 3, 12, true, { a: 1 }].map(valueText), ["–", "0.333333", "12", "true", '{"a":1}']);
  assert.equal(valueText("x".repeat(1e6)).length, 302);
  assert.equal(
    csvOf({
      columns: columns("a VARCHAR, b BIGINT"),
      rows: [
        ["=1+1", -5],
        ['x,"', null],
      ],
      isCut: false,
    }),
    'a,b\r\n\'=1+1,-5\r\n"x,""",\r\n',
  );
});

test("What was saved is read whatever it is, and there are only so many [N5]", () => {
  for (const text of [null, "", "{", "5", "[1, null, {}]", '[{"name": 1, "sql": "x"}]']) assert.deepEqual(savedIn(text), []);
  assert.deepEqual(savedIn('[{"name": "a", "sql": "b", "more": 1}]'), [{ name: "a", sql: "b" }]);
  const full = Array.from({ length: SAVED_MAX }, (_, i) => ({ name: String(i), sql: "" }));
  assert.equal(withSaved(full, "more", "x"), undefined);
  assert.equal(withSaved(full, "7", "x")?.find(({ name }) => name === "7")?.sql, "x");
});
