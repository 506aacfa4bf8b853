/** Invariants and judges share no helper with the code they check, except those that docs/RELIABILITY.md lists with the reason. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const FILES = globSync(["src/cell/invariants*.ts", "src/fauxmaster/judge/*.ts"]).filter((file) => !file.endsWith(".test.ts"));
/** Spaces whose code is under judgement, and the one they all stand on. */
const JUDGED = /^src\/(?:cell|base|scheduler|borgmaster|store)\//;

/** What a file takes from others at run time, as "path name". Types decide nothing. */
function taken(file: string): string[] {
  const found: string[] = [];
  for (const [, names = "", from = ""] of readFileSync(file, "utf8").matchAll(/^import (?!type )\{([^}]*)\} from "(\.[^"]*)";/gm)) {
    const path = posix.normalize(posix.join(posix.dirname(file), from));
    if (!JUDGED.test(path) || FILES.includes(path)) continue;
    const values = names.split(",").map((name) => name.trim());
    for (const name of values) if (name !== "" && !name.startsWith("type ")) found.push(`${path} ${name.split(" as ")[0]}`);
  }
  return found;
}

test("what invariants share with the code they check is listed with its reason, and nothing else is", () => {
  assert.ok(FILES.length >= 8);
  const section = readFileSync("docs/RELIABILITY.md", "utf8").split("## What invariants share")[1]?.split("\n## ")[0] ?? "";
  const allowed = new Set<string>();
  for (const [, path, names = "", why = ""] of section.matchAll(/^\| (src\/\S+) \| ([^|]+) \| ([^|]+) \|$/gm)) {
    assert.ok(why.trim().length > 10, `${path} needs a reason`);
    for (const name of names.split(",")) allowed.add(`${path} ${name.trim()}`);
  }
  const used = new Set(FILES.flatMap(taken));
  assert.deepEqual([...used].filter((each) => !allowed.has(each)).sort(), [], "taken and not listed");
  assert.deepEqual([...allowed].filter((each) => !used.has(each)).sort(), [], "listed and not taken");
});
