/** Calls. Arguments are lazy; defaults are worked out inside the function and may use the other parameters. */
import type { Span } from "../source.ts";
import { didYouMean } from "../suggest.ts";
import type { CallNode, Expression } from "../syntax/node.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluator, Stage } from "./evaluator.ts";
import type { Native } from "./native.ts";
import { type Scope, VariableScope } from "./scope.ts";
import { NodeThunk, type Thunk } from "./thunk.ts";
import { describe, type FunctionValue, isFunction, type Value } from "./value.ts";

export function call(evaluator: Evaluator, node: CallNode, scope: Scope): Value {
  const callee = evaluate(evaluator, node.of, scope);
  if (!isFunction(callee)) {
    throw evaluator.fault(node.of.span, `Expected a function before "(", found ${describe(callee)}`);
  }
  const given: Given[] = node.arguments.map((argument) => ({
    name: argument.name?.name,
    span: argument.value.span,
    thunk: new NodeThunk(argument.value, scope),
  }));
  return apply(evaluator, callee, given, { what: "call", name: calleeText(node.of), span: node.span });
}

export interface Given {
  readonly name: string | undefined;
  readonly span: Span;
  readonly thunk: Thunk;
}

/** Applies a function to thunks, from a call in a file or from a function of the library. */
export function apply(evaluator: Evaluator, callee: Value & { kind: "function" | "native" }, given: readonly Given[], stage: Stage): Value {
  evaluator.deepen(stage.span);
  evaluator.way.push(stage);
  const value =
    callee.kind === "function" ? applyFunction(evaluator, callee, given, stage) : applyNative(evaluator, callee.native, given, stage);
  evaluator.way.pop();
  evaluator.leave();
  return value;
}

/** What a caller knows the function by. */
function calleeText(node: Expression): string {
  if (node.kind === "name") return node.name;
  if (node.kind === "select") return `${calleeText(node.of)}.${node.name}`;
  return "a function";
}

function applyFunction(evaluator: Evaluator, callee: FunctionValue, given: readonly Given[], stage: Stage): Value {
  const { parameters, body } = callee.node;
  const names = new Map<string, Thunk>();
  const scope = new VariableScope(callee.scope, names);
  bind(
    evaluator,
    parameters.map((p) => p.name),
    given,
    stage,
    names,
  );
  for (const parameter of parameters) {
    if (names.has(parameter.name)) continue;
    if (parameter.default === undefined) throw missing(evaluator, parameter.name, stage);
    names.set(parameter.name, new NodeThunk(parameter.default, scope));
  }
  evaluator.chargeElements(parameters.length, stage.span);
  return evaluate(evaluator, body, scope);
}

function applyNative(evaluator: Evaluator, native: Native, given: readonly Given[], stage: Stage): Value {
  const names = new Map<string, Thunk>();
  bind(evaluator, native.parameters, given, stage, names);
  const absent = native.parameters.slice(0, native.required).find((name) => !names.has(name));
  if (absent !== undefined) throw missing(evaluator, absent, stage);
  evaluator.enter(stage.span);
  const value = native.run(
    evaluator,
    native.parameters.map((name) => names.get(name)),
    stage.span,
  );
  evaluator.leave();
  return value;
}

function bind(evaluator: Evaluator, parameters: readonly string[], given: readonly Given[], stage: Stage, names: Map<string, Thunk>): void {
  given.forEach((argument, position) => {
    const name = argument.name ?? parameters[position];
    if (name === undefined) throw tooMany(evaluator, parameters, given, stage);
    if (!parameters.includes(name)) {
      const known = parameters.length === 0 ? "it takes none" : `it takes ${parameters.join(", ")}`;
      throw evaluator.fault(
        argument.span,
        `Cannot find the parameter "${name.slice(0, 40)}" of ${stage.name}${didYouMean(name, parameters)}`,
        known,
      );
    }
    if (names.has(name)) throw evaluator.fault(argument.span, `Argument "${name}" of ${stage.name} is given twice`);
    names.set(name, argument.thunk);
  });
}

function tooMany(evaluator: Evaluator, parameters: readonly string[], given: readonly Given[], stage: Stage) {
  const most = parameters.length === 1 ? "1 argument" : `${parameters.length} arguments`;
  return evaluator.fault(
    given[parameters.length]!.span,
    `Expected at most ${most} for ${stage.name}, found ${given.length}`,
    parameters.length > 0 ? `it takes ${parameters.join(", ")}` : undefined,
  );
}

function missing(evaluator: Evaluator, name: string, stage: Stage) {
  return evaluator.fault(stage.span, `Expected the argument "${name}" for ${stage.name}, found none`);
}
