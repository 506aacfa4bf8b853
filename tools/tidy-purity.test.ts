// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text.
/** Rule 2: what pure and actor files may not touch. */
import { test } from "node:test";
import { caught, clean } from "./tidy-fixture.ts";

/** [code, what is shown, why, instead in a pure file, instead in an actor]. The fault stands at column 18. */
const CLOCK = ["reads a clock", "take the time as an argument (ops and entries carry it)", "ask env.now() or env.wall()"] as const;
const RANDOM = [
  "draws random numbers",
  "take a seeded Random (base/random.ts) or the drawn value as an argument",
  "ask env.random() or env.id()",
] as const;
const TIMER = ["waits for a time", "return an effect and let an actor wait", "use env.timer() and go on in onTimer()"] as const;
const PROMISE = [
  "waits",
  "return the result, or an effect that somebody else performs",
  "send a message and go on in onMessage() when the answer comes",
] as const;
const WORLD = ["reaches into the world", "take the value as an argument", "take it through the constructor, or add it to Env"] as const;
const both = (why: string, instead: string): readonly [string, string, string] => [why, instead, instead];
const LOCALE = both("depends on the locale of the machine", "compare with < and >, and format by hand");
const COLLECTOR = both("shows when memory was collected", "hold a plain reference and drop it when it is no longer needed");
const TEXT = both("runs text as code", "write a function");

const FAULTS: readonly (readonly [string, string, readonly [string, string, string]])[] = [
  ["Date.now();", "Date", CLOCK],
  ["Date;", "Date", CLOCK],
  ["performance.now();", "performance", CLOCK],
  ["process.hrtime();", "process", WORLD],
  ["Temporal.Now.instant();", "Temporal", CLOCK],
  ["Math.random();", "Math.random", RANDOM],
  ["crypto.randomUUID();", "crypto", RANDOM],
  ["setTimeout(f, 1);", "setTimeout", TIMER],
  ["setInterval(f, 1);", "setInterval", TIMER],
  ["setImmediate(f);", "setImmediate", TIMER],
  ["queueMicrotask(f);", "queueMicrotask", TIMER],
  ["clearTimeout(t);", "clearTimeout", TIMER],
  ["clearInterval(t);", "clearInterval", TIMER],
  ["clearImmediate(t);", "clearImmediate", TIMER],
  ["Promise.resolve(1);", "Promise", PROMISE],
  ["async () => 1;", "async", PROMISE],
  ["async (a: X): Y => a;", "async", PROMISE],
  ["async function f() {};", "async", PROMISE],
  ["await x;", "await", PROMISE],
  ["require(x);", "require", WORLD],
  ["process.env;", "process", WORLD],
  ["globalThis.x;", "globalThis", WORLD],
  ["fetch(x);", "fetch", WORLD],
  ["Buffer.alloc(1);", "Buffer", both("belongs to Node", "use Uint8Array and DataView")],
  ["console.error(x);", "console", ["prints", "return what should be said", "use env.log()"]],
  ["Intl.Collator;", "Intl", LOCALE],
  ["WeakRef;", "WeakRef", COLLECTOR],
  ["FinalizationRegistry;", "FinalizationRegistry", COLLECTOR],
  ["structuredClone(x);", "structuredClone", both("copies what it does not know", "copy the fields by name")],
  ["eval(x);", "eval", TEXT],
  ["Function(x);", "Function", TEXT],
  ["Math;", "Math", both("may hide Math.random", "write Math.floor and so on in full")],
];

test("pure and actor files touch no clock, random, timer, promise or world, and the message knows the kind", () => {
  for (const [code, shown, [why, pure, actor]] of FAULTS) {
    caught("src/cell/a.ts", `export const x = ${code}\n`, `1:18: "${shown}" ${why}; ${pure}`);
    caught("src/borgmaster/a.ts", `export const x = ${code}\n`, `1:18: "${shown}" ${why}; ${actor}`);
  }
});

