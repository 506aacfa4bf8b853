/** Rule 1: who may import whom, and how an import is written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { caught, clean, problemsIn } from "./tidy-fixture.ts";

const NOT_CELL =
  'Room "base" may not use room "cell" (it may use no other room); take the thing as an argument, or put the code where both are allowed';

test("a room imports only the rooms of its row", () => {
  caught("src/base/a.ts", 'import { x } from "../cell/x.ts";\nx();\n', `1:19: ${NOT_CELL}`);
  caught(
    "src/cell/a.ts",
    'import { x } from "../scheduler/x.ts";\nx();\n',
    '1:19: Room "cell" may not use room "scheduler" (it may use base, wire); take the thing as an argument, or put the code where both are allowed',
  );
  caught(
    "src/rpc/server/a.ts",
    'import { x } from "../../borgmaster/x.ts";\nx();\n',
    '1:19: Room "rpc" may not use room "borgmaster" (it may use base, wire); take the thing as an argument, or put the code where both are allowed',
  );
  caught(
    "src/borgmaster/a.ts",
    'import { x } from "../store/log.ts";\nx();\n',
    '1:19: Room "borgmaster" may not use room "store" (it may use base, wire, cell, scheduler, offers, bcl); take the thing as an argument, or put the code where both are allowed',
  );
  clean(
    "src/cell/a.ts",
    'import { x } from "../base/x.ts";\nimport { y } from "./y.ts";\nimport { z } from "../wire/gen/borg/v1/z_pb.ts";\nx(y, z);\n',
  );
  clean("src/cli/a.ts", 'import { x } from "../borgmaster/x.ts";\nimport { y } from "../sigma/y.ts";\nx(y);\n');
  clean("src/shell/a.ts", 'import { x } from "../store/files.ts";\nimport { readFileSync } from "node:fs";\nx(readFileSync);\n');
  clean("src/fauxmaster/a.ts", 'import { x } from "../store/memory.ts";\nimport { y } from "../borglet/reconcile.ts";\nx(y);\n');
});

test("the rule holds for every way to write an import", () => {
  caught("src/base/a.ts", 'import type { X } from "../cell/x.ts";\nexport type Y = X;\n', `1:24: ${NOT_CELL}`);
  caught("src/base/a.ts", 'import {\n  a,\n  b,\n} from "../cell/x.ts";\na(b);\n', `4:8: ${NOT_CELL}`);
  caught("src/base/a.ts", 'import * as all from "../cell/x.ts";\nall.x();\n', `1:22: ${NOT_CELL}`);
  caught("src/base/a.ts", 'import one, { two } from "../cell/x.ts";\none(two);\n', `1:26: ${NOT_CELL}`);
  caught("src/base/a.ts", 'import "../cell/x.ts";\nexport const y = 1;\n', `1:8: ${NOT_CELL}`);
  caught("src/base/a.ts", 'export { x } from "../cell/x.ts";\nexport const y = 1;\n', `1:19: ${NOT_CELL}`);
  caught("src/base/a.ts", 'const y = 1\nexport { y }\nexport { x } from "../cell/x.ts"\n', `3:19: ${NOT_CELL}`);
  caught("src/base/a.ts", 'export * from "../cell/x.ts";\nexport const y = 1;\n', `1:15: ${NOT_CELL}`);
  caught("src/base/a.ts", 'export type { X } from "../cell/x.ts";\nexport const y = 1;\n', `1:24: ${NOT_CELL}`);
  caught("src/base/a.ts", 'export type X = import("../cell/x.ts").X;\n', `1:24: ${NOT_CELL}`);
  caught("src/base/a.ts", 'export const x = new URL("../cell/x.ts", import.meta.url);\n', `1:26: ${NOT_CELL}`);
  caught(
    "src/rpc/a.ts",
    'const x = await import("../cell/x.ts");\nconst y = require("../cell/y.ts");\nconst z = await import(`../cell/z.ts`);\nx(y, z);\n',
    ...["1:24", "2:19", "3:24"].map((place) => `${place}: ${NOT_CELL.replace("base", "rpc").replace("no other room", "base, wire")}`),
  );
  clean(
    "src/base/a.ts",
    '/** import { x } from "../cell/x.ts" */\nexport const text = \'import { x } from "../cell/x.ts"\';\n',
    'export const x = { import: "../cell/x.ts", from: "../cell/y.ts" };\n',
    'export const x = 1;\nexport { x as y };\nexport const from = "../cell/x.ts";\n',
    'x.import("../cell/x.ts");\nx.require("../cell/x.ts");\n',
    'export const x = Array.from("../cell/x.ts");\n',
  );
});

test("unit tests follow their room's row too, but may touch the world", () => {
  caught(
    "src/cell/a.test.ts",
    'import { x } from "../fauxmaster/x.ts";\nx();\n',
    '1:19: Room "cell" may not use room "fauxmaster" (it may use base, wire); take the thing as an argument, or put the code where both are allowed',
  );
  clean(
    "src/cell/a.test.ts",
    'import fc from "fast-check";\nimport { test } from "node:test";\nimport { x } from "./x.ts";\ntest("x", async () => fc.assert(x(Date.now())));\n',
  );
  clean("test/sim/a.test.ts", 'import { x } from "../../src/cell/x.ts";\nimport { y } from "../../src/cli/y.ts";\nx(y);\n');
});

