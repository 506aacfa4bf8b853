/** An assertion of a test. When a comparison does not hold, both sides are shown: that is what one wants to know. */
import type { Assert, Expression } from "../syntax/node.ts";
import { condition, evaluate } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import { plainOf, plainText } from "./plain.ts";
import type { Scope } from "./scope.ts";
import { NodeThunk } from "./thunk.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const SHOWN_MAX = 200;

export function checkTest(evaluator: Evaluator, item: Assert, scope: Scope): void {
  if (condition(evaluator, item.test, scope, '"assert"')) return;
  const message = item.message === undefined ? undefined : evaluate(evaluator, item.message, scope);
  const text = message?.kind === "text" ? message.text : "Assertion does not hold";
  throw evaluator.fault(item.test.span, text, sides(evaluator, item.test, scope));
}

function sides(evaluator: Evaluator, test: Expression, scope: Scope): string | undefined {
  if (test.kind !== "binary" || !COMPARISONS.has(test.operator)) return undefined;
  const [left, right] = [test.left, test.right].map((side) => {
    const text = plainText(plainOf(evaluator, new NodeThunk(side, scope))).replaceAll(/\s+/g, " ");
    return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
  });
  return `${left} ${test.operator} ${right} does not hold`;
}
