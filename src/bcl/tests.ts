/** Runs the tests of a file: assertions over what it declares. */
import type { Evaluation } from "./evaluation.ts";
import { checkTest } from "./evaluator/check-test.ts";
import { VariableScope } from "./evaluator/scope.ts";
import { type Thunk, ValueThunk } from "./evaluator/thunk.ts";
import { Tuple, writtenLayer } from "./evaluator/tuple.ts";
import { withImports } from "./modules.ts";
import { Fault, type Problem, Problems } from "./problem.ts";
import { Reader } from "./schema/reader.ts";
import type { Test } from "./syntax/node.ts";

export interface TestOutcome {
  readonly name: string;
  /** Empty when it passed. */
  readonly problems: readonly Problem[];
}

/** Only for an evaluation without problems. Every test runs, and every failing assertion of each is told. */
export function runTests(evaluation: Evaluation): readonly TestOutcome[] {
  const { main, modules } = evaluation;
  if (main === undefined || modules.main === undefined) return [];
  const jobs = new Map<string, Thunk>();
  for (const { role, name, tuple, span } of evaluation.declarations)
    if (role === "job" && tuple !== undefined) jobs.set(name, new ValueThunk(tuple, span));
  const scope = new VariableScope(main.scopeAt(0), new Map([["jobs", new ValueThunk(Tuple.of(jobs), modules.main.file.body.span)]]));
  return modules.main.file.tests.map((test) => ({ name: test.name, problems: runTest(evaluation, test, scope) }));
}

function runTest(evaluation: Evaluation, test: Test, scope: VariableScope): readonly Problem[] {
  const problems = new Problems();
  const reader = new Reader(evaluation.evaluator, problems);
  const body = new Tuple([writtenLayer(test.body, scope)]);
  for (const item of test.body.asserts) {
    // A limit is told once and ends this test; the others run, and meet it themselves if they need more.
    try {
      reader.attempt(() => checkTest(evaluation.evaluator, item, body.scopeAt(0)));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.add(error.problem);
      break;
    }
  }
  return problems.list.map((problem) => withImports(problem, evaluation.modules.all));
}
