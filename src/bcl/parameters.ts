/** `--set` names that no file asks for are mistakes: the names are found in the text, so that laziness cannot hide one. */
import type { Modules } from "./modules.ts";
import { problemAt } from "./problem.ts";
import { didYouMean } from "./suggest.ts";
import type { Lexeme } from "./syntax/lexeme.ts";

export function checkParameters(given: ReadonlyMap<string, string>, modules: Modules): void {
  if (given.size === 0 || modules.main === undefined) return;
  const known = new Set([...modules.all.values()].flatMap((module) => parameterNames(module.file.lexemes)));
  for (const [name, value] of given) {
    if (known.has(name)) continue;
    const source = { path: "--set", text: `${name}=${value}` };
    const hint = known.size === 0 ? 'the files have no param("...")' : `the files ask for ${[...known].slice(0, 10).join(", ")}`;
    modules.problems.add(
      problemAt({ source, start: 0, end: name.length }, `Cannot find the parameter "${name.slice(0, 40)}"${didYouMean(name, known)}`, hint),
    );
  }
}

/** Every `param("name"`. */
export function parameterNames(lexemes: readonly Lexeme[]): readonly string[] {
  return lexemes.flatMap((lexeme, i) => {
    const isParam = lexeme.kind === "name" && lexeme.text === "param" && lexemes[i + 1]?.text === "(" && lexemes[i + 3]?.kind === "piece";
    return isParam ? [lexemes[i + 3]!.text] : [];
  });
}
