/**
 * A load hook that plants one bug: `MUTANT=name node --import ./tools/mutate.ts ...` runs with one text of one file replaced, so that the
 * code itself needs no switches. The rows are in mutants.ts; a text that is not found exactly once stops the process.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { MUTANTS } from "./mutants.ts";

const name = process.env["MUTANT"] ?? "";
const mutant = MUTANTS.find((each) => each.name === name);
if (name !== "" && mutant === undefined) throw new Error(`Cannot find mutant "${name}": see tools/mutants.ts`);

if (mutant !== undefined) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:") || !fileURLToPath(url).endsWith(`/${mutant.file}`)) return loaded;
      const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array);
      const parts = source.split(mutant.text);
      if (parts.length !== 2) throw new Error(`Mutant "${name}": found its text ${parts.length - 1} times in ${mutant.file}`);
      return { ...loaded, source: parts.join(mutant.replacement) };
    },
  });
}
