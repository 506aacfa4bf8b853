/** A value that is worked out when it is first needed, and only once. Needing it while working it out is a cycle. */
import { Fault } from "../problem.ts";
import type { Span } from "../source.ts";
import type { Expression } from "../syntax/node.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluator, Stage } from "./evaluator.ts";
import type { Scope } from "./scope.ts";
import type { Value } from "./value.ts";

export abstract class Thunk {
  abstract readonly span: Span;
  #value: Value | undefined;
  #fault: Fault | undefined;
  #busy = false;

  protected abstract compute(evaluator: Evaluator): Value;
  /** What the way shows while this is being worked out. */
  abstract stage(): Stage | undefined;

  force(evaluator: Evaluator): Value {
    if (this.#value !== undefined) return this.#value;
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#busy) throw this.#cycle(evaluator);
    evaluator.deepen(this.span);
    this.#busy = true;
    const stage = this.stage();
    if (stage !== undefined) evaluator.way.push(stage);
    try {
      this.#value = this.compute(evaluator);
    } catch (error) {
      if (error instanceof Fault) this.#fault = error;
      throw error;
    } finally {
      this.#busy = false;
    }
    if (stage !== undefined) evaluator.way.pop();
    evaluator.leave();
    return this.#value;
  }

  #cycle(evaluator: Evaluator): Fault {
    const stage = this.stage();
    const name = stage?.name ?? "value";
    const names = evaluator.way.filter((f) => f.what === "field" || f.what === "local").map((f) => f.name);
    const round = [...names.slice(names.lastIndexOf(name)), name].map((n) => n.slice(0, 40));
    const hint = round.length === 2 ? `the inherited value is super.${round[0]}` : undefined;
    return evaluator.fault(stage?.span ?? this.span, `Value depends on itself: ${shorten(round).join(" -> ")}`, hint);
  }
}

const shorten = (round: readonly string[]): readonly string[] =>
  round.length <= 10 ? round : [...round.slice(0, 5), "...", ...round.slice(-4)];

/** An expression with the scope it stands in. */
export class NodeThunk extends Thunk {
  readonly node: Expression;
  readonly #scope: Scope;
  readonly #stage: Stage | undefined;

  constructor(node: Expression, scope: Scope, stage?: Stage) {
    super();
    this.node = node;
    this.#scope = scope;
    this.#stage = stage;
  }

  get span(): Span {
    return this.node.span;
  }

  protected compute(evaluator: Evaluator): Value {
    return evaluate(evaluator, this.node, this.#scope);
  }

  stage(): Stage | undefined {
    return this.#stage;
  }
}

/** A value that is there already, and the place it came from. */
export class ValueThunk extends Thunk {
  readonly span: Span;
  readonly #given: Value;

  constructor(value: Value, span: Span) {
    super();
    this.#given = value;
    this.span = span;
  }

  override force(): Value {
    return this.#given;
  }

  protected compute(): Value {
    return this.#given;
  }

  stage(): undefined {
    return undefined;
  }
}
