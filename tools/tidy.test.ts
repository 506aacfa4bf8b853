/** The table, the command, and the repository that this file stands in. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { format, main, ROOMS, readFiles, tidy } from "./tidy.ts";
import { type FileKind, kindOf } from "./tidy-rooms.ts";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

function run(...args: string[]): { code: number; lines: string[] } {
  const lines: string[] = [];
  return { code: main(args, (line) => lines.push(line)), lines };
}

test("ROOMS names each room once and uses only rooms that it names, without a circle", () => {
  const names = ROOMS.map((room) => room.name);
  assert.equal(new Set(names).size, names.length);
  const done = new Set<string>();
  for (let round = 0; round < ROOMS.length; round++) {
    for (const room of ROOMS) if (room.uses === "everything" || room.uses.every((name) => done.has(name))) done.add(room.name);
  }
  assert.deepEqual(
    names.filter((name) => !done.has(name)),
    [],
  );
});

test("ROOMS knows every folder of src", () => {
  const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = ROOMS.map((room) => room.name);
  assert.deepEqual(
    folders.map((folder) => folder.name).filter((name) => !names.includes(name)),
    [],
  );
});

test("kindOf() judges a file by its room, its name and whether it is a test", () => {
  const kinds: Readonly<Record<string, FileKind | undefined>> = {
    "src/cell/task.ts": "pure",
    "src/cell/task.test.ts": "test",
    "src/wire/gen/borg/v1/op_pb.ts": "generated",
    "src/borgmaster/deep/a.ts": "actor",
    "src/borglet/reconcile.ts": "actor",
    "src/borglet/linux/cgroup.ts": "outer",
    "src/borglet/linux/cgroup.linux.test.ts": "test",
    "src/store/memory-disk.ts": "pure",
    "src/store/log.ts": "pure",
    "src/store/contract.ts": "test",
    "src/store/files.ts": "outer",
    "src/store/etcd-client.ts": "outer",
    "src/store/crc.ts": "pure",
    "src/cli/borg.ts": "outer",
    "src/none/a.ts": undefined,
    "tools/tidy.ts": undefined,
  };
  for (const [path, kind] of Object.entries(kinds)) assert.equal(kindOf(ROOMS, path), kind, path);
});

test("the tools of this repository are tidy themselves", () => {
  const problems = tidy(readFiles(ROOT)).filter((problem) => problem.path.startsWith("tools/"));
  assert.deepEqual(problems.map(format), []);
});

test("tidy() sorts problems by place", () => {
  const files = new Map([
    ["src/b.ts", "x as any; y as any;\nz as any;\n"],
    ["src/a.ts", ""],
  ]);
  assert.deepEqual(
    tidy(files).map((problem) => `${problem.path}:${problem.line}:${problem.column}`),
    ["docs/FEATURES.md:1:1", "src/a.ts:1:1", "src/b.ts:1:1", "src/b.ts:1:6", "src/b.ts:1:16", "src/b.ts:2:6"],
  );
});

test("main() checks what git would take, prints each problem and a sum, and fails on problems only", () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-tidy-"));
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    for (const folder of ["docs", "src/cell", "node_modules/x"]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, "docs/FEATURES.md"), "");
    writeFileSync(join(root, ".gitignore"), "node_modules/\n");
    writeFileSync(join(root, "node_modules/x/a.ts"), "x as any;\n");
    writeFileSync(join(root, "src/cell/README.md"), "a.ts\n");
    writeFileSync(join(root, "src/cell/a.ts"), "export const x = 1;\n");
    writeFileSync(join(root, "logo.ts"), "\0x as any");
    assert.deepEqual(run(root), { code: 0, lines: ["tidy: 4 files, 0 problems"] });
    writeFileSync(join(root, "src/cell/a.ts"), "export enum A {}\n");
    execFileSync("git", ["add", "docs"], { cwd: root });
    rmSync(join(root, "docs/FEATURES.md"));
    assert.deepEqual(run(root), {
      code: 1,
      lines: [
        'docs/FEATURES.md:1:1: Missing; write a table with rows "| id | where | test |", one for each feature',
        'src/cell/a.ts:1:8: No "enum": Node cannot run it; use a union of strings',
        "tidy: 3 files, 2 problems",
      ],
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("main(--rooms) prints the table", () => {
  const { code, lines } = run("--rooms");
  assert.equal(code, 0);
  const rows = lines.join("\n").split("\n");
  assert.equal(rows.length, ROOMS.length + 2);
  assert.equal(rows[0], "| room | kind | may use | what it is |");
  assert.match(rows.find((row) => row.startsWith("| `base`"))!, /^\| `base` \| pure \| - \| assert, /);
  assert.match(
    rows.find((row) => row.startsWith("| `borglet`"))!,
    /^\| `borglet` \| `linux\/\*` outer, `contract.ts` test; others actor \| base, wire, rpc, archive, store, shell \| /,
  );
  assert.match(rows.at(-1)!, /^\| `cli` \| outer \| everything \| /);
});

test("tidy() looks through a thousand files in a time that fits their number", () => {
  const text = readFileSync(join(ROOT, "tools/tidy-style.ts"), "utf8");
  const files = new Map(Array.from({ length: 1000 }, (_, index) => [`src/rpc/a${index}.ts`, text]));
  const before = process.cpuUsage();
  tidy(files);
  const used = process.cpuUsage(before);
  assert.ok(used.user + used.system < 40_000_000, `${(used.user + used.system) / 1e6} s of CPU`);
});