test("a pure or actor file imports no outer file, even of a room it may use", () => {
  const behind = "which touches the world; take it as an argument behind an interface that this file may see";
  caught("src/store/log.ts", 'import { x } from "./files.ts";\nx();\n', `1:19: A pure file may not import "src/store/files.ts", ${behind}`);
  caught(
    "src/store/memory-disk.ts",
    'import type { X } from "./etcd-client.ts";\nexport type Y = X;\n',
    `1:24: A pure file may not import "src/store/etcd-client.ts", ${behind}`,
  );
  caught(
    "src/borglet/reconcile.ts",
    'import { x } from "./linux/cgroup.ts";\nx();\n',
    `1:19: An actor file may not import "src/borglet/linux/cgroup.ts", ${behind}`,
  );
  caught(
    "src/borglet/reconcile.ts",
    'import { x } from "../rpc/link.ts";\nx();\n',
    `1:19: An actor file may not import "src/rpc/link.ts", ${behind}`,
  );
  caught(
    "src/fauxmaster/a.ts",
    'import { x } from "../store/files.ts";\nx();\n',
    `1:19: An actor file may not import "src/store/files.ts", ${behind}`,
  );
  clean("src/borglet/linux/cgroup.ts", 'import { x } from "../reconcile.ts";\nimport { y } from "../../rpc/link.ts";\nx(y);\n');
  clean("src/store/files.ts", 'import { x } from "./log.ts";\nimport { readSync } from "node:fs";\nx(readSync);\n');
  clean("src/store/files.test.ts", 'import { x } from "./contract.ts";\nx();\n');
});

test("no file imports a test, and nothing in src imports from test, bench or tools", () => {
  caught(
    "src/store/files.ts",
    'import { x } from "./contract.ts";\nx();\n',
    '1:19: Only tests may import "src/store/contract.ts"; move what is needed into a file that is no test',
  );
  caught(
    "src/cell/a.ts",
    'import { x } from "./b.test.ts";\nx();\n',
    '1:19: Only tests may import "src/cell/b.test.ts"; move what is needed into a file that is no test',
  );
  for (const folder of ["test", "bench", "tools"]) {
    const message = `Nothing in src/ may import from ${folder}/; move what is needed into a room`;
    caught("src/cli/a.ts", `import { x } from "../../${folder}/x.ts";\nx();\n`, `1:19: ${message}`);
    caught("src/cell/a.test.ts", `import { x } from "../../${folder}/x.ts";\nx();\n`, `1:19: ${message}`);
  }
  clean("utils/a.ts", 'import { x } from "../src/cell/x.ts";\nx();\n');
  clean("test/e2e/a.ts", 'import { x } from "../../tools/x.ts";\nx();\n');
  clean("src/cli/a.ts", 'import { x } from "./test/x.ts";\nimport y from "../../package.json" with { type: "json" };\nx(y);\n');
});

test("imports are relative and name a file", () => {
  const names = (path: string, better: string): string =>
    `1:19: Import "${path}" does not name a file; write "${better}", or the file in that folder which has the thing`;
  caught("src/rpc/a.ts", 'import { x } from "./x";\nx();\n', names("./x", "./x.ts"));
  caught("src/rpc/a.ts", 'import { x } from "./x.js";\nx();\n', names("./x.js", "./x.ts"));
  caught("tools/a.ts", 'import { x } from "../bench/x.mjs";\nx();\n', names("../bench/x.mjs", "../bench/x.ts"));
  const relative = (path: string): string =>
    `1:19: Import "${path}" is not relative; write the way from this file, beginning with "./" or "../"`;
  for (const path of ["src/base/x.ts", "/src/base/x.ts", "#base/x.ts", "@/base/x.ts", "~/base/x.ts", "file:x.ts"]) {
    caught("src/rpc/a.ts", `import { x } from "${path}";\nx();\n`, relative(path));
  }
  clean(
    "src/rpc/a.ts",
    'import { x } from "@scope/x";\nimport { y } from "./y.tsx";\nimport z from "./z.json" with { type: "json" };\nx(y, z);\n',
  );
  clean("src/cli/a.ts", 'export const scripts = new URL("./scripts/", import.meta.url);\n');
});

test("no barrels", () => {
  const barrel = "1:1: This file only re-exports; remove it and import the files that have the things";
  caught("src/rpc/all.ts", 'export { x } from "./x.ts";\nexport * from "./y.ts";\n', barrel);
  caught(
    "src/rpc/all.ts",
    '// Everything.\nimport { x } from "./x.ts";\nimport type { Y } from "./y.ts";\nexport { x };\nexport type { Y } from "./y.ts";\n',
    barrel,
  );
  caught("src/rpc/index.ts", "export const x = 1;\n", "1:1: No index files; name the file after the one thing inside and import that file");
  clean(
    "src/rpc/a.ts",
    'export { x } from "./x.ts";\nexport const y = 1;\n',
    'import "./x.ts";\n',
    'import { x } from "./x.ts";\nx();\n',
    "",
  );
  clean("src/rpc/reindex.ts", "export const x = 1;\n");
});

test("generated files may be written as the generator likes", () => {
  assert.deepEqual(
    problemsIn({
      "src/wire/a.ts": "export const a = 1;\n",
      "src/wire/gen/borg/v1/Odd_pb.ts": 'export * from "./x";\nlet any: any = Date;\n',
    }),
    [],
  );
});
