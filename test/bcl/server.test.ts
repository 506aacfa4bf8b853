/** The language server as an editor meets it: a process, frames on its standard streams. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../src/cli/bcl.ts", import.meta.url));
const ROOT = mkdtempSync(join(tmpdir(), "bcl-server-"));
after(() => rmSync(ROOT, { recursive: true }));

/** Talks to a server process: `ask` waits for the answer to a request, `next` for the next notification. */
function start() {
  const child = spawn(process.execPath, [COMMAND, "lsp", "--root", ROOT], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = new Map<number, (value: unknown) => void>();
  const notices: unknown[] = [];
  const waiting: ((value: unknown) => void)[] = [];
  let buffer = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/Content-Length: (\d+)/.exec(buffer.toString("latin1", 0, head))![1]);
      if (buffer.length < head + 4 + length) return;
      const message = JSON.parse(buffer.toString("utf8", head + 4, head + 4 + length));
      buffer = buffer.subarray(head + 4 + length);
      if (message.id !== undefined) answers.get(message.id)?.(message.result);
      else (waiting.shift() ?? ((value) => notices.push(value)))(message.params);
    }
  });
  let id = 0;
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    // In two pieces: a server may not rely on whole frames.
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body.subarray(0, 5));
    child.stdin.write(body.subarray(5));
  };
  return {
    notify: (method: string, params: object) => send({ method, params }),
    ask: (method: string, params: object) =>
      new Promise<unknown>((resolve) => {
        answers.set(++id, resolve);
        send({ id, method, params });
      }),
    next: () => new Promise<unknown>((resolve) => (notices.length > 0 ? resolve(notices.shift()) : waiting.push(resolve))),
    ended: new Promise<number | null>((resolve) => child.on("exit", resolve)),
  };
}

test("an editor opens, hovers, completes, jumps, formats and leaves [bcl.O5] [U10]", async () => {
  writeFileSync(join(ROOT, "lib.bcl"), 'server = { command = ["x"] }\n');
  const server = start();
  const uri = `file://${ROOT}/main.bcl`;
  const initialized = (await server.ask("initialize", { capabilities: {} })) as { capabilities: Record<string, unknown> };
  assert.equal(initialized.capabilities["hoverProvider"], true);
  server.notify("initialized", {});
  const text = 'import "lib.bcl" as lib\n# é\njob site = lib.server {\n  count=0\n}\n';
  server.notify("textDocument/didOpen", { textDocument: { uri, languageId: "bcl", version: 1, text } });
  const { diagnostics } = (await server.next()) as { diagnostics: readonly { message: string }[] };
  assert.deepEqual(
    diagnostics.map((d) => d.message),
    ['Expected 1 to 100000 for "count", found 0'],
  );
  const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
  assert.match(JSON.stringify(await server.ask("textDocument/hover", at(3, 3))), /job\.count/);
  assert.match(JSON.stringify(await server.ask("textDocument/completion", at(2, 15))), /"server"/);
  assert.deepEqual(await server.ask("textDocument/definition", at(2, 17)), {
    uri: `file://${ROOT}/lib.bcl`,
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } },
  });
  const [edit] = (await server.ask("textDocument/formatting", { textDocument: { uri }, options: {} })) as readonly { newText: string }[];
  assert.equal(edit!.newText, text.replace("count=0", "count = 0"));
  server.notify("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: text.replace("count=0", "count=2") }],
  });
  assert.deepEqual(((await server.next()) as { diagnostics: unknown }).diagnostics, []);
  assert.equal(await server.ask("shutdown", {}), null);
  server.notify("exit", {});
  assert.equal(await server.ended, 0);
});
