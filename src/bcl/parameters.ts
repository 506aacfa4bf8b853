/** `--set` names that no file asks for are mistakes: the names are found in the text, so that laziness cannot hide one. */
import type { Modules } from "./modules.ts";
import { problemAt } from "./problem.ts";
import { didYouMean } from "./suggest.ts";
import type { Token } from "./syntax/token.ts";

export function checkParameters(given: ReadonlyMap<string, string>, modules: Modules): void {
  if (given.size === 0 || modules.main === undefined) return;
  const known = new Set([...modules.all.values()].flatMap((module) => parameterNames(module.file.tokens)));
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
export function parameterNames(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token, i) => {
    const isParam = token.kind === "name" && token.text === "param" && tokens[i + 1]?.text === "(" && tokens[i + 3]?.kind === "piece";
    return isParam ? [tokens[i + 3]!.text] : [];
  });
}
