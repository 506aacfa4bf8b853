/** Values as parts of a text. */
import { quantityText } from "../quantity.ts";
import type { Span } from "../source.ts";
import type { Evaluator } from "./evaluator.ts";
import { typeText, type Value } from "./value.ts";

export function asText(evaluator: Evaluator, value: Value, span: Span): string {
  switch (value.kind) {
    case "text":
      return value.text;
    case "number":
      return quantityText(value);
    case "boolean":
      return String(value.is);
    default:
      throw evaluator.fault(
        span,
        `Cannot put ${typeText(value)} into a text`,
        value.kind === "list" ? 'join(list, ", ") makes a text of a list' : undefined,
      );
  }
}
