/** Reads evaluated values into typed ones, and collects what is wrong with them. */
import type { Evaluator } from "../evaluator/evaluator.ts";
import type { Thunk } from "../evaluator/thunk.ts";
import { type Layer, layerField, type Tuple } from "../evaluator/tuple.ts";
import { describe, type Value } from "../evaluator/value.ts";
import { Fault, type Problems } from "../problem.ts";
import type { Dimension, Quantity } from "../quantity.ts";
import type { Span } from "../source.ts";
import { quantityOfText } from "./type.ts";

export class Reader {
  readonly evaluator: Evaluator;
  readonly #problems: Problems;

  constructor(evaluator: Evaluator, problems: Problems) {
    this.evaluator = evaluator;
    this.#problems = problems;
  }

  force(thunk: Thunk): Value {
    return thunk.force(this.evaluator);
  }

  /** Reads the value of a field; undefined when it is null, which means "not set". Problems show the field in their way. */
  inField<T>(cell: Thunk, read: () => T): T | undefined {
    if (this.force(cell).kind === "null") return undefined;
    const stage = cell.stage();
    if (stage !== undefined) this.evaluator.way.push(stage);
    const value = read();
    if (stage !== undefined) this.evaluator.way.pop();
    return value;
  }

  /** Whether a value is there and null; what is wrong with it is somebody else's to report. */
  isNull(thunk: Thunk): boolean {
    return this.attempt(() => this.force(thunk).kind === "null") ?? false;
  }

  /** The result, or undefined when there was a problem, which is kept. A limit ends everything. */
  attempt<T>(read: () => T): T | undefined {
    const mark = this.evaluator.mark();
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault) || error.problem.limit) throw error;
      this.evaluator.reset(mark);
      this.#problems.add(error.problem);
      return undefined;
    }
  }

  report(span: Span, message: string, hint?: string): void {
    this.#problems.add(this.evaluator.problem(span, message, hint));
  }

  get problemCount(): number {
    return this.#problems.list.length;
  }

  fault(thunk: Thunk, message: string, hint?: string): Fault {
    return this.evaluator.fault(thunk.span, message, hint);
  }

  mismatch(thunk: Thunk, expected: string, name: string, found: Value, hint?: string): Fault {
    return this.fault(thunk, `Expected ${expected}, for "${name}", found ${describe(found)}`, hint);
  }

  /** A number of a dimension, also as text ("64Mi"). */
  quantity(thunk: Thunk, dimension: Dimension, expected: string, name: string, hint?: (amount: number) => string): Quantity {
    const value = this.force(thunk);
    const found = value.kind === "number" ? value : value.kind === "text" ? quantityOfText(value.text) : undefined;
    if (found !== undefined && found.dimension === dimension) return found;
    const missesUnit = found !== undefined && found.dimension === "number" && hint !== undefined;
    throw this.mismatch(thunk, expected, name, value, missesUnit ? hint(found.amount) : undefined);
  }

  /** A field that nobody reads, shown at its name. */
  unknown(tuple: Tuple, name: string, message: string, hint: string): void {
    const layer = tuple.layers.findLastIndex((l) => keyOf(l, name) !== undefined);
    const span = keyOf(tuple.layers[layer]!, name)!;
    this.evaluator.way.push({ what: "field", name, span, tuple, layer });
    this.report(span, message, hint);
    this.evaluator.way.pop();
  }
}

function keyOf(layer: Layer, name: string): Span | undefined {
  return layer.kind === "entries" ? layer.entries.get(name)?.span : layerField(layer, name)?.keySpan;
}
