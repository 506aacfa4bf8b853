import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../wire/codec.ts";
import { type Constraint, ConstraintSchema, Operator } from "../wire/gen/borg/v1/spec_pb.ts";
import { compareVersions, constraintProblem, constraintText, holds, unmet } from "./constraint.ts";

const constraint = (attribute: string, operator: Operator, values: string[] = [], soft = false): Constraint =>
  make(ConstraintSchema, { attribute, operator, values, soft });

const MACHINE = new Map([
  ["arch", "x64"],
  ["kernel", "6.1.10"],
  ["flash", ""],
]);

const CASES: readonly [string, Operator, string[], boolean][] = [
  ["arch", Operator.EQUAL, ["x64"], true],
  ["arch", Operator.EQUAL, ["arm64"], false],
  ["none", Operator.EQUAL, [""], false],
  ["arch", Operator.NOT_EQUAL, ["arm64"], true],
  ["none", Operator.NOT_EQUAL, ["x"], true],
  ["arch", Operator.IN, ["arm64", "x64"], true],
  ["arch", Operator.IN, ["arm64"], false],
  ["none", Operator.IN, ["x64"], false],
  ["arch", Operator.NOT_IN, ["arm64"], true],
  ["arch", Operator.NOT_IN, ["x64"], false],
  ["none", Operator.NOT_IN, ["x64"], true],
  ["flash", Operator.EXISTS, [], true],
  ["none", Operator.EXISTS, [], false],
  ["none", Operator.NOT_EXISTS, [], true],
  ["flash", Operator.NOT_EXISTS, [], false],
  ["kernel", Operator.AT_LEAST, ["6.1.9"], true],
  ["kernel", Operator.AT_LEAST, ["6.2"], false],
  ["kernel", Operator.AT_MOST, ["6.1.10"], true],
  ["kernel", Operator.AT_MOST, ["6.1"], false],
  ["none", Operator.AT_LEAST, ["0"], false],
  ["arch", Operator.PREFIX, ["x"], true],
  ["arch", Operator.PREFIX, ["y"], false],
  ["none", Operator.PREFIX, [""], false],
  ["arch", 99 as Operator, ["x64"], false],
];

test("holds() decides every operator, also on missing attributes [U5]", () => {
  for (const [attribute, operator, values, expected] of CASES) {
    const c = constraint(attribute, operator, values);
    assert.equal(holds(c, MACHINE), expected, constraintText(c));
  }
});

test("unmet() looks at hard constraints only [U5] [cell.C9]", () => {
  const soft = constraint("arch", Operator.EQUAL, ["arm64"], true);
  const hard = constraint("arch", Operator.EQUAL, ["arm64"]);
  assert.equal(unmet([soft], MACHINE), undefined);
  assert.equal(unmet([soft, hard], MACHINE), hard);
});

test("versions compare part by part, by value, however long", () => {
  const sorted = ["", "1", "1.9", "1.10", "1.10.0", "2.0-rc", "10", "99999999999999999999", "100000000000000000000", "beta"];
  for (let i = 0; i < sorted.length; i++) {
    for (let j = 0; j < sorted.length; j++) {
      const order = Math.sign(compareVersions(sorted[i] as string, sorted[j] as string));
      assert.equal(order, Math.sign(i - j), `${sorted[i]} and ${sorted[j]}`);
    }
  }
  assert.equal(compareVersions("01.2", "1.02"), 0);
});

test("a constraint says how many values it wants", () => {
  assert.equal(
    constraintProblem(constraint("a", Operator.EXISTS, ["x"])),
    'Constraint on "a" wants no values, found 1: as in arch = x64, kernel >= 6, zone in (a, b) or flash exists',
  );
  assert.equal(
    constraintProblem(constraint("a", Operator.IN)),
    'Constraint on "a" wants values, found 0: as in arch = x64, kernel >= 6, zone in (a, b) or flash exists',
  );
  assert.equal(
    constraintProblem(constraint("a", Operator.EQUAL, ["x", "y"])),
    'Constraint on "a" wants one value, found 2: as in arch = x64, kernel >= 6, zone in (a, b) or flash exists',
  );
  assert.equal(constraintProblem(constraint("a", Operator.NOT_EXISTS)), undefined);
});
