/** Reads a value that nobody may see: without echo from a terminal, as it is from a pipe or a file. */
import type { ReadStream } from "node:tty";

const [ENTER, NEWLINE, BACKSPACE, DELETE, CANCEL, END] = [13, 10, 8, 127, 3, 4] as const;

/** At most one byte more than `bytesMax`, so that too much is told from enough. From a terminal: up to the end of the line, which is no part of it. */
export async function readSecret(
  input: ReadStream,
  prompt: NodeJS.WritableStream,
  question: string,
  bytesMax: number,
): Promise<Uint8Array> {
  if (input.isTTY !== true) return readAll(input, bytesMax);
  prompt.write(question);
  input.setRawMode(true);
  try {
    return await readLine(input, bytesMax);
  } finally {
    input.setRawMode(false);
    input.pause();
    prompt.write("\n");
  }
}

async function readAll(input: ReadStream, bytesMax: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return new Uint8Array(Buffer.concat(chunks)).subarray(0, bytesMax + 1);
}

async function readLine(input: ReadStream, bytesMax: number): Promise<Uint8Array> {
  const line: number[] = [];
  for await (const chunk of input as AsyncIterable<Buffer>)
    for (const byte of chunk) {
      if (byte === ENTER || byte === NEWLINE || byte === END || line.length > bytesMax) return Uint8Array.from(line);
      if (byte === CANCEL) {
        input.setRawMode(false);
        process.kill(process.pid, "SIGINT");
        return new Uint8Array();
      }
      if (byte === BACKSPACE || byte === DELETE) removeLetter(line);
      else line.push(byte);
    }
  return Uint8Array.from(line);
}

/** A letter may be several bytes: those that go on one begin with the bits 10. */
function removeLetter(line: number[]): void {
  while (line.length > 0) {
    const byte = line.pop() as number;
    if ((byte & 0xc0) !== 0x80) return;
  }
}
