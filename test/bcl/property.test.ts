/** Laws that hold for every program: the form is stable, inheritance is associative, and order cannot be seen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatText } from "../../src/bcl/format.ts";
import { renderProblems } from "../../src/bcl/problem.ts";
import { evaluateCase, outputOf } from "./golden.ts";
import { layer, program, spacing } from "./program.ts";

const RUNS = { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 400) };

/** Values without places: the text moved, what it means must not. */
const meaning = (text: string): string => {
  const evaluation = evaluateCase(text);
  return evaluation.problems.length > 0
    ? evaluation.problems
        .map((p) => p.message)
        .sort()
        .join("\n")
    : outputOf(text);
};

test("fmt(fmt(x)) = fmt(x), and the value stays the same [bcl.O1]", () => {
  fc.assert(
    fc.property(program, fc.array(spacing, { minLength: 5, maxLength: 5 }), (fields, gaps) => {
      const text = fields.map((field, i) => field + gaps[i]).join("");
      const once = formatText("main.bcl", text);
      assert.ok(once.ok, once.ok ? "" : `${text}\n${renderProblems(once.problems)}`);
      const twice = formatText("main.bcl", once.text);
      assert.ok(twice.ok);
      assert.equal(twice.text, once.text);
      assert.equal(meaning(once.text), meaning(text));
      assert.equal(once.text.split("#").length, text.split("#").length);
    }),
    RUNS,
  );
});

test("laying over is associative: (a + b) + c = a + (b + c) [bcl.T4]", () => {
  fc.assert(
    fc.property(layer, layer, layer, layer, (a, b, c, d) => {
      const text = `local a = ${a}\nlocal b = ${b}\nlocal c = ${c}\nlocal d = ${d}\n`;
      const left = outputOf(`${text}x = ((a + b) + c) + d`);
      assert.equal(outputOf(`${text}x = a + (b + (c + d))`), left);
      assert.equal(outputOf(`${text}x = (a + b) + (c + d)`), left);
      assert.equal(outputOf(`${text}x = a ${b} ${c} ${d}`), left);
    }),
    RUNS,
  );
});

test("the order of fields does not matter [bcl.E1]", () => {
  fc.assert(
    fc.property(
      program.chain((fields) => fc.tuple(fc.constant(fields), fc.shuffledSubarray([...fields], { minLength: fields.length }))),
      ([fields, shuffled]) => {
        const sorted = (texts: readonly string[]): string => {
          // Where several things are wrong with a value, any of them may be told; that it is wrong may not depend on the order.
          const lines = outputOf(texts.join("\n")).split(/\n(?=[a-e] =|# [a-e]:)/);
          return lines
            .map((line) => line.replace(/^# ([a-e]): .*/s, "# $1: wrong"))
            .sort()
            .join("\n");
        };
        assert.equal(sorted(shuffled), sorted(fields));
      },
    ),
    RUNS,
  );
});
