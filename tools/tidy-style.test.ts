// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text.
/** Rules 4 and 7: sizes, names, words, and tests that would not run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { caught, clean } from "./tidy-fixture.ts";
import { functionsOf } from "./tidy-functions.ts";
import { scan } from "./tidy-tokens.ts";

const lines = (count: number, line = "  f();\n"): string => line.repeat(count);
const long = (who: string, count = 71): string =>
  `${who} has ${count} lines, more than 70; let it decide, and move what it computes into functions with names`;

test("files have at most 500 lines, tests and the contract suite as many as they like", () => {
  const message = "501:1: This file has 501 lines, more than 500; ask which noun in it wants a file of its own";
  caught("src/cell/a.ts", lines(501, "f();\n"), message);
  caught("bench/a.ts", `${lines(500, "f();\n")}f();`, message);
  clean("src/cell/a.ts", lines(500, "f();\n"), `${lines(499, "f();\n")}f();`);
  clean("src/cell/a.test.ts", lines(2000, "f();\n"));
  clean("src/store/contract.ts", `export function suite(): void {\n${lines(600)}}\n`);
});

test("functions have at most 70 lines, however they are written", () => {
  const body = `{\n${lines(69)}}`;
  caught("src/rpc/a.ts", `x();\nexport function f(a: A): B ${body}\n`, `2:8: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `export async function* f<T extends A<B>>(a: T) ${body}\n`, `1:14: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `export const f = (a: A): Map<A, B> => ${body};\n`, `1:18: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `export const f = async ({ a }: { a: A } = {}) => ${body};\n`, `1:24: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `const f = x => ${body};\n`, `1:11: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `const f = function (x: X) ${body};\n`, `1:11: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `run("x", () => ${body});\n`, `1:10: ${long("This function")}`);
  caught("src/rpc/a.ts", `run(a ? g(x) : y, (z) => ${body});\n`, `1:19: ${long("This function")}`);
  caught("src/rpc/a.ts", `class A {\n  constructor(x: X) ${body}\n}\n`, `2:3: ${long('Function "constructor"')}`);
  caught("src/rpc/a.ts", `class A {\n  async #run(x: X): Promise<{ a: B }> ${body}\n}\n`, `2:9: ${long('Function "#run"')}`);
  caught("src/rpc/a.ts", `class A {\n  get x(): { a: B } | readonly C[] ${body}\n}\n`, `2:7: ${long('Function "x"')}`);
  caught("src/rpc/a.ts", `f({ x: 1, run(y) ${body} });\n`, `1:11: ${long('Function "run"')}`);
  caught("src/rpc/a.ts", `function f(): (x: X) => Y ${body}\n`, `1:1: ${long('Function "f"')}`);
  caught("src/rpc/a.ts", `function f(x: X): x is Y ${body}\n`, `1:1: ${long('Function "f"')}`);
});

test("a borglet removes nothing recursively by path", () => {
  const message = "No recursive removal here: it follows paths that a task can swap; use removeOwn (remove.ts) or the trash";
  caught("src/borglet/linux/a.ts", "rmSync(path, { recursive: true, force: true });\n", `1:16: ${message}`);
  caught("src/borglet/linux/a.ts", "fs.rm(join(a, b), { force: true, recursive: true }, f);\n", `1:34: ${message}`);
  clean("src/borglet/linux/a.ts", "mkdirSync(path, { recursive: true });\n", "rmSync(path, { force: true });\n");
  clean("src/borglet/linux/a.test.ts", "rmSync(path, { recursive: true });\n");
  clean("src/cli/a.ts", "rmSync(path, { recursive: true });\n");
});

test("what is no function may be longer", () => {
  const body = `{\n${lines(80)}}`;
  const table = `{\n${lines(80, "  a: b,\n")}}`;
  clean(
    "src/rpc/a.ts",
    `function f() {\n${lines(68)}}\n`,
    `if (x) ${body}\n`,
    `for (const a of f(x)) ${body}\nwhile (f(x)) ${body}\n`,
    `switch (f(x)) ${body}\ntry {\n} catch (e) ${body}\n`,
    `export const TABLE = ${table};\n`,
    `export interface X ${body}\nexport class Y ${body}\nclass Z extends f(x) ${body}\n`,
    `const x = f(a) ? g(b) : ${table};\n`,
    `switch (x) {\n  case f(x):\n    if (y) ${body}\n}\n`,
    `switch (x) {\n  case f(x): ${body}\n}\n`,
    `export const f = (x: X): Y => ({\n${lines(80, "  a: b,\n")}});\n`,
  );
  clean("src/rpc/a.test.ts", `test("x", () => ${body});\n`);
});

test("functionsOf() finds each function once", () => {
  const text =
    "const f = (a: A): B => {};\nfunction g(): void {\n  h((x) => {}, y => {});\n}\nclass C {\n  m() {}\n}\nif (a) {\n}\ng(1);\n";
  assert.deepEqual(
    functionsOf(scan("a.ts", text)).map((found) => `${found.name ?? "-"} ${found.lines}`),
    ["f 1", "g 3", "- 1", "- 1", "m 1"],
  );
});

test("names of files and folders are kebab-case", () => {
  caught("src/cell/taskTable.ts", "export const x = 1;\n", '1:1: Name "taskTable.ts" is not kebab-case; rename it to "task-table.ts"');
  caught("src/cell/task_table.ts", "export const x = 1;\n", '1:1: Name "task_table.ts" is not kebab-case; rename it to "task-table.ts"');
  caught("test/Sim/a.ts", "export const x = 1;\n", '1:1: Name "Sim" is not kebab-case; rename it to "sim"');
  clean("src/borglet/linux/cgroup-v2.linux.test.ts", "f();\n");
  clean("src/base/utf8.ts", "f();\n");
});

test("no enum", () => {
  const message = 'No "enum": Node cannot run it; use a union of strings';
  caught("src/cell/a.ts", "export enum Color {\n  RED,\n}\n", `1:8: ${message}`);
  caught("tools/a.ts", "const enum Color { RED }\n", `1:7: ${message}`);
  clean("src/cell/a.ts", 'f({ enum: 1 }, x.enum, "enum X {");\n', "export const enumDesc = 1;\n", "// enum X {a} is banned\n");
});

test("no any where a type stands", () => {
  const message = 'No "any": use "unknown" and check, or write the type';
  caught("src/cell/a.ts", "const x: any = 1;\n", `1:10: ${message}`);
  caught("src/cell/a.ts", "f(x as any);\n", `1:8: ${message}`);
  caught("src/cell/a.ts", "f<any>(x);\n", `1:3: ${message}`);
  caught("src/cell/a.ts", "const x: Map<string, any> = y;\n", `1:22: ${message}`);
  caught("src/cell/a.ts", "const x: any[] = y;\n", `1:10: ${message}`);
  caught("src/cell/a.ts", "type F = (x: X) => any;\n", `1:20: ${message}`);
  caught("src/cell/a.ts", "type X = any;\n", `1:10: ${message}`);
  caught("test/a.test.ts", "type X = string | any;\n", `1:19: ${message}`);
  clean(
    "src/cell/a.ts",
    'f(x.any, any(y), { any: 1 }, "x: any");\n',
    "// as any\nconst anyOf: Any = x as AnyOf;\n",
    "const x = a < any.b;\n",
    "f(a ? b : any(c));\n",
  );
});

test("nothing unfinished in comments", () => {
  const message = (word: string): string => `No "${word}": do it now, or write an issue and say here what holds today`;
  caught("src/cell/a.ts", "f(); // TODO: more\n", `1:9: ${message("TODO")}`);
  caught("src/cell/a.ts", "/**\n * FIXME later\n */\nf();\n", `2:4: ${message("FIXME")}`);
  caught("test/a.test.ts", "f(); // XXX\n", `1:9: ${message("XXX")}`);
  clean("src/cell/a.ts", '// A todo list, mktemp-XXXXXX, TODOS.\nf("TODO");\n');
});

