/** Rules 3, 5, 6 and 7: room cards, forbidden texts, packages, the table of features, and pages that name files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { format, tidy } from "./tidy.ts";
import { type Files, problemsIn } from "./tidy-fixture.ts";

const CODE = "export const x = 1;\n";

function finds(files: Files, ...expected: readonly string[]): void {
  assert.deepEqual(problemsIn(files), expected);
}

test("every folder of src is a room, and every file stands in one", () => {
  finds(
    { "src/utils/a.ts": 'import { x } from "../cell/x.ts";\nx();\n', "src/utils/b.ts": CODE },
    'src/utils:1:1: Room "utils" is not in the table; add it to ROOMS in tools/tidy.ts with a decision note, or use a room that is there',
  );
  finds({ "src/main.ts": CODE }, "src/main.ts:1:1: This file stands in no room; move it into the room that owns the thing");
  finds({ "utils/a.ts": CODE, "src/cell/utils/a.ts": CODE });
});

test("every room has a card", () => {
  const missing = 'Room "cell" has no card; write ten lines: what it is, its doors, what it never does, how to test it';
  const files = new Map([
    ["docs/FEATURES.md", ""],
    ["src/cell/a.ts", CODE],
    ["src/cell/deep/README.md", "# Not the card: a.ts\n"],
  ]);
  assert.deepEqual(tidy(files).map(format), [`src/cell/README.md:1:1: ${missing}`]);
});

test("a card is short and names doors that exist", () => {
  const card = (text: string): Files => ({
    "src/cell/README.md": text,
    "src/cell/task.ts": CODE,
    "src/cell/deep/b.ts": CODE,
    "tools/tidy.ts": CODE,
    "src/base/id.ts": CODE,
  });
  finds(card(`# cell\ntask.ts\n${"more\n".repeat(18)}`));
  finds(
    card(`# cell\ntask.ts\n${"more\n".repeat(19)}`),
    "src/cell/README.md:21:1: This card has 21 lines, more than 20; move the rest to docs/ or to SPEC.md",
  );
  finds(card("# cell\n"), "src/cell/README.md:1:1: This card names no door; name the files that other rooms import");
  const gone = (place: string, door: string): string =>
    `src/cell/README.md:${place}: Door "${door}" does not exist in src/cell; name the file that has the thing now`;
  finds(card("# cell\nDoors: task.ts, `job.ts` (jobs)\n"), gone("2:18", "job.ts"));
  finds(card("# cell\nDoors: task.ts id.ts\n"), gone("2:16", "id.ts"));
  finds(card("# cell\nDoors: task.ts deep/c.ts.\n"), gone("2:16", "deep/c.ts"));
  finds(card("# cell\nDoors: task.ts (see tools/none.ts)\n"), gone("2:21", "tools/none.ts"));
  finds(
    card('# cell\nDoors: task.ts. See tools/tidy.ts, base/id.ts, deep/b.ts, b.ts. Try node --test "src/cell/**/*.test.ts" or <name>.ts\n'),
  );
});

test("how-to pages, the glossary and the architecture name files that exist", () => {
  const page = (path: string, text: string): Files => ({ [path]: text, "proto/borg/v1/op.proto": "", "tools/deep/b.ts": CODE });
  finds(
    page(
      "docs/how-to/add.md",
      "Touch `proto/borg/v1/op.proto`, `tools/deep/b.ts`, then `b.ts`, deep/b.ts and <noun>.ts, test/x/<noun>.test.ts.\n",
    ),
  );
  const gone = (place: string, name: string): string => `${place}: File "${name}" does not exist; name the file that has the thing now`;
  finds(page("docs/how-to/add.md", "Touch `tools/b.ts`.\n"), gone("docs/how-to/add.md:1:8", "tools/b.ts"));
  finds(page("docs/glossary.md", "turn (turn.ts)\n"), gone("docs/glossary.md:1:7", "turn.ts"));
  finds(page("docs/ARCHITECTURE.md", "proto/op.proto\n"), gone("docs/ARCHITECTURE.md:1:1", "proto/op.proto"));
  finds(page("docs/decisions/0001-old.md", "It was in tools/gone.ts then.\n"));
});

test("how-to pages, the glossary and the architecture use names that the code has", () => {
  const page = (text: string): Files => ({
    "docs/how-to/add.md": text,
    "tools/b.ts": `${CODE}export const FAULT_KINDS = [];\nfunction callCell() {}\n`,
  });
  finds(page("Add it to `FAULT_KINDS`, then `callCell`, and say `borg` or `op`. BORG_HOME is no name of ours, nor `Uppercase`.\n"));
  const gone = (place: string, name: string): string =>
    `docs/how-to/add.md:${place}: No file of the code has "${name}"; say what it is called now`;
  finds(page("Add it to `FAULT_CLASSES`.\n"), gone("1:11", "FAULT_CLASSES"));
  finds(page("Call `callCel`.\n"), gone("1:6", "callCel"));
});

/** Written so that this file does not hold what it plants. */
const at = (...parts: string[]): string => ["", ...parts].join("/");
const host = (...parts: string[]): string => parts.join(".");

