/**
 * The files that `make e2e` runs. Two groups take a minute or two each: of these the commit chooses one, so that a row of commits has seen both;
 * E2E=all takes both, as the soak does. Prints the paths. Usage: node tools/e2e-slice.ts
 */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";

const GROUPS: readonly (readonly string[])[] = [
  ["tour", "moved", "silence"],
  ["typed", "backup"],
];

/** All paths but those of the groups that were not chosen. */
export function slice(paths: readonly string[], commit: string, all: boolean): readonly string[] {
  const chosen = Number.parseInt(commit.slice(0, 8) || "0", 16) % GROUPS.length;
  const left = GROUPS.flatMap((group, i) => (all || i === chosen ? [] : group)).map((name) => `test/e2e/${name}.test.ts`);
  return paths.filter((path) => !left.includes(path)).sort();
}

if (import.meta.main) {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" });
  process.stdout.write(`${slice(globSync("test/e2e/*.test.ts"), commit, process.env["E2E"] === "all").join(" ")}\n`);
}
