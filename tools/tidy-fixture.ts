/** Small repositories for the tests of tidy: whatever a test leaves out is there and in order. */
import assert from "node:assert/strict";
import { format, tidy } from "./tidy.ts";
import { roomName } from "./tidy-rooms.ts";

export type Files = Readonly<Record<string, string>>;

const FEATURES = "| id | where | test |\n|---|---|---|\n";

/** The problems of a repository that has these files, a card for each of its rooms, and an empty table of features. */
export function problemsIn(files: Files): readonly string[] {
  const all = new Map<string, string>(Object.entries({ "docs/FEATURES.md": FEATURES, ...files }));
  for (const path of Object.keys(files)) {
    const card = `src/${roomName(path)}/README.md`;
    if (roomName(path) !== undefined && !all.has(card)) all.set(card, `# A room\nDoors: ${path.split("/").at(-1)}\n`);
  }
  return tidy(all).map(format);
}

/** One file with one fault, caught at "line:column: message". */
export function caught(path: string, text: string, ...expected: readonly string[]): void {
  const wanted = expected.map((place) => `${path}:${place}`);
  assert.deepEqual(problemsIn({ [path]: text }), wanted, `in ${path}:\n${text}`);
}

/** Near misses: files in which nothing is to be caught. */
export function clean(path: string, ...texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(problemsIn({ [path]: text }), [], `in ${path}:\n${text}`);
}