test("no file names a path of one machine", () => {
  const message = (path: string): string => `Path "${path}" is one machine's; use a path relative to the root, or take it as an argument`;
  const work = at("work", "");
  finds({ "docs/a.md": `See\n  ${work}x.\n` }, `docs/a.md:2:3: ${message(work)}`);
  const home = at("home", "ann");
  finds({ Makefile: `x := "${home}/x"\n` }, `Makefile:1:7: ${message(home)}`);
  finds({ "src/wire/a.ts": CODE, "src/wire/gen/a_pb.ts": `// ${work}\n` }, `src/wire/gen/a_pb.ts:1:4: ${message(work)}`);
  finds({
    "docs/a.md": `a${at("work", "b")} https://x.y${at("work", "b")} .${at("work", "x")} $HOME${at("home", "x")}\n/workers/ ${at("home")} ${at("homes", "a")} ${at("work")}\n`,
  });
});

test("no file names a package host", () => {
  const hosts = [
    host("registry", "npmjs", "org"),
    host("registry", "yarnpkg", "com"),
    host("deb", "debian", "org"),
    host("security", "debian", "org"),
    host("archive", "ubuntu", "com"),
    host("pypi", "org"),
    host("proxy", "golang", "org"),
  ];
  for (const name of hosts) {
    const message = `No file names a package host ("${name}"); whoever installs decides where packages come from`;
    finds({ "docs/a.md": `one\nFrom https://${name}/x\n` }, `docs/a.md:2:14: ${message}`);
  }
  finds({ "docs/a.md": "https://www.debian.org, npm, registry-npmjs, https://github.com/x\n" });
});

test("packages are asked for at exact versions", () => {
  const file = (section: string, version: string): Files => ({
    "package.json": `{\n  "name": "x",\n  "${section}": {\n    "x": "${version}"\n  }\n}\n`,
  });
  const message = (version: string): string =>
    `package.json:4:5: Package "x" is asked for as "${version}"; write one exact version, as in "1.2.3"`;
  for (const version of ["^1.2.3", "~1.2.3", "1.2", "*", "latest", ">=1.2.3", "1.x", "file:../x", "github:a/b"]) {
    finds(file("dependencies", version), message(version));
  }
  finds(file("devDependencies", "^1.2.3"), message("^1.2.3"));
  finds(file("optionalDependencies", "^1.2.3"), message("^1.2.3"));
  finds(file("dependencies", "1.2.3"));
  finds(file("devDependencies", "1.2.3-beta.1"));
  finds(file("engines", ">=20"));
  finds({ "package.json": "{" }, "package.json:1:1: Cannot parse this file as JSON; mend it");
});

test("installing runs no code of ours, and the lockfile names no host", () => {
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
    finds(
      { "package.json": `{\n  "scripts": { "${script}": "x" }\n}\n` },
      `package.json:2:16: No "${script}" script; installing runs no code, put it into the Makefile`,
    );
  }
  finds({ "package.json": '{ "scripts": { "test": "make test", "reinstall": "x" } }\n' });
  const message = 'The lockfile names a host; set omit-lockfile-registry-resolved=true in .npmrc and run "npm install" again';
  finds({ "package-lock.json": '{\n  "resolved": "https://x.y/z.tgz"\n}\n' }, `package-lock.json:2:3: ${message}`);
  finds({ "package-lock.json": '{\n  "resolved": "git+ssh://x.y/z"\n}\n' }, `package-lock.json:2:3: ${message}`);
  finds({ "package-lock.json": '{ "funding": { "url": "https://x.y" }, "resolved": "packages/a" }\n' });
});

test("docs/FEATURES.md exists", () => {
  const message = 'Missing; write a table with rows "| id | where | test |", one for each feature';
  assert.deepEqual(tidy(new Map()).map(format), [`docs/FEATURES.md:1:1: ${message}`]);
});

test("a feature's test exists and carries its id", () => {
  const table = (row: string): Files => ({
    "docs/FEATURES.md": `# Features\n\n| id | where | test | note |\n|---|---|---|---|\n${row}\n`,
    "src/cell/a.test.ts": 'test("x [U1] [KD1]", f);\n',
    "test/b.test.ts": 'test("x [U11]", f);\n',
  });
  const features = "docs/FEATURES.md";
  finds(
    table("| U1 | src/cell | src/cell/none.test.ts | |"),
    `${features}:5:19: Test "src/cell/none.test.ts" of feature U1 does not exist; name the file that shows it`,
  );
  const carry = (path: string, id: string): string =>
    `Test "${path}" does not carry [${id}]; put the id into the name of the test that shows it`;
  finds(table("| U2 | src/cell | `src/cell/a.test.ts` | |"), `${features}:5:20: ${carry("src/cell/a.test.ts", "U2")}`);
  finds(table("| U1 | cell | src/cell/a.test.ts, test/b.test.ts | |"), `${features}:5:35: ${carry("test/b.test.ts", "U1")}`);
  finds(
    table("| U1 | a | [a](../src/cell/none.test.ts) | |"),
    `${features}:5:16: Test "src/cell/none.test.ts" of feature U1 does not exist; name the file that shows it`,
  );
  finds(table("| U1 | | src/cell/a.test.ts | |\n| U1 | | | |"), `${features}:6:1: Feature U1 has two rows; keep one`);
  finds(
    table(
      "| U1 | none.test.ts | src/cell/a.test.ts | other.test.ts |\n| KD1 | x | ../src/cell/a.test.ts | |\n| U11 | x | test/b.test.ts | |\n| U2 | open | - | |\n| U3 | |",
    ),
  );
  finds(
    { ...table(""), "docs/FEATURES.md": "| id | test | where |\n|---|---|---|\n| U1 | src/cell/none.test.ts | x.test.ts |\n" },
    `${features}:3:8: Test "src/cell/none.test.ts" of feature U1 does not exist; name the file that shows it`,
  );
});
