import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DataDirectory, newCellId } from "../../daemon/data.ts";
import { EXIT } from "../exit.ts";
import { borg } from "../fixture.test.ts";
import { problemsOf, schemaOf } from "../json-schema.test.ts";
import { unitText } from "./install.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-install-"));
after(() => rmSync(ROOT, { recursive: true }));
const here = { cwd: ROOT };

/** A cell in a directory whose name systemd would misread if it were not quoted. */
const odd = join(ROOT, 'a "b" 50% $HOME \\n');
new DataDirectory(odd).writeCell({ cell: "odd", id: newCellId(), owner: "ann", host: "127.0.0.1", port: 1, linkPort: 2, machines: 1 });

const FACTS = { cell: "test", command: ["/bin/true", "up"], user: "root" };

test("the unit leaves the cell's groups and tasks alone, and gives up where trying again does not help [U9]", () => {
  const lines = unitText(FACTS).split("\n");
  for (const line of [
    'ExecStart="/bin/true" "up"',
    "User=root",
    "Delegate=yes",
    "KillMode=process",
    "Restart=on-failure",
    "RestartPreventExitStatus=2 78",
    "WantedBy=multi-user.target",
  ])
    assert.ok(lines.includes(line), line);
  const own = unitText({ ...FACTS, user: undefined });
  assert.ok(own.includes("\nWantedBy=default.target\n") && !own.includes("User="));
});

test("install writes the unit once, says what to type, and writes over nobody's work [U9]", async () => {
  const args = ["install", "--systemd", "--data", odd, "--to", "units"];
  const first = await borg([...args, "--json"], {}, here);
  assert.equal(first.code, EXIT.done, first.err);
  const told = JSON.parse(first.out);
  assert.deepEqual(problemsOf(schemaOf("install"), told), []);
  assert.deepEqual([told.unit, told.already], ["borg-odd.service", false]);
  const text = readFileSync(join(ROOT, "units", "borg-odd.service"), "utf8");
  assert.ok(text.includes('"--data" "'), text);
  const again = await borg(args, {}, here);
  assert.match(again.out, /is there already, just so\n.*systemctl .*enable --now borg-odd\.service/);
  writeFileSync(join(ROOT, "units", "borg-odd.service"), "[Unit]\n");
  assert.equal((await borg(args, {}, here)).code, EXIT.refused);
  assert.equal((await borg(["install", "--systemd", "--data", join(ROOT, "none"), "--to", "units"], {}, here)).code, EXIT.notFound);
  assert.equal((await borg(["install"], {}, here)).code, EXIT.usage);
});

test("systemd takes the unit as it stands, odd names too [U9]", async (t) => {
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return t.skip("no systemd-analyze here");
  mkdirSync(join(ROOT, "verified"));
  await borg(["install", "--systemd", "--data", odd, "--to", "verified"], {}, here);
  const file = join(ROOT, "verified", "borg-odd.service");
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /borg-odd/, "no warning either");
  // And it means the directory.
  const exec = /^ExecStart=(.*)$/m.exec(readFileSync(file, "utf8"))![1]!;
  assert.equal(unquoted(exec).at(-1), odd);
});

test("systemd takes the units that docs/operations has, with the right paths put into them [M9] [U9]", (t) => {
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return t.skip("no systemd-analyze here");
  const printed = join(import.meta.dirname, "..", "..", "..", "docs", "operations", "systemd");
  const names = readdirSync(printed).filter((name) => name.endsWith(".service"));
  assert.deepEqual(names.sort(), ["borg-machine.service", "borg-master.service"]);
  mkdirSync(join(ROOT, "printed"));
  for (const name of names) {
    const text = readFileSync(join(printed, name), "utf8");
    assert.match(text, /^ExecStart=\/opt\/borg\/borg /m);
    const file = join(ROOT, "printed", name);
    writeFileSync(file, text.replaceAll("/opt/borg/borg", "/bin/true"));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /borg-/, "no warning either");
  }
});

/** As systemd.syntax(7) and systemd.service(5) say it: quotes, C escapes, %% and $$. */
const unquoted = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((m) =>
    m[1]!
      .replace(/\\(.)/g, "$1")
      .replaceAll("%%", "%")
      .replaceAll("$$", () => "$"),
  );