test("no code in comments", () => {
  const message = "This comment is code; remove it (git remembers), or say in words what the reader should know";
  const code = [
    "const x = f(y);",
    "let { a } = b;",
    'import { x } from "./x.ts";',
    "if (x) {",
    "if (x) return;",
    "} else {",
    "}",
    "});",
    "return;",
    "return x.y;",
    "return f(x);",
    "throw new Error(x);",
    "this.x.y = 3;",
    "x[0] += 2;",
    "f(x, y);",
    "this.#run(x);",
    "export function f(x: X): Y {",
    "test(x, () => {",
    "for (const a of b) {",
    "export type X = Y;",
    "await f(x);",
  ];
  for (const line of code) caught("src/rpc/a.ts", `f();\n// ${line}\n`, `2:1: ${message}`);
  clean(
    "src/rpc/a.ts",
    "// If the disk is full we stop;\n// for a machine that is lost; return it.\n",
    "// Returns the task (see §2.3).\n// return to the caller; then stop.\n",
    "// Let x be the task; const is better;\n",
    "// e.g. `const x = f(y);` makes a copy\n",
    "// {a, b} is a set, a = b holds\n// see f(x), and g(y); both wait\n",
    "// 0 <= x < n; y = x + 1 holds after the loop\n",
    "// ---- section ----\n// ┌──┐ }\n",
    "// while the machine is away (unreachable) we wait;\n// if so (rare) it stops;\n",
    "/** const x = f(y); */\n",
    "// throw new ones away;\n",
    "// await its answer;\n",
  );
});

