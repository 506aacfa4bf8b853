import assert from "node:assert/strict";
import { test } from "node:test";
import { projectOf } from "../fixture.test.ts";
import { LanguageServer } from "../server.ts";

const ROOT = "/project";
const FILES = { "lib/web.bcl": 'server = { command = ["x"], ports = ["http"] }\nsizes = { small = 1 }\n' };
const MAIN = 'import "lib/web.bcl" as web\nlocal tasks = 3\njob site = web.server {\n  count = tasks\n  ram = 5\n}\n';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly { readonly message: string; readonly range: unknown }[] };
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

function open(text = MAIN): {
  readonly server: LanguageServer;
  ask(method: string, line: number, character: number): unknown;
  readonly first: readonly Message[];
} {
  const server = new LanguageServer(ROOT, projectOf(FILES), "ubar");
  const send = (message: object): readonly Message[] => server.handle(JSON.stringify({ jsonrpc: "2.0", ...message })) as readonly Message[];
  send({ id: 1, method: "initialize", params: {} });
  const uri = `file://${ROOT}/main.bcl`;
  const first = send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "bcl", version: 1, text } } });
  const ask = (method: string, line: number, character: number): unknown =>
    send({ id: 2, method: `textDocument/${method}`, params: { textDocument: { uri }, position: { line, character } } })[0]!.result;
  return { server, ask, first };
}

test("diagnostics stand where the mistake is, and go when it is mended [bcl.O5]", () => {
  const { server, first } = open();
  assert.equal(first[0]!.method, "textDocument/publishDiagnostics");
  assert.deepEqual(
    first[0]!.params!.diagnostics.map((d) => [d.message.split("\n")[0], d.range]),
    [['Expected bytes, such as 64Mi, for "ram", found 5', { start: { line: 4, character: 8 }, end: { line: 4, character: 9 } }]],
  );
  const change = {
    textDocument: { uri: `file://${ROOT}/main.bcl`, version: 2 },
    contentChanges: [{ text: MAIN.replace("ram = 5", "ram = 5Mi") }],
  };
  const [after] = server.handle(JSON.stringify({ jsonrpc: "2.0", method: "textDocument/didChange", params: change })) as readonly Message[];
  assert.deepEqual(after!.params!.diagnostics, []);
});

test("a mistake in an imported file is shown at the import [bcl.O5]", () => {
  const server = new LanguageServer(ROOT, projectOf({ "bad.bcl": "x = )" }), "ubar");
  const text = 'import "bad.bcl" as bad\n';
  const [message] = server.handle(
    JSON.stringify({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument: { uri: `file://${ROOT}/m.bcl`, text } } }),
  ) as readonly Message[];
  assert.deepEqual(
    message!.params!.diagnostics.map((d) => [d.message, d.range]),
    [['Expected a value, found ")" (in bad.bcl)', { start: { line: 0, character: 0 }, end: { line: 0, character: 23 } }]],
  );
});

test("hover explains fields, functions and names [bcl.O5]", () => {
  const { ask } = open(`${MAIN}x = map((n) => n, [1])\n`);
  const text = (line: number, character: number): string =>
    String((ask("hover", line, character) as { contents: { value: string } } | null)?.contents.value);
  assert.match(text(3, 4), /^job\.count\n {2}How many tasks/);
  assert.match(text(3, 12), /^local tasks\n {2}local tasks = 3/);
  assert.match(text(6, 5), /^map\n/);
  assert.equal(ask("hover", 2, 0), null);
});

test("completion offers fields, names, the library, and what an import has [bcl.O5]", () => {
  const { ask } = open('import "lib/web.bcl" as web\nlocal tasks = 3\njob site = web.server {\n  cou\n  health = { po }\n}\nx = web.\n');
  const labels = (line: number, character: number): readonly string[] =>
    (ask("completion", line, character) as readonly { label: string }[]).map((item) => item.label);
  const inJob = labels(3, 5);
  for (const wanted of ["count", "command", "tasks", "web", "map", "if"]) assert.ok(inJob.includes(wanted), wanted);
  assert.deepEqual(labels(4, 15).slice(0, 3), ["port", "path", "tcp"]);
  assert.deepEqual(labels(6, 8), ["server", "sizes"]);
});

test("definition goes to locals, imports and fields of imports [bcl.O5]", () => {
  const { ask } = open();
  const at = (line: number, character: number): unknown => {
    const found = ask("definition", line, character) as { uri: string; range: { start: unknown } } | null;
    return found === null ? null : [found.uri.replace(`file://${ROOT}/`, ""), found.range.start];
  };
  assert.deepEqual(at(3, 12), ["main.bcl", { line: 1, character: 6 }]);
  assert.deepEqual(at(2, 12), ["main.bcl", { line: 0, character: 24 }]);
  assert.deepEqual(at(2, 17), ["lib/web.bcl", { line: 0, character: 0 }]);
  assert.deepEqual(at(0, 10), ["lib/web.bcl", { line: 0, character: 0 }]);
});

test("formatting is one edit, and none for a text in form [bcl.O5]", () => {
  assert.deepEqual(open("x=1\n").ask("formatting", 0, 0), [
    { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, newText: "x = 1\n" },
  ]);
  assert.deepEqual(open("x = 1\n").ask("formatting", 0, 0), []);
});

test("any message gets an answer or silence, never an exception [bcl.O5]", () => {
  const { server } = open();
  const bad = [
    "",
    "{",
    "[]",
    "null",
    "5",
    '{"id":1}',
    '{"method":5}',
    '{"id":1,"method":"nothing/here"}',
    '{"id":1,"method":"textDocument/hover"}',
  ];
  for (const text of bad) server.handle(text);
  for (const uri of [
    "",
    "http://x",
    "file:///elsewhere/x.bcl",
    `file://${ROOT}/../x.bcl`,
    `file://${ROOT}/%zz`,
    `file://${ROOT}/none.bcl`,
  ]) {
    for (const method of ["hover", "completion", "definition", "formatting", "didOpen", "didChange", "didClose"]) {
      server.handle(
        JSON.stringify({
          id: 1,
          method: `textDocument/${method}`,
          params: { textDocument: { uri, text: 5 }, position: { line: -1, character: 1e9 } },
        }),
      );
      server.handle(
        JSON.stringify({ method: `textDocument/${method}`, params: { textDocument: { uri, text: "x = " }, contentChanges: 5 } }),
      );
    }
  }
  assert.equal(server.exitCode, undefined);
  server.handle('{"id":9,"method":"shutdown"}');
  server.handle('{"method":"exit"}');
  assert.equal(server.exitCode, 0);
});
