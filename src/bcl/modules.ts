/** The files of one evaluation: the first one and everything it imports, each parsed once, with cycles and bombs refused. */
import type { Result } from "../base/result.ts";
import { FILE_CHARACTERS_MAX, FILES_CHARACTERS_MAX, FILES_MAX } from "./evaluator/bounds.ts";
import { GLOBALS } from "./evaluator/standard.ts";
import { resolvePath } from "./path.ts";
import { type Problem, Problems, problemAt, type Step } from "./problem.ts";
import type { Span } from "./source.ts";
import type { FileNode, Import } from "./syntax/node.ts";
import { parseFile } from "./syntax/parser.ts";
import { type Resolution, resolve } from "./syntax/resolve.ts";

/** Where files come from. Paths are seen from the project's root, with `/`, and without `..`. */
export interface Project {
  read(path: string): Result<string>;
}

export interface Module {
  readonly file: FileNode;
  readonly resolution: Resolution;
  /** By the name that the importing file gave. */
  readonly imports: ReadonlyMap<string, Module>;
  /** The first import that led here; undefined for the first file. */
  readonly importedAt: { readonly span: Span; readonly by: string } | undefined;
}

export interface Modules {
  readonly main: Module | undefined;
  readonly all: ReadonlyMap<string, Module>;
  readonly problems: Problems;
}

export function loadModules(path: string, project: Project): Modules {
  const loader = new Loader(project);
  const main = loader.main(path);
  return { main, all: loader.all, problems: loader.problems };
}

/** The imports between the first file and a problem, as further steps of its way. */
export function withImports(problem: Problem, all: ReadonlyMap<string, Module>): Problem {
  const way: Step[] = [...problem.way];
  let at = all.get(problem.span.source.path)?.importedAt;
  for (let i = 0; at !== undefined && i < FILES_MAX; i++) {
    way.push({ what: "imported", span: at.span });
    at = all.get(at.by)?.importedAt;
  }
  return { ...problem, way };
}

class Loader {
  readonly all = new Map<string, Module>();
  readonly problems = new Problems();
  readonly #project: Project;
  readonly #open: string[] = [];
  #files = 0;
  #characters = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  main(path: string): Module | undefined {
    const whole: Span = { source: { path, text: "" }, start: 0, end: 0 };
    return this.#load(path, whole, undefined);
  }

  /** Recursion is bounded by the files, which are counted before they are read. */
  #load(path: string, span: Span, importedAt: Module["importedAt"]): Module | undefined {
    const known = this.all.get(path);
    if (known !== undefined) return known;
    if (this.#open.includes(path)) {
      const round = [...this.#open.slice(this.#open.indexOf(path)), path];
      this.#refuse(span, `Files import each other in a circle: ${round.join(" -> ")}`, "move what they have in common into a third file");
      return undefined;
    }
    if (++this.#files > FILES_MAX) {
      if (this.#files === FILES_MAX + 1) this.#refuse(span, `Cannot import more than ${FILES_MAX} files`);
      return undefined;
    }
    const text = this.#read(path, span);
    if (text === undefined) return undefined;
    const before = this.problems.list.length;
    const file = parseFile({ path, text }, this.problems, importedAt === undefined ? "declarations" : "data");
    const isWhole = this.problems.list.length === before;
    this.#open.push(path);
    const imports = new Map<string, Module>();
    for (const item of file.imports) this.#import(path, item, imports);
    this.#open.pop();
    // In a file that could not be read whole, names seem to be missing that are only hidden.
    const named = isWhole ? this.problems : new Problems();
    const module: Module = { file, resolution: resolve(file, GLOBALS, named), imports, importedAt };
    this.all.set(path, module);
    return module;
  }

  #import(from: string, item: Import, into: Map<string, Module>): void {
    const path = resolvePath(from, item.path);
    if (!path.ok) {
      this.#refuse(item.pathSpan, path.reason);
      return;
    }
    const module = this.#load(path.value, item.pathSpan, { span: item.span, by: from });
    if (module !== undefined) into.set(item.as.name, module);
  }

  #read(path: string, span: Span): string | undefined {
    const text = this.#project.read(path);
    if (!text.ok) {
      this.#refuse(span, `Cannot read "${path}": ${text.reason}`);
      return undefined;
    }
    this.#characters += text.value.length;
    if (text.value.length <= FILE_CHARACTERS_MAX && this.#characters <= FILES_CHARACTERS_MAX) return text.value;
    const over =
      text.value.length > FILE_CHARACTERS_MAX
        ? `has more than ${FILE_CHARACTERS_MAX}`
        : `and the files before it have more than ${FILES_CHARACTERS_MAX}`;
    this.#refuse(span, `File "${path}" ${over} characters`, "large data belongs into a package");
    return undefined;
  }

  #refuse(span: Span, message: string, hint?: string): void {
    this.problems.add(problemAt(span, message, hint));
  }
}
