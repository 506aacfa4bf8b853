/** Where a report as a page goes: a file that only who asked can read. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Context } from "../context.ts";
import { Failure } from "../exit.ts";

export function writePage(context: Context, file: string, page: string): void {
  const path = resolve(context.terminal.cwd, file);
  try {
    writeFileSync(path, page, { mode: 0o600 });
  } catch (cause) {
    throw new Failure("usage", `Cannot write "${path}": ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, undefined, { cause });
  }
  context.tell(`Wrote ${file}`, { file });
}