test("only the command prints", () => {
  const message = (method: string): string => `No "console.${method}" outside cli; write to the log that this file was given`;
  caught("src/rpc/a.ts", "console.log(x);\n", `1:1: ${message("log")}`);
  caught("src/store/files.ts", "f();\nconsole.info(x);\n", `2:1: ${message("info")}`);
  caught("src/borglet/linux/a.ts", "console.debug(x);\n", `1:1: ${message("debug")}`);
  clean("src/cli/a.ts", "console.log(x);\n");
  clean("src/rpc/a.ts", 'console.error(x);\nx.console.log(y);\nf("console.log(x)");\n');
  clean("src/rpc/a.test.ts", "console.log(x);\n");
  clean("bench/a.ts", "console.log(x);\n");
});

test("no test shuts the others out", () => {
  const message = 'No "only": the other tests of this file would not run; use --test-name-pattern while you look for a fault';
  caught("src/cell/a.test.ts", 'test.only("x", f);\n', `1:6: ${message}`);
  caught("test/e2e/a.test.ts", 'describe.only("x", f);\n', `1:10: ${message}`);
  caught("test/e2e/a.test.ts", 'test("x", { only: true }, f);\n', `1:13: ${message}`);
  clean("src/cell/a.test.ts", 'test("x.only(", f);\n', "f(x.only, { only: y });\n// test.only(x)\n");
  clean("src/rpc/a.ts", "x.only(y);\n");
});

test("a skipped test says why", () => {
  const message = 'A skipped test needs a reason that people see; write { skip: "why" } with a condition, or mend the test';
  caught("src/cell/a.test.ts", 'test.skip("x", f);\n', `1:6: ${message}`);
  caught("src/cell/a.test.ts", 'describe.skip("x", f);\n', `1:10: ${message}`);
  caught("src/cell/a.test.ts", 'test("x", { skip: true }, f);\n', `1:13: ${message}`);
  caught("src/cell/a.test.ts", 'test("x", { skip: !root, timeout: 3 }, f);\n', `1:13: ${message}`);
  caught("src/cell/a.test.ts", 'test("x", { skip: uid !== 0 }, () => f("y"));\n', `1:13: ${message}`);
  caught("src/cell/a.test.ts", 'test("x", (t) => t.skip());\n', `1:20: ${message}`);
  clean(
    "src/cell/a.test.ts",
    'test("x", { skip: "needs root" }, f);\n',
    'test("x", { skip: uid !== 0 && "needs root" }, f);\n',
    'test("x", { skip: root ? false : `needs root, not ${uid}` }, f);\n',
    'test("x", { skip: noRoot }, f);\ntest("y", { skip }, f);\n',
    'test("x", (t) => t.skip("needs root"));\n',
    "f(x.skip, iterator.skip(3));\n",
  );
  clean("src/rpc/a.ts", "test.skip(x);\nf({ skip: true });\n");
});
