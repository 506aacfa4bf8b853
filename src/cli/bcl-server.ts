/** Carries the language server's messages over a pair of streams. The server itself is pure: src/bcl/server.ts. */
import type { Readable, Writable } from "node:stream";
import { LanguageServer } from "../bcl/server.ts";
import { projectFiles } from "./project-files.ts";

/** A frame beyond this ends the conversation: no editor sends such a file. */
const FRAME_BYTES_MAX = 1 << 25;
const HEADER_BYTES_MAX = 4096;

/** Resolves with the exit code when the editor says goodbye or closes the stream. */
export async function serveLanguage(input: Readable, output: Writable, root: string, user: string): Promise<number> {
  const server = new LanguageServer(root, projectFiles(root), user);
  let buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    buffer = Buffer.concat([buffer, chunk as Buffer]);
    for (;;) {
      const frame = nextFrame(buffer);
      if (frame === "bad") return 2;
      if (frame === undefined) break;
      buffer = buffer.subarray(frame.end);
      for (const answer of server.handle(frame.text)) write(output, answer);
      if (server.exitCode !== undefined) return server.exitCode;
    }
  }
  return server.exitCode ?? 0;
}

function write(output: Writable, message: unknown): void {
  const body = JSON.stringify(message);
  output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function nextFrame(buffer: Buffer): { readonly text: string; readonly end: number } | "bad" | undefined {
  const head = buffer.indexOf("\r\n\r\n");
  if (head === -1) return buffer.length > HEADER_BYTES_MAX ? "bad" : undefined;
  const length = Number(/^content-length:\s*(\d+)\s*$/im.exec(buffer.toString("latin1", 0, head))?.[1] ?? "NaN");
  if (!Number.isInteger(length) || length > FRAME_BYTES_MAX) return "bad";
  const end = head + 4 + length;
  return buffer.length < end ? undefined : { text: buffer.toString("utf8", head + 4, end), end };
}
