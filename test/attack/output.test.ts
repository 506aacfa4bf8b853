/** Attacks on the terminal of whoever looks: names, messages and values that others chose. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const BORG = fileURLToPath(new URL("../../src/cli/borg.ts", import.meta.url));
/** What a terminal in 8-bit mode takes for an escape sequence: red, and a title. */
const ATTACK = "x\u009b31m\u009d0;title\u009c\u0085y";

test("8-bit controls reach no terminal, in words or in JSON, and JSON still means the same", () => {
  const directory = mkdtempSync(join(tmpdir(), "openborg-output-"));
  const borg = (...words: readonly string[]) =>
    spawnSync(process.execPath, [BORG, ...words], { cwd: directory, encoding: "utf8", env: { PATH: "/usr/bin:/bin", HOME: directory } });
  try {
    writeFileSync(join(directory, "job.bcl"), `job web = { command = ["/bin/echo", "${ATTACK}"] }\n`);
    const json = borg("bcl", "eval", "job.bcl", "--json");
    const said = [json.stdout, json.stderr, borg("bcl", "eval", "job.bcl").stdout, borg(ATTACK).stderr, borg(ATTACK, "--json").stdout];
    for (const text of said) assert.doesNotMatch(text, /[\u007f-\u009f]/, JSON.stringify(text));
    assert.match(json.stdout, /x\\u009b31m/);
    assert.ok(JSON.stringify(JSON.parse(json.stdout)).includes(ATTACK), "JSON means what it meant");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
