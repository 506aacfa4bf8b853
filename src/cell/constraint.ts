/** Constraints on machine attributes (Borg §2.3). Globs and expressions are left out on purpose: nothing here can take long. */
import { type Constraint, Operator } from "../wire/gen/borg/v1/spec_pb.ts";

/** The first hard constraint that a machine does not meet. */
export function unmet(constraints: readonly Constraint[], attributes: ReadonlyMap<string, string>): Constraint | undefined {
  return constraints.find((constraint) => !constraint.soft && !holds(constraint, attributes));
}

export function holds(constraint: Constraint, attributes: ReadonlyMap<string, string>): boolean {
  const found = attributes.get(constraint.attribute);
  const wanted = constraint.values[0] ?? "";
  switch (constraint.operator) {
    case Operator.EXISTS:
      return found !== undefined;
    case Operator.NOT_EXISTS:
      return found === undefined;
    case Operator.EQUAL:
      return found === wanted;
    case Operator.NOT_EQUAL:
      return found !== wanted;
    case Operator.IN:
      return found !== undefined && constraint.values.includes(found);
    case Operator.NOT_IN:
      return found === undefined || !constraint.values.includes(found);
    case Operator.AT_LEAST:
      return found !== undefined && compareVersions(found, wanted) >= 0;
    case Operator.AT_MOST:
      return found !== undefined && compareVersions(found, wanted) <= 0;
    case Operator.PREFIX:
      return found?.startsWith(wanted) ?? false;
    default:
      return false;
  }
}

/** What is wrong with a constraint as such. */
export function constraintProblem(constraint: Constraint): string | undefined {
  const { operator, values, attribute } = constraint;
  const wants =
    operator === Operator.EXISTS || operator === Operator.NOT_EXISTS
      ? "none"
      : operator === Operator.IN || operator === Operator.NOT_IN
        ? "some"
        : "one";
  const enough = wants === "none" ? values.length === 0 : wants === "one" ? values.length === 1 : values.length > 0;
  return enough
    ? undefined
    : `Constraint on "${attribute}" wants ${wants === "none" ? "no values" : wants === "some" ? "values" : "one value"}, found ${values.length}: as in arch = x64, kernel >= 6, zone in (a, b) or flash exists`;
}

const SIGNS: ReadonlyMap<number, string> = new Map<number, string>([
  [Operator.EQUAL, "="],
  [Operator.NOT_EQUAL, "!="],
  [Operator.IN, "in"],
  [Operator.NOT_IN, "not in"],
  [Operator.EXISTS, "exists"],
  [Operator.NOT_EXISTS, "does not exist"],
  [Operator.AT_LEAST, ">="],
  [Operator.AT_MOST, "<="],
  [Operator.PREFIX, "begins with"],
]);

export const constraintText = (c: Constraint): string =>
  [c.attribute, SIGNS.get(c.operator) ?? "?", c.values.join(", ")].filter((part) => part !== "").join(" ");

/** Part by part: 1.10 is larger than 1.9. Numbers stand before words; a missing part counts as nothing. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(".");
  const right = b.split(".");
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareParts(left[i] ?? "", right[i] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

const DIGITS = /^[0-9]+$/;

function compareParts(a: string, b: string): number {
  const [aDigits, bDigits] = [DIGITS.test(a), DIGITS.test(b)];
  if (aDigits && bDigits) return compareDigits(a, b);
  if (aDigits !== bDigits && a !== "" && b !== "") return aDigits ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By value, however long: leading zeros do not count, then the longer one is larger. */
function compareDigits(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  if (x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : x > y ? 1 : 0;
}
