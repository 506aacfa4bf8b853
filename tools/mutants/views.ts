/** Bugs in what pages are told of a cell, and in what they may ask for. */
import type { Mutant } from "./mutant.ts";

const SUITE = "test/borgmaster/views.test.ts";

export const VIEW_BUGS: readonly Mutant[] = [
  {
    name: "a page is not told of a row that changed in its place",
    file: "src/borgmaster/api/view-watch.ts",
    text: "if (this.#names.has(name)) this.#dirty.add(name);",
    replacement: "if (this.#names.has(name)) this.#dirty.delete(name);",
    suite: SUITE,
  },
  {
    name: "a page gets the name of a row that is new in its window, and no row",
    file: "src/borgmaster/api/view-watch.ts",
    text: "isUsageDue || !this.#names.has(name) || this.#dirty.has(name)",
    replacement: "isUsageDue || this.#dirty.has(name)",
    suite: SUITE,
  },
  {
    name: "a page that lost an answer gets differences to it",
    file: "src/borgmaster/api/view-calls.ts",
    text: "const isKnown = watch.seen === request.seen && request.seen !== 0;",
    replacement: "const isKnown = request.seen !== 0;",
    suite: SUITE,
  },
  {
    name: "a watch that nobody asks about is kept for ever",
    file: "src/borgmaster/api/view-calls.ts",
    text: "if (now - watch.askedMs > FORGOTTEN_MS &&",
    replacement: "if (now < watch.askedMs &&",
    suite: SUITE,
  },
  {
    name: "a user has as many watches as it likes",
    file: "src/borgmaster/api/view-calls.ts",
    text: "own.length >= WATCHES_PER_USER ? own :",
    replacement: "own.length >= WATCHES_MAX ? own :",
    suite: SUITE,
  },
  {
    name: "a log line tells a terminal what to do",
    file: "src/sigma/app/log-text.ts",
    text: 'text.replace(COLOURS, "").replace(CONTROLS, "")',
    replacement: "text",
    suite: "src/sigma/words.test.ts",
  },
  {
    name: "a page makes whatever change it likes",
    file: "src/borgmaster/api/methods.ts",
    text: "|| PAGED_CHANGES.has(method);",
    replacement: "|| PAGED_CHANGES.size > 0;",
    suite: SUITE,
  },
];
