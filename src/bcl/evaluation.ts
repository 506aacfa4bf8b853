/**
 * A file to what it declares: the door that the command line, the language server and the master use.
 * Pure: files come from the caller, and the same files and parameters give the same result, byte for byte.
 */
import { compareIds } from "../base/id.ts";
import type { Bounds } from "./evaluator/bounds.ts";
import { Evaluator } from "./evaluator/evaluator.ts";
import { checkAsserts } from "./evaluator/plain.ts";
import type { Scope } from "./evaluator/scope.ts";
import { standardScope } from "./evaluator/standard.ts";
import { type Thunk, ValueThunk } from "./evaluator/thunk.ts";
import { Tuple, writtenLayer } from "./evaluator/tuple.ts";
import { loadModules, type Module, type Modules, type Project, withImports } from "./modules.ts";
import { checkParameters } from "./parameters.ts";
import { Fault, type Problem } from "./problem.ts";
import { collect, type Declaration } from "./schema/collect.ts";
import { convert, type Result } from "./schema/convert.ts";
import { declaring } from "./schema/declare.ts";
import { Reader } from "./schema/reader.ts";

export interface Options {
  /** Whose jobs these are, unless they say otherwise. */
  readonly user: string;
  /** What `--set name=value` gave. */
  readonly parameters?: ReadonlyMap<string, string>;
  readonly bounds?: Bounds;
}

export interface Evaluation {
  /** Empty when all is well; then, and only then, there is a result. */
  readonly problems: readonly Problem[];
  readonly result: Result | undefined;
  readonly modules: Modules;
  readonly declarations: readonly Declaration[];
  readonly evaluator: Evaluator;
  /** The first file as a tuple; undefined when a file could not be parsed. */
  readonly main: Tuple | undefined;
}

export function evaluateFile(path: string, project: Project, options: Options): Evaluation {
  const modules = loadModules(path, project);
  const standard = standardScope();
  const parameters = options.parameters ?? new Map<string, string>();
  const evaluator = new Evaluator({
    parameters,
    declare: declaring(options.user, standard),
    bounds: options.bounds,
    readFile: (read) => project.read(read),
  });
  checkParameters(parameters, modules);
  const problems = modules.problems;
  let found: Found = { declarations: [], main: undefined, result: undefined };
  if (modules.main !== undefined && problems.list.length === 0) found = run(modules, modules.main, evaluator, standard);
  const told = sorted(problems.list, path).map((problem) => withImports(problem, modules.all));
  return { ...found, result: told.length === 0 ? found.result : undefined, problems: told, modules, evaluator };
}

/** As they stand in the files, the first file first. */
function sorted(problems: readonly Problem[], first: string): readonly Problem[] {
  const order = (problem: Problem): string => (problem.span.source.path === first ? "" : problem.span.source.path);
  return problems.toSorted((a, b) => compareIds(order(a), order(b)) || a.span.start - b.span.start);
}

type Found = Pick<Evaluation, "declarations" | "main" | "result">;

/** Problems go where those of parsing went. A limit ends the evaluation, whatever it had found so far. */
function run(modules: Modules, first: Module, evaluator: Evaluator, standard: Scope): Found {
  const reader = new Reader(evaluator, modules.problems);
  const tuples = instantiate(modules, standard);
  const main = tuples.get(first)!;
  let declarations: readonly Declaration[] = [];
  try {
    for (const tuple of tuples.values()) reader.attempt(() => checkAsserts(evaluator, tuple));
    declarations = collect(reader, main, undefined);
    return { declarations, main, result: convert(reader, declarations) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    modules.problems.add(error.problem);
    return { declarations, main, result: undefined };
  }
}

/** Every file as a tuple. What is imported stands before what imports it, so each finds its imports ready. */
function instantiate(modules: Modules, standard: Scope): ReadonlyMap<Module, Tuple> {
  const tuples = new Map<Module, Tuple>();
  for (const module of modules.all.values()) {
    const imports = new Map<string, Thunk>();
    for (const item of module.file.imports) {
      const imported = module.imports.get(item.as.name);
      if (imported !== undefined) imports.set(item.as.name, new ValueThunk(tuples.get(imported)!, item.span));
    }
    tuples.set(module, new Tuple([writtenLayer(module.file.body, standard, { imports })]));
  }
  return tuples;
}