test("outer files, tests, the contract suite and everything outside src may", () => {
  for (const [code] of FAULTS) {
    const text = `export const x = ${code}\n`;
    for (const path of [
      "src/rpc/a.ts",
      "src/store/files-disk.ts",
      "src/store/etcd.ts",
      "src/store/contract.ts",
      "src/borglet/linux/a.ts",
      "bench/a.ts",
    ])
      clean(path, text);
    clean("src/cell/a.test.ts", text);
  }
});

test("each file of a mixed room is judged by its own kind", () => {
  const pure = '1:18: "Date" reads a clock; take the time as an argument (ops and entries carry it)';
  for (const path of [
    "src/store/memory.ts",
    "src/store/memory-disk.ts",
    "src/store/log.ts",
    "src/store/log-frame.ts",
    "src/store/crc.ts",
  ]) {
    caught(path, "export const x = Date.now();\n", pure);
  }
  const actor = '1:18: "Date" reads a clock; ask env.now() or env.wall()';
  for (const path of ["src/borglet/reconcile.ts", "src/borglet/linux.ts", "src/borglet/deep/linux/a.ts"])
    caught(path, "export const x = Date.now();\n", actor);
});

test("types count as well as values", () => {
  caught("src/cell/a.ts", "export type X = Promise<number>;\n", `1:17: "Promise" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "export interface X {\n  readonly at: Date;\n}\n", `2:16: "Date" reads a clock; ${CLOCK[1]}`);
  caught("src/cell/a.ts", "export function f(at: Date): void {\n  at;\n}\n", `1:23: "Date" reads a clock; ${CLOCK[1]}`);
  for (const name of ["PromiseLike", "AsyncIterable", "AsyncIterator"]) {
    caught("src/cell/a.ts", `export type X = ${name}<number>;\n`, `1:17: "${name}" waits; ${PROMISE[1]}`);
  }
  caught("src/cell/a.ts", "export function* f(): AsyncGenerator<X> {}\n", `1:23: "AsyncGenerator" waits; ${PROMISE[1]}`);
});

test("a name is found wherever a value can stand", () => {
  const at = (place: string): string => `${place}: "Date" reads a clock; ${CLOCK[1]}`;
  caught("src/cell/a.ts", "export const x = { now: Date };\n", at("1:25"));
  caught("src/cell/a.ts", "export const x = y ? Date : z;\n", at("1:22"));
  caught("src/cell/a.ts", "export const x = y\n  ? Date\n  : z;\n", at("2:5"));
  caught("src/cell/a.ts", "export const x = [...Date];\n", at("1:22"));
  caught("src/cell/a.ts", "export const x = `at ${new Date()}`;\n", at("1:28"));
  caught("src/cell/a.ts", "export const x = f(a, Date(b));\n", at("1:23"));
  caught("src/cell/a.ts", "export const x = y ? Date(a) : z;\n", at("1:22"));
  caught("src/cell/a.ts", "f(a, async (b: X): Y => b);\n", `1:6: "async" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "f({ Date });\n", at("1:5"));
  caught("src/cell/a.ts", "switch (x) {\n  case Date:\n}\n", at("2:8"));
  caught("src/cell/a.ts", "export const x =\n  Date;\n", at("2:3"));
  caught("src/cell/a.ts", "{\n  fetch(x);\n}\n", `2:3: "fetch" reaches into the world; ${WORLD[1]}`);
  caught("src/cell/a.ts", "class A {\n  async run() {}\n}\n", `2:3: "async" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "for await (const x of y) f(x);\n", `1:5: "await" waits; ${PROMISE[1]}`);
});

test("properties: then, locale and stack", () => {
  caught("src/cell/a.ts", "x.then(f);\n", `1:3: ".then" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "x.y().catch(f);\n", `1:7: ".catch" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "x?.finally(f);\n", `1:4: ".finally" waits; ${PROMISE[1]}`);
  caught("src/cell/a.ts", "a.localeCompare(b);\n", `1:3: ".localeCompare" ${LOCALE[0]}; ${LOCALE[1]}`);
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString", "toLocaleLowerCase"]) {
    caught("src/cell/a.ts", `a.${name}();\n`, `1:3: ".${name}" ${LOCALE[0]}; ${LOCALE[1]}`);
  }
  caught("src/cell/a.ts", "Error.stackTraceLimit = 0;\n", '1:7: ".stackTraceLimit" differs between machines; use the error\'s message');
  caught("src/cell/a.ts", "a?.toLocaleUpperCase();\n", `1:4: ".toLocaleUpperCase" ${LOCALE[0]}; ${LOCALE[1]}`);
  caught("src/cell/a.ts", "f(error.stack);\n", '1:9: ".stack" differs between machines; use the error\'s message');
  caught("src/cell/a.ts", "f(parseError?.stack);\n", '1:15: ".stack" differs between machines; use the error\'s message');
  caught("src/cell/a.ts", "Error.captureStackTrace(x);\n", '1:7: ".captureStackTrace" differs between machines; use the error\'s message');
  clean(
    "src/bcl/a.ts",
    "f(node.then, node.else);\n",
    "this.stack.push(frame);\n",
    "f({ then: 1, catch: 2 });\n",
    "try {\n  f();\n} catch (e) {\n  g(e);\n} finally {\n  h();\n}\n",
  );
});

test("dynamic imports wait; types of imports do not", () => {
  caught("src/cell/a.ts", 'export const x = f(import("./x.ts"));\n', `1:20: "import()" waits; ${PROMISE[1]}`);
  clean(
    "src/cell/a.ts",
    'export type X = import("./x.ts").X;\n',
    'export const f = (x: import("./x.ts").X): typeof import("./x.ts") => x;\n',
  );
});

test("pure and actor files import neither Node nor packages, but wire has protobuf", () => {
  caught(
    "src/cell/a.ts",
    'import { x } from "node:fs";\nx();\n',
    '1:19: A pure file may not import "node:fs"; take the result as an argument',
  );
  caught(
    "src/cell/a.ts",
    'import type { X } from "fs";\nexport type Y = X;\n',
    '1:24: A pure file may not import "fs"; take the result as an argument',
  );
  caught(
    "src/borgmaster/a.ts",
    'import { x } from "pino";\nx();\n',
    '1:19: An actor may not import "pino"; take it through Env or the constructor',
  );
  caught(
    "src/cell/a.ts",
    'import { x } from "@bufbuild/protobuf";\nx();\n',
    '1:19: A pure file may not import "@bufbuild/protobuf"; let a file of wire do it',
  );
  caught(
    "src/wire/a.ts",
    'import { x } from "@bufbuild/protobuf-extra";\nx();\n',
    '1:19: A pure file may not import "@bufbuild/protobuf-extra"; take the result as an argument',
  );
  clean("src/wire/a.ts", 'import { x } from "@bufbuild/protobuf";\nimport { y } from "@bufbuild/protobuf/wire";\nx(y);\n');
  clean("src/rpc/a.ts", 'import { x } from "node:net";\nimport { y } from "pino";\nx(y);\n');
});

test("shared memory is banned in the cell only", () => {
  const threads = "lets threads race; keep state in plain records and hand out copies";
  caught("src/cell/a.ts", "f(new SharedArrayBuffer(8));\n", `1:7: "SharedArrayBuffer" ${threads}`);
  caught("src/cell/a.ts", "Atomics.add(x, 0, 1);\n", `1:1: "Atomics" ${threads}`);
  clean("src/scheduler/a.ts", "Atomics.add(new Int32Array(new SharedArrayBuffer(8)), 0, 1);\n");
});

test("for … in is banned, for … of is not", () => {
  const message = '"for … in" visits inherited keys; use Object.keys() or "for … of"';
  caught("src/cell/a.ts", "for (const key in x) f(key);\n", `1:1: ${message}`);
  caught("src/borgmaster/a.ts", "function f() {\n  for (key in g(x)) h(key);\n}\n", `2:3: ${message}`);
  clean(
    "src/cell/a.ts",
    "for (const key of Object.keys(x)) f(key);\n",
    'for (let i = 0; "x" in y; i++) f(i);\n',
    'for (const x of y) if ("a" in x) f(x);\n',
    'for (const x of f("a" in z)) g(x);\n',
    'x.for("a" in y);\n',
  );
  clean("src/rpc/a.ts", "for (const key in x) f(key);\n");
});

test("modules keep no state", () => {
  const state = "is state of the module; keep it in an object that the caller makes";
  caught("src/cell/a.ts", "let count = 0;\n", `1:1: "let" at the top of a file ${state}`);
  caught("src/cell/a.ts", "export let count = 0;\n", `1:8: "let" at the top of a file ${state}`);
  caught("src/borgmaster/a.ts", "var count = 0;\n", `1:1: "var" at the top of a file ${state}`);
  caught("src/cell/a.ts", "let { a } = f();\n", `1:1: "let" at the top of a file ${state}`);
  caught("src/cell/a.ts", "const cache = new Map<string, X>();\n", `1:1: "cache", a container to be filled, ${state}`);
  caught("src/cell/a.ts", "export const seen: Set<X> = new Set();\n", `1:8: "seen", a container to be filled, ${state}`);
  caught("src/cell/a.ts", "class A {\n  static count = 0;\n}\n", `2:3: "static count" ${state}`);
  caught("src/cell/a.ts", "class A {\n  private static last: X;\n}\n", `2:11: "static last" ${state}`);
  clean(
    "src/cell/a.ts",
    "function f() {\n  let x = 0;\n  const y = new Map();\n  return [x, y];\n}\n",
    "for (let i = 0; i < 3; i++) f(i);\n",
    "const NONE: ReadonlySet<X> = new Set();\nconst NO: Readonly<Map<X, Y>> = new Map();\n",
    "const TABLE = new Map([[1, 2]]);\nconst SOME = new Set(f());\n",
    "const f = (x: X): Y => new Map();\n",
    "class A {\n  static readonly MAX = 3;\n  static of(x: X): A {\n    return new A(x);\n  }\n  count = 0;\n}\n",
    "f({ let: 1, var: 2, static: 3 });\nx.let = y.static;\n",
  );
  clean("src/rpc/a.ts", "let count = 0;\nconst cache = new Map();\n");
});

test("near misses: keys, members, properties, parameters, strings and comments", () => {
  clean(
    "src/cell/a.ts",
    "f(entry.date, entry.Date, x.process, y?.performance, z.Promise);\n",
    "f(\"Date\", 'process', `Math.random() ${x} Date`, /Date|process/);\n",
    "// Date.now() is not for us.\n/** Nor {@link Promise}, nor setTimeout(). */\nexport const x = 1;\n",
    "f({ process: 1, Date: 2, fetch: 3, async: true, await: false });\n",
    "export interface X {\n  readonly process: Y;\n  Date?: Z;\n  console: string\n  fetch(x: X): Y;\n  crypto(): void;\n}\n",
    "export type X = { process: Y; readonly Date: Z; Math: number };\n",
    "class A {\n  private readonly process = 1;\n  #Date = 2;\n  fetch(x: X): Y {\n    return this.#Date;\n  }\n  get performance(): number {\n    return 1;\n  }\n  *eval() {}\n}\n",
    "const { process: p, Date: d } = x;\nf(p, d);\n",
    "export type F = (process: X, Date?: Y) => Z;\n",
    'export type X = "Date" | "process";\n',
    "f(x.random(), random(), Math.floor(y), Math.max(1, 2));\n",
    "f(updateDate, DateRange, processes, myConsole, PromiseId);\n",
    "const { async, x } = y;\nf(x);\n",
    "f(x.then, x.stack);\nthenable(x);\n",
  );
});
