/** gen.ts against a small schema in a temporary root; the plugin and its options are the project's own. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { main, readTree, staleFiles } from "./gen.ts";

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const COLOR = 'syntax = "proto3";\npackage borg.v1;\nenum Color {\n  COLOR_UNSPECIFIED = 0;\n  COLOR_RED = 1;\n}\n';
const CAR = 'syntax = "proto3";\npackage borg.v1;\nimport "borg/v1/color.proto";\nmessage Car {\n  Color color = 1;\n}\n';

const roots: string[] = [];
after(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

function newRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "openborg-gen-test-"));
  roots.push(root);
  for (const file of ["buf.yaml", "buf.gen.yaml"]) copyFileSync(join(HERE, file), join(root, file));
  symlinkSync(join(HERE, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "proto/borg/v1"), { recursive: true });
  writeFileSync(join(root, "proto/borg/v1/color.proto"), COLOR);
  writeFileSync(join(root, "proto/borg/v1/car.proto"), CAR);
  return root;
}

function run(root: string, ...args: string[]): { code: number; lines: string[] } {
  const lines: string[] = [];
  return { code: main(root, args, (line) => lines.push(line)), lines };
}

test("staleFiles() names what is missing, what differs and what nothing makes any more", () => {
  const want = new Map([
    ["a_pb.ts", "1"],
    ["b_pb.ts", "2"],
    ["c_pb.ts", "3"],
  ]);
  const have = new Map([
    ["a_pb.ts", "1"],
    ["b_pb.ts", "old"],
    ["d_pb.ts", "4"],
  ]);
  assert.deepEqual(staleFiles(want, have), [
    "src/wire/gen/b_pb.ts: stale",
    "src/wire/gen/c_pb.ts: missing",
    "src/wire/gen/d_pb.ts: no proto file makes it any more",
  ]);
  assert.deepEqual(staleFiles(want, want), []);
});

test("main() generates code that Node runs as it is, and that names no path of this machine", async () => {
  const root = newRoot();
  assert.deepEqual(run(root), { code: 0, lines: ["gen: 3 files, 3 changed"] });
  const tree = readTree(join(root, "src/wire/gen"));
  assert.deepEqual([...tree.keys()], ["borg/v1/car_pb.ts", "borg/v1/color_pb.ts", "codec.ts"]);
  const car = tree.get("borg/v1/car_pb.ts")!;
  assert.match(car, /from "\.\/color_pb\.ts"/);
  assert.doesNotMatch([...tree.values()].join(""), /^export enum/m);
  assert.ok(![...tree.values()].some((text) => text.includes(root) || text.includes(HERE)));
  const module = await import(join(root, "src/wire/gen/borg/v1/car_pb.ts"));
  assert.equal(module.CarSchema.typeName, "borg.v1.Car");
});

test("main(--check) is content with fresh files, and names each stale one with what to do", () => {
  const root = newRoot();
  run(root);
  assert.deepEqual(run(root, "--check"), { code: 0, lines: ["gen: 3 files, 0 stale"] });
  writeFileSync(join(root, "proto/borg/v1/car.proto"), CAR.replace("color = 1;", "color = 1;\n  double weight = 2;"));
  rmSync(join(root, "src/wire/gen/borg/v1/color_pb.ts"));
  writeFileSync(join(root, "src/wire/gen/borg/v1/old_pb.ts"), "");
  assert.deepEqual(run(root, "--check"), {
    code: 1,
    lines: [
      "src/wire/gen/borg/v1/car_pb.ts: stale; run make gen",
      "src/wire/gen/borg/v1/color_pb.ts: missing; run make gen",
      "src/wire/gen/borg/v1/old_pb.ts: no proto file makes it any more; run make gen",
      "src/wire/gen/codec.ts: stale; run make gen",
      "gen: 3 files, 4 stale",
    ],
  });
  assert.deepEqual(run(root), { code: 0, lines: ["gen: 3 files, 4 changed"] });
  assert.equal(run(root, "--check").code, 0);
});

test("main() leaves the generated files alone when the schema does not compile", () => {
  const root = newRoot();
  run(root);
  const before = readFileSync(join(root, "src/wire/gen/borg/v1/car_pb.ts"), "utf8");
  writeFileSync(join(root, "proto/borg/v1/car.proto"), CAR.replace("Color color", "Colour color"));
  const { code, lines } = run(root);
  assert.equal(code, 1);
  assert.match(lines.join("\n"), /^Cannot generate code from proto\/\n.*car\.proto:5:3.*Colour/);
  assert.equal(readFileSync(join(root, "src/wire/gen/borg/v1/car_pb.ts"), "utf8"), before);
});
