/**
 * The files that `make e2e`, `make attack`, `make borglet`, `make infrastore` and `make browser` run. Fourteen groups take a minute or two each: of these the commit chooses one, so that a row of
 * commits has seen all; E2E=all takes all, as the soak does. Prints the paths. Usage: [FILES=PATH,PATH] [BUT=PATH,PATH] node tools/slice.ts e2e|attack|borglet|infrastore|browser
 */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";

export const GROUPS: readonly (readonly string[])[] = [
  ["e2e/tour", "e2e/silence", "attack/fill", "borglet/survival"],
  ["e2e/typed", "e2e/rolling", "attack/hostile"],
  ["e2e/schedulers", "e2e/packages", "e2e/ssh", "attack/join", "borglet/hostile"],
  ["e2e/backup", "e2e/described", "e2e/moved", "attack/ui", "borglet/contract", "borglet/failpoints"],
  ["e2e/allocs", "e2e/images", "e2e/foreground", "e2e/controllers", "borglet/images"],
  ["e2e/update", "e2e/full-disk", "e2e/cut-off", "attack/disk", "borglet/health", "borglet/shells"],
  ["e2e/truth", "e2e/start-stop", "e2e/mesos", "e2e/executors"],
  ["e2e/volumes", "e2e/kept-directory", "e2e/secrets", "e2e/bad-tasks", "e2e/plain-user", "borglet/volumes", "infrastore/question"],
  ["e2e/names", "e2e/metrics", "e2e/frameworks", "infrastore/sql-page"],
  ["e2e/replicas", "browser/pages", "attack/ports"],
  ["e2e/task-names", "e2e/top", "browser/tools"],
  ["e2e/replicas-history", "e2e/replicas-mesos", "attack/uids"],
  ["e2e/machines", "e2e/authority"],
  ["e2e/spread-history"],
];

/** What a commit chooses of so many. */
const choiceOf = (commit: string, of: number): number => Number.parseInt(commit.slice(0, 8) || "0", 16) % of;

/** All paths but those of the groups that were not chosen. */
export function slice(paths: readonly string[], commit: string, all: boolean): readonly string[] {
  const chosen = choiceOf(commit, GROUPS.length);
  const left = GROUPS.flatMap((group, i) => (all || i === chosen ? [] : group)).map((name) => `test/${name}.test.ts`);
  return paths.filter((path) => !left.includes(path)).sort();
}

/** One of `of` parts of the texts, by the commit; every text is in one of them. */
export function sliceOfTexts(texts: readonly string[], of: number, commit: string, all: boolean): readonly string[] {
  const numberOf = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return all ? texts : texts.filter((text) => numberOf(text) % of === choiceOf(commit, of));
}

export const headCommit = (): string => execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" });
export const isWhole = (): boolean => process.env["E2E"] === "all";

/** FILES names them, BUT leaves some out: what a soak runs in parts. */
export function told(paths: readonly string[], { FILES = "", BUT = "" }: Readonly<Record<string, string | undefined>>): readonly string[] {
  return FILES !== "" ? FILES.split(",") : paths.filter((path) => !BUT.split(",").includes(path));
}

if (import.meta.main) {
  const paths = slice(globSync(`test/${process.argv[2]}/*.test.ts`), headCommit(), isWhole());
  process.stdout.write(`${told(paths, process.env).join(" ")}\n`);
}
