/** Operators. Dimensions are kept: bytes and durations do not mix, and a number times bytes are bytes. */
import type { Expression } from "../syntax/node.ts";
import { compare, equal } from "./compare.ts";
import { condition, evaluate } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Scope } from "./scope.ts";
import { stack } from "./tuple.ts";
import { booleanValue, describe, listValue, type NumberValue, numberValue, textValue, type Value } from "./value.ts";

type Unary = Expression & { readonly kind: "unary" };
type Binary = Expression & { readonly kind: "binary" };

export function unary(evaluator: Evaluator, node: Unary, value: Value): Value {
  if (node.operator === "!") {
    if (value.kind === "boolean") return booleanValue(!value.is);
    throw evaluator.fault(node.of.span, `Expected true or false after "!", found ${describe(value)}`);
  }
  if (value.kind === "number") return numberValue(value.amount === 0 ? 0 : -value.amount, value.dimension);
  throw evaluator.fault(node.of.span, `Expected a number after "-", found ${describe(value)}`);
}

export function binary(evaluator: Evaluator, node: Binary, scope: Scope): Value {
  const { operator } = node;
  if (operator === "&&" || operator === "||") {
    const left = condition(evaluator, node.left, scope, `"${operator}"`);
    return booleanValue(left === (operator === "||") ? left : condition(evaluator, node.right, scope, `"${operator}"`));
  }
  const left = evaluate(evaluator, node.left, scope);
  const right = evaluate(evaluator, node.right, scope);
  switch (operator) {
    case "==":
      return booleanValue(equal(evaluator, left, right, node.at));
    case "!=":
      return booleanValue(!equal(evaluator, left, right, node.at));
    case "<":
      return booleanValue(compare(evaluator, left, right, node.at) < 0);
    case "<=":
      return booleanValue(compare(evaluator, left, right, node.at) <= 0);
    case ">":
      return booleanValue(compare(evaluator, left, right, node.at) > 0);
    case ">=":
      return booleanValue(compare(evaluator, left, right, node.at) >= 0);
    case "+":
      return add(evaluator, node, left, right);
    default:
      return arithmetic(evaluator, node, left, right);
  }
}

function add(evaluator: Evaluator, node: Binary, left: Value, right: Value): Value {
  if (left.kind === "text" && right.kind === "text") {
    evaluator.chargeText(left.text.length + right.text.length, node.span);
    return textValue(left.text + right.text);
  }
  if (left.kind === "list" && right.kind === "list") {
    evaluator.chargeElements(left.items.length + right.items.length, node.span);
    return listValue([...left.items, ...right.items]);
  }
  if (left.kind === "tuple" && right.kind === "tuple") return stack(evaluator, [left, right], node.span);
  return arithmetic(evaluator, node, left, right);
}

const VERBS = { "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "divide" } as const;

function arithmetic(evaluator: Evaluator, node: Binary, left: Value, right: Value): Value {
  const operator = node.operator as keyof typeof VERBS;
  const refuse = (hint?: string): never => {
    throw evaluator.fault(node.at, `Cannot ${VERBS[operator]} ${describe(left)} and ${describe(right)}`, hint);
  };
  if (left.kind !== "number" || right.kind !== "number") {
    return refuse(left.kind === "text" || right.kind === "text" ? `values are put into text with "\${value}"` : undefined);
  }
  const dimension = resultDimension(operator, left, right) ?? refuse();
  if ((operator === "/" || operator === "%") && right.amount === 0) throw evaluator.fault(node.at, "Cannot divide by zero");
  const amount = calculate(operator, left.amount, right.amount);
  if (!Number.isFinite(amount)) throw evaluator.fault(node.at, "Result is too large");
  return numberValue(amount === 0 ? 0 : amount, dimension);
}

function resultDimension(operator: keyof typeof VERBS, left: NumberValue, right: NumberValue): NumberValue["dimension"] | undefined {
  if (operator === "*") {
    if (left.dimension === "number") return right.dimension;
    return right.dimension === "number" ? left.dimension : undefined;
  }
  if (operator === "/" && right.dimension === "number") return left.dimension;
  if (left.dimension !== right.dimension) return undefined;
  return operator === "/" ? "number" : left.dimension;
}

function calculate(operator: keyof typeof VERBS, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
  }
}
